//! The words that the engine works on.

use super::record::Record;
use core::fmt::Debug;
use core::hash::Hash;
use core::ops::{BitAnd, BitOr, BitXor, Not};

/// A machine word: an unsigned number of a fixed number of bits. Bit 0 is the least significant.
pub trait Bits:
    Copy
    + Debug
    + Default
    + Eq
    + Hash
    + Ord
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Record
    + Send
    + Sync
    + 'static
{
    /// How many bits it has.
    const BITS: u32;

    /// The 64-bit parts of a word, the low one first.
    const LIMBS: usize = Self::BITS.div_ceil(64) as usize;

    /// Bits from `at` on, as many as the limb has that `at` is in.
    fn from_bit(self, at: u8) -> u64;

    /// The same of up to 128 bits.
    fn wide_from_bit(self, at: u8) -> u128;

    /// A value at a bit of an empty word; what does not fit is left out.
    fn at_bit(value: u128, at: u8) -> Self;

    /// The 64 bits of a limb; 0 beyond the word.
    fn limb(self, limb: usize) -> u64;

    /// The word of the limbs, the low one first.
    fn from_limbs(limbs: &[u64]) -> Self;

    /// How many bits are set.
    fn ones(self) -> u32;

    /// Whether a bit is set.
    #[inline(always)]
    fn bit(self, at: u8) -> bool {
        self.from_bit(at) & 1 == 1
    }

    /// No bit set.
    #[inline(always)]
    fn zero() -> Self {
        Self::default()
    }

    /// The low `bits` bits set.
    fn low_ones(bits: u32) -> Self {
        let limb = |i: u32| match bits.saturating_sub(64 * i) {
            0 => 0,
            n if n >= 64 => u64::MAX,
            n => (1 << n) - 1,
        };
        Self::from_limbs(&[limb(0), limb(1), limb(2), limb(3)])
    }
}

macro_rules! bits {
    ($($ty:ty),*) => {$(
        impl Bits for $ty {
            const BITS: u32 = <$ty>::BITS;
            #[inline(always)]
            fn from_bit(self, at: u8) -> u64 {
                // Two limbs at most: the high one, or the low one.
                let high = ((self as u128) >> 64) as u64;
                let limb = if <$ty>::BITS > 64 && at & 64 != 0 { high } else { self as u64 };
                limb >> (at & 63)
            }
            #[inline(always)]
            fn wide_from_bit(self, at: u8) -> u128 {
                // Validated tables have no field beyond the word; the mask keeps others from being a fault.
                (self >> (u32::from(at) & (<$ty>::BITS - 1))) as u128
            }
            #[inline(always)]
            fn at_bit(value: u128, at: u8) -> Self {
                (value as $ty) << (u32::from(at) & (<$ty>::BITS - 1))
            }
            #[inline(always)]
            fn limb(self, limb: usize) -> u64 {
                (self as u128).checked_shr(64 * limb as u32).unwrap_or(0) as u64
            }
            fn from_limbs(limbs: &[u64]) -> Self {
                let limb = |i: usize| u128::from(limbs.get(i).copied().unwrap_or(0));
                (limb(0) | limb(1) << 64) as $ty
            }
            #[inline(always)]
            fn ones(self) -> u32 {
                self.count_ones()
            }
        }
    )*};
}
bits!(u32, u64, u128);
