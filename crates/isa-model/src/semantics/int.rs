//! Numbers of up to 256 bits.

use isa_runtime::U256;
use std::fmt;

/// The widest value that the language has, in bits.
pub const MAX_WIDTH: u32 = 256;

/// A number of up to 256 bits, without sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Int(pub U256);

impl Int {
    /// The two's complement of `value` in `width` bits (1 to 256); higher bits are dropped.
    pub fn from_i128(value: i128, width: u32) -> Self {
        Self(U256::new((value >> 127) as u128, value as u128)).truncated(width)
    }

    /// The number of these limbs, the least significant first.
    pub fn from_limbs(limbs: [u64; 4]) -> Self {
        Self(U256::from_limbs(limbs))
    }

    /// Its limbs, the least significant first.
    pub fn limbs(self) -> [u64; 4] {
        self.0.limbs()
    }

    /// The lowest 64 bits.
    pub fn low(self) -> u64 {
        self.0.low() as u64
    }

    /// The lowest 128 bits.
    pub fn low_u128(self) -> u128 {
        self.0.low()
    }

    /// All `width` bits set; 0 to 256.
    pub fn ones(width: u32) -> Self {
        Self(U256::ones(width))
    }

    /// The lowest `width` bits.
    pub fn truncated(self, width: u32) -> Self {
        Self(self.0 & Self::ones(width).0)
    }

    /// The number of `width` bits with its top bit copied into all bits above.
    pub fn sign_extended(self, width: u32) -> Self {
        if self.bit(width - 1) { Self(self.0 | !Self::ones(width).0) } else { self }
    }

    /// The sum, without what goes beyond 256 bits.
    pub fn wrapping_add(self, other: Self) -> Self {
        Self(self.0.overflowing_add(other.0).0)
    }

    /// The product, without what goes beyond 256 bits.
    pub fn wrapping_mul(self, other: Self) -> Self {
        Self(self.0.wrapping_mul(other.0))
    }

    /// The number of bits that the number needs; 0 needs none.
    pub fn bits(self) -> u32 {
        MAX_WIDTH - self.0.leading_zeros()
    }

    /// One bit.
    pub fn bit(self, at: u32) -> bool {
        self.0.has(at)
    }

    /// Returns the value as a signed number, if it is small enough.
    pub fn to_i128(self) -> Option<i128> {
        self.0.to_u128()?.try_into().ok()
    }
}

impl From<u128> for Int {
    fn from(value: u128) -> Self {
        Self(value.into())
    }
}

/// Hexadecimal.
impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_cut_and_count() {
        assert_eq!(Int::from_i128(-1, 34), Int::from((1 << 34) - 1));
        assert_eq!(Int::from_i128(-1, 256), Int::from_limbs([u64::MAX; 4]));
        assert_eq!(Int::from(0x1ff).truncated(8), Int::from(0xff));
        assert_eq!([Int::from(0).bits(), Int::from(1).bits(), Int::from_limbs([0, 0, 0, 1]).bits()], [0, 1, 193]);
        assert_eq!(Int::from(u128::MAX).to_i128(), None);
        assert_eq!(Int::from_limbs([0, 1, 0, 0]).to_string(), "0x10000000000000000");
        let limbs = [1, 2 << 40, 3, 4 << 60];
        assert_eq!(Int::from_limbs(limbs).limbs(), limbs);
        assert_eq!(
            [Int::ones(0), Int::ones(65), Int::ones(256)],
            [0, 65, 256].map(|n| Int::from_limbs([u64::MAX; 4]).truncated(n))
        );
        assert!(Int::from_limbs([0, 2, 0, 0]).bit(65) && !Int::from_limbs([0, 2, 0, 0]).bit(256));
    }
}
