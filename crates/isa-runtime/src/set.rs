//! Sets of words.

/// The words that agree with `value` in the bits of `mask`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cube {
    /// The bits that are compared.
    pub mask: u128,
    /// Their values.
    pub value: u128,
}

impl Cube {
    /// The words whose `mask` bits are those of `value`.
    pub const fn new(mask: u128, value: u128) -> Self {
        Self { mask, value }
    }

    /// True if the word is one of them.
    #[inline]
    pub const fn contains(self, word: u128) -> bool {
        word & self.mask == self.value
    }
}

/// A set of words: those of any of these cubes.
#[derive(Clone, Copy, Debug)]
pub struct Set(pub &'static [Cube]);

impl Set {
    /// True if the word is in the set.
    pub fn contains(&self, word: u128) -> bool {
        self.0.iter().any(|cube| cube.contains(word))
    }
}
