//! Numbers, in the style of a field, and labels in their place.

use super::{Reading, Way};
use isa_runtime::engine::read::{Symbol, label_name};
use isa_runtime::literal::{self, Digits, Literal};
use isa_runtime::value::{Several, Style};
use isa_runtime::why::{Expected, Wrong, is_word};
use isa_runtime::{U256, float_text};
use isa_spec::model::{Field, Raw, ones};

impl Reading<'_> {
    pub(super) fn number(&mut self, field: &Field, style: Style, at: usize) -> Vec<Way> {
        // Programs write symbols, which are never printed.
        let symbol = if self.pass.is_exact() { None } else { self.symbol(field, style, at) };
        let read = match style {
            Style::Float(style) if !self.text[at..].starts_with("0x") => self.float(field, style.format.into(), at),
            _ => self.integer(field, style, at),
        };
        let mut ways: Vec<Way> = symbol.map(|(raw, end)| Way { raw, open: 0, end }).into_iter().collect();
        if let Some((raw, end)) = read {
            let others = alike(field, style, raw, &self.text[at..end]);
            ways.extend(std::iter::once((raw, 0)).chain(others).map(|(raw, open)| Way { raw, open, end }));
        }
        ways
    }

    fn float(&mut self, field: &Field, format: u32, at: usize) -> Option<(Raw, usize)> {
        let end = at + float_text::length(&self.text.as_bytes()[at..]);
        if end == at {
            self.fail(at, || Expected::Number);
            return None;
        }
        if self.text[end..].starts_with(is_word) {
            self.fail(end, || Expected::EndOfNumber);
            return None;
        }
        let shown = &self.text[at..end];
        let Some(bits) = float_text::parse(shown, format) else {
            self.wrong(at, end, || Wrong::TooLarge { shown: shown.to_string() });
            return None;
        };
        if let Some(map) = field.code.map() {
            let alike = || map.numbers().iter().find(|(_, number)| float_text::is_alike(*number as u64, bits, format));
            let Some(raw) = map.bits(bits.into()).next().or_else(|| alike().map(|(raw, _)| *raw)) else {
                self.wrong(at, end, || Wrong::NoSuchFloat { shown: shown.to_string(), field: field.path.clone() });
                return None;
            };
            return Some((raw.into(), end));
        }
        let less = format - field.bits.width();
        if bits & ((1 << less) - 1) != 0 {
            self.wrong(at, end, || Wrong::TooExact { shown: shown.to_string(), field: field.path.clone() });
            return None;
        }
        Some((Raw::from(bits >> less), end))
    }

    fn integer(&mut self, field: &Field, style: Style, at: usize) -> Option<(Raw, usize)> {
        let text = &self.text[at..];
        let Some(read) = Literal::read(text.as_bytes(), literal::SIGNED) else {
            // For an unknown label the fault was already noted.
            if !field.is_target() || label_name(text).is_empty() {
                let expected = if field.is_target() { Expected::Address } else { Expected::Number };
                self.fail(at, || expected);
            }
            return None;
        };
        let (negative, end) = (read.is_negative, at + read.end());
        if self.text[end..].starts_with(is_word) {
            self.fail(end, || Expected::EndOfNumber);
            return None;
        }
        let shown = &self.text[at..end];
        // In a style with padding, leading zeros say nothing about the radix.
        let is_padded = matches!(style, Style::Padded(2..));
        let magnitude = match read.radix == 10 && !is_padded && has_leading_zero(&text[read.start..read.end()]) {
            true => Some(self.with_leading_zero(at, end)?),
            false => read.digits.magnitude.and_then(U256::to_u128),
        };
        let Some(magnitude) = magnitude else {
            self.wrong(at, end, || Wrong::TooLarge { shown: shown.to_string() });
            return None;
        };
        let width = field.bits.width();
        if width > 126 && !negative && field.code.value_steps().iter().all(|step| step.is_of_bits()) {
            return (magnitude <= ones(width)).then(|| (field.code.word_bits(magnitude), end));
        }
        let Ok(value) = i128::try_from(magnitude) else {
            self.wrong(at, end, || Wrong::TooLarge { shown: shown.to_string() });
            return None;
        };
        let value = if negative { -value } else { value };
        self.encode_number(field, style, value, at..end)
    }

    /// A number that begins with `0`: octal, or refused.
    pub(super) fn with_leading_zero(&mut self, at: usize, end: usize) -> Option<Raw> {
        let shown = self.text[at..end].to_string();
        let digits = shown.trim_start_matches(['-', '+']);
        let octal = Digits::read(digits.as_bytes(), 8, true);
        let is_octal = octal.length == digits.len();
        let octal = octal.magnitude.and_then(U256::to_u128).filter(|_| is_octal);
        match (self.isa.assembly.octal, octal) {
            (true, Some(n)) => return Some(n),
            (true, None) if is_octal => self.wrong(at, end, || Wrong::TooLarge { shown }),
            (true, None) => self.wrong(at, end, || Wrong::NotOctal { shown }),
            (false, octal) => self.wrong(at, end, || Wrong::LeadingZero { shown, octal }),
        }
        None
    }

    /// The value of a label or an expression in the place of a number.
    fn symbol(&mut self, field: &Field, style: Style, at: usize) -> Option<(Raw, usize)> {
        let text = self.text.get(at..)?;
        let Some(Symbol { length, value }) = (self.symbols)(text) else {
            let name = label_name(text);
            if field.is_target() && !name.is_empty() {
                self.wrong(at, at + name.len(), || Wrong::NoLabel { shown: name.to_string() });
            }
            return None;
        };
        let is_shown_with_sign = field.is_target() && field.code.modulo().is_none();
        let shown = if is_shown_with_sign { i128::from(value as i64) } else { value };
        self.encode_number(field, style, shown, at..at + length)
    }
}

