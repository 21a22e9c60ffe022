//! The way from the number of a field to its text, as data.

use super::Names;
use alloc::string::String;
use alloc::vec::Vec;

/// The digits of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// `0x1f`, `-0x1f`
    Hex,
    /// `31`
    Dec,
    /// `31`, with leading zeros up to this number of digits
    Padded(u8),
    /// `0x001f`, with leading zeros up to this number of digits
    PaddedHex(u8),
    /// `1.5`: the bits are the high bits of an IEEE 754 number
    Float(FloatStyle),
}

/// The text of floating-point numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FloatStyle {
    /// The bits of the IEEE 754 format: 16, 32 or 64.
    pub format: u8,
    /// Digits after the point, with an exponent, as in `1.500e+00`; 0 for as many as a number needs.
    pub digits: u8,
}

impl Style {
    /// Returns true for digits with `0x`.
    pub fn is_hex(self) -> bool {
        matches!(self, Self::Hex | Self::PaddedHex(_))
    }

    /// The least number of digits that are printed.
    pub fn least(self) -> u8 {
        match self {
            Self::Padded(digits) | Self::PaddedHex(digits) => digits.max(1),
            Self::Hex | Self::Dec | Self::Float(_) => 1,
        }
    }
}

/// The texts of the numbers of a field: the text of each part, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Spelling {
    /// The parts.
    pub parts: Vec<Part>,
}

/// A part of the text of a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// The bits of the number that the part is for; `None` for the whole number, with its sign.
    pub of: Option<Bits>,
    /// Numbers with texts of their own, in the order in which they are declared.
    pub names: Vec<Name>,
    /// The texts of all other numbers; `None` if these have none.
    pub other: Option<Other>,
}

/// Some bits of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bits {
    /// The lowest bit.
    pub lo: u8,
    /// The number of bits.
    pub width: u8,
}

/// A text of a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The number.
    pub number: u128,
    /// The text, which may be empty.
    pub text: String,
    /// The role of the text.
    pub role: Role,
}

/// The directions in which a text is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// It is printed and read.
    Both,
    /// It is read and never printed.
    Read,
    /// It is printed, and read as another number with this text, unless that number is not possible.
    Print,
}

/// The texts of the numbers that have none of their own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Other {
    /// The number, with its sign, and with `0x` where it is hexadecimal.
    Number(Style),
    /// The number between two texts.
    Numbered(Numbered),
    /// A name given by the program.
    Given {
        /// The names that are allowed.
        names: Names,
        /// Names for examples.
        example: Numbered,
    },
}

/// A number without a sign between two texts: `R5`, `csr0x12`, `H3L`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Numbered {
    /// The text before the number.
    pub before: String,
    /// The number is hexadecimal, with `0x`.
    pub is_hex: bool,
    /// The texts of even and odd numbers after the half of the number, if it is halved.
    pub halves: Option<[String; 2]>,
    /// The text after all of them.
    pub after: String,
    /// Numbers from here on have no text, if there is such an end.
    pub end: Option<u128>,
}

impl Bits {
    /// These bits of a number.
    pub fn of(self, number: u128) -> u128 {
        let ones = u128::MAX.checked_shr(128u32.saturating_sub(self.width.into())).unwrap_or(0);
        number.checked_shr(self.lo.into()).unwrap_or(0) & ones
    }
}

impl Part {
    /// The part of all numbers that has these texts.
    pub fn new(names: Vec<Name>, other: Option<Other>) -> Self {
        Self { of: None, names, other }
    }

    /// The texts that it consists of.
    fn texts(&self) -> impl Iterator<Item = &str> {
        let names = self.names.iter().map(|name| name.text.as_str());
        let numbered = self.other.as_ref().and_then(Other::numbered).into_iter();
        let around = numbered.flat_map(|n| [&n.before, &n.after].into_iter().chain(n.halves.iter().flatten()));
        names.chain(around.map(String::as_str))
    }

