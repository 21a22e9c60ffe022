//! The floating-point functions of the semantics language (`docs/semantics.md`), on bit patterns of 32 bits.
//!
//! Every result is exact, rounded once: [`ffma`] too, and in all four directions. If the modes are constants, as in generated
//! code, the rest has no branches: loops over lanes vectorise.
//!
//! [`rcp`], [`rsq`], [`sin`], [`cos`], [`ex2`], [`lg2`], [`sinpi`], [`cospi`] and [`tanh`] give the float that is nearest to the
//! true value, for every argument, and the same on every machine. They are computed in 64 bits, which nearly always decides the
//! nearest float; the 382 arguments among all 2³² for which it may not were searched for, and are checked one by one against 400
//! bits (`float/functions.tsv`). Machines approximate these functions by tables of their own, which are not reproduced: their
//! values differ in the last places.

pub use isa_runtime::float::{Modes, Rounding};

/// The NaN that functions make.
pub const NAN: u32 = 0x7fff_ffff;
/// The NaN of 16 bits that [`f2h`] makes.
pub const NAN16: u16 = 0x7fff;

const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = 0x7f80_0000;
const ONE: u32 = 0x3f80_0000;

/// `a + b`
#[inline(always)]
pub fn fadd(a: u32, b: u32, modes: Modes) -> u32 {
    let (a, b) = (flushed(a, modes), flushed(b, modes));
    let r = match modes.rounding {
        Rounding::Nearest => (single(a) + single(b)).to_bits(),
        way => {
            let (sum, error) = two_sum(double(a), double(b));
            signed_zero(directed(sum, error, way), sum, a | b, way)
        }
    };
    finished(r, modes)
}

/// `a - b`
#[inline(always)]
pub fn fsub(a: u32, b: u32, modes: Modes) -> u32 {
    fadd(a, b ^ SIGN, modes)
}

/// `a * b`
#[inline(always)]
pub fn fmul(a: u32, b: u32, modes: Modes) -> u32 {
    let (a, b) = (flushed(a, modes), flushed(b, modes));
    let r = match modes.rounding {
        Rounding::Nearest => (single(a) * single(b)).to_bits(),
        // Twice 24 bits fit in 53, and the exponents do.
        way => directed(double(a) * double(b), 0.0, way),
    };
    finished(r, modes)
}

/// `a * b + c`, rounded once.
#[inline(always)]
pub fn ffma(a: u32, b: u32, c: u32, modes: Modes) -> u32 {
    let (a, b, c) = (flushed(a, modes), flushed(b, modes), flushed(c, modes));
    if cfg!(target_feature = "fma") && modes.rounding == Rounding::Nearest {
        return finished(single(a).mul_add(single(b), single(c)).to_bits(), modes);
    }
    let (sum, error) = two_sum(double(a) * double(b), double(c));
    let r = match modes.rounding {
        Rounding::Nearest => (odd(sum, error) as f32).to_bits(),
        way => signed_zero(directed(sum, error, way), sum, (a ^ b) | c, way),
    };
    finished(r, modes)
}

/// `a / b`
#[inline(always)]
pub fn fdiv(a: u32, b: u32, modes: Modes) -> u32 {
    let (a, b) = (flushed(a, modes), flushed(b, modes));
    let near = single(a) / single(b);
    let r = match modes.rounding {
        Rounding::Nearest => near.to_bits(),
        // The product is exact, so its sign tells on which side of the quotient `near` is; it is NaN if the quotient is exact.
        way => {
            let over = f64::from(near) * double(b) - double(a);
            stepped(near, if b & SIGN != 0 { -over } else { over }, way)
        }
    };
    finished(r, modes)
}

/// `√a`
#[inline(always)]
pub fn fsqrt(a: u32, modes: Modes) -> u32 {
    let a = flushed(a, modes);
    let near = single(a).sqrt();
    let r = match modes.rounding {
        Rounding::Nearest => near.to_bits(),
        way => stepped(near, f64::from(near) * f64::from(near) - double(a), way),
    };
    finished(r, modes)
}

