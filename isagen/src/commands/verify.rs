//! `verify SPEC`: compares a specification with another disassembler, or with words and texts of a file.

use crate::codec::{self, CodecKind, Job};
use crate::engine::EngineKind;
use crate::json;
use crate::output::{Progress, Reporter, Status, count, share};
use crate::spec;
use isa_engine::{Codec, Style};
use isa_spec::model::Isa;
use isa_stream::{Stop, out, threads};
use isa_verify::run::{self, Note};
use isa_verify::{Against, Chosen, Columns, Drafts, Group, Kind, Missing, OpcodeBits, Oracle, Report, Said, Share, Tried};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

/// Compare a specification with another disassembler, or with words and texts of a file.
///
/// Words are made of every form: each field at its limits, each value of an enumeration, each register with a name of its own,
/// each bit inverted, and random ones. Both give their texts; the number of consecutive blanks does not count, and words that
/// both refuse count as agreement. Disagreements are grouped by form and field, with the smallest word of each group.
///
/// Exit status: 0 if they agree about all words, 1 if not, or if a line of the file has no word; with `--missing` 1 if there are such opcodes, with `--draft` 1 if the
/// oracle has no text for one, or if the draft has another text for a word that it was made from.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A path, or the name of a shipped instruction set.
    spec: String,
    /// `nvdisasm:ARCH` (nvdisasm:SM80), `objdump:MACHINE[,OPTIONS]` (objdump:riscv64,no-aliases), or a command line that prints a
    /// line for each word, its text or `!` and a reason. It reads hexadecimal words, one a line, from standard input, or a raw
    /// stream from the file whose name replaces `{}` in it. The first word of either is at address 0.
    #[arg(long, value_name = "ORACLE", required_unless_present_any = ["vectors", "run"])]
    oracle: Option<String>,
    /// Compare execution in place of texts: random programs run here and on another machine, and registers, causes of traps and
    /// memory are compared. `qemu-system-riscv64`, `qemu-system-riscv32`, or the path of a harness (`.yaml`).
    #[arg(long, value_name = "ORACLE", conflicts_with_all = ["oracle", "vectors", "no_aliases", "opcode", "engine", "threads"])]
    run: Option<String>,
    /// The program of `nvdisasm:ARCH` and `objdump:MACHINE`, if it is not in the search path.
    #[arg(long, value_name = "PATH", requires = "oracle")]
    program: Option<OsString>,
    /// A file with words and texts, in columns that tabs separate.
    #[arg(long, value_name = "FILE", requires = "columns", conflicts_with = "oracle")]
    vectors: Option<PathBuf>,
    /// The columns of the file: `word`, `address`, `text`, `refused` (words without a text), `_` for others.
    #[arg(long, value_name = "LIST", requires = "vectors")]
    columns: Option<Columns>,
    /// Don't compare: list the opcodes that no form of the specification has and the oracle has texts for. Each is tried with
    /// `--count` divided by their number, but at least 16, words.
    #[arg(long, requires = "oracle", conflicts_with_all = ["draft", "no_aliases"])]
    missing: bool,
    /// Don't compare: probe these opcodes, and print a first draft of their entries, as one file. An opcode is the value of the
    /// bits that `--opcode` names, in hexadecimal; all digits of a word are the opcode of this word, from which the draft is
    /// made.
    #[arg(long, value_name = "OPCODE", num_args = 1.., requires = "oracle")]
    draft: Vec<String>,
    /// Make words of these forms only: keys of instructions, mnemonics, or names of forms. All words have the opcodes of these
    /// forms.
    #[arg(long, value_name = "NAME", value_delimiter = ',', requires = "oracle", conflicts_with_all = ["draft", "missing"])]
    only: Vec<String>,
    /// The bits of the opcode, high part first: `91,11..0`. By default, those that all instructions of a length fix.
    #[arg(long, value_name = "BITS")]
    opcode: Option<OpcodeBits>,
    /// The format that drafts extend; by default, the one with the most forms.
    #[arg(long, value_name = "NAME", requires = "draft")]
    format: Option<String>,
    /// The approximate number of words, at most 10,000,000 (100,000 by default); with `--run` that of programs (2,000 by default).
    #[arg(long, value_name = "N", value_parser = parse_count)]
    count: Option<usize>,
    /// The seed of the random words.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Texts without aliases.
    #[arg(long)]
    no_aliases: bool,
    /// Print one JSON object a group, and one about the coverage.
    #[arg(long)]
    json: bool,
    /// The implementation that decodes and prints.
    #[arg(long, value_enum, default_value_t = CodecKind::Tables)]
    engine: CodecKind,
    /// The number of oracles that run at the same time; by default, one for each processor.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// The time limit in seconds for a run of an oracle, which processes up to 16,384 words.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400), conflicts_with = "vectors")]
    timeout: u64,
}

