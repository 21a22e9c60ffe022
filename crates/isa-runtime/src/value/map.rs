//! Listed numbers of bits, from a code of a specification or a number that is computed from fields.

use alloc::vec::Vec;

/// The choice among several bits of one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Several {
    /// The least are assembled, if they lead to a word.
    #[default]
    Least,
    /// The greatest are.
    Greatest,
    /// Those of the nearest word are: the one with the fewest bits that are not at their defaults, and of several the smallest.
    Nearest,
}

/// The numbers of some bits, as a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Map {
    /// Bits and their numbers, by bits.
    numbers: Vec<(u16, i128)>,
    /// Numbers and their bits, by number; of several bits of one number, the assembled ones come first.
    bits: Vec<(i128, u16)>,
    several: Several,
    /// Bits of a number.
    width: u32,
}

impl Map {
    /// Bits and their numbers.
    pub fn new(numbers: impl IntoIterator<Item = (u16, i128)>, several: Several) -> Self {
        let mut numbers: Vec<(u16, i128)> = numbers.into_iter().collect();
        numbers.sort_unstable();
        numbers.dedup_by_key(|(bits, _)| *bits);
        let mut bits: Vec<(i128, u16)> = numbers.iter().map(|(bits, number)| (*number, *bits)).collect();
        bits.sort_by_key(|(number, bits)| (*number, if several == Several::Greatest { u16::MAX - bits } else { *bits }));
        Self { numbers, bits, several, width: u64::BITS }
    }

    /// The same with numbers of `width` bits.
    #[must_use]
    pub fn of_width(self, width: u32) -> Self {
        Self { width, ..self }
    }

    /// Bits of a number.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Bits and their numbers, by bits.
    pub fn numbers(&self) -> &[(u16, i128)] {
        &self.numbers
    }

    /// The choice among several bits of one number.
    pub fn several(&self) -> Several {
        self.several
    }

    /// The number of some bits, if they have one.
    pub fn number(&self, bits: u128) -> Option<i128> {
        let at = self.numbers.binary_search_by_key(&bits, |(bits, _)| (*bits).into()).ok()?;
        Some(self.numbers[at].1)
    }

    /// The bits of a number, beginning with the assembled ones.
    pub fn bits(&self, number: i128) -> impl Iterator<Item = u16> + '_ {
        let first = self.bits.partition_point(|(other, _)| *other < number);
        self.bits[first..].iter().take_while(move |(other, _)| *other == number).map(|(_, bits)| *bits)
    }

    /// The listed numbers next to one that is not listed: the greatest below it, and the least above.
    pub fn around(&self, number: i128) -> [Option<i128>; 2] {
        let at = self.bits.partition_point(|(other, _)| *other < number);
        [at.checked_sub(1).map(|at| self.bits[at].0), self.bits.get(at).map(|(number, _)| *number)]
    }

    /// The least and the greatest number; 0 if there are none.
    pub fn range(&self) -> [i128; 2] {
        [self.bits.first(), self.bits.last()].map(|end| end.map_or(0, |(number, _)| *number))
    }

    /// Returns true if no two bits have the same number.
    pub fn is_one_to_one(&self) -> bool {
        self.bits.windows(2).all(|pair| pair[0].0 != pair[1].0)
    }

    /// The bits that are assembled for each number, for all bits that have one.
    #[must_use]
    pub fn canonical(&self) -> Self {
        let first = |number: i128| self.bits(number).next().unwrap_or_default();
        Self::new(self.numbers.iter().map(|(bits, number)| (*bits, first(*number).into())), self.several)
    }
}

#[cfg(test)]
mod tests {
    use super::{Map, Several};
    use alloc::vec::Vec;

    #[test]
    fn numbers_have_bits_and_bits_numbers() {
        let numbers = [(0, 5), (1, 9), (3, 5), (6, 5), (7, 1)];
        let (least, greatest) = (Map::new(numbers, Several::Least), Map::new(numbers, Several::Greatest));
        assert_eq!([0, 2, 6, 1 << 16].map(|bits| least.number(bits)), [Some(5), None, Some(5), None]);
        assert_eq!(least.bits(5).collect::<Vec<_>>(), [0, 3, 6]);
        assert_eq!(greatest.bits(5).collect::<Vec<_>>(), [6, 3, 0]);
        assert_eq!(least.bits(2).count(), 0);
        assert_eq!([0, 2, 10].map(|n| least.around(n)), [[None, Some(1)], [Some(1), Some(5)], [Some(9), None]]);
        assert_eq!((least.range(), Map::default().range()), ([1, 9], [0, 0]));
        assert!(!least.is_one_to_one() && greatest.canonical().number(3) == Some(6) && least.canonical().number(3) == Some(0));
        assert!(Map::new([(4, 0), (2, 1)], Several::Least).is_one_to_one());
        let signed = Map::new([(0, -2), (1, 3), (2, -9)], Several::Least);
        assert_eq!((signed.range(), signed.around(-5), signed.bits(-2).next()), ([-9, 3], [Some(-9), Some(-2)], Some(0)));
    }
}
