//! The look-up from a word to its form.
//!
//! A few bits of the word, gathered, index a table of `u16`: the [`Row`] to look at. The row says which bits must have which
//! values; where forms share a place in the index, rows form a chain, most specific first.

use crate::set::Cube;
use crate::word::Word;

/// A step of the look-up: one form, and where to go on if the word is none of it.
#[derive(Clone, Copy, Debug)]
pub struct Row<W, F> {
    /// The bits that legal words of the form all have alike.
    pub mask: W,
    /// Their values.
    pub value: W,
    /// The form.
    pub form: F,
    /// Its instruction.
    pub insn: u16,
    /// Its legality class: which truth table its rules are in.
    pub class: u16,
    /// The checks that are not in the truth table; 0 is none.
    pub extra: u16,
    /// The next row of the chain; 0 is its end.
    pub next: u16,
}

/// The row that no word matches: what an empty place of the index points to. It is always row 0.
#[macro_export]
#[doc(hidden)]
macro_rules! hole {
    ($any_form:expr) => {
        $crate::table::Row { mask: 0, value: 1, form: $any_form, insn: 0, class: 0, extra: 0, next: 0 }
    };
}

/// Fills an index: for every row that begins a chain, the index bits that it fixes, their values, and its number.
///
/// All places that agree with the fixed bits get the number; later entries overwrite earlier ones.
pub const fn index<const N: usize>(entries: &[(u16, u16, u16)]) -> [u16; N] {
    let mut index = [0; N];
    let mut i = 0;
    while i < entries.len() {
        let (mask, value, row) = entries[i];
        let free = !mask & (N - 1) as u16;
        // Runs through all subsets of the free bits.
        let mut subset = 0u16;
        loop {
            index[(value | subset) as usize] = row;
            subset = subset.wrapping_sub(free) & free;
            if subset == 0 {
                break;
            }
        }
        i += 1;
    }
    index
}

/// A check of a word that is not in the truth table.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// Bit number `field hi..lo` of the table must be set; the field has at most 6 bits.
    Window {
        /// First bit of the field.
        hi: u8,
        /// Last bit of the field.
        lo: u8,
        /// The values that pass.
        table: u64,
    },
    /// The word must be in one of the cubes.
    Cubes(&'static [Cube]),
}

impl Check {
    /// Whether the word passes.
    #[inline]
    pub fn passes<W: Word>(&self, word: W) -> bool {
        match *self {
            Self::Window { hi, lo, table } => table >> (word.field(hi.into(), lo.into()) & 63) & 1 == 1,
            Self::Cubes(cubes) => {
                let word = word.widen();
                cubes.iter().any(|c| c.contains(word))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_bits_of_the_index_are_filled() {
        const INDEX: [u16; 16] = index(&[(0b1100, 0b0100, 7), (0b1111, 0b0110, 9), (0b0011, 0b0011, 3)]);
        assert_eq!(INDEX, [0, 0, 0, 3, 7, 7, 9, 3, 0, 0, 0, 3, 0, 0, 0, 3]);
    }
}
