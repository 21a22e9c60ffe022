//! The results of operations by their definition: the exact value first, then its neighbours. It is slow, and has no code, no
//! representation and no trick in common with `isa_sim::soft`.

use crate::big::Big;
use isa_sim::soft::*;
use std::cmp::Ordering;

/// ±`integer` · 2^`scale`, and a little more of the same sign if `more`.
#[derive(Clone, Debug)]
pub(crate) struct Exact {
    pub(crate) negative: bool,
    pub(crate) integer: Big,
    pub(crate) scale: i64,
    pub(crate) more: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    Nan { quiet: bool },
    Infinite { negative: bool },
    Zero { negative: bool },
    Number(Exact),
}

impl Value {
    pub(crate) fn negative(&self) -> bool {
        match self {
            Self::Nan { .. } => false,
            Self::Infinite { negative } | Self::Zero { negative } => *negative,
            Self::Number(x) => x.negative,
        }
    }

    fn is_nan(&self) -> bool {
        matches!(self, Self::Nan { .. })
    }
}

fn emax(f: Format) -> i64 {
    (1 << (f.exponent - 1)) - 1
}

pub(crate) fn value(f: Format, rules: &Rules, bits: u64) -> Value {
    let fraction = bits % (1 << f.fraction);
    let field = (bits >> f.fraction) % (1 << f.exponent);
    let negative = bits >> (f.fraction + f.exponent) & 1 == 1;
    let scale = |field: i64| field - emax(f) - i64::from(f.fraction);
    let number = |integer: u64, scale| Value::Number(Exact { negative, integer: Big::new(integer.into()), scale, more: false });
    if f.finite && bits % (1 << (f.width() - 1)) == (1 << (f.width() - 1)) - 1 {
        return Value::Nan { quiet: true };
    }
    if field == (1 << f.exponent) - 1 && !f.finite {
        return match fraction {
            0 => Value::Infinite { negative },
            _ => Value::Nan { quiet: fraction >> (f.fraction - 1) == 1 },
        };
    }
    match (field, fraction) {
        (0, 0) => Value::Zero { negative },
        (0, _) if rules.flush_inputs => Value::Zero { negative },
        (0, _) => number(fraction, scale(1)),
        _ => number(fraction + (1 << f.fraction), scale(field as i64)),
    }
}

/// The NaN that the rules make.
pub(crate) fn made(f: Format, rules: &Rules) -> u64 {
    let sign = if rules.made_sign { 1 << (f.width() - 1) } else { 0 };
    let all = (1 << (f.exponent + f.fraction)) - 1;
    match rules.made_fraction {
        _ if f.finite => sign + all,
        Fraction::All => sign + all,
        Fraction::High => sign + all - ((1 << (f.fraction - 1)) - 1),
    }
}

/// The magnitude of an infinity, or of the NaN in its place.
fn infinity(f: Format) -> u64 {
    if f.finite { (1 << (f.width() - 1)) - 1 } else { ((1 << f.exponent) - 1) << f.fraction }
}

/// The result if any operand is a NaN.
fn of_nans(f: Format, rules: &Rules, operands: &[u64]) -> Option<(u64, Raised)> {
    let kinds: Vec<_> = operands.iter().map(|x| value(f, rules, *x)).collect();
    let quieted = |i: usize| operands[i] | 1 << (f.fraction - 1);
    let first = kinds.iter().position(Value::is_nan)?;
    let signalling = kinds.iter().position(|k| matches!(k, Value::Nan { quiet: false }));
    let raised = if signalling.is_some() { INVALID } else { 0 };
    let result = match rules.nan {
        NanRule::Made => made(f, rules),
        NanRule::First => quieted(first),
        NanRule::SignallingFirst => quieted(signalling.unwrap_or(first)),
    };
    Some((result, raised))
}

/// The integer next to `exact` / 2^`unit`, in the direction, and whether it is not equal.
fn nearest(exact: &Exact, unit: i64, round: Round) -> (u128, bool) {
    // The lowest bit of the integer that is worth a unit.
    let first = unit - exact.scale;
    let below = exact.integer.bits_from(first);
    let half = exact.integer.bit(first - 1);
    let less = exact.integer.any_below(first - 1) || exact.more;
    let inexact = half || less;
    let up = match round {
        Round::Zero => false,
        Round::Up => inexact && !exact.negative,
        Round::Down => inexact && exact.negative,
        Round::Away => half,
        Round::Nearest => half && (less || below % 2 == 1),
    };
    (below + u128::from(up), inexact)
}

