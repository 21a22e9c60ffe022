//! Numbers in digits, floating-point numbers, and names of places in a program.

use super::super::Bits;
use super::super::decode::ones;
use super::super::tables::OCTAL;
use super::attempt::Attempt;
use super::ready::{Field, Numbers, Ready, Way};
use super::statement::{Symbol, label_name};
use super::task::{Task, is_word};
use crate::U256;
use crate::float_text::{self, FloatText};
use crate::literal::{self, Digits, Literal};
use crate::value::{FloatStyle, Style};
use crate::why::{Expected, Wrong};
use alloc::string::ToString;
use core::ops::Range;

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
        let read = Literal::read(text, literal::SIGNED);
        let is_negative = text.first() == Some(&b'-');
        let Some(Literal { radix, start, digits, .. }) = read else {
            let expected = || if code.relative.is_some() { Expected::Address } else { Expected::Number };
            // An undefined label has an error of its own.
            if code.relative.is_none() || label_name(task.text.get(at..).unwrap_or_default()).is_empty() {
                self.notes.fail(task, at, expected);
            }
            return None;
        };
        let end = at + start + digits.length;
        if text.get(start + digits.length).is_some_and(|c| is_word(*c)) {
            self.notes.fail(task, end, || Expected::EndOfNumber);
            return None;
        }
        let shown = || task.text[at..end].to_string();
        // If numbers are padded with zeros, leading zeros say nothing about the radix.
        let least = usize::from(style.least());
        let own = &text[start..start + digits.length];
        let is_padded = matches!(style, Style::Padded(2..));
        let magnitude = match radix == 10 && !is_padded && has_leading_zero(own) {
            true => self.with_leading_zero(tables, task, own, at..end)?,
            false => digits.magnitude.and_then(U256::to_u128),
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
        let is_padded = own.len() == least.max(1) || (own.len() > least && own[0] != b'0');
        let prefix = if style.is_hex() { &b"0x"[..] } else { b"" };
        let is_printed = digits.is_plain
            && text[usize::from(is_negative)..start] == *prefix
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
        let octal = Digits::read(digits, 8, true);
        let is_octal = octal.length == digits.len();
        let octal = octal.magnitude.and_then(U256::to_u128);
        if tables.head().flags & OCTAL != 0 && is_octal {
            return Some(octal);
        }
        self.notes.wrong(task, at.start, at.end, || {
            let shown = task.text[at.clone()].to_string();
            match tables.head().flags & OCTAL != 0 {
                true => Wrong::NotOctal { shown },
                false => Wrong::LeadingZero { shown, octal: octal.filter(|_| is_octal) },
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
