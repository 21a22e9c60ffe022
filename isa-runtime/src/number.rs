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

/// An unsigned number of `BITS` bits, at most 64.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Uint<const BITS: u32>(u64);

impl<const BITS: u32> Uint<BITS> {
    /// The largest value.
    pub const MAX: u64 = ones(BITS);

    /// The number, if it fits.
    pub const fn new(value: u64) -> Result<Self, OutOfRange> {
        if value > Self::MAX {
            return Err(OutOfRange { value: value as i128, min: 0, max: Self::MAX as i128, step: 1 });
        }
        Ok(Self(value))
    }

    #[inline]
    fn of(value: i128) -> Result<Self, OutOfRange> {
        let refused = OutOfRange { value, min: 0, max: Self::MAX.into(), step: 1 };
        u64::try_from(value).map_err(|_| refused).and_then(Self::new)
    }

    /// The number.
    #[inline(always)]
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The number from the bits of a field; only the low `BITS` count.
    #[inline(always)]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits & ones(BITS))
    }

    /// The bits of the field.
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0
    }
}

/// A two's complement number of `BITS` bits, at most 64.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Int<const BITS: u32>(i64);

impl<const BITS: u32> Int<BITS> {
    /// The smallest value.
    pub const MIN: i64 = -Self::MAX - 1;
    /// The largest value.
    pub const MAX: i64 = ones(BITS - 1) as i64;

    /// The number, if it fits.
    pub const fn new(value: i64) -> Result<Self, OutOfRange> {
        if value < Self::MIN || value > Self::MAX {
            return Err(OutOfRange { value: value as i128, min: Self::MIN as i128, max: Self::MAX as i128, step: 1 });
        }
        Ok(Self(value))
    }

    #[inline]
    fn of(value: i128) -> Result<Self, OutOfRange> {
        let refused = OutOfRange { value, min: Self::MIN.into(), max: Self::MAX.into(), step: 1 };
        i64::try_from(value).map_err(|_| refused).and_then(Self::new)
    }

    /// The number.
    #[inline(always)]
    pub const fn get(self) -> i64 {
        self.0
    }

    /// The number from the bits of a field; only the low `BITS` count.
    #[inline(always)]
    pub const fn from_bits(bits: u64) -> Self {
        Self(sign_extend(bits, BITS))
    }

    /// The bits of the field.
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0 as u64 & ones(BITS)
    }
}

/// The parameters of a type of numbers: `scale * bits + bias`, where the bits can be two's complement.
#[derive(Clone, Copy)]
struct Parameters {
    signed: bool,
    bits: u32,
    scale: i64,
    bias: i64,
}

impl Parameters {
    /// The value of the bits; wraps where 128 bits don't hold it.
    #[inline]
    const fn value(self, raw: u128) -> i128 {
        let shift = 128 - self.bits;
        let raw = if self.signed { ((raw << shift) as i128) >> shift } else { raw as i128 };
        raw.wrapping_mul(self.scale as i128).wrapping_add(self.bias as i128)
    }

    /// The bits of a value, if it has any.
    const fn raw(self, value: i128) -> Result<u128, OutOfRange> {
        let (scale, bias) = (self.scale as i128, self.bias as i128);
        let (least, most) = self.raw_ends();
        // A field of 128 bits without a sign has values that i128 shows as negative.
        if scale != 0 && least <= most {
            let offset = value.wrapping_sub(bias);
            // Division of 128 bits is slow and hardly ever needed.
            let quotient = match scale {
                1 => offset,
                _ if offset == offset as i64 as i128 && self.scale != -1 => (offset as i64 / self.scale) as i128,
                _ => offset.wrapping_div(scale),
            };
            if quotient.wrapping_mul(scale) == offset && least <= quotient && quotient <= most {
                return Ok(quotient as u128 & wide_ones(self.bits));
            }
        } else if scale == 1 {
            return Ok(value.wrapping_sub(bias) as u128);
        }
        Err(self.refusal(value))
    }

    /// The error for a value, with the range of valid ones.
    #[cold]
    const fn refusal(self, value: i128) -> OutOfRange {
        let (scale, bias) = (self.scale as i128, self.bias as i128);
        let (least, most) = self.raw_ends();
        let ends = (least.wrapping_mul(scale).wrapping_add(bias), most.wrapping_mul(scale).wrapping_add(bias));
        let (min, max) = if ends.0 <= ends.1 { ends } else { (ends.1, ends.0) };
        OutOfRange { value, min, max, step: self.scale }
    }

