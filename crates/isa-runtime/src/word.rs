//! Words of 256 bits, the bytes that form them, and fields of words.

mod units;

use crate::literal::Digits;
use core::fmt;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, ShlAssign, Shr, ShrAssign};
pub use units::Units;

/// `n` ones; `n` is at most 64.
#[inline(always)]
pub const fn ones(n: u32) -> u64 {
    if n >= 64 { u64::MAX } else { (1 << n) - 1 }
}

/// `n` ones; `n` is at most 128.
#[inline(always)]
pub const fn wide_ones(n: u32) -> u128 {
    if n >= 128 { u128::MAX } else { (1 << n) - 1 }
}

/// An unsigned word of 256 bits, for instructions longer than `u128`. Unlike those of `u128`, shifts by the whole width or more
/// are defined, and give 0.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct U256 {
    // The order of numbers is that of the fields.
    hi: u128,
    lo: u128,
}

impl U256 {
    /// Bits of the word.
    pub const BITS: u32 = 256;
    /// No bit set.
    pub const ZERO: Self = Self::new(0, 0);
    /// Every bit set.
    pub const MAX: Self = Self::new(u128::MAX, u128::MAX);

    /// The word with these bits 255..128 and 127..0.
    #[inline]
    pub const fn new(high: u128, low: u128) -> Self {
        Self { hi: high, lo: low }
    }

    /// 2^n: bit `n` alone; 0 from 256 on.
    #[inline]
    pub const fn bit(n: u32) -> Self {
        Self::new(0, 1).shifted_left(n)
    }

    /// `n` ones at the low end; all from 256 on.
    #[inline]
    pub const fn ones(n: u32) -> Self {
        if n <= 128 { Self::new(0, wide_ones(n)) } else { Self::new(wide_ones(n - 128), u128::MAX) }
    }

    /// Bits 127..0.
    #[inline]
    pub const fn low(self) -> u128 {
        self.lo
    }

    /// Bits 255..128.
    #[inline]
    pub const fn high(self) -> u128 {
        self.hi
    }

    /// The number, if it has at most 128 bits.
    #[inline]
    pub const fn to_u128(self) -> Option<u128> {
        if self.hi == 0 { Some(self.lo) } else { None }
    }

    /// True if bit `n` is set; none is from 256 on.
    #[inline]
    pub const fn has(self, n: u32) -> bool {
        if n < 128 { self.lo >> n & 1 == 1 } else { n < 256 && self.hi >> (n - 128) & 1 == 1 }
    }

    /// True if no bit is set.
    #[inline]
    pub const fn is_zero(self) -> bool {
        self.lo == 0 && self.hi == 0
    }

    /// True if exactly one bit is set.
    #[inline]
    pub const fn is_power_of_two(self) -> bool {
        self.count_ones() == 1
    }

    /// The number of bits that are set.
    #[inline]
    pub const fn count_ones(self) -> u32 {
        self.lo.count_ones() + self.hi.count_ones()
    }

    /// The number of clear bits above the highest one that is set.
    #[inline]
    pub const fn leading_zeros(self) -> u32 {
        if self.hi == 0 { 128 + self.lo.leading_zeros() } else { self.hi.leading_zeros() }
    }

    /// The number of clear bits below the lowest one that is set.
    #[inline]
    pub const fn trailing_zeros(self) -> u32 {
        if self.lo == 0 { 128 + self.hi.trailing_zeros() } else { self.lo.trailing_zeros() }
    }

    /// The number of set bits at the low end.
    #[inline]
    pub const fn trailing_ones(self) -> u32 {
        Self::new(!self.hi, !self.lo).trailing_zeros()
    }

    /// The bits that are set, the lowest first.
    pub fn bits(self) -> impl Iterator<Item = u32> {
        let mut rest = self;
        core::iter::from_fn(move || {
            let bit = (!rest.is_zero()).then(|| rest.trailing_zeros())?;
            rest &= rest.wrapping_sub(Self::new(0, 1));
            Some(bit)
        })
    }