/// A number in a format.
pub(crate) fn rounded(f: Format, rules: &Rules, exact: &Exact, round: Round) -> (u64, Raised) {
    let sign = u64::from(exact.negative) << (f.width() - 1);
    let (least, greatest, digits) = (1 - emax(f), emax(f), i64::from(f.fraction));
    let exponent = exact.integer.len() - 1 + exact.scale;
    let unbounded = nearest(exact, exponent - digits, round);
    let unbounded_exponent = exponent + i64::from(unbounded.0 >> (digits + 1) != 0);
    // Without infinities, exponents extend one further, except for the pattern of all ones.
    let unbounded_count = if unbounded_exponent > exponent { unbounded.0 >> 1 } else { unbounded.0 };
    let last = unbounded_count == (2 << digits) - 1;
    if unbounded_exponent > greatest + i64::from(f.finite) || f.finite && unbounded_exponent > greatest && last {
        let away = matches!(round, Round::Nearest | Round::Away) || round == if exact.negative { Round::Down } else { Round::Up };
        let away = away && !rules.finite_results;
        return (sign + infinity(f) - u64::from(!away), OVERFLOW | INEXACT);
    }
    let tiny = if rules.tiny_before { exponent } else { unbounded_exponent } < least;
    if tiny && rules.flush_results {
        return (sign, if rules.tiny_before { UNDERFLOW } else { UNDERFLOW | INEXACT });
    }
    let unit = exponent.max(least) - digits;
    let (count, inexact) = nearest(exact, unit, round);
    // The number of units as a pattern: subnormal patterns count units, and normal ones begin with 2^digits of them, whatever the
    // unit is.
    let bits = if exponent < least { count as u64 } else { (((exponent - least) as u64) << digits) + count as u64 };
    let flags = if inexact { INEXACT } else { 0 } | if inexact && tiny { UNDERFLOW } else { 0 };
    (sign + bits, flags)
}

pub(crate) fn product(a: &Exact, b: &Exact) -> Exact {
    let integer = Big::new(a.integer.bits_from(0) * b.integer.bits_from(0));
    Exact { negative: a.negative ^ b.negative, integer, scale: a.scale + b.scale, more: false }
}

/// The sum; `None` if it is zero.
pub(crate) fn sum(a: &Exact, b: &Exact) -> Option<Exact> {
    let scale = a.scale.min(b.scale);
    let (x, y) = (a.integer.shl(a.scale - scale), b.integer.shl(b.scale - scale));
    let number = |negative, integer| Some(Exact { negative, integer, scale, more: false });
    if a.negative == b.negative {
        return number(a.negative, x.add(&y));
    }
    match x.order(&y) {
        Ordering::Equal => None,
        Ordering::Greater => number(a.negative, x.sub(&y)),
        Ordering::Less => number(b.negative, y.sub(&x)),
    }
}

/// The quotient to 130 places after the point: at least 68 bits, because divisors have at most 62.
fn quotient(a: &Exact, b: &Exact) -> Exact {
    let divisor = b.integer.bits_from(0);
    let (mut digits, mut rest) = (Big::new(0), 0);
    for i in (-130..a.integer.len()).rev() {
        rest = rest << 1 | u128::from(a.integer.bit(i));
        let digit = rest >= divisor;
        rest -= if digit { divisor } else { 0 };
        digits = digits.shl(1).add(&Big::new(digit.into()));
    }
    Exact { negative: a.negative ^ b.negative, integer: digits, scale: a.scale - b.scale - 130, more: rest != 0 }
}

/// 70 bits of the root, digit by digit.
fn root(a: &Exact) -> Exact {
    // An even scale, such that the root of the integer has 70 bits.
    let more = 140 - a.integer.len();
    let more = more + ((a.scale - more) & 1);
    let radicand = a.integer.shl(more);
    let (mut root, mut rest) = (0u128, 0u128);
    for i in (0..(radicand.len() + 1) / 2).rev() {
        rest = rest << 2 | u128::from(radicand.bit(2 * i + 1)) << 1 | u128::from(radicand.bit(2 * i));
        let digit = rest > root << 2;
        rest -= if digit { root << 2 | 1 } else { 0 };
        root = root << 1 | u128::from(digit);
    }
    Exact { negative: false, integer: Big::new(root), scale: (a.scale - more) / 2, more: rest != 0 }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Sqrt,
    Fma,
}

pub(crate) const OPS: [Op; 6] = [Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Sqrt, Op::Fma];

/// The result before rounding: `Err` if no rounding is needed.
pub(crate) enum Answer {
    Is(u64, Raised),
    Rounded(Exact),
    /// The difference of equal numbers, or the sum of opposite zeros.
    NoDifference,
}

