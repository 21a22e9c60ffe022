//! From templates to operations that print: runs of pieces that depend on few bits become tables of ready strings.

use super::builder::{Builder, intern, intern_block, intern_rows, short};
use super::decode::{ranges, runs, terms, test};
use super::shown::{Shown, shown};
use super::values::printed;
use isa_check::text_graph::{TextGraph, Way};
use isa_model::bits::BitRange;
use isa_model::diag::Diagnostic;
use isa_model::model::{Field, Form, Piece, When, Word, ones};
use isa_runtime::engine::tables as t;
use isa_runtime::value::{Numbered, Other, Part, Role, Spelling, Step, Style};

/// The greatest number of index bits of a table of ready strings.
const ENTRY_BITS: u32 = 9;

/// The greatest length of a ready string, in bytes.
const ENTRY_BYTES: usize = 15;

/// The greatest number of pieces of a text that are combined.
const RUN: usize = 12;

/// The operations that print some pieces.
pub(super) fn ops(b: &mut Builder<'_>, form: &Form, pieces: &[Piece]) -> Result<t::Rows, Box<Diagnostic>> {
    let mut ops = Vec::new();
    emit(b, form, pieces, &mut ops)?;
    // Ready strings are copied one after the other; each has the number of those that follow.
    let mut run = 0;
    for op in ops.iter_mut().rev() {
        match op.kind {
            t::ENTRY => {
                op.skip = run;
                run += 1;
            }
            _ => run = 0,
        }
    }
    Ok(intern_rows(&mut b.ops, &mut b.out.ops, ops))
}

/// Properties of a piece.
struct About {
    /// The bits that its text depends on; none if it depends on more than bits.
    support: Option<Word>,
    /// Bytes of its longest text.
    longest: usize,
}

fn emit(b: &mut Builder<'_>, form: &Form, pieces: &[Piece], ops: &mut Vec<t::Op>) -> Result<(), Box<Diagnostic>> {
    let pieces = cut(pieces);
    let about: Vec<About> =
        pieces.iter().map(|p| About { support: support(form, p), longest: longest(form, std::slice::from_ref(p)) }).collect();
    // The cheapest way to print all from each piece on, and how many pieces it takes together.
    let mut best: Vec<(f64, usize)> = vec![(0.0, 0); pieces.len() + 1];
    for at in (0..pieces.len()).rev() {
        let mut choice = (single_cost(&pieces[at]) + best[at + 1].0, 0);
        let (mut support, mut bytes) = (Word::ZERO, 0);
        for count in 1..=RUN.min(pieces.len() - at) {
            let piece = &about[at + count - 1];
            let Some(more) = piece.support else { break };
            support |= more;
            bytes += piece.longest;
            let Some(bits) = entry_bits(support).filter(|_| bytes <= ENTRY_BYTES) else { break };
            // Keep large tables apart, so that forms can share them.
            let is_large = bits > 5 && count > 1;
            let cost = 1.0 + f64::from(1u32 << bits) / 1024.0 + if is_large { 1.0 } else { 0.0 } + best[at + count].0;
            if cost <= choice.0 {
                choice = (cost, count);
            }
        }
        best[at] = choice;
    }
    let mut at = 0;
    while at < pieces.len() {
        let count = best[at].1;
        if count == 0 {
            single(b, form, &pieces[at], ops)?;
        } else {
            let support = about[at..at + count].iter().fold(Word::ZERO, |all, a| all | a.support.unwrap_or_default());
            ops.push(table(b, form, &pieces[at..at + count], support));
        }
        at += count.max(1);
    }
    Ok(())
}

/// Pieces whose literals fit a ready string each.
fn cut(pieces: &[Piece]) -> Vec<Piece> {
    let mut all = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Literal(text) => {
                let mut rest = text.as_str();
                while !rest.is_empty() {
                    let mut end = rest.len().min(ENTRY_BYTES);
                    while !rest.is_char_boundary(end) {
                        end -= 1;
                    }
                    all.push(Piece::Literal(rest[..end].to_owned()));
                    rest = &rest[end..];
                }
            }
            other => all.push(other.clone()),
        }
    }
    all
}