    #[inline]
    const fn shifted_left(self, n: u32) -> Self {
        match n {
            0 => self,
            1..128 => Self::new(self.hi << n | self.lo >> (128 - n), self.lo << n),
            128..256 => Self::new(self.lo << (n - 128), 0),
            _ => Self::ZERO,
        }
    }

    #[inline]
    const fn shifted_right(self, n: u32) -> Self {
        match n {
            0 => self,
            1..128 => Self::new(self.hi >> n, self.lo >> n | self.hi << (128 - n)),
            128..256 => Self::new(0, self.hi >> (n - 128)),
            _ => Self::ZERO,
        }
    }

    /// The sum, and whether it has more than 256 bits.
    #[inline]
    pub const fn overflowing_add(self, other: Self) -> (Self, bool) {
        let (lo, carry) = self.lo.overflowing_add(other.lo);
        let (hi, over) = self.hi.overflowing_add(other.hi);
        let (hi, again) = hi.overflowing_add(carry as u128);
        (Self::new(hi, lo), over | again)
    }

    /// The sum, if it has at most 256 bits.
    #[inline]
    pub const fn checked_add(self, other: Self) -> Option<Self> {
        match self.overflowing_add(other) {
            (sum, false) => Some(sum),
            _ => None,
        }
    }

    /// The sum, or the largest number.
    #[inline]
    pub const fn saturating_add(self, other: Self) -> Self {
        match self.checked_add(other) {
            Some(sum) => sum,
            None => Self::MAX,
        }
    }

    /// The difference, modulo 2^256.
    #[inline]
    pub const fn wrapping_sub(self, other: Self) -> Self {
        let (lo, borrow) = self.lo.overflowing_sub(other.lo);
        Self::new(self.hi.wrapping_sub(other.hi).wrapping_sub(borrow as u128), lo)
    }

    /// The number with another digit behind its own, if it has at most 256 bits.
    pub(crate) fn checked_push(self, radix: u32, digit: u32) -> Option<Self> {
        let mut carry = u64::from(digit);
        let mut limbs = self.limbs();
        for limb in &mut limbs {
            let next = u128::from(*limb) * u128::from(radix) + u128::from(carry);
            (*limb, carry) = (next as u64, (next >> 64) as u64);
        }
        (carry == 0).then_some(Self::from_limbs(limbs))
    }

    /// The number of these digits; `None` if there are none, some are not digits, or it has more than 256 bits.
    ///
    /// # Panics
    /// When the radix is not 2 to 36, as `u128::from_str_radix` does.
    pub fn from_str_radix(digits: &str, radix: u32) -> Option<Self> {
        let read = Digits::read(digits.as_bytes(), radix, false);
        read.magnitude.filter(|_| read.length == digits.len() && !digits.is_empty())
    }

    /// The number in two's complement, of 256 bits.
    #[inline]
    pub const fn wrapping_neg(self) -> Self {
        Self::ZERO.wrapping_sub(self)
    }

    /// The product, modulo 2^256.
    #[inline(always)]
    pub fn wrapping_mul(self, other: Self) -> Self {
        let (a, b) = (self.limbs(), other.limbs());
        let mut product = [0u64; 4];
        for i in 0..4 {
            let mut carry = 0u128;
            for j in 0..4 - i {
                let sum = u128::from(product[i + j]) + u128::from(a[i]) * u128::from(b[j]) + carry;
                product[i + j] = sum as u64;
                carry = sum >> 64;
            }
        }
        Self::from_limbs(product)
    }

    /// The quotient and the remainder; `None` for a divisor of 0.
    pub fn div_rem(self, by: Self) -> Option<(Self, Self)> {
        if let (Some(a), Some(b)) = (self.to_u128(), by.to_u128()) {
            return Some((a.checked_div(b)?.into(), a.checked_rem(b)?.into()));
        }
        let (mut quotient, mut rest) = (Self::ZERO, Self::ZERO);
        for at in (0..Self::BITS - self.leading_zeros()).rev() {
            // The remainder is less than the divisor; only a divisor with the top bit set makes it lose one when doubled.
            let lost = rest.has(255);
            rest = rest << 1 | Self::from(self.has(at));
            if lost || rest >= by {
                rest = rest.wrapping_sub(by);
                quotient |= Self::bit(at);
            }
        }
        (!by.is_zero()).then_some((quotient, rest))
    }

