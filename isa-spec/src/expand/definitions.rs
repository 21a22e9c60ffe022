//! What stands once for the whole instruction set: sources, word lengths, register files, enumerations, formats.

use super::{Context, conditions};
use crate::diag::Diagnostic;
use crate::lang::{self, Value};
use crate::model::{
    Bits, Enum, EnumValue, Format, FormatId, Group, Hole, Length, MAX_FIELD, Otherwise, PartOf, Raw, Region, RegisterFile,
    RegisterId, Source, SourceId, Word, Words, ones,
};
use crate::read::{RegisterDecl, WordDecl};
use crate::sets::{Cube, Order, Solver, TooLarge, WordSet};
use crate::span::Span;
use crate::yaml::Text;
use std::collections::{HashMap, HashSet};

pub(super) fn sources(cx: &Context<'_, '_>) -> Vec<Source> {
    let source = |s: &crate::read::SourceDecl| Source {
        name: s.name.value.clone(),
        title: s.title.clone(),
        file: s.file.clone(),
        note: s.note.clone(),
        span: s.name.span,
    };
    cx.spec.sources.iter().map(source).collect()
}

/// The source that `follows` names.
pub(super) fn follows(cx: &Context<'_, '_>) -> Option<SourceId> {
    let text = cx.spec.follows.as_ref()?;
    let index = cx.source_names.iter().position(|n| *n == text.value);
    if index.is_none() {
        cx.unknown("source", &text.value, text.span, cx.source_names.iter().map(String::as_str));
    }
    index.map(|i| {
        cx.mark_used(cx.spec.sources[i].name.span);
        SourceId(i as u32)
    })
}

pub(super) fn words(cx: &Context<'_, '_>) -> Option<Words> {
    let decl = cx.spec.word.as_ref()?;
    let units = |condition: &Option<Text>| match condition {
        None => Some(WordSet::all()),
        Some(text) => conditions::units(cx, text, decl.unit),
    };
    let order = Order::descending(decl.unit);
    let mut solver = Solver::new(&order);
    let mut lengths: Vec<Length> = Vec::new();
    for (bits, condition, span) in &decl.lengths {
        let prefix = units(condition)?;
        if let Some(other) = lengths.iter().find(|l| l.bits == *bits) {
            cx.report(
                Diagnostic::error("duplicate", format!("the length {bits} stands twice"), *span)
                    .with_label(other.span, "first here"),
            );
        }
        for other in &lengths {
            let both = too_entangled(cx, *span, both(&mut solver, &other.prefix, &prefix))?;
            if let Some(witness) = both.first() {
                let message = format!("a word that begins with {witness:#x} has {} bits and {bits} bits", other.bits);
                cx.report(Diagnostic::error("clash", message, *span).with_label(other.span, "the other length"));
            }
        }
        let words = too_entangled(cx, *span, words_that_begin(decl, *bits, &prefix, None))?;
        lengths.push(Length { bits: *bits, prefix, words, holes: WordSet::empty(), span: *span });
    }
    for (bits, text, span) in &decl.apart {
        let prefix = conditions::units(cx, text, decl.unit)?;
        let Some(length) = lengths.iter_mut().find(|l| l.bits == *bits) else {
            cx.error("length", format!("words have no {bits} bits"), *span);
            continue;
        };
        length.words = too_entangled(cx, *span, words_that_begin(decl, *bits, &prefix, Some(&length.words)))?;
    }
    Some(Words { unit: decl.unit, low_first: decl.low_first, little_endian: decl.little_endian, lengths })
}

fn both(solver: &mut Solver<'_>, a: &WordSet, b: &WordSet) -> Result<WordSet, TooLarge> {
    let set = solver.attempt(|solver| {
        let (a, b) = (solver.import(a)?, solver.import(b)?);
        solver.and(a, b)
    })?;
    Ok(solver.freeze(set))
}

