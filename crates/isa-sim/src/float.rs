//! The functions of binary32 that machines approximate, and those of its bits alone.
//!
//! [`rcp`], [`rsq`], [`sin`], [`cos`], [`ex2`], [`lg2`], [`sinpi`], [`cospi`] and [`tanh`] give the float that is nearest to the
//! true value, for every argument, and the same on every machine. They are computed in 64 bits, which nearly always decides the
//! nearest float; the 382 arguments among all 2³² for which it may not were searched for, and are checked one by one against 400
//! bits (`float/functions.tsv`). Machines approximate these functions by tables of their own, which are not reproduced: their
//! values differ in the last places.

/// The NaN that functions make.
pub const NAN: u32 = 0x7fff_ffff;

const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = 0x7f80_0000;
const ONE: u32 = 0x3f80_0000;

/// The number with the other sign, NaN included.
#[inline(always)]
pub fn fneg(a: u32) -> u32 {
    a ^ SIGN
}

/// The number without its sign, NaN included.
#[inline(always)]
pub fn fabs(a: u32) -> u32 {
    a & !SIGN
}

/// Limited to 0…1; NaN and -0 give +0.
#[inline(always)]
pub fn fsat(a: u32) -> u32 {
    let positive = if a & SIGN != 0 || fnan(a) { 0 } else { a };
    if positive > ONE { ONE } else { positive }
}

/// True if it is NaN.
#[inline(always)]
pub fn fnan(a: u32) -> bool {
    fabs(a) > INFINITY
}

/// `1 / a`, to the nearest.
#[inline]
pub fn rcp(a: u32, flush: bool, saturate: bool) -> u32 {
    special(a, flush, saturate, |x| 1.0 / x, &[])
}

/// `1 / √a`, to the nearest; -∞ for -0.
#[inline]
pub fn rsq(a: u32, flush: bool, saturate: bool) -> u32 {
    special(a, flush, saturate, |x| 1.0 / x.sqrt(), &[])
}

/// The sine of radians, to the nearest.
#[inline]
pub fn sin(a: u32, flush: bool, saturate: bool) -> u32 {
    special(a, flush, saturate, libm::sin, &[(0x4619_9998, 0xbeb1_fa5d), (0xc619_9998, 0x3eb1_fa5d)])
}

/// The cosine of radians, to the nearest.
#[inline]
pub fn cos(a: u32, flush: bool, saturate: bool) -> u32 {
    let known = [(0x5f18_b878, 0x3f7f_14bb), (0xdf18_b878, 0x3f7f_14bb), (0x6115_cb11, 0x3f78_142f), (0xe115_cb11, 0x3f78_142f)];
    special(a, flush, saturate, libm::cos, &known)
}

/// `2` to the power of `a`, to the nearest.
#[inline]
pub fn ex2(a: u32, flush: bool, saturate: bool) -> u32 {
    special(a, flush, saturate, libm::exp2, &[(0x3b42_9d37, 0x3f80_4385), (0xbcf3_a937, 0x3f7a_c6b1)])
}

/// The logarithm to the base 2, to the nearest.
#[inline]
pub fn lg2(a: u32, flush: bool, saturate: bool) -> u32 {
    special(a, flush, saturate, libm::log2, &[])
}

/// The sine of `a` times π, to the nearest.
#[inline]
pub fn sinpi(a: u32, flush: bool, saturate: bool) -> u32 {
    special(a, flush, saturate, sine_of_half_turns, &[])
}

/// The cosine of `a` times π, to the nearest.
#[inline]
pub fn cospi(a: u32, flush: bool, saturate: bool) -> u32 {
    special(a, flush, saturate, cosine_of_half_turns, &[])
}

/// The hyperbolic tangent, to the nearest.
#[inline]
pub fn tanh(a: u32, flush: bool, saturate: bool) -> u32 {
    special(a, flush, saturate, libm::tanh, &[])
}

/// A float in -1…1 that differs by whole turns.
fn within_a_turn(x: f64) -> f64 {
    x - 2.0 * libm::rint(x / 2.0)
}

fn sine_of_half_turns(x: f64) -> f64 {
    if x == 0.0 {
        return x;
    }
    let x = within_a_turn(x);
    // Near a zero the difference is exact; the sign of zero is that of the argument.
    let x = if x.abs() > 0.5 { 1f64.copysign(x) - x } else { x };
    libm::sin(core::f64::consts::PI * x)
}

fn cosine_of_half_turns(x: f64) -> f64 {
    libm::sin(core::f64::consts::PI * (0.5 - within_a_turn(x).abs()))
}

/// A function computed in 64 bits; `known` are the arguments for which these are on the wrong side of the middle between two
/// floats, and the right values.
#[inline(always)]
fn special(a: u32, flush: bool, saturate: bool, function: impl Fn(f64) -> f64, known: &[(u32, u32)]) -> u32 {
    let r = (function(f32::from_bits(flushed(a, flush)).into()) as f32).to_bits();
    finished(known.iter().find(|k| k.0 == a).map_or(r, |k| k.1), flush, saturate)
}

/// A subnormal number as zero, if it is flushed.
#[inline(always)]
fn flushed(a: u32, flush: bool) -> u32 {
    if flush && a & INFINITY == 0 { a & SIGN } else { a }
}

/// Applies flushing and saturation to a result.
#[inline(always)]
fn finished(r: u32, flush: bool, saturate: bool) -> u32 {
    let r = flushed(r, flush);
    if saturate {
        fsat(r)
    } else if fnan(r) {
        NAN
    } else {
        r
    }
}

/// The sum and its rounding error: together they are exact. The error is NaN if the sum is not finite.
#[inline(always)]
pub(crate) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    (sum, (a - (sum - b_part)) + (b - b_part))
}

/// The sum rounded to odd: to the odd one of the two neighbours if there is an error. Rounding that once more, to fewer bits, is
/// like rounding once.
#[inline(always)]
pub(crate) fn odd(sum: f64, error: f64) -> f64 {
    let bits = sum.to_bits();
    // If the sum is infinite there is no error: it is NaN.
    let inexact = error.abs() > 0.0;
    let outwards = (error > 0.0) == (sum > 0.0);
    let step = if outwards { 1 } else { u64::MAX };
    f64::from_bits(bits.wrapping_add(if inexact && bits & 1 == 0 { step } else { 0 }))
}

#[cfg(test)]
mod tests;
