//! Arithmetic on the value of a field, as sets of its bits.

use super::solver::{Set, Solver, TooLarge};
use rustc_hash::FxHashMap;

/// How the bits of a field make its value: `scale * number + bias`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Linear {
    /// How many bits there are.
    pub bits: u32,
    /// The number is their two's complement.
    pub signed: bool,
    /// The number is that of the opposite bits.
    pub inverted: bool,
    /// Factor.
    pub scale: i64,
    /// Added after scaling.
    pub bias: i64,
}

/// A number with its sign apart, so that all unsigned words of 128 bits are numbers too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// Whether it is below 0.
    pub negative: bool,
    /// What it is without its sign.
    pub magnitude: u128,
}

impl Number {
    /// Bit `at` of its two's complement, which goes on for ever.
    fn bit(self, at: u32) -> bool {
        let magnitude = if self.negative { self.magnitude.wrapping_sub(1) } else { self.magnitude };
        (magnitude.checked_shr(at).unwrap_or(0) & 1 == 1) != self.negative
    }

    /// Whether it is larger than the other.
    pub fn is_above(self, other: Self) -> bool {
        match (self.negative, other.negative) {
            (false, false) => self.magnitude > other.magnitude,
            (true, true) => self.magnitude < other.magnitude,
            (negative, _) => !negative,
        }
    }

    /// As a signed number of 128 bits, if it is one.
    pub fn to_i128(self) -> Option<i128> {
        if self.negative { 0i128.checked_sub_unsigned(self.magnitude) } else { i128::try_from(self.magnitude).ok() }
    }

    /// As an unsigned one.
    pub fn to_u128(self) -> Option<u128> {
        (!self.negative || self.magnitude == 0).then_some(self.magnitude)
    }

    /// The number, or the nearest one below a quarter of what `i128` holds: beyond any value that has a scale, a bias or a sign.
    pub fn clamped(self) -> i128 {
        let magnitude = self.magnitude.min(1 << 125) as i128;
        if self.negative { -magnitude } else { magnitude }
    }
}

impl From<i128> for Number {
    fn from(value: i128) -> Self {
        Self { negative: value < 0, magnitude: value.unsigned_abs() }
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", if self.negative { "-" } else { "" }, self.magnitude)
    }
}

/// The largest divisor of [`congruent`].
pub const MAX_DIVISOR: u128 = 1 << 126;

/// The bits whose value leaves `rest` when it is divided by `divisor`: what is left is never negative, as in `-1 % 32 == 31`.
///
/// # Errors
/// When the budget does not do.
pub fn congruent(solver: &mut Solver<'_>, value: Linear, divisor: u128, rest: u128) -> Result<Set, TooLarge> {
    let modulo = |n: i128| if n < 0 { (divisor - n.unsigned_abs() % divisor) % divisor } else { n.unsigned_abs() % divisor };
    let mut coefficients = Vec::new();
    let mut next = modulo(value.scale.into());
    for bit in 0..value.bits {
        let is_sign = value.signed && bit + 1 == value.bits;
        coefficients.push(if is_sign { (divisor - next) % divisor } else { next });
        next = next * 2 % divisor;
    }
    let bias = modulo(value.bias.into());
    let wanted = (rest + divisor - bias) % divisor;
    Congruent { solver, value, divisor, coefficients, known: FxHashMap::default() }.below(value.bits, wanted)
}

struct Congruent<'a, 'o> {
    solver: &'a mut Solver<'o>,
    value: Linear,
    divisor: u128,
    /// What each bit adds, modulo the divisor.
    coefficients: Vec<u128>,
    known: FxHashMap<(u32, u128), Set>,
}

