//! `printf` as CUDA documents it for kernels.

use isa_sim::FaultKind;

/// The limit of a width or of a precision.
const MOST: usize = 1 << 12;

/// The type of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// 32 bits.
    Short,
    /// 64 bits.
    Long,
    /// The address of a text.
    Text,
}

/// An argument.
pub(super) enum Formatting {
    Number(u64),
    Text(Vec<u8>),
}

/// One conversion.
#[derive(Default)]
struct Conversion {
    left: bool,
    plus: bool,
    blank: bool,
    other: bool,
    zeros: bool,
    width: usize,
    precision: Option<usize>,
    /// The bytes of an integer.
    bytes: u32,
}

impl Conversion {
    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.blank) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }

    /// Pads a prefix and digits to the width of the field.
    fn pad(&self, prefix: &str, body: &[u8], zeros: bool, out: &mut Vec<u8>) {
        let fill = self.width.saturating_sub(prefix.len() + body.len());
        if !self.left && !zeros {
            out.extend(std::iter::repeat_n(b' ', fill));
        }
        out.extend(prefix.bytes());
        if !self.left && zeros {
            out.extend(std::iter::repeat_n(b'0', fill));
        }
        out.extend(body);
        if self.left {
            out.extend(std::iter::repeat_n(b' ', fill));
        }
    }

    fn integer(&self, kind: u8, value: u64, out: &mut Vec<u8>) {
        let bits = 8 * self.bytes;
        let value = value << (64 - bits) >> (64 - bits);
        let is_signed = matches!(kind, b'd' | b'i');
        let is_negative = is_signed && value >> (bits - 1) != 0;
        let magnitude = if is_negative { value.wrapping_neg() << (64 - bits) >> (64 - bits) } else { value };
        let mut digits = match kind {
            b'o' => format!("{magnitude:o}"),
            b'x' | b'p' => format!("{magnitude:x}"),
            b'X' => format!("{magnitude:X}"),
            _ => magnitude.to_string(),
        };
        if self.precision == Some(0) && magnitude == 0 {
            digits.clear();
        }
        let least = self.precision.unwrap_or(1);
        if digits.len() < least {
            digits.insert_str(0, &"0".repeat(least - digits.len()));
        }
        if kind == b'o' && self.other && !digits.starts_with('0') {
            digits.insert(0, '0');
        }
        let prefix = match kind {
            b'p' => "0x",
            b'x' if self.other && magnitude != 0 => "0x",
            b'X' if self.other && magnitude != 0 => "0X",
            _ if is_signed => self.sign(is_negative),
            _ => "",
        };
        self.pad(prefix, digits.as_bytes(), self.zeros && self.precision.is_none(), out);
    }

    fn float(&self, kind: u8, value: f64, out: &mut Vec<u8>) {
        let sign = self.sign(value.is_sign_negative());
        let magnitude = value.abs();
        if !magnitude.is_finite() {
            let text = if magnitude.is_nan() { "nan" } else { "inf" };
            let text = if kind.is_ascii_uppercase() { text.to_uppercase() } else { text.to_owned() };
            return self.pad(sign, text.as_bytes(), false, out);
        }
        let (mut prefix, precision) = (sign.to_owned(), self.precision.unwrap_or(6));
        let text = match kind.to_ascii_lowercase() {
            b'f' => self.dotted(format!("{magnitude:.precision$}")),
            b'e' => self.scientific(magnitude, precision),
            b'g' => self.general(magnitude, precision.max(1)),
            _ => {
                prefix.push_str("0x");
                self.hexadecimal(magnitude)
            }
        };
        let text = if kind.is_ascii_uppercase() { text.to_uppercase() } else { text };
        let prefix = if kind.is_ascii_uppercase() { prefix.to_uppercase() } else { prefix };
        self.pad(&prefix, text.as_bytes(), self.zeros, out);
    }

    /// Appends a point, if the flags require it.
    fn dotted(&self, mut text: String) -> String {
        if self.other && !text.contains('.') {
            text.push('.');
        }
        text
    }

    fn scientific(&self, magnitude: f64, precision: usize) -> String {
        let (digits, exponent) = scientific(magnitude, precision);
        let digits = self.dotted(digits);
        format!("{digits}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.unsigned_abs())
    }

    fn general(&self, magnitude: f64, precision: usize) -> String {
        let (_, exponent) = scientific(magnitude, precision - 1);
        let short = |text: String| match self.other || !text.contains('.') {
            true => text,
            false => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        };
        if exponent >= -4 && i64::from(exponent) < precision as i64 {
            let places = (precision as i64 - 1 - i64::from(exponent)) as usize;
            return self.dotted(short(format!("{magnitude:.places$}")));
        }
        let (digits, exponent) = scientific(magnitude, precision - 1);
        format!("{}e{}{:02}", self.dotted(short(digits)), if exponent < 0 { '-' } else { '+' }, exponent.unsigned_abs())
    }

    fn hexadecimal(&self, magnitude: f64) -> String {
        let bits = magnitude.to_bits();
        let (mut lead, mut fraction) = (u64::from(bits >> 52 != 0), bits & ((1 << 52) - 1));
        let exponent = if magnitude == 0.0 { 0 } else { (bits >> 52).max(1) as i64 - 1023 };
        let mut digits = 13;
        if let Some(places) = self.precision.filter(|places| *places < 13) {
            let drop = 52 - 4 * places as u32;
            let all = lead << 52 | fraction;
            let (kept, rest, half) = (all >> drop, all & ((1 << drop) - 1), 1u64 << (drop - 1));
            let kept = kept + u64::from(rest > half || rest == half && kept & 1 != 0);
            (lead, fraction, digits) = (kept >> (4 * places), kept & ((1 << (4 * places)) - 1), places);
        }
        let mut text = if digits == 0 { String::new() } else { format!("{fraction:0digits$x}") };
        match self.precision {
            None => text.truncate(text.trim_end_matches('0').len()),
            Some(places) => text.push_str(&"0".repeat(places.saturating_sub(text.len()))),
        }
        let point = if text.is_empty() && !self.other { "" } else { "." };
        format!("{lead}{point}{text}p{exponent:+}")
    }
}