    /// The word as limbs of 64 bits, the least significant first.
    #[inline]
    pub const fn limbs(self) -> [u64; 4] {
        [self.lo as u64, (self.lo >> 64) as u64, self.hi as u64, (self.hi >> 64) as u64]
    }

    /// The word of these limbs of 64 bits, the least significant first.
    #[inline]
    pub const fn from_limbs(limbs: [u64; 4]) -> Self {
        Self::new(limbs[2] as u128 | (limbs[3] as u128) << 64, limbs[0] as u128 | (limbs[1] as u128) << 64)
    }

    /// Writes the digits of a radix of 2^`bits`.
    fn digits(self, f: &mut fmt::Formatter<'_>, prefix: &str, bits: u32, alphabet: &[u8; 16]) -> fmt::Result {
        let mut digits = [b'0'; 256];
        let count = (Self::BITS - self.leading_zeros()).div_ceil(bits).max(1);
        for (i, digit) in (0..count).rev().zip(&mut digits) {
            *digit = alphabet[((self >> (i * bits)).lo & wide_ones(bits)) as usize];
        }
        f.pad_integral(true, prefix, core::str::from_utf8(&digits[..count as usize]).unwrap_or_default())
    }
}

macro_rules! bitwise {
    ($($of:ident $method:ident $assign:ident $assign_method:ident $op:tt),*) => {$(
        impl $of for U256 {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                Self::new(self.hi $op other.hi, self.lo $op other.lo)
            }
        }
        impl $assign for U256 {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                *self = *self $op other;
            }
        }
    )*};
}
bitwise!(BitAnd bitand BitAndAssign bitand_assign &, BitOr bitor BitOrAssign bitor_assign |, BitXor bitxor BitXorAssign bitxor_assign ^);

macro_rules! shift {
    ($($of:ident $method:ident $assign:ident $assign_method:ident $shifted:ident),*) => {$(
        impl $of<u32> for U256 {
            type Output = Self;
            #[inline]
            fn $method(self, n: u32) -> Self {
                self.$shifted(n)
            }
        }
        impl $assign<u32> for U256 {
            #[inline]
            fn $assign_method(&mut self, n: u32) {
                *self = self.$shifted(n);
            }
        }
    )*};
}
shift!(Shl shl ShlAssign shl_assign shifted_left, Shr shr ShrAssign shr_assign shifted_right);

impl Not for U256 {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self::new(!self.hi, !self.lo)
    }
}

macro_rules! from {
    ($($t:ty),*) => {$(
        impl From<$t> for U256 {
            #[inline]
            fn from(value: $t) -> Self {
                Self::new(0, value.into())
            }
        }
    )*};
}
from!(bool, u8, u16, u32, u64, u128);

macro_rules! radix {
    ($($of:ident $prefix:literal $bits:literal $alphabet:literal),*) => {$(
        impl fmt::$of for U256 {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.digits(f, $prefix, $bits, $alphabet)
            }
        }
    )*};
}
radix!(LowerHex "0x" 4 b"0123456789abcdef", UpperHex "0x" 4 b"0123456789ABCDEF", Binary "0b" 1 b"01..............");

/// Decimal.
impl fmt::Display for U256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = [b'0'; 78];
        let mut rest = self.limbs();
        let mut first = digits.len();
        while first == digits.len() || rest != [0; 4] {
            let mut digit = 0;
            for limb in rest.iter_mut().rev() {
                let part = u128::from(digit) << 64 | u128::from(*limb);
                (*limb, digit) = ((part / 10) as u64, (part % 10) as u64);
            }
            first -= 1;
            digits[first] += digit as u8;
        }
        f.pad_integral(true, "", core::str::from_utf8(&digits[first..]).unwrap_or_default())
    }
}

/// `0x1f`
impl fmt::Debug for U256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:#x}")
    }
}

/// The ranges of a field, high part first, each with both ends, as in tables.
pub type Ranges = &'static [(u8, u8)];

/// Bits in all ranges together.
pub fn width(ranges: Ranges) -> u32 {
    ranges.iter().map(|&(hi, lo)| u32::from(hi - lo) + 1).sum()
}

