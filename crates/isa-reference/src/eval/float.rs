//! Floats by the rules of a machine, with the flags that they raise: `rustc_apfloat` computes numbers, NaNs and what is tiny are
//! decided here. Only the functions that machines approximate are shared with what generated code links to.

mod format;
mod sum;

use self::format::{E4m3, Format, Source, Tf32, magnitude, parts, quiet};
use isa_sim::float as approximate;
use isa_spec::semantics::arith::{compare_u, negated, ones, shl, shr};
use isa_spec::semantics::builtins::FloatFunction;
use isa_spec::semantics::floats::{Exact, Format as Name, Fraction, MinKind, NanInteger, NanRule, Rules};
use isa_spec::semantics::int::Int;
use rustc_apfloat::ieee::{BFloat, Double, Float8E5M2, Half, IeeeFloat, Quad, Single};
use rustc_apfloat::{Float, Round, Status, StatusAnd};
use std::cmp::Ordering;

const INEXACT: u32 = 1;
const UNDERFLOW: u32 = 1 << 1;
const OVERFLOW: u32 = 1 << 2;
const DIVISION_BY_ZERO: u32 = 1 << 3;
const INVALID: u32 = 1 << 4;

/// A call: what it says, the rules, and the direction.
#[derive(Clone, Copy)]
struct Call<'c> {
    function: FloatFunction,
    exact: Exact,
    floats: &'c Rules,
    round: Round,
}

