//! `stats FILE`: counts the contents of an object file's code.

use crate::codec::{self, CodecKind, Job};
use crate::object::files::{self, Group};
use crate::object::{self, is_named, on_one_line};
use crate::output::{Reporter, Status, count};
use isa_engine::digits::decimal;
use isa_engine::{Codec, Style};
use isa_listing::{Counts, Section, json_text};
use isa_object::{FunctionKind, Object};
use isa_stream::{Stop, out};
use std::collections::BTreeMap;
use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;

/// Count the contents of an object file's functions.
///
/// For each function: instructions by mnemonic, the values of the fields that all instructions have (in SASS: stalls, yields,
/// barriers, guards), the items of lists of control codes (reuse), registers and other resources of kernels. Words without a text
/// are counted too.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// An object file; or, if a second file follows, its specification: a path, the name of a shipped instruction set, or an
    /// image (NAME.isat).
    #[arg(value_name = "FILE")]
    first: String,
    /// The object file.
    #[arg(hide = true)]
    second: Option<PathBuf>,
    /// Only this function.
    #[arg(long, value_name = "NAME")]
    function: Vec<String>,
    /// Only code of this architecture: sm_80.
    #[arg(long, value_name = "NAME")]
    arch: Option<String>,
    /// Print one JSON object a function.
    #[arg(long)]
    json: bool,
    /// The implementation that decodes.
    #[arg(long, value_enum, default_value_t = CodecKind::Tables)]
    engine: CodecKind,
}

pub(crate) fn run(args: &Args, reporter: &Reporter) -> Result<Status, Stop> {
    let (spec, path) = match &args.second {
        Some(path) => (Some(args.first.as_str()), path.clone()),
        None => (None, PathBuf::from(&args.first)),
    };
    let name = path.display().to_string();
    let data = object::read(&path)?;
    let contents = isa_object::contents(&data);
    let mut failed = files::report(&name, &contents, reporter);
    for group in files::choose(&name, &contents, spec, args.arch.as_deref(), reporter)? {
        let stats = Stats { args, file: &name, group: &group, reporter };
        failed |= codec::with(group.spec, (args.engine, Style::default()), true, reporter, stats)? != Status::Clean;
    }
    Ok(Status::of(failed))
}

struct Stats<'a> {
    args: &'a Args,
    file: &'a str,
    group: &'a Group<'a, 'a>,
    reporter: &'a Reporter,
}

/// A function and its counts; for a kernel also its resources.
struct MadeOf<'a> {
    name: &'a str,
    arch: &'a str,
    registers: Option<u32>,
    shared: Option<u64>,
    counts: &'a Counts,
}

impl Job for Stats<'_> {
    fn run(self, codec: &dyn Codec) -> Result<Status, Stop> {
        let entries = self.group.entries.iter().map(|(_, entry)| *entry);
        files::warn_of_other(self.file, self.group.spec, codec.objects().as_ref(), entries, self.reporter);
        let mut failed = false;
        let mut out = out();
        let shared = Counts::shared_fields(codec);
        for (_, entry) in &self.group.entries {
            let data = entry.data();
            let object = data.as_ref().map_err(Clone::clone).and_then(|data| Object::parse(data));
            let object = match object {
                Ok(object) => object,
                Err(error) => {
                    self.reporter.fault("object", &format!("{}: {error}", self.file), None);
                    failed = true;
                    continue;
                }
            };
            for code in object.sections {
                let section = Section::without_labels(code);
                let code = &section.code;
                let functions: Vec<_> = section.functions().filter(|(_, f)| f.kind != FunctionKind::Label).collect();
                for (range, function) in &functions {
                    if !self.args.function.is_empty() && !is_named(&self.args.function, &function.name) {
                        continue;
                    }
                    let own = without(range, functions.iter().map(|(other, _)| *other));
                    let counts = Counts::of(codec, code, own, &shared);
                    failed |= counts.refused > 0;
                    let resources = code.resources.as_ref().filter(|_| function.kind == FunctionKind::Kernel);
                    let made = MadeOf {
                        name: &function.name,
                        arch: &object.arch,
                        registers: resources.and_then(|resources| resources.registers),
                        shared: resources.map(|resources| resources.shared),
                        counts: &counts,
                    };
                    if self.args.json { print_json(&made, &mut out)? } else { print_text(&made, &mut out)? }
                }
            }
        }
        out.flush()?;
        Ok(Status::of(failed))
    }
}

