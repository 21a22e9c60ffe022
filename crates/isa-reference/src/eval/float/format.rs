//! Formats of floats, for LLVM's arithmetic: its own, and those that it lacks.

use super::{INEXACT, OVERFLOW};
use rustc_apfloat::ieee::{BFloat, Double, Float8E5M2, Half, IeeeFloat, Quad, Semantics, Single};
use rustc_apfloat::{Float, FloatConvert, Round, StatusAnd};

/// A format of floats.
pub(super) trait Format: Float + FloatConvert<Quad> {
    /// Bits of a significand, with the leading one.
    const DIGITS: i32;
    const WIDTH: u32;
    /// The exponent of the last place of subnormal numbers.
    const LEAST_EXPONENT: i32;

    fn read(bits: u128) -> Self {
        Self::from_bits(bits)
    }

    fn write(self) -> u128 {
        self.to_bits()
    }

    fn of_quad(quad: Quad, round: Round) -> StatusAnd<Self>;

    /// A result, and its flags, within the bounds of the format.
    fn bounded(self, raised: u32, _: Round, _: bool) -> (Self, u32) {
        (self, raised)
    }

    /// The NaN of a sign and fraction, the fraction in the high bits.
    fn nan(is_negative: bool, fraction: u128) -> Self {
        let sign = u128::from(is_negative) << (Self::WIDTH - 1);
        Self::from_bits(sign | Self::INFINITY.to_bits() | fraction >> (129 - Self::DIGITS))
    }
}

macro_rules! formats {
    ($($of:ty: $digits:literal digits of $width:literal bits from $least:literal $({ $($more:tt)* })?;)*) => {
        $(impl Format for $of {
            const DIGITS: i32 = $digits;
            const WIDTH: u32 = $width;
            const LEAST_EXPONENT: i32 = $least;

            fn of_quad(quad: Quad, round: Round) -> StatusAnd<Self> {
                quad.convert_r(round, &mut false)
            }

            $($($more)*)?
        })*
    };
}

formats! {
    Half: 11 digits of 16 bits from -24;
    Single: 24 digits of 32 bits from -149;
    Double: 53 digits of 64 bits from -1074;
    BFloat: 8 digits of 16 bits from -133;
    IeeeFloat<Tf32>: 11 digits of 19 bits from -136;
    Float8E5M2: 3 digits of 8 bits from -16;
    // A pattern of E4M3 has 8 bits, this format more exponents.
    IeeeFloat<E4m3>: 4 digits of 12 bits from -9 {
        fn read(bits: u128) -> Self {
            let sign = (bits & 0x80) << 4;
            if bits & 0x7f == 0x7f { Self::nan(sign != 0, u128::MAX) } else { Self::from_bits(bits & 0x7f | sign) }
        }

        fn write(self) -> u128 {
            let sign = u128::from(self.is_negative()) << 7;
            sign | if self.is_nan() { 0x7f } else { self.to_bits() & 0x7f }
        }

        fn bounded(self, raised: u32, round: Round, is_finite: bool) -> (Self, u32) {
            let greatest = Self::from_bits(0x7e);
            if self.is_nan() || self.abs() <= greatest {
                return (self, raised);
            }
            let is_nearest = matches!(round, Round::NearestTiesToEven | Round::NearestTiesToAway);
            let outwards = if self.is_negative() { Round::TowardNegative } else { Round::TowardPositive };
            // Infinities are those of operands, or of a division by zero.
            let is_overflow = !self.is_infinite() || raised & OVERFLOW != 0;
            let is_nan = !is_finite && (!is_overflow || is_nearest || round == outwards);
            let value = if is_nan { Self::nan(false, 1 << 127) } else { greatest };
            (value.copy_sign(self), if is_overflow { raised | OVERFLOW | INEXACT } else { raised })
        }
    };
}

/// The semantics of TF32.
pub(super) struct Tf32;

impl Semantics for Tf32 {
    const BITS: usize = 19;
    const EXP_BITS: usize = 8;
}

/// E4M3 as if it had 8 bits of exponent: numbers are rounded to its digits, and to its subnormal ones, and have no bound above.
pub(super) struct E4m3;

impl Semantics for E4m3 {
    const BITS: usize = 12;
    const EXP_BITS: usize = 8;
    const MIN_EXP: rustc_apfloat::ExpInt = -6;
}

/// The highest bit of the fraction.
pub(super) fn quiet<F: Format>() -> u128 {
    1 << (F::DIGITS - 2)
}

pub(super) fn magnitude<F: Format>(x: F) -> u128 {
    x.to_bits() & !(1 << (F::WIDTH - 1))
}

/// The significand of a finite number as an integer, and the exponent of its last place.
pub(super) fn parts<F: Format>(x: F) -> (u128, i32) {
    let fraction = magnitude(x) & ((1 << (F::DIGITS - 1)) - 1);
    match (magnitude(x) >> (F::DIGITS - 1)) as i32 {
        0 => (fraction, F::LEAST_EXPONENT),
        exponent => (fraction | 1 << (F::DIGITS - 1), exponent - 1 + F::LEAST_EXPONENT),
    }
}

/// An operand of any format.
#[derive(Clone, Copy)]
pub(super) struct Source {
    /// Nothing for a NaN.
    pub(super) number: Option<Quad>,
    pub(super) is_negative: bool,
    pub(super) is_signalling: bool,
    /// The fraction of a NaN, in the high bits.
    pub(super) fraction: u128,
}

impl Source {
    pub(super) fn new<F: Format>(x: F) -> Self {
        let number: Quad = x.convert(&mut false).value;
        Self {
            number: (!x.is_nan()).then_some(number),
            is_negative: x.is_negative(),
            is_signalling: x.is_signaling(),
            fraction: magnitude(x) << (129 - F::DIGITS),
        }
    }

    /// A NaN that is kept: what is left of the fraction are its high bits.
    pub(super) fn quieted<T: Format>(&self) -> T {
        T::nan(self.is_negative, self.fraction | 1 << 127)
    }
}
