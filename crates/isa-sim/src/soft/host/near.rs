//! Results without flags, rounded to the nearest.
//!
//! If the NaN is always the made one, they are computed in binary32 and binary64 without branches: a loop over arrays becomes
//! vector instructions.
//!
//! ```
//! use isa_sim::soft::{Format, Rules, near};
//!
//! assert_eq!(near::div(Format::F32, &Rules::RISCV, 0x3f80_0000, 0x4040_0000), 0x3eaa_aaab);
//! assert_eq!(near::sqrt(Format::F32, &Rules::RISCV, 0xbf80_0000), 0x7fc0_0000);
//! ```

use super::{binary32, binary64};
use crate::soft::nan::made;
use crate::soft::{Format, NanRule, Round, Rules, flush};

#[inline(always)]
fn is_host(rules: &Rules) -> bool {
    rules.nan == NanRule::Made && !rules.flush_results && !rules.finite_results
}

#[inline(always)]
fn operand(f: Format, rules: &Rules, a: u64) -> u64 {
    if rules.flush_inputs { flush(f, a) } else { a }
}

#[inline(always)]
fn single(rules: &Rules, x: f32) -> u64 {
    if x.is_nan() { made(Format::F32, rules) } else { x.to_bits().into() }
}

#[inline(always)]
fn double(rules: &Rules, x: f64) -> u64 {
    if x.is_nan() { made(Format::F64, rules) } else { x.to_bits() }
}

macro_rules! functions {
    ($($(#[$doc:meta])* fn $name:ident($($x:ident),+) = $value:expr;)+) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name(f: Format, rules: &Rules, $($x: u64),+) -> u64 {
            match f {
                Format::F32 if is_host(rules) => {
                    $(let $x = binary32::read(operand(f, rules, $x));)+
                    single(rules, $value)
                }
                Format::F64 if is_host(rules) => {
                    $(let $x = binary64::read(operand(f, rules, $x));)+
                    double(rules, $value)
                }
                _ => super::$name(f, rules, $($x,)+ Round::Nearest).0,
            }
        }
    )+};
}

functions! {
    /// The result of [`soft::add`](crate::soft::add).
    fn add(a, b) = a + b;
    /// The result of [`soft::sub`](crate::soft::sub).
    fn sub(a, b) = a - b;
    /// The result of [`soft::mul`](crate::soft::mul).
    fn mul(a, b) = a * b;
    /// The result of [`soft::div`](crate::soft::div).
    fn div(a, b) = a / b;
    /// The result of [`soft::sqrt`](crate::soft::sqrt).
    fn sqrt(a) = a.sqrt();
}

/// The result of [`soft::fma`](crate::soft::fma).
#[inline(always)]
pub fn fma(f: Format, rules: &Rules, a: u64, b: u64, c: u64) -> u64 {
    let (x, y, z) = (operand(f, rules, a), operand(f, rules, b), operand(f, rules, c));
    match f {
        Format::F32 if is_host(rules) => single(rules, binary32::fused(x, y, z)),
        Format::F64 if is_host(rules) && binary64::FUSED => {
            double(rules, binary64::read(x).mul_add(binary64::read(y), binary64::read(z)))
        }
        _ => super::fma(f, rules, a, b, c, Round::Nearest).0,
    }
}

/// The result of [`soft::convert`](crate::soft::convert).
#[inline(always)]
pub fn convert(from: Format, to: Format, rules: &Rules, a: u64) -> u64 {
    let x = operand(from, rules, a);
    match (from, to) {
        (Format::F32, Format::F64) if is_host(rules) => double(rules, binary32::read(x).into()),
        (Format::F64, Format::F32) if is_host(rules) => single(rules, binary64::read(x) as f32),
        _ => super::convert(from, to, rules, a, Round::Nearest).0,
    }
}
