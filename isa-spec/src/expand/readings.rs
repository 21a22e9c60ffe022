//! Readings: numbers that are computed of fields, for texts and conditions.

use super::assembly::ReadingUse;
use super::conditions::{FormScope, Found, Renamed};
use super::context::{Context, MAX_NUMBERS};
use super::form::meaning;
use crate::diag::Diagnostic;
use crate::lang::{self, FieldEntry, ReadingEntry, ReadingOf, Sum, SyntaxFault};
use crate::model::{BitRange, Bits, Doc, Field, Isa, MAX_FIELD, Owner, Raw, Reading, Word, ones};
use isa_runtime::value::{Code, Map, Number, Step};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// Bits of the fields of a reading, of which all values are computed.
const MAX_BITS: u32 = 16;

/// Readings are computed of readings, so deep at most.
const MAX_DEPTH: usize = 32;

/// Bits of a number that is computed without a table.
const MAX_VALUE: u32 = 126;

/// Bits in which a number wraps that is computed without a table.
const MAX_WRAP: u32 = 64;

/// A width that means: as many bits as the fields of the reading have.
const AS_FIELDS: u32 = u32::MAX;

/// The meaning of a name in a reading.
#[derive(Clone)]
enum Part<'a> {
    Field(&'a Field),
    Reading(Arc<Reading>),
    /// A field that is fixed to these bits.
    Fixed(&'a Field, Raw),
}

impl Part<'_> {
    /// The bits in a word, how many there are, and their number.
    fn bits(&self, word: Word) -> (u32, Raw, Option<Number>) {
        let (field, bits) = match self {
            Self::Field(field) => (*field, field.bits.get(word)),
            Self::Reading(reading) => (&reading.field, reading.field.bits.get(word)),
            Self::Fixed(field, bits) => (*field, *bits),
        };
        (field.code.width, bits, field.code.shown(bits, 0))
    }
}

impl<'a> FormScope<'a> {
    /// A reading; `None` if it has an error, which was reported.
    pub(super) fn reading(&self, cx: &Context<'_, '_>, used: &ReadingUse) -> Option<Arc<Reading>> {
        if let Some(known) = self.resolved.readings.borrow().get(&used.path) {
            return known.clone();
        }
        if !self.resolved.open.borrow_mut().insert(used.path.clone()) {
            cx.error("cycle", format!("the reading `{}` is computed of itself", used.path), used.name.span);
            return None;
        }
        let depth = self.resolved.open.borrow().len();
        let reading = if depth > MAX_DEPTH {
            let message = format!("readings are computed of readings at most {MAX_DEPTH} deep");
            cx.error("too-large", message, used.name.span);
            None
        } else {
            self.read(cx, used).map(Arc::new)
        };
        self.resolved.open.borrow_mut().remove(&used.path);
        self.resolved.readings.borrow_mut().insert(used.path.clone(), reading.clone());
        reading
    }

    /// Visits the fields that a reading is computed from: each with the field of the other instruction that it replaces.
    pub(super) fn fields_of(
        &self,
        cx: &Context<'_, '_>,
        used: &ReadingUse,
        visit: &mut impl FnMut(Found<'a>, Option<&'a Renamed>),
    ) {
        let (mut open, mut seen) = (vec![used], HashSet::new());
        // One that is computed of itself is an error.
        let Some(_) = self.reading(cx, used) else { return };
        while let Some(used) = open.pop() {
            if !seen.insert(used.path.as_str()) {
                continue;
            }
            let Some(entry) = cx.parse(&cx.readings, &used.text, lang::parse_reading) else { continue };
            entry.of.each_name(&mut |name, _| match self.find(name, &used.prefix) {
                found @ (Found::Field(_) | Found::Fixed(..)) => visit(found, self.stands_for(name, &used.prefix)),
                Found::Reading(other) => open.push(other),
                Found::Define(_) | Found::Nothing => {}
            });
        }
    }

