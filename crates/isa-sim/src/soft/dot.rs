use super::nan::{invalid, made, quieted};
use super::pack::rounded;
use super::parts::{Number, Operand};
use super::{Format, INEXACT, INVALID, NanRule, Raised, Round, Rules};

/// The way in which a machine adds products.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sum {
    /// The number of products that are added at once to the previous sum, which is then rounded: 1 is a chain of fused
    /// multiplications and additions, 0 means all.
    pub block: usize,
    /// The places after the point of the greatest exponent that are kept of each term, at most 64: lower ones are cut off before
    /// terms are added. The exponent of a product is the sum of its factors', those of subnormal factors are that of the least
    /// normal number. `None`: terms are added exactly.
    pub aligned: Option<u32>,
}

/// `c` and the products of pairs of `factors`, added and rounded according to `sum`. The factors are of the format `of`, `c` and
/// the result of the format `to`.
///
/// Raises inexact, underflow and overflow, and invalid for the product of an infinity and zero and for the sum of opposite
/// infinities. Results without a value are those of [`fma`](super::fma): of several NaNs, the first is that of the first factors,
/// and `c` comes last, unless [`NanRule::SignallingFirst`].
#[inline(always)]
pub fn dot(of: Format, to: Format, rules: &Rules, c: u64, factors: &[(u64, u64)], sum: Sum, round: Round) -> (u64, Raised) {
    let block = if sum.block == 0 { factors.len().max(1) } else { sum.block };
    let (mut c, mut raised) = (c, 0);
    // Without closures, which compilers leave functions of their own, where formats are values.
    for factors in factors.chunks(block) {
        let found = match sum.aligned {
            Some(places) => short(of, to, rules, c, factors, places, round),
            None => None,
        };
        let (sum, more) = match found {
            Some(found) => found,
            None => at_once(of, to, rules, c, factors, sum.aligned, round),
        };
        (c, raised) = (sum, raised | more);
    }
    (c, raised)
}

/// [`dot`] by terms of any size alone.
pub fn long(of: Format, to: Format, rules: &Rules, c: u64, factors: &[(u64, u64)], sum: Sum, round: Round) -> (u64, Raised) {
    let block = if sum.block == 0 { factors.len().max(1) } else { sum.block };
    factors.chunks(block).fold((c, 0), |(c, raised), factors| {
        let (c, more) = at_once(of, to, rules, c, factors, sum.aligned, round);
        (c, raised | more)
    })
}

/// [`at_once`] in 32 bits, without branches, so that compilers make vectors of it: for factors of at most 12 bits of significand, all
/// terms finite and not all zero, as in most products of matrices.
#[inline(always)]
fn short(
    of: Format,
    to: Format,
    rules: &Rules,
    c: u64,
    factors: &[(u64, u64)],
    places: u32,
    round: Round,
) -> Option<(u64, Raised)> {
    // A product is less than 4 units of its exponent.
    if rules.flush_inputs || of.fraction > 11 || of.width() > 31 || to.fraction > 60 || places > 28 {
        return None;
    }
    match factors.len() {
        0..=4 => vector::<4>(of, to, rules, c, factors, places, round),
        5..=8 => vector::<8>(of, to, rules, c, factors, places, round),
        9..=16 => vector::<16>(of, to, rules, c, factors, places, round),
        _ => None,
    }
}

/// [`short`] for at most `N` products.
#[inline(always)]
fn vector<const N: usize>(
    of: Format,
    to: Format,
    rules: &Rules,
    c: u64,
    factors: &[(u64, u64)],
    places: u32,
    round: Round,
) -> Option<(u64, Raised)> {
    let (mut a, mut b) = ([0i32; N], [0i32; N]);
    for (i, (x, y)) in factors.iter().enumerate() {
        (a[i], b[i]) = (*x as i32, *y as i32);
    }
    let (sign, one, bias) = (of.sign() as i32, of.least_normal() as i32, of.bias());
    let (mut products, mut exponents) = ([0i32; N], [0i32; N]);
    let (mut is_special, mut greatest) = (false, 0);
    for i in 0..N {
        let (m, n) = (a[i] & (sign - 1), b[i] & (sign - 1));
        is_special |= (m > of.greatest() as i32) | (n > of.greatest() as i32);
        let significand = |m: i32| m & (one - 1) | if m < one { 0 } else { one };
        let field = |m: i32| (m >> of.fraction).max(1);
        products[i] = significand(m) * significand(n);
        exponents[i] = field(m) + field(n);
        // An exponent of a product that is not zero is greater.
        greatest = greatest.max(if products[i] == 0 { 0 } else { exponents[i] });
    }
    let m = c & (to.sign() - 1);
    let addend = m & (to.least_normal() - 1) | if m < to.least_normal() { 0 } else { to.least_normal() };
    let exponent = (m >> to.fraction).max(1) as i32 - to.bias();
    let leading = if greatest == 0 { i32::MIN } else { greatest - 2 * bias };
    let leading = leading.max(if addend == 0 { i32::MIN } else { exponent });
    if is_special || m > to.greatest() || leading == i32::MIN {
        return None;
    }
    let (mut sum, mut is_cut) = (0i64, false);
    for i in 0..N {
        // A power of two shifts. A product is less than 2^24: nothing is left of those that are 64 places lower.
        let lower = (exponents[i] - 2 * bias - leading).clamp(-64, 0);
        let power = f32::from_bits(((lower + places as i32 - 2 * of.fraction as i32 + 127) << 23) as u32);
        let exact = products[i] as f32 * power;
        let units = exact as i32;
        is_cut |= units as f32 != exact;
        let negative = -i32::from((a[i] ^ b[i]) & sign != 0);
        sum += i64::from((units ^ negative) - negative);
    }
    let wide = addend << places.saturating_sub(to.fraction);
    let drop = ((leading - exponent).max(0) as u32).saturating_add(to.fraction.saturating_sub(places)).min(63);
    let units = wide >> drop;
    is_cut |= units << drop != wide;
    sum += if c & to.sign() != 0 { -(units as i64) } else { units as i64 };
    let cut = if is_cut { INEXACT } else { 0 };
    if sum == 0 {
        return Some((to.signed(round == Round::Down, 0), cut));
    }
    let zeros = sum.unsigned_abs().leading_zeros();
    let exponent = leading - places as i32 + 63 - zeros as i32;
    let (bits, raised) =
        rounded(to, rules, Number { negative: sum < 0, exponent, significand: sum.unsigned_abs() << zeros }, round);
    Some((bits, raised | cut))
}

