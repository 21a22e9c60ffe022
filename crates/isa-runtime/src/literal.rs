//! Numbers as people write them: `10`, `-5`, `0x1f`, `0b101`, `0o17`, `1_000`.

use crate::U256;
use crate::value::Number;
use core::fmt;

/// The forms of numbers in a place.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'r, Prefix = &'static str> {
    /// The signs that a number can have.
    pub signs: &'r str,
    /// The prefixes of radixes other than 10; an earlier one is preferred.
    pub prefixes: &'r [(Prefix, u32)],
}

/// Numbers with every sign and prefix: those of specifications, launch files, options and statements.
pub const SIGNED: Rules<'static> =
    Rules { signs: "-+", prefixes: &[("0x", 16), ("0X", 16), ("0b", 2), ("0B", 2), ("0o", 8), ("0O", 8)] };

/// Numbers without a sign, where signs are operators or mean nothing.
pub const UNSIGNED: Rules<'static> = Rules { signs: "", ..SIGNED };

/// A number at the beginning of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Literal {
    /// It has the sign `-`.
    pub is_negative: bool,
    /// The radix of its digits.
    pub radix: u32,
    /// Where its digits begin, behind the sign and the prefix.
    pub start: usize,
    /// Its digits, and where they end in the text.
    pub digits: Digits,
}

/// Digits of one radix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digits {
    /// Their number, if it has at most 256 bits.
    pub magnitude: Option<U256>,
    /// The length of the digits and of the `_` between them.
    pub length: usize,
    /// They are as they are printed: without `_` and capital letters.
    pub is_plain: bool,
}

impl Digits {
    /// Reads digits, between which `_` may stand if they are `separated`.
    pub fn read(text: &[u8], radix: u32, separated: bool) -> Self {
        let (mut low, mut wide, mut count) = (0u64, None, 0);
        let (mut length, mut is_plain) = (0, true);
        let digit = |at: usize| text.get(at).and_then(|c| char::from(*c).to_digit(radix));
        loop {
            let is_separator = separated && length > 0 && text.get(length) == Some(&b'_');
            let at = length + usize::from(is_separator);
            let Some(digit) = digit(at) else { break };
            is_plain &= !is_separator && !text[at].is_ascii_uppercase();
            (length, count) = (at + 1, count + 1);
            // Twelve digits of up to 36 values fit 64 bits.
            if count <= 12 {
                low = low * u64::from(radix) + u64::from(digit);
            } else {
                let so_far = wide.unwrap_or(Some(U256::from(low)));
                wide = Some(so_far.and_then(|number: U256| number.checked_push(radix, digit)));
            }
        }
        Self { magnitude: wide.unwrap_or(Some(low.into())), length, is_plain }
    }
}

impl Literal {
    /// The number at the beginning of a text, whatever follows it; `None` if the text does not begin with one.
    pub fn read<Prefix: AsRef<str>>(text: &[u8], rules: Rules<'_, Prefix>) -> Option<Self> {
        let sign = text.first().copied().filter(|c| rules.signs.as_bytes().contains(c));
        let signed = usize::from(sign.is_some());
        let of = |start: usize, radix: u32| {
            let digits = Digits::read(text.get(start..)?, radix, true);
            (digits.length > 0).then_some(Self { is_negative: sign == Some(b'-'), radix, start, digits })
        };
        let mut meant =
            rules.prefixes.iter().filter(|(prefix, _)| text[signed..].starts_with(prefix.as_ref().as_bytes())).peekable();
        let is_prefixed = meant.peek().is_some();
        let decimal = || of(signed, 10).filter(|n| !is_prefixed || !text.get(n.end()).is_some_and(u8::is_ascii_alphanumeric));
        meant.find_map(|(prefix, radix)| of(signed + prefix.as_ref().len(), *radix)).or_else(decimal)
    }

    /// The number that a whole text is.
    ///
    /// # Errors
    /// If the text is something else, or the number has more than 256 bits.
    pub fn whole<'t>(text: &'t str, rules: Rules<'_>) -> Result<Self, NotNumber<'t>> {
        let is_signed = !rules.signs.is_empty();
        match Self::read(text.as_bytes(), rules).filter(|number| number.end() == text.len()) {
            None => Err(NotNumber::Other { text, is_signed }),
            Some(number) if number.digits.magnitude.is_none() => Err(NotNumber::TooLarge { text, bits: U256::BITS }),
            Some(number) => Ok(number),
        }
    }

    /// Where it ends in the text.
    pub fn end(&self) -> usize {
        self.start + self.digits.length
    }

    /// The number, if its magnitude has at most 128 bits.
    pub fn number(&self) -> Option<Number> {
        let magnitude = self.digits.magnitude?.to_u128()?;
        Some(Number { negative: self.is_negative && magnitude > 0, magnitude })
    }
}

/// The number of a whole text with a magnitude of up to 128 bits.
///
/// # Errors
/// If the text is something else, or the number is larger.
pub fn number(text: &str) -> Result<Number, NotNumber<'_>> {
    Literal::whole(text, SIGNED)?.number().ok_or(NotNumber::TooLarge { text, bits: 128 })
}

