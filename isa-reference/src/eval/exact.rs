//! Floats by the rules of a machine, with the flags that they raise: `rustc_apfloat` computes numbers, NaNs and what is tiny are
//! decided here. Nothing of this is shared with what generated code links to.

use super::arith::{negated, ones};
use isa_spec::semantics::builtins::Function;
use isa_spec::semantics::floats::{Exact, Floats, Fraction, MinKind, NanInteger, NanRule};
use isa_spec::semantics::int::Int;
use rustc_apfloat::ieee::{Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round, Status, StatusAnd};
use std::cmp::Ordering;

const INEXACT: u32 = 1;
const UNDERFLOW: u32 = 1 << 1;
const OVERFLOW: u32 = 1 << 2;
const DIVISION_BY_ZERO: u32 = 1 << 3;
const INVALID: u32 = 1 << 4;

/// A format of floats.
trait Format: Float + FloatConvert<Half> + FloatConvert<Single> + FloatConvert<Double> {
    /// Bits of a significand, with the leading one.
    const DIGITS: i32;
    const WIDTH: u32;
    const LEAST_EXPONENT: i32;
}

impl Format for Half {
    const DIGITS: i32 = 11;
    const WIDTH: u32 = 16;
    const LEAST_EXPONENT: i32 = -24;
}

impl Format for Single {
    const DIGITS: i32 = 24;
    const WIDTH: u32 = 32;
    const LEAST_EXPONENT: i32 = -149;
}

impl Format for Double {
    const DIGITS: i32 = 53;
    const WIDTH: u32 = 64;
    const LEAST_EXPONENT: i32 = -1074;
}

/// A call: what it says, the rules, and the direction.
#[derive(Clone, Copy)]
struct Call<'c> {
    function: Function,
    exact: Exact,
    floats: &'c Floats,
    round: Round,
}

/// A function of floats: its arguments, the direction last if it rounds, and the first one's width.
pub(super) fn function(function: Function, args: &[Int], from: u32, exact: Exact, floats: &Floats) -> Int {
    let round = match args.last().map_or(0, |last| last.low()) {
        1 => Round::TowardZero,
        2 => Round::TowardNegative,
        3 => Round::TowardPositive,
        4 => Round::NearestTiesToAway,
        _ => Round::NearestTiesToEven,
    };
    let call = Call { function, exact, floats, round };
    let (value, raised) = match (function, from, exact.to) {
        (Function::I2fS | Function::I2fU, _, 16) => call.of_integer::<Half>(args[0], from),
        (Function::I2fS | Function::I2fU, _, 32) => call.of_integer::<Single>(args[0], from),
        (Function::I2fS | Function::I2fU, ..) => call.of_integer::<Double>(args[0], from),
        (_, 16, _) => call.of::<Half>(args),
        (_, 32, _) => call.of::<Single>(args),
        _ => call.of::<Double>(args),
    };
    if exact.raised { Int::from(u128::from(raised)) } else { Int::from(value) }
}

/// The flags of a status; underflow is decided elsewhere.
fn flags(status: Status) -> u32 {
    let each = [
        (Status::INEXACT, INEXACT),
        (Status::OVERFLOW, OVERFLOW),
        (Status::DIV_BY_ZERO, DIVISION_BY_ZERO),
        (Status::INVALID_OP, INVALID),
    ];
    each.into_iter().filter(|(status_bit, _)| status.contains(*status_bit)).map(|(_, flag)| flag).sum()
}

/// The highest bit of the fraction.
fn quiet<F: Format>() -> u128 {
    1 << (F::DIGITS - 2)
}

fn magnitude<F: Format>(x: F) -> u128 {
    x.to_bits() & !(1 << (F::WIDTH - 1))
}

fn flushed<F: Format>(x: F) -> F {
    if x.is_denormal() { F::ZERO.copy_sign(x) } else { x }
}

