//! Numbers of up to 256 bits.

use std::fmt;

/// The widest value that the language has, in bits.
pub const MAX_WIDTH: u32 = 256;

/// A number of up to 256 bits, without sign; the least significant limb first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Int(pub [u64; 4]);

impl Int {
    /// The two's complement of `value` in `width` bits (1 to 256); higher bits are dropped.
    pub fn from_i128(value: i128, width: u32) -> Self {
        let sign = if value < 0 { u64::MAX } else { 0 };
        Self([value as u64, (value >> 64) as u64, sign, sign]).truncated(width)
    }

    /// The lowest `width` bits.
    pub fn truncated(self, width: u32) -> Self {
        let mut limbs = self.0;
        for (i, limb) in limbs.iter_mut().enumerate() {
            let keep = width.saturating_sub(64 * i as u32);
            if keep < 64 {
                *limb &= (1 << keep) - 1;
            }
        }
        Self(limbs)
    }

    /// The number of `width` bits with its top bit copied into all bits above.
    pub fn sign_extended(self, width: u32) -> Self {
        if !self.bit(width - 1) {
            self
        } else {
            Self(std::array::from_fn(|i| self.0[i] | !Self([u64::MAX; 4]).truncated(width).0[i]))
        }
    }

    /// The sum, without what goes beyond 256 bits.
    pub fn wrapping_add(self, other: Self) -> Self {
        let mut carry = false;
        Self(std::array::from_fn(|i| {
            let (sum, over) = self.0[i].overflowing_add(other.0[i]);
            let (sum, again) = sum.overflowing_add(carry.into());
            carry = over | again;
            sum
        }))
    }

    /// The product, without what goes beyond 256 bits.
    pub fn wrapping_mul(self, other: Self) -> Self {
        let mut limbs = [0u64; 4];
        for (i, a) in self.0.into_iter().enumerate() {
            let mut carry = 0u128;
            for (j, b) in other.0[..4 - i].iter().enumerate() {
                let next = u128::from(limbs[i + j]) + u128::from(a) * u128::from(*b) + carry;
                limbs[i + j] = next as u64;
                carry = next >> 64;
            }
        }
        Self(limbs)
    }

    /// How many bits the number needs; 0 needs none.
    pub fn bits(self) -> u32 {
        (0..4).rev().find(|i| self.0[*i] != 0).map_or(0, |i| 64 * (i as u32 + 1) - self.0[i].leading_zeros())
    }

    /// One bit.
    pub fn bit(self, at: u32) -> bool {
        at < MAX_WIDTH && self.0[(at / 64) as usize] >> (at % 64) & 1 == 1
    }

    /// As a signed number of the machine, if it is small enough.
    pub fn to_i128(self) -> Option<i128> {
        (self.bits() < 128).then(|| (u128::from(self.0[0]) | u128::from(self.0[1]) << 64) as i128)
    }

    /// `0x1f`, `0b11`, `1_000`. `None` if it is not a number or has more than 256 bits.
    pub fn parse(text: &str) -> Option<Self> {
        let (radix, digits) = match (text.strip_prefix("0x"), text.strip_prefix("0b")) {
            (Some(digits), _) => (16, digits),
            (_, Some(digits)) => (2, digits),
            _ => (10, text),
        };
        let mut value = Self::default();
        let mut any = false;
        for c in digits.chars().filter(|c| *c != '_') {
            let mut carry = u128::from(c.to_digit(radix)?);
            for limb in &mut value.0 {
                let next = u128::from(*limb) * u128::from(radix) + carry;
                *limb = next as u64;
                carry = next >> 64;
            }
            if carry != 0 {
                return None;
            }
            any = true;
        }
        any.then_some(value)
    }
}

impl From<u128> for Int {
    fn from(value: u128) -> Self {
        Self([value as u64, (value >> 64) as u64, 0, 0])
    }
}

/// Hexadecimal.
impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (0..4).rev().find(|i| self.0[*i] != 0) {
            None => f.write_str("0x0"),
            Some(top) => {
                write!(f, "{:#x}", self.0[top])?;
                (0..top).rev().try_for_each(|i| write!(f, "{:016x}", self.0[i]))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_and_written() {
        assert_eq!(Int::parse("0x1f").map(|i| i.to_string()).as_deref(), Some("0x1f"));
        assert_eq!(Int::parse("0b1_01"), Some(Int::from(5)));
        assert_eq!(Int::parse("18446744073709551616"), Some(Int([0, 1, 0, 0])));
        assert_eq!(Int([0, 1, 0, 0]).to_string(), "0x10000000000000000");
        assert_eq!(Int::parse(&format!("0x{}", "f".repeat(64))), Some(Int([u64::MAX; 4])));
        assert_eq!(Int::parse(&format!("0x1{}", "0".repeat(64))), None);
        assert_eq!(Int::parse("0x"), None);
        assert_eq!(Int::parse("12a"), None);
    }

    #[test]
    fn widths_cut_and_count() {
        assert_eq!(Int::from_i128(-1, 34), Int::from((1 << 34) - 1));
        assert_eq!(Int::from_i128(-1, 256), Int([u64::MAX; 4]));
        assert_eq!(Int::from(0x1ff).truncated(8), Int::from(0xff));
        assert_eq!([Int::from(0).bits(), Int::from(1).bits(), Int([0, 0, 0, 1]).bits()], [0, 1, 193]);
        assert_eq!(Int::from(u128::MAX).to_i128(), None);
        assert!(Int([0, 2, 0, 0]).bit(65) && !Int([0, 2, 0, 0]).bit(256));
    }
}
