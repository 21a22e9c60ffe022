//! Numbers of the machine as bit vectors.

use super::operations::Bits;

macro_rules! machine_numbers {
    ($($number:ident, $signed:ident, $bits:literal;)*) => {$(
        impl Bits for $number {
            const ROOM: u32 = $bits;

            #[inline(always)]
            fn low(self) -> u32 {
                self as u32
            }
            #[inline(always)]
            fn low64(self) -> u64 {
                self as u64
            }
            #[inline(always)]
            fn low128(self) -> u128 {
                self.into()
            }
            #[inline(always)]
            fn of_limbs(limbs: [u64; 4]) -> Self {
                (u128::from(limbs[0]) | u128::from(limbs[1]) << 64) as Self
            }
            #[inline(always)]
            fn limbs(self) -> [u64; 4] {
                [self as u64, (u128::from(self) >> 64) as u64, 0, 0]
            }
            #[inline(always)]
            fn of32(value: u32) -> Self {
                value as Self
            }
            #[inline(always)]
            fn of64(value: u64) -> Self {
                value as Self
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline(always)]
            fn not(self) -> Self {
                !self
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }
            #[inline(always)]
            fn shl(self, by: u32) -> Self {
                if by < $bits { self << by } else { 0 }
            }
            #[inline(always)]
            fn shr(self, by: u32) -> Self {
                if by < $bits { self >> by } else { 0 }
            }
            #[inline(always)]
            fn sext(self, width: u32) -> Self {
                let above = $bits - width;
                ((self << above) as $signed >> above) as Self
            }
            #[inline(always)]
            fn less(self, other: Self) -> bool {
                self < other
            }
            #[inline(always)]
            fn div_rem(self, by: Self) -> (Self, Self) {
                (self.checked_div(by).unwrap_or(Self::MAX), self.checked_rem(by).unwrap_or(self))
            }
        }
    )*};
}

machine_numbers! {
    u32, i32, 32;
    u64, i64, 64;
    u128, i128, 128;
}
