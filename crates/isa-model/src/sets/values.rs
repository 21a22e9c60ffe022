//! Arithmetic on the value of a field, as sets of its bits.

use super::order::Order;
use super::solver::{Set, Solver, TooLarge};
use crate::bits::{Raw, Word};
use isa_runtime::value::{Code, Map, Number, Step};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The largest divisor of [`congruent`].
pub const MAX_DIVISOR: u128 = 1 << 126;

/// The bits whose value leaves the remainder `rest` when it is divided by `divisor`: remainders are never negative, as in `-1 %
/// 32 == 31`.
///
/// # Errors
/// `TooLarge` when the budget is exhausted.
pub fn congruent(solver: &mut Solver<'_>, code: &Code, divisor: u128, rest: u128) -> Result<Set, TooLarge> {
    let Weights { start, bits } = Weights::of(code, divisor);
    let reach = bits.iter().scan(Some([0u128; 2]), |reach, weight| {
        let [below, above] = (*reach)?;
        // Each bit adds its weight or takes away what is missing of the divisor, whichever is nearer.
        let [less, more] = if *weight > divisor / 2 { [divisor - weight, 0] } else { [0, *weight] };
        *reach = below.checked_add(less).zip(above.checked_add(more)).map(|(below, above)| [below, above]);
        Some(*reach)
    });
    let reach = std::iter::once(Some([0; 2])).chain(reach).collect();
    let wanted = (rest + divisor - start) % divisor;
    let set = Congruent { solver, divisor, bits, reach, known: FxHashMap::default() }.below(code.width, wanted)?;
    in_word(solver, code, set)
}

/// The bits of a field whose number has bits ([`Code::number_bits`]) in one of these intervals, which ascend and don't overlap.
///
/// # Errors
/// `TooLarge` when the budget is exhausted.
pub fn intervals(solver: &mut Solver<'_>, code: &Code, ranges: &[(Raw, Raw)]) -> Result<Set, TooLarge> {
    let words: Vec<_> = ranges.iter().map(|(from, to)| ((*from).into(), (*to).into())).collect();
    let set = solver.intervals(&words, code.width)?;
    in_word(solver, code, set)
}

/// The bits of a field whose number has its bits in a set.
fn in_word(solver: &mut Solver<'_>, code: &Code, set: Set) -> Result<Set, TooLarge> {
    if code.bit_steps().is_empty() {
        return Ok(set);
    }
    let bits = bits(solver, code, &(0..code.width).collect::<Vec<_>>())?;
    let set = solver.freeze(set);
    let (steps, root) = set.diagram();
    let mut known = vec![Set::NONE, Set::ALL];
    for (bit, lo, hi) in steps {
        let (bit, lo, hi) = (bits[usize::from(bit)], known[lo as usize], known[hi as usize]);
        let (clear, set) = (solver.minus(lo, bit)?, solver.and(hi, bit)?);
        known.push(solver.or(clear, set)?);
    }
    Ok(known[root as usize])
}

/// The bits of the number, as sets, for those of the word.
fn number_bits(solver: &mut Solver<'_>, code: &Code, bits: &mut [Set]) -> Result<(), TooLarge> {
    for step in code.bit_steps() {
        match step {
            Step::Not => bits.iter_mut().try_for_each(|bit| solver.not(*bit).map(|not| *bit = not))?,
            Step::Flip(bit) => bits[usize::from(*bit)] = solver.not(bits[usize::from(*bit)])?,
            Step::Xor { to, from } => bits[usize::from(*to)] = solver.differ(bits[usize::from(*to)], bits[usize::from(*from)])?,
            Step::Sign | Step::Times(_) | Step::Plus(_) | Step::Page(_) | Step::Relative(_) | Step::Modulo(_) => {}
        }
    }
    Ok(())
}

/// A value as a sum, modulo some number: of what it is where all bits of the number are clear, and what each of them adds.
struct Weights {
    start: u128,
    bits: Vec<u128>,
}

