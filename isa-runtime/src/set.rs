//! Sets of words.

/// The words that agree with `value` in the bits of `mask`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cube {
    /// The bits that are looked at.
    pub mask: u128,
    /// Their values.
    pub value: u128,
}

impl Cube {
    /// The words whose `mask` bits are those of `value`.
    pub const fn new(mask: u128, value: u128) -> Self {
        Self { mask, value }
    }

    /// Whether the word is one of them.
    #[inline]
    pub const fn contains(self, word: u128) -> bool {
        word & self.mask == self.value
    }

    /// Whether a word is, of which the bits of `known` are those of `word`.
    #[inline]
    pub(crate) const fn meets(self, word: u128, known: u128) -> bool {
        (word ^ self.value) & self.mask & known == 0
    }
}

/// A set of words, and its complement: the matcher needs both.
#[derive(Debug)]
pub struct Set {
    /// The words, as cubes that don't overlap.
    pub inside: &'static [Cube],
    /// All other words.
    pub outside: &'static [Cube],
}

impl Set {
    /// Whether the word is in the set.
    pub fn contains(&self, word: u128) -> bool {
        self.inside.iter().any(|c| c.contains(word))
    }

    /// The cubes of the set or of its complement.
    pub(crate) fn side(&self, inside: bool) -> &'static [Cube] {
        if inside { self.inside } else { self.outside }
    }

    /// Whether the known bits leave a word on that side.
    pub(crate) fn may_be(&self, inside: bool, word: u128, known: u128) -> bool {
        self.side(inside).iter().any(|c| c.meets(word, known))
    }
}
