//! Exact numbers of words.

use crate::bits::Word;

/// An exact number of words, of any size: limbs of 64 bits, the least significant first, the last one not 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Count(Vec<u64>);

impl Count {
    /// 2^n.
    pub fn power(n: u32) -> Self {
        let mut limbs = vec![0; (n / 64) as usize];
        limbs.push(1 << (n % 64));
        Self(limbs)
    }

    /// Adds another count.
    pub fn add(&mut self, other: &Self) {
        let mut carry = false;
        for i in 0..self.0.len().max(other.0.len()) {
            if i == self.0.len() {
                self.0.push(0);
            }
            let (sum, over) = self.0[i].overflowing_add(other.0.get(i).copied().unwrap_or(0));
            let (sum, again) = sum.overflowing_add(carry.into());
            (self.0[i], carry) = (sum, over | again);
        }
        if carry {
            self.0.push(1);
        }
    }

    /// The count times 2^n.
    pub fn shifted(&self, n: u32) -> Self {
        if self.is_zero() {
            return Self::default();
        }
        let (whole, part) = ((n / 64) as usize, n % 64);
        let mut limbs = vec![0; whole];
        let mut carry = 0;
        for limb in &self.0 {
            limbs.push(limb << part | carry);
            carry = limb.checked_shr(64 - part).unwrap_or(0);
        }
        if carry != 0 {
            limbs.push(carry);
        }
        Self(limbs)
    }

    /// True if it is none.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The number, or the largest one that a word can hold.
    pub fn to_word(&self) -> Word {
        let limb = |i: usize| self.0.get(i).copied().unwrap_or(0);
        if self.0.len() > 4 { Word::MAX } else { Word::from_limbs([0, 1, 2, 3].map(limb)) }
    }

    /// The exponent, if it is a power of two.
    pub fn log2(&self) -> Option<u32> {
        let (last, rest) = self.0.split_last()?;
        (last.is_power_of_two() && rest.iter().all(|l| *l == 0)).then(|| 64 * rest.len() as u32 + last.trailing_zeros())
    }

    /// This many of 2^n, as a fraction.
    pub fn fraction_of_power(&self, n: u32) -> f64 {
        let parts = self.0.iter().enumerate().map(|(i, limb)| *limb as f64 * f64::exp2(64.0 * i as f64 - f64::from(n)));
        // A sum of nothing is -0.
        0.0 + parts.sum::<f64>()
    }
}

/// Exact, in hexadecimal: `0x1000`.
impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Some((last, rest)) = self.0.split_last() else { return f.write_str("0x0") };
        write!(f, "{last:#x}")?;
        rest.iter().rev().try_for_each(|limb| write!(f, "{limb:016x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_beyond_a_word_are_exact() {
        let mut count = Count::power(128);
        assert_eq!(count.to_string(), format!("0x1{}", "0".repeat(32)));
        assert_eq!(count.log2(), Some(128));
        count.add(&Count::power(0));
        assert_eq!(count.to_string(), format!("0x1{}1", "0".repeat(31)));
        assert_eq!(count.log2(), None);
        assert_eq!(count.shifted(65).to_string(), format!("0x2{}2{}", "0".repeat(31), "0".repeat(16)));
        assert_eq!(Count::default().to_string(), "0x0");
        assert!(Count::default().fraction_of_power(8).is_sign_positive());
    }

    #[test]
    fn carries_go_through() {
        let mut count = Count::power(0);
        for n in 0..200 {
            let before = count.clone();
            count.add(&before);
            assert_eq!(count, Count::power(n + 1));
            assert_eq!(count, Count::power(0).shifted(n + 1));
        }
        let mut all = Count::default();
        (0..130).for_each(|n| all.add(&Count::power(n)));
        all.add(&Count::power(0));
        assert_eq!(all, Count::power(130));
    }
}
