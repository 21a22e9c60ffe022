//! Readings: numbers that are computed of fields, for texts and conditions.

use super::assembly::ReadingUse;
use super::conditions::{FormScope, Found};
use super::context::Context;
use super::form::meaning;
use crate::diag::Diagnostic;
use crate::lang::{self, FieldEntry, ReadingEntry, ReadingOf, Sum, SyntaxFault};
use crate::model::{BitRange, Bits, Doc, Field, Isa, MAX_FIELD, Owner, Raw, Reading, ones};
use isa_runtime::value::{Code, Map, Number, Step};
use std::ops::Range;
use std::sync::Arc;

/// Bits of the fields of a reading, of which all values are computed.
const MAX_BITS: u32 = 16;

/// Bits of a number that is computed without a table.
const MAX_VALUE: u32 = 126;

/// What a name in a reading is.
#[derive(Clone, Copy)]
enum Part<'a> {
    /// The field with this index, and where its bits begin in those of the reading.
    Field(&'a Field, u32),
    /// A field that is fixed to these bits.
    Fixed(&'a Field, Raw),
}

impl Part<'_> {
    /// The field, and its bits where the reading has these.
    fn bits(self, raw: Raw) -> (usize, Raw, Option<Number>) {
        let (field, bits) = match self {
            Self::Field(field, lo) => (field, raw >> lo & ones(field.bits.width())),
            Self::Fixed(field, bits) => (field, bits),
        };
        (field.bits.width() as usize, bits, field.code.value(bits))
    }
}

impl<'a> FormScope<'a> {
    /// A reading; `None` if it has an error, which was reported.
    pub(super) fn reading(&self, cx: &Context<'_, '_>, used: &ReadingUse) -> Option<Arc<Reading>> {
        if let Some(known) = self.resolved.readings.borrow().get(&used.path) {
            return known.clone();
        }
        let reading = self.read(cx, used).map(Arc::new);
        self.resolved.readings.borrow_mut().insert(used.path.clone(), reading.clone());
        reading
    }

