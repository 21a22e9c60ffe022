//! Few cubes for a set.

use super::solver::{Set, Solver, TooLarge};
use super::{Cube, Order, WordSet};
use crate::bits::Word;
use rustc_hash::FxHashMap;
use std::rc::Rc;

impl WordSet {
    /// The set as few cubes, which may overlap: each as large as the set allows, none without words of its own (Minato's
    /// irredundant sums of products). `None` where there are more than `most`, or they are too hard to find.
    pub fn cover(&self, most: usize) -> Option<Vec<Cube>> {
        let order = Order::descending(Word::BITS);
        let mut solver = Solver::new(&order);
        let result = solver.attempt(|solver| {
            let set = solver.import(self)?;
            Cover { solver, known: FxHashMap::default(), most }.between(set, set)
        });
        let (cubes, _) = result.ok()?;
        Some(cubes.as_ref().clone())
    }
}

/// Cubes, and the words of all of them.
type Cubes = (Rc<Vec<Cube>>, Set);

struct Cover<'a, 'o> {
    solver: &'a mut Solver<'o>,
    known: FxHashMap<(Set, Set), Cubes>,
    most: usize,
}

impl Cover<'_, '_> {
    /// Cubes that have all words of `least` and none outside of `greatest`, and their words.
    fn between(&mut self, least: Set, greatest: Set) -> Result<Cubes, TooLarge> {
        if least == Set::NONE {
            return Ok((Rc::default(), Set::NONE));
        }
        if greatest == Set::ALL {
            return Ok((Rc::new(vec![Cube::ALL]), Set::ALL));
        }
        if let Some(known) = self.known.get(&(least, greatest)) {
            return Ok(known.clone());
        }
        let bit = self.solver.first_bit(least, greatest);
        let ((l0, l1), (g0, g1)) = (self.solver.sides(least, bit), self.solver.sides(greatest, bit));
        let only0 = self.solver.minus(l0, g1)?;
        let (cubes0, words0) = self.between(only0, g0)?;
        let only1 = self.solver.minus(l1, g0)?;
        let (cubes1, words1) = self.between(only1, g1)?;
        let (left0, left1) = (self.solver.minus(l0, words0)?, self.solver.minus(l1, words1)?);
        let (left, both) = (self.solver.or(left0, left1)?, self.solver.and(g0, g1)?);
        let (cubes, words) = self.between(left, both)?;
        let mask = Word::bit(bit);
        let with = |cubes: &[Cube], value| cubes.iter().map(|c| Cube { mask: c.mask | mask, value: c.value | value }).collect();
        let all: Vec<Cube> = [with(&cubes0, Word::ZERO), with(&cubes1, mask), cubes.as_ref().clone()].concat();
        if all.len() > self.most {
            return Err(TooLarge);
        }
        let (lo, hi) = (self.solver.or(words0, words)?, self.solver.or(words1, words)?);
        let result = (Rc::new(all), self.solver.branch(bit, lo, hi)?);
        self.known.insert((least, greatest), result.clone());
        Ok(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covers_are_the_same_set_in_few_cubes() {
        let order = Order::descending(8);
        let mut solver = Solver::new(&order);
        for seed in 0..200u64 {
            let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
            let mut next = || {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                Word::from((random >> 20) as u8)
            };
            let sets: Vec<Set> = (0..5).map(|_| solver.cube(Cube::new(next() | next(), next())).unwrap()).collect();
            let set = solver.any(sets).unwrap();
            let set = solver.freeze(set);
            let cover = set.cover(256).unwrap();
            assert!((0..256u32).map(Word::from).all(|w| set.contains(w) == cover.iter().any(|c| c.contains(w))), "{seed}");
            for (i, cube) in cover.iter().enumerate() {
                let others = |w| cover.iter().enumerate().any(|(j, c)| j != i && c.contains(w));
                assert!(
                    (0..256u32).map(Word::from).any(|w| cube.contains(w) && !others(w)),
                    "{seed}: {cube:?} has no words of its own"
                );
            }
        }
        // All words but one: one cube for each bit that can differ.
        let one = solver.cube(Cube::new(Word::ones(8), Word::ones(8))).unwrap();
        let cover = solver.freeze(one).complement().cover(8).unwrap();
        assert!(cover.len() == 8 && cover.iter().all(|c| c.mask.count_ones() == 1));
        assert_eq!(solver.freeze(one).complement().cover(7), None);
    }
}
