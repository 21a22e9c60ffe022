//! `disasm SPEC [FILE]`: words to text.

use crate::codec::{self, CodecKind, Job};
use crate::input::{Input, Item, WordReader};
use crate::object::{self, listing};
use crate::ordered::{Then, ordered, threads};
use crate::output::{Progress, Reporter, Status, Stop, out};
use crate::spec;
use isa_engine::digits::{hex, hex_address};
use isa_engine::{Codec, Style, Word};
use isa_engine::{Sized, bytes_of};
use isa_listing::Format;
use isa_listing::{At, Objects};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Disassemble: words to text.
///
/// Prints one line for each word, in order: its text, or `!` and the reason for having none.
///
/// The input is text, one hexadecimal word a line, with all its digits, `0x` or not; empty lines and `#` comments are skipped. An
/// address may precede a word (`0xa5b0: WORD`) or follow in a second column (`WORD 0xa5b0`); a word without one follows the word
/// before it, from 0 on. If words have several lengths, a line may also hold one unit of the stream: a unit that begins a longer
/// word takes the lines that follow. A file whose name ends in `.bin` is a raw stream. A line has at most 1 MiB; the number of
/// lines is not limited.
///
/// Object files (cubins, fatbins, ELF files, and archives and host files that hold them) are found by their content, and their
/// instruction set by the specifications: `isagen disasm FILE`; with a SPEC before it, that one reads them. Their listing has
/// functions, labels, resources of kernels, relocations and lines of the source; a word without a text is a line with `!`, its
/// address, the word and the reason.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A path, the name of a shipped instruction set, or an image (NAME.isat); or an object file.
    #[arg(value_name = "SPEC")]
    spec: String,
    /// The file; standard input if omitted.
    file: Option<PathBuf>,
    /// Add everything that the text omits (scheduling control, kept bits, the address if the input gives one), so that it
    /// assembles back to the very same word.
    #[arg(long)]
    full: bool,
    #[command(flatten)]
    of_objects: listing::Options,
    /// Print one JSON object a line: word, address (bytes), length (bits), mnemonic, form, text, fields (each with name,
    /// bits and raw value); or word, address, error.
    #[arg(long)]
    json: bool,
    /// Write columns to standard output: an Arrow stream or a Parquet file, with a row for each word. docs/corpus.md describes
    /// the columns.
    #[cfg(feature = "arrow")]
    #[arg(long, value_enum, conflicts_with_all = ["json", "full"])]
    format: Option<super::columns::Columns>,
    /// Print texts without aliases.
    #[arg(long)]
    no_aliases: bool,
    /// The implementation that decodes and prints.
    #[arg(long, value_enum, default_value_t = CodecKind::Tables)]
    engine: CodecKind,
    /// The number of threads for a large input; by default, one for each processor.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

/// The greatest number of words that are answered together.
const BATCH: usize = 1024;
/// The number of bytes after which no word is added to a batch.
const MOST: u64 = 1 << 18;

pub(crate) fn run(args: &Args, reporter: &Reporter) -> Result<Status, Stop> {
    let style = Style { aliases: !args.no_aliases, ..Style::default() };
    let (spec, file) = match &args.file {
        Some(file) => (Some(args.spec.as_str()), Some(file.as_path())),
        None if !spec::is_shipped(&args.spec) && object::is_object(Path::new(&args.spec)) => (None, Some(Path::new(&args.spec))),
        None => (Some(args.spec.as_str()), None),
    };
    if let Some(file) = file.filter(|file| object::is_object(file)) {
        let options = &args.of_objects;
        #[cfg(feature = "arrow")]
        if let Some(format) = args.format {
            return super::columns::object(file, spec, format, reporter);
        }
        let format = Format { control: options.control || args.full, json: args.json };
        return listing::run(file, spec, options, format, (args.engine, style), args.threads, reporter);
    }
    if let Some(option) = args.of_objects.first() {
        return Err(Stop::new(format!("{option} is for object files")));
    }
    #[cfg(feature = "arrow")]
    if let Some(format) = args.format {
        let job = super::columns::Words { file: args.file.as_deref(), format };
        return codec::with(&args.spec, (args.engine, style), true, reporter, job);
    }
    codec::with(&args.spec, (args.engine, style), true, reporter, Disasm(args))
}

struct Disasm<'a>(&'a Args);

/// Words that are answered together.
#[derive(Default)]
struct Batch {
    /// The word before them.
    before: Option<Item>,
    items: Vec<Item>,
    /// Their lines.
    lines: Vec<u8>,
    failed: bool,
}