/// A number that is not zero: `magnitude` · 2^`place`. Its exponent, `leading`, may be less than that of its highest bit.
#[derive(Clone, Copy)]
struct Term {
    negative: bool,
    magnitude: u128,
    place: i64,
    leading: i64,
}

impl Term {
    /// The number of a finite operand.
    fn new(f: Format, x: Operand) -> Self {
        let field = x.magnitude >> f.fraction;
        let fraction = x.magnitude & (f.least_normal() - 1);
        let magnitude = if field == 0 { fraction } else { fraction | f.least_normal() };
        let leading = field.max(1) as i64 - i64::from(f.bias());
        Self { negative: x.negative, magnitude: magnitude.into(), place: leading - i64::from(f.fraction), leading }
    }

    /// The product of two, which have at most 64 bits.
    fn product(self, other: Self) -> Self {
        Self {
            negative: self.negative != other.negative,
            magnitude: self.magnitude * other.magnitude,
            place: self.place + other.place,
            leading: self.leading + other.leading,
        }
    }
}

#[cold]
fn at_once(
    of: Format,
    to: Format,
    rules: &Rules,
    c: u64,
    factors: &[(u64, u64)],
    aligned: Option<u32>,
    round: Round,
) -> (u64, Raised) {
    let c = Operand::new(to, rules, c);
    let read = |(a, b): &(u64, u64)| [Operand::new(of, rules, *a), Operand::new(of, rules, *b)];
    let pairs = || factors.iter().map(read);
    if let Some(special) = not_finite(of, to, rules, c, pairs) {
        return special;
    }
    let terms = || {
        let products = pairs().map(|[a, b]| Term::new(of, a).product(Term::new(of, b)));
        products.chain([Term::new(to, c)])
    };
    let others = || terms().filter(|term| term.magnitude != 0);
    let (total, is_cut) = match (others().map(|term| term.leading).max(), aligned) {
        (None, _) => {
            let all = |negative| terms().all(|term| term.negative == negative);
            let negative = if round == Round::Down { !all(false) } else { all(true) };
            return (to.signed(negative, 0), 0);
        }
        (Some(leading), Some(places)) => aligned_sum(others(), leading - i64::from(places.min(64))),
        (Some(_), None) => (exact_sum(others), false),
    };
    let cut = if is_cut { INEXACT } else { 0 };
    match total {
        None => (to.signed(round == Round::Down, 0), cut),
        Some(total) => {
            let (bits, raised) = rounded(to, rules, total, round);
            (bits, raised | cut)
        }
    }
}