fn too_entangled<T>(cx: &Context<'_, '_>, span: Span, result: Result<T, TooLarge>) -> Option<T> {
    result.map_err(|error| cx.error("entangled", format!("the conditions for lengths are too entangled: {error}"), span)).ok()
}

/// The words of a length that begin with one of these units, and those of `more`.
fn words_that_begin(decl: &WordDecl, bits: u32, prefix: &WordSet, more: Option<&WordSet>) -> Result<WordSet, TooLarge> {
    // A length without room for a unit was reported before.
    if bits < decl.unit {
        return Ok(WordSet::empty());
    }
    // The first unit is the low end of the word, or the high end.
    let shift = if decl.low_first { 0 } else { bits - decl.unit };
    let order = Order::descending(bits);
    let mut solver = Solver::new(&order);
    let places: Vec<u32> = (shift..shift + decl.unit).collect();
    let set = solver.attempt(|solver| {
        let set = solver.place(prefix, &places)?;
        match more {
            Some(more) => {
                let more = solver.import(more)?;
                solver.or(set, more)
            }
            None => Ok(set),
        }
    })?;
    Ok(solver.freeze(set))
}

/// How the documents divide the first unit: every unit belongs to one region.
pub(super) fn space(cx: &Context<'_, '_>, unit: u32) -> Vec<Region> {
    let mut list: Vec<Region> = Vec::new();
    for decl in &cx.spec.space {
        let entry = match lang::parse_region(&decl.is.value) {
            Ok(entry) => entry,
            Err(fault) => {
                cx.error("syntax", fault.message, decl.is.at(fault.range));
                continue;
            }
        };
        if cx.spec.word.as_ref().is_some_and(|w| w.lengths.is_empty()) {
            cx.error("no-words", "there is text alone, and no stream to divide", decl.name.span);
            continue;
        }
        if entry.width != unit {
            cx.error("width", format!("these codes have {} bits, the first unit {unit}", entry.width), decl.is.span);
            continue;
        }
        if let Some(other) = list.iter().find(|r| r.first <= entry.last && entry.first <= r.last) {
            let d = Diagnostic::error(
                "clash",
                format!("`{}` and `{}` both have {:#x}", decl.name.value, other.name, entry.first.max(other.first)),
                decl.name.span,
            );
            cx.report(d.with_label(other.span, "the other region"));
        }
        list.push(Region {
            name: decl.name.value.clone(),
            is: decl.is.value.split_whitespace().collect::<Vec<_>>().join(" "),
            first: entry.first,
            last: entry.last,
            open: entry.open,
            summary: decl.summary.clone(),
            doc: cx.doc(decl.doc.as_ref()),
            span: decl.name.span,
        });
    }
    if let (Some(decl), false) = (cx.spec.space.first(), cx.errors()) {
        let mut next = Word::ZERO;
        let mut regions: Vec<&Region> = list.iter().collect();
        regions.sort_by_key(|r| r.first);
        for region in regions {
            match region.last.checked_add(Word::bit(0)) {
                Some(after) if region.first <= next => next = after,
                Some(_) => break,
                None => return list,
            }
        }
        if next <= Word::ones(unit) {
            cx.error("missing", format!("no region has {next:#x}"), decl.name.span);
        }
    }
    list
}

/// Words that have a name and no form: `check` sees to it that no form has them.
pub(super) fn holes(cx: &Context<'_, '_>, words: &Words) -> Vec<Hole> {
    cx.spec.holes.iter().filter_map(|decl| hole(cx, words, decl)).collect()
}

