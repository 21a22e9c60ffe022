//! Words with don't-cares.

use crate::bits::Word;

/// All words `w` with `w & mask == value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cube {
    /// The bits that matter.
    pub mask: Word,
    /// Their values; zero where `mask` is.
    pub value: Word,
}

impl Cube {
    /// Every word.
    pub const ALL: Self = Self { mask: Word::ZERO, value: Word::ZERO };

    /// The words whose `mask` bits are those of `value`.
    pub fn new(mask: Word, value: Word) -> Self {
        Self { mask, value: value & mask }
    }

    /// True if the word is in it.
    pub fn contains(self, word: Word) -> bool {
        word & self.mask == self.value
    }

    /// True if every word of `other` is in `self`.
    pub fn includes(self, other: Self) -> bool {
        (self.mask & !other.mask).is_zero() && ((self.value ^ other.value) & self.mask).is_zero()
    }
}

/// Fewer cubes with the same words, where neighbours differ in one bit. The cubes don't overlap, and neither do those that come out.
pub fn merge(mut cubes: Vec<Cube>) -> Vec<Cube> {
    loop {
        let before = cubes.len();
        cubes.sort_unstable_by_key(|c| (c.mask, c.value));
        let mut out: Vec<Cube> = Vec::with_capacity(before);
        'cubes: for cube in cubes {
            for other in out.iter_mut().rev().take_while(|o| o.mask == cube.mask).take(MERGE_REACH) {
                let differ = other.value ^ cube.value;
                if differ.is_power_of_two() {
                    *other = Cube::new(cube.mask & !differ, cube.value);
                    continue 'cubes;
                }
            }
            out.push(cube);
        }
        if out.len() == before {
            return out;
        }
        cubes = out;
    }
}

/// The number of earlier cubes that are searched for a neighbour.
const MERGE_REACH: usize = 256;

#[cfg(test)]
mod tests {
    use super::*;

    fn words(cubes: &[Cube], bits: u32) -> Vec<Word> {
        (0..1u32 << bits).map(Word::from).filter(|w| cubes.iter().any(|c| c.contains(*w))).collect()
    }

    #[test]
    fn merging_keeps_the_words() {
        let all: Vec<Cube> = (0..16u32).filter(|v| v % 5 != 3).map(|v| Cube::new(Word::ones(4), v.into())).collect();
        let merged = merge(all.clone());
        assert!(merged.len() < all.len());
        assert_eq!(words(&merged, 4), words(&all, 4));
        let apart = |a: &Cube, b: &Cube| !((a.value ^ b.value) & a.mask & b.mask).is_zero();
        assert!(merged.iter().enumerate().all(|(i, a)| merged[..i].iter().all(|b| apart(a, b))));
        assert_eq!(merge((0..256u32).map(|v| Cube::new(Word::ones(8), v.into())).collect()), [Cube::ALL]);
    }
}