/// Reads a field that may be split.
pub fn get(ranges: Ranges, word: u128) -> u128 {
    ranges.iter().fold(0, |value, &(hi, lo)| {
        let width = u32::from(hi - lo) + 1;
        value.checked_shl(width).unwrap_or(0) | word >> lo & wide_ones(width)
    })
}

/// A range of bits, both ends included: `63..32` has `hi` 63 and `lo` 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BitRange {
    /// The most significant bit.
    pub hi: u32,
    /// The least significant bit.
    pub lo: u32,
}

impl BitRange {
    /// Number of bits.
    pub fn width(self) -> u32 {
        self.hi - self.lo + 1
    }

    /// The bits of the range, in the word.
    pub fn mask(self) -> U256 {
        U256::ones(self.width()) << self.lo
    }
}

impl fmt::Display for BitRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.hi == self.lo { write!(f, "{}", self.hi) } else { write!(f, "{}..{}", self.hi, self.lo) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_split_field_has_its_high_part_first() {
        const AT: Ranges = &[(59, 34), (21, 16)];
        let word = (0x1234_5678u128 >> 6) << 34 | (0x38 << 16);
        assert_eq!((get(AT, word), width(AT)), (0x1234_5678, 32));
        assert_eq!(get(&[(127, 0)], u128::MAX), u128::MAX);
    }

    /// A word as its bits, the least significant first: a simple reference.
    type Naive = [bool; 256];

    fn naive(word: U256) -> Naive {
        core::array::from_fn(|i| if i < 128 { word.low() >> i & 1 == 1 } else { word.high() >> (i - 128) & 1 == 1 })
    }

    /// Words of all kinds: edges, runs of ones, few bits, many bits.
    fn words() -> impl Iterator<Item = U256> {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        (0..400u32).map(move |i| {
            let any = U256::from_limbs([next(), next(), next(), next()]);
            match i % 8 {
                0 => any,
                1 => any >> (next() % 256) as u32,
                2 => any << (next() % 256) as u32,
                3 => U256::bit((next() % 256) as u32),
                4 => U256::ones((next() % 257) as u32),
                5 => U256::ones((next() % 257) as u32) << (next() % 256) as u32,
                6 => U256::new(next().into(), u128::MAX),
                _ => {
                    [U256::ZERO, U256::MAX, U256::from(1u32), U256::bit(127), U256::bit(128), U256::bit(255)][i as usize / 8 % 6]
                }
            }
        })
    }

    #[test]
    fn bits_of_256() {
        for (a, b) in words().zip(words().skip(1)) {
            let (x, y) = (naive(a), naive(b));
            let each = |f: fn(bool, bool) -> bool| -> Naive { core::array::from_fn(|i| f(x[i], y[i])) };
            assert_eq!(naive(a & b), each(|x, y| x & y));
            assert_eq!(naive(a | b), each(|x, y| x | y));
            assert_eq!(naive(a ^ b), each(|x, y| x ^ y));
            assert_eq!(naive(!a), each(|x, _| !x));
            assert!((0..256).all(|i| a.has(i) == x[i as usize]) && !a.has(256) && !a.has(u32::MAX));
            assert_eq!(a.count_ones() as usize, x.iter().filter(|b| **b).count());
            assert_eq!(a.trailing_zeros() as usize, x.iter().take_while(|b| !**b).count());
            assert_eq!(a.trailing_ones() as usize, x.iter().take_while(|b| **b).count());
            assert_eq!(a.leading_zeros() as usize, x.iter().rev().take_while(|b| !**b).count());
            assert_eq!(a.is_zero(), x == [false; 256]);
            assert_eq!(a.is_power_of_two(), x.iter().filter(|b| **b).count() == 1);
            assert_eq!(a.to_u128(), x[128..].iter().all(|b| !b).then_some(a.low()));
            assert_eq!(a.cmp(&b), x.iter().rev().cmp(y.iter().rev()));
            assert_eq!(U256::from_limbs(a.limbs()), a);
            assert!(a.bits().eq((0..256).filter(|i| x[*i as usize])));
            for n in [0, 1, 63, 64, 65, 127, 128, 129, 200, 255, 256, 257, u32::MAX] {
                let up: Naive = core::array::from_fn(|i| i.checked_sub(n as usize).is_some_and(|i| x[i]));
                let down: Naive = core::array::from_fn(|i| x.get(i.saturating_add(n as usize)).copied().unwrap_or(false));
                assert_eq!((naive(a << n), naive(a >> n)), (up, down), "{a:?} by {n}");
            }
        }
        for n in 0..=256u32 {
            assert_eq!(naive(U256::ones(n)), core::array::from_fn(|i| i < n as usize));
            assert_eq!(naive(U256::bit(n)), core::array::from_fn(|i| i == n as usize));
        }
        assert_eq!(U256::ones(u32::MAX), U256::MAX);
    }

