//! Bit vectors of up to 256 bits.

use super::operations::Bits;
use isa_runtime::U256;

/// Up to 256 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Long(U256);

impl Long {
    /// A number.
    #[inline(always)]
    pub fn of128(value: u128) -> Self {
        Self(value.into())
    }
}

impl Bits for Long {
    const ROOM: u32 = 256;

    #[inline(always)]
    fn low(self) -> u32 {
        self.0.low() as u32
    }
    #[inline(always)]
    fn low64(self) -> u64 {
        self.0.low() as u64
    }
    #[inline(always)]
    fn low128(self) -> u128 {
        self.0.low()
    }
    #[inline(always)]
    fn of_limbs(limbs: [u64; 4]) -> Self {
        Self(U256::from_limbs(limbs))
    }
    #[inline(always)]
    fn limbs(self) -> [u64; 4] {
        self.0.limbs()
    }
    #[inline(always)]
    fn of32(value: u32) -> Self {
        Self(value.into())
    }
    #[inline(always)]
    fn of64(value: u64) -> Self {
        Self(value.into())
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.overflowing_add(other.0).0)
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0.wrapping_mul(other.0))
    }
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
    #[inline(always)]
    fn shl(self, by: u32) -> Self {
        Self(self.0 << by)
    }
    #[inline(always)]
    fn shr(self, by: u32) -> Self {
        Self(self.0 >> by)
    }
    #[inline(always)]
    fn sext(self, width: u32) -> Self {
        let sign = Self(U256::bit(width - 1));
        self.keep(width).xor(sign).sub(sign)
    }
    #[inline(always)]
    fn less(self, other: Self) -> bool {
        self.0 < other.0
    }
    fn div_rem(self, by: Self) -> (Self, Self) {
        self.0.div_rem(by.0).map_or((Self(U256::MAX), self), |(quotient, rest)| (Self(quotient), Self(rest)))
    }
}