fn hole(cx: &Context<'_, '_>, words: &Words, decl: &crate::read::HoleDecl) -> Option<Hole> {
    let length = match (decl.length, words.lengths.as_slice()) {
        (Some((bits, span)), lengths) => {
            if !lengths.iter().any(|l| l.bits == bits) {
                cx.error("length", format!("words have no {bits} bits"), span);
                return None;
            }
            bits
        }
        (None, [only]) => only.bits,
        (None, _) => {
            cx.error(
                "length",
                format!("`{}` does not say how long its words are: `length: 32`", decl.name.value),
                decl.name.span,
            );
            return None;
        }
    };
    let mut cube = Cube::ALL;
    for (key, text) in &decl.fix {
        let list = cx.parse(&cx.bit_lists, key, lang::parse_bit_list)?;
        let bits = Bits(list.iter().map(|(range, _)| *range).collect());
        let value = cx.parse(&cx.values, text, lang::parse_value)?;
        if !(bits.mask() & !Word::ones(length)).is_zero() {
            cx.error("range", format!("a word of {length} bits has no bits {bits}"), key.span);
            return None;
        }
        if bits.width() > MAX_FIELD {
            let message = format!("bits fixed to one number are at most {MAX_FIELD} together, and {bits} are {}", bits.width());
            cx.error("width", message, key.span);
            return None;
        }
        let all = ones(bits.width());
        let Some(raw) = plain_value(&value).filter(|v| *v <= all) else {
            cx.error("value", format!("`{}` does not fit into {} bits: 0 to {all}", text.value, bits.width()), text.span);
            return None;
        };
        if !(bits.mask() & cube.mask).is_zero() {
            cx.error("bits-twice", format!("the bits {bits} are fixed twice"), key.span);
        }
        cube = Cube::new(cube.mask | bits.mask(), cube.value | bits.place(raw));
    }
    Some(Hole {
        name: decl.name.value.clone(),
        length,
        words: cube,
        summary: decl.summary.clone(),
        doc: cx.doc(decl.doc.as_ref()),
        span: decl.name.span,
    })
}

/// The groups of instructions.
pub(super) fn groups(spec: &crate::read::Spec) -> Vec<Group> {
    let group = |g: &crate::read::GroupDecl| Group {
        name: g.name.value.clone(),
        summary: g.summary.clone(),
        notes: g.notes.clone(),
        span: g.name.span,
    };
    spec.groups.iter().map(group).collect()
}

/// A file and what it includes may declare a name twice; YAML itself refuses that in one file only.
pub(super) fn report_duplicates(cx: &Context<'_, '_>) {
    let spec = cx.spec;
    // A field's meaning is a register file or an enumeration, so those share their names.
    let meanings: Vec<&Text> = spec.registers.iter().map(|r| &r.name).chain(spec.enums.iter().map(|e| &e.name)).collect();
    let formats: Vec<&Text> = spec.formats.iter().map(|(name, _)| name).collect();
    let sources: Vec<&Text> = spec.sources.iter().map(|s| &s.name).collect();
    let instructions: Vec<&Text> = spec.instructions.iter().map(|(name, _)| name).collect();
    let all = [
        ("a register file or enumeration", meanings),
        ("a format", formats),
        ("a source", sources),
        ("an instruction", instructions),
    ];
    for (what, mut names) in all {
        // What was included comes first.
        names.sort_by_key(|n| std::cmp::Reverse(n.span.file));
        let mut known: HashMap<&str, &Text> = HashMap::new();
        for name in names {
            if let Some(first) = known.get(name.value.as_str()) {
                let d = Diagnostic::error("duplicate", format!("there is {what} `{}` already", name.value), name.span);
                cx.report(d.with_label(first.span, "first here"));
            }
            known.entry(&name.value).or_insert(name);
        }
    }
}

pub(super) fn registers(cx: &Context<'_, '_>) -> Vec<RegisterFile> {
    let mut files: Vec<RegisterFile> = cx.spec.registers.iter().map(|r| register(cx, r)).collect();
    for (index, r) in cx.spec.registers.iter().enumerate() {
        let Some((of, from)) = &r.part_of else { continue };
        let whole = cx.spec.registers.iter().position(|other| other.name.value == of.value && other.part_of.is_none());
        let Some(whole) = whole else {
            let known = cx.spec.registers.iter().filter(|other| other.part_of.is_none()).map(|other| other.name.value.as_str());
            cx.unknown("register file", &of.value, of.span, known);
            continue;
        };
        cx.mark_used(files[whole].span);
        files[index] = part(cx, &files[index], (&files[whole], RegisterId(whole as u32)), *from);
    }
    files
}