/// The number of words, and of programs.
const WORDS: usize = 100_000;
const PROGRAMS: usize = 2_000;
/// The greatest number of words.
const MOST_WORDS: usize = 10_000_000;

fn parse_count(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number <= MOST_WORDS);
    number.ok_or_else(|| format!("it is not a number from 0 to {}", count(MOST_WORDS, "")))
}

pub(crate) fn run(args: &Args, reporter: &Reporter) -> Result<Status, Stop> {
    let isa = match spec::model_with_words(&args.spec, reporter)? {
        Ok(isa) => isa,
        Err(status) => return Ok(status),
    };
    if let Some(harness) = &args.run {
        return execution(args, harness, &isa, reporter);
    }
    let style = Style { aliases: !args.no_aliases, ..Style::default() };
    if args.opcode.is_some() && args.draft.is_empty() && !args.missing {
        return Err(Stop::new("--opcode is for `--draft` and `--missing`"));
    }
    codec::with_model(&args.spec, &isa, (args.engine, style), Verify { args, isa: &isa, reporter })
}

struct Verify<'a> {
    args: &'a Args,
    isa: &'a Isa,
    reporter: &'a Reporter,
}

impl Job for Verify<'_> {
    fn run(self, codec: &dyn Codec) -> Result<Status, Stop> {
        let Self { args, isa, reporter } = self;
        let chosen = match args.only.as_slice() {
            [] => Chosen::all(isa),
            names => Chosen::named(isa, names)?,
        };
        let progress = Mutex::new(Progress::before_results());
        let done = |done: usize, all: usize| {
            if let Ok(mut progress) = progress.lock() {
                progress.show(|| format!("{done} of {all} words"));
            }
        };
        let oracle = match &args.oracle {
            Some(name) => {
                let oracle = isa_verify::open(name, args.program.as_deref(), Duration::from_secs(args.timeout), codec.shape())?;
                if !args.draft.is_empty() {
                    return drafts(args, isa, &*oracle, reporter);
                }
                if args.missing {
                    return list_missing(args, isa, &*oracle);
                }
                Some(oracle)
            }
            None => None,
        };
        let against = match (&oracle, &args.vectors, &args.columns) {
            (Some(oracle), ..) => {
                let (count, threads) = (args.count.unwrap_or(WORDS), threads(args.threads));
                Against::Oracle(&**oracle, Tried { count, seed: args.seed, threads, done: &done })
            }
            (None, Some(path), Some(columns)) => Against::Vectors(path, columns),
            _ => return Err(Stop::new("no file")),
        };
        let report = isa_verify::compare(isa, codec, &chosen, &against)?;
        report.faults.iter().for_each(|line| reporter.fault("vectors", line, None));
        if args.json {
            print_json(&report)?
        } else {
            print(&report)?
        }
        Ok(Status::of(!report.faults.is_empty() || !report.groups.is_empty()))
    }
}

