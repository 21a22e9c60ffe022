//! Integer implementations, compiled once for each format of the host.

use crate::soft::{Format, Raised, Round, Rules, by_integers};

macro_rules! functions {
    ($module:ident, $format:expr, $($name:ident($($x:ident),+);)+) => {
        pub(super) mod $module {
            use super::*;

            $(
                #[cold]
                #[inline(never)]
                pub(in super::super) fn $name(rules: &Rules, $($x: u64,)+ round: Round) -> (u64, Raised) {
                    by_integers::$name($format, rules, $($x,)+ round)
                }
            )+

            #[cold]
            #[inline(never)]
            pub(in super::super) fn from_integer(rules: &Rules, x: u64, bits: u32, signed: bool, round: Round) -> (u64, Raised) {
                by_integers::from_integer($format, rules, x, bits, signed, round)
            }
        }
    };
}

functions!(binary32, Format::F32, add(a, b); sub(a, b); mul(a, b); div(a, b); sqrt(a); fma(a, b, c););
functions!(binary64, Format::F64, add(a, b); sub(a, b); mul(a, b); div(a, b); sqrt(a); fma(a, b, c););

#[cold]
#[inline(never)]
pub(super) fn widened(rules: &Rules, a: u64, round: Round) -> (u64, Raised) {
    by_integers::convert(Format::F32, Format::F64, rules, a, round)
}

#[cold]
#[inline(never)]
pub(super) fn narrowed(rules: &Rules, a: u64, round: Round) -> (u64, Raised) {
    by_integers::convert(Format::F64, Format::F32, rules, a, round)
}
