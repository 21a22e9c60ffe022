//! `disasm SPEC [FILE]`: words to text.

use crate::codec::{self, CodecKind, Job};
use crate::object::{self, listing};
use crate::output::{Progress, Reporter, Status};
use crate::spec;
use isa_engine::{Codec, Style};
use isa_listing::Format;
use isa_listing::{Batch, Printer};
use isa_stream::{Input, Stop, WordReader, no_base, ordered, out, threads};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Disassemble: words to text.
///
/// Prints one line for each word, in order: its text, or `!` and the reason for having none.
///
/// The input is text, one hexadecimal word a line, with all its digits, `0x` or not; empty lines and `#` comments are skipped. An
/// address may precede a word (`0xa5b0: WORD`) or follow in a second column (`WORD 0xa5b0`); a word without one follows the word
/// before it, from 0 on. If words have several lengths, a line may also hold one unit of the stream: a unit that begins a longer
/// word takes the lines that follow. If no word has two digits, a line of two digits is a byte of data, as `asm` writes it, and
/// prints as `.byte`. A file whose name ends in `.bin` is a raw stream. A line has at most 1 MiB; the number of lines is not
/// limited. If the address precedes a word that does not follow the one before it, it also precedes the text, as `asm` reads it.
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
    /// Add everything that the text omits (scheduling control, kept bits, each address that the input gives), so that it
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
    /// The address of the first byte of a raw stream; by default, that of the section `.text` in the specification, or 0.
    #[arg(long, value_name = "ADDRESS", value_parser = isa_host::launch::parse_number)]
    base: Option<u64>,
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

pub(crate) fn run(args: &Args, reporter: &Reporter) -> Result<Status, Stop> {
    let style = Style { aliases: !args.no_aliases, ..Style::default() };
    let (spec, file) = match &args.file {
        Some(file) => (Some(args.spec.as_str()), Some(file.as_path())),
        None if !spec::is_shipped(&args.spec) && object::is_object(Path::new(&args.spec)) => (None, Some(Path::new(&args.spec))),
        None => (Some(args.spec.as_str()), None),
    };
    if let Some(file) = file.filter(|file| object::is_object(file)) {
        if args.base.is_some() {
            return Err(no_base());
        }
        let options = &args.of_objects;
        #[cfg(feature = "arrow")]
        if let Some(format) = args.format {
            return super::columns::object(file, spec, format, reporter);
        }
        let format = Format { control: options.control || args.full, json: args.json };
        return listing::run(file, spec, options, format, (args.engine, style), args.threads, reporter);
    }
    // A file that does not exist is an error below.
    let input = args.file.as_deref().or_else(|| (!spec::is_shipped(&args.spec)).then(|| Path::new(&args.spec)));
    if let Some(option) = args.of_objects.first()
        && input.is_none_or(Path::exists)
    {
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

impl Job for Disasm<'_> {
    fn run(self, codec: &dyn Codec) -> Result<Status, Stop> {
        let Self(args) = self;
        let input = Input::open(args.file.as_deref())?;
        let size = input.size;
        let mut reader = WordReader::new(input, codec)?.with_base(args.base)?;
        let to_terminal = std::io::stdout().is_terminal();
        let mut out = out();
        let mut progress = Progress::new();
        let (mut done, mut failed) = (0, false);
        let worker = || {
            let mut printer = Printer::new(codec.fork(), args.full, args.json);
            move |batch: &mut Batch| printer.print(batch)
        };
        let mut last = None;
        let fill = |batch: &mut Batch| {
            let then = batch.read(&mut reader, &mut last);
            done += batch.words();
            progress.show(|| match size {
                Some(size) => format!("{done} words, {} %", reader.read() * 100 / size.max(1)),
                None => format!("{done} words"),
            });
            then
        };
        let give = |batch: &mut Batch, is_last| {
            failed |= batch.failed();
            out.write_all(batch.lines())?;
            if to_terminal || is_last {
                out.flush()?;
            }
            Ok(())
        };
        ordered(threads(args.threads), worker, fill, give)?;
        Ok(Status::of(failed))
    }
}