/// Compares execution.
fn execution(args: &Args, harness: &str, isa: &Isa, reporter: &Reporter) -> Result<Status, Stop> {
    let compiled = EngineKind::compiled(None, &args.spec, &isa.name)?;
    let time = Duration::from_secs(args.timeout);
    let options = run::Options { harness, count: args.count.unwrap_or(PROGRAMS), seed: args.seed, time };
    let mut note = |note: Note<'_>| match note {
        Note::Key(finding, files) => reporter.finding(finding, files),
        Note::Line(fault) => reporter.line_fault(fault),
    };
    let mut progress = Progress::before_results();
    let done = |done: usize, all: usize| progress.show(|| format!("{done} of {}", count(all, "program")));
    let report = run::compare(isa, compiled.as_deref(), &options, &mut note, done)?;
    drop(progress);
    let Some(report) = report else { return Ok(Status::CouldNotRun) };
    print_execution(&report, args.json)?;
    Ok(Status::of(report.differ > 0))
}

/// Drafts entries of opcodes.
fn drafts(args: &Args, isa: &Isa, oracle: &dyn Oracle, reporter: &Reporter) -> Result<Status, Stop> {
    let mut progress = Progress::before_results();
    let done = |done: usize, all: usize| progress.show(|| format!("{done} of {all} opcodes"));
    let (spec, opcodes) = ((args.spec.as_str(), isa), (args.draft.as_slice(), args.opcode.as_ref()));
    let drafts = isa_verify::drafts(spec, oracle, opcodes, args.format.as_deref(), done)?;
    drop(progress);
    let Drafts { yaml, refused, faults } = &drafts;
    refused.iter().chain(faults).for_each(|fault| reporter.fault("draft", fault, None));
    let mut out = out();
    out.write_all(yaml.as_bytes())?;
    out.flush()?;
    Ok(Status::of(!refused.is_empty() || !faults.is_empty()))
}

/// Lists opcodes that no form has and the oracle has texts for.
fn list_missing(args: &Args, isa: &Isa, oracle: &dyn Oracle) -> Result<Status, Stop> {
    let mut progress = Progress::before_results();
    let done = |done: usize, all: usize| progress.show(|| format!("{done} of {all} opcodes"));
    let (found, all) = isa_verify::missing(isa, oracle, args.opcode.as_ref(), args.count.unwrap_or(WORDS), done)?;
    drop(progress);
    let mut out = out();
    for opcode in &found {
        if args.json {
            writeln!(out, "{}", json::line(opcode))?;
            continue;
        }
        let Missing { number, mnemonics, word, text } = opcode;
        writeln!(out, "{number:#x}  {}\n  {word}  {text}", mnemonics.join(", "))?;
    }
    if !args.json {
        let lacks = count(found.len(), "opcode");
        writeln!(out, "{lacks} with a text, of {} that no form has", count(all, ""))?;
    }
    out.flush()?;
    Ok(Status::of(!found.is_empty()))
}

/// The number of names that are listed.
const MOST_NAMES: usize = 6;

