use super::pack::{integral, rounded};
use super::parts::{Number, Operand};
use super::{Beyond, Format, INEXACT, INVALID, OfNan, Raised, Round, Rules};

/// A number as an integer of 1 to 64 `bits`, in the low bits of the result. Raises inexact if it is not an integer; and invalid, and
/// nothing else, for NaNs, infinities, and numbers that are out of range after rounding.
#[inline]
pub fn to_integer(f: Format, rules: &Rules, a: u64, bits: u32, signed: bool, round: Round) -> (u64, Raised) {
    let a = Operand::new(f, rules, a);
    let bits = bits.clamp(1, 64);
    let mask = u64::MAX >> (64 - bits);
    let largest = if signed { mask >> 1 } else { mask };
    // The magnitude of the least one.
    let least = if signed { largest + 1 } else { 0 };
    let indefinite = 1 << (bits - 1);
    if a.is_zero() {
        return (0, 0);
    }
    if a.is_nan(f) {
        let integer = match rules.nan_integer {
            OfNan::Zero => 0,
            OfNan::Largest => largest,
            OfNan::Indefinite => indefinite,
        };
        return (integer, INVALID);
    }
    let number = if a.is_infinite(f) { None } else { Some(a.number(f)).filter(|n| n.exponent < 64) };
    let within = number.map(|n| integral(n, round)).filter(|n| n.0 <= if a.negative { least } else { largest });
    match within {
        Some((integer, inexact)) => {
            let integer = if a.negative { integer.wrapping_neg() & mask } else { integer };
            (integer, if inexact { INEXACT } else { 0 })
        }
        None => {
            let integer = match rules.beyond {
                Beyond::Indefinite => indefinite,
                // Of two's complement: the pattern of the least is its magnitude's.
                Beyond::Nearest if a.negative => least,
                Beyond::Nearest => largest,
            };
            (integer, INVALID)
        }
    }
}

/// An integer in the low `bits` (1 to 64) of `x` as a number, rounded once; 0 is +0. Raises inexact, and overflow if it is too large
/// for the format.
#[inline]
pub fn from_integer(f: Format, rules: &Rules, x: u64, bits: u32, signed: bool, round: Round) -> (u64, Raised) {
    let unused = 64 - bits.clamp(1, 64);
    let negative = signed && (x << unused) as i64 <= -1;
    let x = if negative { (((x << unused) as i64) >> unused).unsigned_abs() } else { x << unused >> unused };
    if x == 0 {
        return (0, 0);
    }
    let zeros = x.leading_zeros();
    rounded(f, rules, Number { negative, exponent: 63 - zeros as i32, significand: x << zeros }, round)
}
