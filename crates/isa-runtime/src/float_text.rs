//! Floating-point numbers as text: exact enough to be read back, and the same everywhere.
//!
//! A number has the bits of an IEEE 754 format of 16, 32 or 64 bits. It prints with 20 significant digits at most, as C's `%.20g`
//! does; from a thousand million on with 21, as `%.20e`; or always with an exponent and the number of digits of a style. NaNs,
//! infinities and negative zero have names.

use crate::value::FloatStyle;
use core::fmt::{self, Write};

/// The greatest number of digits after the point of a number with an exponent.
pub const MAX_DIGITS: u8 = 20;

/// Bytes of the longest text.
pub const LONGEST: usize = 40;

/// A text of a number.
#[derive(Clone, Copy, Debug)]
pub struct FloatText {
    bytes: [u8; LONGEST],
    len: usize,
}

impl FloatText {
    const EMPTY: Self = Self { bytes: [0; LONGEST], len: 0 };

    /// The text of the bits of a number.
    pub fn new(bits: u64, style: FloatStyle) -> Self {
        let mut text = Self::EMPTY;
        let is_written = text.write(bits, style);
        debug_assert!(is_written.is_ok(), "the text of {bits:#x} is too long");
        text
    }

    /// Its characters.
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
    }

    fn write(&mut self, bits: u64, style: FloatStyle) -> fmt::Result {
        let layout = Layout::of(style.format.into());
        let is_negative = bits & layout.sign() != 0;
        let size = bits & (layout.sign() - 1);
        match size {
            0 if style.digits == 0 => return self.write_str(if is_negative { "-0.0" } else { "0" }),
            _ if size >= layout.infinity() => {
                let name = match size - layout.infinity() {
                    0 => "INF",
                    rest if rest >> (layout.fraction - 1) == 1 => "QNAN",
                    _ => "SNAN",
                };
                self.write_str(if is_negative { "-" } else { "+" })?;
                return self.write_str(name);
            }
            _ => {}
        }
        if is_negative {
            self.write_str("-")?;
        }
        let value = widened(size, layout.bits);
        if style.digits > 0 {
            let mut all = Self::EMPTY;
            write!(all, "{value:.*e}", usize::from(style.digits.min(MAX_DIGITS)))?;
            let (digits, power) = all.as_str().split_once('e').unwrap_or_default();
            let power: i32 = power.parse().unwrap_or_default();
            return write!(self, "{digits}e{}{:02}", if power < 0 { '-' } else { '+' }, power.unsigned_abs());
        }
        let is_large = value >= 1e9;
        let mut all = Self::EMPTY;
        match is_large {
            true => write!(all, "{value:.20e}")?,
            false => write!(all, "{value:.19e}")?,
        }
        // One digit, a point, the other digits, and a power of ten.
        let (digits, power) = all.as_str().split_once('e').unwrap_or_default();
        let power: i32 = power.parse().unwrap_or_default();
        let (first, rest) = (&digits[..digits.len().min(1)], digits.get(2..).unwrap_or_default());
        let rest = if is_large { rest } else { rest.trim_end_matches('0') };
        let point = if rest.is_empty() { "" } else { "." };
        match power {
            -4..=-1 => {
                self.write_str("0.")?;
                (1..-power).try_for_each(|_| self.write_str("0"))?;
                self.write_str(first)?;
                self.write_str(rest)
            }
            0.. if !is_large => {
                let (whole, part) = rest.split_at(rest.len().min(power as usize));
                self.write_str(first)?;
                self.write_str(whole)?;
                (whole.len()..power as usize).try_for_each(|_| self.write_str("0"))?;
                self.write_str(if part.is_empty() { "" } else { "." })?;
                self.write_str(part)
            }
            _ => write!(self, "{first}{point}{rest}e{}{:02}", if power < 0 { '-' } else { '+' }, power.unsigned_abs()),
        }
    }
}

impl fmt::Write for FloatText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = self.bytes.get_mut(self.len..).and_then(|rest| rest.get_mut(..text.len())).ok_or(fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.len += text.len();
        Ok(())
    }
}

/// The length of the number at the beginning of a text; 0 if there is none.
pub fn length(text: &[u8]) -> usize {
    let sign = usize::from(matches!(text.first(), Some(b'-' | b'+')));
    let rest = &text[sign..];
    let digits = |from: usize| rest.iter().skip(from).take_while(|c| c.is_ascii_digit()).count();
    let mut end = digits(0);
    if end == 0 {
        let name = ["INF", "QNAN", "SNAN"].into_iter().find(|name| rest.starts_with(name.as_bytes()));
        return name.map_or(0, |name| sign + name.len());
    }
    if rest.get(end) == Some(&b'.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    if matches!(rest.get(end), Some(b'e' | b'E')) {
        let skip = 1 + usize::from(matches!(rest.get(end + 1), Some(b'-' | b'+')));
        if digits(end + skip) > 0 {
            end += skip + digits(end + skip);
        }
    }
    sign + end
}

