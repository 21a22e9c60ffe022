//! The maximal regions of a set.

use super::solver::{MAX_STEPS, Set, Solver, TooLarge};
use super::{Cube, Order, WordSet};
use crate::bits::Word;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// Cubes of a set, each maximal: with one bit fewer fixed, it would have words outside of the set. They can overlap.
#[derive(Clone, Debug)]
pub struct Regions {
    /// The cubes, the largest first. None of the set's cubes is larger than the first one, unless words have more than 16 bits and
    /// the set is too entangled to be searched.
    pub cubes: Vec<Cube>,
    /// The words that are in none of them.
    pub rest: WordSet,
    /// The number of cubes that these words take.
    pub more: u64,
}

/// The greatest number of cubes that are computed.
const MAX_CUBES: usize = 4096;

/// The greatest number of sets and nodes that are looked at for further cubes.
const MAX_WORK: usize = 1 << 22;

/// Words of up to this many bits have few sets: the search for a largest cube always ends.
const SEARCHED: u32 = 16;

impl WordSet {
    /// Up to `most` maximal regions of the set, of words of `bits` bits: the largest of those that cover it. These are found around
    /// the largest cube of the words that are in none yet, again and again.
    pub fn regions(&self, bits: u32, most: usize) -> Regions {
        let mut cover = Cover { bits, order: self.order(bits), cubes: Vec::new(), work: 0 };
        let mut rest = self.clone();
        while !rest.is_empty() && cover.has_room() {
            let before = cover.cubes.len();
            match cover.grow(self, &rest) {
                Ok(left) if cover.cubes.len() > before => rest = left,
                _ => break,
            }
        }
        let Cover { order, mut cubes, .. } = cover;
        cubes.sort_by_key(|cube| (cube.mask.count_ones(), cube.value, cube.mask));
        let more = cubes.split_off(cubes.len().min(most)).len() as u64 + rest.cube_count();
        let mut solver = Solver::new(&order);
        let left = solver.import(self).and_then(|set| {
            cubes.iter().try_fold(set, |set, cube| {
                let cube = solver.cube(*cube)?;
                solver.attempt(|solver| solver.minus(set, cube))
            })
        });
        let rest = left.map_or(rest, |left| solver.freeze(left));
        Regions { cubes, rest, more }
    }

    /// The order in which the set asks for bits; those that it does not ask for come last.
    fn order(&self, bits: u32) -> Order {
        let mut asked: Vec<(u16, u16)> = self.parts().0.iter().map(|node| (node.level, node.bit)).collect();
        asked.sort_unstable();
        asked.dedup();
        let others = (0..bits as u16).rev().filter(|bit| asked.iter().all(|(_, known)| known != bit));
        Order::new(asked.iter().map(|(_, bit)| *bit).chain(others).collect())
    }
}

/// A cover of a set by maximal cubes, as far as it is.
struct Cover {
    bits: u32,
    order: Order,
    cubes: Vec<Cube>,
    work: usize,
}

impl Cover {
    fn has_room(&self) -> bool {
        self.cubes.len() < MAX_CUBES && (self.work < MAX_WORK || self.cubes.is_empty())
    }

    /// Adds cubes around words of `rest` until it is empty, or until the solver is full; returns the words that are left.
    fn grow(&mut self, all: &WordSet, rest: &WordSet) -> Result<WordSet, TooLarge> {
        let order = self.order.clone();
        let mut solver = Solver::new(&order);
        let (all, mut rest) = (solver.attempt(|solver| solver.import(all))?, solver.attempt(|solver| solver.import(rest))?);
        let steps = if self.bits <= SEARCHED { u32::MAX } else { MAX_STEPS };
        let mut known = FxHashMap::default();
        while rest != Set::NONE && self.has_room() && !solver.is_filling() {
            let before = known.len();
            let largest = solver.attempt_within(steps, |solver| Largest { solver, known: &mut known }.cube(rest));
            let cube = match largest {
                Ok(cube) => {
                    self.work += known.len() - before;
                    cube
                }
                Err(TooLarge) => {
                    known.clear();
                    self.work += MAX_STEPS as usize;
                    solver.freeze(rest).largest_cubes(1).into_iter().next()
                }
            };
            let Some(cube) = cube else { break };
            let cube = solver.grown(all, cube, &mut self.work);
            let words = solver.attempt(|solver| solver.cube(cube))?;
            rest = solver.attempt(|solver| solver.minus(rest, words))?;
            self.cubes.push(cube);
        }
        Ok(solver.freeze(rest))
    }
}

/// A search for the largest cubes of sets.
struct Largest<'a, 'o> {
    solver: &'a mut Solver<'o>,
    /// The number of bits that the largest cube of each set fixes; `None` for the empty set.
    known: &'a mut FxHashMap<Set, Option<u32>>,
}

impl Largest<'_, '_> {
    /// A largest cube; `None` if the set is empty.
    fn cube(&mut self, mut set: Set) -> Result<Option<Cube>, TooLarge> {
        let mut cube = Cube::ALL;
        while let Some(fixed) = self.fixed(set)? {
            if fixed == 0 {
                return Ok(Some(cube));
            }
            let bit = self.solver.first_bit(set, set);
            let (lo, hi) = self.solver.sides(set, bit);
            let one = Some(fixed - 1);
            set = if self.fixed(lo)? == one && self.fixed(hi)? != one {
                cube.mask |= Word::bit(bit);
                lo
            } else if self.fixed(hi)? == one && self.fixed(lo)? != one {
                cube = Cube { mask: cube.mask | Word::bit(bit), value: cube.value | Word::bit(bit) };
                hi
            } else {
                let both = self.solver.and(lo, hi)?;
                if self.fixed(both)? == Some(fixed) {
                    both
                } else {
                    cube.mask |= Word::bit(bit);
                    lo
                }
            };
        }
        Ok(None)
    }

