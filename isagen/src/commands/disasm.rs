//! `disasm SPEC [FILE]`: words to text.

use crate::input::{Input, Item, WordReader, bytes_of};
use crate::json;
use crate::output::{Out, Progress, Reporter, Status, Stop, out};
use crate::spec;
use isa_spec::codec::Codec;
use isa_spec::model::{Field, Form, FormId, Isa, Raw, Word};
use serde::ser::{Serialize, SerializeMap, Serializer};
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
        let instruction = result.as_ref().map(|(form, word, bits)| Shown {
            mnemonic: &self.isa.instruction(self.isa.form(*form).instruction).mnemonic,
            form: self.isa.form(*form),
            text: &self.text,
            word: *word,
            bits: *bits,
        });
        self.line = json::line(&Answer { item, instruction });
        self.line.push('\n');
        result.is_ok()
    }
}

/// What is said of an item.
struct Answer<'a> {
    item: &'a Item,
    instruction: Result<Shown<'a>, &'a String>,
}

/// A word that is an instruction.
struct Shown<'a> {
    mnemonic: &'a str,
    form: &'a Form,
    text: &'a str,
    word: Word,
    bits: u32,
}

impl Serialize for Answer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match &self.item.word {
            Ok(w) => map.serialize_entry("word", &format!("{:0width$x}", w.word, width = w.bits.div_ceil(4) as usize))?,
            Err(bad) => map.serialize_entry("word", &bad.text)?,
        }
        map.serialize_entry("address", &self.item.address)?;
        match &self.instruction {
            Ok(shown) => {
                map.serialize_entry("length", &shown.bits)?;
                map.serialize_entry("mnemonic", shown.mnemonic)?;
                map.serialize_entry("form", &shown.form.name)?;
                map.serialize_entry("text", shown.text)?;
                map.serialize_entry("fields", &Fields(shown))?;
            }
            Err(reason) => map.serialize_entry("error", reason)?,
        }
        map.end()
    }
}

/// The fields of an instruction, in the order of its form.
struct Fields<'a>(&'a Shown<'a>);

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.form.fields.iter().map(|field| Value { field, raw: field.bits.get(self.0.word) }))
    }
}

struct Value<'a> {
    field: &'a Field,
    raw: Raw,
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &self.field.path)?;
        map.serialize_entry("bits", &format_args!("{}", self.field.bits))?;
        map.serialize_entry("value", &self.raw)?;
        map.end()
    }
}
