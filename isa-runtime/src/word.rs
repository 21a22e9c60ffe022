//! Words of 32, 64 and 128 bits, and the fields in them.

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

/// A machine word: `u32`, `u64` or `u128`. Bit 0 is the least significant; a field `hi..lo` includes both ends.
///
/// The bounds are constants wherever generated code calls these methods, so that each is a shift and a mask.
pub trait Word: Copy + Eq {
    /// Bits of the word.
    const BITS: u32;
    /// The field `hi..lo`, of at most 64 bits.
    fn field(self, hi: u32, lo: u32) -> u64;
    /// The field `hi..lo`, of any width.
    fn wide_field(self, hi: u32, lo: u32) -> u128;
    /// The word with the field `hi..lo` of at most 64 bits replaced; bits of `value` beyond the field are dropped.
    fn with_field(self, hi: u32, lo: u32, value: u64) -> Self;
    /// The word with the field `hi..lo` of any width replaced; bits of `value` beyond the field are dropped.
    fn with_wide_field(self, hi: u32, lo: u32, value: u128) -> Self;
    /// The word with those bits replaced that are set in `mask`.
    fn with_bits(self, mask: Self, value: Self) -> Self;
    /// As 128 bits, zero-extended.
    fn widen(self) -> u128;
    /// The low bits of `word`.
    fn narrow(word: u128) -> Self;
}

macro_rules! word {
    ($($t:ty),*) => {$(
        impl Word for $t {
            const BITS: u32 = <$t>::BITS;
            #[inline(always)]
            fn field(self, hi: u32, lo: u32) -> u64 {
                (self >> lo) as u64 & ones(hi - lo + 1)
            }
            #[inline(always)]
            fn wide_field(self, hi: u32, lo: u32) -> u128 {
                (self >> lo) as u128 & wide_ones(hi - lo + 1)
            }
            #[inline(always)]
            fn with_field(self, hi: u32, lo: u32, value: u64) -> Self {
                let mask = ones(hi - lo + 1);
                (self & !((mask as $t) << lo)) | (((value & mask) as $t) << lo)
            }
            #[inline(always)]
            fn with_wide_field(self, hi: u32, lo: u32, value: u128) -> Self {
                let mask = wide_ones(hi - lo + 1);
                (self & !((mask as $t) << lo)) | (((value & mask) as $t) << lo)
            }
            #[inline(always)]
            fn with_bits(self, mask: Self, value: Self) -> Self {
                (self & !mask) | (value & mask)
            }
            #[inline(always)]
            fn widen(self) -> u128 {
                self as u128
            }
            #[inline(always)]
            fn narrow(word: u128) -> Self {
                word as $t
            }
        }
    )*};
}
word!(u32, u64, u128);

/// The ranges of a field, high part first, each with both ends; as tables hold them.
pub type Ranges = &'static [(u8, u8)];

/// Bits in all ranges together.
pub fn width(ranges: Ranges) -> u32 {
    ranges.iter().map(|&(hi, lo)| u32::from(hi - lo) + 1).sum()
}

/// The bits of the ranges, in the word.
pub fn mask(ranges: Ranges) -> u128 {
    ranges.iter().fold(0, |m, &(hi, lo)| m | wide_ones(u32::from(hi - lo) + 1) << lo)
}

/// Reads a field that may be split.
pub fn get(ranges: Ranges, word: u128) -> u128 {
    ranges.iter().fold(0, |value, &(hi, lo)| {
        value.checked_shl(u32::from(hi - lo) + 1).unwrap_or(0) | word.wide_field(hi.into(), lo.into())
    })
}

/// The value at its place in an empty word; bits beyond the width are dropped.
pub fn place(ranges: Ranges, value: u128) -> u128 {
    let mut rest = value;
    let mut word = 0u128;
    for &(hi, lo) in ranges.iter().rev() {
        word = word.with_wide_field(hi.into(), lo.into(), rest);
        rest = rest.checked_shr(u32::from(hi - lo) + 1).unwrap_or(0);
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_split_field_has_its_high_part_first() {
        const AT: Ranges = &[(59, 34), (21, 16)];
        let word = place(AT, 0x1234_5678);
        assert_eq!(word, (0x1234_5678u128 >> 6) << 34 | (0x38 << 16));
        assert_eq!(get(AT, word), 0x1234_5678);
        assert_eq!(width(AT), 32);
        assert_eq!(get(&[(127, 0)], place(&[(127, 0)], u128::MAX)), u128::MAX);
    }

    #[test]
    fn fields_of_every_word() {
        assert_eq!(0xdead_beefu32.field(31, 16), 0xdead);
        assert_eq!(0u64.with_field(63, 0, u64::MAX), u64::MAX);
        assert_eq!(u128::MAX.with_field(71, 64, 0x10) >> 64, 0xffff_ffff_ffff_ff10);
        assert_eq!(u128::MAX.field(127, 64), u64::MAX);
    }
}
