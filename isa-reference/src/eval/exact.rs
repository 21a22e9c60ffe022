//! Floats by the rules of a machine, with the flags that they raise: `rustc_apfloat` computes numbers, NaNs and what is tiny are
//! decided here. Nothing of this is shared with what generated code links to.

use super::arith::{compare_u, negated, ones, shl, shr};
use isa_spec::semantics::builtins::Function;
use isa_spec::semantics::floats::{Exact, Floats, Format as Name, Fraction, MinKind, NanInteger, NanRule};
use isa_spec::semantics::int::Int;
use rustc_apfloat::ieee::{BFloat, Double, Float8E5M2, Half, IeeeFloat, Quad, Semantics, Single};
use rustc_apfloat::{Float, FloatConvert, Round, Status, StatusAnd};
use std::cmp::Ordering;
use std::collections::BTreeMap;

const INEXACT: u32 = 1;
const UNDERFLOW: u32 = 1 << 1;
const OVERFLOW: u32 = 1 << 2;
const DIVISION_BY_ZERO: u32 = 1 << 3;
const INVALID: u32 = 1 << 4;

/// A format of floats.
trait Format: Float + FloatConvert<Quad> {
    /// Bits of a significand, with the leading one.
    const DIGITS: i32;
    const WIDTH: u32;
    /// The exponent of the last place of subnormal numbers.
    const LEAST_EXPONENT: i32;

    fn read(bits: u128) -> Self {
        Self::from_bits(bits)
    }

    fn write(self) -> u128 {
        self.to_bits()
    }

    fn of_quad(quad: Quad, round: Round) -> StatusAnd<Self>;

    /// A result, and its flags, within the bounds of the format.
    fn bounded(self, raised: u32, _: Round, _: bool) -> (Self, u32) {
        (self, raised)
    }

    /// The NaN of a sign and fraction, the fraction in the high bits.
    fn nan(is_negative: bool, fraction: u128) -> Self {
        let sign = u128::from(is_negative) << (Self::WIDTH - 1);
        Self::from_bits(sign | Self::INFINITY.to_bits() | fraction >> (129 - Self::DIGITS))
    }
}

macro_rules! formats {
    ($($of:ty: $digits:literal digits of $width:literal bits from $least:literal $({ $($more:tt)* })?;)*) => {
        $(impl Format for $of {
            const DIGITS: i32 = $digits;
            const WIDTH: u32 = $width;
            const LEAST_EXPONENT: i32 = $least;

            fn of_quad(quad: Quad, round: Round) -> StatusAnd<Self> {
                quad.convert_r(round, &mut false)
            }

            $($($more)*)?
        })*
    };
}

formats! {
    Half: 11 digits of 16 bits from -24;
    Single: 24 digits of 32 bits from -149;
    Double: 53 digits of 64 bits from -1074;
    BFloat: 8 digits of 16 bits from -133;
    IeeeFloat<Tf32>: 11 digits of 19 bits from -136;
    Float8E5M2: 3 digits of 8 bits from -16;
    // A pattern of E4M3 has 8 bits, this format more exponents.
    IeeeFloat<E4m3>: 4 digits of 12 bits from -9 {
        fn read(bits: u128) -> Self {
            let sign = (bits & 0x80) << 4;
            if bits & 0x7f == 0x7f { Self::nan(sign != 0, u128::MAX) } else { Self::from_bits(bits & 0x7f | sign) }
        }

        fn write(self) -> u128 {
            let sign = u128::from(self.is_negative()) << 7;
            sign | if self.is_nan() { 0x7f } else { self.to_bits() & 0x7f }
        }

        fn bounded(self, raised: u32, round: Round, is_finite: bool) -> (Self, u32) {
            let greatest = Self::from_bits(0x7e);
            if self.is_nan() || self.abs() <= greatest {
                return (self, raised);
            }
            let is_nearest = matches!(round, Round::NearestTiesToEven | Round::NearestTiesToAway);
            let outwards = if self.is_negative() { Round::TowardNegative } else { Round::TowardPositive };
            // Infinities are those of operands, or of a division by zero.
            let is_overflow = !self.is_infinite() || raised & OVERFLOW != 0;
            let is_nan = !is_finite && (!is_overflow || is_nearest || round == outwards);
            let value = if is_nan { Self::nan(false, 1 << 127) } else { greatest };
            (value.copy_sign(self), if is_overflow { raised | OVERFLOW | INEXACT } else { raised })
        }
    };
}