/// The nearest integer in the direction of rounding, as a float; a zero has the sign of `a`.
#[inline(always)]
pub fn fround(a: u32, modes: Modes) -> u32 {
    let a = flushed(a, modes);
    finished(integral(a, modes.rounding), modes)
}

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

/// The lesser; -0 is less than +0, a NaN loses to a number.
#[inline(always)]
pub fn fmin(a: u32, b: u32, flush: bool) -> u32 {
    let modes = Modes::new(Rounding::Nearest, flush, false);
    let (a, b) = (flushed(a, modes), flushed(b, modes));
    let r = if fnan(b) || !fnan(a) && rank(a) < rank(b) { a } else { b };
    finished(r, modes)
}

/// The greater; +0 is greater than -0, a NaN loses to a number.
#[inline(always)]
pub fn fmax(a: u32, b: u32, flush: bool) -> u32 {
    let modes = Modes::new(Rounding::Nearest, flush, false);
    let (a, b) = (flushed(a, modes), flushed(b, modes));
    let r = if fnan(b) || !fnan(a) && rank(a) > rank(b) { a } else { b };
    finished(r, modes)
}

/// One of bits 0 (less), 1 (equal), 2 (greater), 3 (unordered).
#[inline(always)]
pub fn fcmp(a: u32, b: u32, flush: bool) -> u32 {
    let modes = Modes::new(Rounding::Nearest, flush, false);
    let (x, y) = (single(flushed(a, modes)), single(flushed(b, modes)));
    let (less, equal, greater) = (u32::from(x < y), u32::from(x == y), u32::from(x > y));
    let ordered = less | equal << 1 | greater << 2;
    if ordered == 0 { 8 } else { ordered }
}

/// The signed integer of 1 to 64 bits; the nearest if it does not fit, 0 for NaN. Bits above are 0.
#[inline(always)]
pub fn f2i_s(a: u32, bits: u32, modes: Modes) -> u64 {
    let x = single(integral(flushed(a, modes), modes.rounding));
    if bits <= 32 {
        let most = i32::MAX >> (32 - bits);
        u64::from(((x as i32).clamp(!most, most)) as u32 & (u32::MAX >> (32 - bits)))
    } else {
        let most = i64::MAX >> (64 - bits);
        (x as i64).clamp(!most, most) as u64 & (u64::MAX >> (64 - bits))
    }
}

/// The unsigned integer of 1 to 64 bits; the nearest if it does not fit, 0 for NaN.
#[inline(always)]
pub fn f2i_u(a: u32, bits: u32, modes: Modes) -> u64 {
    let x = single(integral(flushed(a, modes), modes.rounding));
    if bits <= 32 { u64::from((x as u32).min(u32::MAX >> (32 - bits))) } else { (x as u64).min(u64::MAX >> (64 - bits)) }
}

/// [`f2i_s`] for 1 to 128 bits.
#[inline(always)]
pub fn f2i_s_wide(a: u32, bits: u32, modes: Modes) -> u128 {
    let x = single(integral(flushed(a, modes), modes.rounding));
    let most = i128::MAX >> (128 - bits);
    (x as i128).clamp(!most, most) as u128 & (u128::MAX >> (128 - bits))
}

/// [`f2i_u`] for 1 to 128 bits.
#[inline(always)]
pub fn f2i_u_wide(a: u32, bits: u32, modes: Modes) -> u128 {
    (single(integral(flushed(a, modes), modes.rounding)) as u128).min(u128::MAX >> (128 - bits))
}

