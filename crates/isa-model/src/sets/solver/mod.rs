//! Computing with sets.

#[cfg(test)]
mod tests;

use super::diagram::{ALL, NONE, Node, WordSet, copy};
use super::{Cube, Order};
use crate::bits::Word;
use rustc_hash::FxHashMap;

/// A set of a [`Solver`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Set(u32);

impl Set {
    /// No word.
    pub const NONE: Self = Self(NONE);
    /// Every word.
    pub const ALL: Self = Self(ALL);
}

/// A diagram takes more than the budget allows: what it describes is too entangled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "its decision diagram takes more than {MAX_STEPS} steps")
    }
}

impl std::error::Error for TooLarge {}

/// The greatest number of steps for computing a set.
pub(super) const MAX_STEPS: u32 = 1 << 18;

/// The greatest number of nodes of all sets of a solver together.
const MAX_NODES: usize = 1 << 21;

/// The greatest number of results in the cache.
const MAX_CACHE: usize = 1 << 20;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Op {
    And,
    Or,
    Minus,
}

/// Computes with sets that ask for bits in one order. Equal sets are the same [`Set`].
#[derive(Debug)]
pub struct Solver<'o> {
    order: &'o Order,
    nodes: Vec<Node>,
    known: FxHashMap<Node, u32>,
    results: FxHashMap<(Op, u32, u32), u32>,
    frozen: FxHashMap<u32, WordSet>,
    steps: u32,
    is_coarse: bool,
}

impl std::fmt::Debug for Op {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::And => "and",
            Self::Or => "or",
            Self::Minus => "minus",
        })
    }
}

impl<'o> Solver<'o> {
    /// A solver for words whose bits are asked in this order.
    pub fn new(order: &'o Order) -> Self {
        Self {
            order,
            nodes: Vec::new(),
            known: FxHashMap::default(),
            results: FxHashMap::default(),
            frozen: FxHashMap::default(),
            steps: MAX_STEPS,
            is_coarse: false,
        }
    }

    /// A solver that takes every set but the empty one for all words: each of its results has at least the words that it should have.
    pub fn coarse(order: &'o Order) -> Self {
        Self { is_coarse: true, ..Self::new(order) }
    }

    /// Runs a computation with the whole budget of steps. The nodes of a failed one are dropped.
    ///
    /// # Errors
    /// `TooLarge` when the budget is exhausted.
    pub fn attempt<T>(&mut self, compute: impl FnOnce(&mut Self) -> Result<T, TooLarge>) -> Result<T, TooLarge> {
        self.attempt_within(MAX_STEPS, compute)
    }

    /// Runs a computation with a budget of `steps`.
    pub(super) fn attempt_within<T>(
        &mut self,
        steps: u32,
        compute: impl FnOnce(&mut Self) -> Result<T, TooLarge>,
    ) -> Result<T, TooLarge> {
        let mark = self.nodes.len();
        self.steps = steps;
        let result = compute(self);
        self.steps = MAX_STEPS;
        if result.is_err() {
            self.forget(mark);
        }
        result
    }

    /// Drops the nodes from this number on.
    fn forget(&mut self, mark: usize) {
        for node in self.nodes.drain(mark..) {
            self.known.remove(&node);
        }
        self.results.clear();
        self.frozen.retain(|at, _| (*at as usize) < mark + 2);
    }

    /// True if it is time to go on with a new solver, where the old one's sets are no longer needed.
    pub fn is_filling(&self) -> bool {
        self.nodes.len() > MAX_NODES / 4
    }

    fn node(&self, at: u32) -> Option<Node> {
        Some(self.nodes[at.checked_sub(2)? as usize])
    }

    fn make(&mut self, level: u16, lo: u32, hi: u32) -> Result<u32, TooLarge> {
        if lo == hi {
            return Ok(lo);
        }
        if self.is_coarse {
            return Ok(ALL);
        }
        let node = Node { level, bit: self.order.bits()[usize::from(level)], lo, hi };
        if let Some(at) = self.known.get(&node) {
            return Ok(*at);
        }
        if self.nodes.len() >= MAX_NODES {
            return Err(TooLarge);
        }
        let at = self.nodes.len() as u32 + 2;
        self.nodes.push(node);
        self.known.insert(node, at);
        Ok(at)
    }

