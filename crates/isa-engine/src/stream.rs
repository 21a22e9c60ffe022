//! Consecutive words in memory.

use crate::codec::{Codec, Word};

/// A word with its length, which is given by its digits or by the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sized {
    /// The word.
    pub word: Word,
    /// Its bits.
    pub bits: u32,
}

/// `0x` and all hexadecimal digits.
impl std::fmt::Display for Sized {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "0x{:0digits$x}", self.word, digits = self.bits.div_ceil(4) as usize)
    }
}

/// The word at the beginning of a section's bytes, or the error, and the number of bytes that it takes.
#[inline]
pub fn word_at(codec: &dyn Codec, bytes: &[u8]) -> (usize, Result<Sized, String>) {
    let shape = codec.shape();
    let unit = ((shape.units.bits / 8) as usize).max(1);
    let cut_off = |length: usize| (bytes.len(), Err(format!("the section ends inside a word of {length} bytes")));
    let Some(first) = bytes.get(..unit) else { return cut_off(unit) };
    let first = shape.units.read(first);
    let Some(bits) = codec.length_of(first) else { return (unit, Err(codec.no_word(first))) };
    let length = (bits / 8) as usize;
    match bytes.get(..length) {
        Some(_) if length == unit => (length, Ok(Sized { word: first, bits })),
        Some(bytes) => (length, Ok(Sized { word: shape.units.read(bytes), bits })),
        None => cut_off(length),
    }
}

/// Bytes that a word of `bits` bits takes in memory.
pub fn bytes_of(bits: u32) -> u64 {
    u64::from(bits.div_ceil(8))
}

/// A word given as a number, with its length: the shortest one that fits the number and its first unit.
///
/// # Errors
/// When the instruction set has no such word: it has too many bits, or no word begins with its first unit.
pub fn sized(codec: &dyn Codec, word: Word) -> Result<Sized, String> {
    let shape = codec.shape();
    if let [bits] = shape.lengths[..] {
        return match word >> bits == Word::ZERO {
            true => Ok(Sized { word, bits }),
            false => Err(format!("{word:#x} has more than {bits} bits")),
        };
    }
    let unit = shape.units.bits;
    let first = |bits: u32| if shape.units.low_first { word & Word::ones(unit) } else { word >> bits.saturating_sub(unit) };
    let fits = |bits: u32| word >> bits == Word::ZERO;
    let mut lengths = shape.lengths.iter().copied().filter(|bits| fits(*bits)).peekable();
    let Some(shortest) = lengths.peek().copied() else {
        return Err(match shape.lengths.last() {
            Some(most) => format!("{word:#x} has more than {most} bits"),
            None => format!("{} has no binary form: it is text-only", codec.name()),
        });
    };
    match lengths.find(|bits| codec.length_of(first(*bits)) == Some(*bits)) {
        Some(bits) => Ok(Sized { word, bits }),
        None => Err(codec.no_word(first(shortest))),
    }
}
