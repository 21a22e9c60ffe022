//! Bit vectors as compiled semantics computes with them: [`u32`] for up to 32 bits, [`Pair`] for up to 64, [`Long`] for up to 256.
//! A machine of one lane has [`u64`] in place of pairs.
//!
//! A value has zeros above its width; an operation may leave anything there, and [`Bits::keep`] makes it a value again.

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
    /// As 256 bits.
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
    /// Whether a number is less than another.
    fn less(self, other: Self) -> bool;
    /// The quotient and the remainder; by 0 all ones and the number.
    fn div_rem(self, by: Self) -> (Self, Self);

    /// The lowest `width` bits.
    #[inline(always)]
    fn keep(self, width: u32) -> Self {
        if width >= Self::ROOM { self } else { self.and(Self::ones(width)) }
    }

    /// So many ones.
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

    /// The number as a count: one that is larger than all widths stays so.
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

    /// Shifted down, copies of the top bit of a value of `width` bits come in; anything above.
    #[inline(always)]
    fn sar(self, width: u32, by: u32) -> Self {
        let sign = Self::default().sub(self.shr(width - 1).and(Self::of32(1)));
        self.shr(by).or(sign.shl(width.saturating_sub(by)))
    }

    /// Whether a signed number of `width` bits is less than another.
    #[inline(always)]
    fn less_s(self, other: Self, width: u32) -> bool {
        // With the signs turned round, signed order is that of unsigned numbers.
        let sign = Self::of32(1).shl(width - 1);
        self.xor(sign).less(other.xor(sign))
    }

    /// Quotient and remainder of signed numbers, rounded to zero; anything above `width`.
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

    /// How many ones.
    fn popcount(self) -> u32 {
        self.limbs().iter().map(|l| l.count_ones()).sum()
    }

    /// The bits of a value of `width` bits in the other order.
    fn reverse(self, width: u32) -> Self {
        let [a, b, c, d] = self.limbs().map(u64::reverse_bits);
        Long([d, c, b, a]).shr(256 - width).to()
    }

    /// The nearest signed number of `to` bits, from one of `width` bits, which is signed or not.
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
                limbs[0] as Self
            }
            #[inline(always)]
            fn limbs(self) -> [u64; 4] {
                [self as u64, 0, 0, 0]
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
}

/// Up to 64 bits, as two halves: so that sums with a carry are made of 32-bit lanes, which every machine has many of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    low: u32,
    high: u32,
}