impl Weights {
    fn of(code: &Code, divisor: u128) -> Self {
        let modulo = |n: Number| {
            let rest = n.magnitude % divisor;
            if n.negative { (divisor - rest) % divisor } else { rest }
        };
        let add = |a: u128, b: u128| (a + b) % divisor;
        let opposite = |n: u128| (divisor - n) % divisor;
        let mut power = 1 % divisor;
        let mut bits = Vec::new();
        for _ in 0..code.width {
            bits.push(power);
            power = add(power, power);
        }
        let mut start = 0;
        for step in code.value_steps() {
            match step {
                // The highest bit counts for two to the power of the width less.
                Step::Sign => {
                    if let Some(bit) = bits.last_mut() {
                        *bit = add(*bit, opposite(power));
                    }
                }
                Step::Times(factor) => {
                    let factor = modulo((*factor).into());
                    start = product(start, factor, divisor);
                    bits.iter_mut().for_each(|bit| *bit = product(*bit, factor, divisor));
                }
                Step::Plus(more) => start = add(start, modulo((*more).into())),
                _ => {}
            }
        }
        Self { start, bits }
    }
}

/// A product modulo a divisor of at most [`MAX_DIVISOR`].
fn product(a: u128, b: u128, divisor: u128) -> u128 {
    (0..u128::BITS).rev().fold(0, |sum, bit| (sum * 2 % divisor + if b >> bit & 1 == 1 { a } else { 0 }) % divisor)
}

struct Congruent<'a, 'o> {
    solver: &'a mut Solver<'o>,
    divisor: u128,
    /// The amount that each bit adds, modulo the divisor.
    bits: Vec<u128>,
    /// For each number of lowest bits, the amounts by which these can lower and raise the sum, if they are not too large.
    reach: Vec<Option<[u128; 2]>>,
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
        let one = (rest + self.divisor - self.bits[bit as usize]) % self.divisor;
        let (lo, hi) = (self.below(bit, rest)?, self.below(bit, one)?);
        let set = self.solver.branch(bit, lo, hi)?;
        self.known.insert((open, rest), set);
        Ok(set)
    }

    /// Returns false if no sum of the open bits leaves the rest: without this, a large divisor has a state for each value.
    fn is_in_reach(&self, open: u32, rest: u128) -> bool {
        self.reach[open as usize].is_none_or(|[below, above]| rest <= above || self.divisor - rest <= below)
    }
}

/// More bits than any value has, its sign and what a mask says of it included.
pub const VECTOR: u32 = 132;

/// The bits whose value has exactly the bits `wanted` among those of `mask`, both in two's complement.
///
/// # Errors
/// `TooLarge` when the budget is exhausted.
pub fn masked(solver: &mut Solver<'_>, value: &[Set], mask: Number, wanted: Number) -> Result<Set, TooLarge> {
    let mut set = Set::ALL;
    for (at, bit) in (0..).zip(value) {
        set = match (mask.bit(at), wanted.bit(at)) {
            (true, true) => solver.and(set, *bit)?,
            (true, false) => solver.minus(set, *bit)?,
            (false, true) => Set::NONE,
            (false, false) => set,
        };
    }
    Ok(set)
}

/// The bits of the number ([`Code::number_bits`]) of a field with these places, as sets of words, the least significant first.
///
/// # Errors
/// `TooLarge` when the budget is exhausted.
pub fn bits(solver: &mut Solver<'_>, code: &Code, places: &[u32]) -> Result<Vec<Set>, TooLarge> {
    let mut bits = places.iter().map(|bit| solver.bit(*bit)).collect::<Result<Vec<_>, _>>()?;
    number_bits(solver, code, &mut bits)?;
    Ok(bits)
}

/// The words in which two values are equal in their lowest `bits` bits; [`VECTOR`] is all of them.
///
/// # Errors
/// `TooLarge` when the budget is exhausted.
pub fn equal(solver: &mut Solver<'_>, a: &[Set], b: &[Set], bits: u32) -> Result<Set, TooLarge> {
    let mut set = Set::ALL;
    for (a, b) in a.iter().zip(b).take(bits as usize) {
        let differ = solver.differ(*a, *b)?;
        set = solver.minus(set, differ)?;
    }
    Ok(set)
}

