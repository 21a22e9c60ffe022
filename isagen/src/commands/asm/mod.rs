//! `asm SPEC [FILE]`: assembles a program to words, to a memory's bytes, or to an object file.

mod batch;
mod fmt;
mod format;
mod writer;

use crate::codec::{self, CodecKind, Job};
use crate::object::into::PutBack;
use crate::output::{Reporter, Status};
use batch::{Batch, Split};
pub(crate) use format::Files;
use format::Format;
use isa_asm::lines::{Comments, Scanner};
use isa_asm::placed::Placed;
use isa_asm::{Assembler, Options, PieceKind, Program, fixed};
use isa_engine::{Codec, Statement, Style};
use isa_runtime::engine::read::Lengths;
use isa_stream::{Input, Stop, Then, ordered, out, threads};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use writer::Writer;

/// Assemble: a program to words, bytes or an object file.
///
/// Reads instructions, labels, directives, macros and expressions (docs/assembler.md), in the syntax that the instruction set
/// declares. Without `-o`, prints the word of each instruction in hexadecimal, or `!` and the reason; the place of the fault is
/// shown on standard error. A word that does not follow the one before it is preceded by its address, as `disasm` reads it:
/// `0x100: WORD`. Reads what `disasm --full` prints. A line has at most 1 MiB. Lines that contain only instructions are answered
/// as they come, without a limit on their number; from the first other line on, the program is held in memory, at most 16 million
/// lines and 1 GiB.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A path, the name of a shipped instruction set, or an image (NAME.isat).
    spec: String,
    /// The file; standard input if omitted.
    file: Option<PathBuf>,
    /// If a text is that of one word with aliases and of another one without, take the latter.
    #[arg(long)]
    no_aliases: bool,
    /// Take the longest word for a text, not the one that the instruction set prefers.
    #[arg(long)]
    no_compress: bool,
    /// Take only words of this number of bits.
    #[arg(long, value_name = "N", conflicts_with = "no_compress")]
    bits: Option<u32>,
    /// The listing is one of `disasm --control`: write its code into a copy of this object file, in the place of the old code.
    /// The code depends only on the listing.
    #[arg(long, value_name = "OLD", requires = "output")]
    into: Option<PathBuf>,
    /// The output file, in the format of its extension (`.bin .hex .ihex .srec .mem .elf .o`), or of --format; with --into, the
    /// copy of the object file.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    program: ProgramArgs,
    /// The implementation that reads the text.
    #[arg(long, value_enum, default_value_t = CodecKind::Tables)]
    engine: CodecKind,
    /// The number of threads for a large input; by default, one for each processor.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

/// Options of a program besides its text.
#[derive(clap::Args)]
struct ProgramArgs {
    /// The format of the output.
    #[arg(long, value_enum, conflicts_with = "into")]
    format: Option<Format>,
    /// Write the address and the bytes of each line, and the line, to this file; `-` is standard output.
    #[arg(long, value_name = "FILE", conflicts_with = "into")]
    listing: Option<PathBuf>,
    /// Write the symbols by their addresses to this file; `-` is standard output.
    #[arg(long, value_name = "FILE", conflicts_with = "into")]
    symbols: Option<PathBuf>,
    /// Write the addresses of the sections to this file; `-` is standard output.
    #[arg(long, value_name = "FILE", conflicts_with = "into")]
    map: Option<PathBuf>,
    /// Define a symbol; its default value is 1.
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE", value_parser = format::parse_define)]
    define: Vec<(String, String)>,
    /// A further folder for files of `.include` and `.incbin`.
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    include: Vec<PathBuf>,
    /// The address of a section. By default, the first one begins at 0, and each of the others after the one before it.
    #[arg(long, value_name = "NAME=ADDRESS", value_parser = format::parse_section)]
    section: Vec<(String, u64)>,
    /// The byte that fills gaps.
    #[arg(long, value_name = "BYTE", value_parser = format::parse_byte, default_value = "0")]
    fill: u8,
}