/// A function of floats: its arguments, the direction last if it rounds, and the first one's width.
pub fn function(function: FloatFunction, args: &[Int], from: u32, exact: Exact, floats: &Rules) -> Int {
    let round = match args.last().map_or(0, |last| last.low()) {
        1 => Round::TowardZero,
        2 => Round::TowardNegative,
        3 => Round::TowardPositive,
        4 => Round::NearestTiesToAway,
        _ => Round::NearestTiesToEven,
    };
    let call = Call { function, exact, floats, round };
    let (value, raised) = match exact.of {
        Name::F16 => call.of::<Half>(args, from),
        Name::F32 => call.of::<Single>(args, from),
        Name::F64 => call.of::<Double>(args, from),
        Name::BF16 => call.of::<BFloat>(args, from),
        Name::TF32 => call.of::<IeeeFloat<Tf32>>(args, from),
        Name::E4M3FN => call.of::<IeeeFloat<E4m3>>(args, from),
        _ => call.of::<Float8E5M2>(args, from),
    };
    if exact.raised { Int::from(u128::from(raised)) } else { value }
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

fn flushed<F: Format>(x: F) -> F {
    if x.is_denormal() { F::ZERO.copy_sign(x) } else { x }
}

impl Call<'_> {
    fn of<F: Format>(&self, args: &[Int], from: u32) -> (Int, u32) {
        let bits = |i: usize| args[i].low_u128();
        let sign = 1 << (self.exact.of.width() - 1);
        let read = |i: usize| self.operand::<F>(bits(i));
        let two = || [read(0), read(1)];
        let plain = |value: u128| (value, 0);
        let (value, raised) = match self.function {
            FloatFunction::Fneg => plain(bits(0) ^ sign),
            FloatFunction::Fabs => plain(bits(0) & !sign),
            FloatFunction::Fnan => plain(F::read(bits(0)).is_nan().into()),
            FloatFunction::Fsat => plain(limited(F::read(bits(0))).write()),
            FloatFunction::Fadd => self.computed(&two(), |x, round| x[0].add_r(x[1], round)),
            FloatFunction::Fsub => self.computed(&two(), |x, round| x[0].sub_r(x[1], round)),
            FloatFunction::Fmul => self.computed(&two(), |x, round| x[0].mul_r(x[1], round)),
            FloatFunction::Fdiv => self.computed(&two(), |x, round| x[0].div_r(x[1], round)),
            FloatFunction::Ffma => self.fused([read(0), read(1), read(2)]),
            FloatFunction::Fsqrt => self.computed(&[read(0)], |x, _| square_root(x[0])),
            FloatFunction::Fround if read(0).is_nan() => {
                let (nan, raised) = self.of_nans(&[read(0)]);
                self.finished(nan, raised)
            }
            FloatFunction::Fround => {
                let result = integral(read(0), self.round);
                self.finished(result.value, flags(result.status))
            }
            FloatFunction::Fmin => self.chosen(two(), Ordering::Less),
            FloatFunction::Fmax => self.chosen(two(), Ordering::Greater),
            FloatFunction::Fcmp => self.compared(two()),
            FloatFunction::I2fS | FloatFunction::I2fU => self.of_integer::<F>(args[0], from),
            FloatFunction::Fclass => plain(1 << class(F::read(bits(0)))),
            FloatFunction::Fdot => {
                let width = self.exact.of.width();
                let element = |packed: Int, i: u32| self.operand(shr(packed, (i * width).into()).truncated(width).low_u128());
                let factors: Vec<[F; 2]> =
                    (0..self.exact.sum.products).map(|i| [element(args[1], i), element(args[2], i)]).collect();
                match self.exact.to {
                    Name::F16 => self.dot::<F, Half>(bits(0), &factors),
                    Name::F32 => self.dot::<F, Single>(bits(0), &factors),
                    _ => self.dot::<F, Double>(bits(0), &factors),
                }
            }
            FloatFunction::Rcp => self.approximated::<F>(approximate::rcp, read(0)),
            FloatFunction::Rsq => self.approximated::<F>(approximate::rsq, read(0)),
            FloatFunction::Sin => self.approximated::<F>(approximate::sin, read(0)),
            FloatFunction::Cos => self.approximated::<F>(approximate::cos, read(0)),
            FloatFunction::Ex2 => self.approximated::<F>(approximate::ex2, read(0)),
            FloatFunction::Lg2 => self.approximated::<F>(approximate::lg2, read(0)),
            FloatFunction::Sinpi => self.approximated::<F>(approximate::sinpi, read(0)),
            FloatFunction::Cospi => self.approximated::<F>(approximate::cospi, read(0)),
            FloatFunction::Tanh => self.approximated::<F>(approximate::tanh, read(0)),
            FloatFunction::F2iS | FloatFunction::F2iU => return self.integer::<F>(read(0)),
            FloatFunction::F2f | FloatFunction::F2h | FloatFunction::H2f => {
                let x = Source::new(read(0));
                match self.exact.to {
                    Name::F16 => self.converted::<Half>(x),
                    Name::F32 => self.converted::<Single>(x),
                    Name::F64 => self.converted::<Double>(x),
                    Name::BF16 => self.converted::<BFloat>(x),
                    Name::TF32 => self.converted::<IeeeFloat<Tf32>>(x),
                    Name::E4M3FN => self.converted::<IeeeFloat<E4m3>>(x),
                    _ => self.converted::<Float8E5M2>(x),
                }
            }
        };
        (Int::from(value), raised)
    }

    /// A function that machines approximate, which raises nothing: of binary32, with a NaN of its own.
    fn approximated<F: Format>(&self, function: fn(u32, bool, bool) -> u32, x: F) -> (u128, u32) {
        let result = F::read(function(x.write() as u32, false, self.exact.saturate).into());
        (if self.exact.flush_results { flushed(result) } else { result }.write(), 0)
    }

    /// An operand, flushed if that is wanted.
    fn operand<F: Format>(&self, bits: u128) -> F {
        let x = F::read(bits);
        if self.exact.flush_operands { flushed(x) } else { x }
    }

    /// The bits of a result, and what it raises.
    fn finished<F: Format>(&self, x: F, raised: u32) -> (u128, u32) {
        let x = if self.exact.flush_results { flushed(x) } else { x };
        let (x, raised) = x.bounded(raised, self.round, self.exact.finite);
        let x = if x.is_infinite() && self.exact.finite { F::largest().copy_sign(x) } else { x };
        (if self.exact.saturate { limited(x).write() } else { x.write() }, raised)
    }

    /// The NaN that the machine makes.
    fn made<F: Format>(&self) -> F {
        let fraction = match self.floats.made_fraction {
            Fraction::High => 1 << 127,
            Fraction::All => u128::MAX,
        };
        F::nan(self.floats.made_sign, fraction)
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

    /// An operation that computes: with more digits and exponents than any format has, and then rounded.
    fn computed<F: Format>(&self, operands: &[F], compute: impl Fn(&[Quad], Round) -> StatusAnd<Quad>) -> (u128, u32) {
        if operands.iter().any(|x| x.is_nan()) {
            let (nan, raised) = self.of_nans(operands);
            return self.finished(nan, raised);
        }
        let operands: Vec<Quad> = operands.iter().map(|x| x.convert(&mut false).value).collect();
        let result = compute(&operands, self.round);
        if result.status.contains(Status::INVALID_OP) {
            return self.finished(self.made::<F>(), INVALID);
        }
        // An inexact result gets a one as its last bit (rounding to odd).
        let number = match result.status.contains(Status::INEXACT) {
            false => result.value,
            true => Quad::from_bits(compute(&operands, Round::TowardZero).value.to_bits() | 1),
        };
        let (bits, raised) = self.of_quad::<F>(number);
        (bits, raised | flags(result.status & Status::DIV_BY_ZERO))
    }

    /// A product and a sum.
    fn fused<F: Format>(&self, [a, b, c]: [F; 3]) -> (u128, u32) {
        let no_product = a.is_infinite() && b.is_zero() || a.is_zero() && b.is_infinite();
        if no_product && !(c.is_nan() && self.floats.invalid_product_quiet) {
            let is_first = self.floats.nan == NanRule::SignallingFirst && c.is_signaling();
            let nan = if is_first { F::from_bits(c.to_bits() | quiet::<F>()) } else { self.made() };
            return self.finished(nan, INVALID);
        }
        if [a, b, c].iter().any(|x| x.is_nan()) {
            let order = if self.floats.nan == NanRule::SignallingFirst { [c, a, b] } else { [a, b, c] };
            let (nan, raised) = self.of_nans(&order);
            return self.finished(nan, raised);
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
                // The negative zero is the lesser one.
                let order = order.unwrap_or_else(|| b.is_negative().cmp(&a.is_negative()));
                (if order == want { a } else { b }, 0)
            }
        };
        self.finished(value, raised)
    }

    fn compared<F: Format>(&self, [a, b]: [F; 2]) -> (u128, u32) {
        match a.partial_cmp(&b) {
            Some(order) => (1 << (order as i8 + 1), 0),
            None if self.exact.signalling || a.is_signaling() || b.is_signaling() => (8, INVALID),
            None => (8, 0),
        }
    }

    fn integer<F: Format>(&self, x: F) -> (Int, u32) {
        let (width, signed) = (self.exact.bits, self.function == FloatFunction::F2iS);
        let indefinite = shl(Int::from(1), (width - 1).into());
        if x.is_nan() {
            let integer = match self.floats.nan_integer {
                NanInteger::Zero => Int::default(),
                NanInteger::Largest => ones(if signed { width - 1 } else { width }),
                NanInteger::Indefinite => indefinite,
            };
            return (integer, INVALID);
        }
        let rounded = integral(x, self.round);
        let most = match (signed, x.is_negative()) {
            (true, false) => ones(width - 1),
            (true, true) => indefinite,
            (false, false) => ones(width),
            (false, true) => Int::default(),
        };
        let magnitude = integer_of(rounded.value).filter(|n| compare_u(*n, most).is_le());
        let signed = |n: Int| if x.is_negative() { negated(n).truncated(width) } else { n };
        match magnitude {
            Some(n) => (signed(n), flags(rounded.status)),
            None if self.floats.beyond_indefinite => (indefinite, INVALID),
            None => (signed(most), INVALID),
        }
    }

    fn of_integer<F: Format>(&self, x: Int, width: u32) -> (u128, u32) {
        let negative = self.function == FloatFunction::I2fS && x.bit(width - 1);
        let number = if negative { negated(x.sign_extended(width)) } else { x };
        // Bits that do not fit are represented by a single sticky bit.
        let below = number.bits().saturating_sub(100);
        let (high, rest) = (shr(number, below.into()).low_u128(), number.truncated(below) != Int::default());
        let quad: Quad = Quad::from_u128(high << 1 | u128::from(rest)).value.scalbn(below as i32 - 1);
        self.of_quad::<F>(if negative { -quad } else { quad })
    }

    /// A number in another format.
    fn converted<T: Format>(&self, x: Source) -> (u128, u32) {
        let Some(number) = x.number else {
            let nan = if self.floats.nan == NanRule::Made { self.made() } else { x.quieted::<T>() };
            return self.finished(nan, if x.is_signalling { INVALID } else { 0 });
        };
        let (bits, raised) = self.of_quad::<T>(number);
        let is_lost = number.is_infinite() && !T::read(bits).is_infinite();
        (bits, raised | if is_lost { INEXACT } else { 0 })
    }

    /// A number of more digits and exponents than any format has, rounded. Beside a border it is asked what it would be with an exponent
    /// that goes further, which is that of the number scaled; and what it was before it was rounded.
    fn of_quad<T: Format>(&self, x: Quad) -> (u128, u32) {
        let of = |x: Quad, round: Round| T::of_quad(x, round).value;
        let result = T::of_quad(x, self.round);
        let (value, raised) = (result.value, flags(result.status));
        let is_exact = raised & INEXACT == 0;
        let (least, largest) = (T::smallest_normalized(), T::largest());
        let further = |by: i32| magnitude(of(x.scalbn(by), self.round));
        let is_tiny = match magnitude(value).cmp(&magnitude(least)) {
            Ordering::Less => !(is_exact && value.is_zero()),
            Ordering::Greater => false,
            Ordering::Equal if is_exact => false,
            Ordering::Equal if self.floats.tiny_before => magnitude(of(x, Round::TowardZero)) < magnitude(least),
            Ordering::Equal => further(T::DIGITS + 2) < magnitude(least.scalbn(T::DIGITS + 2)),
        };
        if is_tiny && self.exact.flush_results && self.floats.flush_tiny {
            let raised = if self.floats.tiny_before { UNDERFLOW } else { UNDERFLOW | INEXACT };
            return self.finished(T::ZERO.copy_sign(value), raised);
        }
        if is_exact {
            return self.finished(value, raised);
        }
        // The crate says nothing of an overflow that gives the largest number.
        let is_beyond = magnitude(value) == magnitude(largest) && further(-2) > magnitude(largest.scalbn(-2));
        let raised = raised | if is_tiny { UNDERFLOW } else { 0 } | if is_beyond { OVERFLOW } else { 0 };
        self.finished(value, raised)
    }
}