pub(crate) fn operation(op: Op, f: Format, rules: &Rules, [a, b, c]: [u64; 3]) -> Answer {
    use Value::{Infinite, Number, Zero};
    let of = |x| value(f, rules, x);
    let infinity = infinity(f);
    let sign = |negative| u64::from(negative) << (f.width() - 1);
    let invalid = Answer::Is(made(f, rules), INVALID);
    let negated = |x: Value| match x {
        Value::Nan { quiet } => Value::Nan { quiet },
        Infinite { negative } => Infinite { negative: !negative },
        Zero { negative } => Zero { negative: !negative },
        Number(x) => Number(Exact { negative: !x.negative, ..x }),
    };
    let no_product = matches!((of(a), of(b)), (Infinite { .. }, Zero { .. }) | (Zero { .. }, Infinite { .. }));
    let nans = match op {
        Op::Add | Op::Sub | Op::Mul | Op::Div => of_nans(f, rules, &[a, b]),
        Op::Sqrt => of_nans(f, rules, &[a]),
        Op::Fma if no_product && !rules.invalid_product_quiet => match (rules.nan, of(c)) {
            (NanRule::SignallingFirst, Value::Nan { quiet: false }) => of_nans(f, rules, &[c]),
            _ => Some((made(f, rules), INVALID)),
        },
        Op::Fma if rules.nan == NanRule::SignallingFirst => of_nans(f, rules, &[c, a, b]),
        Op::Fma => of_nans(f, rules, &[a, b, c]),
    };
    if let Some((bits, flags)) = nans {
        return Answer::Is(bits, flags);
    }
    let total = |x: Value, y: Value| match (x, y) {
        (Infinite { negative: m }, Infinite { negative: n }) if m != n => Answer::Is(made(f, rules), INVALID),
        (Infinite { negative }, _) | (_, Infinite { negative }) => Answer::Is(sign(negative) + infinity, 0),
        (Zero { negative: m }, Zero { negative: n }) if m == n => Answer::Is(sign(m), 0),
        (Zero { .. }, Zero { .. }) => Answer::NoDifference,
        (Zero { .. }, Number(x)) | (Number(x), Zero { .. }) => Answer::Rounded(x),
        (Number(x), Number(y)) => sum(&x, &y).map_or(Answer::NoDifference, Answer::Rounded),
        _ => unreachable!("NaNs were handled"),
    };
    let opposite = of(a).negative() != of(b).negative();
    let times = |x: Value, y: Value| match (x, y) {
        (Infinite { .. }, Zero { .. }) | (Zero { .. }, Infinite { .. }) => None,
        (Infinite { .. }, _) | (_, Infinite { .. }) => Some(Infinite { negative: opposite }),
        (Zero { .. }, _) | (_, Zero { .. }) => Some(Zero { negative: opposite }),
        (Number(x), Number(y)) => Some(Number(product(&x, &y))),
        _ => unreachable!("NaNs were handled"),
    };
    match op {
        Op::Add => total(of(a), of(b)),
        Op::Sub => total(of(a), negated(of(b))),
        Op::Fma => match times(of(a), of(b)) {
            None => invalid,
            Some(x) => total(x, of(c)),
        },
        Op::Mul => match times(of(a), of(b)) {
            None => invalid,
            Some(Infinite { negative }) => Answer::Is(sign(negative) + infinity, 0),
            Some(Zero { negative }) => Answer::Is(sign(negative), 0),
            Some(Number(x)) => Answer::Rounded(x),
            Some(Value::Nan { .. }) => unreachable!("NaNs were handled"),
        },
        Op::Div => match (of(a), of(b)) {
            (Infinite { .. }, Infinite { .. }) | (Zero { .. }, Zero { .. }) => invalid,
            (Infinite { .. }, _) => Answer::Is(sign(opposite) + infinity, 0),
            (_, Infinite { .. }) | (Zero { .. }, _) => Answer::Is(sign(opposite), 0),
            (_, Zero { .. }) => Answer::Is(sign(opposite) + infinity, DIVISION_BY_ZERO),
            (Number(x), Number(y)) => Answer::Rounded(quotient(&x, &y)),
            _ => unreachable!("NaNs were handled"),
        },
        Op::Sqrt => match of(a) {
            Zero { negative } => Answer::Is(sign(negative), 0),
            x if x.negative() => invalid,
            Number(x) => Answer::Rounded(root(&x)),
            _ => Answer::Is(infinity, 0),
        },
    }
}

impl Answer {
    pub(crate) fn rounded(&self, f: Format, rules: &Rules, round: Round) -> (u64, Raised) {
        match self {
            Self::Is(bits, flags) => (*bits, *flags),
            Self::NoDifference => (u64::from(round == Round::Down) << (f.width() - 1), 0),
            Self::Rounded(exact) => rounded(f, rules, exact, round),
        }
    }
}

