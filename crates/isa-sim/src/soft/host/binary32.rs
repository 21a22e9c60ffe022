//! binary32, for which the host has binary64 as well.

use crate::float::{odd, two_sum};

super::format!(f32, u32, u64, Format::F32);

#[inline(always)]
pub(super) fn fma(a: u64, b: u64, c: u64) -> Found {
    let (product, c) = (f64::from(read(a)) * f64::from(read(b)), f64::from(read(c)));
    let (sum, error) = two_sum(product, c);
    let result = odd(sum, error) as f32;
    let exact = f64::from(result) == sum && error == 0.0;
    if exact || is_safe(bits(result)) { found(bits(result), !exact) } else { None }
}

/// The value of [`fma`], for all operands; if it is a NaN, then of any kind.
#[inline(always)]
pub(super) fn fused(a: u64, b: u64, c: u64) -> f32 {
    if cfg!(target_feature = "fma") {
        return read(a).mul_add(read(b), read(c));
    }
    let (sum, error) = two_sum(f64::from(read(a)) * f64::from(read(b)), f64::from(read(c)));
    odd(sum, error) as f32
}

/// The number in 64 bits, exactly.
#[inline(always)]
pub(super) fn widened(a: u64) -> Found {
    let x = read(a);
    if x.is_nan() { None } else { found(f64::from(x).to_bits(), false) }
}

/// A number of 64 bits, rounded to 32.
#[inline(always)]
pub(super) fn narrowed(a: u64) -> Found {
    let x = f64::from_bits(a);
    let near = x as f32;
    let exact = f64::from(near) == x;
    if exact || is_safe(bits(near)) { found(bits(near), !exact) } else { None }
}
