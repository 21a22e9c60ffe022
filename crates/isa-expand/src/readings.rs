//! Readings: numbers that are computed from fields, for texts and conditions.
//!
//! The numbers of all bits are listed in a table. Sums of one field, and fields that are joined, have steps in place of it: the
//! same numbers, of more bits than a table can have.

use super::assembly::ReadingUse;
use super::conditions::{DeepReading, FormScope, Found, Renamed};
use super::context::{Context, MAX_NUMBERS};
use super::form::meaning;
use isa_model::diag::Diagnostic;
use isa_model::model::{BitRange, Bits, Doc, Field, Isa, MAX_FIELD, Owner, Raw, Reading, Word, ones};
use isa_runtime::value::{Code, Map, Number, Several, Step};
use isa_syntax::lang::{self, FieldEntry, ReadingEntry, ReadingOf, Sum, SyntaxFault};
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

/// Bits of the fields of a reading, of which all numbers are listed.
const MAX_BITS: u32 = 16;

/// The greatest depth of readings that are computed from each other.
const MAX_DEPTH: usize = 32;

/// Bits of a value that is computed by steps.
const MAX_VALUE: u32 = 126;

/// Bits to which such a value is reduced.
const MAX_WRAP: u32 = 64;

/// Two to this power is the greatest factor, and the greatest constant, of such a value.
const MAX_FACTOR: u32 = 62;

/// The meaning of a name in a reading.
#[derive(Clone)]
enum Part<'a> {
    Field(&'a Field),
    Reading(Arc<Reading>),
    /// A field that is fixed to these bits.
    Fixed(&'a Field, Raw),
}

/// The names in a reading, with their meanings.
type Parts<'a> = [(String, Part<'a>)];

impl Part<'_> {
    fn field(&self) -> &Field {
        match self {
            Self::Field(field) | Self::Fixed(field, _) => field,
            Self::Reading(reading) => &reading.field,
        }
    }

    fn raw(&self, word: Word) -> Raw {
        if let Self::Fixed(_, raw) = self { *raw } else { self.field().bits.get(word) }
    }

    /// Its number; that of a register of a part of a file is the one in the whole file.
    fn number(&self, isa: &Isa, word: Word) -> Option<Number> {
        let (field, raw) = (self.field(), self.raw(word));
        let number = if let Self::Reading(_) = self { field.code.shown(raw, 0) } else { field.code.value(raw) };
        number?.plus(i64::from(isa.first_of(field.label)).into())
    }

    /// The number of bits that `++` joins: those of a field, of the meaning of a reading, or of its greatest number; `None` if that
    /// can be below 0.
    fn width(&self) -> Option<u32> {
        match self {
            Self::Field(field) | Self::Fixed(field, _) => Some(field.code.width),
            Self::Reading(reading) => reading.width.or_else(|| widest(&reading.field.code)),
        }
    }

    /// The bits that `++` joins.
    fn joined(&self, word: Word) -> Option<Raw> {
        match self {
            Self::Field(_) | Self::Fixed(..) => Some(self.raw(word)),
            Self::Reading(reading) => reading.field.code.shown(self.raw(word), 0)?.to_u128(),
        }
    }
}

impl<'a> FormScope<'a> {
    /// A reading; `None` if it has an error, which was reported.
    pub(super) fn reading(&self, cx: &Context<'_, '_>, used: &ReadingUse) -> Option<Arc<Reading>> {
        self.reading_and_depth(cx, used).map(|(reading, _)| reading)
    }

    /// The same, with its depth.
    fn reading_and_depth(&self, cx: &Context<'_, '_>, used: &ReadingUse) -> Option<DeepReading> {
        if let Some(known) = self.resolved.readings.borrow().get(&used.path) {
            return known.clone();
        }
        if !self.resolved.open.borrow_mut().insert(used.path.clone()) {
            cx.error("cycle", format!("the reading `{}` is computed from itself", used.path), used.name.span);
            return None;
        }
        let is_deep = self.resolved.open.borrow().len() > MAX_DEPTH;
        let mut reading = if is_deep { None } else { self.read(cx, used).map(|(reading, depth)| (Arc::new(reading), depth)) };
        if is_deep || reading.as_ref().is_some_and(|(_, depth)| *depth > MAX_DEPTH) {
            cx.error("too-large", format!("readings are computed from readings at most {MAX_DEPTH} deep"), used.name.span);
            reading = None;
        }
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
        // One that is computed from itself is an error.
        if self.reading(cx, used).is_some() {
            self.visit_fields(cx, used, visit);
        }
    }

