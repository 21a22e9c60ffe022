//! Words: their lengths, how documents divide them, and holes with a name.

use super::conditions;
use super::context::Context;
use isa_model::diag::Diagnostic;
use isa_model::model::{Bits, Hole, Length, MAX_FIELD, Region, Word, Words, ones};
use isa_model::sets::{Cube, Order, Solver, TooLarge, WordSet};
use isa_model::span::{Span, Text};
use isa_syntax::lang::{self, Value};
use isa_syntax::read::{HoleDecl, WordDecl};

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
                Diagnostic::error("duplicate", format!("the length {bits} is given twice"), *span)
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
            cx.error("length", format!("{bits} bits is not a length of words"), *span);
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

/// The regions into which the documents divide the first unit: every unit belongs to one region.
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
            cx.error("no-words", "a text-only instruction set has no stream to divide", decl.name.span);
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

fn hole(cx: &Context<'_, '_>, words: &Words, decl: &HoleDecl) -> Option<Hole> {
    let length = match (decl.length, words.lengths.as_slice()) {
        (Some((bits, span)), lengths) => {
            if !lengths.iter().any(|l| l.bits == bits) {
                cx.error("length", format!("{bits} bits is not a length of words"), span);
                return None;
            }
            bits
        }
        (None, [only]) => only.bits,
        (None, _) => {
            cx.error("length", format!("`{}` does not have a length: `length: 32`", decl.name.value), decl.name.span);
            return None;
        }
    };
    let mut cube = Cube::ALL;
    for (key, text) in &decl.fix {
        let list = cx.parse(&cx.parsed.bit_lists, key, lang::parse_bit_list)?;
        let bits = Bits(list.iter().map(|(range, _)| *range).collect());
        let value = cx.parse(&cx.parsed.values, text, lang::parse_value)?;
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

/// A value as the number that a field of plain bits holds.
pub(super) fn plain_value(value: &Value) -> Option<u128> {
    match value {
        Value::Number(n) => n.to_u128(),
        _ => None,
    }
}