/// The semantics of TF32.
struct Tf32;

impl Semantics for Tf32 {
    const BITS: usize = 19;
    const EXP_BITS: usize = 8;
}

/// E4M3 as if it had 8 bits of exponent: numbers are rounded to its digits, and to its subnormal ones, and have no bound above.
struct E4m3;

impl Semantics for E4m3 {
    const BITS: usize = 12;
    const EXP_BITS: usize = 8;
    const MIN_EXP: rustc_apfloat::ExpInt = -6;
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
    let (value, raised) = match exact.of {
        Name::F16 => call.of::<Half>(args, from),
        Name::F32 => call.of::<Single>(args, from),
        Name::F64 => call.of::<Double>(args, from),
        Name::Bf16 => call.of::<BFloat>(args, from),
        Name::Tf32 => call.of::<IeeeFloat<Tf32>>(args, from),
        Name::E4m3fn => call.of::<IeeeFloat<E4m3>>(args, from),
        Name::E5m2 => call.of::<Float8E5M2>(args, from),
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
    fn of<F: Format>(&self, args: &[Int], from: u32) -> (Int, u32) {
        let bits = |i: usize| args[i].low_u128();
        let sign = 1 << (self.exact.of.width() - 1);
        let read = |i: usize| self.operand::<F>(bits(i));
        if matches!(self.function, Function::F2iS | Function::F2iU) {
            return self.integer::<F>(read(0));
        }
        let two = || [read(0), read(1)];
        let plain = |value: u128| (value, 0);
        let (value, raised) = match self.function {
            Function::Fneg => plain(bits(0) ^ sign),
            Function::Fabs => plain(bits(0) & !sign),
            Function::Fnan => plain(F::read(bits(0)).is_nan().into()),
            Function::Fsat => plain(limited(F::read(bits(0))).write()),
            Function::Fadd => self.computed(&two(), |x, round| x[0].add_r(x[1], round)),
            Function::Fsub => self.computed(&two(), |x, round| x[0].sub_r(x[1], round)),
            Function::Fmul => self.computed(&two(), |x, round| x[0].mul_r(x[1], round)),
            Function::Fdiv => self.computed(&two(), |x, round| x[0].div_r(x[1], round)),
            Function::Ffma => self.fused([read(0), read(1), read(2)]),
            Function::Fsqrt => self.computed(&[read(0)], |x, _| square_root(x[0])),
            Function::Fround if read(0).is_nan() => {
                let (nan, raised) = self.of_nans(&[read(0)]);
                self.finished(nan, raised)
            }
            Function::Fround => {
                let result = integral(read(0), self.round);
                self.finished(result.value, flags(result.status))
            }
            Function::Fmin => self.chosen(two(), Ordering::Less),
            Function::Fmax => self.chosen(two(), Ordering::Greater),
            Function::Fcmp => self.compared(two()),
            Function::I2fS | Function::I2fU => self.of_integer::<F>(args[0], from),
            Function::Fclass => plain(1 << class(F::read(bits(0)))),
            Function::Fdot => {
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
            _ => {
                let x = Source::new(read(0));
                match self.exact.to {
                    Name::F16 => self.converted::<Half>(x),
                    Name::F32 => self.converted::<Single>(x),
                    Name::F64 => self.converted::<Double>(x),
                    Name::Bf16 => self.converted::<BFloat>(x),
                    Name::Tf32 => self.converted::<IeeeFloat<Tf32>>(x),
                    Name::E4m3fn => self.converted::<IeeeFloat<E4m3>>(x),
                    Name::E5m2 => self.converted::<Float8E5M2>(x),
                }
            }
        };
        (Int::from(value), raised)
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
        // What has no room even there counts as a one at the end.
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
                // Of two zeros the negative one is less.
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
        let (width, signed) = (self.exact.bits, self.function == Function::F2iS);
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
        let negative = self.function == Function::I2fS && x.bit(width - 1);
        let number = if negative { negated(x.sign_extended(width)) } else { x };
        // Of what has no room, it counts that there is some.
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

    /// A sum of products, as many at once as are asked for.
    fn dot<F: Format, T: Format>(&self, c: u128, factors: &[[F; 2]]) -> (u128, u32) {
        factors.chunks(self.exact.sum.block as usize).fold((c, 0), |(c, raised), factors| {
            let (c, more) = self.dot_at_once(self.operand::<T>(c), factors);
            (c, raised | more)
        })
    }

    fn dot_at_once<F: Format, T: Format>(&self, c: T, factors: &[[F; 2]]) -> (u128, u32) {
        let addend = Source::new(c);
        let mut operands: Vec<Source> = factors.iter().flatten().map(|x| Source::new(*x)).collect();
        if self.floats.nan == NanRule::SignallingFirst {
            operands.insert(0, addend);
        } else {
            operands.push(addend);
        }
        let nan = operands.iter().find(|x| x.number.is_none());
        let signalling = operands.iter().find(|x| x.is_signalling);
        let no_product = |[a, b]: &[F; 2]| a.is_infinite() && b.is_zero() || a.is_zero() && b.is_infinite();
        if factors.iter().any(no_product) && !(nan.is_some() && self.floats.invalid_product_quiet) {
            let first = signalling.filter(|_| self.floats.nan == NanRule::SignallingFirst);
            return self.finished(first.map_or_else(|| self.made::<T>(), Source::quieted), INVALID);
        }
        if let Some(first) = nan {
            let nan = match self.floats.nan {
                NanRule::Made => self.made::<T>(),
                NanRule::First => first.quieted(),
                NanRule::SignallingFirst => signalling.unwrap_or(first).quieted(),
            };
            return self.finished(nan, if signalling.is_some() { INVALID } else { 0 });
        }
        let products = factors.iter().map(|[a, b]| (Term::new(*a).times(Term::new(*b)), a.is_infinite() || b.is_infinite()));
        let terms: Vec<(Term, bool)> = products.chain([(Term::new(c), c.is_infinite())]).collect();
        let has_infinity = |is_negative| terms.iter().any(|(term, is_infinite)| *is_infinite && term.is_negative == is_negative);
        match [has_infinity(false), has_infinity(true)] {
            [true, true] => return self.finished(self.made::<T>(), INVALID),
            [false, false] => {}
            [_, is_negative] => return self.finished(if is_negative { -T::INFINITY } else { T::INFINITY }, 0),
        }
        let numbers: Vec<Term> = terms.iter().map(|(term, _)| *term).filter(|term| term.magnitude != 0).collect();
        let Some(greatest) = numbers.iter().map(|term| term.exponent).max() else {
            let signs = |is_negative| terms.iter().all(|(term, _)| term.is_negative == is_negative);
            let is_negative = signs(true) || self.round == Round::TowardNegative && !signs(false);
            return self.finished(if is_negative { -T::ZERO } else { T::ZERO }, 0);
        };
        let least = self.exact.sum.aligned.map(|places| greatest - places as i32);
        let (sum, cut) = total(&numbers, least);
        let cut = if cut { INEXACT } else { 0 };
        let (bits, raised) = match sum {
            Some(sum) => self.of_quad::<T>(sum),
            None => self.finished(if self.round == Round::TowardNegative { -T::ZERO } else { T::ZERO }, 0),
        };
        (bits, raised | cut)
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

/// An operand of any format.
#[derive(Clone, Copy)]
struct Source {
    /// Nothing for a NaN.
    number: Option<Quad>,
    is_negative: bool,
    is_signalling: bool,
    /// The fraction of a NaN, in the high bits.
    fraction: u128,
}

impl Source {
    fn new<F: Format>(x: F) -> Self {
        let number: Quad = x.convert(&mut false).value;
        Self {
            number: (!x.is_nan()).then_some(number),
            is_negative: x.is_negative(),
            is_signalling: x.is_signaling(),
            fraction: magnitude(x) << (129 - F::DIGITS),
        }
    }

    /// A NaN that is kept: what is left of the fraction are its high bits.
    fn quieted<T: Format>(&self) -> T {
        T::nan(self.is_negative, self.fraction | 1 << 127)
    }
}

/// A term of a sum: `magnitude` · 2^`place`. Its exponent is that of the pattern.
#[derive(Clone, Copy)]
struct Term {
    is_negative: bool,
    magnitude: u128,
    place: i32,
    exponent: i32,
}

impl Term {
    fn new<F: Format>(x: F) -> Self {
        let (magnitude, place) = if x.is_finite() { parts(x) } else { (0, 0) };
        Self { is_negative: x.is_negative(), magnitude, place, exponent: place + F::DIGITS - 1 }
    }

    fn times(self, other: Self) -> Self {
        Self {
            is_negative: self.is_negative != other.is_negative,
            magnitude: self.magnitude * other.magnitude,
            place: self.place + other.place,
            exponent: self.exponent + other.exponent,
        }
    }
}

/// The exact sum of the digits of terms, those below a place cut off, and whether any was. Digits that a number has no room for count as
/// one at its end.
fn total(terms: &[Term], least: Option<i32>) -> (Option<Quad>, bool) {
    let (mut columns, mut cut) = (BTreeMap::<i32, i64>::new(), false);
    for term in terms {
        for digit in (0..128).filter(|digit| term.magnitude >> digit & 1 != 0) {
            let place = term.place + digit;
            if least.is_some_and(|least| place < least) {
                cut = true;
            } else {
                *columns.entry(place).or_default() += if term.is_negative { -1 } else { 1 };
            }
        }
    }
    let mut digits = carried(&columns);
    let is_negative = digits.is_none();
    if is_negative {
        columns.values_mut().for_each(|count| *count = -*count);
        digits = carried(&columns);
    }
    // The places of ones, the highest first.
    let places: Vec<i32> = digits.unwrap_or_default().into_iter().rev().collect();
    let Some(top) = places.first() else { return (None, cut) };
    let lowest = top - 100;
    let number = places.iter().filter(|place| **place > lowest).map(|place| 1 << (place - lowest)).sum::<u128>();
    let rest = places.iter().any(|place| *place <= lowest);
    let sum: Quad = Quad::from_u128(number | u128::from(rest)).value.scalbn(lowest);
    (Some(if is_negative { -sum } else { sum }), cut)
}

/// The places of the ones of a sum of columns, the lowest first; nothing for a sum that is less than zero.
fn carried(columns: &BTreeMap<i32, i64>) -> Option<Vec<i32>> {
    let (mut ones, mut carry) = (Vec::new(), 0);
    let (first, last) = (columns.keys().next().copied().unwrap_or(0), columns.keys().last().copied().unwrap_or(0));
    // A carry from so many terms is gone after 64 more places, but for that of a number less than zero.
    for place in first..=last + 64 {
        let count = columns.get(&place).copied().unwrap_or(0) + carry;
        if count.rem_euclid(2) == 1 {
            ones.push(place);
        }
        carry = count.div_euclid(2);
    }
    (carry == 0).then_some(ones)
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

/// The significand of a finite number as an integer, and the exponent of its last place.
fn parts<F: Format>(x: F) -> (u128, i32) {
    let fraction = magnitude(x) & ((1 << (F::DIGITS - 1)) - 1);
    match (magnitude(x) >> (F::DIGITS - 1)) as i32 {
        0 => (fraction, F::LEAST_EXPONENT),
        exponent => (fraction | 1 << (F::DIGITS - 1), exponent - 1 + F::LEAST_EXPONENT),
    }
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
