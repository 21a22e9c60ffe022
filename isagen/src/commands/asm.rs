//! `asm SPEC [FILE]`: text to words.

use crate::assembly::{Layout, Line, fixed};
use crate::codec::{self, CodecKind, Job};
use crate::digits::{hex, hex_address};
use crate::input::{Input, bytes_of};
use crate::object::into::PutBack;
use crate::ordered::{Then, ordered, threads};
use crate::output::{Reporter, Status, Stop, out};
use crate::placed::Run;
use crate::source::{Comments, LineFault, Mark, Scanner};
use isa_engine::{Codec, Statement, Style};
use isa_runtime::engine::read::Lengths;
use std::io::{IsTerminal, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Assemble: text to words.
///
/// Reads statements, one a line or as many as the separators of the instruction set part, and prints the word of each in hexadecimal, or
/// `!` and the reason; the place of the fault is shown on standard error. Empty lines, comments (`#`, `//`, `;`, or what the instruction
/// set has; `/* */`, also of several lines) and labels (`name:`, or `1:` for a local one: `1b` is the last one before, `1f` the next)
/// print nothing. `0x100:` says where an instruction stands; without it, it follows the one before it, from 0 on. A word that does not
/// follow the one before it is printed behind its address, as `disasm` reads it: `0x100: WORD`. Reads what `disasm --full` prints. A line
/// has at most 1 MiB; there is no limit for all of them together.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A path, the name of a shipped instruction set, or an image (NAME.isat).
    spec: String,
    /// Standard input without it.
    file: Option<PathBuf>,
    /// Where one word prints a text with aliases and another one without, take the latter.
    #[arg(long)]
    no_aliases: bool,
    /// Take the longest of the words that a text can be, not the one that the instruction set prefers.
    #[arg(long)]
    no_compress: bool,
    /// Take words of so many bits alone.
    #[arg(long, value_name = "N", conflicts_with = "no_compress")]
    bits: Option<u32>,
    /// The listing is one of `disasm --control`: put its code into a copy of this object file, in the place of what is there. The code is
    /// written from the listing alone.
    #[arg(long, value_name = "OLD", requires = "output")]
    into: Option<PathBuf>,
    /// The copy of the object file.
    #[arg(short, long, value_name = "NEW", requires = "into")]
    output: Option<PathBuf>,
    /// What reads the text.
    #[arg(long, value_enum, default_value_t = CodecKind::Tables)]
    engine: CodecKind,
    /// How many threads work on a large input; without it, as many as there are processors.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

/// Lines that are assembled together, at most.
const BATCH: usize = 1024;
/// After so many bytes no line is added to them.
const MOST: usize = 1 << 18;

pub(crate) fn run(args: &Args, reporter: &Reporter) -> Result<Status, Stop> {
    let listing = args.file.as_deref();
    let job = EachLine { file: listing, print: Print::Word, threads: args.threads, reporter };
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
    codec::with(&args.spec, (args.engine, style), true, reporter, job)
}

/// What is printed of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Print {
    /// Its word.
    Word,
    /// Its text.
    Text,
    /// Its text, and all that the text leaves open.
    Full,
}

/// Prints something for each instruction, and for each fault `!` and the reason.
pub(crate) struct EachLine<'a> {
    pub(crate) file: Option<&'a Path>,
    pub(crate) print: Print,
    pub(crate) threads: Option<usize>,
    pub(crate) reporter: &'a Reporter,
}

impl Job for EachLine<'_> {
    fn run(self, codec: &dyn Codec) -> Result<Status, Stop> {
        let mut lines = Input::open(self.file)?.lines("text is");
        let file = lines.name.clone();
        let to_terminal = std::io::stdout().is_terminal();
        let mut out = out();
        let scanner = Scanner::new(Comments::new(&codec.assembly()));
        let mut split = Split { scanner, fixed: fixed(codec), address: 0, has_labels: false };
        let mut layout = Layout::new(codec.fork(), &file);
        let mut writer = Writer::new(&self, codec.fork(), Some(0));
        let mut failed = false;
        let mut print = |writer: &mut Writer<'_>, line: Line, results: &mut Vec<u8>| match &line.result {
            Ok(statement) => writer.instruction(statement, line.address, results),
            Err(LineFault { at, message }) => {
                failed = true;
                writer.fault(message, line.address, results);
                self.reporter.line_finding(&file, line.number, &line.whole, at.clone(), message);
            }
        };
        let worker = || {
            let mut writer = Writer::new(&self, codec.fork(), None);
            move |batch: &mut Batch| batch.assemble(&mut writer)
        };
        let fill = |batch: &mut Batch| {
            batch.begin(&split);
            let mut then = Then::End;
            while let Some((number, line)) = lines.next()? {
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
            let mut result = Ok(());
            if batch.is_done && layout.is_done() && layout.go_on_behind(&batch.runs, batch.end) {
                if let Some((_, first)) = batch.instructions.first() {
                    let mut address = Vec::new();
                    writer.address(*first, &mut address);
                    out.write_all(&address)?;
                    writer.next = batch.runs.last().map(|run| run.end as u64);
                }
            } else {
                let (lines, results) = batch.lines();
                results.clear();
                for (number, line) in lines {
                    match layout.take(number, line) {
                        Ok(line) => line.into_iter().for_each(|line| print(&mut writer, line, results)),
                        Err(stop) => {
                            result = Err(stop);
                            break;
                        }
                    }
                    while let Some(line) = layout.pop() {
                        print(&mut writer, line, results);
                    }
                }
            }
            out.write_all(&batch.results)?;
            if to_terminal || is_last || result.is_err() {
                out.flush()?;
            }
            result
        };
        ordered(threads(self.threads), worker, fill, give)?;
        // What waits for labels that never came.
        let mut results = Vec::new();
        layout.finish();
        while let Some(line) = layout.pop() {
            print(&mut writer, line, &mut results);
        }
        out.write_all(&results)?;
        out.flush()?;
        Ok(Status::of(failed))
    }
}