/// The greatest number of lines that are assembled together.
const BATCH: usize = 1024;
/// The number of bytes after which no line is added to a batch.
const MOST: usize = 1 << 18;

pub(crate) fn run(args: &Args, reporter: &Reporter) -> Result<Status, Stop> {
    let listing = args.file.as_deref();
    let lengths = match args.bits {
        Some(bits) => Lengths::Only(bits),
        None if args.no_compress => Lengths::LongestFirst,
        None => Lengths::Preferred,
    };
    let style = Style { aliases: !args.no_aliases, lengths };
    if let (Some(old), Some(new)) = (&args.into, &args.output) {
        return codec::with(
            &args.spec,
            (args.engine, style),
            true,
            reporter,
            PutBack { listing, old, new, reporter, spec: &args.spec },
        );
    }
    let own = &args.program;
    let options = Options {
        style,
        defines: own.define.clone(),
        include: own.include.clone(),
        sections: own.section.clone(),
        ..Options::default()
    };
    let format = Format::of(own.format, args.output.as_deref())?;
    let files = Files {
        output: args.output.as_deref(),
        format,
        listing: own.listing.as_deref(),
        symbols: own.symbols.as_deref(),
        map: own.map.as_deref(),
        fill: own.fill,
    };
    let job = EachLine { file: listing, print: Print::Word, threads: args.threads, reporter, options, files };
    codec::with(&args.spec, (args.engine, style), true, reporter, job)
}

/// The output for an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Print {
    /// Its word.
    Word,
    /// Its text.
    Text,
    /// Its text, and all that the text leaves open.
    Full,
}

/// Prints something for each instruction, and `!` and the reason for each fault.
pub(crate) struct EachLine<'a> {
    pub(crate) file: Option<&'a Path>,
    pub(crate) print: Print,
    pub(crate) threads: Option<usize>,
    pub(crate) reporter: &'a Reporter,
    pub(crate) options: Options,
    pub(crate) files: Files<'a>,
}

impl Job for EachLine<'_> {
    fn run(self, codec: &dyn Codec) -> Result<Status, Stop> {
        if self.files.wants_all() {
            return self.all(codec);
        }
        let mut lines = Input::open(self.file)?.lines("text is");
        let file = lines.name.clone();
        let to_terminal = std::io::stdout().is_terminal();
        let mut out = out();
        let scanner = Scanner::new(Comments::new(&codec.assembly()));
        let keeps_comments = self.print != Print::Word;
        let mut split = Split { scanner, fixed: fixed(codec), address: 0, has_labels: false, keeps_comments };
        // The placement of the output so far; the program, from the first line on that contains anything but instructions.
        let (mut placed, mut address) = (Placed::default(), 0);
        let mut program: Option<Assembler<'_>> = None;
        let mut writer = Writer::new(self.print, codec.fork(), Some(0));
        let worker = || {
            let mut writer = Writer::new(self.print, codec.fork(), None);
            move |batch: &mut Batch| batch.assemble(&mut writer)
        };
        let fill = |batch: &mut Batch| {
            batch.begin(&split);
            let mut then = Then::End;
            while let Some((number, line)) = lines.next_line()? {
                batch.push(number, line, &mut split);
                if lines.may_wait() {
                    then = Then::Pause;
                    break;
                }
                if to_terminal || batch.lines.len() == BATCH || batch.text.len() > MOST {
                    then = Then::More;
                    break;
                }
            }
            batch.is_plain &= !split.scanner.is_open();
            Ok(then)
        };
        let give = |batch: &mut Batch, is_last| {
            if batch.is_done && program.is_none() && placed.add_all(&batch.runs) {
                address = batch.end;
                if let Some((_, first)) = batch.instructions.first() {
                    let mut before = Vec::new();
                    writer.address(*first, &mut before);
                    out.write_all(&before)?;
                    writer.next = batch.runs.last().map(|run| run.end as u64);
                }
                out.write_all(&batch.results)?;
            } else {
                let assembler = match &mut program {
                    Some(program) => program,
                    None => {
                        let mut own = assembler(codec, &file, &self.options)?;
                        own.go_on_behind(std::mem::take(&mut placed), address);
                        program.insert(own)
                    }
                };
                for (number, line) in batch.lines().0 {
                    assembler.line(number, line).map_err(|full| Stop::new(full.0))?;
                }
            }
            if to_terminal || is_last {
                out.flush()?;
            }
            Ok(())
        };
        ordered(threads(self.threads), worker, fill, give)?;
        let mut failed = false;
        if let Some(program) = program.map(Assembler::finish) {
            failed = report(&program, self.reporter);
            match self.print {
                Print::Word => words(&program, &mut writer, &mut out)?,
                Print::Text | Print::Full => fmt::lines(&program, codec, &mut writer, &mut out)?,
            }
        }
        out.flush()?;
        Ok(Status::of(failed))
    }
}