    fn apply(&mut self, op: Op, a: u32, b: u32) -> Result<u32, TooLarge> {
        if self.is_coarse {
            return Ok(match op {
                Op::And => a.min(b),
                Op::Or => a.max(b),
                Op::Minus => a,
            });
        }
        match (op, a, b) {
            (Op::And, NONE, _) | (Op::And, _, NONE) | (Op::Minus, NONE, _) | (Op::Minus, _, ALL) => return Ok(NONE),
            (Op::And, ALL, x) | (Op::And, x, ALL) | (Op::Or, NONE, x) | (Op::Or, x, NONE) | (Op::Minus, x, NONE) => return Ok(x),
            (Op::Or, ALL, _) | (Op::Or, _, ALL) => return Ok(ALL),
            (Op::And | Op::Or, a, b) if a == b => return Ok(a),
            (Op::Minus, a, b) if a == b => return Ok(NONE),
            _ => {}
        }
        let key = if op != Op::Minus && a > b { (op, b, a) } else { (op, a, b) };
        if let Some(result) = self.results.get(&key) {
            return Ok(*result);
        }
        self.steps = self.steps.checked_sub(1).ok_or(TooLarge)?;
        let (left, right) = (self.node(a), self.node(b));
        let level = [left, right].into_iter().flatten().map(|n| n.level).min().unwrap_or(0);
        let side = |node: Option<Node>, at: u32| match node {
            Some(node) if node.level == level => (node.lo, node.hi),
            _ => (at, at),
        };
        let ((a0, a1), (b0, b1)) = (side(left, a), side(right, b));
        let lo = self.apply(op, a0, b0)?;
        let hi = self.apply(op, a1, b1)?;
        let result = self.make(level, lo, hi)?;
        if self.results.len() >= MAX_CACHE {
            self.results.clear();
        }
        self.results.insert(key, result);
        Ok(result)
    }

    /// The words in both.
    ///
    /// # Errors
    /// `TooLarge` when the budget is exhausted, as in all methods here.
    pub fn and(&mut self, a: Set, b: Set) -> Result<Set, TooLarge> {
        self.apply(Op::And, a.0, b.0).map(Set)
    }

    /// The words in either.
    #[allow(clippy::missing_errors_doc, reason = "as above")]
    pub fn or(&mut self, a: Set, b: Set) -> Result<Set, TooLarge> {
        self.apply(Op::Or, a.0, b.0).map(Set)
    }

    /// The words of `a` that are not in `b`.
    #[allow(clippy::missing_errors_doc, reason = "as above")]
    pub fn minus(&mut self, a: Set, b: Set) -> Result<Set, TooLarge> {
        self.apply(Op::Minus, a.0, b.0).map(Set)
    }

    /// The words that are not in it.
    #[allow(clippy::missing_errors_doc, reason = "as above")]
    pub fn not(&mut self, a: Set) -> Result<Set, TooLarge> {
        self.minus(Set::ALL, a)
    }

    /// The words in one of the two and not in the other.
    #[allow(clippy::missing_errors_doc, reason = "as above")]
    pub fn differ(&mut self, a: Set, b: Set) -> Result<Set, TooLarge> {
        let (left, right) = (self.minus(a, b)?, self.minus(b, a)?);
        self.or(left, right)
    }

    /// The words in any of the sets. Neighbours are joined first, so that many small sets don't pass through a large one each.
    #[allow(clippy::missing_errors_doc, reason = "as above")]
    pub fn any(&mut self, mut sets: Vec<Set>) -> Result<Set, TooLarge> {
        while sets.len() > 1 {
            sets = sets.chunks(2).map(|pair| pair.iter().try_fold(Set::NONE, |a, b| self.or(a, *b))).collect::<Result<_, _>>()?;
        }
        Ok(sets.first().copied().unwrap_or(Set::NONE))
    }