/// The words in which one value is less than another.
///
/// # Errors
/// `TooLarge` when the budget is exhausted.
pub fn less(solver: &mut Solver<'_>, mut a: Vec<Set>, mut b: Vec<Set>) -> Result<Set, TooLarge> {
    // The sign counts the other way round.
    std::mem::swap(a.last_mut().expect("bits of a vector"), b.last_mut().expect("bits of a vector"));
    let mut less = Set::NONE;
    for (a, b) in a.into_iter().zip(b) {
        let differ = solver.differ(a, b)?;
        let (kept, own) = (solver.minus(less, differ)?, solver.minus(b, a)?);
        less = solver.or(kept, own)?;
    }
    Ok(less)
}

/// The words in which a value is below 0.
///
/// # Errors
/// `TooLarge` when the budget is exhausted.
pub fn negative(solver: &mut Solver<'_>, code: &Code, places: &[u32]) -> Result<Set, TooLarge> {
    let [least, _] = code.range();
    Ok(if least.negative { value(solver, code, places)?.last().copied().unwrap_or(Set::NONE) } else { Set::NONE })
}

/// The [`VECTOR`] bits of the value of a code in two's complement, as sets of words that have its bits at these places, in both
/// the least significant first.
///
/// # Errors
/// `TooLarge` when the budget is exhausted.
pub fn value(solver: &mut Solver<'_>, code: &Code, places: &[u32]) -> Result<Vec<Set>, TooLarge> {
    vector(solver, code, code.value_steps(), places)
}

/// The same of the number that a text shows: its value, modulo a power of two if it is reduced.
///
/// # Errors
/// `TooLarge` when the budget is exhausted.
pub fn shown(solver: &mut Solver<'_>, code: &Code, places: &[u32]) -> Result<Vec<Set>, TooLarge> {
    vector(solver, code, code.steps(), places)
}

fn vector(solver: &mut Solver<'_>, code: &Code, steps: &[Step], places: &[u32]) -> Result<Vec<Set>, TooLarge> {
    if let Some(map) = code.map() {
        return listed(solver, map, code.width, places);
    }
    let mut number = bits(solver, code, places)?;
    number.resize(VECTOR as usize, Set::NONE);
    moved(solver, steps, number, places)
}

/// The sum of a value and a number.
///
/// # Errors
/// `TooLarge` when the budget is exhausted.
pub fn plus(solver: &mut Solver<'_>, value: Vec<Set>, more: i64) -> Result<Vec<Set>, TooLarge> {
    if more == 0 { Ok(value) } else { add(solver, &value, &constant(more.into()), Set::NONE) }
}

/// The words in which a value is from `low` to `high`, without a limit where one is `None`.
///
/// # Errors
/// `TooLarge` when the budget is exhausted.
pub fn within(solver: &mut Solver<'_>, value: &[Set], low: Option<Number>, high: Option<Number>) -> Result<Set, TooLarge> {
    let mut set = Set::ALL;
    if let Some(low) = low {
        let below = less(solver, value.to_vec(), constant(low))?;
        set = solver.minus(set, below)?;
    }
    if let Some(high) = high {
        let above = less(solver, constant(high), value.to_vec())?;
        set = solver.minus(set, above)?;
    }
    Ok(set)
}

/// The words in which exactly one bit of a value is set.
///
/// # Errors
/// `TooLarge` when the budget is exhausted.
pub fn one_hot(solver: &mut Solver<'_>, value: &[Set]) -> Result<Set, TooLarge> {
    let (mut none, mut one) = (Set::ALL, Set::NONE);
    for bit in value {
        let (kept, new) = (solver.minus(one, *bit)?, solver.and(none, *bit)?);
        one = solver.or(kept, new)?;
        none = solver.minus(none, *bit)?;
    }
    Ok(one)
}

