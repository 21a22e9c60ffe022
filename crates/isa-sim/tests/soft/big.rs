//! Natural numbers of any length, bit by bit: for exact values.

use std::cmp::Ordering;

/// Words of 64 bits, the lowest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Big(Vec<u64>);

impl Big {
    pub(crate) fn new(x: u128) -> Self {
        Self(vec![x as u64, (x >> 64) as u64]).trimmed()
    }

    fn trimmed(mut self) -> Self {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        self
    }

    /// The number of bits without leading zeros.
    pub(crate) fn len(&self) -> i64 {
        self.0.last().map_or(0, |top| self.0.len() as i64 * 64 - i64::from(top.leading_zeros()))
    }

    /// A bit; those beyond either end are zeros.
    pub(crate) fn bit(&self, n: i64) -> bool {
        n >= 0 && self.0.get(n as usize / 64).is_some_and(|word| word >> (n % 64) & 1 != 0)
    }

    /// Returns true if any bit below bit `n` is set.
    pub(crate) fn any_below(&self, n: i64) -> bool {
        let whole = (n.max(0) / 64) as usize;
        self.0.iter().take(whole).any(|word| *word != 0) || (whole as i64 * 64..n).any(|i| self.bit(i))
    }

    /// The bits from bit `n` on, which may be negative.
    pub(crate) fn bits_from(&self, n: i64) -> u128 {
        assert!(self.len() - n <= 128, "the result fits");
        (0..128).fold(0, |x, i| x | u128::from(self.bit(n + i)) << i)
    }

    pub(crate) fn shl(&self, n: i64) -> Self {
        let (words, bits) = (n as usize / 64, n as u32 % 64);
        let mut r = vec![0; words];
        let mut carry = 0;
        for word in &self.0 {
            r.push(word << bits | carry);
            carry = if bits == 0 { 0 } else { word >> (64 - bits) };
        }
        r.push(carry);
        Self(r).trimmed()
    }

    pub(crate) fn add(&self, other: &Self) -> Self {
        let mut carry = 0;
        let mut r = Vec::new();
        for i in 0..=self.0.len().max(other.0.len()) {
            let word = |x: &Self| u128::from(x.0.get(i).copied().unwrap_or(0));
            let sum = word(self) + word(other) + carry;
            r.push(sum as u64);
            carry = sum >> 64;
        }
        Self(r).trimmed()
    }

    /// The difference from a number that is not greater.
    pub(crate) fn sub(&self, other: &Self) -> Self {
        let mut borrow = 0;
        let mut r = Vec::new();
        for i in 0..self.0.len() {
            let less = i128::from(other.0.get(i).copied().unwrap_or(0)) + borrow;
            let rest = i128::from(self.0[i]) - less;
            borrow = i128::from(rest < 0);
            r.push(rest as u64);
        }
        assert_eq!(borrow, 0, "the other is not greater");
        Self(r).trimmed()
    }

    pub(crate) fn order(&self, other: &Self) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}
