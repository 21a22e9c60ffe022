//! Sums of products, digit by digit.

use super::format::{Format, Source, parts};
use super::{Call, INEXACT, INVALID};
use isa_spec::semantics::floats::NanRule;
use rustc_apfloat::ieee::Quad;
use rustc_apfloat::{Float, Round};
use std::collections::BTreeMap;

impl Call<'_> {
    /// A sum of products, as many at once as are asked for.
    pub(super) fn dot<F: Format, T: Format>(&self, c: u128, factors: &[[F; 2]]) -> (u128, u32) {
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
    // A carry out of the last column is gone after 64 more places, unless the number is negative.
    for place in first..=last + 64 {
        let count = columns.get(&place).copied().unwrap_or(0) + carry;
        if count.rem_euclid(2) == 1 {
            ones.push(place);
        }
        carry = count.div_euclid(2);
    }
    (carry == 0).then_some(ones)
}