    fn read(&self, cx: &Context<'_, '_>, used: &ReadingUse) -> Option<Reading> {
        let text = &used.text;
        let entry = cx.parse(&cx.readings, text, lang::parse_reading)?;
        let mut names: Vec<(String, Range<usize>)> = Vec::new();
        match &entry.of {
            ReadingOf::Joined(all) => names.clone_from(all),
            ReadingOf::Sum(sum) => sum.each_name(&mut |name, range| names.push((name.to_string(), range.clone()))),
        }
        let (mut parts, mut of): (Vec<(String, Part<'a>)>, Vec<usize>) = (Vec::new(), Vec::new());
        for (name, range) in names {
            if parts.iter().all(|(known, _)| *known != name) {
                let part = self.part(cx, used, &name, range, &mut of)?;
                parts.push((name, part));
            }
        }
        if of.is_empty() {
            cx.error("meaning", format!("`{}` is computed of no field", used.path), text.span);
            return None;
        }
        // The field that is named first is on top.
        let bits = Bits(of.iter().flat_map(|index| self.fields[*index].bits.0.clone()).collect::<Vec<BitRange>>());
        let mut lo = bits.width();
        for index in &of {
            lo -= self.fields[*index].bits.width();
            let is_it = |part: &Part<'_>| matches!(part, Part::Field(field, _) if std::ptr::eq(*field, &self.fields[*index]));
            parts.iter_mut().filter(|(_, part)| is_it(part)).for_each(|(_, part)| *part = Part::Field(&self.fields[*index], lo));
        }
        let width = self.width_of(cx, used, &entry)?;
        let code = match self.plain_code(&entry, &bits, &parts) {
            Some(code) => code,
            None => Code::mapped(bits.width(), self.table(cx, used, &entry, &bits, &parts, width)?),
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
            rust_name: None,
            span: used.name.span,
        };
        Some(Reading { field, of, source: text.value.clone() })
    }

    /// What a name is; a field is added to those `of` which the reading is computed.
    fn part(
        &self,
        cx: &Context<'_, '_>,
        used: &ReadingUse,
        name: &str,
        range: Range<usize>,
        of: &mut Vec<usize>,
    ) -> Option<Part<'a>> {
        let span = used.text.at(range);
        let (field, part) = match self.find(name, &used.prefix) {
            Found::Field(index) => {
                if !of.contains(&index) {
                    of.push(index);
                }
                (&self.fields[index], Part::Field(&self.fields[index], 0))
            }
            Found::Fixed(field, raw) => (field, Part::Fixed(field, raw)),
            Found::Define(_) | Found::Reading(_) => {
                cx.error("meaning", format!("a reading is computed of fields, and `{name}` is none"), span);
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
                    (_, Some(values)) => {
                        values.values.iter().map(|value| bits_for(value.value.into())).max().unwrap_or(1)
                    }
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
                let is_all = names.len() == parts.len() && parts.iter().all(|(_, part)| matches!(part, Part::Field(..)));
                (is_all && bits.width() <= MAX_FIELD && entry.meaning.is_none()).then(|| Code::plain(bits.width()))
            }
            ReadingOf::Sum(sum) => {
                let [(_, Part::Field(field, _))] = parts else { return None };
                let (times, plus) = linear(sum).filter(|(times, _)| *times != 0)?;
                let (times, plus) = (i64::try_from(times).ok()?, i64::try_from(plus).ok()?);
                let needed = bits.width() + Raw::from(times.unsigned_abs()).next_power_of_two().ilog2();
                let is_plain = field.code.map().is_none() && entry.meaning.is_none() && needed <= MAX_VALUE;
                let is_small = |n: i64| n.unsigned_abs() <= 1 << 62;
                (is_plain && is_small(times) && is_small(plus))
                    .then(|| field.code.value_code().then(Step::Times(times)).then(Step::Plus(plus)))
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
            let message = format!(
                "this reading is computed for all bits of its fields, which have {}: {MAX_BITS} at most",
                bits.width()
            );
            let help = "wider ones are `a ++ b`, or one field times a number plus a number";
            cx.report(Diagnostic::error("too-large", message, text.span).with_help(help));
            return None;
        }
        let part = |name: &str| parts.iter().find(|(known, _)| known == name).map(|(_, part)| *part);
        let mut numbers = Vec::new();
        for raw in 0..1u128 << bits.width() {
            let number = match &entry.of {
                ReadingOf::Joined(names) => names.iter().filter_map(|(name, _)| part(name)).try_fold(0i128, |all, part| {
                    let (width, bits, _) = part.bits(raw);
                    all.checked_shl(width as u32).map(|all| all | bits as i128)
                }),
                ReadingOf::Sum(sum) => match number_of(sum, raw, &part) {
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

/// The number for some bits of the fields; `None` where a field has none.
fn number_of<'f>(sum: &Sum, raw: Raw, part: &impl Fn(&str) -> Option<Part<'f>>) -> Result<Option<i128>, SyntaxFault> {
    let mut is_undefined = false;
    sum.each_name(&mut |name, _| is_undefined |= part(name).is_some_and(|part| part.bits(raw).2.is_none()));
    if is_undefined {
        return Ok(None);
    }
    let number = sum.number(&|name, range| {
        let number = part(name).and_then(|part| part.bits(raw).2).and_then(Number::to_i128);
        number.ok_or_else(|| SyntaxFault::new(range.clone(), format!("the numbers of `{name}` are too large")))
    });
    number.map(Some)
}

/// A sum of one name as that name times a number plus a number.
fn linear(sum: &Sum) -> Option<(i128, i128)> {
    match sum {
        Sum::Number(number) => Some((0, *number)),
        Sum::Name(..) => Some((1, 0)),
        Sum::Negative(of, _) => linear(of).and_then(|(times, plus)| Some((times.checked_neg()?, plus.checked_neg()?))),
        Sum::Binary(left, sign, right, _) => {
            let ((a, b), (c, d)) = (linear(left)?, linear(right)?);
            match *sign {
                "+" => Some((a.checked_add(c)?, b.checked_add(d)?)),
                "-" => Some((a.checked_sub(c)?, b.checked_sub(d)?)),
                "*" if a == 0 => Some((b.checked_mul(c)?, b.checked_mul(d)?)),
                "*" if c == 0 => Some((a.checked_mul(d)?, b.checked_mul(d)?)),
                _ => None,
            }
        }
    }
}

/// Bits that a number takes; one for 0.
fn bits_for(number: u128) -> u32 {
    (u128::BITS - number.leading_zeros()).max(1)
}