/// The number of a whole text without a sign, of up to 256 bits.
///
/// # Errors
/// If the text is something else, or the number is larger.
pub fn word(text: &str) -> Result<U256, NotNumber<'_>> {
    Literal::whole(text, UNSIGNED).map(|number| number.digits.magnitude.unwrap_or_default())
}

/// The number of a whole text that is not negative, of up to 64 bits.
///
/// # Errors
/// If the text is something else, or the number is negative or larger.
pub fn unsigned(text: &str) -> Result<u64, NotNumber<'_>> {
    let not_signed = |why| match why {
        NotNumber::Other { text, .. } => NotNumber::Other { text, is_signed: false },
        why => why,
    };
    let number = number(text).map_err(not_signed)?;
    if number.negative {
        return Err(NotNumber::Negative { text });
    }
    number.magnitude.try_into().map_err(|_| NotNumber::TooLarge { text, bits: 64 })
}

/// The reason why a text is not a number of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotNumber<'t> {
    /// It is something else.
    Other {
        /// The text.
        text: &'t str,
        /// The place has signs.
        is_signed: bool,
    },
    /// It is negative.
    Negative {
        /// The text.
        text: &'t str,
    },
    /// It does not fit.
    TooLarge {
        /// The text.
        text: &'t str,
        /// The bits of the largest number.
        bits: u32,
    },
}

impl fmt::Display for NotNumber<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Other { text, is_signed } => {
                let signed = if *is_signed { ", -5" } else { "" };
                write!(f, "`{text}` is not a number: 10{signed}, 0x1f, 0b101, 0o17 and 1_000 are")
            }
            Self::Negative { text } => write!(f, "`{text}` is negative: a number here is 0 or more"),
            Self::TooLarge { text, bits } => write!(f, "`{text}` has more than {bits} bits"),
        }
    }
}

impl core::error::Error for NotNumber<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::string::ToString;

    #[test]
    fn whole_texts_are_numbers() {
        let rows: &[(&str, Option<i128>)] = &[
            ("10", Some(10)),
            ("010", Some(10)),
            ("-5", Some(-5)),
            ("+5", Some(5)),
            ("-0", Some(0)),
            ("0x1F", Some(31)),
            ("0X5", Some(5)),
            ("-0b1_01", Some(-5)),
            ("0B11", Some(3)),
            ("0o17", Some(15)),
            ("0O17", Some(15)),
            ("1_000", Some(1000)),
            ("123_456_789_012_345_678", Some(123_456_789_012_345_678)),
            ("", None),
            ("-", None),
            ("--5", None),
            ("-+5", None),
            ("_1", None),
            ("1_", None),
            ("1__0", None),
            ("0x", None),
            ("0x_1", None),
            ("0b", None),
            ("0b2", None),
            ("0o8", None),
            ("1f", None),
            ("0x-1", None),
            (" 1", None),
            ("1 ", None),
            ("1.5", None),
            ("١", None),
        ];
        for (text, value) in rows {
            assert_eq!(number(text).ok().and_then(Number::to_i128), *value, "{text}");
            let is_unsigned = value.is_some() && !text.starts_with(['-', '+']);
            assert_eq!(word(text).is_ok(), is_unsigned, "{text}");
        }
    }

    #[test]
    fn texts_begin_with_numbers() {
        let own: &[(&str, u32)] = &[("$", 16), ("0x", 16)];
        let read = |text: &str| {
            let number = Literal::read(text.as_bytes(), Rules { signs: "", prefixes: own })?;
            Some((number.digits.magnitude?.to_u128()?, number.end(), number.digits.is_plain))
        };
        assert_eq!(read("$1f,x"), Some((31, 3, true)));
        assert_eq!(read("0x1F]"), Some((31, 4, false)));
        assert_eq!((read("0b1"), read("7_f")), (Some((0, 1, true)), Some((7, 1, true))));
        // A prefix needs digits.
        assert_eq!((read("0xg"), read("0x"), read("0")), (None, None, Some((0, 1, true))));
        assert_eq!((read("$"), read("-1"), read("x")), (None, None, None));
    }

    #[test]
    fn refused_numbers_say_what_is_right() {
        let refused = |found: Result<u64, NotNumber<'_>>| found.map_err(|why| why.to_string()).unwrap_err();
        assert_eq!(refused(unsigned("5x")), "`5x` is not a number: 10, 0x1f, 0b101, 0o17 and 1_000 are");
        assert_eq!(
            number("-").map_err(|why| why.to_string()),
            Err("`-` is not a number: 10, -5, 0x1f, 0b101, 0o17 and 1_000 are".into())
        );
        assert_eq!(refused(unsigned("-1")), "`-1` is negative: a number here is 0 or more");
        assert_eq!(refused(unsigned("0x1_0000_0000_0000_0000")), "`0x1_0000_0000_0000_0000` has more than 64 bits");
        let long = std::format!("0x1{}", "0".repeat(64));
        assert_eq!(word(&long), Err(NotNumber::TooLarge { text: &long, bits: 256 }));
        assert_eq!(word(&long.replacen('1', "f", 1)[..66]), Ok(U256::new(0xf << 124, 0)));
    }
}