/// A part of a register file has at most so many registers.
const MAX_PART: u32 = 8;

/// A register file whose registers are those of another one, from a number on.
fn part(cx: &Context<'_, '_>, own: &RegisterFile, (whole, file): (&RegisterFile, RegisterId), from: u32) -> RegisterFile {
    let last = u128::from(from) + ones(own.index.min(MAX_PART));
    let is_aligned = u128::from(from) & ones(own.index.min(MAX_PART)) == 0;
    let is_whole = own.index == whole.index;
    if own.index > MAX_PART
        || last > ones(whole.index)
        || !is_aligned
        || is_whole
        || whole.halves.is_some()
        || whole.names.is_some()
    {
        let message = match own.index > MAX_PART {
            true => format!("a part of a register file is numbered by at most {MAX_PART} bits"),
            false if is_whole => format!("all registers of `{}` are numbered by {} bits: use it", whole.name, whole.index),
            false if !is_aligned => format!("a part of {} registers begins at a multiple of as many", 1 << own.index),
            false if last > ones(whole.index) => format!("`{}` has no register {last}", whole.name),
            false => format!("registers of `{}` are halves, or have the names that programs give: it has no parts", whole.name),
        };
        cx.error("range", message, own.span);
        return own.clone();
    }
    let numbers = u128::from(from)..=last;
    let own_number = |n: u128| n - u128::from(from);
    let also = whole.also.iter().filter(|(n, _)| numbers.contains(n)).map(|(n, name)| (own_number(*n), name.clone()));
    // What has a name of its own is also called by its number.
    let numbered = numbers.clone().filter(|n| whole.special.iter().any(|s| s.0 == *n) && *n < whole.count);
    let numbered = numbered.map(|n| (own_number(n), format!("{}{n}{}", whole.prefix, whole.suffix)));
    let known = |n: Option<Raw>| n.filter(|n| numbers.contains(n)).map(own_number);
    RegisterFile {
        width: whole.width,
        count: 0,
        prefix: whole.prefix.clone(),
        suffix: whole.suffix.clone(),
        special: numbers.clone().filter_map(|n| Some((own_number(n), whole.name_of(n)?))).collect(),
        also: also.chain(numbered).collect(),
        part_of: Some(PartOf { file, from }),
        zero: known(whole.zero),
        one: known(whole.one),
        ..own.clone()
    }
}

