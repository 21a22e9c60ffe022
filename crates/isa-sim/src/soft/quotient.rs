use super::nan::{chosen, invalid};
use super::pack::rounded;
use super::parts::{Number, Operand};
use super::{DIVISION_BY_ZERO, Format, Raised, Round, Rules};

/// The widest fraction for which quotients and roots of 64 bits are long enough: 32 bits of them are certain.
const NARROW: u32 = 29;

/// [`soft::div`](super::div), by integers.
#[inline]
pub fn div(f: Format, rules: &Rules, a: u64, b: u64, round: Round) -> (u64, Raised) {
    let (a, b) = (Operand::new(f, rules, a), Operand::new(f, rules, b));
    if a.is_common(f) && b.is_common(f) {
        return rounded(f, rules, quotient(f, a.number(f), b.number(f)), round);
    }
    if a.is_nan(f) || b.is_nan(f) {
        return chosen(f, rules, &[a, b]);
    }
    if a.is_infinite(f) && b.is_infinite(f) || a.is_zero() && b.is_zero() {
        return invalid(f, rules);
    }
    let negative = a.negative != b.negative;
    if a.is_infinite(f) {
        return (f.infinite(negative), 0);
    }
    if b.is_zero() {
        return (f.infinite(negative), DIVISION_BY_ZERO);
    }
    (f.signed(negative, 0), 0)
}

#[inline]
fn quotient(f: Format, a: Number, b: Number) -> Number {
    // Between 2^31 and 2^33, or between 2^62 and 2^64.
    let (places, quotient, rest) = if f.fraction <= NARROW {
        let (a, b) = (a.significand, b.significand >> 32);
        (32, a / b, a % b != 0)
    } else {
        let (a, b) = (u128::from(a.significand) << 63, u128::from(b.significand));
        let quotient = a / b;
        (63, quotient as u64, quotient * b != a)
    };
    let zeros = quotient.leading_zeros();
    let exponent = a.exponent - b.exponent + 63 - places - zeros as i32;
    Number { negative: a.negative != b.negative, exponent, significand: quotient << zeros | u64::from(rest) }
}

/// [`soft::sqrt`](super::sqrt), by integers.
#[inline]
pub fn sqrt(f: Format, rules: &Rules, a: u64, round: Round) -> (u64, Raised) {
    let a = Operand::new(f, rules, a);
    if a.is_nan(f) {
        return chosen(f, rules, &[a]);
    }
    if a.is_zero() {
        return (a.bits(f), 0);
    }
    if a.negative {
        return invalid(f, rules);
    }
    if a.is_infinite(f) {
        return (a.bits(f), 0);
    }
    rounded(f, rules, root(f, a.number(f)), round)
}

#[inline]
fn root(f: Format, x: Number) -> Number {
    // The exponent of the radicand is even; its root has 32 or 64 bits.
    let odd = (x.exponent & 1) as u32;
    let (root, rest) = if f.fraction <= NARROW {
        let radicand = x.significand >> (1 - odd);
        let root = radicand.isqrt();
        (root << 32, root * root != radicand)
    } else {
        let radicand = u128::from(x.significand) << (63 + odd);
        let root = radicand.isqrt();
        (root as u64, root * root != radicand)
    };
    Number { negative: false, exponent: x.exponent >> 1, significand: root | u64::from(rest) }
}