impl Pair {
    /// The sum of two numbers and a carry of 0 or 1, with the carry that comes out as bit 32.
    #[inline(always)]
    pub fn sum(a: u32, b: u32, carry: u32) -> Self {
        let low = a.wrapping_add(b).wrapping_add(carry);
        // The bits in which the sum differs from either: overflow is made of them, too.
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
        Self(self.0.map(|l| !l))
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] ^ other.0[i]))
    }
    #[inline(always)]
    fn shl(self, by: u32) -> Self {
        let (whole, part) = ((by / 64) as usize, by % 64);
        let limb = |i: usize| if i < 4 { self.0[i] } else { 0 };
        Self(std::array::from_fn(|i| {
            let below = if part == 0 { 0 } else { limb(i.wrapping_sub(whole + 1)) >> (64 - part) };
            limb(i.wrapping_sub(whole)) << part | below
        }))
    }
    #[inline(always)]
    fn shr(self, by: u32) -> Self {
        let (whole, part) = ((by / 64) as usize, by % 64);
        let limb = |i: usize| if i < 4 { self.0[i] } else { 0 };
        Self(std::array::from_fn(|i| {
            let above = if part == 0 { 0 } else { limb(i.saturating_add(whole + 1)) << (64 - part) };
            limb(i.saturating_add(whole)) >> part | above
        }))
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

/// A truth as a value of one bit.
#[inline(always)]
pub fn bit<T: Bits>(holds: bool) -> T {
    T::of32(holds.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUES: [u64; 9] =
        [0, 1, 2, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x1_0000_0000, 0x7fff_ffff_ffff_ffff, 0xffff_ffff_8000_0001];

    /// Numbers of up to 64 bits behave like those of the machine, in every kind that has the room.
    fn like_the_machine<T: Bits + std::fmt::Debug>(width: u32) {
        let ones = if width == 64 { u64::MAX } else { (1 << width) - 1 };
        let signed = |x: u64| ((x << (64 - width)) as i64) >> (64 - width);
        for a in VALUES.map(|v| v & ones) {
            let x = T::of64(a);
            assert_eq!(x.sext(width).keep(width).low64(), a);
            assert_eq!(x.neg().keep(width).low64(), a.wrapping_neg() & ones);
            assert_eq!(u64::from(x.clz(width)), u64::from(a.leading_zeros() - (64 - width)));
            assert_eq!(x.popcount(), a.count_ones());
            assert_eq!(x.reverse(width).low64(), a.reverse_bits() >> (64 - width));
            assert_eq!(x.ctz(width), a.trailing_zeros().min(width));
            for by in [0, 1, width - 1, width, width + 1, 300] {
                let shifted = |n: u32, f: fn(u64, u32) -> Option<u64>| f(a, n).unwrap_or(0) & ones;
                assert_eq!(x.shl(by).keep(width).low64(), shifted(by, u64::checked_shl), "{a:#x} << {by}");
                assert_eq!(x.shr(by).keep(width).low64(), shifted(by, u64::checked_shr), "{a:#x} >> {by}");
                assert_eq!(x.sar(width, by).keep(width).low64(), (signed(a) >> by.min(63)) as u64 & ones, "{a:#x} >>s {by}");
            }
            for b in VALUES.map(|v| v & ones) {
                let y = T::of64(b);
                assert_eq!(x.add(y).keep(width).low64(), a.wrapping_add(b) & ones);
                assert_eq!(x.sub(y).keep(width).low64(), a.wrapping_sub(b) & ones);
                assert_eq!(x.mul(y).keep(width).low64(), a.wrapping_mul(b) & ones);
                assert_eq!((x.less(y), x.less_s(y, width)), (a < b, signed(a) < signed(b)));
                let (q, r) = x.div_rem(y);
                assert_eq!(
                    (q.keep(width).low64(), r.keep(width).low64()),
                    (a.checked_div(b).unwrap_or(ones) & ones, a.checked_rem(b).unwrap_or(a))
                );
                let (q, r) = x.div_rem_s(y, width);
                let quotient = if b == 0 { -1 } else { signed(a).wrapping_div(signed(b)) };
                let rest = if b == 0 { signed(a) } else { signed(a).wrapping_rem(signed(b)) };
                assert_eq!((q.keep(width).low64(), r.keep(width).low64()), (quotient as u64 & ones, rest as u64 & ones));
            }
        }
    }

    #[test]
    fn every_kind_computes_alike() {
        like_the_machine::<u32>(32);
        like_the_machine::<u32>(7);
        like_the_machine::<u64>(64);
        like_the_machine::<u64>(33);
        like_the_machine::<Pair>(64);
        like_the_machine::<Pair>(33);
        like_the_machine::<Long>(64);
        like_the_machine::<Long>(34);
    }

    #[test]
    fn long_numbers_carry_through_all_limbs() {
        let all = Long([u64::MAX; 4]);
        assert_eq!(all.add(Long::of32(1)), Long::default());
        assert_eq!(Long::default().sub(Long::of32(1)), all);
        assert_eq!(all.mul(all), Long::of32(1));
        assert_eq!(Long::of32(1).shl(255).shr(255), Long::of32(1));
        assert_eq!(Long::of32(1).shl(255).sext(256), Long::of32(1).shl(255));
        assert_eq!(all.div_rem(Long([0, 0, 0, 1 << 63])), (Long::of32(1), Long([u64::MAX, u64::MAX, u64::MAX, u64::MAX >> 1])));
        assert_eq!(Long([1, 2, 3, 4]).div_rem(Long([0, 1, 0, 0])), (Long([2, 3, 4, 0]), Long::of32(1)));
        assert_eq!((all.clz(256), all.ctz(256), Long::default().ctz(200)), (0, 0, 200));
    }

    #[test]
    fn saturation_goes_to_the_nearest() {
        let sat = |x: u32, signed, to, to_signed| x.saturate(10, signed, to, to_signed).keep(to);
        assert_eq!([sat(0x3ff, true, 8, true), sat(0x200, true, 8, true), sat(0x1ff, true, 8, true)], [0xff, 0x80, 0x7f]);
        assert_eq!([sat(0x3ff, true, 8, false), sat(0x1ff, true, 8, false), sat(0x3ff, false, 8, false)], [0, 0xff, 0xff]);
        assert_eq!([sat(0x3ff, false, 8, true), sat(0x7f, false, 8, true), sat(0x3ff, true, 12, true)], [0x7f, 0x7f, 0xfff]);
    }
}
