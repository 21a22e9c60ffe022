//! The words that the engine works on.

use super::record::Record;
use crate::word::U256;
use alloc::vec::Vec;
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
    /// The number of its bits.
    const BITS: u32;

    /// The 64-bit parts of a word, the low one first.
    const LIMBS: usize = Self::BITS.div_ceil(64) as usize;

    /// The bits from `at` up to the end of the limb that contains `at`.
    fn limb_from(self, at: u8) -> u64;

    /// The same of up to 128 bits.
    fn wide_from_bit(self, at: u8) -> u128;

    /// A value at a bit of an empty word, without the bits that do not fit.
    fn at_bit(value: u128, at: u8) -> Self;

    /// The word with other bits in one limb, from `at` on: `ones` is their mask.
    #[inline(always)]
    fn with_bits(self, at: u8, ones: u64, bits: u64) -> Self {
        (self & !Self::at_bit(ones.into(), at)) | Self::at_bit(bits.into(), at)
    }

    /// The 64 bits of a limb; 0 beyond the word.
    fn limb(self, limb: usize) -> u64;

    /// The word of the limbs, the low one first.
    fn from_limbs(limbs: &[u64]) -> Self;

    /// The number of bits that are set.
    fn ones(self) -> u32;

    /// True if a bit is set.
    #[inline(always)]
    fn bit(self, at: u8) -> bool {
        self.limb_from(at) & 1 == 1
    }

    /// No bit set.
    #[inline(always)]
    fn zero() -> Self {
        Self::default()
    }

    /// The word extended to 256 bits.
    fn wide(self) -> U256;

    /// The low bits of a word.
    fn from_wide(word: U256) -> Self;

    /// The low `bits` bits set.
    fn low_ones(bits: u32) -> Self {
        Self::from_wide(U256::ones(bits.min(U256::BITS)))
    }

    /// The highest bit that is set.
    #[inline]
    fn highest(self) -> Option<u32> {
        let limbs = (0..Self::LIMBS).rev().map(|i| (i as u32 * 64, self.limb(i)));
        limbs.into_iter().find_map(|(base, limb)| limb.checked_ilog2().map(|bit| base + bit))
    }
}

macro_rules! bits {
    ($($ty:ty),*) => {$(
        impl Bits for $ty {
            const BITS: u32 = <$ty>::BITS;
            #[inline(always)]
            fn limb_from(self, at: u8) -> u64 {
                // Two limbs at most: the high one, or the low one.
                let high = ((self as u128) >> 64) as u64;
                let limb = if <$ty>::BITS > 64 && at & 64 != 0 { high } else { self as u64 };
                limb >> (at & 63)
            }
            #[inline(always)]
            fn wide_from_bit(self, at: u8) -> u128 {
                // Validated tables have no field beyond the word; the mask only avoids an overflow with other tables.
                (self >> (u32::from(at) & (<$ty>::BITS - 1))) as u128
            }
            #[inline(always)]
            fn at_bit(value: u128, at: u8) -> Self {
                (value as $ty) << (u32::from(at) & (<$ty>::BITS - 1))
            }
            #[inline(always)]
            fn with_bits(self, at: u8, ones: u64, bits: u64) -> Self {
                let (ones, bits) = (ones << (at & 63), bits << (at & 63));
                let (low, high) = (self as u64, ((self as u128) >> 64) as u64);
                let put = |limb: u64| (limb & !ones) | bits;
                let (low, high) = if <$ty>::BITS > 64 && at & 64 != 0 { (low, put(high)) } else { (put(low), high) };
                (u128::from(high) << 64 | u128::from(low)) as $ty
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
            fn wide(self) -> U256 {
                U256::new(0, self as u128)
            }
            #[inline(always)]
            fn from_wide(word: U256) -> Self {
                word.low() as $ty
            }
            #[inline(always)]
            fn ones(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn low_ones(bits: u32) -> Self {
                <$ty>::BITS.checked_sub(bits).map_or(<$ty>::MAX, |above| <$ty>::MAX.checked_shr(above).unwrap_or(0))
            }
        }
    )*};
}
bits!(u32, u64, u128);

impl Record for U256 {
    const SIZE: usize = 32;
    fn write(&self, word_bytes: usize, out: &mut Vec<u8>) {
        out.extend(self.limbs().iter().flat_map(|limb| limb.to_le_bytes()).take(word_bytes));
    }
    #[inline(always)]
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Record::read(bytes).map(Self::from_limbs)
    }
    fn widen(bytes: &mut &[u8], word_bytes: usize, out: &mut Vec<u8>) -> Option<()> {
        let (own, rest) = bytes.split_at_checked(word_bytes)?;
        *bytes = rest;
        out.extend_from_slice(own);
        out.resize(out.len() + Self::SIZE.checked_sub(word_bytes)?, 0);
        Some(())
    }
}

impl Bits for U256 {
    const BITS: u32 = Self::BITS;
    #[inline(always)]
    fn limb_from(self, at: u8) -> u64 {
        self.limb(usize::from(at >> 6)) >> (at & 63)
    }
    #[inline(always)]
    fn wide_from_bit(self, at: u8) -> u128 {
        (self >> u32::from(at)).low()
    }
    #[inline(always)]
    fn at_bit(value: u128, at: u8) -> Self {
        Self::from(value) << u32::from(at)
    }
    #[inline(always)]
    fn limb(self, limb: usize) -> u64 {
        self.limbs().get(limb).copied().unwrap_or(0)
    }
    fn from_limbs(limbs: &[u64]) -> Self {
        let limb = |i: usize| limbs.get(i).copied().unwrap_or(0);
        Self::from_limbs([limb(0), limb(1), limb(2), limb(3)])
    }
    #[inline(always)]
    fn wide(self) -> U256 {
        self
    }
    #[inline(always)]
    fn from_wide(word: U256) -> Self {
        word
    }
    #[inline(always)]
    fn ones(self) -> u32 {
        self.count_ones()
    }
}