fn register(cx: &Context<'_, '_>, r: &RegisterDecl) -> RegisterFile {
    let default = format!("{}{{n}}", r.name.value);
    let pattern = r.text.as_ref().map_or(default.as_str(), |t| t.value.as_str());
    let pattern = pattern.replace("{half}", "");
    let (prefix, suffix) = pattern.split_once("{n}").unwrap_or_else(|| {
        cx.error(
            "name",
            "the text of a register file contains its number: `R{n}`",
            r.text.as_ref().map_or(r.name.span, |t| t.span),
        );
        (pattern.as_str(), "")
    });
    let all = ones(r.index);
    let names = r.names.as_ref().and_then(|text| {
        if !cx.spec.word.as_ref().is_some_and(|w| w.lengths.is_empty()) {
            cx.error("names", "programs name registers only where there is text alone: `word: none`", text.span);
        }
        let names = cx.parse(&cx.names, text, lang::parse_names)?;
        let mut examples = (0..crate::model::MAX_NAMES).map(|n| format!("{prefix}{n}{suffix}"));
        if let Some(example) = examples.find(|example| names.longest(example) != Some(example.len())) {
            let message = format!("`{example}` is no such name; `text:` says what registers are called in examples: `r{{n}}`");
            cx.error("names", message, r.text.as_ref().map_or(r.name.span, |t| t.span));
        }
        Some((*names).clone())
    });
    let also: Vec<(u128, String)> = r.also.iter().map(|(n, t)| (*n, t.value.clone())).collect();
    let special: Vec<(u128, String)> = r.special.iter().map(|(n, _, t)| (*n, t.value.clone())).collect();
    let mut known: HashMap<&str, u128> = HashMap::new();
    for (n, span, text) in &r.special {
        if *n > all {
            cx.error("range", format!("register {n} does not fit into {} bits", r.index), *span);
        }
        let number = text
            .value
            .strip_prefix(prefix)
            .and_then(|t| t.strip_suffix(suffix))
            .filter(|_| r.halves.is_none())
            .and_then(|t| t.parse::<u128>().ok());
        if let Some(other) = number.filter(|other| other != n && *other < r.count.map_or(all + 1, |c| c.0)) {
            cx.error("ambiguous-text", format!("`{}` is the name of register {other} already", text.value), text.span);
        }
        if let Some(other) = known.insert(&text.value, *n) {
            cx.error(
                "ambiguous-text",
                format!("the registers {other} and {n} have the same name, so it can't be read back"),
                text.span,
            );
        }
    }
    for (n, text) in &r.also {
        if known.insert(&text.value, *n).is_some() {
            cx.error("ambiguous-text", format!("`{}` is the name of a register already", text.value), text.span);
        }
    }
    let mut file = RegisterFile {
        name: r.name.value.clone(),
        index: r.index,
        width: r.width,
        count: r.count.map_or(all + 1, |c| c.0).max(1),
        prefix: prefix.to_string(),
        suffix: suffix.to_string(),
        halves: r.halves.clone(),
        special,
        also,
        names,
        part_of: None,
        zero: None,
        one: None,
        summary: r.summary.clone(),
        doc: cx.doc(r.doc.as_ref()),
        span: r.name.span,
    };
    if let Some((_, span)) = r.count.filter(|c| c.0 > all + 1) {
        cx.error("range", format!("{} bits number at most {} registers", r.index, all + 1), span);
    }
    for (text, which) in [(&r.zero, 0), (&r.one, 1)] {
        let Some(text) = text else { continue };
        let index = find_register(&file, &text.value);
        if index.is_none() {
            cx.error("unknown-name", format!("`{}` is not a register of this file", text.value), text.span);
        }
        if which == 0 {
            file.zero = index;
        } else {
            file.one = index;
        }
    }
    file
}

/// The number of the register with this name.
pub(super) fn find_register(file: &RegisterFile, name: &str) -> Option<u128> {
    if let Some((n, _)) = file.special.iter().chain(&file.also).find(|(_, s)| s == name) {
        return Some(*n);
    }
    let rest = name.strip_prefix(&file.prefix)?.strip_suffix(&file.suffix)?;
    let index = match &file.halves {
        None => rest.parse::<u128>().ok()?,
        Some([low, high]) => match (rest.strip_suffix(low.as_str()), rest.strip_suffix(high.as_str())) {
            (Some(n), _) => n.parse::<u128>().ok()? * 2,
            (_, Some(n)) => n.parse::<u128>().ok()? * 2 + 1,
            _ => return None,
        },
    };
    (index < file.count && index <= ones(file.index)).then_some(index)
}

