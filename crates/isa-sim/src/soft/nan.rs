use super::parts::Operand;
use super::{Format, Fraction, INVALID, NanRule, Raised, Rules};

/// The NaN that the rules make.
#[inline]
pub(super) fn made(f: Format, rules: &Rules) -> u64 {
    if f.finite {
        return f.infinite(rules.made_sign);
    }
    let fraction = match rules.made_fraction {
        Fraction::High => f.quiet(),
        Fraction::All => f.least_normal() - 1,
    };
    f.signed(rules.made_sign, f.infinity() | fraction)
}

/// The result of an operation without a value.
#[inline]
pub(super) fn invalid(f: Format, rules: &Rules) -> (u64, Raised) {
    (made(f, rules), INVALID)
}

/// A NaN that is kept, quiet, in another format: with the high bits of its fraction.
#[inline]
pub(super) fn quieted(from: Format, to: Format, nan: Operand) -> u64 {
    if to.finite {
        return to.infinite(nan.negative);
    }
    let fraction = nan.magnitude << (64 - from.fraction) >> (64 - to.fraction);
    to.signed(nan.negative, to.infinity() | to.quiet() | fraction)
}

/// [`INVALID`] if any operand is a signalling NaN.
#[inline]
pub(super) fn signalled(f: Format, operands: &[Operand]) -> Raised {
    if operands.iter().any(|o| o.is_signalling(f)) { INVALID } else { 0 }
}

/// The result of an operation on operands of which at least one is a NaN.
#[inline]
pub(super) fn chosen(f: Format, rules: &Rules, operands: &[Operand]) -> (u64, Raised) {
    let first = || operands.iter().find(|o| o.is_nan(f));
    let nan = match rules.nan {
        NanRule::Made => None,
        NanRule::First => first(),
        NanRule::SignallingFirst => operands.iter().find(|o| o.is_signalling(f)).or_else(first),
    };
    (nan.map_or(made(f, rules), |nan| quieted(f, f, *nan)), signalled(f, operands))
}
