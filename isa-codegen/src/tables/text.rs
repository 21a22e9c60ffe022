//! From templates to operations that print: runs of pieces that depend on few bits become tables of ready strings.

use super::builder::{Builder, intern, intern_block, intern_rows, printed, short};
use super::decode::{ranges, runs, terms, test};
use isa_runtime::engine::Bits;
use isa_runtime::engine::tables as t;
use isa_runtime::value::Step;
use isa_spec::diag::Diagnostic;
use isa_spec::model::{Field, Form, Isa, Kind, Piece, Radix, When, Word, ones};
use isa_spec::spelling::Spelling;
use std::collections::HashMap;

/// A table of ready strings has at most so many bits of index.
const ENTRY_BITS: u32 = 9;

/// A ready string has at most so many bytes.
const ENTRY_BYTES: usize = 15;

/// So many pieces of a text, and so many bytes of it, are looked at together.
const RUN: usize = 12;

/// The operations that print some pieces.
pub(super) fn ops<W: Bits>(b: &mut Builder<'_, W>, form: &Form, pieces: &[Piece]) -> Result<t::Rows, Box<Diagnostic>> {
    let mut ops = Vec::new();
    emit(b, form, pieces, &mut ops)?;
    // Ready strings are copied one after the other; each says how many follow.
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

/// What is known of a piece.
struct About {
    /// The bits that its text depends on; none if it depends on more than bits.
    support: Option<Word>,
    /// Bytes of its longest text.
    longest: usize,
}

fn emit<W: Bits>(b: &mut Builder<'_, W>, form: &Form, pieces: &[Piece], ops: &mut Vec<t::Op>) -> Result<(), Box<Diagnostic>> {
    let pieces = cut(pieces);
    let about: Vec<About> = pieces
        .iter()
        .map(|p| About { support: support(form, p), longest: longest(b.isa, form, std::slice::from_ref(p)) })
        .collect();
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
            // Large tables are worth having alone, where others have them too; together with what stands beside them they are new.
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

/// What an operation of its own costs, beside one that copies a string.
fn single_cost(piece: &Piece) -> f64 {
    match piece {
        Piece::Literal(_) => 4.0,
        Piece::Field { .. } | Piece::Fixed(_) => 8.0,
        Piece::Group { body, .. } => 3.0 + body.iter().map(single_cost).sum::<f64>(),
        Piece::OneOf(_) => 0.0,
    }
}

/// How many bits of index a table over these bits has, if it can have them.
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
        // An address; or only in texts that are read.
        Piece::Fixed(_) | Piece::OneOf(_) => None,
    }
}

/// Bytes of the longest text of some pieces.
pub(super) fn longest(isa: &Isa, form: &Form, pieces: &[Piece]) -> usize {
    let of = |piece: &Piece| match piece {
        Piece::Literal(text) => text.len(),
        Piece::Field { field, radix } => longest_value(isa, &form.fields[*field], *radix),
        Piece::Fixed(field) => longest_value(isa, field, None),
        Piece::Group { body, .. } => longest(isa, form, body),
        Piece::OneOf(_) => 0,
    };
    pieces.iter().map(of).sum()
}

/// Bytes of the longest text of a field, in the style of a template if it has one.
pub(super) fn longest_value(isa: &Isa, field: &Field, style: Option<Radix>) -> usize {
    let is_partial = match &field.kind {
        Kind::Enum(id) => isa.enums[id.index()].otherwise.is_none(),
        kind => matches!(kind, Kind::Register(_)),
    };
    // Values that no word of the form has.
    let unknown = if is_partial { "?".len() + ones(field.code.width).to_string().len() } else { 0 };
    Spelling::of(isa, field, style).longest().max(unknown)
}

/// A table of the texts of some pieces, by the bits that they depend on.
fn table<W: Bits>(b: &mut Builder<'_, W>, form: &Form, pieces: &[Piece], support: Word) -> t::Op {
    let ranges = ranges(support).unwrap_or_default();
    let width: u32 = ranges.iter().map(|r| r.width()).sum();
    let mut fields = FieldTexts::new();
    list_texts(b.isa, form, pieces, &mut fields);
    let entries = (0..1usize << width).map(|at| {
        let mut rest = Word::from(at as u64);
        let word = ranges.iter().fold(Word::ZERO, |word, r| {
            let part = (rest & Word::ones(r.width())) << r.lo;
            rest >>= r.width();
            word | part
        });
        let mut text = String::new();
        print(form, pieces, &fields, word, &mut text);
        let mut entry = [0; ENTRY_BYTES + 1];
        debug_assert!(text.len() <= ENTRY_BYTES, "`{text}` is longer than its pieces can be");
        let len = text.len().min(ENTRY_BYTES);
        entry[..len].copy_from_slice(&text.as_bytes()[..len]);
        entry[ENTRY_BYTES] = len as u8;
        t::Entry::from_le_bytes(entry)
    });
    let entries = entries.collect();
    let base = intern_block(&mut b.entries, &mut b.out.entries, entries);
    let [first, second] = terms::<2>(&ranges);
    t::Op { kind: t::ENTRY, at: [first.at, second.at], mask: [first.mask, second.mask], base, ..t::Op::default() }
}

