//! The functions that machines approximate. The others are compared with a second implementation in `isa-spec`.

use super::*;
use std::collections::HashSet;

type Function = fn(u32, bool, bool) -> u32;

/// A function: its name, its implementation, and its computation in 64 bits.
type Case = (&'static str, Function, fn(f64) -> f64);

const FUNCTIONS: [Case; 9] = [
    ("rcp", rcp, |x| 1.0 / x),
    ("rsq", rsq, |x| 1.0 / x.sqrt()),
    ("sin", sin, libm::sin),
    ("cos", cos, libm::cos),
    ("ex2", ex2, libm::exp2),
    ("lg2", lg2, libm::log2),
    ("sinpi", sinpi, sine_of_half_turns),
    ("cospi", cospi, cosine_of_half_turns),
    ("tanh", tanh, libm::tanh),
];

/// Function, argument and value, computed by `functions.py`.
fn table() -> Vec<(&'static str, u32, u32)> {
    let lines = include_str!("functions.tsv").lines().filter(|l| !l.starts_with('#'));
    let bits = |text: &str| u32::from_str_radix(text, 16).expect("a hexadecimal number");
    lines
        .map(|line| {
            let mut columns = line.split('\t');
            let mut column = || columns.next().expect("three columns");
            (column(), bits(column()), bits(column()))
        })
        .collect()
}

#[test]
fn values_are_the_nearest() {
    for (name, argument, value) in table() {
        let function = FUNCTIONS.iter().find(|f| f.0 == name).expect("a function").1;
        assert_eq!(function(argument, false, false), value, "{name} of {argument:#x}");
        let zero = |a: u32| if a & INFINITY == 0 { a & SIGN } else { a };
        let flushed = zero(function(zero(argument), false, false));
        assert_eq!(function(argument, true, false), flushed, "{name} of {argument:#x} with `ftz`");
        assert_eq!(function(argument, false, true), fsat(value), "{name} of {argument:#x} with `sat`");
    }
}

/// True if a number is at most four of its own last places from the middle of two floats.
fn is_near_a_middle(v: f64) -> bool {
    let (exponent, fraction) = ((v.to_bits() >> 52 & 0x7ff) as i32 - 1023, v.to_bits() & ((1 << 52) - 1));
    // Floats below 2⁻¹²⁶ have fewer places.
    let dropped = 29 + (-126 - exponent).max(0);
    let rest = (fraction | 1 << 52) & 1u64.checked_shl(dropped as u32).map_or(u64::MAX, |p| p - 1);
    v.is_finite() && v != 0.0 && dropped < 55 && rest.abs_diff(1 << (dropped - 1)) <= 4
}

/// 64 bits show the nearest float for all arguments but those of the table: `libm` is at most one last place wrong.
#[test]
#[ignore = "all 2³² arguments of all functions: some minutes, with --release"]
fn arguments_in_doubt_are_in_the_table() {
    let known: HashSet<(&str, u32)> = table().into_iter().map(|(name, argument, _)| (name, argument)).collect();
    for (name, _, function) in FUNCTIONS {
        for argument in 0..=u32::MAX {
            if is_near_a_middle(function(f64::from(f32::from_bits(argument)))) {
                assert!(known.contains(&(name, argument)), "{name} of {argument:#x}");
            }
        }
    }
}