    /// The number of bits that a largest cube fixes.
    fn fixed(&mut self, set: Set) -> Result<Option<u32>, TooLarge> {
        if set == Set::NONE || set == Set::ALL {
            return Ok((set == Set::ALL).then_some(0));
        }
        if let Some(known) = self.known.get(&set) {
            return Ok(*known);
        }
        let bit = self.solver.first_bit(set, set);
        let (lo, hi) = self.solver.sides(set, bit);
        let (low, high) = (self.fixed(lo)?, self.fixed(hi)?);
        let mut best = [low, high].into_iter().flatten().min().map(|fixed| fixed + 1);
        // A cube that leaves the bit open lies in both sides: it fixes no fewer bits than the largest of either.
        if low == high && low.is_some() {
            let both = self.solver.and(lo, hi)?;
            best = [best, self.fixed(both)?].into_iter().flatten().min();
        }
        self.known.insert(set, best);
        Ok(best)
    }
}

impl Solver<'_> {
    /// A maximal cube of a set around one of its cubes: of the two that come from leaving out bits from the least and from the most
    /// significant one on, the larger.
    fn grown(&self, set: Set, cube: Cube, work: &mut usize) -> Cube {
        let mut without = |bits: &mut dyn Iterator<Item = u32>| {
            bits.fold(cube, |cube, bit| {
                let mask = cube.mask & !Word::bit(bit);
                let larger = Cube::new(mask, cube.value);
                if self.has_all(set, larger, work) { larger } else { cube }
            })
        };
        let bits: Vec<u32> = cube.mask.bits().collect();
        let ways = [without(&mut bits.iter().copied()), without(&mut bits.iter().rev().copied())];
        ways.into_iter().min_by_key(|cube| (cube.mask.count_ones(), Reverse(cube.mask))).unwrap_or(cube)
    }

    /// True if all words of a cube are in the set.
    fn has_all(&self, set: Set, cube: Cube, work: &mut usize) -> bool {
        let (mut open, mut seen) = (vec![set], rustc_hash::FxHashSet::default());
        while let Some(set) = open.pop() {
            *work += 1;
            if set == Set::NONE {
                return false;
            }
            if set == Set::ALL || !seen.insert(set) {
                continue;
            }
            let bit = self.first_bit(set, set);
            let (lo, hi) = self.sides(set, bit);
            match (cube.mask.has(bit), cube.value.has(bit)) {
                (true, false) => open.push(lo),
                (true, true) => open.push(hi),
                (false, _) => open.extend([lo, hi]),
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A set of 8-bit words, the union of a few cubes without some words.
    fn random(seed: u64) -> WordSet {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            Word::from((state >> 20) as u8)
        };
        let order = Order::descending(8);
        let mut solver = Solver::new(&order);
        let some: Vec<Set> = (0..6).map(|_| solver.cube(Cube::new(next() & next() | next() & next(), next())).unwrap()).collect();
        let out: Vec<Set> = (0..3).map(|_| solver.cube(Cube::new(next() | next() | next(), next())).unwrap()).collect();
        let (some, out) = (solver.any(some).unwrap(), solver.any(out).unwrap());
        let set = solver.minus(some, out).unwrap();
        solver.freeze(set)
    }

    #[test]
    fn regions_are_maximal_cover_the_set_and_begin_with_a_largest_cube() {
        let masks = || (0..256u32).map(Word::from);
        for seed in 0..300 {
            let set = random(seed);
            let is_inside = |cube: Cube| masks().filter(|word| cube.contains(*word)).all(|word| set.contains(word));
            let regions = set.regions(8, 300);
            assert!(regions.rest.is_empty(), "{seed}");
            for word in masks() {
                assert_eq!(set.contains(word), regions.cubes.iter().any(|cube| cube.contains(word)), "{seed}: {word:x}");
            }
            for cube in &regions.cubes {
                assert!(
                    cube.mask.bits().all(|bit| !is_inside(Cube::new(cube.mask & !Word::bit(bit), cube.value))),
                    "{seed}: {cube:?}"
                );
            }
            let sizes: Vec<u32> = regions.cubes.iter().map(|cube| cube.mask.count_ones()).collect();
            assert!(sizes.is_sorted(), "{seed}: {sizes:?}");
            let of_mask =
                |mask: Word| masks().filter(|value| (*value & !mask).is_zero()).any(|value| is_inside(Cube::new(mask, value)));
            let least = masks().filter(|mask| of_mask(*mask)).map(|mask| mask.count_ones()).min();
            assert_eq!(sizes.first().copied(), least, "{seed}");
            // A part of them, and the rest, are all words.
            let few = set.regions(8, 2);
            let other = |word: Word| few.rest.contains(word) != few.cubes.iter().any(|cube| cube.contains(word));
            assert!(few.cubes.len() <= 2 && masks().all(|word| set.contains(word) == other(word)), "{seed}");
        }
    }
}
