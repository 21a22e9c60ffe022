//! `verify SPEC`: compares a specification with another disassembler, or with words and texts of a file.

use crate::codec::{self, CodecKind, Job};
use crate::engine::EngineKind;
use crate::json;
use crate::output::{Progress, Reporter, Status, count, share};
use crate::spec;
use crate::verify::chosen::Chosen;
use crate::verify::coverage::{Coverage, Share};
use crate::verify::draft;
use crate::verify::groups::{self, Group};
use crate::verify::joined;
use crate::verify::judge::{self, Kind, Verdict};
use crate::verify::missing::{Missing, missing};
use crate::verify::opcode::{Opcode, OpcodeBits};
use crate::verify::oracle::{self, Oracle, Said};
use crate::verify::reading;
use crate::verify::run;
use crate::verify::vectors::{self, Columns};
use crate::verify::words;
use isa_engine::{Codec, Style};
use isa_spec::model::{Isa, Word};
use isa_stream::{Stop, out, threads};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::collections::{BTreeMap, HashSet};
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
        let kind = EngineKind::choose(None, &args.spec)?;
        let compiled = if kind == EngineKind::Compiled { generated::engine(&isa.name) } else { None };
        let time = Duration::from_secs(args.timeout);
        let options = run::Options { harness, count: args.count.unwrap_or(PROGRAMS), seed: args.seed, time, json: args.json };
        return run::run(&isa, compiled.as_deref(), &options, reporter);
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
        let mut has_wrong_lines = false;
        let (verdicts, again): (Vec<(Word, Verdict)>, _) = match &args.oracle {
            Some(name) => {
                let oracle = oracle::open(name, args.program.as_deref(), Duration::from_secs(args.timeout), codec.shape())?;
                if !args.draft.is_empty() {
                    return drafts(args, isa, &*oracle, reporter);
                }
                if args.missing {
                    return list_missing(args, isa, &*oracle);
                }
                let words = words::words(isa, &chosen, args.count.unwrap_or(WORDS), args.seed);
                let progress = Mutex::new(Progress::before_results());
                let done = |done: usize| {
                    if let Ok(mut progress) = progress.lock() {
                        progress.show(|| format!("{done} of {} words", words.len()));
                    }
                };
                let threads = threads(args.threads);
                let verdicts = judge::ask(codec, &*oracle, &words, threads, done)?;
                (words.iter().map(|word| word.word).zip(verdicts).collect(), Some((oracle, threads)))
            }
            None => {
                let (Some(path), Some(columns)) = (&args.vectors, &args.columns) else { return Err(Stop::new("no file")) };
                let wrong = |line: String| {
                    has_wrong_lines = true;
                    reporter.fault("vectors", &line, None);
                };
                let cases = vectors::read(path, columns, codec.shape(), wrong)?;
                let mut codec = codec.fork();
                (cases.into_iter().map(|case| (case.word.word, judge::judge(&mut *codec, case))).collect(), None)
            }
        };
        let coverage = Coverage::new(isa, &chosen.forms);
        let mut seen = Seen { coverage, words: verdicts.len(), same: 0, neither: 0, named: Vec::new() };
        let mut of_forms: Vec<Share> = vec![Share(0, 0); isa.forms.len()];
        for (word, verdict) in &verdicts {
            if let Some((form, is_same)) = verdict.form() {
                of_forms[form].0 += usize::from(is_same);
                of_forms[form].1 += 1;
            }
            match verdict {
                Verdict::Same(form) => {
                    seen.same += 1;
                    seen.coverage.add(*form, *word);
                }
                Verdict::Neither => seen.neither += 1,
                Verdict::Differ(_) => {}
            }
        }
        if chosen.is_some {
            seen.named = chosen.forms.iter().map(|form| (isa.forms[*form].name.as_str(), of_forms[*form])).collect();
        }
        let spec = |word| judge::said(&mut *codec.fork(), word, 0).1;
        let groups = match &again {
            Some((oracle, threads)) => {
                let again = |words: &[_]| judge::ask(codec, &**oracle, words, *threads, |_| {});
                groups::groups(isa, verdicts, &spec, Some(&again))?
            }
            None => groups::groups(isa, verdicts, &spec, None)?,
        };
        if args.json {
            print_json(&groups, &seen)?
        } else {
            print(&groups, &seen)?
        }
        Ok(Status::of(has_wrong_lines || !groups.is_empty()))
    }
}

/// Drafts entries of opcodes.
fn drafts(args: &Args, isa: &Isa, oracle: &dyn Oracle, reporter: &Reporter) -> Result<Status, Stop> {
    let opcodes = args.draft.iter().map(|given| Opcode::find(isa, given, args.opcode.as_ref()));
    let mut opcodes = opcodes.collect::<Result<Vec<_>, Stop>>()?;
    let mut seen = HashSet::new();
    opcodes.retain(|opcode| seen.insert((opcode.mask, opcode.value, opcode.bits, opcode.word)));
    let mut progress = Progress::before_results();
    let mut drafts = Vec::new();
    for (i, opcode) in opcodes.iter().enumerate() {
        progress.show(|| format!("{i} of {} opcodes", opcodes.len()));
        match draft::draft(isa, opcode, args.format.as_deref(), &|words| oracle.ask(words))? {
            Ok(draft) => drafts.push(draft),
            Err(reason) => reporter.fault("draft", &reason, None),
        }
    }
    drop(progress);
    let mut yaml = joined::yaml(isa, &drafts);
    let faults = if drafts.is_empty() { Vec::new() } else { reading::faults(&args.spec, &yaml, &drafts)? };
    for fault in &faults {
        yaml.push_str(&format!("# {}\n", fault.replace('\n', " ")));
        reporter.fault("draft", fault, None);
    }
    let mut out = out();
    out.write_all(yaml.as_bytes())?;
    out.flush()?;
    Ok(Status::of(drafts.len() < opcodes.len() || !faults.is_empty()))
}