/// True if a decimal number begins with a zero that does not belong there.
pub(super) fn has_leading_zero(digits: &str) -> bool {
    digits.len() > 1 && digits.starts_with('0') && digits.contains(|c| c != '0')
}

/// Other bits that print as a number that was read from these characters, and which of them can be anything.
fn alike(field: &Field, style: Style, raw: Raw, shown: &str) -> Vec<(Raw, Raw)> {
    let width = field.bits.width();
    match style {
        // Hexadecimal digits are the bits themselves.
        Style::Float(style) if shown.ends_with("NAN") && field.code.map().is_none() => {
            let less = u32::from(style.format).saturating_sub(width);
            let nans = float_text::other_nans((raw as u64) << less, style.format.into());
            let fit = nans.filter(|(bits, _)| bits & ((1 << less) - 1) == 0);
            fit.map(|(bits, open)| ((bits >> less).into(), (open >> less).into())).collect()
        }
        _ if let Some(map) = field.code.map() => {
            let own = map.number(raw);
            let same = map.numbers().iter().filter(|(bits, number)| Raw::from(*bits) != raw && Some(*number) == own);
            let mut others: Vec<Raw> = same.map(|(bits, _)| Raw::from(*bits)).collect();
            if map.several() == Several::Greatest {
                others.reverse();
            }
            if let (Style::Float(style), Some(nan), true) = (style, own, shown.ends_with("NAN")) {
                let is_alike =
                    |number: i128| number != nan && float_text::is_alike(number as u64, nan as u64, style.format.into());
                others.extend(map.numbers().iter().filter(|(_, number)| is_alike(*number)).map(|(bits, _)| Raw::from(*bits)));
            }
            others.into_iter().map(|other| (other, 0)).collect()
        }
        _ => {
            let Some(bits) = field.code.modulo() else { return Vec::new() };
            // The bits of a multiple of a power of two are determined modulo a smaller one.
            let open = ones(width) & !ones(bits.saturating_sub(field.code.scale().trailing_zeros()));
            if open == 0 { Vec::new() } else { vec![(raw & !open, open)] }
        }
    }
}