impl Congruent<'_, '_> {
    /// The lowest `open` bits that leave this rest.
    fn below(&mut self, open: u32, rest: u128) -> Result<Set, TooLarge> {
        if open == 0 {
            return Ok(if rest == 0 { Set::ALL } else { Set::NONE });
        }
        if let Some(set) = self.known.get(&(open, rest)) {
            return Ok(*set);
        }
        if !self.is_in_reach(open, rest) {
            return Ok(Set::NONE);
        }
        let bit = open - 1;
        let one = (rest + self.divisor - self.coefficients[bit as usize]) % self.divisor;
        let (zero, one) = if self.value.inverted { (one, rest) } else { (rest, one) };
        let (lo, hi) = (self.below(bit, zero)?, self.below(bit, one)?);
        let set = self.solver.branch(bit, lo, hi)?;
        self.known.insert((open, rest), set);
        Ok(set)
    }

    /// Whether some number that the open bits can add leaves the rest: without this, a large divisor has a state for each value.
    fn is_in_reach(&self, open: u32, rest: u128) -> bool {
        let scale = u128::from(self.value.scale.unsigned_abs());
        let Some(most) = 1u128.checked_shl(open).map(|n| n - 1).and_then(|n| n.checked_mul(scale)) else { return true };
        // The sign is the first bit that is looked at; what is below it only adds.
        if self.value.signed && open == self.value.bits {
            return true;
        }
        let rest = if self.value.scale < 0 { (self.divisor - rest) % self.divisor } else { rest };
        rest <= most
    }
}

/// More bits than any value has, its sign and what a mask says of it included.
pub const VECTOR: u32 = 132;

/// The bits whose value has exactly the bits `wanted` among those of `mask`, both in two's complement.
///
/// # Errors
/// When the budget does not do.
pub fn masked(solver: &mut Solver<'_>, value: Linear, mask: Number, wanted: Number) -> Result<Set, TooLarge> {
    let places: Vec<u32> = (0..value.bits).collect();
    let bits = vector(solver, value, &places)?;
    let mut set = Set::ALL;
    for (at, bit) in (0..VECTOR).zip(bits) {
        set = match (mask.bit(at), wanted.bit(at)) {
            (true, true) => solver.and(set, bit)?,
            (true, false) => solver.minus(set, bit)?,
            (false, true) => Set::NONE,
            (false, false) => set,
        };
    }
    Ok(set)
}

/// The words in which two values are equal in so many of their lowest bits ([`VECTOR`] are all of them); each stands in the bits
/// `places`, the least significant first.
///
/// # Errors
/// When the budget does not do.
pub fn equal(solver: &mut Solver<'_>, a: (Linear, &[u32]), b: (Linear, &[u32]), bits: u32) -> Result<Set, TooLarge> {
    let (a, b) = (vector(solver, a.0, a.1)?, vector(solver, b.0, b.1)?);
    let mut set = Set::ALL;
    for (a, b) in a.into_iter().zip(b).take(bits as usize) {
        let differ = solver.differ(a, b)?;
        set = solver.minus(set, differ)?;
    }
    Ok(set)
}

/// The words in which a value is below 0.
///
/// # Errors
/// When the budget does not do.
pub fn negative(solver: &mut Solver<'_>, value: Linear, places: &[u32]) -> Result<Set, TooLarge> {
    let is_plain = !value.signed && value.scale > 0 && value.bias >= 0;
    Ok(if is_plain { Set::NONE } else { vector(solver, value, places)?.last().copied().unwrap_or(Set::NONE) })
}

