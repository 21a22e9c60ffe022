use super::nan::{chosen, invalid, made};
use super::pack::rounded;
use super::parts::{Number, Operand, shifted, short_shifted};
use super::{Format, INVALID, NanRule, Raised, Round, Rules};
use std::hint::select_unpredictable;

/// [`soft::add`](super::add), by integers.
#[inline]
pub fn add(f: Format, rules: &Rules, a: u64, b: u64, round: Round) -> (u64, Raised) {
    total(f, rules, Operand::new(f, rules, a), Operand::new(f, rules, b), false, round)
}

/// [`soft::sub`](super::sub), by integers.
#[inline]
pub fn sub(f: Format, rules: &Rules, a: u64, b: u64, round: Round) -> (u64, Raised) {
    total(f, rules, Operand::new(f, rules, a), Operand::new(f, rules, b), true, round)
}

/// [`soft::mul`](super::mul), by integers.
#[inline]
pub fn mul(f: Format, rules: &Rules, a: u64, b: u64, round: Round) -> (u64, Raised) {
    let (a, b) = (Operand::new(f, rules, a), Operand::new(f, rules, b));
    if a.is_common(f) && b.is_common(f) {
        let product = Wide::product(a.number(f), b.number(f));
        return rounded(f, rules, product.number(), round);
    }
    if a.is_nan(f) || b.is_nan(f) {
        return chosen(f, rules, &[a, b]);
    }
    let negative = a.negative != b.negative;
    match (a.is_infinite(f) || b.is_infinite(f), a.is_zero() || b.is_zero()) {
        (true, true) => invalid(f, rules),
        (true, false) => (f.infinite(negative), 0),
        (false, _) => (f.signed(negative, 0), 0),
    }
}

/// [`soft::fma`](super::fma), by integers.
#[inline]
pub fn fma(f: Format, rules: &Rules, a: u64, b: u64, c: u64, round: Round) -> (u64, Raised) {
    let (a, b, c) = (Operand::new(f, rules, a), Operand::new(f, rules, b), Operand::new(f, rules, c));
    if !(a.is_common(f) && b.is_common(f) && c.is_common(f)) {
        return uncommon_fma(f, rules, [a, b, c], round);
    }
    let (a, b, c) = (a.number(f), b.number(f), c.number(f));
    if f.fraction <= 29 {
        let product = (a.significand >> 32) * (b.significand >> 32);
        let zeros = product.leading_zeros();
        let exponent = a.exponent + b.exponent + 1 - zeros as i32;
        let product = Number { negative: a.negative != b.negative, exponent, significand: product << zeros };
        return short_sum(f, rules, product, c, round);
    }
    sum(f, rules, Wide::product(a, b), Wide::new(c), round)
}

fn uncommon_fma(f: Format, rules: &Rules, [a, b, c]: [Operand; 3], round: Round) -> (u64, Raised) {
    let no_product = a.is_infinite(f) && b.is_zero() || a.is_zero() && b.is_infinite(f);
    if no_product && (!c.is_nan(f) || !rules.invalid_product_quiet) {
        // A signalling NaN comes first only under rules where signalling NaNs come first.
        let of_c = rules.nan == NanRule::SignallingFirst && c.is_signalling(f);
        return (if of_c { c.bits(f) | f.quiet() } else { made(f, rules) }, INVALID);
    }
    if a.is_nan(f) || b.is_nan(f) || c.is_nan(f) {
        let order = if rules.nan == NanRule::SignallingFirst { [c, a, b] } else { [a, b, c] };
        return chosen(f, rules, &order);
    }
    let negative = a.negative != b.negative;
    if a.is_infinite(f) || b.is_infinite(f) {
        let opposite = c.is_infinite(f) && c.negative != negative;
        return if opposite { invalid(f, rules) } else { (f.infinite(negative), 0) };
    }
    if c.is_infinite(f) {
        return (c.bits(f), 0);
    }
    if a.is_zero() || b.is_zero() {
        return total(f, rules, Operand { negative, magnitude: 0 }, c, false, round);
    }
    // All are finite and the product is not zero, so `c` is.
    rounded(f, rules, Wide::product(a.number(f), b.number(f)).number(), round)
}