/// The digits and the exponent of a number.
fn scientific(magnitude: f64, precision: usize) -> (String, i32) {
    let text = format!("{magnitude:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (digits.to_owned(), exponent.parse().unwrap_or(0))
}

/// Writes a text with its conversions; `next` returns the arguments.
pub(super) fn format(
    text: &[u8],
    out: &mut Vec<u8>,
    next: &mut dyn FnMut(Wanted) -> Result<Formatting, FaultKind>,
) -> Result<(), FaultKind> {
    let mut rest = text.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let mut of = Conversion { bytes: 4, ..Conversion::default() };
        while let Some(flag) = rest.next_if(|byte| b"-+ #0".contains(byte)) {
            match flag {
                b'-' => of.left = true,
                b'+' => of.plus = true,
                b' ' => of.blank = true,
                b'#' => of.other = true,
                _ => of.zeros = true,
            }
        }
        let mut number = |rest: &mut std::iter::Peekable<_>| -> Result<i64, FaultKind> {
            let rest: &mut std::iter::Peekable<std::iter::Copied<std::slice::Iter<'_, u8>>> = rest;
            let mut value = 0i64;
            if rest.next_if_eq(&b'*').is_some() {
                let Formatting::Number(given) = next(Wanted::Short)? else { return Ok(0) };
                value = i64::from(given as u32 as i32);
            }
            while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
                value = (10 * value + i64::from(digit - b'0')).min(MOST as i64 + 1);
            }
            if value.unsigned_abs() > MOST as u64 {
                return Err(FaultKind::Host(format!("`printf`: a width or a precision is at most {MOST}")));
            }
            Ok(value)
        };
        let width = number(&mut rest)?;
        of.left |= width < 0;
        of.width = width.unsigned_abs() as usize;
        if rest.next_if_eq(&b'.').is_some() {
            of.precision = usize::try_from(number(&mut rest)?).ok();
        }
        while let Some(size) = rest.next_if(|byte| b"hlLqjzt".contains(byte)) {
            of.bytes = match size {
                b'h' => of.bytes / 2,
                _ => 8,
            };
        }
        of.bytes = of.bytes.max(1);
        let Some(kind) = rest.next() else { break };
        match kind {
            b'%' => out.push(b'%'),
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'p' => {
                of.bytes = if kind == b'p' { 8 } else { of.bytes };
                if let Formatting::Number(value) = next(if of.bytes == 8 { Wanted::Long } else { Wanted::Short })? {
                    of.integer(kind, value, out);
                }
            }
            b'c' => {
                if let Formatting::Number(value) = next(Wanted::Short)? {
                    of.pad("", &[value as u8], false, out);
                }
            }
            b's' => {
                if let Formatting::Text(text) = next(Wanted::Text)? {
                    of.pad("", &text[..of.precision.unwrap_or(text.len()).min(text.len())], false, out);
                }
            }
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => {
                if let Formatting::Number(value) = next(Wanted::Long)? {
                    of.float(kind, f64::from_bits(value), out);
                }
            }
            _ => {
                let kind = char::from(kind).escape_default();
                return Err(FaultKind::Host(format!("`printf` of kernels has no conversion `{kind}`")));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, arguments: &[u64]) -> String {
        let (mut out, mut left) = (Vec::new(), arguments.iter());
        format(text.as_bytes(), &mut out, &mut |_| Ok(Formatting::Number(*left.next().expect("an argument")))).expect("a text");
        String::from_utf8(out).expect("a text")
    }

    #[test]
    fn numbers_are_as_c_writes_them() {
        let f = |x: f64| x.to_bits();
        assert_eq!(
            shown("%d|%5u|%-5x|%#o|%+d|% d|%05d", &[0xffff_ffff, 42, 42, 8, 7, 7, 0xffff_fff9]),
            "-1|   42|2a   |010|+7| 7|-0007"
        );
        assert_eq!(shown("%lld %hhd %hu %p %c%%", &[1 << 40, 0x1ff, 0x1_0001, 0x7f00, 97]), "1099511627776 -1 1 0x7f00 a%");
        assert_eq!(
            shown("%f %.2f %8.3e %g %g %g", &[f(0.5), f(2.675), f(12345.678), f(1e-5), f(100_000.0), f(1e6)]),
            "0.500000 2.67 1.235e+04 1e-05 100000 1e+06"
        );
        assert_eq!(
            shown("%a %.1a %f %5.1f %*d %.*f", &[f(1.0), f(1.95), f(f64::INFINITY), f(-0.0), 4, 3, 1, f(9.96)]),
            "0x1p+0 0x1.fp+0 inf  -0.0    3 10.0"
        );
    }

    #[test]
    fn what_has_no_meaning_is_refused() {
        let mut none = |_| Ok(Formatting::Number(1 << 20));
        assert!(format(b"%n", &mut Vec::new(), &mut none).is_err());
        assert!(format(b"%99999d", &mut Vec::new(), &mut none).is_err());
        assert!(format(b"%*d", &mut Vec::new(), &mut none).is_err());
    }
}