    /// The least and the greatest number of the bits, without scale and bias.
    const fn raw_ends(self) -> (i128, i128) {
        if self.signed {
            let most = wide_ones(self.bits - 1) as i128;
            (-most - 1, most)
        } else {
            (0, wide_ones(self.bits) as i128)
        }
    }
}

/// A number `SCALE * bits + BIAS`, each value of which fits `i64`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Scaled<const SIGNED: bool, const BITS: u32, const SCALE: i64, const BIAS: i64>(u64);

impl<const SIGNED: bool, const BITS: u32, const SCALE: i64, const BIAS: i64> Scaled<SIGNED, BITS, SCALE, BIAS> {
    const PARAMETERS: Parameters = Parameters { signed: SIGNED, bits: BITS, scale: SCALE, bias: BIAS };

    /// The number, if the field has bits for it.
    pub const fn new(value: i64) -> Result<Self, OutOfRange> {
        match Self::PARAMETERS.raw(value as i128) {
            Ok(raw) => Ok(Self(raw as u64)),
            Err(e) => Err(e),
        }
    }

    #[inline]
    fn of(value: i128) -> Result<Self, OutOfRange> {
        Self::PARAMETERS.raw(value).map(|raw| Self(raw as u64))
    }

    /// The number.
    #[inline(always)]
    pub const fn get(self) -> i64 {
        let raw = if SIGNED { sign_extend(self.0, BITS) } else { self.0 as i64 };
        raw.wrapping_mul(SCALE).wrapping_add(BIAS)
    }

    /// The number from the bits of a field; only the low `BITS` count.
    #[inline(always)]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits & ones(BITS))
    }

    /// The bits of the field.
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0
    }
}

/// A displacement: `SCALE * bits + BIAS`, counted from `FROM` bytes after the address of the word.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Displacement<const SIGNED: bool, const BITS: u32, const SCALE: i64, const BIAS: i64, const FROM: i64>(u64);

impl<const SIGNED: bool, const BITS: u32, const SCALE: i64, const BIAS: i64, const FROM: i64>
    Displacement<SIGNED, BITS, SCALE, BIAS, FROM>
{
    const PARAMETERS: Parameters = Parameters { signed: SIGNED, bits: BITS, scale: SCALE, bias: BIAS };

    /// The displacement of `bytes` bytes, if the field has bits for it.
    pub const fn new(bytes: i64) -> Result<Self, OutOfRange> {
        match Self::PARAMETERS.raw(bytes as i128) {
            Ok(raw) => Ok(Self(raw as u64)),
            Err(e) => Err(e),
        }
    }

    /// The displacement from a word at `address` to `target`.
    pub const fn to(target: u64, address: u64) -> Result<Self, OutOfRange> {
        Self::new((target as i64).wrapping_sub(address as i64).wrapping_sub(FROM))
    }

    #[inline]
    fn of(value: i128) -> Result<Self, OutOfRange> {
        Self::PARAMETERS.raw(value).map(|raw| Self(raw as u64))
    }

    /// The displacement in bytes.
    #[inline(always)]
    pub const fn get(self) -> i64 {
        let raw = if SIGNED { sign_extend(self.0, BITS) } else { self.0 as i64 };
        raw.wrapping_mul(SCALE).wrapping_add(BIAS)
    }

    /// The address that it leads to from a word at `address`.
    #[inline(always)]
    pub const fn target(self, address: u64) -> u64 {
        address.wrapping_add(FROM as u64).wrapping_add(self.get() as u64)
    }

    /// The displacement from the bits of a field; only the low `BITS` count.
    #[inline(always)]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits & ones(BITS))
    }

    /// The bits of the field.
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0
    }
}

/// A number with values beyond the range of `i64`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Wide<const SIGNED: bool, const BITS: u32, const SCALE: i64, const BIAS: i64>(u128);

impl<const SIGNED: bool, const BITS: u32, const SCALE: i64, const BIAS: i64> Wide<SIGNED, BITS, SCALE, BIAS> {
    const PARAMETERS: Parameters = Parameters { signed: SIGNED, bits: BITS, scale: SCALE, bias: BIAS };

    /// The number, if the field has bits for it.
    pub const fn new(value: i128) -> Result<Self, OutOfRange> {
        match Self::PARAMETERS.raw(value) {
            Ok(raw) => Ok(Self(raw)),
            Err(e) => Err(e),
        }
    }

    #[inline]
    fn of(value: i128) -> Result<Self, OutOfRange> {
        Self::new(value)
    }

