use super::pack::{integral, rounded};
use super::parts::{Number, Operand};
use super::{Format, INEXACT, INVALID, NanInteger, Raised, Round, Rules};
use isa_runtime::U256;

/// A number as an integer of 1 to 64 `bits`, in the low bits of the result. Raises inexact if it is not an integer; and invalid,
/// and nothing else, for NaNs, infinities, and numbers that are out of range after rounding.
#[inline]
pub fn to_integer(f: Format, rules: &Rules, a: u64, bits: u32, signed: bool, round: Round) -> (u64, Raised) {
    let a = Operand::new(f, rules, a);
    let bits = bits.clamp(1, 64);
    let mask = u64::MAX >> (64 - bits);
    let largest = if signed { mask >> 1 } else { mask };
    // The magnitude of the least integer.
    let least = if signed { largest + 1 } else { 0 };
    let indefinite = 1 << (bits - 1);
    if a.is_zero() {
        return (0, 0);
    }
    if a.is_nan(f) {
        return (of_nan(rules, largest, indefinite), INVALID);
    }
    let number = if a.is_infinite(f) { None } else { Some(a.number(f)).filter(|n| n.exponent < 64) };
    let within = number.map(|n| integral(n, round)).filter(|n| n.0 <= if a.negative { least } else { largest });
    match within {
        Some((integer, inexact)) => {
            let integer = if a.negative { integer.wrapping_neg() & mask } else { integer };
            (integer, if inexact { INEXACT } else { 0 })
        }
        // In two's complement, the pattern of the least integer equals its magnitude's.
        None => (beyond(rules, if a.negative { least } else { largest }, indefinite), INVALID),
    }
}

/// [`soft::from_integer`](super::from_integer), by integers.
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

/// [`to_integer`] for integers of 65 to 256 `bits`, in digits of 64 bits, the lowest first.
pub fn to_wide_integer(f: Format, rules: &Rules, a: u64, bits: u32, signed: bool, round: Round) -> ([u64; 4], Raised) {
    let a = Operand::new(f, rules, a);
    let bits = bits.clamp(65, 256);
    let mask = U256::ones(bits);
    let largest = if signed { U256::ones(bits - 1) } else { mask }.limbs();
    let indefinite = U256::bit(bits - 1).limbs();
    if a.is_zero() {
        return ([0; 4], 0);
    }
    if a.is_nan(f) {
        return (of_nan(rules, largest, indefinite), INVALID);
    }
    let within = if a.is_infinite(f) { None } else { Some(a.number(f)) }.and_then(|number| {
        if number.exponent < 64 {
            let (integer, inexact) = integral(number, round);
            return Some((U256::from(integer), inexact));
        }
        let up = (number.exponent - 63).cast_unsigned();
        let least = signed && a.negative && number.exponent.cast_unsigned() == bits - 1 && number.significand == 1 << 63;
        let fits = number.exponent.cast_unsigned() < bits - u32::from(signed);
        (fits || least).then(|| (U256::from(number.significand) << up, false))
    });
    match within.filter(|(integer, _)| signed || !a.negative || integer.is_zero()) {
        Some((integer, inexact)) => (with_sign(integer, a.negative, mask), if inexact { INEXACT } else { 0 }),
        // The pattern of the least integer is the highest bit alone.
        None => {
            let least = if signed { indefinite } else { [0; 4] };
            (beyond(rules, if a.negative { least } else { largest }, indefinite), INVALID)
        }
    }
}

/// [`from_integer`] for integers of up to 256 bits, in digits of 64 bits, the lowest first.
pub fn from_wide_integer(f: Format, rules: &Rules, x: [u64; 4], bits: u32, signed: bool, round: Round) -> (u64, Raised) {
    let bits = bits.clamp(1, 256);
    let top = bits - 1;
    let negative = signed && x[top as usize / 64] >> (top % 64) & 1 != 0;
    let x = with_sign(U256::from_limbs(x), negative, U256::ones(bits));
    let Some(high) = x.iter().rposition(|digit| *digit != 0) else { return (0, 0) };
    let zeros = x[high].leading_zeros();
    let below = if high == 0 { 0 } else { x[high - 1] };
    let both = (u128::from(x[high]) << 64 | u128::from(below)) << zeros;
    let rest = both as u64 != 0 || x[..high.saturating_sub(1)].iter().any(|digit| *digit != 0);
    let exponent = 64 * high as i32 + 63 - zeros as i32;
    rounded(f, rules, Number { negative, exponent, significand: (both >> 64) as u64 | u64::from(rest) }, round)
}

/// The integer that a NaN is converted to.
#[inline]
fn of_nan<T: Default>(rules: &Rules, largest: T, indefinite: T) -> T {
    match rules.nan_integer {
        NanInteger::Zero => T::default(),
        NanInteger::Largest => largest,
        NanInteger::Indefinite => indefinite,
    }
}

/// The integer that a number out of range is converted to.
#[inline]
fn beyond<T>(rules: &Rules, nearest: T, indefinite: T) -> T {
    if rules.beyond_indefinite { indefinite } else { nearest }
}

/// The lower bits of a number, or of its negative.
fn with_sign(x: U256, negative: bool, mask: U256) -> [u64; 4] {
    (if negative { x.wrapping_neg() } else { x } & mask).limbs()
}
