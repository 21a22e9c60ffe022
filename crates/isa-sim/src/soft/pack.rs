use super::parts::Number;
use super::{Format, INEXACT, OVERFLOW, Raised, Round, Rules, UNDERFLOW};

/// The pattern of a number, rounded.
#[inline]
pub(super) fn rounded(f: Format, rules: &Rules, number: Number, round: Round) -> (u64, Raised) {
    let Number { negative, exponent, significand } = number;
    let drop = 63 - f.fraction;
    let field = exponent + f.bias();
    // The greatest exponents may overflow by rounding; all others are normal numbers.
    if field <= 0 || field > 2 * f.bias() - 1 {
        return bordering(f, rules, number, round);
    }
    let (kept, rest) = cut(significand, drop, negative, round);
    // The leading one adds 1 to an exponent that is 1 too small; so does a carry.
    let magnitude = (((field - 1) as u64) << f.fraction) + kept;
    (f.signed(negative, magnitude), u32::from(rest))
}

/// A significand without its `drop` (1 to 64) last bits, rounded, and whether that changed it.
#[inline]
fn cut(significand: u64, drop: u32, negative: bool, round: Round) -> (u64, bool) {
    // 2^`drop` may be 2^64.
    let half = 1 << (drop - 1);
    let (kept, rest) = (significand.checked_shr(drop).unwrap_or(0), significand & ((half - 1) << 1 | 1));
    (kept + u64::from(outwards(round, negative, kept & 1 != 0, rest, half)), rest != 0)
}

/// Returns true if a number is rounded away from zero: the last kept digit is `odd`, and `rest` (not 0 if it is inexact) is
/// compared with `half` of that digit's unit.
#[inline]
const fn outwards(round: Round, negative: bool, odd: bool, rest: u64, half: u64) -> bool {
    match round {
        // Without a branch, which would be unpredictable.
        Round::Nearest => rest + odd as u64 > half,
        Round::Zero => false,
        Round::Down => negative && rest != 0,
        Round::Up => !negative && rest != 0,
        Round::Away => rest >= half,
    }
}

/// The nearest integer to a number's magnitude in the direction, for an exponent below 64; and whether it differs.
#[inline]
pub(super) fn integral(number: Number, round: Round) -> (u64, bool) {
    let Number { negative, exponent, significand } = number;
    match 63 - exponent {
        0 => (significand, false),
        drop @ 1..=64 => cut(significand, drop as u32, negative, round),
        _ => cut(1, 64, negative, round),
    }
}

/// [`rounded`] for numbers that may overflow, and for those that are less than the least normal number.
fn bordering(f: Format, rules: &Rules, number: Number, round: Round) -> (u64, Raised) {
    let Number { negative, exponent, significand } = number;
    let drop = 63 - f.fraction;
    let field = exponent + f.bias();
    let (normal, inexact) = cut(significand, drop, negative, round);
    if field > 0 {
        // Exponents that are far too large must not reach the sign bit.
        let magnitude = ((field.min(2 * f.bias() + 2) - 1) as u64) << f.fraction;
        if magnitude + normal > f.greatest() {
            return overflow(f, rules, negative, round);
        }
        return (f.signed(negative, magnitude + normal), u32::from(inexact));
    }
    let tiny = rules.tiny_before || field < 0 || normal != f.least_normal() << 1;
    if tiny && rules.flush_results {
        let flags = if rules.tiny_before { UNDERFLOW } else { UNDERFLOW | INEXACT };
        return (f.signed(negative, 0), flags);
    }
    // Bits more than 64 places too low are equivalent to one just below the least.
    let more = (1 - field) as u32;
    let (significand, drop) = if drop + more <= 64 { (significand, drop + more) } else { (1, 64) };
    let (magnitude, inexact) = cut(significand, drop, negative, round);
    let flags = if !inexact {
        0
    } else if tiny {
        INEXACT | UNDERFLOW
    } else {
        INEXACT
    };
    (f.signed(negative, magnitude), flags)
}

/// The greatest number or an infinity, depending on the direction.
fn overflow(f: Format, rules: &Rules, negative: bool, round: Round) -> (u64, Raised) {
    let infinite = match round {
        _ if rules.finite_results => false,
        Round::Nearest | Round::Away => true,
        Round::Zero => false,
        Round::Down => negative,
        Round::Up => !negative,
    };
    let bits = if infinite { f.infinite(negative) } else { f.signed(negative, f.greatest()) };
    (bits, OVERFLOW | INEXACT)
}