impl Job for Disasm<'_> {
    fn run(self, codec: &dyn Codec) -> Result<Status, Stop> {
        let Self(args) = self;
        let input = Input::open(args.file.as_deref())?;
        let size = input.size;
        let mut reader = WordReader::new(input, codec)?;
        let to_terminal = std::io::stdout().is_terminal();
        let mut out = out();
        let mut progress = Progress::new();
        let (mut done, mut failed) = (0, false);
        let worker = || {
            let mut writer = Writer {
                codec: codec.fork(),
                full: args.full,
                objects: args.json.then(Objects::default),
                word: Vec::new(),
                text: Vec::new(),
            };
            move |batch: &mut Batch| writer.batch(batch)
        };
        let mut last = None;
        let fill = |batch: &mut Batch| {
            batch.before = last.take();
            batch.items.clear();
            let then = read(&mut reader, &mut batch.items);
            last = batch.items.last().cloned();
            done += batch.items.len();
            progress.show(|| match size {
                Some(size) => format!("{done} words, {} %", reader.read() * 100 / size.max(1)),
                None => format!("{done} words"),
            });
            then
        };
        let give = |batch: &mut Batch, is_last| {
            failed |= batch.failed;
            out.write_all(&batch.lines)?;
            if to_terminal || is_last {
                out.flush()?;
            }
            Ok(())
        };
        ordered(threads(args.threads), worker, fill, give)?;
        Ok(Status::of(failed))
    }
}

/// Reads a batch of words without blocking for more.
fn read(reader: &mut WordReader<'_>, items: &mut Vec<Item>) -> Result<Then, Stop> {
    let most = reader.read() + MOST;
    while let Some(item) = reader.next()? {
        items.push(item);
        if reader.may_wait() {
            return Ok(Then::Pause);
        }
        if items.len() == BATCH || reader.read() > most {
            return Ok(Then::More);
        }
    }
    Ok(Then::End)
}

/// Writes the output for words.
struct Writer<'c> {
    codec: Box<dyn Codec + 'c>,
    full: bool,
    /// `None` if lines are texts.
    objects: Option<Objects>,
    /// The word and the text of an object.
    word: Vec<u8>,
    text: Vec<u8>,
}

/// The form of an item, or the reason why there is none.
type Decoded = Result<usize, String>;

impl Writer<'_> {
    /// Writes the lines of a batch.
    fn batch(&mut self, batch: &mut Batch) {
        let Batch { before, items, lines, failed } = batch;
        lines.clear();
        *failed = false;
        // The address where the assembler would put the next instruction; the first is at 0.
        let mut next = before.as_ref().map_or(Some(0), |item| after(item, &self.decoded(item)));
        for item in items {
            let decoded = self.decoded(item);
            if self.objects.is_some() {
                self.object(item, &decoded, lines);
            } else {
                self.line(item, &decoded, item.is_placed || next != Some(item.address), lines);
            }
            lines.push(b'\n');
            *failed |= decoded.is_err();
            next = after(item, &decoded);
        }
    }

    #[inline]
    fn decoded(&self, item: &Item) -> Decoded {
        match &item.word {
            Ok(Sized { word, bits }) => self.codec.decode(*word, *bits).map_err(|refused| refused.message),
            Err(bad) => Err(bad.reason.clone()),
        }
    }

    /// Writes the text of an item, or the reason why there is none.
    fn line(&mut self, item: &Item, decoded: &Decoded, is_placed: bool, out: &mut Vec<u8>) {
        match decoded {
            Ok(form) => {
                if self.full && is_placed {
                    hex_address(item.address, out);
                    out.extend_from_slice(b": ");
                }
                self.text(*form, item, out);
            }
            Err(reason) => {
                out.extend_from_slice(b"! ");
                out.extend(reason.bytes().map(|b| if b == b'\n' { b' ' } else { b }));
            }
        }
    }

    #[inline]
    fn text(&mut self, form: usize, item: &Item, out: &mut Vec<u8>) {
        let Ok(Sized { word, .. }) = item.word else { return };
        if self.full {
            self.codec.print_full(form, word, item.address, out);
        } else {
            self.codec.print(form, word, item.address, out);
        }
    }

    /// Writes the object of an item.
    fn object(&mut self, item: &Item, decoded: &Decoded, out: &mut Vec<u8>) {
        let (mut text, mut digits) = (std::mem::take(&mut self.text), std::mem::take(&mut self.word));
        text.clear();
        digits.clear();
        match &item.word {
            Ok(Sized { word, bits }) => hex(*word, bits.div_ceil(4), &mut digits),
            Err(bad) => digits.extend_from_slice(bad.text.as_bytes()),
        }
        if let Ok(form) = decoded {
            self.text(*form, item, &mut text);
        }
        let word = item.word.as_ref().map_or(Word::ZERO, |sized| sized.word);
        let at = At { word: &String::from_utf8_lossy(&digits), address: item.address, function: None };
        let decoded = decoded.as_ref().map(|form| (*form, word, text.as_slice())).map_err(String::as_str);
        self.objects.get_or_insert_default().push(&*self.codec, &at, decoded, out);
        (self.text, self.word) = (text, digits);
    }
}

/// The address where the assembler would put the next item: after an instruction.
fn after(item: &Item, decoded: &Decoded) -> Option<u64> {
    let bits = item.word.as_ref().map_or(0, |sized| sized.bits);
    decoded.is_ok().then(|| item.address.wrapping_add(bytes_of(bits)))
}