    /// The words in any of the sets, each step with the whole budget: for sets that are many, not entangled.
    #[allow(clippy::missing_errors_doc, reason = "as above")]
    pub fn attempt_any(&mut self, mut sets: Vec<Set>) -> Result<Set, TooLarge> {
        while sets.len() > 1 {
            sets = sets.chunks(2).map(|pair| self.attempt(|solver| solver.any(pair.to_vec()))).collect::<Result<_, _>>()?;
        }
        Ok(sets.first().copied().unwrap_or(Set::NONE))
    }

    /// `a` where the bit is 1, `b` where it is 0.
    fn choose(&mut self, bit: u32, a: Set, b: Set) -> Result<Set, TooLarge> {
        let level = self.order.level(bit);
        let is_below = |solver: &Self, set: Set| solver.node(set.0).is_none_or(|n| n.level > level);
        if is_below(self, a) && is_below(self, b) {
            return self.make(level, b.0, a.0).map(Set);
        }
        let bit = self.bit(bit)?;
        let (a, b) = (self.and(bit, a)?, self.minus(b, bit)?);
        self.or(a, b)
    }

    /// The words in which a bit is 1.
    #[allow(clippy::missing_errors_doc, reason = "as above")]
    pub fn bit(&mut self, bit: u32) -> Result<Set, TooLarge> {
        self.make(self.order.level(bit), NONE, ALL).map(Set)
    }

    /// The words of a cube.
    #[allow(clippy::missing_errors_doc, reason = "as above")]
    pub fn cube(&mut self, cube: Cube) -> Result<Set, TooLarge> {
        let order = self.order;
        let mut at = ALL;
        for (level, bit) in order.bits().iter().enumerate().rev() {
            if cube.mask.has((*bit).into()) {
                let (lo, hi) = if cube.value.has((*bit).into()) { (NONE, at) } else { (at, NONE) };
                at = self.make(level as u16, lo, hi)?;
            }
        }
        Ok(Set(at))
    }

    /// A set whose bits are elsewhere here: its bit `i` is bit `place(i)`.
    fn import_at(&mut self, set: &WordSet, place: impl Fn(u16) -> u32) -> Result<Set, TooLarge> {
        if self.is_coarse {
            return Ok(if set.is_empty() { Set::NONE } else { Set::ALL });
        }
        let (nodes, root) = set.parts();
        let mut here = vec![Set::NONE, Set::ALL];
        for node in nodes {
            let next = self.choose(place(node.bit), here[node.hi as usize], here[node.lo as usize])?;
            here.push(next);
        }
        Ok(here[root as usize])
    }

    /// A set, of whatever order.
    #[allow(clippy::missing_errors_doc, reason = "as above")]
    pub fn import(&mut self, set: &WordSet) -> Result<Set, TooLarge> {
        self.import_at(set, u32::from)
    }

    /// A set whose bits are `shift` places higher here.
    #[allow(clippy::missing_errors_doc, reason = "as above")]
    pub fn import_shifted(&mut self, set: &WordSet, shift: u32) -> Result<Set, TooLarge> {
        self.import_at(set, |bit| u32::from(bit) + shift)
    }

    /// A set of values of some bits, `place[i]` for bit `i`, as one of words.
    #[allow(clippy::missing_errors_doc, reason = "as above")]
    pub fn place(&mut self, values: &WordSet, place: &[u32]) -> Result<Set, TooLarge> {
        self.import_at(values, |bit| place[usize::from(bit)])
    }

    /// The words that are in the set whatever the bits of `mask` are, or would be with those of `value`; it no longer depends on them.
    #[allow(clippy::missing_errors_doc, reason = "as above")]
    pub fn restrict(&mut self, set: Set, cube: Cube) -> Result<Set, TooLarge> {
        let set = self.freeze(set);
        let (nodes, root) = set.parts();
        let mut here = vec![NONE, ALL];
        for node in nodes {
            let (lo, hi) = (here[node.lo as usize], here[node.hi as usize]);
            here.push(match (cube.mask.has(node.bit.into()), cube.value.has(node.bit.into())) {
                (false, _) => self.make(node.level, lo, hi)?,
                (true, false) => lo,
                (true, true) => hi,
            });
        }
        Ok(Set(here[root as usize]))
    }

