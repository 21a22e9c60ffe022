//! Numbers in digits, floating-point numbers, and names of places in a program.

use super::super::Bits;
use super::super::decode::ones;
use super::super::tables::OCTAL;
use super::attempt::Attempt;
use super::ready::{Field, Numbers, Ready, Way};
use super::statement::{Symbol, label_name};
use super::task::{Task, is_word};
use crate::float_text::{self, FloatText};
use crate::value::{FloatStyle, Style};
use crate::why::{Expected, Wrong};
use alloc::string::ToString;
use core::ops::Range;

/// The digits that a text begins with.
pub(super) struct Digits {
    /// The number, if it fits; 0 if there are none.
    pub(super) magnitude: Option<u128>,
    pub(super) count: usize,
    pub(super) is_lower: bool,
}

impl Digits {
    /// The number of one digit or more, if it fits.
    pub(super) fn number(&self) -> Option<u128> {
        self.magnitude.filter(|_| self.count > 0)
    }

    pub(super) fn new(text: &[u8], radix: u32) -> Self {
        let (mut is_lower, is_hex, last) = (true, radix == 16, b'0' + radix.min(10) as u8 - 1);
        let mut digit = |c: u8| match c {
            b'0'..=b'9' => (c <= last).then_some(c - b'0'),
            b'a'..=b'f' if is_hex => Some(c - b'a' + 10),
            b'A'..=b'F' if is_hex => {
                is_lower = false;
                Some(c - b'A' + 10)
            }
            _ => None,
        };
        let mut rest = text.iter().copied().map_while(&mut digit).fuse();
        let (mut low, mut count) = (0u64, 0);
        // 15 digits fit 64 bits.
        for digit in rest.by_ref().take(15) {
            low = low * u64::from(radix) + u64::from(digit);
            count += 1;
        }
        let mut magnitude = Some(u128::from(low));
        for digit in rest {
            magnitude = magnitude.and_then(|m| m.checked_mul(radix.into())?.checked_add(digit.into()));
            count += 1;
        }
        Self { magnitude, count, is_lower }
    }
}

impl<W: Bits> Attempt<W> {
    /// The one way to read a number.
    pub(super) fn number(
        &mut self,
        tables: &Ready<'_, W>,
        task: &Task<'_>,
        field: &Field<W>,
        code: &Numbers,
        style: Style,
        at: usize,
    ) -> Option<Way> {
        let text = task.rest(at);
        if let Style::Float(style) = style
            && !text.starts_with(b"0x")
        {
            return self.float(tables, task, field, code, style, at);
        }
        let sign = usize::from(matches!(text.first(), Some(b'-' | b'+')));
        let is_negative = text.first() == Some(&b'-');
        let unsigned = &text[sign..];
        let is_hex = unsigned.starts_with(b"0x") || unsigned.starts_with(b"0X");
        let skip = if is_hex { 2 } else { 0 };
        let all = &unsigned[skip..];
        let Digits { magnitude, count, is_lower } = Digits::new(all, if is_hex { 16 } else { 10 });
        let end = at + sign + skip + count;
        if count == 0 {
            let expected = || if code.relative.is_some() { Expected::Address } else { Expected::Number };
            // An undefined label has an error of its own.
            if code.relative.is_none() || label_name(task.text.get(at..).unwrap_or_default()).is_empty() {
                self.notes.fail(task, at, expected);
            }
            return None;
        }
        if all.get(count).is_some_and(|c| is_word(*c)) {
            self.notes.fail(task, end, || Expected::EndOfNumber);
            return None;
        }
        let shown = || task.text[at..end].to_string();
        // If numbers are padded with zeros, leading zeros say nothing about the radix.
        let least = usize::from(style.least());
        let is_padded = matches!(style, Style::Padded(2..));
        let magnitude = match !is_hex && !is_padded && has_leading_zero(&all[..count]) {
            true => self.with_leading_zero(tables, task, &all[..count], at..end)?,
            false => magnitude,
        };
        let Some(magnitude) = magnitude else {
            self.notes.wrong(task, at, end, || Wrong::TooLarge { shown: shown() });
            return None;
        };
        let width = code.code.width;
        let is_unsigned = (code.scale, code.bias) == (1, 0) && !code.is_signed;
        let raw = if width > 126 && is_unsigned && !is_negative {
            (magnitude <= ones(width)).then(|| code.word_bits(magnitude))?
        } else {
            let Ok(value) = i128::try_from(magnitude) else {
                self.notes.wrong(task, at, end, || Wrong::TooLarge { shown: shown() });
                return None;
            };
            let value = if is_negative { -value } else { value };
            self.encode(tables, task, field, code, style, value, at..end)?
        };
        // Checks that it is written as it is printed: the same sign, size, radix and digits.
        let is_padded =
            if least <= 1 { count == 1 || all[0] != b'0' } else { count == least || (count > least && all[0] != b'0') };
        let is_printed = is_lower
            && style.is_hex() == is_hex
            && !text.starts_with(b"+")
            && unsigned.get(1) != Some(&b'X')
            && is_padded
            && code.shown(raw, task.address) == (is_negative, magnitude);
        Some(Way { raw, open: 0, end, is_printed })
    }