/// `A, B and 3 more`
fn listed(names: &[impl AsRef<str>]) -> String {
    let first: Vec<&str> = names.iter().take(MOST_NAMES).map(AsRef::as_ref).collect();
    match names.len().saturating_sub(MOST_NAMES) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

fn shown(said: &Said) -> String {
    match said {
        Ok(text) => text.clone(),
        Err(reason) => format!("! {reason}"),
    }
}

/// The description of a group, as a sentence without its end.
fn sentence(group: &Group) -> String {
    let what = match group.example.kind {
        Kind::Text => "two texts",
        Kind::Refused => "refused by the specification alone",
        Kind::Accepted => "refused by the oracle alone",
    };
    let about = group.about.iter().map(|about| match about.name.as_str() {
        "" => format!("bit{} {}", if about.bits.contains("..") { "s" } else { "" }, about.bits),
        name => format!("{name} {}", about.bits),
    });
    let about: Vec<String> = about.collect();
    if about.is_empty() { what.to_owned() } else { format!("{what}: {}", about.join(", ")) }
}

fn print(report: &Report<'_>) -> Result<(), Stop> {
    let mut out = out();
    for group in &report.groups {
        let of = match &group.mnemonic {
            Some(mnemonic) => mnemonic.clone(),
            None if group.forms.is_empty() => "no form".to_owned(),
            None => listed(&group.forms),
        };
        writeln!(out, "{of}: {}, {}", sentence(group), count(group.count, "word"))?;
        let places: Vec<&str> = group.about.iter().filter_map(|about| about.place.as_deref()).collect();
        if !places.is_empty() {
            writeln!(out, "  at {}", listed(&places))?;
        }
        let word = group.example.word.to_string();
        let width = word.len().max("the oracle".len());
        writeln!(out, "  {word:width$}  {}", shown(&group.example.spec))?;
        writeln!(out, "  {:width$}  {}", "the oracle", shown(&group.example.oracle))?;
    }
    let disagree = report.words - report.same - report.neither;
    writeln!(
        out,
        "{}: {} with one text, {} that both refuse, {} in {}",
        count(report.words, "word"),
        count(report.same, ""),
        count(report.neither, ""),
        count(disagree, "disagreement"),
        count(report.groups.len(), "group"),
    )?;
    for (form, Share(same, all)) in &report.named {
        writeln!(out, "{form}: {}, {} with one text", count(*all, "word"), count(*same, ""))?;
    }
    let part = |Share(some, all): Share, what: &str| {
        let part = share(if all == 0 { 1.0 } else { some as f64 / all as f64 });
        format!("{} of {} ({part})", count(some, ""), count(all, what))
    };
    let coverage = &report.coverage;
    writeln!(
        out,
        "seen with one text: {}, {}, {}",
        part(coverage.forms(), "form"),
        part(coverage.fields(), "field"),
        part(coverage.values(), "enumerated value"),
    )?;
    let unseen = coverage.unseen();
    if !unseen.is_empty() {
        writeln!(out, "no word of {}", listed(&unseen))?;
    }
    let unseen = coverage.unseen_values();
    if !unseen.is_empty() {
        writeln!(out, "no word with {}", listed(&unseen))?;
    }
    Ok(out.flush()?)
}

fn print_json(report: &Report<'_>) -> Result<(), Stop> {
    let mut out = out();
    for group in &report.groups {
        writeln!(out, "{}", json::line(group))?;
    }
    writeln!(out, "{}", json::line(report))?;
    Ok(out.flush()?)
}

/// The number of differences that are printed of each program.
const MOST_SHOWN: usize = 6;

fn print_execution(report: &run::Report, is_json: bool) -> Result<(), Stop> {
    let mut out = out();
    for group in &report.groups {
        if is_json {
            writeln!(out, "{}", json::line(group))?;
            continue;
        }
        for (at, word, text) in &group.lines {
            writeln!(out, "{at:#x}  {word:<8}  {text}")?;
        }
        for difference in group.differences.iter().take(MOST_SHOWN) {
            match difference.values {
                Some([here, there]) => writeln!(out, "    {}: {here:#x}, and {there:#x} on the other machine", difference.name)?,
                None => writeln!(out, "    {}", difference.name)?,
            }
        }
        if group.differences.len() > MOST_SHOWN {
            writeln!(out, "    and {} more", group.differences.len() - MOST_SHOWN)?;
        }
        if group.count > 1 {
            writeln!(out, "    as in {} more", count(group.count - 1, "program"))?;
        }
        writeln!(out)?;
    }
    let run::Report { programs, differ, .. } = report;
    if is_json {
        writeln!(out, "{}", json::line(&BTreeMap::from([("programs", programs), ("differ", differ)])))?;
    } else {
        writeln!(out, "{}: {differ} differ", count(*programs, "program"))?;
    }
    Ok(out.flush()?)
}