/// The texts of all bits of fields, by the field and its style.
type FieldTexts = HashMap<(usize, Option<Radix>), Vec<String>>;

/// Lists the texts of the fields of some pieces.
fn list_texts(isa: &Isa, form: &Form, pieces: &[Piece], texts: &mut FieldTexts) {
    for piece in pieces {
        match piece {
            Piece::Field { field, radix } => {
                texts.entry((*field, *radix)).or_insert_with(|| {
                    let field = &form.fields[*field];
                    let spelling = Spelling::of(isa, field, *radix);
                    // A word with such a value is refused; one that is only being explained may have it.
                    let text = |raw| spelling.text(raw).unwrap_or_else(|| format!("?{}", field.index(raw)));
                    (0..=ones(field.code.width)).map(text).collect()
                });
            }
            Piece::Group { body, .. } => list_texts(isa, form, body, texts),
            Piece::Literal(_) | Piece::Fixed(_) | Piece::OneOf(_) => {}
        }
    }
}

/// Appends the texts of some pieces, whose fields have these texts.
fn print(form: &Form, pieces: &[Piece], fields: &FieldTexts, word: Word, out: &mut String) {
    for piece in pieces {
        match piece {
            Piece::Literal(text) => out.push_str(text),
            Piece::Field { field, radix } => {
                let raw = form.fields[*field].bits.get(word) as usize;
                out.push_str(fields.get(&(*field, *radix)).and_then(|texts| texts.get(raw)).map_or("", String::as_str));
            }
            Piece::Group { when, body } => {
                let is_there = match when {
                    When::Differs(fields) => !form.at_default(fields).contains(word),
                    When::Holds(condition) => condition.words.contains(word),
                };
                if is_there {
                    print(form, body, fields, word, out);
                }
            }
            Piece::Fixed(_) | Piece::OneOf(_) => {}
        }
    }
}

/// A piece that no table has room for.
fn single<W: Bits>(b: &mut Builder<'_, W>, form: &Form, piece: &Piece, ops: &mut Vec<t::Op>) -> Result<(), Box<Diagnostic>> {
    match piece {
        Piece::Literal(_) => ops.push(table(b, form, std::slice::from_ref(piece), Word::ZERO)),
        Piece::Field { field, radix } => {
            if let Some(op) = plain(b.isa, &form.fields[*field], *radix) {
                ops.push(op);
                return Ok(());
            }
            let base = b.field(form, *field)?.into();
            ops.push(t::Op { kind: t::FIELD, radix: radix.map_or([0; 2], printed), base, ..t::Op::default() });
        }
        Piece::Fixed(field) => {
            let base = b.number_field(field)?.into();
            ops.push(t::Op { kind: t::FIELD, base, ..t::Op::default() });
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
fn plain(isa: &Isa, field: &Field, radix: Option<Radix>) -> Option<t::Op> {
    let Kind::Number(own) = &field.kind else { return None };
    let (is_signed, scale) = match field.code.steps() {
        [] => (false, 1),
        [Step::Sign] => (true, 1),
        [Step::Times(scale)] => (false, *scale),
        [Step::Sign, Step::Times(scale)] => (true, *scale),
        _ => return None,
    };
    let [range] = field.bits.0.as_slice() else { return None };
    let scale = u16::try_from(scale).ok().filter(|scale| *scale > 0)?;
    if let Radix::Float(_) = radix.or(*own).unwrap_or(isa.numbers) {
        return None;
    }
    let fits = range.hi / 64 == range.lo / 64 && range.width() + scale.ilog2() < 64;
    fits.then(|| t::Op {
        kind: t::PLAIN,
        at: [range.lo as u8, range.width() as u8],
        signed: is_signed.into(),
        mask: [scale, 0],
        radix: printed(radix.or(*own).unwrap_or(isa.numbers)),
        ..t::Op::default()
    })
}