/// The cost of an operation of its own, relative to one that copies a string.
fn single_cost(piece: &Piece) -> f64 {
    match piece {
        Piece::Literal(_) => 4.0,
        Piece::Field { .. } | Piece::Reading(_) => 8.0,
        Piece::Group { body, .. } => 3.0 + body.iter().map(single_cost).sum::<f64>(),
        Piece::OneOf(_) => 0.0,
    }
}

/// The number of index bits of a table over these bits, if it can have them.
fn entry_bits(support: Word) -> Option<u32> {
    let bits = ranges(support)?.iter().map(|r| r.width()).sum();
    (bits <= ENTRY_BITS).then_some(bits)
}

/// The bits that a piece's text depends on, if they are few and nothing else matters.
fn support(form: &Form, piece: &Piece) -> Option<Word> {
    match piece {
        Piece::Literal(_) => Some(Word::ZERO),
        Piece::Field { field: index, .. } => {
            let field = &form.fields[*index];
            let is_elsewhere = form.names.iter().any(|n| n.field == *index);
            (!is_elsewhere && !field.is_target()).then_some(field.bits.mask())
        }
        Piece::Group { when, body } => {
            let when = match when {
                When::Differs(fields) => form.at_default(fields).mask,
                When::Holds(condition) => condition.words.support(),
            };
            body.iter().try_fold(when, |all, piece| Some(all | support(form, piece)?))
        }
        Piece::Reading(reading) => (!reading.field.is_target()).then(|| reading.field.bits.mask()),
        // Only in texts that are read.
        Piece::OneOf(_) => None,
    }
}

/// Bytes of the longest text of some pieces.
pub(super) fn longest(form: &Form, pieces: &[Piece]) -> usize {
    let of = |piece: &Piece| match piece {
        Piece::Literal(text) => text.len(),
        Piece::Field { .. } | Piece::Reading(_) => {
            piece.shown(&form.fields).map_or(0, |(field, spelling)| longest_value(field, spelling))
        }
        Piece::Group { body, .. } => longest(form, body),
        Piece::OneOf(_) => 0,
    };
    pieces.iter().map(of).sum()
}

/// Bytes of the longest text of a field that is spelt so.
pub(super) fn longest_value(field: &Field, spelling: &Spelling) -> usize {
    let graph = TextGraph::of(&field.code, spelling);
    let longest = |(part, ways): (&Part, &Vec<Way<'_>>)| {
        let most = field.code.range()[1].magnitude.max(if field.code.map().is_some() { ones(field.code.width) } else { 0 });
        let most = part.of.map_or(most, |bits| ones(bits.width.into()));
        let way = |way: &Way<'_>| way.tokens.iter().map(|token| token.longest()).sum();
        let way = ways.iter().map(way).max().unwrap_or(0);
        let digits = most.to_string().len();
        // Without the names that programs give, example names are printed.
        let example = match &part.other {
            Some(Other::Given { example: Numbered { before, halves, after, .. }, .. }) => {
                let half = halves.iter().flatten().map(String::len).max().unwrap_or(0);
                before.len() + digits + half + after.len()
            }
            _ => 0,
        };
        // Numbers that no word of the form has.
        let unknown = match field.code.map() {
            // Bits without a number are printed as they are.
            Some(_) => "0x".len() + digits,
            None if is_total(part, most) => 0,
            None => "?".len() + digits,
        };
        way.max(example).max(unknown)
    };
    spelling.parts.iter().zip(&graph.parts).map(longest).sum()
}

/// Returns true if all numbers up to `most` have a text.
fn is_total(part: &Part, most: u128) -> bool {
    let names = || part.names.iter().filter(|name| name.role != Role::Read && name.number <= most).count() as u128;
    match &part.other {
        Some(other) => other.numbered().and_then(|numbered| numbered.end).is_none_or(|end| end > most),
        None => names() > most,
    }
}

/// A table of the texts of some pieces, by the bits that they depend on.
fn table(b: &mut Builder<'_>, form: &Form, pieces: &[Piece], support: Word) -> t::Op {
    let ranges = ranges(support).unwrap_or_default();
    let [first, second] = terms::<2>(&ranges);
    let shown = shown(&mut b.texts, form, pieces);
    let base = match b.tables.get(&shown) {
        Some(base) => *base,
        None => {
            let entries = entries(&shown, &ranges);
            let base = intern_block(&mut b.entries, &mut b.out.entries, entries);
            b.tables.insert(shown, base);
            base
        }
    };
    t::Op { kind: t::ENTRY, at: [first.at, second.at], mask: [first.mask, second.mask], base, ..t::Op::default() }
}