/// The bits of the value, as sets of the field's.
fn vector(solver: &mut Solver<'_>, value: Linear, places: &[u32]) -> Result<Vec<Set>, TooLarge> {
    let mut number = Vec::new();
    for bit in places {
        let set = solver.bit(*bit)?;
        number.push(if value.inverted { solver.not(set)? } else { set });
    }
    let above = number.last().copied().filter(|_| value.signed).unwrap_or(Set::NONE);
    number.resize(VECTOR as usize, above);
    let scale = value.scale.unsigned_abs();
    let mut sum = vec![Set::NONE; VECTOR as usize];
    for shift in (0..u64::BITS).filter(|i| scale >> i & 1 == 1) {
        let shifted: Vec<Set> =
            std::iter::repeat_n(Set::NONE, shift as usize).chain(number.iter().copied()).take(VECTOR as usize).collect();
        sum = if sum.iter().all(|bit| *bit == Set::NONE) { shifted } else { add(solver, &sum, &shifted, Set::NONE)? };
    }
    if value.scale < 0 {
        let opposite = sum.iter().map(|bit| solver.not(*bit)).collect::<Result<Vec<_>, _>>()?;
        sum = add(solver, &opposite, &vec![Set::NONE; VECTOR as usize], Set::ALL)?;
    }
    if value.bias == 0 {
        return Ok(sum);
    }
    let bias = Number::from(i128::from(value.bias));
    let bias: Vec<Set> = (0..VECTOR).map(|at| if bias.bit(at) { Set::ALL } else { Set::NONE }).collect();
    add(solver, &sum, &bias, Set::NONE)
}

fn add(solver: &mut Solver<'_>, a: &[Set], b: &[Set], mut carry: Set) -> Result<Vec<Set>, TooLarge> {
    let mut sum = Vec::with_capacity(a.len());
    for (a, b) in a.iter().zip(b) {
        let differ = solver.differ(*a, *b)?;
        sum.push(solver.differ(differ, carry)?);
        let (both, passed) = (solver.and(*a, *b)?, solver.and(differ, carry)?);
        carry = solver.or(both, passed)?;
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets::Order;

    fn value_of(linear: Linear, raw: u128) -> i128 {
        let raw = if linear.inverted { (1 << linear.bits) - 1 - raw } else { raw } as i128;
        let number = if linear.signed && raw >> (linear.bits - 1) == 1 { raw - (1 << linear.bits) } else { raw };
        number * i128::from(linear.scale) + i128::from(linear.bias)
    }

    #[test]
    fn arithmetic_is_that_of_values() {
        for bits in [1, 3, 5] {
            let order = Order::descending(bits);
            let mut solver = Solver::new(&order);
            for (signed, inverted) in [(false, false), (false, true), (true, false), (true, true)] {
                for (scale, bias) in [(1, 0), (1, 7), (3, 0), (-4, 3), (-1, -1), (6, -100)] {
                    let linear = Linear { bits, signed, inverted, scale, bias };
                    let all = |solver: &mut Solver<'_>, set: Result<Set, TooLarge>, holds: &dyn Fn(i128) -> bool| {
                        let set = solver.freeze(set.unwrap());
                        (0..1u128 << bits).all(|raw| set.contains(raw.into()) == holds(value_of(linear, raw)))
                    };
                    for k in 1..20i128 {
                        for c in 0..k {
                            let set = congruent(&mut solver, linear, k as u128, c as u128);
                            assert!(all(&mut solver, set, &|v| v.rem_euclid(k) == c), "{linear:?} % {k} == {c}");
                        }
                        for k in [k, -k] {
                            for c in [0, 1, k, k & 6, -1, -8] {
                                let set = masked(&mut solver, linear, k.into(), c.into());
                                assert!(all(&mut solver, set, &|v| v & k == c), "{linear:?} & {k} == {c}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn wide_fields_are_small() {
        let order = Order::descending(128);
        let mut solver = Solver::new(&order);
        let linear = Linear { bits: 128, signed: false, inverted: false, scale: 1, bias: 0 };
        let size = |solver: &mut Solver<'_>, set: Result<Set, TooLarge>| solver.freeze(set.unwrap()).nodes();
        for divisor in [3, 1 << 40, 1000] {
            let set = congruent(&mut solver, linear, divisor, 2);
            assert!(size(&mut solver, set) <= 128 * 1000);
        }
        let top = Number { negative: false, magnitude: 1 << 127 };
        let set = masked(&mut solver, linear, top, top);
        assert_eq!(size(&mut solver, set), 1);
    }
}