/// The class: 0 to 7 from negative to positive infinity, 8 and 9 for signalling and quiet NaNs.
fn class<F: Format>(x: F) -> u32 {
    let size = match () {
        () if x.is_signaling() => return 8,
        () if x.is_nan() => return 9,
        () if x.is_zero() => 0,
        () if x.is_denormal() => 1,
        () if x.is_infinite() => 3,
        () => 2,
    };
    if x.is_negative() { 3 - size } else { 4 + size }
}

/// A number that is an integer, without its sign; nothing if it has more than 256 bits.
fn integer_of<F: Format>(x: F) -> Option<Int> {
    if !x.is_finite() {
        return None;
    }
    let (magnitude, place) = parts(x);
    let bits = 128 - magnitude.leading_zeros() as i32;
    match place {
        ..0 => Some(shr(Int::from(magnitude), place.unsigned_abs().into())),
        _ if magnitude == 0 || bits + place <= 256 => Some(shl(Int::from(magnitude), place.unsigned_abs().into())),
        _ => None,
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

/// The root, to more digits than any format has; and whether there is a remainder, as a one at the end.
fn square_root(x: Quad) -> StatusAnd<Quad> {
    if x.is_zero() || x.is_infinite() && !x.is_negative() {
        return Status::OK.and(x);
    }
    if x.is_negative() {
        return Status::INVALID_OP.and(x);
    }
    // An integer of 126 or 127 bits, and an even exponent.
    let exponent = x.ilogb() - 126;
    let exponent = exponent + exponent.rem_euclid(2);
    let wide = x.scalbn(-exponent).to_u128(128).value;
    let root = wide.isqrt();
    let digits = root << 1 | u128::from(root * root != wide);
    Status::OK.and(Quad::from_u128(digits).value.scalbn(exponent / 2 - 1))
}

#[cfg(test)]
mod tests;