    fn read(&self, cx: &Context<'_, '_>, used: &ReadingUse) -> Option<Reading> {
        let text = &used.text;
        let mut fields = self.fields.iter().chain(self.fixed.iter().map(|(field, _)| field));
        if let Some(field) = fields.find(|field| field.path == used.path) {
            let d = Diagnostic::error("duplicate", format!("there is already a field `{}`", used.path), used.name.span);
            cx.report(d.with_label(field.span, "the field"));
            return None;
        }
        let entry = cx.parse(&cx.readings, text, lang::parse_reading)?;
        let mut names: Vec<(String, Range<usize>)> = Vec::new();
        entry.of.each_name(&mut |name, range| names.push((name.to_string(), range.clone())));
        let (mut parts, mut of): (Vec<(String, Part<'a>)>, Vec<usize>) = (Vec::new(), Vec::new());
        for (name, range) in names {
            if parts.iter().all(|(known, _)| *known != name) {
                let part = self.part(cx, used, &name, range, &mut of)?;
                parts.push((name, part));
            }
        }
        let width = self.width_of(cx, used, &entry)?;
        // The field that is named first is on top.
        let needed = width.map_or(ALL, ones);
        let bits = Bits(of.iter().flat_map(|index| demanded(&self.fields[*index], &entry.of, &parts, needed)).collect());
        let width = width.map(|width| if width == AS_FIELDS { bits.width().min(MAX_BITS) } else { width });
        let code = match self.plain_code(&entry, &bits, &parts) {
            Some(code) => code,
            None => {
                let map = self.table(cx, used, &entry, &bits, &parts, width)?;
                let is_same = |(raw, number): &(u16, u64)| u64::from(*raw) == *number;
                match map.numbers().len() == 1 << bits.width() && map.numbers().iter().all(is_same) {
                    true => Code::plain(bits.width()),
                    false => Code::mapped(bits.width(), map),
                }
            }
        };
        let number = width.unwrap_or(bits.width());
        let own = FieldEntry { meaning: entry.meaning.clone(), style: entry.style, ..FieldEntry::default() };
        let span = entry.meaning.as_ref().map_or(text.span, |(_, range)| text.at(range.clone()));
        let (label, spelling, _) = meaning(cx, self.isa, &own, number, text, span)?;
        let field = Field {
            path: used.path.clone(),
            name: used.name.value.clone(),
            owner: Owner::Instruction,
            bits,
            code,
            spelling,
            label,
            default: 0,
            has_default: false,
            doc: Doc::default(),
            summary: String::new(),
            note: String::new(),
            no_effect: None,
            rust_name: None,
            span: used.name.span,
        };
        Some(Reading { field, of, source: text.value.clone() })
    }

    /// The meaning of a name; a field is added to `of`, the fields that the reading is computed from.
    fn part(
        &self,
        cx: &Context<'_, '_>,
        used: &ReadingUse,
        name: &str,
        range: Range<usize>,
        of: &mut Vec<usize>,
    ) -> Option<Part<'a>> {
        let span = used.text.at(range);
        let mut add = |index: usize| {
            if !of.contains(&index) {
                of.push(index);
            }
        };
        let (field, part) = match self.find(name, &used.prefix) {
            Found::Field(index) => {
                add(index);
                (&self.fields[index], Part::Field(&self.fields[index]))
            }
            Found::Fixed(field, raw) => (field, Part::Fixed(field, raw)),
            Found::Reading(other) => {
                let other = self.reading(cx, other)?;
                other.of.iter().for_each(|index| add(*index));
                return Some(Part::Reading(other));
            }
            Found::Define(_) => {
                cx.error("meaning", format!("`{name}` is a condition, not a number"), span);
                return None;
            }
            Found::Nothing => {
                self.unknown(cx, name, &used.prefix, span);
                return None;
            }
        };
        let why = match () {
            () if self.isa.is_name(field) => "programs name this register: it has no number",
            () if field.is_target() => "a target is relative to the address of its word: it has no number here",
            () => return Some(part),
        };
        cx.error("meaning", why, span);
        None
    }

    /// Bits of the number that a meaning takes; `None` for a plain number.
    fn width_of(&self, cx: &Context<'_, '_>, used: &ReadingUse, entry: &ReadingEntry) -> Option<Option<u32>> {
        let Some((meaning, range)) = &entry.meaning else { return Some(None) };
        let span = used.text.at(range.clone());
        if entry.style.is_some() {
            cx.error("meaning", "only numbers are printed in another base", span);
            return None;
        }
        Some(Some(match meaning {
            lang::Meaning::Flag(_) => 1,
            lang::Meaning::Bitset(letters) => letters.chars().count() as u32,
            lang::Meaning::Name(name) => {
                let file = self.isa.registers.iter().find(|file| file.name == *name);
                let values = self.isa.enums.iter().find(|e| e.name == *name);
                match (file, values) {
                    (Some(file), _) => file.index,
                    // Numbers without a name have a text as well.
                    (_, Some(values)) if values.otherwise.is_some() => AS_FIELDS,
                    (_, Some(values)) => values.values.iter().map(|value| bits_for(value.value)).max().unwrap_or(1),
                    _ => {
                        let files = self.isa.registers.iter().map(|file| file.name.as_str());
                        let known = files.chain(self.isa.enums.iter().map(|e| e.name.as_str()));
                        cx.unknown("register file or enumeration", name, span, known);
                        return None;
                    }
                }
            }
            lang::Meaning::Unsigned | lang::Meaning::Signed => {
                let message = "a reading is a number by itself; `as` names a register file, an enumeration, a flag or a bitset";
                cx.error("meaning", message, span);
                return None;
            }
        }))
    }

    /// The code of a reading that needs no table: bits that are joined, and one field times a number plus a number.
    fn plain_code(&self, entry: &ReadingEntry, bits: &Bits, parts: &[(String, Part<'_>)]) -> Option<Code> {
        match &entry.of {
            ReadingOf::Joined(names) => {
                let is_all = names.len() == parts.len() && parts.iter().all(|(_, part)| matches!(part, Part::Field(_)));
                (is_all && bits.width() <= MAX_FIELD && entry.meaning.is_none()).then(|| Code::plain(bits.width()))
            }
            ReadingOf::Sum(sum) => {
                let (sum, modulo) = modulo(sum);
                let (times, plus) = linear(sum, parts)?;
                let fields = parts.iter().filter_map(|(_, part)| match part {
                    Part::Field(field) => Some(Some(*field)),
                    Part::Reading(_) => Some(None),
                    Part::Fixed(..) => None,
                });
                let field = match fields.collect::<Vec<_>>().as_slice() {
                    [Some(field)] if times != 0 => *field,
                    [] => return i64::try_from(plus).ok().filter(|_| entry.meaning.is_none()).map(Code::constant),
                    _ => return None,
                };
                let (times, plus) = (i64::try_from(times).ok()?, i64::try_from(plus).ok()?);
                let needed = bits.width() + Raw::from(times.unsigned_abs()).next_power_of_two().ilog2();
                let is_plain = field.code.map().is_none() && entry.meaning.is_none() && needed <= MAX_VALUE;
                let is_small = |n: i64| n.unsigned_abs() <= 1 << 62;
                (is_plain && is_small(times) && is_small(plus)).then(|| {
                    let code = field.code.value_code().then(Step::Times(times)).then(Step::Plus(plus));
                    code.then_all(modulo.map(Step::Modulo))
                })
            }
        }
    }

    /// The numbers of all bits.
    fn table(
        &self,
        cx: &Context<'_, '_>,
        used: &ReadingUse,
        entry: &ReadingEntry,
        bits: &Bits,
        parts: &[(String, Part<'_>)],
        width: Option<u32>,
    ) -> Option<Arc<Map>> {
        let text = &used.text;
        if bits.width() > MAX_BITS {
            let message =
                format!("this reading is computed for all bits of its fields, which have {}: {MAX_BITS} at most", bits.width());
            let help = "wider ones are `a ++ b`, or one field times a number plus a number, perhaps modulo a power of two";
            cx.report(Diagnostic::error("too-large", message, text.span).with_help(help));
            return None;
        }
        let mut names = 1;
        entry.of.each_name(&mut |_, _| names += 1);
        let room = cx.reading_room.get().saturating_sub(names << bits.width());
        cx.reading_room.set(room);
        if room == 0 {
            let message = format!("with this, the readings of all forms have more than {MAX_NUMBERS} numbers");
            cx.error("too-large", message, text.span);
            return None;
        }
        let part = |name: &str| parts.iter().find(|(known, _)| known == name).map(|(_, part)| part);
        let mut numbers = Vec::new();
        for raw in 0..1u128 << bits.width() {
            let word = bits.place(raw);
            let number = match &entry.of {
                ReadingOf::Joined(names) => names.iter().filter_map(|(name, _)| part(name)).try_fold(0i128, |all, part| {
                    let (width, bits, _) = part.bits(word);
                    all.checked_shl(width).map(|all| all | bits as i128)
                }),
                ReadingOf::Sum(sum) => match number_of(sum, word, &part) {
                    Ok(number) => number,
                    Err(fault) => {
                        cx.error("meaning", fault.message, text.at(fault.range));
                        return None;
                    }
                },
            };
            let number = match width {
                Some(width) => number.map(|number| (number as u128 & ones(width)) as u64).filter(|n| self.has_text(entry, *n)),
                None => number.and_then(|number| u64::try_from(number).ok()),
            };
            numbers.extend(number.map(|number| (raw as u16, number)));
        }
        let most = numbers.iter().map(|(_, number)| bits_for((*number).into())).max();
        let Some(most) = most else {
            cx.error("empty", format!("`{}` has no number, whatever its fields are", used.path), text.span);
            return None;
        };
        Some(Arc::new(Map::new(numbers, false).of_width(width.unwrap_or(most))))
    }

    /// Returns true if a number has a text by the meaning of a reading.
    fn has_text(&self, entry: &ReadingEntry, number: u64) -> bool {
        let Some((lang::Meaning::Name(name), _)) = &entry.meaning else { return true };
        let isa: &Isa = self.isa;
        let files = isa.registers.iter().filter(|file| file.name == *name).map(|file| &file.spelling);
        let enums = isa.enums.iter().filter(|e| e.name == *name).map(|e| &e.spelling);
        files.chain(enums).all(|spelling| spelling.has(number.into()))
    }
}

/// The bits of a field on which these bits of a reading depend, the highest first.
fn demanded(field: &Field, of: &ReadingOf, parts: &[(String, Part<'_>)], bits: u128) -> Vec<BitRange> {
    let mut mask = 0;
    for (name, part) in parts {
        mask |= match (part, of) {
            (Part::Field(own), ReadingOf::Sum(sum)) if std::ptr::eq(*own, field) && field.code.is_plain() => {
                demand(sum, name, bits)
            }
            (Part::Field(own), _) if !std::ptr::eq(*own, field) => 0,
            (Part::Fixed(..), _) => 0,
            (Part::Field(_), _) => ALL,
            (Part::Reading(reading), _) => field.bits.get(reading.field.bits.mask()),
        };
    }
    let mut ranges: Vec<BitRange> = Vec::new();
    for (_, place) in field.bits.places().into_iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1) {
        match ranges.last_mut() {
            Some(range) if range.hi + 1 == place => range.hi = place,
            _ => ranges.push(BitRange { hi: place, lo: place }),
        }
    }
    ranges.reverse();
    ranges
}

/// All bits of a number, however many it has.
const ALL: u128 = u128::MAX;

/// The bits of a name on which these bits of a sum depend.
fn demand(sum: &Sum, name: &str, bits: u128) -> u128 {
    // All bits up to the highest one that a carry can reach.
    let below = |bits: u128| if bits == 0 { 0 } else { ALL >> bits.leading_zeros() };
    match sum {
        Sum::Number(_) => 0,
        Sum::Name(own, _) => {
            if own == name {
                bits
            } else {
                0
            }
        }
        Sum::Negative(of, _) => demand(of, name, below(bits)),
        Sum::Binary(left, sign, right, _) => match (*sign, &**right) {
            ("&", Sum::Number(mask)) => demand(left, name, bits & *mask as u128),
            ("%", Sum::Number(n)) if *n > 0 && n.count_ones() == 1 => demand(left, name, bits & (*n as u128 - 1)),
            (">>", Sum::Number(n)) => {
                let moved = bits.checked_shl(u32::try_from(*n).unwrap_or(u32::MAX)).unwrap_or(0);
                demand(left, name, if bits == ALL { ALL & !ones(*n as u32) } else { moved })
            }
            ("<<", Sum::Number(n)) => demand(left, name, bits.checked_shr(u32::try_from(*n).unwrap_or(u32::MAX)).unwrap_or(0)),
            ("|" | "^" | "&", _) => demand(left, name, bits) | demand(right, name, bits),
            ("+" | "-" | "*", _) => demand(left, name, below(bits)) | demand(right, name, below(bits)),
            _ => demand(left, name, ALL) | demand(right, name, ALL),
        },
    }
}

/// The number for some bits of the fields; `None` where a field has none.
fn number_of<'p, 'f: 'p>(
    sum: &Sum,
    word: Word,
    part: &impl Fn(&str) -> Option<&'p Part<'f>>,
) -> Result<Option<i128>, SyntaxFault> {
    let mut is_undefined = false;
    sum.each_name(&mut |name, _| is_undefined |= part(name).is_some_and(|part| part.bits(word).2.is_none()));
    if is_undefined {
        return Ok(None);
    }
    let number = sum.number(&|name, range| {
        let number = part(name).and_then(|part| part.bits(word).2).and_then(Number::to_i128);
        number.ok_or_else(|| SyntaxFault::new(range.clone(), format!("the numbers of `{name}` are too large")))
    });
    number.map(Some)
}

/// The dividend of a remainder modulo a power of two, and the power; else the sum itself.
fn modulo(sum: &Sum) -> (&Sum, Option<u8>) {
    match sum {
        Sum::Binary(left, "%", right, _) => match **right {
            Sum::Number(n) if n > 1 && n.count_ones() == 1 && n <= 1 << MAX_WRAP => (left, Some(n.ilog2() as u8)),
            _ => (sum, None),
        },
        _ => (sum, None),
    }
}

/// A sum of one name that is not fixed as that name times a number plus a number.
fn linear(sum: &Sum, parts: &[(String, Part<'_>)]) -> Option<(i128, i128)> {
    match sum {
        Sum::Number(number) => Some((0, *number)),
        Sum::Name(name, _) => match &parts.iter().find(|(known, _)| known == name)?.1 {
            Part::Fixed(field, raw) => Some((0, field.code.value(*raw)?.to_i128()?)),
            Part::Field(_) | Part::Reading(_) => Some((1, 0)),
        },
        Sum::Negative(of, _) => linear(of, parts).and_then(|(times, plus)| Some((times.checked_neg()?, plus.checked_neg()?))),
        Sum::Binary(left, sign, right, _) => {
            let ((a, b), (c, d)) = (linear(left, parts)?, linear(right, parts)?);
            match *sign {
                "+" => Some((a.checked_add(c)?, b.checked_add(d)?)),
                "-" => Some((a.checked_sub(c)?, b.checked_sub(d)?)),
                "*" if a == 0 => Some((b.checked_mul(c)?, b.checked_mul(d)?)),
                "*" if c == 0 => Some((a.checked_mul(d)?, b.checked_mul(d)?)),
                "<<" if c == 0 && (0..=62).contains(&d) => Some((a.checked_mul(1 << d)?, b.checked_mul(1 << d)?)),
                _ => None,
            }
        }
    }
}

/// Bits that a number takes; one for 0.
fn bits_for(number: u128) -> u32 {
    (u128::BITS - number.leading_zeros()).max(1)
}
