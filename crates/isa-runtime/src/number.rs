//! Numbers limited to the range of a field.
//!
//! A number is made from its value, which is checked, or from the bits of a field, where every pattern is a value. Therefore the
//! setter of a field never receives a value out of range.

use crate::error::{Inexact, OutOfRange};
use crate::word::{ones, wide_ones};
use core::cmp::Ordering;
use core::fmt;

/// The low `bits` of `raw` as two's complement.
#[inline(always)]
pub const fn sign_extend(raw: u64, bits: u32) -> i64 {
    let shift = 64 - bits;
    ((raw << shift) as i64) >> shift
}

/// A number `SCALE * bits + BIAS`, where the bits are `BITS`, at most 128, and two's complement if `SIGNED`.
///
/// Large values of an unsigned number of 128 bits are taken and returned by [`new`](Self::new) and [`get`](Self::get) as negative
/// ones; those of `u128` are positive.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Number<const SIGNED: bool, const BITS: u32, const SCALE: i64 = 1, const BIAS: i64 = 0>(u128);

/// An unsigned number of `BITS` bits.
pub type Uint<const BITS: u32> = Number<false, BITS>;

/// A two's complement number of `BITS` bits.
pub type Int<const BITS: u32> = Number<true, BITS>;

impl<const SIGNED: bool, const BITS: u32, const SCALE: i64, const BIAS: i64> Number<SIGNED, BITS, SCALE, BIAS> {
    /// The least and the greatest number of the bits, without scale and bias.
    const ENDS: (i128, i128) = {
        let most = wide_ones(BITS - SIGNED as u32) as i128;
        (if SIGNED { -most - 1 } else { 0 }, most)
    };

    /// The number, if the field has bits for it.
    ///
    /// # Errors
    /// If it has none.
    #[inline]
    pub const fn new(value: i128) -> Result<Self, OutOfRange> {
        let (least, most) = Self::ENDS;
        // A field of 128 bits without a sign has values that i128 shows as negative.
        if SCALE != 0 && least <= most {
            let offset = value.wrapping_sub(BIAS as i128);
            // Division of 128 bits is slow and hardly ever needed.
            let quotient = match SCALE {
                1 => offset,
                _ if offset == offset as i64 as i128 && SCALE != -1 => (offset as i64 / SCALE) as i128,
                _ => offset.wrapping_div(SCALE as i128),
            };
            if quotient.wrapping_mul(SCALE as i128) == offset && least <= quotient && quotient <= most {
                return Ok(Self::from_bits(quotient as u128));
            }
        } else if SCALE == 1 {
            return Ok(Self(value.wrapping_sub(BIAS as i128) as u128));
        }
        Err(Self::refusal(value))
    }

    /// The error for a value, with the range of valid ones.
    #[cold]
    const fn refusal(value: i128) -> OutOfRange {
        let (scale, bias) = (SCALE as i128, BIAS as i128);
        let (least, most) = Self::ENDS;
        let ends = (least.wrapping_mul(scale).wrapping_add(bias), most.wrapping_mul(scale).wrapping_add(bias));
        let (min, max) = if ends.0 <= ends.1 { ends } else { (ends.1, ends.0) };
        OutOfRange { value, min, max, step: SCALE }
    }

    /// The number; wraps where 128 bits don't hold it.
    #[inline(always)]
    pub const fn get(self) -> i128 {
        let shift = 128 - BITS;
        let raw = if SIGNED { ((self.0 << shift) as i128) >> shift } else { self.0 as i128 };
        raw.wrapping_mul(SCALE as i128).wrapping_add(BIAS as i128)
    }

    /// The number from the bits of a field; only the low `BITS` count.
    #[inline(always)]
    pub const fn from_bits(bits: u128) -> Self {
        Self(bits & wide_ones(BITS))
    }

    /// The bits of the field.
    #[inline(always)]
    pub const fn bits(self) -> u128 {
        self.0
    }
}

impl<const SIGNED: bool, const BITS: u32, const SCALE: i64, const BIAS: i64> TryFrom<u128> for Number<SIGNED, BITS, SCALE, BIAS> {
    type Error = OutOfRange;

    #[inline]
    fn try_from(value: u128) -> Result<Self, OutOfRange> {
        match i128::try_from(value) {
            Err(_) if SIGNED || BITS < 128 => Err(Self::refusal(i128::MAX)),
            _ => Self::new(value as i128),
        }
    }
}