    #[test]
    fn sums_of_256() {
        for (a, b) in words().zip(words().skip(1)) {
            let (x, y) = (naive(a), naive(b));
            let mut carry = false;
            let sum: Naive = core::array::from_fn(|i| {
                let bit = x[i] ^ y[i] ^ carry;
                carry = x[i] & y[i] | carry & (x[i] | y[i]);
                bit
            });
            let (total, over) = a.overflowing_add(b);
            assert_eq!((naive(total), over), (sum, carry), "{a:?} + {b:?}");
            assert_eq!(a.checked_add(b), (!over).then_some(total));
            assert_eq!(a.saturating_add(b), if over { U256::MAX } else { total });
            assert_eq!(total.wrapping_sub(b), a);
        }
    }

    #[test]
    fn products_and_quotients_of_256() {
        for (a, b) in words().zip(words().skip(3)) {
            let mut rows = U256::ZERO;
            b.bits().for_each(|at| rows = rows.overflowing_add(a << at).0);
            assert_eq!(a.wrapping_mul(b), rows, "{a:?} * {b:?}");
            assert_eq!(a.overflowing_add(a.wrapping_neg()).0, U256::ZERO);
            let Some((quotient, rest)) = a.div_rem(b) else {
                assert!(b.is_zero());
                continue;
            };
            assert!(rest < b && quotient <= a, "{a:?} / {b:?}");
            assert_eq!(quotient.wrapping_mul(b).checked_add(rest), Some(a), "{a:?} / {b:?}");
        }
    }

    #[test]
    fn digits_of_256() {
        extern crate std;
        use std::format;
        for word in words() {
            let hex = format!("{word:x}");
            let binary = format!("{word:b}");
            assert!(binary.bytes().rev().zip(naive(word)).all(|(c, bit)| (c == b'1') == bit));
            assert_eq!(binary.len(), (256 - word.leading_zeros()).max(1) as usize);
            assert_eq!(U256::from_str_radix(&hex, 16), Some(word));
            assert_eq!(U256::from_str_radix(&hex.to_uppercase(), 16), Some(word));
            assert_eq!(U256::from_str_radix(&binary, 2), Some(word));
            assert_eq!(format!("{word:X}"), hex.to_uppercase());
            assert_eq!(format!("{word:?}"), format!("0x{hex}"));
            assert_eq!(U256::from_str_radix(&format!("{word}"), 10), Some(word));
            assert_eq!(format!("{word:064x}"), format!("{}{hex}", "0".repeat(64 - hex.len())));
            if let Some(low) = word.to_u128() {
                assert_eq!(
                    format!("{word:#x} {word:#07x} {word:9x}|{word:#b}"),
                    format!("{low:#x} {low:#07x} {low:9x}|{low:#b}")
                );
                assert_eq!(format!("{word} {word:45}|{word:<45}|{word:045}"), format!("{low} {low:45}|{low:<45}|{low:045}"));
            }
        }
        for bad in ["", "g", "-1", "+1", "1 ", "é", &format!("1{}", "0".repeat(64))] {
            assert_eq!(U256::from_str_radix(bad, 16), None, "{bad}");
        }
        assert_eq!(U256::from_str_radix(&format!("{}{}", "0".repeat(80), "f".repeat(64)), 16), Some(U256::MAX));
    }
}