/// Lists opcodes that no form has and the oracle has texts for.
fn list_missing(args: &Args, isa: &Isa, oracle: &dyn Oracle) -> Result<Status, Stop> {
    let opcodes = Opcode::free(isa, args.opcode.as_ref())?;
    let all = opcodes.len();
    let mut progress = Progress::before_results();
    let done = |done: usize| progress.show(|| format!("{done} of {all} opcodes"));
    let found = missing(isa, opcodes, args.count.unwrap_or(WORDS), &|words| oracle.ask(words), done)?;
    drop(progress);
    let mut out = out();
    for opcode in &found {
        if args.json {
            writeln!(out, "{}", json::line(opcode))?;
            continue;
        }
        let Missing { opcode, mnemonics, word, text } = opcode;
        writeln!(out, "{:#x}  {}\n  {word}  {text}", opcode.number, mnemonics.join(", "))?;
    }
    if !args.json {
        let lacks = count(found.len(), "opcode");
        writeln!(out, "{lacks} with a text, of {} that no form has", count(all, ""))?;
    }
    out.flush()?;
    Ok(Status::of(!found.is_empty()))
}

/// `{"opcode","mnemonics":[…],"word","text"}`
impl Serialize for Missing {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("opcode", &format!("{:#x}", self.opcode.number))?;
        map.serialize_entry("mnemonics", &self.mnemonics)?;
        map.serialize_entry("word", &self.word.to_string())?;
        map.serialize_entry("text", &self.text)?;
        map.end()
    }
}

/// The results for all words.
struct Seen<'a> {
    coverage: Coverage<'a>,
    words: usize,
    same: usize,
    neither: usize,
    /// The forms that were named, each with its number of words, and those with one text.
    named: Vec<(&'a str, Share)>,
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

fn print(groups: &[Group], seen: &Seen<'_>) -> Result<(), Stop> {
    let mut out = out();
    for group in groups {
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
    let disagree = seen.words - seen.same - seen.neither;
    writeln!(
        out,
        "{}: {} with one text, {} that both refuse, {} in {}",
        count(seen.words, "word"),
        count(seen.same, ""),
        count(seen.neither, ""),
        count(disagree, "disagreement"),
        count(groups.len(), "group"),
    )?;
    for (form, Share(same, all)) in &seen.named {
        writeln!(out, "{form}: {}, {} with one text", count(*all, "word"), count(*same, ""))?;
    }
    let part = |Share(some, all): Share, what: &str| {
        let part = share(if all == 0 { 1.0 } else { some as f64 / all as f64 });
        format!("{} of {} ({part})", count(some, ""), count(all, what))
    };
    let coverage = &seen.coverage;
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

fn print_json(groups: &[Group], seen: &Seen<'_>) -> Result<(), Stop> {
    let mut out = out();
    for group in groups {
        writeln!(out, "{}", json::line(&Line(group)))?;
    }
    writeln!(out, "{}", json::line(seen))?;
    Ok(out.flush()?)
}

/// A group as JSON: `{"kind","forms":[…],"mnemonic","about":[{"name","bits","place"}],"count","word","spec","oracle"}`; a side
/// that refuses the word has `{"refused":"…"}` in the place of a text.
struct Line<'a>(&'a Group);

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let group = self.0;
        let about = group.about.iter().map(|about| {
            let name = about.name.trim_matches('`');
            [("name", Some(name)), ("bits", Some(about.bits.as_str())), ("place", about.place.as_deref())]
                .into_iter()
                .filter_map(|(key, value)| Some((key, value.filter(|value| !value.is_empty())?)))
                .collect::<BTreeMap<_, _>>()
        });
        let about: Vec<_> = about.collect();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry(
            "kind",
            match group.example.kind {
                Kind::Text => "text",
                Kind::Refused => "refused",
                Kind::Accepted => "accepted",
            },
        )?;
        map.serialize_entry("forms", &group.forms)?;
        if let Some(mnemonic) = &group.mnemonic {
            map.serialize_entry("mnemonic", mnemonic)?;
        }
        map.serialize_entry("about", &about)?;
        map.serialize_entry("count", &group.count)?;
        map.serialize_entry("word", &group.example.word.to_string())?;
        map.serialize_entry("spec", &Shown(&group.example.spec))?;
        map.serialize_entry("oracle", &Shown(&group.example.oracle))?;
        map.end()
    }
}

struct Shown<'a>(&'a Said);

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Ok(text) => serializer.serialize_str(text),
            Err(reason) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("refused", reason)?;
                map.end()
            }
        }
    }
}

/// `{"words","same","neither","forms":[seen,all],"fields":[…],"values":[…],"unseen":[…],"unseen_values":[…]}`; with `--only` also
/// `"only":{form:[same,all]}`
impl Serialize for Seen<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let pair = |Share(some, all): Share| [some, all];
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("words", &self.words)?;
        map.serialize_entry("same", &self.same)?;
        map.serialize_entry("neither", &self.neither)?;
        map.serialize_entry("forms", &pair(self.coverage.forms()))?;
        map.serialize_entry("fields", &pair(self.coverage.fields()))?;
        map.serialize_entry("values", &pair(self.coverage.values()))?;
        map.serialize_entry("unseen", &self.coverage.unseen())?;
        map.serialize_entry("unseen_values", &self.coverage.unseen_values())?;
        if !self.named.is_empty() {
            let named: BTreeMap<&str, [usize; 2]> = self.named.iter().map(|(form, share)| (*form, pair(*share))).collect();
            map.serialize_entry("only", &named)?;
        }
        map.end()
    }
}