/// A displacement in bytes, counted from `FROM` bytes after the address of the word; its bits are those of a [`Number`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Displacement<const SIGNED: bool, const BITS: u32, const SCALE: i64, const BIAS: i64, const FROM: i64>(i64);

impl<const SIGNED: bool, const BITS: u32, const SCALE: i64, const BIAS: i64, const FROM: i64>
    Displacement<SIGNED, BITS, SCALE, BIAS, FROM>
{
    /// The displacement of `bytes` bytes, if the field has bits for it.
    ///
    /// # Errors
    /// If it has none.
    #[inline]
    pub const fn new(bytes: i128) -> Result<Self, OutOfRange> {
        match Number::<SIGNED, BITS, SCALE, BIAS>::new(bytes) {
            Ok(_) => Ok(Self(bytes as i64)),
            Err(why) => Err(why),
        }
    }

    /// The displacement from a word at `address` to `target`.
    ///
    /// # Errors
    /// If the field has no bits for it.
    pub const fn to(target: u64, address: u64) -> Result<Self, OutOfRange> {
        Self::new((target as i64).wrapping_sub(address as i64).wrapping_sub(FROM) as i128)
    }

    /// The displacement in bytes.
    #[inline(always)]
    pub const fn get(self) -> i64 {
        self.0
    }

    /// The address that it leads to from a word at `address`.
    #[inline(always)]
    pub const fn target(self, address: u64) -> u64 {
        address.wrapping_add(FROM as u64).wrapping_add(self.0 as u64)
    }

    /// The displacement from the bits of a field; only the low `BITS` count.
    #[inline(always)]
    pub const fn from_bits(bits: u128) -> Self {
        Self(Number::<SIGNED, BITS, SCALE, BIAS>::from_bits(bits).get() as i64)
    }

    /// The bits of the field.
    #[inline(always)]
    pub const fn bits(self) -> u128 {
        match Number::<SIGNED, BITS, SCALE, BIAS>::new(self.0 as i128) {
            Ok(number) => number.bits(),
            Err(_) => 0,
        }
    }
}

/// A floating-point number in `BITS` bits: the high ones of one of `OF` bits, which is 32 or 64. It is compared and hashed by its
/// bits, so `-0.0` differs from `0.0`, and each NaN is equal to itself.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Float<const BITS: u32, const OF: u32>(u64);

impl<const BITS: u32, const OF: u32> Float<BITS, OF> {
    /// The number from the bits of a field; only the low `BITS` count.
    #[inline(always)]
    pub const fn from_bits(bits: u128) -> Self {
        Self(bits as u64 & ones(BITS))
    }

    /// The bits of the field.
    #[inline(always)]
    pub const fn bits(self) -> u128 {
        self.0 as u128
    }

    /// The number with these bits, if the field has all that are set.
    #[inline]
    fn of(bits: u64) -> Result<Self, Inexact> {
        let lost = OF - BITS;
        if bits & ones(lost) == 0 { Ok(Self(bits >> lost)) } else { Err(Inexact { bits: BITS, of: OF }) }
    }
}

macro_rules! floats {
    ($($float:ident $of:literal;)*) => {$(
        impl<const BITS: u32> Float<BITS, $of> {
            /// The number.
            #[inline(always)]
            pub const fn get(self) -> $float {
                $float::from_bits((self.0 << ($of - BITS)) as _)
            }
        }

        impl<const BITS: u32> From<Float<BITS, $of>> for $float {
            #[inline]
            fn from(number: Float<BITS, $of>) -> Self {
                number.get()
            }
        }

        impl<const BITS: u32> TryFrom<$float> for Float<BITS, $of> {
            type Error = Inexact;

            #[inline]
            fn try_from(value: $float) -> Result<Self, Inexact> {
                Self::of(value.to_bits().into())
            }
        }

        impl<const BITS: u32> fmt::Debug for Float<BITS, $of> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.get(), f)
            }
        }

        impl<const BITS: u32> fmt::Display for Float<BITS, $of> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.get(), f)
            }
        }
    )*};
}
floats! {
    f32 32;
    f64 64;
}