/// The bits of the nearest number of a format; `None` if the text is not a number, or the number is too large.
pub fn parse(text: &str, format: u32) -> Option<u64> {
    let layout = Layout::of(format);
    let size = text.trim_start_matches(['-', '+']);
    let sign = if text.starts_with('-') { layout.sign() } else { 0 };
    let bits = match size {
        "INF" => layout.infinity(),
        "QNAN" => layout.infinity() | 1 << (layout.fraction - 1),
        "SNAN" => layout.infinity() | 1 << (layout.fraction - 2),
        _ => {
            let bits = match layout.bits {
                16 => halved(size.parse::<f64>().ok()?),
                32 => size.parse::<f32>().ok()?.to_bits().into(),
                _ => size.parse::<f64>().ok()?.to_bits(),
            };
            Some(bits).filter(|bits| *bits < layout.infinity())?
        }
    };
    Some(sign | bits)
}

/// All other bits with the text of a NaN: each with the mask of its bits that can be anything.
pub fn other_nans(nan: u64, format: u32) -> impl Iterator<Item = (u64, u64)> {
    let layout = Layout::of(format);
    let (quiet, sign) = (1 << (layout.fraction - 1), nan & layout.sign());
    let payload = quiet - 1;
    let is_nan = nan & (layout.sign() - 1) > layout.infinity();
    let is_quiet = nan & quiet != 0;
    // A signalling NaN has some bit of the fraction set: otherwise it would be infinite.
    let signalling = (0..layout.fraction - 1).rev().map(move |bit| (1 << bit, payload & !(1 << bit)));
    let quiet = core::iter::once((quiet, payload)).filter(move |_| is_nan && is_quiet);
    let all = quiet.chain(signalling.filter(move |_| is_nan && !is_quiet));
    all.map(move |(bits, open)| (sign | layout.infinity() | bits, open))
}

/// Returns true if two numbers of a format have the same text: they are equal, or both are the same kind of NaN.
pub fn is_alike(one: u64, other: u64, format: u32) -> bool {
    let layout = Layout::of(format);
    let is_nan = |number: u64| number & (layout.sign() - 1) > layout.infinity();
    let kind = |number: u64| (number & layout.sign(), number >> (layout.fraction - 1) & 1);
    one == other || is_nan(one) && is_nan(other) && kind(one) == kind(other)
}

/// The fields of a format.
struct Layout {
    bits: u32,
    fraction: u32,
}

impl Layout {
    const fn of(format: u32) -> Self {
        match format {
            16 => Self { bits: 16, fraction: 10 },
            32 => Self { bits: 32, fraction: 23 },
            _ => Self { bits: 64, fraction: 52 },
        }
    }

    const fn sign(&self) -> u64 {
        1 << (self.bits - 1)
    }

    const fn infinity(&self) -> u64 {
        self.sign() - (1 << self.fraction)
    }
}

/// A number without a sign in double precision.
fn widened(size: u64, format: u32) -> f64 {
    match format {
        64 => f64::from_bits(size),
        32 => f32::from_bits(size as u32).into(),
        _ if size < 1 << 10 => size as f64 * f64::from_bits((1023 - 24) << 52),
        _ => f64::from_bits((size << 42) + ((1023 - 15) << 52)),
    }
}