    /// The text that is printed for a number, if it has one of its own.
    pub fn printed(&self, number: u128) -> Option<&str> {
        let own = self.names.iter().find(|name| name.number == number && name.role != Role::Read);
        own.map(|name| name.text.as_str())
    }

    /// Returns true if a number has a text.
    pub fn has(&self, number: u128) -> bool {
        self.printed(number).is_some() || self.other.as_ref().is_some_and(|other| other.has(number))
    }
}

impl Other {
    /// The number between two texts, if it is one.
    pub fn numbered(&self) -> Option<&Numbered> {
        match self {
            Self::Number(_) => None,
            Self::Numbered(numbered) | Self::Given { example: numbered, .. } => Some(numbered),
        }
    }

    /// Returns true if a number has a text.
    fn has(&self, number: u128) -> bool {
        self.numbered().and_then(|numbered| numbered.end).is_none_or(|end| number < end)
    }
}

impl Name {
    /// A text that is printed and read.
    pub fn new(number: u128, text: &str) -> Self {
        Self { number, text: text.into(), role: Role::Both }
    }
}

impl Spelling {
    /// Numbers in digits.
    pub fn number(style: Style) -> Self {
        Self { parts: alloc::vec![Part::new(Vec::new(), Some(Other::Number(style)))] }
    }

    /// The texts of one part.
    pub fn part(names: Vec<Name>, other: Option<Other>) -> Self {
        Self { parts: alloc::vec![Part::new(names, other)] }
    }

    /// A text if a bit is set, an empty one if it is clear.
    pub fn flag(text: &str) -> Self {
        Self::part(alloc::vec![Name::new(0, ""), Name::new(1, text)], None)
    }

    /// A letter for each bit that is set, `-` for one that is clear; bit 0 first.
    pub fn letters(letters: &str) -> Self {
        let part = |(bit, letter): (u8, char)| Part {
            of: Some(Bits { lo: bit, width: 1 }),
            names: alloc::vec![Name::new(0, "-"), Name::new(1, letter.encode_utf8(&mut [0; 4]))],
            other: None,
        };
        Self { parts: (0..).zip(letters.chars()).map(part).collect() }
    }

    /// The style of numbers in digits; `None` if it has other texts.
    pub fn style(&self) -> Option<Style> {
        match self.parts.as_slice() {
            [Part { names, other: Some(Other::Number(style)), .. }] if names.is_empty() => Some(*style),
            _ => None,
        }
    }

    /// The style of numbers without a name, if they are written as numbers; only of a spelling with names.
    pub fn else_style(&self) -> Option<Style> {
        match self.parts.as_slice() {
            [Part { of: None, other: Some(Other::Numbered(Numbered { before, is_hex, halves: None, after, .. })), .. }] => {
                (before.is_empty() && after.is_empty()).then_some(if *is_hex { Style::Hex } else { Style::Dec })
            }
            _ => None,
        }
    }

    /// The same numbers in another style; `None` if they are not in digits, or floating-point numbers.
    pub fn with_style(&self, style: Style) -> Option<Self> {
        let is_float = |style| matches!(style, Style::Float(_));
        let own = self.style()?;
        (!is_float(own) && !is_float(style)).then(|| Self::number(style))
    }

    /// The names that a program can give, if it names these numbers.
    pub fn given(&self) -> Option<&Names> {
        self.parts.iter().find_map(|part| if let Some(Other::Given { names, .. }) = &part.other { Some(names) } else { None })
    }

    /// The texts that it consists of: those of names, and those around numbers.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().flat_map(Part::texts)
    }

    /// The text of bits that are all set: the text of a flag, the letters of a set.
    pub fn set_text(&self) -> String {
        self.parts.iter().filter_map(|part| part.printed(1)).collect()
    }

    /// Returns true if a number has a text.
    pub fn has(&self, number: u128) -> bool {
        self.parts.iter().all(|part| part.has(part.of.map_or(number, |bits| bits.of(number))))
    }
}