/// Lines that are assembled together.
#[derive(Default)]
struct Batch {
    /// All lines, one behind the other.
    text: String,
    /// Their numbers, and where each ends in the text.
    lines: Vec<(usize, usize)>,
    /// Their instructions: where each stands in the text, and its address.
    instructions: Vec<(Range<usize>, u64)>,
    /// The same, those together that follow each other.
    runs: Vec<Run>,
    /// The address behind them.
    end: u64,
    /// Whether they are instructions, comments and addresses, and nothing else, and no label stands before them.
    is_plain: bool,
    /// Whether all that is printed of them is known: it depends on these lines alone.
    is_done: bool,
    results: Vec<u8>,
}

/// Finds the instructions of lines, and where they stand, if all words have one length.
struct Split {
    scanner: Scanner,
    fixed: Option<u32>,
    address: u64,
    has_labels: bool,
}

impl Batch {
    /// Lines behind those that have been split so far.
    fn begin(&mut self, split: &Split) {
        self.text.clear();
        self.lines.clear();
        self.instructions.clear();
        self.runs.clear();
        self.end = split.address;
        self.is_plain = split.fixed.is_some() && !split.has_labels && !split.scanner.is_open();
        self.is_done = false;
    }

    /// The lines with their numbers; and the room for results.
    fn lines(&mut self) -> (impl Iterator<Item = (usize, &str)>, &mut Vec<u8>) {
        let Self { text, lines, results, .. } = self;
        let starts = std::iter::once(0).chain(lines.iter().map(|line| line.1));
        (starts.zip(&*lines).map(|(start, (number, end))| (*number, &text[start..*end])), results)
    }

    fn push(&mut self, number: usize, line: &str, split: &mut Split) {
        let start = self.text.len();
        self.text.push_str(line);
        self.lines.push((number, self.text.len()));
        let Some(bits) = split.fixed else { return };
        for source in split.scanner.statements(number, line) {
            for mark in &source.marks {
                match mark {
                    Mark::Address(address) => split.address = *address,
                    Mark::Label(..) | Mark::Local(..) => split.has_labels = true,
                }
            }
            let at = start + source.at();
            let at = at..at + source.text().len();
            // A comment inside an instruction counts as blanks.
            let is_there = source.fault.is_none() && self.text.get(at.clone()) == Some(source.text());
            self.is_plain &= !split.has_labels && source.bare.is_none() && is_there;
            if !at.is_empty() {
                self.instructions.push((at, split.address));
                let one = Run::one(split.address, bytes_of(bits), number);
                match self.runs.last_mut().filter(|run| run.end == u128::from(split.address)) {
                    Some(run) => (run.end, run.last) = (one.end, number),
                    None => self.runs.push(one),
                }
                split.address = split.address.wrapping_add(bytes_of(bits));
            }
        }
        self.end = split.address;
    }

    /// Assembles the lines, if that depends on nothing else. Before the first label no name is one: a line that can be read stands.
    fn assemble(&mut self, writer: &mut Writer<'_>) {
        self.results.clear();
        if !self.is_plain {
            return;
        }
        // What stands before the first one is known later.
        writer.next = self.instructions.first().map(|(_, address)| *address);
        for (at, address) in &self.instructions {
            let Ok(statement) = writer.codec.read(&self.text[at.clone()], *address, &|_| None) else { return };
            writer.instruction(&statement, *address, &mut self.results);
        }
        self.is_done = true;
    }
}

/// Writes lines that are read again: behind a gap they begin with the address.
struct Writer<'c> {
    codec: Box<dyn Codec + 'c>,
    print: Print,
    /// Bytes that a line without a word counts for.
    shortest: u64,
    /// Where a line without an address stands; it has none in a text-only instruction set.
    next: Option<u64>,
    has_addresses: bool,
}

impl<'c> Writer<'c> {
    fn new(job: &EachLine<'_>, codec: Box<dyn Codec + 'c>, next: Option<u64>) -> Self {
        let shortest = bytes_of(codec.shape().lengths.first().copied().unwrap_or(0));
        let has_addresses = !codec.is_text();
        Self { codec, print: job.print, shortest, next, has_addresses }
    }

    /// Writes the address of an instruction, if it does not follow the one before it.
    fn address(&self, address: u64, out: &mut Vec<u8>) {
        if self.has_addresses && self.next != Some(address) {
            hex_address(address, out);
            out.extend_from_slice(b": ");
        }
    }

    /// Writes the line of an instruction.
    fn instruction(&mut self, statement: &Statement, address: u64, out: &mut Vec<u8>) {
        self.address(address, out);
        let Self { codec, .. } = self;
        let bits = codec.length(statement.form);
        match self.print {
            Print::Word => hex(statement.word, bits.div_ceil(4), out),
            // The text of a text-only instruction set is complete.
            Print::Full if !codec.is_text() => {
                codec.print_full(statement.form, statement.word, address, out);
            }
            Print::Full | Print::Text => codec.print_statement(statement, address, out),
        }
        out.push(b'\n');
        self.next = Some(address.wrapping_add(bytes_of(bits)));
    }

    /// Writes the line of a fault.
    fn fault(&mut self, message: &str, address: u64, out: &mut Vec<u8>) {
        out.extend_from_slice(b"! ");
        out.extend_from_slice(message.replace('\n', " ").as_bytes());
        out.push(b'\n');
        self.next = self.next.map(|_| address.wrapping_add(self.shortest));
    }
}
