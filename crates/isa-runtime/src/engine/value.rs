//! The numbers of fields.

use super::Bits;
use super::decode::ones;
use super::tables::{BELOW_ZERO, Code, Common, DIGITS, FLOAT, Field, Part, REGISTER, TAKES_GREATEST, TAKES_NEAREST, Tables};
use crate::value::{FloatStyle, Map, Number, Several, Step, Style, number_of, word_bits};
use core::cmp::Ordering;

impl Part {
    /// The style of other numbers, if these are in digits alone.
    #[inline]
    pub(super) fn style(&self) -> Option<Style> {
        (self.other == DIGITS).then_some(match self.radix {
            FLOAT => Style::Float(FloatStyle { format: self.digits, digits: self.precision }),
            16 if self.digits > 1 => Style::PaddedHex(self.digits),
            16 => Style::Hex,
            _ if self.digits > 1 => Style::Padded(self.digits),
            _ => Style::Dec,
        })
    }
}

impl Code {
    /// A number of the map.
    #[inline]
    fn number(&self, number: u64) -> i128 {
        if self.flags & BELOW_ZERO == 0 { number.into() } else { (number as i64).into() }
    }
}

impl<'a> Common<'a> {
    /// The way from the bits of a field to its number.
    #[inline]
    fn code(&self, field: &Field) -> Code {
        self.codes.get(field.code as usize).unwrap_or_default()
    }

    /// The number of some bits, if the numbers are listed; the bits themselves if they have none.
    #[inline]
    fn listed(&self, code: &Code, raw: u128) -> Option<Number> {
        if code.map.len == 0 {
            return None;
        }
        let map = self.mapped.slice(code.map);
        let (mut low, mut high) = (0, map.len());
        while low < high {
            let middle = (low + high) / 2;
            let row = map.get(middle).unwrap_or_default();
            match raw.cmp(&row.bits.into()) {
                Ordering::Less => high = middle,
                Ordering::Greater => low = middle + 1,
                Ordering::Equal => return Some(code.number(row.number).into()),
            }
        }
        Some(raw.into())
    }

    /// The numbers of all bits of a field that have one, if they are listed.
    pub(super) fn map_of(&self, field: &Field) -> Option<Map> {
        let code = self.code(field);
        let rows = self.mapped.slice(code.map).iter().map(|row| (row.bits, code.number(row.number)));
        let several = match code.flags & (TAKES_GREATEST | TAKES_NEAREST) {
            0 => Several::Least,
            TAKES_GREATEST => Several::Greatest,
            _ => Several::Nearest,
        };
        (code.map.len > 0).then(|| Map::new(rows, several))
    }

    /// Bits of the numbers of a field, before they are scaled; listed numbers count as having the largest width.
    #[inline]
    pub(super) fn number_width(&self, field: &Field) -> u32 {
        if self.code(field).map.len > 0 { u64::BITS } else { field.width.into() }
    }

    /// The steps from the bits of a field to its number.
    #[inline]
    pub fn steps_of(&self, field: &Field) -> impl Iterator<Item = Step> + use<'a> {
        self.code_steps.slice(self.code(field).steps).iter().map(|step| Step::from_parts(step.kind, step.by))
    }

    /// The number that a text shows for some bits of a field in a word at `address`; the bits, if it has more than 128.
    #[inline]
    pub fn shown(&self, field: &Field, raw: u128, address: u64) -> Number {
        let code = self.code(field);
        if code.steps.len == 0 {
            return self.listed(&code, raw).unwrap_or(raw.into());
        }
        number_of(self.steps_of(field), raw, field.width.into(), address).unwrap_or(raw.into())
    }

    /// The value of a field in conditions, from its bits: the value of a target is the distance from the word. The bits, if it
    /// has more than 128.
    #[inline]
    pub fn value_of(&self, field: &Field, raw: u128) -> Number {
        let code = self.code(field);
        if code.steps.len == 0 {
            return self.listed(&code, raw).unwrap_or(raw.into());
        }
        let steps = self.steps_of(field).take_while(|step| !step.is_shown());
        number_of(steps, raw, field.width.into(), 0).unwrap_or(raw.into())
    }

    /// The bits of a field that encode a value, if there are any.
    pub fn bits_of(&self, field: &Field, value: Number) -> Option<u128> {
        if let Some(map) = self.map_of(field) {
            return map.bits(value.to_i128()?).next().map(u128::from);
        }
        let ones = ones(field.width.into());
        let steps = self.code_steps.slice(self.code(field).steps).iter().rev().map(|step| Step::from_parts(step.kind, step.by));
        let raw = steps.filter(|step| !step.is_shown()).try_fold(value, |number, step| match step {
            Step::Plus(more) => number.plus(-Number::from(more)),
            Step::Times(factor) => number.divide(factor).map(|(quotient, _)| quotient),
            step if step.is_of_bits() => Some(word_bits(&[step], number.low(), field.width.into()).into()),
            _ => Some(number),
        });
        raw.map(|raw| raw.low() & ones).filter(|raw| self.value_of(field, *raw) == value)
    }

    /// Returns true if the number of a field is the distance from its word to an address.
    pub fn is_target(&self, field: &Field) -> bool {
        self.steps_of(field).any(|step| matches!(step, Step::Relative(_)))
    }

    /// Returns true if that distance is the same at all addresses: not a distance between pages.
    pub fn is_distance(&self, field: &Field) -> bool {
        self.is_target(field) && !self.steps_of(field).any(|step| matches!(step, Step::Page(_)))
    }

    /// The bits of a field with the same meaning as those of another field.
    pub(crate) fn same_bits(&self, (one, raw): (&Field, u128), other: &Field) -> Option<u128> {
        let offset = |field: &Field| {
            let first = self.registers.get(field.of as usize).filter(|_| field.label == REGISTER).map_or(0, |file| file.from);
            let shown = self.steps_of(field).filter_map(|step| if let Step::Relative(by) = step { Some(by) } else { None });
            shown.fold(i64::from(first), i64::wrapping_add)
        };
        let moved = Number::from(i128::from(offset(one)) - i128::from(offset(other)));
        let number = self.value_of(one, raw).plus(moved)?;
        let modulo =
            |field: &Field| self.steps_of(field).find_map(|step| if let Step::Modulo(bits) = step { Some(bits) } else { None });
        let Some(bits) = modulo(one).or(modulo(other)) else { return self.bits_of(other, number) };
        // A number with the same text.
        let turn = Number::from(1u128 << bits.min(64));
        let positive = number.low() & (turn.low() - 1);
        let near = [number, positive.into(), Number::from(positive).plus(-turn)?];
        near.into_iter().find_map(|number| self.bits_of(other, number))
    }
}

impl<W: Bits> Tables<'_, W> {
    /// The value of a field of a word in conditions, as [`Common::value_of`] has it.
    #[inline]
    pub fn value(&self, field: &Field, word: W) -> Number {
        self.value_of(field, self.gather(field.ranges, word))
    }

    /// The value of a field if it is never negative, as that of a register, an enumeration or a flag.
    #[inline]
    pub fn index(&self, field: &Field, word: W) -> u128 {
        self.value(field, word).low()
    }
}