/// The words in which a value that is not below 0 leaves a remainder.
///
/// # Errors
/// `TooLarge` when the budget is exhausted.
pub fn remainder(solver: &mut Solver<'_>, value: &[Set], divisor: u128, rest: u128) -> Result<Set, TooLarge> {
    if divisor.is_power_of_two() {
        return masked(solver, value, (divisor - 1).into(), rest.into());
    }
    // The words by what the bits so far leave, the most significant ones first.
    let mut rests = BTreeMap::from([(0, Set::ALL)]);
    for bit in value.iter().rev().skip_while(|bit| **bit == Set::NONE) {
        let mut next: BTreeMap<u128, Set> = BTreeMap::new();
        for (rest, words) in rests {
            for (digit, words) in [(0, solver.minus(words, *bit)?), (1, solver.and(words, *bit)?)] {
                if words != Set::NONE {
                    let all = next.entry((2 * rest + digit) % divisor).or_insert(Set::NONE);
                    *all = solver.or(*all, words)?;
                }
            }
        }
        rests = next;
    }
    Ok(rests.get(&rest).copied().unwrap_or(Set::NONE))
}

/// The bits of a number.
fn constant(number: Number) -> Vec<Set> {
    (0..VECTOR).map(|at| if number.bit(at) { Set::ALL } else { Set::NONE }).collect()
}

/// The bits of numbers that are listed, as sets of those of a field.
fn listed(solver: &mut Solver<'_>, map: &Map, width: u32, places: &[u32]) -> Result<Vec<Set>, TooLarge> {
    let order = Order::descending(width);
    // The bits below those that are all like the sign.
    let most = map.range().map(|end| i128::BITS - (end ^ end >> (i128::BITS - 1)).leading_zeros()).into_iter().max().unwrap_or(0);
    let mut number = Vec::with_capacity(VECTOR as usize);
    for bit in 0..=most {
        let has = map.numbers().iter().filter(|(_, number)| number >> bit & 1 == 1);
        let words: Vec<(Word, Word)> =
            has.map(|(bits, _)| (Word::from(u32::from(*bits)), Word::from(u32::from(*bits)))).collect();
        // The budget grows with the number of values: whatever could be listed can be built.
        let mut own = Solver::new(&order);
        let sets = words.chunks(1024).map(|part| own.attempt(|own| own.intervals(part, width))).collect::<Result<Vec<_>, _>>()?;
        let set = own.attempt_any(sets)?;
        let set = own.freeze(set);
        number.push(solver.place(&set, places)?);
    }
    let sign = number.last().copied().unwrap_or(Set::NONE);
    number.resize(VECTOR as usize, sign);
    Ok(number)
}

/// The bits of a value whose bits are those of a number before its steps.
fn moved(solver: &mut Solver<'_>, steps: &[Step], mut number: Vec<Set>, places: &[u32]) -> Result<Vec<Set>, TooLarge> {
    let low = places.len();
    for step in steps {
        match step {
            Step::Sign => {
                let sign = low.checked_sub(1).map_or(Set::NONE, |top| number[top]);
                number[low..].fill(sign);
            }
            Step::Times(factor) => number = times(solver, &number, *factor)?,
            Step::Plus(more) => number = plus(solver, number, *more)?,
            Step::Modulo(bits) => number[usize::from(*bits)..].fill(Set::NONE),
            _ => {}
        }
    }
    Ok(number)
}

