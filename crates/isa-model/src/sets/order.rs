//! The order in which diagrams ask for the bits of a word: it decides how large they are.

use crate::bits::Word;

/// An order of the bits of a word, the first one asked first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    bits: Vec<u16>,
    levels: Vec<u16>,
}

impl Order {
    /// The order from the most significant bit to the least.
    pub fn descending(bits: u32) -> Self {
        Self::new((0..bits as u16).rev().collect())
    }

    pub(super) fn new(bits: Vec<u16>) -> Self {
        let mut levels = vec![0; bits.len()];
        bits.iter().zip(0..).for_each(|(bit, level)| levels[usize::from(*bit)] = level);
        Self { bits, levels }
    }

    /// An order in which bits that are tested together are close to each other: each group has the bits of a part of a condition.
    /// Small groups count for more: in `a0 == b0 && a1 == b1` it is `a0` and `b0` that belong together.
    ///
    /// This is the FORCE heuristic: every bit moves to the centre of its groups, until that brings them no closer.
    pub fn near(bits: u32, groups: &[Word]) -> Self {
        let mut groups: Vec<Word> = groups.iter().copied().filter(|g| g.count_ones() > 1).collect();
        groups.sort_unstable();
        groups.dedup();
        let mut best = Self::descending(bits);
        let mut least = best.span(&groups);
        let mut order = best.clone();
        for _ in 0..MAX_ROUNDS {
            order = order.closer(&groups);
            let span = order.span(&groups);
            if span >= least {
                break;
            }
            (best, least) = (order.clone(), span);
        }
        best
    }

    /// An order for pairs of words, the bits of the second from [`Word::BITS`] on: each bit beside the same one of the other word, or, of
    /// words of other lengths, beside the one that is asked as early.
    pub fn paired(first: &Self, second: &Self) -> Self {
        let most = first.bits.len().max(second.bits.len());
        let one = |order: &Self, i: usize, shift: u16| order.bits.get(i).map(|bit| bit + shift);
        let second = if first.bits.len() == second.bits.len() { first } else { second };
        let bits: Vec<u16> = (0..most).flat_map(|i| [one(first, i, 0), one(second, i, Word::BITS as u16)]).flatten().collect();
        let mut levels = vec![u16::MAX; 2 * Word::BITS as usize];
        bits.iter().zip(0..).for_each(|(bit, level)| levels[usize::from(*bit)] = level);
        Self { bits, levels }
    }

    /// The same order, but for these bits, which are asked first.
    #[must_use]
    pub fn beginning_with(self, first: Word) -> Self {
        let (mut bits, others): (Vec<u16>, Vec<u16>) = self.bits.iter().partition(|bit| first.has(u32::from(**bit)));
        bits.extend(others);
        Self::new(bits)
    }

    /// The sum of the distances that the groups span, small groups weighing more.
    fn span(&self, groups: &[Word]) -> f64 {
        let spread = |group: &Word| {
            let levels = || members(*group).map(|b| f64::from(self.levels[b]));
            let (first, last) = levels().fold((f64::MAX, 0.0_f64), |(a, b), l| (a.min(l), b.max(l)));
            (last - first) * weight(*group)
        };
        groups.iter().map(spread).sum()
    }

    /// Every bit at the centre of its groups; what is in none stays where it is.
    fn closer(&self, groups: &[Word]) -> Self {
        let mut sums = vec![(0.0, 0.0); self.bits.len()];
        for group in groups {
            let centre = members(*group).map(|b| f64::from(self.levels[b])).sum::<f64>() / f64::from(group.count_ones());
            for bit in members(*group) {
                sums[bit].0 += centre * weight(*group);
                sums[bit].1 += weight(*group);
            }
        }
        let place = |bit: &u16| {
            let (sum, weights) = sums[usize::from(*bit)];
            if weights > 0.0 { sum / weights } else { f64::from(self.levels[usize::from(*bit)]) }
        };
        let mut bits = self.bits.clone();
        bits.sort_by(|a, b| place(a).total_cmp(&place(b)));
        Self::new(bits)
    }

    /// The bits, the first one asked first.
    pub fn bits(&self) -> &[u16] {
        &self.bits
    }

    /// The position of a bit.
    pub fn level(&self, bit: u32) -> u16 {
        self.levels[bit as usize]
    }
}

/// The greatest number of rounds.
const MAX_ROUNDS: usize = 40;

fn weight(group: Word) -> f64 {
    1.0 / f64::from(group.count_ones()).powi(2)
}

fn members(group: Word) -> impl Iterator<Item = usize> {
    group.bits().map(|bit| bit as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_that_are_compared_come_to_stand_together() {
        let pairs: Vec<Word> = (0..32).map(|i| Word::bit(i) | Word::bit(i + 32)).collect();
        let order = Order::near(64, &pairs);
        for i in 0..32 {
            let (a, b) = (order.level(i), order.level(i + 32));
            assert!(a.abs_diff(b) <= 2, "{i}: {a} and {b}");
        }
        assert_eq!(Order::near(8, &[]), Order::descending(8));
    }

    #[test]
    fn an_order_can_begin_with_some_bits() {
        let order = Order::descending(8).beginning_with(Word::from(0b101u32));
        assert_eq!(order.bits(), [2, 0, 7, 6, 5, 4, 3, 1]);
        assert_eq!(order.level(7), 2);
    }
}
