//! A set of words as a diagram of its own.

use super::{Count, Cube, cube};
use crate::bits::Word;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::hash::BuildHasher;
use std::sync::Arc;

/// A question about one bit: where to go on if it is 0, and if it is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Node {
    /// The position of the bit in the order.
    pub(super) level: u16,
    pub(super) bit: u16,
    pub(super) lo: u32,
    pub(super) hi: u32,
}

/// No word, and every word; nodes are numbered from 2 on.
pub(super) const NONE: u32 = 0;
pub(super) const ALL: u32 = 1;

/// A set of words: a reduced ordered decision diagram. Sets that were made in one order are equal if they have the same words.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WordSet {
    /// Children before their parents.
    nodes: Arc<[Node]>,
    root: u32,
}

impl WordSet {
    pub(super) fn new(nodes: Vec<Node>, root: u32) -> Self {
        Self { nodes: nodes.into(), root }
    }

    /// No word.
    pub fn empty() -> Self {
        Self { nodes: Arc::default(), root: NONE }
    }

    /// Every word.
    pub fn all() -> Self {
        Self { nodes: Arc::default(), root: ALL }
    }

    /// The nodes, children before their parents, and the root.
    pub(super) fn parts(&self) -> (&[Node], u32) {
        (&self.nodes, self.root)
    }

    /// The steps of the diagram, children before their parents, and the number of the first: each step is a bit and where to go on if
    /// it is clear and if it is set. Numbers 0 and 1 are no and yes; the steps are numbered from 2 on.
    pub fn diagram(&self) -> (impl Iterator<Item = (u16, u32, u32)> + '_, u32) {
        (self.nodes.iter().map(|n| (n.bit, n.lo, n.hi)), self.root)
    }

    /// True if there is no word in it.
    pub fn is_empty(&self) -> bool {
        self.root == NONE
    }

    /// True if every word is in it.
    pub fn is_all(&self) -> bool {
        self.root == ALL
    }

