//! `asm SPEC [FILE]`: text to words.

use crate::assembly::{Layout, Line, fixed};
use crate::codec::{self, Codec, CodecKind, Job, Statement, Style};
use crate::digits::hex;
use crate::input::{Input, bytes_of};
use crate::object::into::PutBack;
use crate::ordered::{Then, ordered, threads};
use crate::output::{Reporter, Status, Stop, out};
use crate::source::{Comments, LineFault, Mark, Source};
use isa_runtime::engine::read::Lengths;
use std::io::{IsTerminal, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Assemble: text to words.
///
/// Reads one instruction a line and prints its word in hexadecimal, or `!` and the reason; the place of the fault is shown
/// on standard error. Empty lines, comments (`#`, `//`, `;`, `/* */`) and labels (`name:`) print nothing. `0x100:` (it begins with a
/// digit) says where an instruction stands; without it, it follows the one before it, from 0 on. Reads what
/// `disasm --full` prints. A line has at most 1 MiB; there is no limit for all of them together.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A path, or the name of a shipped instruction set.
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
        return codec::with(&args.spec, (args.engine, style), true, reporter, PutBack { listing, old, new, reporter });
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
    fn run<C: Codec>(self, codec: C) -> Result<Status, Stop> {
        let mut lines = Input::open(self.file)?.lines("text is");
        let file = lines.name.clone();
        let to_terminal = std::io::stdout().is_terminal();
        let mut out = out();
        let mut split = Split { comments: Comments::new(&codec.literals()), fixed: fixed(&codec), address: 0, has_labels: false };
        let mut layout = Layout::new(codec.clone(), &file);
        let mut printer = codec.clone();
        let mut failed = false;
        let mut print = |line: Line<C::Word>, results: &mut Vec<u8>| {
            match &line.result {
                Ok(statement) => self.print.instruction(&mut printer, statement, line.address, results),
                Err(LineFault { at, message }) => {
                    failed = true;
                    results.extend_from_slice(b"! ");
                    results.extend_from_slice(message.replace('\n', " ").as_bytes());
                    self.reporter.line_finding(&file, line.number, &line.whole, at.clone(), message);
                }
            }
            results.push(b'\n');
        };
        let worker = || {
            let mut codec = codec.clone();
            move |batch: &mut Batch| batch.assemble(&mut codec, self.print)
        };
        let fill = |batch: &mut Batch| {
            batch.begin(&split);
            while let Some((number, line)) = lines.next()? {
                batch.push(number, line, &mut split);
                if lines.may_wait() {
                    return Ok(Then::Pause);
                }
                if to_terminal || batch.lines.len() == BATCH || batch.text.len() > MOST {
                    return Ok(Then::More);
                }
            }
            Ok(Then::End)
        };
        let give = |batch: &mut Batch, is_last| {
            let mut result = Ok(());
            if batch.is_done && layout.is_done() {
                layout.go_on_at(batch.end);
            } else {
                let (lines, results) = batch.lines();
                results.clear();
                for (number, line) in lines {
                    match layout.take(number, line) {
                        Ok(line) => line.into_iter().for_each(|line| print(line, results)),
                        Err(stop) => {
                            result = Err(stop);
                            break;
                        }
                    }
                    while let Some(line) = layout.pop() {
                        print(line, results);
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
        layout.settle(true);
        while let Some(line) = layout.pop() {
            print(line, &mut results);
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
    comments: Comments,
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
        self.end = split.address;
        self.is_plain = split.fixed.is_some() && !split.has_labels;
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
        let source = Source::new(line, &split.comments);
        for mark in &source.marks {
            match mark {
                Mark::Address(address) => split.address = *address,
                Mark::Label(..) => split.has_labels = true,
            }
        }
        let at = start + source.at();
        let at = at..at + source.text().len();
        // A comment inside an instruction counts as blanks.
        self.is_plain &= !split.has_labels && source.fault.is_none() && self.text.get(at.clone()) == Some(source.text());
        if !at.is_empty() {
            self.instructions.push((at, split.address));
            split.address = split.address.wrapping_add(bytes_of(bits));
        }
        self.end = split.address;
    }

    /// Assembles the lines, if that depends on nothing else. Before the first label no name is one: a line that can be read stands.
    fn assemble<C: Codec>(&mut self, codec: &mut C, print: Print) {
        self.results.clear();
        if !self.is_plain {
            return;
        }
        for (at, address) in &self.instructions {
            let Ok(statement) = codec.read(&self.text[at.clone()], *address, &|_| None) else { return };
            print.instruction(codec, &statement, *address, &mut self.results);
            self.results.push(b'\n');
        }
        self.is_done = true;
    }
}

impl Print {
    fn instruction<C: Codec>(self, codec: &mut C, statement: &Statement<C::Word>, address: u64, out: &mut Vec<u8>) {
        match self {
            Self::Word => hex(statement.word, codec.length(statement.form).div_ceil(4), out),
            // The text of a text-only instruction set is complete.
            Self::Full if !codec.is_text() => {
                codec.print_full(statement.form, statement.word, address, out);
            }
            Self::Full | Self::Text => codec.print_statement(statement, address, out),
        }
    }
}