    fn visit_fields(&self, cx: &Context<'_, '_>, used: &ReadingUse, visit: &mut impl FnMut(Found<'a>, Option<&'a Renamed>)) {
        let (mut open, mut seen) = (vec![used], HashSet::new());
        while let Some(used) = open.pop() {
            if !seen.insert(used.path.as_str()) {
                continue;
            }
            let Some(entry) = cx.parse(&cx.parsed.readings, &used.text, lang::parse_reading) else { continue };
            entry.of.each_name(&mut |name, _| match self.find(name, &used.prefix) {
                found @ (Found::Field(_) | Found::Fixed(..)) => visit(found, self.stands_for(name, &used.prefix)),
                Found::Reading(other) => open.push(other),
                Found::Define(_) | Found::Nothing => {}
            });
        }
    }

    /// A reading, and its depth.
    fn read(&self, cx: &Context<'_, '_>, used: &ReadingUse) -> Option<(Reading, usize)> {
        let text = &used.text;
        let mut fields = self.fields.iter().chain(self.fixed.iter().map(|(field, _)| field));
        if let Some(field) = fields.find(|field| field.path == used.path) {
            let d = Diagnostic::error("duplicate", format!("there is already a field `{}`", used.path), used.name.span);
            cx.report(d.with_label(field.span, "the field"));
            return None;
        }
        let entry = cx.parse(&cx.parsed.readings, text, lang::parse_reading)?;
        let mut names: Vec<(String, Range<usize>)> = Vec::new();
        entry.of.each_name(&mut |name, range| names.push((name.to_string(), range.clone())));
        let (mut parts, mut of, mut depth): (Vec<(String, Part<'a>)>, Vec<usize>, usize) = (Vec::new(), Vec::new(), 1);
        for (name, range) in names {
            if parts.iter().all(|(known, _)| *known != name) {
                let part = self.part(cx, used, &name, range.clone(), (&mut of, &mut depth))?;
                if let ReadingOf::Joined(_) = &entry.of
                    && part.width().is_none()
                {
                    let message = format!("`{name}` can be below 0: it has no bits to join");
                    cx.error("meaning", message, text.at(range));
                    return None;
                }
                parts.push((name, part));
            }
        }
        let width = self.width_of(cx, used, &entry)?;
        let (bits, code) = match self.steps(&entry, &parts) {
            Some(found) => found,
            None => self.listed(cx, used, &entry, (&of, &parts), width)?,
        };
        let is_enum = |name: &str| self.isa.enums.iter().any(|e| e.name == name);
        let number = match &entry.meaning {
            // Values that no bits have are no error.
            Some((lang::Meaning::Name(name), _)) if is_enum(name) => MAX_FIELD,
            _ => width.unwrap_or(bits.width()),
        };
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
        Some((Reading { field, of, width, source: text.value.clone() }, depth))
    }

    /// The meaning of a name. A field is added to the fields that the reading is computed from; its depth grows to that of a reading
    /// and one more.
    fn part(
        &self,
        cx: &Context<'_, '_>,
        used: &ReadingUse,
        name: &str,
        range: Range<usize>,
        (of, depth): (&mut Vec<usize>, &mut usize),
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
                let (other, below) = self.reading_and_depth(cx, other)?;
                *depth = (*depth).max(below + 1);
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
                    (_, Some(values)) if values.otherwise.is_some() => self.bits_of_fields(cx, used),
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

    /// Bits of all fields that a reading is computed from, those that are fixed included.
    fn bits_of_fields(&self, cx: &Context<'_, '_>, used: &ReadingUse) -> u32 {
        let mut widths: BTreeMap<&str, u32> = BTreeMap::new();
        self.visit_fields(cx, used, &mut |found, _| {
            let field = match found {
                Found::Field(index) => &self.fields[index],
                Found::Fixed(field, _) => field,
                Found::Define(_) | Found::Reading(_) | Found::Nothing => return,
            };
            widths.insert(&field.path, field.code.width);
        });
        widths.values().sum::<u32>().min(Raw::BITS - 1)
    }

    /// The bits and the code of a number by steps, if it is one of these: bits that are joined, and a sum of one field.
    fn steps(&self, entry: &ReadingEntry, parts: &Parts<'_>) -> Option<(Bits, Code)> {
        if entry.meaning.is_some() {
            return None;
        }
        match &entry.of {
            ReadingOf::Joined(names) => joined(names, parts),
            ReadingOf::Sum(sum) => {
                self.sum(sum, parts).filter(Affine::is_small).map(|affine| (affine.bits.clone(), affine.code()))
            }
        }
    }

    /// A sum of one field, whatever its factor and its constant are; of more bits than a table can have, also modulo a power of two.
    fn sum(&self, sum: &Sum, parts: &Parts<'_>) -> Option<Affine> {
        let (sum, modulo) = modulo(sum);
        let (times, plus) = linear(self.isa, sum, parts)?;
        let mut open = parts.iter().map(|(_, part)| part).filter(|part| !matches!(part, Part::Fixed(..)));
        let part = match (open.next(), open.next(), times) {
            (None, _, _) if modulo.is_none() => {
                return Some(Affine { bits: Bits(Vec::new()), own: Code::plain(0), times: 1, plus, modulo });
            }
            (Some(part), None, 1..) | (Some(part), None, ..=-1) => part,
            _ => return None,
        };
        let own = match part {
            Part::Reading(reading) => reading.field.code.clone(),
            Part::Field(field) | Part::Fixed(field, _) => field.code.value_code(),
        };
        let affine = Affine { bits: part.field().bits.clone(), own, times, plus, modulo };
        let affine = affine.demanded()?;
        (affine.own.map().is_none() && affine.own.modulo().is_none()).then_some(affine)
    }

    /// The bits on which a number depends, and the numbers of all their values.
    fn listed(
        &self,
        cx: &Context<'_, '_>,
        used: &ReadingUse,
        entry: &ReadingEntry,
        (of, parts): (&[usize], &Parts<'_>),
        width: Option<u32>,
    ) -> Option<(Bits, Code)> {
        let text = &used.text;
        let needed = width.map_or(ALL, ones);
        // The field that is named first is on top.
        let bits = Bits(of.iter().flat_map(|index| demanded(self.isa, &self.fields[*index], &entry.of, parts, needed)).collect());
        if bits.width() > MAX_BITS {
            let is_affine = matches!(&entry.of, ReadingOf::Sum(sum) if entry.meaning.is_none() && self.sum(sum, parts).is_some());
            let help = "wider ones are `a ++ b`, or one field times a number plus a number, perhaps modulo a power of two";
            let d = if is_affine {
                let message = format!("the factor or the constant of this reading of {} bits is too large", bits.width());
                let help = format!(
                    "of more than {MAX_BITS} bits, a factor and a constant are at most 2^{MAX_FACTOR}, with or without a sign, and \
                     a number has at most {MAX_VALUE} bits"
                );
                Diagnostic::error("too-large", message, text.span).with_help(help)
            } else {
                let message = format!(
                    "this reading is computed for all bits of its fields, which have {}: {MAX_BITS} at most",
                    bits.width()
                );
                Diagnostic::error("too-large", message, text.span).with_help(help)
            };
            cx.report(d);
            return None;
        }
        let mut names = 1;
        entry.of.each_name(&mut |_, _| names += 1);
        let room = cx.budget.reading_room.get().saturating_sub(names << bits.width());
        cx.budget.reading_room.set(room);
        if room == 0 {
            let message = format!("with this, the readings of all forms have more than {MAX_NUMBERS} numbers");
            cx.error("too-large", message, text.span);
            return None;
        }
        let part = |name: &str| parts.iter().find(|(known, _)| known == name).map(|(_, part)| part);
        let joined: Vec<(&Part<'_>, u32)> = match &entry.of {
            ReadingOf::Joined(names) => names.iter().filter_map(|(name, _)| Some((part(name)?, part(name)?.width()?))).collect(),
            ReadingOf::Sum(_) => Vec::new(),
        };
        let mut numbers: Vec<(u16, i128)> = Vec::new();
        for raw in 0..1u128 << bits.width() {
            let word = bits.place(raw);
            let number = match &entry.of {
                ReadingOf::Joined(_) => joined
                    .iter()
                    .try_fold(0u128, |all, (part, width)| {
                        all.checked_mul(1u128.checked_shl(*width)?).map(|all| Some(all | part.joined(word)?))?
                    })
                    .map(|all| all as i128),
                ReadingOf::Sum(sum) => match number_of(self.isa, sum, word, &part) {
                    Ok(number) => number,
                    Err(fault) => {
                        cx.error("meaning", fault.message, text.at(fault.range));
                        return None;
                    }
                },
            };
            let number = number.map(|number| width.map_or(number, |width| (number as u128 & ones(width)) as i128));
            numbers.extend(number.map(|number| (raw as u16, number)));
        }
        let ends = |of: fn(&[i128]) -> Option<&i128>| of(&numbers.iter().map(|(_, number)| *number).collect::<Vec<_>>()).copied();
        let (least, greatest) = (ends(|all| all.iter().min()).unwrap_or(0), ends(|all| all.iter().max()).unwrap_or(0));
        let most: i128 = if least < 0 { i64::MAX.into() } else { u64::MAX.into() };
        if least < i128::from(i64::MIN) || greatest > most {
            let message = format!("the numbers of this reading are from {least} to {greatest}: they have 64 bits at most");
            cx.error("too-large", message, text.span);
            return None;
        }
        let is_same = |(raw, number): &(u16, i128)| i128::from(*raw) == *number;
        if numbers.len() == 1 << bits.width() && numbers.iter().all(is_same) {
            let code = Code::plain(bits.width());
            return Some((bits, code));
        }
        let width = width.unwrap_or_else(|| bits_for(greatest.unsigned_abs())).min(u64::BITS);
        let code = Code::mapped(bits.width(), Arc::new(Map::new(numbers, Several::Nearest).of_width(width)));
        Some((bits, code))
    }
}

/// Bits of the greatest number of a code; `None` if a number is below 0.
fn widest(code: &Code) -> Option<u32> {
    if code.width <= MAX_BITS {
        let mut numbers = (0..1u128 << code.width).filter_map(|raw| code.shown(raw, 0));
        let most = numbers.try_fold(0, |most, number| Some(number.to_u128()?.max(most)));
        return most.map(bits_for);
    }
    let [least, greatest] = code.range();
    match code.modulo() {
        None => greatest.to_u128().filter(|_| !least.negative).map(bits_for),
        Some(bits) => {
            // Without a multiple of the modulus between them, all numbers are as far from one.
            let turn = |number: Number| Some(number.to_i128()? >> bits);
            Some(if turn(least)? == turn(greatest)? { bits_for(greatest.low() & ones(bits)) } else { bits })
        }
    }
}

/// A field times a number plus a number, perhaps modulo a power of two.
struct Affine {
    bits: Bits,
    /// The code of the field's number.
    own: Code,
    times: i128,
    plus: i128,
    modulo: Option<u8>,
}

impl Affine {
    /// The same number of those bits on which it depends, if no two values of these have the same number.
    fn demanded(self) -> Option<Self> {
        let Some(bits) = self.modulo else { return Some(self) };
        let needed = ones(bits.into());
        let needed = demanded_raw(&self.own, below(needed) >> self.times.trailing_zeros());
        let (places, width, low) = (self.bits.places(), self.own.width, needed.count_ones());
        if needed == ones(width) {
            let zeros = self.times.trailing_zeros() + self.own.scale().trailing_zeros();
            return (width + zeros <= bits.into()).then_some(self);
        }
        if needed != ones(low) {
            return None;
        }
        // Of low bits alone, the sign is none, and neither are steps of higher bits.
        let is_there = |step: &Step| match step {
            Step::Sign => false,
            Step::Flip(bit) => u32::from(*bit) < low,
            _ => true,
        };
        let steps = self.own.value_steps().iter().copied().filter(is_there);
        let bits = ranges(&places[..low as usize]);
        Some(Self { bits: Bits(bits), own: Code::plain(low).then_all(steps), ..self })
    }

    /// True if steps can compute it.
    fn is_small(&self) -> bool {
        let is_small = |n: Option<i128>| n.is_some_and(|n| n.unsigned_abs() <= 1 << MAX_FACTOR);
        let scale = i128::from(self.own.scale()).checked_mul(self.times);
        let bias = i128::from(self.own.bias()).checked_mul(self.times).and_then(|bias| bias.checked_add(self.plus));
        let needed = self.own.width + scale.map_or(0, |scale| scale.unsigned_abs().next_power_of_two().ilog2());
        let is_same = self.own.value_steps().iter().all(|step| step.is_of_bits()) && (self.times, self.plus) == (1, 0);
        is_small(scale)
            && is_small(bias)
            && is_small(Some(self.times))
            && is_small(Some(self.plus))
            && (is_same || needed <= MAX_VALUE)
    }

    fn code(self) -> Code {
        let code = self.own.then(Step::Times(self.times as i64)).then(Step::Plus(self.plus as i64));
        code.then_all(self.modulo.map(Step::Modulo))
    }
}

/// The bits and the code of names that are joined, if the bits are those of fields, and of fixed ones before or after them all.
fn joined(names: &[(String, Range<usize>)], parts: &Parts<'_>) -> Option<(Bits, Code)> {
    let (mut bits, mut low, mut fixed) = (Vec::new(), 0, 0u128);
    for (i, (name, _)) in names.iter().enumerate() {
        let part = &parts.iter().find(|(known, _)| known == name)?.1;
        let width = part.width()?;
        fixed = fixed.checked_mul(1u128.checked_shl(width)?)?;
        match part {
            Part::Fixed(_, raw) => {
                fixed |= raw;
                low += if bits.is_empty() { 0 } else { width };
            }
            Part::Reading(reading) if reading.field.code != Code::plain(width) => return None,
            Part::Field(_) | Part::Reading(_) if low > 0 || names[..i].iter().any(|(other, _)| other == name) => return None,
            Part::Field(_) | Part::Reading(_) => bits.extend(part.field().bits.0.iter().copied()),
        }
    }
    let bits = Bits(bits);
    let affine = Affine {
        own: Code::plain(bits.width()),
        bits,
        times: 1i128.checked_shl(low)?,
        plus: fixed.try_into().ok()?,
        modulo: None,
    };
    (affine.own.width <= MAX_FIELD && affine.is_small()).then(|| (affine.bits.clone(), affine.code()))
}

/// The bits of a field on which these bits of a reading depend, the highest first.
fn demanded(isa: &Isa, field: &Field, of: &ReadingOf, parts: &Parts<'_>, bits: u128) -> Vec<BitRange> {
    let mut mask = 0;
    for (name, part) in parts {
        mask |= match (part, of) {
            (Part::Field(own), ReadingOf::Sum(sum)) if std::ptr::eq(*own, field) => {
                let bits = demand(sum, name, bits);
                demanded_raw(&field.code, if isa.first_of(field.label) > 0 { below(bits) } else { bits })
            }
            (Part::Field(own), _) if !std::ptr::eq(*own, field) => 0,
            (Part::Fixed(..), _) => 0,
            (Part::Field(_), _) => ALL,
            (Part::Reading(reading), _) => field.bits.get(reading.field.bits.mask()),
        };
    }
    let places = field.bits.places().into_iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
    ranges(&places.map(|(_, place)| place).collect::<Vec<_>>())
}

/// The ranges of bits at these places, of which the least significant comes first.
fn ranges(places: &[u32]) -> Vec<BitRange> {
    let mut ranges: Vec<BitRange> = Vec::new();
    for place in places.iter().copied() {
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

/// All bits up to the highest one: those from which a carry can reach one of them.
fn below(bits: u128) -> u128 {
    if bits == 0 { 0 } else { ALL >> bits.leading_zeros() }
}

/// The bits of a field on which these bits of its value depend.
fn demanded_raw(code: &Code, bits: u128) -> u128 {
    let all = ones(code.width);
    let demand = |bits: u128, step: &Step| match step {
        Step::Plus(_) => below(bits),
        Step::Times(factor) => below(bits) >> factor.trailing_zeros(),
        // The sign is all bits from there on.
        Step::Sign if bits & !(all >> 1) != 0 => bits | all & !(all >> 1),
        Step::Sign | Step::Not | Step::Flip(_) => bits,
        _ => ALL,
    };
    if code.map().is_some() { all } else { code.value_steps().iter().rev().fold(bits, demand) & all }
}

/// The bits of a name on which these bits of a sum depend.
fn demand(sum: &Sum, name: &str, bits: u128) -> u128 {
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
                let by = u32::try_from(*n).unwrap_or(u32::MAX);
                let moved = bits.checked_shl(by).unwrap_or(0);
                // Bits that no field has are the sign.
                let sign = if bits.leading_zeros() < by { 1 << (Raw::BITS - 1) } else { 0 };
                demand(left, name, if bits == ALL { ALL & !ones(by) } else { moved | sign })
            }
            ("<<", Sum::Number(n)) => demand(left, name, bits.checked_shr(u32::try_from(*n).unwrap_or(u32::MAX)).unwrap_or(0)),
            ("|" | "^" | "&", _) => demand(left, name, bits) | demand(right, name, bits),
            ("*", _) if bits != ALL => {
                let zeros = |of: &Sum| if let Sum::Number(n) = of { n.trailing_zeros() } else { 0 };
                let times = |of: &Sum, by: &Sum| demand(of, name, below(bits).checked_shr(zeros(by)).unwrap_or(0));
                times(left, right) | times(right, left)
            }
            ("+" | "-" | "*", _) => demand(left, name, below(bits)) | demand(right, name, below(bits)),
            _ => demand(left, name, ALL) | demand(right, name, ALL),
        },
    }
}

/// The number for some bits of the fields; `None` where a field has none.
fn number_of<'p, 'f: 'p>(
    isa: &Isa,
    sum: &Sum,
    word: Word,
    part: &impl Fn(&str) -> Option<&'p Part<'f>>,
) -> Result<Option<i128>, SyntaxFault> {
    let mut is_undefined = false;
    sum.each_name(&mut |name, _| is_undefined |= part(name).is_some_and(|part| part.number(isa, word).is_none()));
    if is_undefined {
        return Ok(None);
    }
    let number = sum.number(&|name, range| {
        let number = part(name).and_then(|part| part.number(isa, word)).and_then(Number::to_i128);
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
fn linear(isa: &Isa, sum: &Sum, parts: &Parts<'_>) -> Option<(i128, i128)> {
    match sum {
        Sum::Number(number) => Some((0, *number)),
        Sum::Name(name, _) => {
            let part = &parts.iter().find(|(known, _)| known == name)?.1;
            match part {
                Part::Fixed(..) => Some((0, part.number(isa, Word::ZERO)?.to_i128()?)),
                Part::Field(_) | Part::Reading(_) => Some((1, isa.first_of(part.field().label).into())),
            }
        }
        Sum::Negative(of, _) => {
            linear(isa, of, parts).and_then(|(times, plus)| Some((times.checked_neg()?, plus.checked_neg()?)))
        }
        Sum::Binary(left, sign, right, _) => {
            let ((a, b), (c, d)) = (linear(isa, left, parts)?, linear(isa, right, parts)?);
            match *sign {
                "+" => Some((a.checked_add(c)?, b.checked_add(d)?)),
                "-" => Some((a.checked_sub(c)?, b.checked_sub(d)?)),
                "*" if a == 0 => Some((b.checked_mul(c)?, b.checked_mul(d)?)),
                "*" if c == 0 => Some((a.checked_mul(d)?, b.checked_mul(d)?)),
                "<<" if c == 0 && (0..=i128::from(MAX_FACTOR)).contains(&d) => {
                    Some((a.checked_mul(1 << d)?, b.checked_mul(1 << d)?))
                }
                _ => None,
            }
        }
    }
}

/// Bits that a number takes; one for 0.
fn bits_for(number: u128) -> u32 {
    (u128::BITS - number.leading_zeros()).max(1)
}