/// A signed integer of 1 to 64 bits as a float. Bits above don't matter.
#[inline(always)]
pub fn i2f_s(x: u64, bits: u32, rounding: Rounding) -> u32 {
    if bits <= 32 {
        let x = (x as i32) << (32 - bits) >> (32 - bits);
        return match rounding {
            Rounding::Nearest => (x as f32).to_bits(),
            way => directed(f64::from(x), 0.0, way),
        };
    }
    let x = (x as i64) << (64 - bits) >> (64 - bits);
    match rounding {
        Rounding::Nearest => (x as f32).to_bits(),
        way => from_magnitude(x.unsigned_abs().into(), x < 0, way),
    }
}

/// An unsigned integer of up to 64 bits as a float.
#[inline(always)]
pub fn i2f_u(x: u64, rounding: Rounding) -> u32 {
    match rounding {
        Rounding::Nearest => (x as f32).to_bits(),
        way => from_magnitude(x.into(), false, way),
    }
}

/// [`i2f_s`] for 1 to 128 bits.
#[inline(always)]
pub fn i2f_s_wide(x: u128, bits: u32, rounding: Rounding) -> u32 {
    let x = (x as i128) << (128 - bits) >> (128 - bits);
    from_magnitude(x.unsigned_abs(), x < 0, rounding)
}

/// [`i2f_u`] for up to 128 bits.
#[inline(always)]
pub fn i2f_u_wide(x: u128, rounding: Rounding) -> u32 {
    from_magnitude(x, false, rounding)
}

/// The number as a float of 16 bits.
#[inline(always)]
pub fn f2h(a: u32, modes: Modes) -> u16 {
    let a = flushed(a, modes);
    let (sign, magnitude) = ((a >> 16 & 0x8000) as u16, fabs(a));
    if magnitude >= INFINITY {
        return if fnan(a) { NAN16 } else { sign | 0x7c00 };
    }
    // The significand with its leading one, and the number of its excess bits: 13, and more below 2⁻¹⁴.
    let exponent = (magnitude >> 23).max(1) as i32 - 127;
    let significand = if magnitude >> 23 == 0 { magnitude } else { magnitude & 0x7f_ffff | 0x80_0000 };
    let drop = (13 + (-14 - exponent).max(0)).min(31) as u32;
    let (kept, rest, half) = (significand >> drop, significand & ((1 << drop) - 1), 1u32 << (drop - 1));
    let away = match modes.rounding {
        Rounding::Nearest => rest > half || rest == half && kept & 1 == 1,
        Rounding::Zero => false,
        Rounding::Up => rest != 0 && sign == 0,
        Rounding::Down => rest != 0 && sign != 0,
    };
    // The leading one of a normal number adds one to an exponent that is one too small; so does a carry.
    let r = ((exponent + 14).max(0) as u32).wrapping_shl(10) + kept + u32::from(away);
    let r = match modes.rounding {
        Rounding::Nearest => r.min(0x7c00),
        _ if r < 0x7c00 => r,
        Rounding::Up if sign == 0 => 0x7c00,
        Rounding::Down if sign != 0 => 0x7c00,
        _ => 0x7bff,
    };
    if modes.flush && r < 0x400 { sign } else { sign | r as u16 }
}

/// The number of a float of 16 bits.
#[inline(always)]
pub fn h2f(a: u16, flush: bool) -> u32 {
    let (sign, magnitude) = (u32::from(a & 0x8000) << 16, u32::from(a & 0x7fff));
    let r = match magnitude {
        0x7c01.. => return NAN,
        0x7c00 => INFINITY,
        0x400.. => (magnitude << 13) + ((127 - 15) << 23),
        _ if flush => 0,
        // A multiple of 2⁻²⁴.
        _ => (magnitude as f32 * single((127 - 24) << 23)).to_bits(),
    };
    sign | r
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
    let modes = Modes::new(Rounding::Nearest, flush, saturate);
    let r = (function(double(flushed(a, modes))) as f32).to_bits();
    finished(known.iter().find(|k| k.0 == a).map_or(r, |k| k.1), modes)
}

#[inline(always)]
fn single(a: u32) -> f32 {
    f32::from_bits(a)
}