/// The result if an operand is an infinity or a NaN.
fn not_finite<P: Iterator<Item = [Operand; 2]>>(
    of: Format,
    to: Format,
    rules: &Rules,
    c: Operand,
    pairs: impl Fn() -> P,
) -> Option<(u64, Raised)> {
    let is_special = |f: Format, x: Operand| x.is_nan(f) || x.is_infinite(f);
    if !is_special(to, c) && !pairs().flatten().any(|x| is_special(of, x)) {
        return None;
    }
    let factors = || pairs().flatten().map(|x| (of, x));
    let operands = || factors().chain([(to, c)]);
    let addend_first = || [(to, c)].into_iter().chain(factors());
    let no_product = pairs().any(|[a, b]| a.is_infinite(of) && b.is_zero() || a.is_zero() && b.is_infinite(of));
    let is_nan = operands().any(|(f, x)| x.is_nan(f));
    let signalling = || addend_first().find(|(f, x)| x.is_signalling(*f));
    if no_product && !(is_nan && rules.invalid_product_quiet) {
        let nan = signalling().filter(|_| rules.nan == NanRule::SignallingFirst);
        return Some((nan.map_or(made(to, rules), |(f, x)| quieted(f, to, x)), INVALID));
    }
    if is_nan {
        let raised = if signalling().is_some() { INVALID } else { 0 };
        let nan = match rules.nan {
            NanRule::Made => None,
            NanRule::First => operands().find(|(f, x)| x.is_nan(*f)),
            NanRule::SignallingFirst => signalling().or_else(|| addend_first().find(|(f, x)| x.is_nan(*f))),
        };
        return Some((nan.map_or(made(to, rules), |(f, x)| quieted(f, to, x)), raised));
    }
    let products = pairs().filter(|[a, b]| a.is_infinite(of) || b.is_infinite(of)).map(|[a, b]| a.negative != b.negative);
    let mut signs = products.chain(c.is_infinite(to).then_some(c.negative));
    let negative = signs.next()?;
    Some(if signs.all(|sign| sign == negative) { (to.infinite(negative), 0) } else { invalid(to, rules) })
}

/// The sum of the terms in units of 2^`place`, and whether lower places were cut off. Each term has less than 67 bits of them.
fn aligned_sum(terms: impl Iterator<Item = Term>, place: i64) -> (Option<Number>, bool) {
    let (mut sum, mut is_cut) = (0i128, false);
    for term in terms {
        let units = match u32::try_from(place - term.place) {
            Err(_) => term.magnitude << (term.place - place),
            Ok(drop) => {
                let kept = term.magnitude.checked_shr(drop).unwrap_or(0);
                is_cut |= kept.checked_shl(drop) != Some(term.magnitude);
                kept
            }
        };
        sum += if term.negative { -(units as i128) } else { units as i128 };
    }
    (number(sum < 0, sum.unsigned_abs(), place), is_cut)
}

/// The sum of the terms; bits for which a number has no room are kept as a one at its end.
fn exact_sum<T: Iterator<Item = Term>>(terms: impl Fn() -> T) -> Option<Number> {
    let place = terms().map(|term| term.place).min()?;
    let end = terms().map(|term| term.place + 128 - i64::from(term.magnitude.leading_zeros())).max()?;
    let bits = end - place + i64::from(usize::BITS - terms().count().leading_zeros());
    if bits < 127 {
        let signed = |term: Term| {
            let units = (term.magnitude << (term.place - place)) as i128;
            if term.negative { -units } else { units }
        };
        let sum: i128 = terms().map(signed).sum();
        return number(sum < 0, sum.unsigned_abs(), place);
    }
    // The positive and the negative terms, in digits of 64 bits, the lowest first.
    let mut sums = [false, true].map(|_| vec![0u64; bits as usize / 64 + 3]);
    for term in terms() {
        let at = (term.place - place) as usize;
        add(&mut sums[usize::from(term.negative)][at / 64..], term.magnitude, (at % 64) as u32);
    }
    let [positive, negative] = &mut sums;
    let is_negative = negative.iter().rev().gt(positive.iter().rev());
    let (greater, lesser) = if is_negative { (negative, positive) } else { (positive, negative) };
    let mut borrow = false;
    for (digit, other) in greater.iter_mut().zip(lesser) {
        let (difference, one) = digit.overflowing_sub(*other);
        let (difference, two) = difference.overflowing_sub(borrow.into());
        (*digit, borrow) = (difference, one || two);
    }
    let top = greater.iter().rposition(|digit| *digit != 0)?;
    let low = top.saturating_sub(1);
    let high = u128::from(greater[top]) << 64 | u128::from(greater[low]);
    let (high, low) = if top == 0 { (high >> 64, 0) } else { (high, low) };
    let rest = greater[..low].iter().any(|digit| *digit != 0);
    number(is_negative, high, place + 64 * low as i64)
        .map(|number| Number { significand: number.significand | u64::from(rest), ..number })
}

/// Adds `x` · 2^`shift`, with `shift` < 64.
fn add(digits: &mut [u64], x: u128, shift: u32) {
    let low = x << shift;
    let high = if shift == 0 { 0 } else { (x >> (128 - shift)) as u64 };
    let mut carry = false;
    for (i, digit) in digits.iter_mut().enumerate() {
        let other = [low as u64, (low >> 64) as u64, high].get(i).copied().unwrap_or(0);
        let (sum, one) = digit.overflowing_add(other);
        let (sum, two) = sum.overflowing_add(carry.into());
        (*digit, carry) = (sum, one || two);
        if i > 2 && !carry {
            break;
        }
    }
}

/// The number `magnitude` · 2^`place`; `None` if it is zero.
fn number(negative: bool, magnitude: u128, place: i64) -> Option<Number> {
    (magnitude != 0).then(|| Number::of_wide(negative, (place + 127) as i32, magnitude))
}
