//! The words of a program, and their addresses.

use isa_runtime::U256;
use isa_runtime::word::Units;
use std::fmt;

/// A word of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Its address in bytes.
    pub address: u64,
    /// The word.
    pub word: U256,
    /// Bits of the word.
    pub bits: u32,
}

impl Placed {
    /// Its bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.bits.div_ceil(8).into()
    }
}

/// A word with an address that is not possible in its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misplaced {
    /// The address is not a multiple of the unit that programs are made of.
    Misaligned(u64),
    /// Another word has a byte in common with it.
    Overlap(u64),
}

impl fmt::Display for Misplaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Misaligned(at) => write!(f, "the word at {at:#x} is misaligned: no instruction can begin there"),
            Self::Overlap(at) => write!(f, "two words of the program are at {at:#x}"),
        }
    }
}

impl std::error::Error for Misplaced {}

/// The words of a program by address, whole units from the first one on.
pub(crate) fn sorted(units: Units, words: &[Placed]) -> Result<Vec<Placed>, Misplaced> {
    let unit = units.bytes().max(1) as u64;
    let mut words = words.to_vec();
    words.sort_by_key(|word| word.address);
    let base = words.first().map_or(0, |word| word.address);
    let mut end = base;
    for word in &words {
        if !(word.address - base).is_multiple_of(unit) {
            return Err(Misplaced::Misaligned(word.address));
        }
        if word.address < end {
            return Err(Misplaced::Overlap(word.address));
        }
        end = word.address.saturating_add(word.bytes());
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_apart() {
        let word = |address, bits| Placed { address, word: U256::ZERO, bits };
        let check = |unit: u32, words: &[Placed]| {
            let units = Units { bits: 8 * unit, low_first: true, little_endian: true };
            sorted(units, words).map(|words| words.len())
        };
        assert_eq!(check(2, &[word(0, 16), word(2, 32), word(6, 16)]), Ok(3));
        assert_eq!(check(2, &[word(6, 16), word(2, 32), word(4, 16)]), Err(Misplaced::Overlap(4)));
        assert_eq!(check(2, &[word(6, 16), word(6, 16)]), Err(Misplaced::Overlap(6)));
        assert_eq!(check(2, &[word(6, 16), word(9, 16)]), Err(Misplaced::Misaligned(9)));
        assert_eq!(check(4, &[word(u64::MAX - 3, 32)]), Ok(1));
    }
}