impl Call<'_> {
    fn of<F: Format>(&self, args: &[Int]) -> (u128, u32) {
        let bits = |i: usize| args[i].low_u128();
        let sign = 1 << (F::WIDTH - 1);
        let read = |i: usize| {
            let x = F::from_bits(bits(i));
            if self.exact.flush { flushed(x) } else { x }
        };
        let two = || [read(0), read(1)];
        let plain = |value: u128| (value, 0);
        match self.function {
            Function::Fneg => plain(bits(0) ^ sign),
            Function::Fabs => plain(bits(0) & !sign),
            Function::Fnan => plain(F::from_bits(bits(0)).is_nan().into()),
            Function::Fsat => plain(limited(F::from_bits(bits(0))).to_bits()),
            Function::Fadd => self.computed(&two(), |x, round| x[0].add_r(x[1], round)),
            Function::Fsub => self.computed(&two(), |x, round| x[0].sub_r(x[1], round)),
            Function::Fmul => self.computed(&two(), |x, round| x[0].mul_r(x[1], round)),
            Function::Fdiv => self.computed(&two(), |x, round| x[0].div_r(x[1], round)),
            Function::Ffma => self.fused([read(0), read(1), read(2)]),
            Function::Fsqrt => self.computed(&[read(0)], |x, round| square_root(x[0], round)),
            Function::Fround if read(0).is_nan() => {
                let (nan, raised) = self.of_nans(&[read(0)]);
                (self.finished(nan), raised)
            }
            Function::Fround => {
                let result = integral(read(0), self.round);
                (self.finished(result.value), flags(result.status))
            }
            Function::Fmin => self.chosen(two(), Ordering::Less),
            Function::Fmax => self.chosen(two(), Ordering::Greater),
            Function::Fcmp => self.compared(two()),
            Function::F2iS | Function::F2iU => self.integer(read(0)),
            _ => match self.exact.to {
                16 => self.converted::<F, Half>(read(0)),
                32 => self.converted::<F, Single>(read(0)),
                _ => self.converted::<F, Double>(read(0)),
            },
        }
    }

    /// The bits of a result.
    fn finished<F: Format>(&self, x: F) -> u128 {
        let x = if self.exact.flush { flushed(x) } else { x };
        if self.exact.saturate { limited(x).to_bits() } else { x.to_bits() }
    }

    /// The NaN that the machine makes.
    fn made<F: Format>(&self) -> F {
        let fraction = match self.floats.made_fraction {
            Fraction::High => quiet::<F>(),
            Fraction::All => (1 << (F::DIGITS - 1)) - 1,
        };
        let sign = u128::from(self.floats.made_sign) << (F::WIDTH - 1);
        F::from_bits(sign | F::INFINITY.to_bits() | fraction)
    }

    /// The result of an operation on operands of which one is a NaN, and what it raises.
    fn of_nans<F: Format>(&self, operands: &[F]) -> (F, u32) {
        let first = operands.iter().find(|x| x.is_nan());
        let signalling = operands.iter().find(|x| x.is_signaling());
        let nan = match self.floats.nan {
            NanRule::Made => None,
            NanRule::First => first,
            NanRule::SignallingFirst => signalling.or(first),
        };
        let raised = if signalling.is_some() { INVALID } else { 0 };
        (nan.map_or_else(|| self.made(), |nan| F::from_bits(nan.to_bits() | quiet::<F>())), raised)
    }

    /// An operation that computes.
    fn computed<F: Format>(&self, operands: &[F], compute: impl Fn(&[F], Round) -> StatusAnd<F>) -> (u128, u32) {
        if operands.iter().any(|x| x.is_nan()) {
            let (nan, raised) = self.of_nans(operands);
            return (self.finished(nan), raised);
        }
        let result = compute(operands, self.round);
        if result.status.contains(Status::INVALID_OP) {
            return (self.finished(self.made::<F>()), INVALID);
        }
        let scaled = |by: i32| {
            let mut operands = operands.to_vec();
            match self.function {
                Function::Fadd | Function::Fsub => operands[1] = operands[1].scalbn(by),
                Function::Ffma => operands[2] = operands[2].scalbn(by),
                _ => {}
            }
            // Of a product the factor is on the operand that has room for it.
            let is_product = matches!(self.function, Function::Fmul | Function::Ffma);
            let first = usize::from(is_product && (magnitude(operands[0]) > magnitude(operands[1])) == (by > 0));
            operands[first] = operands[first].scalbn(by);
            compute(&operands, self.round).value
        };
        let raised = self.raised(result, scaled, || compute(operands, Round::TowardZero).value);
        (self.finished(result.value), raised)
    }

    /// The flags of a result that was rounded to a format with an exponent of its bounds. Beside a border it is asked what it is with an
    /// exponent that goes further, which is that of the same operands scaled; and what it was before it was rounded.
    fn raised<F: Format>(&self, result: StatusAnd<F>, scaled: impl Fn(i32) -> F, towards_zero: impl Fn() -> F) -> u32 {
        let raised = flags(result.status);
        if raised & INEXACT == 0 {
            return raised;
        }
        let (least, largest) = (F::smallest_normalized(), F::largest());
        let is_tiny = match magnitude(result.value).cmp(&magnitude(least)) {
            Ordering::Less => true,
            Ordering::Greater => false,
            Ordering::Equal if self.floats.tiny_before => magnitude(towards_zero()) < magnitude(least),
            Ordering::Equal => magnitude(scaled(F::DIGITS + 2)) < magnitude(least.scalbn(F::DIGITS + 2)),
        };
        // The crate says nothing of an overflow that gives the largest number.
        let is_beyond = magnitude(result.value) == magnitude(largest) && magnitude(scaled(-2)) > magnitude(largest.scalbn(-2));
        raised | if is_tiny { UNDERFLOW } else { 0 } | if is_beyond { OVERFLOW } else { 0 }
    }

    /// A product and a sum.
    fn fused<F: Format>(&self, [a, b, c]: [F; 3]) -> (u128, u32) {
        let no_product = a.is_infinite() && b.is_zero() || a.is_zero() && b.is_infinite();
        if no_product && !(c.is_nan() && self.floats.invalid_product_quiet) {
            let is_first = self.floats.nan == NanRule::SignallingFirst && c.is_signaling();
            let nan = if is_first { F::from_bits(c.to_bits() | quiet::<F>()) } else { self.made() };
            return (self.finished(nan), INVALID);
        }
        if [a, b, c].iter().any(|x| x.is_nan()) {
            let order = if self.floats.nan == NanRule::SignallingFirst { [c, a, b] } else { [a, b, c] };
            let (nan, raised) = self.of_nans(&order);
            return (self.finished(nan), raised);
        }
        self.computed(&[a, b, c], |x, round| x[0].mul_add_r(x[1], x[2], round))
    }

    /// The lesser or the greater one.
    fn chosen<F: Format>(&self, [a, b]: [F; 2], want: Ordering) -> (u128, u32) {
        let is_nan = a.is_nan() || b.is_nan();
        let signalled = if a.is_signaling() || b.is_signaling() { INVALID } else { 0 };
        let (value, raised) = match self.exact.kind {
            MinKind::Second if is_nan => (b, INVALID),
            MinKind::Second => (if a.partial_cmp(&b) == Some(want) { a } else { b }, 0),
            MinKind::Number if is_nan && !a.is_nan() => (a, signalled),
            MinKind::Number if is_nan && !b.is_nan() => (b, signalled),
            _ if is_nan => self.of_nans(&[a, b]),
            _ => {
                let order = a.partial_cmp(&b).filter(|order| order.is_ne());
                // Of two zeros the negative one is less.
                let order = order.unwrap_or_else(|| b.is_negative().cmp(&a.is_negative()));
                (if order == want { a } else { b }, 0)
            }
        };
        (self.finished(value), raised)
    }

    fn compared<F: Format>(&self, [a, b]: [F; 2]) -> (u128, u32) {
        match a.partial_cmp(&b) {
            Some(order) => (1 << (order as i8 + 1), 0),
            None if self.exact.signalling || a.is_signaling() || b.is_signaling() => (8, INVALID),
            None => (8, 0),
        }
    }

    fn integer<F: Format>(&self, x: F) -> (u128, u32) {
        let (width, signed) = (self.exact.to, self.function == Function::F2iS);
        let indefinite = 1 << (width - 1);
        if x.is_nan() {
            let integer = match self.floats.nan_integer {
                NanInteger::Zero => 0,
                NanInteger::Largest => ones(if signed { width - 1 } else { width }).low_u128(),
                NanInteger::Indefinite => indefinite,
            };
            return (integer, INVALID);
        }
        let rounded = integral(x, self.round);
        let magnitude = rounded.value.abs().to_u128_r(66, Round::TowardZero, &mut false);
        let most = match (signed, x.is_negative()) {
            (true, false) => ones(width - 1).low_u128(),
            (true, true) => indefinite,
            (false, false) => ones(width).low_u128(),
            (false, true) => 0,
        };
        let negate = |n: u128| if x.is_negative() { negated(Int::from(n)).truncated(width).low_u128() } else { n };
        match magnitude.value {
            n if n > most && self.floats.beyond_indefinite => (indefinite, INVALID),
            n if n > most => (negate(most), INVALID),
            n => (negate(n), flags(rounded.status)),
        }
    }

    fn of_integer<F: Format>(&self, x: Int, width: u32) -> (u128, u32) {
        let negative = self.function == Function::I2fS && x.bit(width - 1);
        let number = if negative { negated(x.sign_extended(width)).low_u128() } else { x.low_u128() };
        let of = |number: u128| match negative {
            true => F::from_i128_r(-(number as i128), self.round),
            false => F::from_u128_r(number, self.round),
        };
        let made = of(number);
        // What is inexact has low bits that don't count, but that there are some.
        let scaled = |_| of(number >> 2 | u128::from(number & 3 != 0)).value;
        (self.finished(made.value), self.raised(made, scaled, || made.value))
    }

    /// A number in another format.
    fn converted<F: Format + FloatConvert<T>, T: Format>(&self, x: F) -> (u128, u32) {
        if x.is_nan() {
            let (nan, raised) = self.of_nans(&[x]);
            if self.floats.nan == NanRule::Made {
                return (self.finished(self.made::<T>()), raised);
            }
            // What is left of the fraction are its high bits.
            let fraction = magnitude(nan) & ((quiet::<F>() << 1) - 1);
            let fraction = fraction << (T::DIGITS - 1) >> (F::DIGITS - 1);
            let bits = T::INFINITY.to_bits() | fraction | u128::from(x.is_negative()) << (T::WIDTH - 1);
            return (self.finished(T::from_bits(bits)), raised);
        }
        let convert = |x: F, round: Round| -> StatusAnd<T> { x.convert_r(round, &mut false) };
        let result = convert(x, self.round);
        let scaled = |by| convert(x.scalbn(by), self.round).value;
        let raised = self.raised(result, scaled, || convert(x, Round::TowardZero).value);
        (self.finished(result.value), raised)
    }
}