    /// A number that begins with `0`: octal if the instruction set has such numbers, else refused. The number, if it fits.
    #[cold]
    pub(super) fn with_leading_zero(
        &mut self,
        tables: &Ready<'_, W>,
        task: &Task<'_>,
        digits: &[u8],
        at: Range<usize>,
    ) -> Option<Option<u128>> {
        let octal = Digits::new(digits, 8);
        let is_octal = octal.count == digits.len();
        if tables.head().flags & OCTAL != 0 && is_octal {
            return Some(octal.magnitude);
        }
        self.notes.wrong(task, at.start, at.end, || {
            let shown = task.text[at.clone()].to_string();
            match tables.head().flags & OCTAL != 0 {
                true => Wrong::NotOctal { shown },
                false => Wrong::LeadingZero { shown, octal: octal.magnitude.filter(|_| is_octal) },
            }
        });
        None
    }

    fn float(
        &mut self,
        tables: &Ready<'_, W>,
        task: &Task<'_>,
        field: &Field<W>,
        code: &Numbers,
        style: FloatStyle,
        at: usize,
    ) -> Option<Way> {
        let end = at + float_text::length(task.rest(at));
        if end == at {
            self.notes.fail(task, at, || Expected::Number);
            return None;
        }
        if task.rest(end).first().is_some_and(|c| is_word(*c)) {
            self.notes.fail(task, end, || Expected::EndOfNumber);
            return None;
        }
        let shown = task.text.get(at..end)?;
        let Some(bits) = float_text::parse(shown, style.format.into()) else {
            self.notes.wrong(task, at, end, || Wrong::TooLarge { shown: shown.to_string() });
            return None;
        };
        let is_printed = FloatText::new(bits, style).as_str() == shown;
        if let Some(map) = code.code.map() {
            let alike =
                || map.numbers().iter().find(|(_, number)| float_text::is_alike(*number as u64, bits, style.format.into()));
            let Some(raw) = map.bits(bits.into()).next().or_else(|| alike().map(|(raw, _)| *raw)) else {
                let path = tables.text(field.row.path);
                self.notes.wrong(task, at, end, || Wrong::NoSuchFloat { shown: shown.to_string(), field: path.to_string() });
                return None;
            };
            return Some(Way { raw: raw.into(), open: 0, end, is_printed });
        }
        let less = u32::from(style.format).saturating_sub(code.code.width).min(63);
        if u128::from(bits) & ones(less) != 0 {
            let path = tables.text(field.row.path);
            self.notes.wrong(task, at, end, || Wrong::TooExact { shown: shown.to_string(), field: path.to_string() });
            return None;
        }
        Some(Way { raw: code.word_bits((bits >> less).into()), open: 0, end, is_printed })
    }

    /// The one way to read a symbol in the place of a number: a label or an expression.
    pub(super) fn symbol(
        &mut self,
        tables: &Ready<'_, W>,
        task: &Task<'_>,
        field: &Field<W>,
        code: &Numbers,
        style: Style,
        at: usize,
    ) -> Option<Way> {
        let rest = task.text.get(at..)?;
        let Some(Symbol { length, value }) = (task.symbols)(rest) else {
            let name = label_name(rest);
            if code.relative.is_some() && !name.is_empty() {
                self.notes.wrong(task, at, at + name.len(), || Wrong::NoLabel { shown: name.to_string() });
            }
            return None;
        };
        let end = at + length;
        let is_shown_with_sign = code.relative.is_some() && code.modulo == 0;
        let shown = if is_shown_with_sign { i128::from(value as i64) } else { value };
        let raw = self.encode(tables, task, field, code, style, shown, at..end)?;
        Some(Way { raw, open: 0, end, is_printed: false })
    }
}

/// True if a decimal number has a leading zero that it must not have.
pub(super) fn has_leading_zero(digits: &[u8]) -> bool {
    digits.len() > 1 && digits[0] == b'0' && digits.iter().any(|c| *c != b'0')
}
