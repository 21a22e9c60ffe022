//! Functions around [`soft`](crate::soft) for generated code: directions of rounding as numbers, and limits.

use crate::soft::{Format, Round};

/// The direction of a number of 3 bits; those that are none are to the nearest.
#[inline]
pub fn round(number: u32) -> Round {
    Round::from_number(number).unwrap_or_default()
}

/// A float, limited to 0…1; NaN and -0 give +0.
#[inline]
pub fn limited(f: Format, a: u64) -> u64 {
    let infinity = ((1 << f.exponent) - 1) << f.fraction;
    let one = ((1 << (f.exponent - 1)) - 1) << f.fraction;
    if a > infinity { 0 } else { a.min(one) }
}

/// Returns true for NaN.
#[inline]
pub fn is_nan(f: Format, a: u64) -> bool {
    let infinity = ((1 << f.exponent) - 1) << f.fraction;
    a & !sign(f) > infinity
}

/// The bit of the sign.
#[inline]
pub const fn sign(f: Format) -> u64 {
    1 << (f.exponent + f.fraction)
}