fn times(solver: &mut Solver<'_>, number: &[Set], factor: i64) -> Result<Vec<Set>, TooLarge> {
    let none = vec![Set::NONE; VECTOR as usize];
    let size = factor.unsigned_abs();
    let mut sum = none.clone();
    for shift in (0..u64::BITS).filter(|i| size >> i & 1 == 1) {
        let shifted: Vec<Set> =
            std::iter::repeat_n(Set::NONE, shift as usize).chain(number.iter().copied()).take(VECTOR as usize).collect();
        sum = if sum == none { shifted } else { add(solver, &sum, &shifted, Set::NONE)? };
    }
    if factor < 0 {
        let opposite = sum.iter().map(|bit| solver.not(*bit)).collect::<Result<Vec<_>, _>>()?;
        sum = add(solver, &opposite, &none, Set::ALL)?;
    }
    Ok(sum)
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

    #[test]
    fn arithmetic_is_that_of_values() {
        for bits in [1, 3, 5] {
            let order = Order::descending(bits);
            let mut solver = Solver::new(&order);
            let places: Vec<u32> = (0..bits).collect();
            for (signed, inverted) in [(false, false), (false, true), (true, false), (true, true)] {
                for (scale, bias) in [(1, 0), (1, 7), (3, 0), (-4, 3), (-1, -1), (6, -100)] {
                    let code = Code::plain(bits);
                    let code = if inverted { code.then(Step::Not) } else { code };
                    let code = if signed { code.then(Step::Sign) } else { code };
                    let code = code.then(Step::Times(scale)).then(Step::Plus(bias));
                    let all = |solver: &mut Solver<'_>, set: Result<Set, TooLarge>, holds: &dyn Fn(i128) -> bool| {
                        let set = solver.freeze(set.unwrap());
                        (0..1u128 << bits)
                            .all(|raw| set.contains(raw.into()) == holds(code.value(raw).unwrap().to_i128().unwrap()))
                    };
                    for k in 1..20i128 {
                        for c in 0..k {
                            let set = congruent(&mut solver, &code, k as u128, c as u128);
                            assert!(all(&mut solver, set, &|v| v.rem_euclid(k) == c), "{code:?} % {k} == {c}");
                        }
                        for k in [k, -k] {
                            for c in [0, 1, k, k & 6, -1, -8] {
                                let value = value(&mut solver, &code, &places).unwrap();
                                let set = masked(&mut solver, &value, k.into(), c.into());
                                assert!(all(&mut solver, set, &|v| v & k == c), "{code:?} & {k} == {c}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn numbers_modulo_a_power_of_two_are_compared_as_they_are_shown() {
        let order = Order::descending(4);
        let mut solver = Solver::new(&order);
        for (signed, scale, bias) in [(false, 1, 7), (true, 3, -5), (false, -4, 3), (true, -1, -1), (false, 6, -100)] {
            for modulo in 1..8 {
                let code = Code::plain(4);
                let code = if signed { code.then(Step::Sign) } else { code };
                let code = code.then(Step::Times(scale)).then(Step::Plus(bias)).then(Step::Modulo(modulo));
                let number = shown(&mut solver, &code, &[0, 1, 2, 3]).unwrap();
                let all = |solver: &mut Solver<'_>, set: Result<Set, TooLarge>, holds: &dyn Fn(i128) -> bool| {
                    let set = solver.freeze(set.unwrap());
                    (0..16u128).all(|raw| set.contains(raw.into()) == holds(code.shown(raw, 0).unwrap().to_i128().unwrap()))
                };
                for k in -3..20i128 {
                    let (low, high) = (Some(k.into()), Some((k + 3).into()));
                    let set = within(&mut solver, &number, low, None);
                    assert!(all(&mut solver, set, &|n| n >= k), "{code:?} >= {k}");
                    let set = within(&mut solver, &number, low, high);
                    assert!(all(&mut solver, set, &|n| (k..=k + 3).contains(&n)), "{code:?} in {k} .. {k} + 3");
                    for rest in 0..k {
                        let set = remainder(&mut solver, &number, k as u128, rest as u128);
                        assert!(all(&mut solver, set, &|n| n % k == rest), "{code:?} % {k} == {rest}");
                    }
                    let set = masked(&mut solver, &number, k.into(), (k & 5).into());
                    assert!(all(&mut solver, set, &|n| n & k == k & 5), "{code:?} & {k}");
                }
                let set = one_hot(&mut solver, &number);
                assert!(all(&mut solver, set, &|n| n.count_ones() == 1), "one bit of {code:?}");
            }
        }
    }

    #[test]
    fn wide_fields_are_small() {
        let order = Order::descending(128);
        let mut solver = Solver::new(&order);
        let code = Code::plain(128);
        let size = |solver: &mut Solver<'_>, set: Result<Set, TooLarge>| solver.freeze(set.unwrap()).nodes();
        for divisor in [3, 1 << 40, 1000] {
            let set = congruent(&mut solver, &code, divisor, 2);
            assert!(size(&mut solver, set) <= 128 * 1000);
        }
        let top = Number { negative: false, magnitude: 1 << 127 };
        let value = value(&mut solver, &code, &(0..128).collect::<Vec<_>>()).unwrap();
        let set = masked(&mut solver, &value, top, top);
        assert_eq!(size(&mut solver, set), 1);
    }
}
