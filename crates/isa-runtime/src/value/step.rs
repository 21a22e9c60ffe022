//! The steps from the bits of a field to its number.

use super::Number;

/// A step from the bits of a field to its number.
///
/// The first steps of a code lead from bits to bits, as [`Step::Not`] does; the following ones lead to numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// All ones minus the bits.
    Not,
    /// The bits as a number in two's complement.
    Sign,
    /// Multiplied by this, which is not 0.
    Times(i64),
    /// Increased by this.
    Plus(i64),
    /// The number of low bits that are cleared in the sum that the next step, [`Step::Relative`], adds: it counts from the
    /// beginning of a page.
    Page(u8),
    /// Increased by the address of the word and by this; the sum has 64 bits and a sign.
    Relative(i64),
    /// The remainder modulo two to this power, at most 64. It is not negative.
    Modulo(u8),
    /// This bit is inverted.
    Flip(u8),
    /// A bit becomes its exclusive-or with another one.
    Xor {
        /// The bit that changes.
        to: u8,
        /// The other one.
        from: u8,
    },
}

/// The steps that a specification names by a word.
const WORDS: [(&str, Step); 2] = [("inverted", Step::Not), ("signed", Step::Sign)];

/// The origin of the distance to a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The distance from the address of the word.
    pub offset: i64,
    /// The number of low bits of the sum that are cleared, at most 63.
    pub page: u8,
}

impl Origin {
    /// The address from which the distance is counted in a word at an address.
    #[inline]
    pub fn at(self, address: u64) -> i64 {
        (address as i64).wrapping_add(self.offset) >> self.page << self.page
    }
}

impl Step {
    /// The number of its kind in tables, and its own number.
    pub fn parts(self) -> (u8, i64) {
        match self {
            Self::Not => (0, 0),
            Self::Sign => (1, 0),
            Self::Times(by) => (2, by),
            Self::Plus(by) => (3, by),
            Self::Relative(by) => (4, by),
            Self::Modulo(by) => (5, by.into()),
            Self::Page(by) => (6, by.into()),
            Self::Flip(bit) => (7, bit.into()),
            Self::Xor { to, from } => (8, i64::from(to) | i64::from(from) << 8),
        }
    }

    /// The step of a kind with a number; an unknown kind changes nothing.
    pub fn from_parts(kind: u8, by: i64) -> Self {
        match kind {
            0 => Self::Not,
            1 => Self::Sign,
            2 => Self::Times(if by == 0 { 1 } else { by }),
            4 => Self::Relative(by),
            5 => Self::Modulo(by.clamp(0, 64) as u8),
            6 => Self::Page(by.clamp(0, 63) as u8),
            3 => Self::Plus(by),
            7 if (0..128).contains(&by) => Self::Flip(by as u8),
            8 if by & 0xff < 128 && (0..128).contains(&(by >> 8)) && by & 0xff != by >> 8 => {
                Self::Xor { to: by as u8, from: (by >> 8) as u8 }
            }
            _ => Self::Plus(0),
        }
    }

    /// The step that a word of a specification names, if it is one without a number.
    pub fn from_word(word: &str) -> Option<Self> {
        WORDS.iter().find(|(name, _)| *name == word).map(|(_, step)| *step)
    }

    /// The word of a specification for it; empty for a step with a number.
    pub fn word(self) -> &'static str {
        WORDS.iter().find(|(_, step)| *step == self).map_or("", |(word, _)| word)
    }

    /// Returns true if it leads from bits to bits.
    pub fn is_of_bits(self) -> bool {
        matches!(self, Self::Not | Self::Flip(_) | Self::Xor { .. })
    }

    /// Returns true if it leads from the value to the number that a text shows.
    pub fn is_shown(self) -> bool {
        matches!(self, Self::Page(_) | Self::Relative(_) | Self::Modulo(_))
    }

    /// The bits that it makes of those of a field. All such steps are their own inverses.
    fn bits(self, bits: u128, width: u32) -> u128 {
        let changed = match self {
            Self::Not => ones(width),
            Self::Flip(bit) => 1 << (bit & 127),
            Self::Xor { to, from } => (bits >> (from & 127) & 1) << (to & 127),
            _ => 0,
        };
        bits ^ changed & ones(width)
    }

    /// The number that it makes of the number of `width` bits in a word at an address, after a step [`Step::Page`] with `page`;
    /// `None` if that has more than 128 bits.
    #[inline]
    fn number(self, number: Number, width: u32, address: u64, page: u8) -> Option<Number> {
        match self {
            Self::Sign if width > 0 && number.bit(width - 1) => number.plus(-Number::from(ones(width)))?.plus((-1i64).into()),
            Self::Sign => Some(number),
            Self::Times(factor) => number.times(factor),
            Self::Plus(more) => number.plus(more.into()),
            Self::Relative(offset) => Some(Origin { offset, page }.at(address).wrapping_add(number.low() as i64).into()),
            Self::Modulo(bits) => Some(Number::from(number.low() & ones(bits.into()))),
            step => Some(Number::from(step.bits(number.low(), width))),
        }
    }
}

/// The number that steps make of some bits of a word at an address; `None` if it has more than 128 bits.
#[inline]
pub fn number_of(steps: impl IntoIterator<Item = Step>, raw: u128, width: u32, address: u64) -> Option<Number> {
    let bits = Number::from(raw & ones(width));
    let mut page = 0;
    steps.into_iter().try_fold(bits, |number, step| match step {
        Step::Page(bits) => {
            page = bits;
            Some(number)
        }
        step => step.number(number, width, address, page),
    })
}

/// The bits of a number for those of a field, by the steps from bits to bits.
#[inline]
pub fn number_bits(steps: &[Step], raw: u128, width: u32) -> u128 {
    steps.iter().fold(raw, |bits, step| step.bits(bits, width))
}

/// The bits of a field for those of a number, by the steps from bits to bits.
#[inline]
pub fn word_bits(steps: &[Step], bits: u128, width: u32) -> u128 {
    steps.iter().rev().fold(bits, |bits, step| step.bits(bits, width))
}

/// The number with `bits` ones.
pub(super) fn ones(bits: u32) -> u128 {
    u128::MAX.checked_shr(128u32.saturating_sub(bits)).unwrap_or(0)
}
