use super::nan::{chosen, signalled};
use super::parts::Operand;
use super::{Format, INVALID, MinKind, Raised, Rules};

/// The result of [`compare`] for `a < b`.
pub const LESS: u32 = 1;
/// The result of [`compare`] for `a = b`.
pub const EQUAL: u32 = 1 << 1;
/// The result of [`compare`] for `a > b`.
pub const GREATER: u32 = 1 << 2;
/// The result of [`compare`] for a NaN and anything.
pub const UNORDERED: u32 = 1 << 3;

/// One of [`LESS`], [`EQUAL`], [`GREATER`], [`UNORDERED`]; -0 equals +0. Raises invalid for signalling NaNs, and for quiet ones
/// if the comparison is `signalling`.
#[inline]
pub fn compare(f: Format, rules: &Rules, a: u64, b: u64, signalling: bool) -> (u32, Raised) {
    let (a, b) = (Operand::new(f, rules, a), Operand::new(f, rules, b));
    if a.is_nan(f) || b.is_nan(f) {
        return (UNORDERED, if signalling { INVALID } else { signalled(f, &[a, b]) });
    }
    let order = if a.is_zero() && b.is_zero() { EQUAL } else { 1 << (rank(a).cmp(&rank(b)) as i8 + 1) };
    (order, 0)
}

/// The lesser of two numbers. Raises the flags of its [`MinKind`].
#[inline]
pub fn min(f: Format, rules: &Rules, kind: MinKind, a: u64, b: u64) -> (u64, Raised) {
    extreme(f, rules, kind, a, b, |a, b| rank(a) < rank(b))
}

/// The greater of two numbers. Raises the flags of its [`MinKind`].
#[inline]
pub fn max(f: Format, rules: &Rules, kind: MinKind, a: u64, b: u64) -> (u64, Raised) {
    extreme(f, rules, kind, a, b, |a, b| rank(a) > rank(b))
}

#[inline]
fn extreme(f: Format, rules: &Rules, kind: MinKind, a: u64, b: u64, before: impl Fn(Operand, Operand) -> bool) -> (u64, Raised) {
    let (a, b) = (Operand::new(f, rules, a), Operand::new(f, rules, b));
    if a.is_nan(f) || b.is_nan(f) {
        return match kind {
            MinKind::Number if !a.is_nan(f) => (a.bits(f), signalled(f, &[b])),
            MinKind::Number if !b.is_nan(f) => (b.bits(f), signalled(f, &[a])),
            MinKind::Number | MinKind::Nan => chosen(f, rules, &[a, b]),
            MinKind::Second => (b.bits(f), INVALID),
        };
    }
    let zeros = kind == MinKind::Second && a.is_zero() && b.is_zero();
    (if before(a, b) && !zeros { a } else { b }.bits(f), 0)
}

/// An order-preserving integer for an operand, with -0 below +0.
#[inline]
fn rank(a: Operand) -> i64 {
    if a.negative { !(a.magnitude as i64) } else { a.magnitude as i64 }
}

/// The class of a pattern, as RISC-V's `FCLASS` gives it: one of bits 0 (-∞), 1 (normal, negative), 2 (subnormal, negative), 3
/// (-0), 4 (+0), 5 (subnormal), 6 (normal), 7 (+∞), 8 (signalling NaN), 9 (quiet NaN). Raises nothing.
#[inline]
pub fn classify(f: Format, a: u64) -> u32 {
    let negative = a & f.sign() != 0;
    let a = Operand { negative, magnitude: a & (f.sign() - 1) };
    if a.is_nan(f) {
        return if a.is_signalling(f) { 1 << 8 } else { 1 << 9 };
    }
    let size = match a.magnitude {
        0 => 0,
        m if m < f.least_normal() => 1,
        m if m <= f.greatest() => 2,
        _ => 3,
    };
    1 << if negative { 3 - size } else { 4 + size }
}

/// A subnormal pattern as a zero of its sign, all others unchanged.
#[inline]
pub fn flush(f: Format, a: u64) -> u64 {
    if a & f.infinity() == 0 { a & f.sign() } else { a & (f.sign() << 1).wrapping_sub(1) }
}