impl EachLine<'_> {
    /// Assembles all of a program, and writes it to files.
    fn all(self, codec: &dyn Codec) -> Result<Status, Stop> {
        let mut options = self.options;
        options.relocatable = self.files.format == Format::Object;
        let program = read(codec, self.file, &options)?;
        let mut failed = report(&program, self.reporter);
        self.files.write_listing(&program)?;
        if !failed {
            let mut writer = Writer::new(self.print, codec.fork(), Some(0));
            failed = !self.files.write(&program, codec, self.reporter, |out| words(&program, &mut writer, out))?;
        }
        Ok(Status::of(failed))
    }
}

fn assembler<'c>(codec: &'c dyn Codec, file: &str, options: &Options) -> Result<Assembler<'c>, Stop> {
    Assembler::new(codec.fork(), file, options.clone()).map_err(Stop::new)
}

/// Assembles all of a file, or of standard input: the printed words may differ from those written.
pub(crate) fn read(codec: &dyn Codec, file: Option<&Path>, options: &Options) -> Result<Program, Stop> {
    let mut options = options.clone();
    if options.style.lengths == Lengths::Preferred {
        options.style.lengths = Lengths::Shortest;
    }
    let mut lines = Input::open(file)?.lines("text is");
    let mut assembler = assembler(codec, &lines.name.clone(), &options)?;
    while let Some((number, line)) = lines.next_line()? {
        assembler.line(number, line).map_err(|full| Stop::new(full.0))?;
    }
    Ok(assembler.finish())
}

/// Reports the errors of a program, in the order of its lines; returns whether there are any.
pub(crate) fn report(program: &Program, reporter: &Reporter) -> bool {
    program.faults_in_order().for_each(|fault| reporter.line_fault(fault));
    program.has_failed()
}

/// Writes the words of a program, in the order of its lines.
fn words(program: &Program, writer: &mut Writer<'_>, out: &mut dyn Write) -> Result<(), Stop> {
    let units = writer.codec.shape().units;
    let mut results = Vec::new();
    for piece in program.pieces() {
        match piece.kind {
            PieceKind::Word { form, .. } => {
                let statement = Statement { form, word: units.read(piece.bytes), names: Vec::new() };
                writer.instruction(&statement, piece.address, &mut results);
            }
            PieceKind::Text { statement, .. } => writer.instruction(statement, piece.address, &mut results),
            PieceKind::Data(size) => writer.data(piece.address, piece.bytes, size as usize, &mut results),
            PieceKind::Filled => writer.filled(piece.address, piece.bytes, &mut results),
            PieceKind::Fault(fault) => writer.fault(&fault.message, piece.address, &mut results),
        }
        if results.len() > MOST {
            out.write_all(&results)?;
            results.clear();
        }
    }
    out.write_all(&results)?;
    Ok(())
}