/// The part of a function that is its own: other functions that begin inside it are excluded.
fn without<'r>(range: &Range<u64>, others: impl Iterator<Item = &'r Range<u64>>) -> Vec<Range<u64>> {
    let mut own = Vec::new();
    let mut start = range.start;
    // They are in the order of their offsets.
    for other in others.filter(|other| other.start > range.start && other.start < range.end) {
        if start < other.start {
            own.push(start..other.start);
        }
        start = start.max(other.end);
    }
    if start < range.end {
        own.push(start..range.end);
    }
    own
}

/// The most frequent first.
fn sorted(counts: &BTreeMap<String, usize>) -> Vec<(&str, usize)> {
    let mut list: Vec<(&str, usize)> = counts.iter().map(|(name, number)| (name.as_str(), *number)).collect();
    list.sort_by_key(|(name, number)| (std::cmp::Reverse(*number), *name));
    list
}

fn print_text(made: &MadeOf<'_>, out: &mut impl Write) -> Result<(), Stop> {
    let MadeOf { name, arch, registers, shared, counts } = made;
    write!(out, "{} ({arch}): {}", on_one_line(name), count(counts.words, "instruction"))?;
    if counts.refused > 0 {
        write!(out, ", {} of them without a text", count(counts.refused, ""))?;
    }
    if let Some(registers) = registers {
        write!(out, ", registers {registers}")?;
    }
    if let Some(shared) = shared {
        write!(out, ", shared memory {shared}")?;
    }
    writeln!(out)?;
    let line = |counts: &BTreeMap<String, usize>| {
        let words: Vec<String> = sorted(counts).into_iter().map(|(name, number)| format!("{name} {number}")).collect();
        words.join(", ")
    };
    writeln!(out, "  instructions: {}", line(&counts.mnemonics))?;
    for (name, values) in counts.fields.iter().filter(|(_, values)| values.len() > 1).chain(&counts.lists) {
        writeln!(out, "  {name}: {}", line(values))?;
    }
    Ok(())
}

fn print_json(made: &MadeOf<'_>, out: &mut impl Write) -> Result<(), Stop> {
    let MadeOf { name, arch, registers, shared, counts } = made;
    let mut object = Vec::new();
    object.extend_from_slice(b"{\"function\":");
    json_text(name, &mut object);
    object.extend_from_slice(b",\"arch\":");
    json_text(arch, &mut object);
    for (key, number) in [
        ("words", Some(counts.words as u64)),
        ("refused", Some(counts.refused as u64)),
        ("registers", registers.map(u64::from)),
        ("shared", *shared),
    ] {
        let Some(number) = number else { continue };
        let _ = write!(object, ",\"{key}\":");
        decimal(number.into(), &mut object);
    }
    object.extend_from_slice(b",\"mnemonics\":");
    map(&counts.mnemonics, &mut object);
    for (key, all) in [("fields", &counts.fields), ("lists", &counts.lists)] {
        let _ = write!(object, ",\"{key}\":{{");
        for (index, (name, values)) in all.iter().enumerate() {
            if index > 0 {
                object.push(b',');
            }
            json_text(name, &mut object);
            object.push(b':');
            map(values, &mut object);
        }
        object.push(b'}');
    }
    object.extend_from_slice(b"}\n");
    Ok(out.write_all(&object)?)
}

/// Appends counts as an object, the most frequent first.
fn map(counts: &BTreeMap<String, usize>, out: &mut Vec<u8>) {
    out.push(b'{');
    for (index, (name, number)) in sorted(counts).into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        json_text(name, out);
        out.push(b':');
        decimal(number as u128, out);
    }
    out.push(b'}');
}