    /// The number.
    #[inline]
    pub const fn get(self) -> i128 {
        Self::PARAMETERS.value(self.0)
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

/// A floating-point number in `BITS` bits: the high ones of one of `OF` bits, which is 32 or 64. It is compared and hashed by its
/// bits, so `-0.0` differs from `0.0`, and each NaN is equal to itself.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Float<const BITS: u32, const OF: u32>(u64);

impl<const BITS: u32, const OF: u32> Float<BITS, OF> {
    /// The number from the bits of a field; only the low `BITS` count.
    #[inline(always)]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits & ones(BITS))
    }

    /// The bits of the field.
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0
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

/// [`Wide::new`] takes, and [`Wide::get`] returns, large values of an unsigned number of 128 bits as negative ones; here they are
/// positive.
impl<const SIGNED: bool, const BITS: u32, const SCALE: i64, const BIAS: i64> TryFrom<u128> for Wide<SIGNED, BITS, SCALE, BIAS> {
    type Error = OutOfRange;

    #[inline]
    fn try_from(value: u128) -> Result<Self, OutOfRange> {
        match i128::try_from(value) {
            Err(_) if SIGNED || BITS < 128 => Err(Self::PARAMETERS.refusal(i128::MAX)),
            _ => Self::new(value as i128),
        }
    }
}

/// Implements the traits of all types of numbers: they are shown, compared and converted as their numbers are.
macro_rules! numbers {
    (convert $g:tt $t:ty, $($from:ident)*) => {$(numbers!(from $g $t, $from);)*};
    (from [$($g:tt)*] $t:ty, $from:ident) => {
        impl<$($g)*> TryFrom<$from> for $t {
            type Error = OutOfRange;

            #[inline]
            fn try_from(value: $from) -> Result<Self, OutOfRange> {
                Self::of(value.into())
            }
        }
    };
    ($([$($g:tt)*] $t:ty, $number:ty;)*) => {$(
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
        /// The number whose bits are all clear.
        impl<$($g)*> Default for $t {
            #[inline]
            fn default() -> Self {
                Self::from_bits(0)
            }
        }
        impl<$($g)*> From<$t> for $number {
            #[inline]
            fn from(number: $t) -> Self {
                number.get()
            }
        }
        numbers!(convert [$($g)*] $t, u8 u16 u32 u64 i8 i16 i32 i64 i128);
    )*};
}
numbers! {
    [const BITS: u32] Uint<BITS>, u64;
    [const BITS: u32] Int<BITS>, i64;
    [const SIGNED: bool, const BITS: u32, const SCALE: i64, const BIAS: i64] Scaled<SIGNED, BITS, SCALE, BIAS>, i64;
    [const SIGNED: bool, const BITS: u32, const SCALE: i64, const BIAS: i64, const FROM: i64]
        Displacement<SIGNED, BITS, SCALE, BIAS, FROM>, i64;
    [const SIGNED: bool, const BITS: u32, const SCALE: i64, const BIAS: i64] Wide<SIGNED, BITS, SCALE, BIAS>, i128;
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
        assert_eq!(Int::<64>::new(i64::MIN).map(Int::get), Ok(i64::MIN));
        assert_eq!(Uint::<64>::new(u64::MAX).map(Uint::get), Ok(u64::MAX));
        type Offset = Scaled<true, 14, 4, 0>;
        assert_eq!(Offset::new(-4).map(Offset::bits), Ok(0x3fff));
        assert_eq!(Offset::new(6), Err(OutOfRange { value: 6, min: -32768, max: 32764, step: 4 }));
        assert_eq!(Uint::<4>::try_from(15).map(u64::from), Ok(15));
        assert_eq!(Uint::<4>::try_from(-1), Err(OutOfRange { value: -1, min: 0, max: 15, step: 1 }));
        assert_eq!(Int::<64>::try_from(u64::MAX).map_err(|e| (e.value, e.max)), Err((u64::MAX.into(), i64::MAX.into())));
        assert_eq!((Offset::try_from(-8i8).map(i64::from), Offset::default().get()), (Ok(-8), 0));
        assert!(Offset::try_from(-8).ok() < Offset::try_from(4).ok());
        type All = Wide<false, 128, 1, 0>;
        assert_eq!(All::new(-1).map(All::bits), Ok(u128::MAX));
        assert_eq!(All::try_from(u128::MAX).map(All::bits), Ok(u128::MAX));
        type Most = Wide<true, 128, 1, 0>;
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