#[inline]
fn total(f: Format, rules: &Rules, a: Operand, b: Operand, minus: bool, round: Round) -> (u64, Raised) {
    if !(a.is_common(f) && b.is_common(f)) {
        return uncommon_total(f, rules, a, b, minus, round);
    }
    let (a, b) = (a.number(f), b.number(f));
    let b = Number { negative: b.negative != minus, ..b };
    if f.fraction <= 58 { short_sum(f, rules, a, b, round) } else { sum(f, rules, Wide::new(a), Wide::new(b), round) }
}

fn uncommon_total(f: Format, rules: &Rules, a: Operand, b: Operand, minus: bool, round: Round) -> (u64, Raised) {
    if a.is_nan(f) || b.is_nan(f) {
        return chosen(f, rules, &[a, b]);
    }
    let b = Operand { negative: b.negative != minus, ..b };
    if a.is_infinite(f) || b.is_infinite(f) {
        let opposite = a.is_infinite(f) && b.is_infinite(f) && a.negative != b.negative;
        let one = if a.is_infinite(f) { a } else { b };
        return if opposite { invalid(f, rules) } else { (one.bits(f), 0) };
    }
    match (a.is_zero(), b.is_zero()) {
        (true, true) if a.negative == b.negative => (a.bits(f), 0),
        (true, true) => (f.signed(round == Round::Down, 0), 0),
        // It may be tiny, and is then flushed.
        (true, false) => rounded(f, rules, b.number(f), round),
        (false, _) => rounded(f, rules, a.number(f), round),
    }
}

/// A number whose significand has room for the product of two: `significand` · 2^(`exponent` - 126).
#[derive(Clone, Copy)]
struct Wide {
    negative: bool,
    exponent: i32,
    /// Its highest bit is clear, the next is set.
    significand: u128,
}

impl Wide {
    #[inline]
    fn new(x: Number) -> Self {
        Self { negative: x.negative, exponent: x.exponent, significand: u128::from(x.significand) << 63 }
    }

    /// The product; no bit is lost, because significands have at least two zeros at their ends.
    #[inline]
    fn product(a: Number, b: Number) -> Self {
        let product = u128::from(a.significand) * u128::from(b.significand);
        let carry = (product >> 127) as u32;
        let exponent = a.exponent + b.exponent + carry as i32;
        Self { negative: a.negative != b.negative, exponent, significand: product >> carry }
    }

    #[inline]
    fn number(self) -> Number {
        let Self { negative, exponent, significand } = self;
        let rest = u64::from(significand << 65 != 0);
        Number { negative, exponent, significand: (significand >> 63) as u64 | rest }
    }
}

/// The sum of two numbers, rounded.
#[inline]
fn sum(f: Format, rules: &Rules, a: Wide, b: Wide, round: Round) -> (u64, Raised) {
    // Either order and either sign is equally likely: branches would be mispredicted.
    let swap = (b.exponent, b.significand) > (a.exponent, a.significand);
    let (high, low) = select_unpredictable(swap, (b.significand, a.significand), (a.significand, b.significand));
    // Bits are lost only from numbers that are 4 or more places lower: the difference is then at most one place lower than
    // `high`.
    let low = shifted(low, a.exponent.abs_diff(b.exponent));
    let opposite = a.negative != b.negative;
    let significand = select_unpredictable(opposite, high - low, high + low);
    if significand == 0 {
        return (f.signed(round == Round::Down, 0), 0);
    }
    let negative = select_unpredictable(swap, b.negative, a.negative);
    rounded(f, rules, Number::of_wide(negative, a.exponent.max(b.exponent) + 1, significand), round)
}

/// [`sum`] in 64 bits, for significands whose last 4 bits are zeros.
#[inline]
fn short_sum(f: Format, rules: &Rules, a: Number, b: Number, round: Round) -> (u64, Raised) {
    let swap = (b.exponent, b.significand) > (a.exponent, a.significand);
    let (high, low) =
        select_unpredictable(swap, (b.significand >> 1, a.significand >> 1), (a.significand >> 1, b.significand >> 1));
    let low = short_shifted(low, a.exponent.abs_diff(b.exponent));
    let opposite = a.negative != b.negative;
    let significand = select_unpredictable(opposite, high - low, high + low);
    if significand == 0 {
        return (f.signed(round == Round::Down, 0), 0);
    }
    let zeros = significand.leading_zeros();
    let exponent = a.exponent.max(b.exponent) + 1 - zeros as i32;
    let negative = select_unpredictable(swap, b.negative, a.negative);
    rounded(f, rules, Number { negative, exponent, significand: significand << zeros }, round)
}