/// Implements the traits of both types of numbers: they are shown, compared and converted as their numbers are.
macro_rules! numbers {
    (convert $g:tt $t:ty, $($from:ident)*) => {$(numbers!(from $g $t, $from);)*};
    (from [$($g:tt)*] $t:ty, $from:ident) => {
        impl<$($g)*> TryFrom<$from> for $t {
            type Error = OutOfRange;

            #[inline]
            fn try_from(value: $from) -> Result<Self, OutOfRange> {
                Self::new(value.into())
            }
        }
    };
    ($([$($g:tt)*] $t:ty;)*) => {$(
        impl<$($g)*> fmt::Debug for $t {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.get(), f)
            }
        }
        impl<$($g)*> fmt::Display for $t {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.get(), f)
            }
        }
        impl<$($g)*> fmt::LowerHex for $t {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::LowerHex::fmt(&self.get(), f)
            }
        }
        impl<$($g)*> PartialOrd for $t {
            #[inline]
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }
        impl<$($g)*> Ord for $t {
            #[inline]
            fn cmp(&self, other: &Self) -> Ordering {
                self.get().cmp(&other.get())
            }
        }
        numbers!(convert [$($g)*] $t, u8 u16 u32 u64 i8 i16 i32 i64 i128);
    )*};
}
numbers! {
    [const SIGNED: bool, const BITS: u32, const SCALE: i64, const BIAS: i64] Number<SIGNED, BITS, SCALE, BIAS>;
    [const SIGNED: bool, const BITS: u32, const SCALE: i64, const BIAS: i64, const FROM: i64]
        Displacement<SIGNED, BITS, SCALE, BIAS, FROM>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_fits() {
        assert_eq!(Uint::<3>::new(7).map(Uint::get), Ok(7));
        assert_eq!(Uint::<3>::new(8), Err(OutOfRange { value: 8, min: 0, max: 7, step: 1 }));
        assert_eq!(Int::<24>::new(-0x80_0000).map(Int::bits), Ok(0x80_0000));
        assert_eq!(Int::<24>::new(0x80_0000), Err(OutOfRange { value: 0x80_0000, min: -0x80_0000, max: 0x7f_ffff, step: 1 }));
        assert_eq!(Int::<64>::new(i64::MIN.into()).map(Int::get), Ok(i64::MIN.into()));
        assert_eq!(Uint::<64>::new(u64::MAX.into()).map(Uint::get), Ok(u64::MAX.into()));
        type Offset = Number<true, 14, 4>;
        assert_eq!(Offset::new(-4).map(Offset::bits), Ok(0x3fff));
        assert_eq!(Offset::new(6), Err(OutOfRange { value: 6, min: -32768, max: 32764, step: 4 }));
        assert_eq!(Uint::<4>::try_from(15).map(Uint::get), Ok(15));
        assert_eq!(Uint::<4>::try_from(-1), Err(OutOfRange { value: -1, min: 0, max: 15, step: 1 }));
        assert_eq!(Int::<64>::try_from(u64::MAX).map_err(|e| (e.value, e.max)), Err((u64::MAX.into(), i64::MAX.into())));
        assert_eq!((Offset::try_from(-8i8).map(Offset::get), Offset::default().get()), (Ok(-8), 0));
        assert!(Offset::try_from(-8).ok() < Offset::try_from(4).ok());
        type All = Number<false, 128>;
        assert_eq!(All::new(-1).map(All::bits), Ok(u128::MAX));
        assert_eq!(All::try_from(u128::MAX).map(All::bits), Ok(u128::MAX));
        type Most = Number<true, 128>;
        assert_eq!(Most::try_from(1u128 << 127).map_err(|e| e.max), Err(i128::MAX));
    }

    #[test]
    fn floats_have_the_high_bits() {
        type High = Float<20, 32>;
        assert_eq!(High::try_from(1.5).map(|n| (n.bits(), n.get())), Ok((0x3fc00, 1.5)));
        assert_eq!(High::try_from(0.1), Err(Inexact { bits: 20, of: 32 }));
        assert_eq!(Float::<32, 64>::try_from(-2.0).map(Float::bits), Ok(0xc000_0000));
        let nan = Float::<32, 32>::from_bits(0x7fc0_0001);
        assert_eq!((nan, nan.get().to_bits()), (nan, 0x7fc0_0001));
        assert_ne!(Float::<32, 32>::try_from(0.0), Float::<32, 32>::try_from(-0.0));
    }

    #[test]
    fn a_target_is_counted_from_the_next_word() {
        type Target = Displacement<true, 48, 4, 0, 16>;
        let back = Target::to(0x9d0c, 0x9d00).unwrap();
        assert_eq!((back.get(), back.bits()), (-4, 0xffff_ffff_ffff));
        assert_eq!(back.target(0x9d00), 0x9d0c);
    }
}
