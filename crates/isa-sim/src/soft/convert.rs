use super::nan::{made, quieted, signalled};
use super::pack::{integral, rounded};
use super::parts::{Number, Operand};
use super::{Format, INEXACT, NanRule, Raised, Round, Rules};

/// [`soft::convert`](super::convert), by integers.
#[inline]
pub fn convert(from: Format, to: Format, rules: &Rules, a: u64, round: Round) -> (u64, Raised) {
    let a = Operand::new(from, rules, a);
    if a.is_common(from) {
        return rounded(to, rules, a.number(from), round);
    }
    if a.is_nan(from) {
        let nan = if rules.nan == NanRule::Made { made(to, rules) } else { quieted(from, to, a) };
        return (nan, signalled(from, &[a]));
    }
    if a.is_zero() {
        return (to.signed(a.negative, 0), 0);
    }
    let bits = if rules.finite_results { to.signed(a.negative, to.greatest()) } else { to.infinite(a.negative) };
    (bits, if rules.finite_results || to.finite { INEXACT } else { 0 })
}

/// The nearest integer in the direction of rounding, as a number of the same format and sign. Raises inexact if that is another
/// number, and invalid for signalling NaNs.
#[inline]
pub fn round_to_integer(f: Format, rules: &Rules, a: u64, round: Round) -> (u64, Raised) {
    let a = Operand::new(f, rules, a);
    if a.is_nan(f) {
        return super::nan::chosen(f, rules, &[a]);
    }
    // The last place of greater numbers is 1 or more.
    if !a.is_common(f) || a.number(f).exponent >= f.fraction as i32 {
        return (a.bits(f), 0);
    }
    let (integer, inexact) = integral(a.number(f), round);
    let flags = if inexact { INEXACT } else { 0 };
    if integer == 0 {
        return (f.signed(a.negative, 0), flags);
    }
    let zeros = integer.leading_zeros();
    let number = Number { negative: a.negative, exponent: 63 - zeros as i32, significand: integer << zeros };
    // This is inexact only in formats with a small exponent and a long fraction.
    let (bits, more) = rounded(f, rules, number, round);
    (bits, flags | more)
}