pub(super) fn enums(cx: &Context<'_, '_>) -> Vec<Enum> {
    let mut list = Vec::new();
    for e in &cx.spec.enums {
        let otherwise = e.otherwise.as_ref().and_then(|t| {
            let found = [("{n}", false), ("{n:d}", false), ("{n:x}", true)].into_iter().find_map(|(place, is_hex)| {
                let (before, after) = t.value.split_once(place)?;
                Some(Otherwise { before: before.to_owned(), after: after.to_owned(), is_hex })
            });
            if found.is_none() {
                cx.error("name", "the text of other values contains their number: `SR{n}`, or in hexadecimal `SR{n:x}`", t.span);
            }
            found
        });
        let mut values: Vec<EnumValue> = Vec::new();
        let mut printed: HashMap<&str, u128> = HashMap::new();
        for v in e.values.iter().filter(|v| v.like.is_none()) {
            if let Some(other) = printed.get(v.text.value.as_str()) {
                let message = format!("the values {other} and {} have the same text, so it can't be read back", v.value);
                let help = format!("if that is so, say which of them is assembled: `{}: {{ like: {other} }}`", v.value);
                cx.report(Diagnostic::error("ambiguous-text", message, v.text.span).with_help(help));
            }
            printed.entry(&v.text.value).or_insert(v.value);
        }
        let mut read: HashMap<&str, u128> = HashMap::new();
        for v in &e.values {
            for also in &v.also {
                let text = also.value.as_str();
                if let Some(other) = printed.get(text).or_else(|| read.get(text)) {
                    cx.error("ambiguous-text", format!("`{text}` is a text of the value {other} already"), also.span);
                }
            }
            for also in &v.also {
                read.entry(&also.value).or_insert(v.value);
            }
            let like = v.like.and_then(|(like, span)| {
                let found = e.values.iter().find(|other| i128::try_from(other.value) == Ok(like) && other.like.is_none());
                if found.is_none() || !v.text.value.is_empty() || !v.also.is_empty() {
                    let message = match found {
                        None => format!("`{}` has no value {like} with a text of its own", e.name.value),
                        Some(_) => format!("the value {} prints what {like} prints: it has no text of its own", v.value),
                    };
                    cx.error("value", message, span);
                }
                found
            });
            values.push(EnumValue {
                value: v.value,
                text: like.map_or(&v.text, |like| &like.text).value.clone(),
                like: like.map(|like| like.value),
                also: v.also.iter().map(|t| t.value.clone()).collect(),
                name: v.name.clone(),
                note: v.note.clone(),
                doc: cx.doc(v.doc.as_ref()),
            });
        }
        list.push(Enum {
            name: e.name.value.clone(),
            values,
            otherwise,
            summary: e.summary.clone(),
            doc: cx.doc(e.doc.as_ref()),
            span: e.name.span,
        });
    }
    list
}

pub(super) fn formats(cx: &Context<'_, '_>) -> Vec<Format> {
    let formats = &cx.spec.formats;
    let mut list = Vec::new();
    for (name, part) in formats {
        let extends = part.extends.as_ref().and_then(|t| {
            let found = cx.formats.get(t.value.as_str()).copied();
            if found.is_none() {
                cx.unknown("format", &t.value, t.span, formats.iter().map(|(n, _)| n.value.as_str()));
            }
            found
        });
        list.push(Format {
            name: name.value.clone(),
            extends: extends.map(|i| FormatId(i as u32)),
            draws: part.layout.as_ref().is_some_and(|t| !matches!(lang::parse_layout(&t.value), Ok(lang::Layout::Split(_)))),
            summary: part.summary.clone(),
            notes: part.notes.clone(),
            doc: cx.doc(part.doc.as_ref()),
            errata: super::errata::errata(cx, &part.errata, None),
            span: name.span,
        });
    }
    report_cycles(cx, &list);
    list
}

