//! The values of the bits of a field, and their texts.

use super::float::float;
use super::form::{Place, shown};
use crate::small::spec::{Meaning, Radix, Spec, Word};

impl Spec {
    /// The number that the bits of a field encode.
    pub(crate) fn number(&self, field: &Place, raw: Word) -> i64 {
        let width = field.bits.width();
        let all = (1i64 << width) - 1;
        let bits = if field.inverted { all - i64::from(raw) } else { i64::from(raw) };
        match &field.meaning {
            Meaning::Int { signed, scale, bias, .. } => {
                let plain = if *signed && bits > all / 2 { bits - all - 1 } else { bits };
                plain * scale + bias
            }
            // A number that no code has.
            Meaning::Code(code, _) => self.codes[*code].numbers[raw as usize].unwrap_or(-1),
            _ => bits,
        }
    }

    /// True if the bits of a field have a number.
    pub(crate) fn has_number(&self, field: &Place, raw: Word) -> bool {
        !matches!(field.meaning, Meaning::Code(..)) || self.is_allowed(field, raw)
    }

    /// True if the bits of a field are a register or a value of its enumeration.
    pub(crate) fn is_allowed(&self, field: &Place, raw: Word) -> bool {
        let number = || self.number(field, raw) as u32;
        match &field.meaning {
            Meaning::Register(file) => self.register(*file, number()).is_some(),
            Meaning::Enum(e) => self.enum_text(*e, number()).is_some(),
            Meaning::Code(code, _) => self.codes[*code].numbers[raw as usize].is_some(),
            _ => true,
        }
    }

    pub(crate) fn register(&self, file: usize, number: u32) -> Option<String> {
        let file = &self.registers[file];
        if let Some((whole, from)) = file.part {
            return self.register(whole, from + number);
        }
        if let Some((_, name)) = file.special.iter().find(|s| s.0 == number) {
            return Some(name.clone());
        }
        let (shown, half) = match &file.halves {
            Some(halves) => (number / 2, halves[number as usize % 2].as_str()),
            None => (number, ""),
        };
        file.count.is_none_or(|count| number < count).then(|| format!("{}{shown}{half}{}", file.prefix, file.suffix))
    }

    pub(crate) fn enum_text(&self, e: usize, number: u32) -> Option<String> {
        let e = &self.enums[e];
        let number = e.likes.iter().find(|like| like.0 == number).map_or(number, |like| like.1);
        let named = e.values.iter().find(|v| v.0 == number).map(|v| v.1.clone());
        let shown = if e.hex { format!("{number:#x}") } else { number.to_string() };
        named.or_else(|| e.other.as_ref().map(|[before, after]| format!("{before}{shown}{after}")))
    }

    /// The names of the generator for the numbers of a field whose registers programs name.
    pub(crate) fn names_of(&self, field: &Place) -> Option<Vec<String>> {
        let Meaning::Register(file) = &field.meaning else { return None };
        self.registers[*file].names?;
        Some((0..1 << field.bits.width()).filter_map(|n| self.register(*file, n)).collect())
    }

    /// The text of a field.
    pub(super) fn field_text(&self, field: &Place, raw: Word, radix: Option<Radix>) -> String {
        let number = self.number(field, raw);
        match &field.meaning {
            Meaning::Register(file) => self.register(*file, number as u32).unwrap_or_default(),
            Meaning::Enum(e) => self.enum_text(*e, number as u32).unwrap_or_default(),
            Meaning::Flag(text) => {
                if number != 0 {
                    text.clone()
                } else {
                    String::new()
                }
            }
            Meaning::Bitset(letters) => {
                letters.chars().enumerate().map(|(i, c)| if number >> i & 1 == 1 { c } else { '-' }).collect()
            }
            Meaning::Float(format) => float(u64::from(raw) << (format - field.bits.width()), *format),
            Meaning::Code(_, own) => {
                shown(number.into(), radix.or(*own).unwrap_or(if self.decimal { Radix::Dec } else { Radix::Hex }))
            }
            Meaning::Int { radix: own, modulo, .. } => {
                let radix = radix.or(*own).unwrap_or(if self.decimal { Radix::Dec } else { Radix::Hex });
                let number = i128::from(number);
                shown(modulo.map_or(number, |bits| number.rem_euclid(1 << bits)), radix)
            }
        }
    }

    /// The bits of a field that encode a number.
    pub(super) fn raw(&self, field: &Place, number: i64) -> Word {
        if let Meaning::Code(code, _) = &field.meaning {
            return self.codes[*code].bits(number).expect("the generator takes numbers that the code has");
        }
        let all = (1 << field.bits.width()) - 1;
        (0..=all).find(|raw| self.number(field, *raw) == number).expect("the generator takes values that the field has")
    }
}
