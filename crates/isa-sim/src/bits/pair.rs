//! Bit vectors of up to 64 bits, for rows of lanes.

use super::operations::Bits;

/// Up to 64 bits, as two halves: sums with a carry use 32-bit lanes, which vector instructions have most of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    low: u32,
    high: u32,
}

impl Pair {
    /// The sum of two numbers and a carry of 0 or 1, with the resulting carry as bit 32.
    #[inline(always)]
    pub fn sum(a: u32, b: u32, carry: u32) -> Self {
        let low = a.wrapping_add(b).wrapping_add(carry);
        // The bits in which the sum differs from both numbers: overflow is computed from them, too.
        Self { low, high: (low ^ (a ^ low | b ^ low)) >> 31 }
    }
}

impl Bits for Pair {
    const ROOM: u32 = 64;

    #[inline(always)]
    fn low(self) -> u32 {
        self.low
    }
    #[inline(always)]
    fn low64(self) -> u64 {
        u64::from(self.low) | u64::from(self.high) << 32
    }
    #[inline(always)]
    fn low128(self) -> u128 {
        self.low64().into()
    }
    #[inline(always)]
    fn of_limbs(limbs: [u64; 4]) -> Self {
        Self::of64(limbs[0])
    }
    #[inline(always)]
    fn limbs(self) -> [u64; 4] {
        [self.low64(), 0, 0, 0]
    }
    #[inline(always)]
    fn of32(value: u32) -> Self {
        Self { low: value, high: 0 }
    }
    #[inline(always)]
    fn of64(value: u64) -> Self {
        Self { low: value as u32, high: (value >> 32) as u32 }
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let low = self.low.wrapping_add(other.low);
        let carry = u32::from(low < other.low);
        Self { low, high: self.high.wrapping_add(other.high).wrapping_add(carry) }
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let borrow = u32::from(self.low < other.low);
        Self { low: self.low.wrapping_sub(other.low), high: self.high.wrapping_sub(other.high).wrapping_sub(borrow) }
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self::of64(self.low64().wrapping_mul(other.low64()))
    }
    #[inline(always)]
    fn not(self) -> Self {
        Self { low: !self.low, high: !self.high }
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self { low: self.low & other.low, high: self.high & other.high }
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self { low: self.low | other.low, high: self.high | other.high }
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self { low: self.low ^ other.low, high: self.high ^ other.high }
    }
    #[inline(always)]
    fn shl(self, by: u32) -> Self {
        match by {
            0 => self,
            1..32 => Self { low: self.low << by, high: self.high << by | self.low >> (32 - by) },
            32..64 => Self { low: 0, high: self.low << (by - 32) },
            _ => Self::default(),
        }
    }
    #[inline(always)]
    fn shr(self, by: u32) -> Self {
        match by {
            0 => self,
            1..32 => Self { low: self.low >> by | self.high << (32 - by), high: self.high >> by },
            32..64 => Self { low: self.high >> (by - 32), high: 0 },
            _ => Self::default(),
        }
    }
    #[inline(always)]
    fn sext(self, width: u32) -> Self {
        if width <= 32 {
            let low = self.low.sext(width);
            Self { low, high: (low as i32 >> 31) as u32 }
        } else {
            Self { low: self.low, high: self.high.sext(width - 32) }
        }
    }
    #[inline(always)]
    fn less(self, other: Self) -> bool {
        self.high < other.high || self.high == other.high && self.low < other.low
    }
    #[inline(always)]
    fn div_rem(self, by: Self) -> (Self, Self) {
        let (a, b) = (self.low64(), by.low64());
        (Self::of64(a.checked_div(b).unwrap_or(u64::MAX)), Self::of64(a.checked_rem(b).unwrap_or(a)))
    }
}