    /// The words that differ from one of the set in no other bits than these; the result does not depend on them.
    #[allow(clippy::missing_errors_doc, reason = "as above")]
    pub fn any_value(&mut self, set: Set, is_free: impl Fn(u32) -> bool) -> Result<Set, TooLarge> {
        let set = self.freeze(set);
        let (nodes, root) = set.parts();
        let mut here = vec![NONE, ALL];
        for node in nodes {
            let (lo, hi) = (here[node.lo as usize], here[node.hi as usize]);
            here.push(match is_free(node.bit.into()) {
                true => self.apply(Op::Or, lo, hi)?,
                false => self.make(node.level, lo, hi)?,
            });
        }
        Ok(Set(here[root as usize]))
    }

    /// The values of `bits` bits in these intervals, which ascend and don't overlap. For orders from the most significant bit on.
    #[allow(clippy::missing_errors_doc, reason = "as above")]
    pub fn intervals(&mut self, ranges: &[(Word, Word)], bits: u32) -> Result<Set, TooLarge> {
        self.intervals_below(ranges, Word::ZERO, bits).map(Set)
    }

    /// The set for the values that begin with `base` and have `open` free bits.
    fn intervals_below(&mut self, ranges: &[(Word, Word)], base: Word, open: u32) -> Result<u32, TooLarge> {
        let last = base | Word::ones(open);
        let from = ranges.partition_point(|r| r.1 < base);
        let to = ranges.partition_point(|r| r.0 <= last);
        let here = &ranges[from.min(to)..to];
        match here {
            [] => return Ok(NONE),
            [(a, b)] if *a <= base && *b >= last => return Ok(ALL),
            _ => {}
        }
        self.steps = self.steps.checked_sub(1).ok_or(TooLarge)?;
        let bit = open - 1;
        let lo = self.intervals_below(here, base, bit)?;
        let hi = self.intervals_below(here, base | Word::bit(bit), bit)?;
        let level = self.order.level(bit);
        self.make(level, lo, hi)
    }

    /// The bit that one of two sets asks for first.
    pub(super) fn first_bit(&self, a: Set, b: Set) -> u32 {
        let node = [self.node(a.0), self.node(b.0)].into_iter().flatten().min_by_key(|n| n.level);
        node.map_or(0, |n| n.bit.into())
    }

    /// The sets for 0 and 1 of a bit that is asked for no later than what they ask for.
    pub(super) fn sides(&self, set: Set, bit: u32) -> (Set, Set) {
        match self.node(set.0) {
            Some(node) if u32::from(node.bit) == bit => (Set(node.lo), Set(node.hi)),
            _ => (set, set),
        }
    }

    /// Bits with which a word is in the set, as far as it matters; `None` if it is empty.
    pub fn path(&self, set: Set) -> Option<Vec<(u32, bool)>> {
        let (mut at, mut path) = (set.0, Vec::new());
        while let Some(node) = self.node(at) {
            let one = node.lo == NONE;
            path.push((node.bit.into(), one));
            at = if one { node.hi } else { node.lo };
        }
        (at == ALL).then_some(path)
    }

    pub(super) fn branch(&mut self, bit: u32, lo: Set, hi: Set) -> Result<Set, TooLarge> {
        self.steps = self.steps.checked_sub(1).ok_or(TooLarge)?;
        self.choose(bit, hi, lo)
    }

    /// The set as a diagram of its own.
    pub fn freeze(&mut self, set: Set) -> WordSet {
        match set {
            Set::NONE => return WordSet::empty(),
            Set::ALL => return WordSet::all(),
            _ => {}
        }
        if let Some(frozen) = self.frozen.get(&set.0) {
            return frozen.clone();
        }
        let mut nodes = Vec::new();
        let root = copy(&self.nodes, set.0, &mut FxHashMap::default(), &mut nodes);
        let frozen = WordSet::new(nodes, root);
        self.frozen.insert(set.0, frozen.clone());
        frozen
    }
}