#[inline(always)]
fn double(a: u32) -> f64 {
    f64::from(f32::from_bits(a))
}

/// A subnormal number as zero, if the modes flush.
#[inline(always)]
fn flushed(a: u32, modes: Modes) -> u32 {
    if modes.flush && a & INFINITY == 0 { a & SIGN } else { a }
}

/// Applies flushing and saturation to a result.
#[inline(always)]
fn finished(r: u32, modes: Modes) -> u32 {
    let r = flushed(r, modes);
    if modes.saturate {
        fsat(r)
    } else if fnan(r) {
        NAN
    } else {
        r
    }
}

/// An order-preserving integer for a float, with -0 below +0.
#[inline(always)]
fn rank(a: u32) -> i32 {
    (a ^ ((a as i32 >> 31) as u32 >> 1)) as i32
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

/// `sum + error` (which is less than half of the last place of the sum), rounded in a direction.
#[inline(always)]
fn directed(sum: f64, error: f64, way: Rounding) -> u32 {
    let near = sum as f32;
    stepped(near, (f64::from(near) - sum) - error, way)
}

/// Moves from one of the neighbours of a number to the one in the direction of rounding: `over` is positive if `near` is greater
/// than the number, negative if it is less, and neither if they are equal.
#[inline(always)]
fn stepped(near: f32, over: f64, way: Rounding) -> u32 {
    let bits = near.to_bits();
    let negative = bits & SIGN != 0;
    let inwards = match way {
        Rounding::Nearest => false,
        Rounding::Zero => {
            if negative {
                over < 0.0
            } else {
                over > 0.0
            }
        }
        Rounding::Up => over < 0.0 && negative,
        Rounding::Down => over > 0.0 && !negative,
    };
    let outwards = match way {
        Rounding::Nearest | Rounding::Zero => false,
        Rounding::Up => over < 0.0 && !negative,
        Rounding::Down => over > 0.0 && negative,
    };
    bits.wrapping_add(u32::from(outwards)).wrapping_sub(u32::from(inwards))
}

/// A sum that is zero is -0 when rounding down, unless both were +0.
#[inline(always)]
fn signed_zero(r: u32, sum: f64, signs: u32, way: Rounding) -> u32 {
    if way == Rounding::Down && sum == 0.0 { signs & SIGN } else { r }
}

/// The nearest integer in a direction.
#[inline(always)]
fn integral(a: u32, way: Rounding) -> u32 {
    const ALL_INTEGERS: f32 = 8_388_608.0;
    let (x, size) = (single(a), single(fabs(a)));
    // Above 2²³ the last place is 1, so adding that rounds.
    let near = single(((size + ALL_INTEGERS) - ALL_INTEGERS).to_bits() | a & SIGN);
    let r = match way {
        Rounding::Nearest => near,
        Rounding::Zero => {
            near - if (a & SIGN != 0 && near < x) || (a & SIGN == 0 && near > x) { single(ONE | a & SIGN) } else { 0.0 }
        }
        Rounding::Up => near + if near < x { 1.0 } else { 0.0 },
        Rounding::Down => near - if near > x { 1.0 } else { 0.0 },
    };
    if size < ALL_INTEGERS { fabs(r.to_bits()) | a & SIGN } else { a }
}

/// The number with a sign, rounded.
#[inline(always)]
fn from_magnitude(magnitude: u128, negative: bool, way: Rounding) -> u32 {
    let near = magnitude as f32;
    let back = near as u128;
    let inwards = match way {
        Rounding::Nearest => false,
        Rounding::Zero => true,
        Rounding::Up => negative,
        Rounding::Down => !negative,
    };
    let outwards = way != Rounding::Nearest && !inwards;
    let too_large = back > magnitude || near.is_infinite();
    let step = if inwards && too_large { u32::MAX } else { u32::from(outwards && back < magnitude) };
    near.to_bits().wrapping_add(step) | if negative { SIGN } else { 0 }
}

#[cfg(test)]
mod tests;
