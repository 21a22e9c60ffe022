//! Bit vectors of up to 256 bits.

use super::operations::{Bits, limbs, shifted_down};

/// Up to 256 bits, the least significant limb first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Long(pub [u64; 4]);

impl Long {
    /// A number.
    #[inline(always)]
    pub fn of128(value: u128) -> Self {
        Self([value as u64, (value >> 64) as u64, 0, 0])
    }
}

impl Bits for Long {
    const ROOM: u32 = 256;

    #[inline(always)]
    fn low(self) -> u32 {
        self.0[0] as u32
    }
    #[inline(always)]
    fn low64(self) -> u64 {
        self.0[0]
    }
    #[inline(always)]
    fn low128(self) -> u128 {
        u128::from(self.0[0]) | u128::from(self.0[1]) << 64
    }
    #[inline(always)]
    fn of_limbs(limbs: [u64; 4]) -> Self {
        Self(limbs)
    }
    #[inline(always)]
    fn limbs(self) -> [u64; 4] {
        self.0
    }
    #[inline(always)]
    fn of32(value: u32) -> Self {
        Self([value.into(), 0, 0, 0])
    }
    #[inline(always)]
    fn of64(value: u64) -> Self {
        Self([value, 0, 0, 0])
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let mut sum = [0; 4];
        let mut carry = false;
        for (i, limb) in sum.iter_mut().enumerate() {
            let (part, over) = self.0[i].overflowing_add(other.0[i]);
            let (part, again) = part.overflowing_add(carry.into());
            *limb = part;
            carry = over | again;
        }
        Self(sum)
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.add(other.not()).add(Self::of32(1))
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let mut product = [0u64; 4];
        for i in 0..4 {
            let mut carry = 0u128;
            for j in 0..4 - i {
                let sum = u128::from(product[i + j]) + u128::from(self.0[i]) * u128::from(other.0[j]) + carry;
                product[i + j] = sum as u64;
                carry = sum >> 64;
            }
        }
        Self(product)
    }
    #[inline(always)]
    fn not(self) -> Self {
        Self(limbs!(i => !self.0[i]))
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(limbs!(i => self.0[i] & other.0[i]))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(limbs!(i => self.0[i] | other.0[i]))
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(limbs!(i => self.0[i] ^ other.0[i]))
    }
    #[inline(always)]
    fn shl(self, by: u32) -> Self {
        let (whole, part) = ((by / 64) as usize, by % 64);
        let limb = |i: usize| if i < 4 { self.0[i] } else { 0 };
        Self(limbs!(i => {
            let below = if part == 0 { 0 } else { limb(i.wrapping_sub(whole + 1)) >> (64 - part) };
            limb(i.wrapping_sub(whole)) << part | below
        }))
    }
    #[inline(always)]
    fn shr(self, by: u32) -> Self {
        Self(shifted_down(self.0, by))
    }
    #[inline(always)]
    fn sext(self, width: u32) -> Self {
        let sign = Self::of32(1).shl(width - 1);
        self.keep(width).xor(sign).sub(sign)
    }
    #[inline(always)]
    fn less(self, other: Self) -> bool {
        self.0.iter().rev().lt(other.0.iter().rev())
    }
    fn div_rem(self, by: Self) -> (Self, Self) {
        if by == Self::default() {
            return (Self::default().not(), self);
        }
        let (mut quotient, mut rest) = (Self::default(), Self::default());
        for at in (0..256).rev() {
            // The remainder is less than the divisor; only a divisor with the top bit set makes it lose one when doubled.
            let lost = rest.bit(255);
            rest = rest.shl(1).or(Self::of32(self.bit(at).into()));
            if lost || !rest.less(by) {
                rest = rest.sub(by);
                quotient = quotient.or(Self::of32(1).shl(at));
            }
        }
        (quotient, rest)
    }
}
