//! `disasm SPEC [FILE]`: words to text.

use crate::input::{Input, Item, WordReader, bytes_of};
use crate::output::{Out, Progress, Reporter, Status, Stop, out};
use crate::spec;
use isa_spec::codec::Codec;
use isa_spec::diag::json_string;
use isa_spec::model::{FormId, Isa, Word};
use std::fmt::Write as _;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;

/// Disassemble: words to text.
///
/// Prints one line for each word, in order: its text, or `!` and the reason why it has none.
///
/// The input is text, one hexadecimal word a line, with all its digits, `0x` or not; empty lines and `#` comments are
/// skipped. An address may stand before a word (`0xa5b0: WORD`) or in a second column (`WORD 0xa5b0`); a word without one
/// follows the word before it, from 0 on. Where words have several lengths, a line may also hold one unit of the stream: one that
/// begins a longer word takes the lines behind it. A file whose name ends in `.bin` is a raw stream.
/// A line has at most 1 MiB; there is no limit for all of them together.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A path, or the name of a shipped instruction set.
    spec: String,
    /// Standard input without it.
    file: Option<PathBuf>,
    /// Add what the text leaves out (scheduling control, kept bits, the address if the input gives one), so that it
    /// assembles back to the very same word.
    #[arg(long)]
    full: bool,
    /// Print one JSON object a line: word, address (bytes), length (bits), mnemonic, form, text, fields (each with name,
    /// bits and raw value); or word, address, error.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, reporter: &Reporter) -> Result<Status, Stop> {
    let isa = match spec::model_with_words(&args.spec, reporter)? {
        Ok(isa) => isa,
        Err(status) => return Ok(status),
    };
    let codec = Codec::new(&isa);
    let input = Input::open(args.file.as_deref())?;
    let size = input.size;
    let mut reader = WordReader::new(input, &isa, &codec)?;
    let mut writer =
        Writer { isa: &isa, codec: &codec, full: args.full, next: Some(0), text: String::new(), line: String::new() };
    let mut out = out();
    let mut progress = Progress::new();
    let to_terminal = std::io::stdout().is_terminal();
    let mut done: u64 = 0;
    let mut failed = false;
    // Words that have been read are answered before anything else is said.
    let finish = |out: &mut Out, stop: Stop| out.flush().map_err(Stop::from).and(Err(stop));
    loop {
        let item = match reader.next() {
            Ok(Some(item)) => item,
            Ok(None) => break,
            Err(stop) => return finish(&mut out, stop),
        };
        failed |= if args.json { !writer.json(&item) } else { !writer.plain(&item) };
        out.write_all(writer.line.as_bytes())?;
        if to_terminal || reader.may_wait() {
            out.flush()?;
        }
        done += 1;
        if done.is_multiple_of(16384) {
            progress.show(|| match size {
                Some(size) => format!("{done} words, {} %", reader.read() * 100 / size.max(1)),
                None => format!("{done} words"),
            });
        }
    }
    out.flush()?;
    Ok(Status::of(failed))
}

struct Writer<'a> {
    isa: &'a Isa,
    codec: &'a Codec<'a>,
    full: bool,
    /// Where the assembler would put the next instruction.
    next: Option<u64>,
    text: String,
    line: String,
}

impl Writer<'_> {
    /// The form of an item, and its text in `self.text`; or the reason why there is none.
    fn read(&mut self, item: &Item) -> Result<(FormId, Word, u32), String> {
        let word = item.word.as_ref().map_err(|bad| bad.reason.clone())?;
        let form = self.codec.decode(word.word, word.bits).map_err(|e| e.to_string())?;
        self.text.clear();
        if self.full {
            self.codec.print_full(form, word.word, item.address, &mut self.text);
        } else {
            self.codec.print(form, word.word, item.address, &mut self.text);
        }
        Ok((form, word.word, word.bits))
    }

    /// The line of an item; whether it is an instruction.
    fn plain(&mut self, item: &Item) -> bool {
        let result = self.read(item);
        self.line.clear();
        let placed = item.is_placed || self.next != Some(item.address);
        match &result {
            Ok(_) if self.full && placed => _ = writeln!(self.line, "{:#x}: {}", item.address, self.text),
            Ok(_) => {
                self.line.push_str(&self.text);
                self.line.push('\n');
            }
            Err(reason) => _ = writeln!(self.line, "! {}", reason.replace('\n', " ")),
        }
        self.next = result.as_ref().ok().map(|(_, _, bits)| item.address.wrapping_add(bytes_of(*bits)));
        result.is_ok()
    }

    /// The JSON object of an item; whether it is an instruction.
    fn json(&mut self, item: &Item) -> bool {
        let result = self.read(item);
        self.line.clear();
        let line = &mut self.line;
        let word = match &item.word {
            Ok(w) => format!("\"{:0width$x}\"", w.word, width = w.bits.div_ceil(4) as usize),
            Err(bad) => json_string(&bad.text),
        };
        let _ = write!(line, "{{\"word\":{word},\"address\":{}", item.address);
        match &result {
            Ok((form, word, bits)) => {
                let form = self.isa.form(*form);
                let mnemonic = json_string(&self.isa.instruction(form.instruction).mnemonic);
                let name = json_string(&form.name);
                let text = json_string(&self.text);
                let _ = write!(line, ",\"length\":{bits},\"mnemonic\":{mnemonic},\"form\":{name},\"text\":{text},\"fields\":[");
                for (i, field) in form.fields.iter().enumerate() {
                    let comma = if i > 0 { "," } else { "" };
                    let (name, bits, value) = (json_string(&field.path), &field.bits, field.bits.get(*word));
                    let _ = write!(line, "{comma}{{\"name\":{name},\"bits\":\"{bits}\",\"value\":{value}}}");
                }
                line.push_str("]}\n");
            }
            Err(reason) => _ = writeln!(line, ",\"error\":{}}}", json_string(reason)),
        }
        result.is_ok()
    }
}