pub(crate) fn converted(from: Format, to: Format, rules: &Rules, a: u64, round: Round) -> (u64, Raised) {
    let sign = (a >> (from.width() - 1) & 1) << (to.width() - 1);
    let infinity = infinity(to);
    match value(from, rules, a) {
        Value::Zero { .. } => (sign, 0),
        Value::Infinite { .. } => {
            (sign + infinity - u64::from(rules.finite_results), u32::from(to.finite || rules.finite_results))
        }
        Value::Number(x) => rounded(to, rules, &x, round),
        Value::Nan { quiet } => {
            // The fraction as a number between 0 and 1, whose first digit is 1.
            let fraction = u128::from(a % (1 << from.fraction)) << to.fraction >> from.fraction;
            let kept = sign + infinity + if to.finite { 0 } else { fraction as u64 | 1 << (to.fraction - 1) };
            let result = if rules.nan == NanRule::Made { made(to, rules) } else { kept };
            (result, if quiet { 0 } else { INVALID })
        }
    }
}

pub(crate) fn to_integer(f: Format, rules: &Rules, a: u64, bits: u32, signed: bool, round: Round) -> (u64, Raised) {
    let top = 1i128 << bits;
    let (least, largest) = if signed { (-top / 2, top / 2 - 1) } else { (0, top - 1) };
    let beyond = |negative| {
        let nearest = if negative { least } else { largest };
        (if !rules.beyond_indefinite { nearest } else { top / 2 }, INVALID)
    };
    let (integer, flags) = match value(f, rules, a) {
        Value::Zero { .. } => (0, 0),
        Value::Infinite { negative } => beyond(negative),
        Value::Nan { .. } => match rules.nan_integer {
            NanInteger::Zero => (0, INVALID),
            NanInteger::Largest => (largest, INVALID),
            NanInteger::Indefinite => (top / 2, INVALID),
        },
        Value::Number(x) if x.integer.len() + x.scale > 66 => beyond(x.negative),
        Value::Number(x) => {
            let (magnitude, inexact) = nearest(&x, 0, round);
            let integer = if x.negative { -(magnitude as i128) } else { magnitude as i128 };
            if (least..=largest).contains(&integer) { (integer, if inexact { INEXACT } else { 0 }) } else { beyond(x.negative) }
        }
    };
    (integer.rem_euclid(top) as u64, flags)
}

pub(crate) fn from_integer(f: Format, rules: &Rules, x: u64, bits: u32, signed: bool, round: Round) -> (u64, Raised) {
    let top = 1i128 << bits;
    let x = i128::from(x).rem_euclid(top);
    let x = if signed && x >= top / 2 { x - top } else { x };
    if x == 0 {
        return (0, 0);
    }
    let exact = Exact { negative: x < 0, integer: Big::new(x.unsigned_abs()), scale: 0, more: false };
    rounded(f, rules, &exact, round)
}

pub(crate) fn round_to_integer(f: Format, rules: &Rules, a: u64, round: Round) -> (u64, Raised) {
    let sign = a & 1 << (f.width() - 1);
    match value(f, rules, a) {
        Value::Nan { .. } => of_nans(f, rules, &[a]).expect("it is a NaN"),
        Value::Infinite { .. } => (a, 0),
        Value::Zero { .. } => (sign, 0),
        Value::Number(x) if x.scale >= 0 => (a, 0),
        Value::Number(x) => {
            let (magnitude, inexact) = nearest(&x, 0, round);
            let flags = if inexact { INEXACT } else { 0 };
            if magnitude == 0 {
                return (sign, flags);
            }
            let exact = Exact { integer: Big::new(magnitude), scale: 0, ..x };
            let (bits, more) = rounded(f, rules, &exact, round);
            (bits, flags | more)
        }
    }
}

pub(crate) fn order(f: Format, rules: &Rules, a: u64, b: u64) -> Option<Ordering> {
    let whole = |x: Value| match x {
        Value::Number(x) => Some(x),
        _ => None,
    };
    let side = |x: &Value| if x.negative() { Ordering::Less } else { Ordering::Greater };
    match (value(f, rules, a), value(f, rules, b)) {
        (Value::Nan { .. }, _) | (_, Value::Nan { .. }) => None,
        (Value::Infinite { negative: m }, Value::Infinite { negative: n }) if m == n => Some(Ordering::Equal),
        (x @ Value::Infinite { .. }, _) => Some(side(&x)),
        (_, y @ Value::Infinite { .. }) => Some(side(&y).reverse()),
        (Value::Zero { .. }, Value::Zero { .. }) => Some(Ordering::Equal),
        (x @ Value::Number(_), Value::Zero { .. }) => Some(side(&x)),
        (Value::Zero { .. }, y) => Some(side(&y).reverse()),
        (x, y) => {
            let (x, mut y) = (whole(x)?, whole(y)?);
            y.negative = !y.negative;
            Some(sum(&x, &y).map_or(Ordering::Equal, |d| side(&Value::Number(d))))
        }
    }
}