/// Formats that extend themselves, and chains of them that are too long to follow for each instruction.
fn report_cycles(cx: &Context<'_, '_>, list: &[Format]) {
    // How many formats are above this one; none while they are counted.
    let mut above: Vec<Option<usize>> = vec![None; list.len()];
    for start in 0..list.len() {
        let (mut way, mut at) = (Vec::new(), Some(start));
        while let Some(i) = at.filter(|i| above[*i].is_none()) {
            if let Some(first) = way.iter().position(|w| *w == i) {
                let name = &list[i].name;
                let between: Vec<_> = way[first..].iter().map(|i: &usize| format!("`{}`", list[*i].name)).collect();
                let through = if between.len() > 1 { format!(": {}, `{name}`", between.join(", ")) } else { String::new() };
                cx.error("cycle", format!("format `{name}` extends itself{through}"), list[i].span);
                break;
            }
            way.push(i);
            if way.len() > MAX_CHAIN + 1 {
                break;
            }
            at = list[i].extends.map(FormatId::index);
        }
        let first = at.and_then(|i| above[i]).map_or(0, |n| n + 1);
        for (count, i) in (first..).zip(way.into_iter().rev()) {
            if count == MAX_CHAIN + 1 {
                let message = format!("`{}` extends more than {MAX_CHAIN} formats, one through the other", list[i].name);
                cx.error("too-large", message, list[i].span);
            }
            above[i] = Some(count);
        }
    }
}

/// A format extends so many others at most, one through the other.
pub(super) const MAX_CHAIN: usize = 100;

/// Definitions that nothing uses: probably a slip in a name.
pub(super) fn report_unused(cx: &Context<'_, '_>) {
    // With errors, what seems unused may stand in what could not be read.
    if cx.errors() {
        return;
    }
    let unplaced = cx.unplaced.borrow();
    let mut unplaced: Vec<_> = unplaced.iter().filter(|(span, _)| !cx.used.borrow().contains(span)).collect();
    unplaced.sort_by_key(|(span, _)| span.start);
    for (span, name) in unplaced {
        cx.error("no-bits", format!("nothing says where the bits of `{name}` are: no layout draws it"), *span);
    }
    let spec = cx.spec;
    let names = (spec.registers.iter().map(|r| ("register file", &r.name)))
        .chain(spec.enums.iter().map(|e| ("enumeration", &e.name)))
        .chain(spec.operands.iter().map(|o| ("operand", &o.0)))
        .chain(spec.choices.iter().map(|c| ("choice", &c.0)))
        .chain(spec.formats.iter().map(|f| ("format", &f.0)));
    for (what, name) in names {
        // What an included file offers need not all be used.
        if name.span.file == spec.span.file && !cx.used.borrow().contains(&name.span) {
            cx.report(Diagnostic::warning("unused", format!("nothing uses the {what} `{}`", name.value), name.span));
        }
    }
    report_unused_details(cx);
}

/// Definitions of conditions that nothing asks for, and sources that nothing refers to.
fn report_unused_details(cx: &Context<'_, '_>) {
    let spec = cx.spec;
    let is_used = |span| cx.used.borrow().contains(&span);
    for (_, part) in spec.formats.iter().chain(&spec.instructions) {
        for (name, text) in &part.define {
            if name.span.file == spec.span.file && !is_used(text.span) {
                let message = format!("nothing uses the definition `{}`", name.value);
                cx.report(Diagnostic::warning("unused", message, name.span));
            }
        }
    }
    let parts = spec.formats.iter().chain(&spec.instructions).chain(&spec.operands).map(|(_, part)| part);
    let alternatives = spec.choices.iter().flat_map(|(_, c)| c.alternatives.iter().map(|(_, part)| part));
    let errata = parts.chain(alternatives).flat_map(|part| &part.errata).chain(&spec.errata);
    let by: HashSet<&str> = errata.flat_map(|e| e.by.split(|c: char| !c.is_ascii_alphanumeric() && !"_-".contains(c))).collect();
    for source in spec.sources.iter().filter(|s| s.name.span.file == spec.span.file) {
        if !is_used(source.name.span) && !by.contains(source.name.value.as_str()) {
            let message = format!("nothing refers to the source `{}`", source.name.value);
            cx.report(Diagnostic::warning("unused", message, source.name.span));
        }
    }
}

/// A value as the number that a field of plain bits holds.
pub(super) fn plain_value(value: &Value) -> Option<u128> {
    match value {
        Value::Number(n) => n.to_u128(),
        _ => None,
    }
}
