//! Operations on bit vectors of any kind.

use isa_runtime::U256;

/// A bit vector of a kind, whose values have any width up to [`Bits::ROOM`].
pub trait Bits: Copy + Default + PartialEq {
    /// The widest value.
    const ROOM: u32;

    /// The lowest 32 bits.
    fn low(self) -> u32;
    /// The lowest 64 bits.
    fn low64(self) -> u64;
    /// The lowest 128 bits.
    fn low128(self) -> u128;
    /// Any 256 bits, the least significant limb first; what does not fit is dropped.
    fn of_limbs(limbs: [u64; 4]) -> Self;
    /// The value as 256 bits.
    fn limbs(self) -> [u64; 4];
    /// A number.
    fn of32(value: u32) -> Self;
    /// A number; what does not fit is dropped.
    fn of64(value: u64) -> Self;
    /// The sum.
    fn add(self, other: Self) -> Self;
    /// The difference.
    fn sub(self, other: Self) -> Self;
    /// The product.
    fn mul(self, other: Self) -> Self;
    /// Every bit inverted.
    fn not(self) -> Self;
    /// Bit by bit.
    fn and(self, other: Self) -> Self;
    /// Bit by bit.
    fn or(self, other: Self) -> Self;
    /// Bit by bit.
    fn xor(self, other: Self) -> Self;
    /// Shifted up; by `ROOM` and more, 0.
    fn shl(self, by: u32) -> Self;
    /// Shifted down; by `ROOM` and more, 0.
    fn shr(self, by: u32) -> Self;
    /// The lowest `width` bits, with copies of the top one of them above.
    fn sext(self, width: u32) -> Self;
    /// True if a number is less than another.
    fn less(self, other: Self) -> bool;
    /// The quotient and the remainder; by 0 all ones and the number.
    fn div_rem(self, by: Self) -> (Self, Self);

    /// The lowest `width` bits.
    #[inline(always)]
    fn keep(self, width: u32) -> Self {
        if width >= Self::ROOM { self } else { self.and(Self::ones(width)) }
    }

    /// A value of `width` ones.
    #[inline(always)]
    fn ones(width: u32) -> Self {
        match width {
            0 => Self::default(),
            _ => Self::default().not().shr(Self::ROOM - width),
        }
    }

    /// The same in another kind; what does not fit is dropped.
    #[inline(always)]
    fn to<T: Bits>(self) -> T {
        match (Self::ROOM, T::ROOM) {
            (32, _) | (_, 32) => T::of32(self.low()),
            (64, _) | (_, 64) => T::of64(self.low64()),
            _ => T::of_limbs(self.limbs()),
        }
    }

    /// The number as a count; a number larger than all widths remains larger.
    #[inline(always)]
    fn count(self) -> u32 {
        let low = self.low();
        if self == Self::of32(low) { low } else { u32::MAX }
    }

    /// One bit.
    #[inline(always)]
    fn bit(self, at: u32) -> bool {
        self.shr(at).low() & 1 != 0
    }

    /// Two's complement.
    #[inline(always)]
    fn neg(self) -> Self {
        Self::default().sub(self)
    }

    /// Shifted down, with copies of the top bit of a value of `width` bits; the bits above `width` are unspecified.
    #[inline(always)]
    fn sar(self, width: u32, by: u32) -> Self {
        let sign = Self::default().sub(self.shr(width - 1).and(Self::of32(1)));
        self.shr(by).or(sign.shl(width.saturating_sub(by)))
    }

    /// True if a signed number of `width` bits is less than another.
    #[inline(always)]
    fn less_s(self, other: Self, width: u32) -> bool {
        // With inverted sign bits, signed order is that of unsigned numbers.
        let sign = Self::of32(1).shl(width - 1);
        self.xor(sign).less(other.xor(sign))
    }

    /// Quotient and remainder of signed numbers, rounded to zero; the bits above `width` are unspecified.
    fn div_rem_s(self, by: Self, width: u32) -> (Self, Self) {
        if by == Self::default() {
            return (Self::default().not(), self);
        }
        let (a, b) = (self.bit(width - 1), by.bit(width - 1));
        let size = |x: Self, negative: bool| if negative { x.neg().keep(width) } else { x };
        let (quotient, rest) = size(self, a).div_rem(size(by, b));
        (if a != b { quotient.neg() } else { quotient }, if a { rest.neg() } else { rest })
    }

    /// Zeros above the highest one of a value of `width` bits.
    fn clz(self, width: u32) -> u32 {
        let limbs = self.limbs();
        let bits = (0..4).rev().find(|i| limbs[*i] != 0).map_or(0, |i| 64 * (i as u32 + 1) - limbs[i].leading_zeros());
        width - bits.min(width)
    }

    /// Zeros below the lowest one of a value of `width` bits.
    fn ctz(self, width: u32) -> u32 {
        let limbs = self.limbs();
        (0..4).find(|i| limbs[*i] != 0).map_or(width, |i| 64 * i as u32 + limbs[i].trailing_zeros())
    }

    /// The number of ones.
    fn popcount(self) -> u32 {
        self.limbs().iter().map(|l| l.count_ones()).sum()
    }

    /// The bits of a value of `width` bits in reverse order.
    fn reverse(self, width: u32) -> Self {
        let [a, b, c, d] = self.limbs().map(u64::reverse_bits);
        Self::of_limbs((U256::from_limbs([d, c, b, a]) >> (256 - width)).limbs())
    }

    /// The product without carries: of polynomials over GF(2), whose coefficients are the bits.
    fn clmul(self, other: Self) -> Self {
        let (mut sum, mut rest, mut row) = (Self::default(), self, other);
        while rest != Self::default() {
            sum = sum.xor(Self::default().sub(rest.and(Self::of32(1))).and(row));
            (rest, row) = (rest.shr(1), row.shl(1));
        }
        sum
    }

    /// The nearest signed or unsigned number of `to` bits, from a signed or unsigned one of `width` bits.
    #[inline(always)]
    fn saturate(self, width: u32, signed: bool, to: u32, to_signed: bool) -> Self {
        let most = Self::ones(to.min(Self::ROOM) - u32::from(to_signed));
        let least = if to_signed { most.not() } else { Self::default() };
        let value = if signed { self.sext(width) } else { self };
        let negative = signed && self.bit(width - 1);
        if negative {
            let below = if to_signed { value.less(least) } else { true };
            if below { least } else { value }
        } else if most.less(value) {
            most
        } else {
            value
        }
    }
}

/// A truth as a value of one bit.
#[inline(always)]
pub fn bit<T: Bits>(holds: bool) -> T {
    T::of32(holds.into())
}