    /// The number of nodes of the diagram.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    fn node(&self, at: u32) -> Option<&Node> {
        self.nodes.get(at.checked_sub(2)? as usize)
    }

    /// True if the word is in it.
    pub fn contains(&self, word: Word) -> bool {
        let mut at = self.root;
        while let Some(node) = self.node(at) {
            at = if word.has(node.bit.into()) { node.hi } else { node.lo };
        }
        at == ALL
    }

    /// True if some word that agrees with `word` in the bits of `known` is in it.
    pub fn meets(&self, word: Word, known: Word) -> bool {
        let can = self.fold(false, true, |node, lo, hi| match (known.has(node.bit.into()), word.has(node.bit.into())) {
            (false, _) => *lo || *hi,
            (true, false) => *lo,
            (true, true) => *hi,
        });
        can.1
    }

    /// True if all words that agree with `word` in the bits of `known` are in it.
    pub fn covers(&self, word: Word, known: Word) -> bool {
        let must = self.fold(false, true, |node, lo, hi| match (known.has(node.bit.into()), word.has(node.bit.into())) {
            (false, _) => *lo && *hi,
            (true, false) => *lo,
            (true, true) => *hi,
        });
        must.1
    }

    /// The words that are not in it.
    pub fn complement(&self) -> Self {
        let other = |at: u32| match at {
            NONE => ALL,
            ALL => NONE,
            at => at,
        };
        let nodes = self.nodes.iter().map(|n| Node { lo: other(n.lo), hi: other(n.hi), ..*n }).collect();
        Self { nodes, root: other(self.root) }
    }

    /// The set with the bits of a cube's mask replaced by its value, so that it no longer depends on them.
    pub fn restricted(&self, cube: Cube) -> Self {
        if (self.support() & cube.mask).is_zero() {
            return self.clone();
        }
        let mut known: HashMap<Node, u32> = HashMap::new();
        let mut nodes: Vec<Node> = Vec::new();
        let mut here = vec![NONE, ALL];
        for node in self.nodes.iter() {
            let (lo, hi) = (here[node.lo as usize], here[node.hi as usize]);
            here.push(match (cube.mask.has(node.bit.into()), cube.value.has(node.bit.into())) {
                (false, _) if lo != hi => *known.entry(Node { lo, hi, ..*node }).or_insert_with(|| {
                    nodes.push(Node { lo, hi, ..*node });
                    nodes.len() as u32 + 1
                }),
                (false, _) | (true, false) => lo,
                (true, true) => hi,
            });
        }
        let mut kept = Vec::new();
        let root = copy(&nodes, here[self.root as usize], &mut HashMap::new(), &mut kept);
        Self::new(kept, root)
    }

    /// The bits that it depends on.
    pub fn support(&self) -> Word {
        self.nodes.iter().fold(Word::ZERO, |mask, n| mask | Word::bit(n.bit.into()))
    }

    /// A value for each node from those of its two sides, up to that of the root; with all of them.
    fn fold<T: Clone>(&self, none: T, all: T, join: impl Fn(&Node, &T, &T) -> T) -> (Vec<T>, T) {
        let mut values = Vec::with_capacity(self.nodes.len() + 2);
        values.push(none);
        values.push(all);
        for node in self.nodes.iter() {
            values.push(join(node, &values[node.lo as usize], &values[node.hi as usize]));
        }
        let root = values[self.root as usize].clone();
        (values, root)
    }

    /// The number of words of `bits` bits in the set.
    pub fn count(&self, bits: u32) -> Count {
        // Levels that are passed over double what follows them, so count with the levels of the bits that are asked for.
        let levels: Vec<u16> = {
            let mut levels: Vec<u16> = self.nodes.iter().map(|n| n.level).collect();
            levels.sort_unstable();
            levels.dedup();
            levels
        };
        let depth = |at: u32| match self.node(at) {
            Some(node) => levels.binary_search(&node.level).unwrap_or(0),
            None => levels.len(),
        };
        let mut counts = vec![Count::default(), Count::power(0)];
        for node in self.nodes.iter() {
            let own = levels.binary_search(&node.level).unwrap_or(0);
            let side = |at: u32| counts[at as usize].shifted((depth(at) - own - 1) as u32);
            let mut count = side(node.lo);
            count.add(&side(node.hi));
            counts.push(count);
        }
        let rest = bits.saturating_sub(levels.len() as u32);
        counts[self.root as usize].shifted(depth(self.root) as u32 + rest)
    }

    /// The word of the set that differs from `word` in the fewest bits and agrees with it in those of `known`; of several, the smallest
    /// number. `None` if there is none.
    pub fn nearest(&self, word: Word, known: Word) -> Option<Word> {
        let (_, best) = self.fold(None, Some((0u32, word)), |node, lo, hi| {
            let bit = Word::bit(node.bit.into());
            let (same, other) = if (word & bit).is_zero() { (lo, hi) } else { (hi, lo) };
            let changed = other.filter(|_| (known & bit).is_zero()).map(|(n, word)| (n + 1, word ^ bit));
            [*same, changed].into_iter().flatten().min()
        });
        best.map(|(_, word)| word)
    }

    /// One word of it.
    pub fn first(&self) -> Option<Word> {
        self.nearest(Word::ZERO, Word::ZERO)
    }

    /// The smallest cube around the set; every word, if it is empty.
    pub fn hull(&self) -> Cube {
        let (_, hull) = self.fold(None, Some(Cube::ALL), |node, lo, hi| {
            let bit = Word::bit(node.bit.into());
            match (*lo, *hi) {
                (Some(lo), Some(hi)) => {
                    let mask = lo.mask & hi.mask & !(lo.value ^ hi.value);
                    Some(Cube::new(mask, lo.value))
                }
                (Some(lo), None) => Some(Cube { mask: lo.mask | bit, value: lo.value }),
                (None, Some(hi)) => Some(Cube { mask: hi.mask | bit, value: hi.value | bit }),
                (None, None) => None,
            }
        });
        hull.unwrap_or(Cube::ALL)
    }

    /// The set as one cube, if it is one.
    pub fn as_cube(&self) -> Option<Cube> {
        let is_path = self.root != NONE && self.nodes.iter().all(|n| n.lo == NONE || n.hi == NONE);
        is_path.then(|| self.hull())
    }

    /// Its only value of `bits` bits, if it has exactly one.
    pub fn only(&self, bits: u32) -> Option<Word> {
        self.as_cube().filter(|c| c.mask & Word::ones(bits) == Word::ones(bits)).map(|c| c.value)
    }

    /// The number of cubes that [`WordSet::cubes`] makes of it; at most `u64::MAX` are counted.
    pub fn cube_count(&self) -> u64 {
        self.fold(0, 1u64, |_, lo, hi| lo.saturating_add(*hi)).1
    }

    /// The set as cubes that don't overlap, unless there are more than `most` of them.
    pub fn cubes(&self, most: usize) -> Option<Vec<Cube>> {
        (self.cube_count() <= most as u64).then(|| cube::merge(self.largest_cubes(most)))
    }

    /// Up to `most` cubes of the set that don't overlap, the largest first.
    pub fn largest_cubes(&self, most: usize) -> Vec<Cube> {
        // The number of bits that the largest cube below each node fixes.
        let (least, _) = self.fold(None, Some(0u32), |_, lo, hi| [*lo, *hi].into_iter().flatten().min().map(|n| n + 1));
        let mut open = BinaryHeap::new();
        let mut cubes = Vec::new();
        let add = |open: &mut BinaryHeap<_>, at: u32, cube: Cube| {
            if let Some(more) = least[at as usize] {
                // Prefer, among equally large ones, the cube that is nearly complete: otherwise very many would be begun first.
                let fixed = cube.mask.count_ones();
                open.push(Reverse((fixed + more, Reverse(fixed), cube.value, cube.mask, at)));
            }
        };
        add(&mut open, self.root, Cube::ALL);
        while let Some(Reverse((_, _, value, mask, at))) = open.pop().filter(|_| cubes.len() < most) {
            match self.node(at) {
                None => cubes.push(Cube { mask, value }),
                Some(node) => {
                    let bit = Word::bit(node.bit.into());
                    add(&mut open, node.lo, Cube { mask: mask | bit, value });
                    add(&mut open, node.hi, Cube { mask: mask | bit, value: value | bit });
                }
            }
        }
        cubes
    }

    /// The values of `bits` bits in it, as intervals in ascending order, unless there are more than `most`. For sets that ask for the
    /// most significant bit first.
    pub fn ranges(&self, bits: u32, most: usize) -> Option<Vec<(Word, Word)>> {
        let mut ranges = Vec::new();
        self.ranges_below(self.root, bits, Word::ZERO, most, &mut ranges).then_some(ranges)
    }

    /// Adds the intervals of the values that begin with `base` and have `open` free bits; returns false if there are more than
    /// `most`.
    fn ranges_below(&self, at: u32, open: u32, base: Word, most: usize, ranges: &mut Vec<(Word, Word)>) -> bool {
        if at == NONE {
            return true;
        }
        if at == ALL {
            match ranges.last_mut() {
                Some((_, to)) if to.checked_add(Word::bit(0)) == Some(base) => *to = base | Word::ones(open),
                _ => ranges.push((base, base | Word::ones(open))),
            }
            return ranges.len() <= most;
        }
        let bit = open - 1;
        let (lo, hi) = match self.node(at) {
            Some(node) if u32::from(node.bit) == bit => (node.lo, node.hi),
            _ => (at, at),
        };
        self.ranges_below(lo, bit, base, most, ranges) && self.ranges_below(hi, bit, base | Word::bit(bit), most, ranges)
    }
}

/// Copies what is below a node of `from`, the side of 0 first: so that equal sets have equal diagrams.
pub(super) fn copy<S: BuildHasher>(from: &[Node], at: u32, numbers: &mut HashMap<u32, u32, S>, nodes: &mut Vec<Node>) -> u32 {
    if at == NONE || at == ALL {
        return at;
    }
    if let Some(number) = numbers.get(&at) {
        return *number;
    }
    let node = from[at as usize - 2];
    let lo = copy(from, node.lo, numbers, nodes);
    let hi = copy(from, node.hi, numbers, nodes);
    nodes.push(Node { lo, hi, ..node });
    let number = nodes.len() as u32 + 1;
    numbers.insert(at, number);
    number
}