/// The texts of some pieces for all values of the bits that they depend on.
fn entries(shown: &[Shown], ranges: &[BitRange]) -> Vec<t::Entry> {
    let width: u32 = ranges.iter().map(|r| r.width()).sum();
    let entry = |at: usize| {
        let mut rest = Word::from(at as u64);
        let word = ranges.iter().fold(Word::ZERO, |word, r| {
            let part = (rest & Word::ones(r.width())) << r.lo;
            rest >>= r.width();
            word | part
        });
        let mut text = String::new();
        shown.iter().for_each(|piece| piece.print(word, &mut text));
        let mut entry = [0; ENTRY_BYTES + 1];
        debug_assert!(text.len() <= ENTRY_BYTES, "`{text}` is longer than its pieces can be");
        let len = text.len().min(ENTRY_BYTES);
        entry[..len].copy_from_slice(&text.as_bytes()[..len]);
        entry[ENTRY_BYTES] = len as u8;
        t::Entry::from_le_bytes(entry)
    };
    (0..1usize << width).map(entry).collect()
}

/// Appends the operations of a piece that is not in a table of ready strings.
fn single(b: &mut Builder<'_>, form: &Form, piece: &Piece, ops: &mut Vec<t::Op>) -> Result<(), Box<Diagnostic>> {
    match piece {
        Piece::Literal(_) => ops.push(table(b, form, std::slice::from_ref(piece), Word::ZERO)),
        Piece::Field { field, spelling } => {
            if let Some(op) = plain(&form.fields[*field], spelling) {
                ops.push(op);
                return Ok(());
            }
            let base = b.field(form, *field)?.into();
            ops.push(t::Op { kind: t::FIELD, spelling: b.spelling(spelling), base, ..t::Op::default() });
        }
        Piece::Reading(reading) => {
            let field = &reading.field;
            if let Some(op) = plain(field, &field.spelling) {
                ops.push(op);
                return Ok(());
            }
            let base = b.reading(field)?.into();
            ops.push(t::Op { kind: t::FIELD, spelling: b.spelling(&field.spelling), base, ..t::Op::default() });
        }
        Piece::Group { when, body } => {
            let (kind, base) = match when {
                When::Differs(fields) => (t::UNLESS_DIFFERS, b.cube(form.at_default(fields))),
                When::Holds(condition) => {
                    let support = condition.words.support();
                    match ranges(support).filter(|_| entry_bits(support).is_some() && !runs(support).is_empty()) {
                        Some(ranges) => {
                            let test = test(b, &ranges, &condition.words);
                            (t::UNLESS_TEST, intern(&mut b.tests, &mut b.out.tests, test))
                        }
                        None => (t::UNLESS_SET, b.set(&condition.words)),
                    }
                }
            };
            let at = ops.len();
            ops.push(t::Op { kind, base, ..t::Op::default() });
            emit(b, form, body, ops)?;
            ops[at].skip = short(ops.len() - at - 1, "operations of a group", b.isa)?;
        }
        Piece::OneOf(_) => {}
    }
    Ok(())
}

/// The operation that prints a number, if it is one of 64 bits in one limb.
fn plain(field: &Field, spelling: &Spelling) -> Option<t::Op> {
    let style = spelling.style().filter(|style| !matches!(style, Style::Float(_)))?;
    let (is_signed, scale) = match field.code.steps() {
        _ if field.code.map().is_some() => return None,
        [] => (false, 1),
        [Step::Sign] => (true, 1),
        [Step::Times(scale)] => (false, *scale),
        [Step::Sign, Step::Times(scale)] => (true, *scale),
        _ => return None,
    };
    let [range] = field.bits.0.as_slice() else { return None };
    let scale = u16::try_from(scale).ok().filter(|scale| *scale > 0)?;
    let fits = range.hi / 64 == range.lo / 64 && range.width() + scale.ilog2() < 64;
    fits.then(|| t::Op {
        kind: t::PLAIN,
        at: [range.lo as u8, range.width() as u8],
        signed: is_signed.into(),
        mask: [scale, u16::from_le_bytes(printed(style))],
        ..t::Op::default()
    })
}