/// The nearest number of half precision, of two the even one.
fn halved(value: f64) -> u64 {
    let scale = f64::from_bits((1023 + 24) << 52);
    let to_integer = f64::from_bits((1023 + 52) << 52);
    if value < f64::from_bits((1023 - 14) << 52) {
        return (value * scale + to_integer - to_integer) as u64;
    }
    let bits = value.to_bits();
    let even = bits >> 42 & 1;
    ((bits + (1 << 41) - 1 + even) >> 42).saturating_sub((1023 - 15) << 10).min(0x7c00)
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::{FloatText, length, other_nans, parse};
    use crate::value::FloatStyle;

    fn text(bits: u64, format: u32) -> FloatText {
        FloatText::new(bits, FloatStyle { format: format as u8, digits: 0 })
    }

    #[test]
    fn digits_and_exponents() {
        let all = [
            (1.5f64, 18, "1.500000000000000000e+00"),
            (-0.125, 18, "-1.250000000000000000e-01"),
            (0.0, 16, "0.0000000000000000e+00"),
            (-0.0, 16, "-0.0000000000000000e+00"),
            (1e300, 16, "1.0000000000000001e+300"),
            (f64::MIN_POSITIVE, 20, "2.22507385850720138309e-308"),
            (f64::INFINITY, 18, "+INF"),
        ];
        for (value, digits, shown) in all {
            let text = FloatText::new(value.to_bits(), FloatStyle { format: 64, digits });
            assert_eq!((text.as_str(), length(shown.as_bytes()), parse(shown, 64)), (shown, shown.len(), Some(value.to_bits())));
        }
    }

    #[test]
    fn nans_of_any_payload() {
        let has = |text: &str, bits: u64| {
            let nan = parse(text, 16).expect("a number");
            nan == bits || other_nans(nan, 16).any(|(own, open)| bits & !open == own)
        };
        for bits in 0..1 << 16 {
            let shown = text(bits, 16);
            for nan in ["+QNAN", "-QNAN", "+SNAN", "-SNAN"] {
                assert_eq!(has(nan, bits), shown.as_str() == nan, "{bits:#x} {nan}");
            }
        }
        assert_eq!(other_nans(parse("+INF", 32).expect("a number"), 32).count(), 0);
    }

    #[test]
    fn as_c_prints_them() {
        for (bits, format, shown) in [
            (0x3f80_0000, 32, "1"),
            (0x3e99_999a, 32, "0.30000001192092895508"),
            (0xc2a2_932b, 32, "-81.28743743896484375"),
            (0x3727_c5ac, 32, "9.9999997473787516356e-06"),
            (0x4b80_0000, 32, "16777216"),
            (0x4f00_0000, 32, "2.14748364800000000000e+09"),
            (0x7f7f_ffff, 32, "3.40282346638528859812e+38"),
            (0x0000_0001, 32, "1.4012984643248170709e-45"),
            (0x8000_0000, 32, "-0.0"),
            (0x7f80_0000, 32, "+INF"),
            (0xffc0_0000, 32, "-QNAN"),
            (0x7f80_0001, 32, "+SNAN"),
            (0x38d1_b717, 32, "9.9999997473787516356e-05"),
            (0x3a83_126f, 32, "0.0010000000474974513054"),
            (0x461c_4000, 32, "10000"),
            (0x9400, 16, "-0.0009765625"),
            (0x0001, 16, "5.9604644775390625e-08"),
            (0xf678, 16, "-26496"),
            (0x7fe0_0000_0000_0000, 64, "8.98846567431157953865e+307"),
            (0x4338_0000_0000_0000, 64, "6.75539944105574400000e+15"),
            (0x7ff8_0000_0000_0000, 64, "+QNAN"),
        ] {
            assert_eq!(text(bits, format).as_str(), shown, "{bits:#x}");
        }
    }

    #[test]
    fn read_back() {
        for bits in 0..=0xffff {
            let shown = text(bits, 16);
            let again = parse(shown.as_str(), 16).expect("a number");
            assert_eq!(text(again, 16).as_str(), shown.as_str(), "{bits:#x}");
            assert!(again == bits || shown.as_str().ends_with("NAN"), "{bits:#x}");
            assert_eq!(length(shown.as_str().as_bytes()), shown.as_str().len());
            let single = bits << 16 | ((bits * 0x9e37) & 0xffff);
            let shown = text(single, 32);
            let again = parse(shown.as_str(), 32).expect("a number");
            assert!(again == single || shown.as_str().ends_with("NAN"), "{single:#x}");
            let double = single << 32;
            let shown = text(double, 64);
            let again = parse(shown.as_str(), 64).expect("a number");
            assert!(again == double || shown.as_str().ends_with("NAN"), "{double:#x}");
        }
    }

    /// Compares with the shortest text that Rust prints, and with the digits of a fraction of integers.
    #[test]
    fn the_same_numbers_as_in_other_texts() {
        let mut bits = 0x1234_5678_9abc_def1u64;
        for _ in 0..20_000 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (double, single) = (f64::from_bits(bits), f32::from_bits((bits >> 32) as u32));
            if double.is_finite() {
                assert_eq!(text(bits, 64).as_str().parse(), Ok(double), "{bits:#x}");
                assert_eq!(parse(&std::format!("{double:e}"), 64), Some(bits));
            }
            if single.is_finite() {
                assert_eq!(text(bits >> 32, 32).as_str().parse(), Ok(single), "{bits:#x}");
                assert_eq!(parse(&std::format!("{single}"), 32), Some(bits >> 32));
            }
        }
        // Exact decimals of halves: n / 2^24, or n times a power of two.
        for bits in 1..0x7c00u64 {
            let (exponent, fraction) = (bits >> 10, bits & 0x3ff);
            let units = if exponent == 0 { fraction } else { (fraction | 0x400) << (exponent - 1) };
            let shown = text(bits, 16);
            let value: f64 = shown.as_str().parse().expect("a number");
            assert_eq!(value * f64::from(1 << 24), units as f64, "{bits:#x}");
            assert_eq!(parse(&std::format!("{value}"), 16), Some(bits));
        }
    }

    #[test]
    fn the_nearest_half() {
        // Half way between two numbers: the even one.
        for (shown, bits) in
            [("2049", 0x6800), ("2051", 0x6802), ("65519", 0x7bff), ("2.98023223876953125e-08", 0), ("0.1", 0x2e66)]
        {
            assert_eq!(parse(shown, 16), Some(bits), "{shown}");
        }
        assert_eq!(parse("65520", 16), None);
        assert_eq!(parse("1e39", 32), None);
        assert_eq!(parse("1e400", 64), None);
        assert_eq!(parse("e", 64), None);
    }

    #[test]
    fn where_a_number_ends() {
        for (shown, end) in
            [("1.5, R1", 3), ("-1e-05 ", 6), ("1.R", 1), ("1e", 1), ("+INF ,", 4), ("R1", 0), ("-", 0), ("", 0), ("+1e+", 2)]
        {
            assert_eq!(length(shown.as_bytes()), end, "{shown}");
        }
    }
}