/// The integer next to a number, in a direction, as a number.
fn integral<F: Format>(x: F, round: Round) -> StatusAnd<F> {
    let value = x.round_to_integral(round).value;
    if value.bitwise_eq(x) { Status::OK.and(value) } else { Status::INEXACT.and(value) }
}

/// To 0…1; NaN and -0 give +0.
fn limited<F: Format>(x: F) -> F {
    let one = F::from_u128(1).value;
    match x.partial_cmp(&F::ZERO) {
        Some(Ordering::Greater) if x > one => one,
        Some(Ordering::Greater) => x,
        _ => F::ZERO,
    }
}

/// The root of a number of twice as many bits as a significand has, and some more; and whether there is a remainder; rounded.
fn square_root<F: Format>(x: F, round: Round) -> StatusAnd<F> {
    if x.is_zero() || x.is_infinite() && !x.is_negative() {
        return Status::OK.and(x);
    }
    if x.is_negative() {
        return Status::INVALID_OP.and(x);
    }
    let fraction = magnitude(x) & ((1 << (F::DIGITS - 1)) - 1);
    let exponent = (magnitude(x) >> (F::DIGITS - 1)) as i32;
    let (number, exponent) = match exponent {
        0 => (fraction, F::LEAST_EXPONENT),
        _ => (fraction | 1 << (F::DIGITS - 1), exponent - 1 + F::LEAST_EXPONENT),
    };
    // Two bits more than the root is rounded to, and an even exponent.
    let more = 2 * (F::DIGITS + 2) - (128 - number.leading_zeros() as i32);
    let more = if (exponent - more) % 2 == 0 { more } else { more + 1 };
    let wide = number << more;
    let root = wide.isqrt();
    let digits = root << 1 | u128::from(root * root != wide);
    F::from_u128_r(digits, round).map(|root| root.scalbn((exponent - more) / 2 - 1))
}

#[cfg(test)]
mod tests;
