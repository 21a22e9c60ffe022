//! Free addresses: the highest ones that fit are found in a time that grows with the logarithm of the number of mappings.

use isa_sim::PAGE;
use std::ops::RangeInclusive;

/// Pages, by halves: a tree in which a node is split only if some of its pages are free and some are not.
#[derive(Debug)]
enum Node {
    Free,
    Taken,
    Split(Box<Halves>),
}

#[derive(Debug)]
struct Halves {
    low: Node,
    high: Node,
    runs: Runs,
}

/// The numbers of adjacent free pages of a node.
#[derive(Clone, Copy, Debug)]
struct Runs {
    /// Those at its beginning.
    first: u64,
    /// Those at its end.
    last: u64,
    /// The most.
    longest: u64,
}

impl Node {
    fn runs(&self, pages: u64) -> Runs {
        let all = |free| Runs { first: free, last: free, longest: free };
        match self {
            Self::Free => all(pages),
            Self::Taken => all(0),
            Self::Split(halves) => halves.runs,
        }
    }

    /// Two nodes of `half` pages as one.
    fn join(low: Self, high: Self, half: u64) -> Self {
        let (below, above) = (low.runs(half), high.runs(half));
        match (below.longest + above.longest, &low, &high) {
            (0, ..) => Self::Taken,
            (_, Self::Free, Self::Free) => Self::Free,
            _ => {
                let first = if below.first == half { half + above.first } else { below.first };
                let last = if above.last == half { half + below.last } else { above.last };
                let longest = below.longest.max(above.longest).max(below.last + above.first);
                Self::Split(Box::new(Halves { low, high, runs: Runs { first, last, longest } }))
            }
        }
    }

    /// Sets some of its pages, numbered from 0 up.
    fn set(&mut self, pages: u64, first: u64, last: u64, is_free: bool) {
        let new = || if is_free { Self::Free } else { Self::Taken };
        if first == 0 && last == pages - 1 {
            *self = new();
            return;
        }
        let half = pages / 2;
        let (mut low, mut high) = match std::mem::replace(self, Self::Taken) {
            Self::Free => (Self::Free, Self::Free),
            Self::Taken => (Self::Taken, Self::Taken),
            Self::Split(halves) => (halves.low, halves.high),
        };
        if first < half {
            low.set(half, first, last.min(half - 1), is_free);
        }
        if last >= half {
            high.set(half, first.saturating_sub(half), last - half, is_free);
        }
        *self = Self::join(low, high, half);
    }

    /// The first of the highest `count` adjacent free pages.
    fn highest(&self, pages: u64, count: u64) -> Option<u64> {
        if self.runs(pages).longest < count {
            return None;
        }
        let Self::Split(halves) = self else { return Some(pages - count) };
        let half = pages / 2;
        let above = halves.high.runs(half).first;
        if let Some(found) = halves.high.highest(half, count) {
            Some(half + found)
        } else if halves.low.runs(half).last + above >= count {
            Some(half + above - count)
        } else {
            halves.low.highest(half, count)
        }
    }
}

/// The free ones of some addresses, in pages.
#[derive(Debug)]
pub(super) struct Free {
    root: Node,
    /// The pages of the tree, a power of two, and those that may be used: others are always taken.
    pages: u64,
    usable: RangeInclusive<u64>,
}

impl Free {
    /// All addresses from `low` on and below `end`.
    pub(super) fn new(low: u64, end: u64) -> Self {
        let usable = low.div_ceil(PAGE)..=(end / PAGE).saturating_sub(1);
        let mut free = Self { root: Node::Taken, pages: (end / PAGE).max(1).next_power_of_two(), usable };
        free.set(&(0..=u64::MAX), true);
        free
    }

    /// Frees addresses, or takes them.
    pub(super) fn set(&mut self, at: &RangeInclusive<u64>, is_free: bool) {
        let (first, last) = ((at.start() / PAGE).max(*self.usable.start()), (at.end() / PAGE).min(*self.usable.end()));
        if first <= last {
            self.root.set(self.pages, first, last, is_free);
        }
    }

    /// The highest free addresses of `bytes` bytes, in whole pages.
    pub(super) fn find(&self, bytes: u64) -> Option<RangeInclusive<u64>> {
        let size = bytes.checked_next_multiple_of(PAGE).filter(|size| *size > 0)?;
        let first = self.root.highest(self.pages, size / PAGE)? * PAGE;
        Some(first..=first + (size - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random changes of a few pages, against a list of them.
    #[test]
    fn the_highest_free_pages_are_found() {
        let (low, pages) = (3, 45);
        let mut free = Free::new(low * PAGE, pages * PAGE + 1);
        let mut list: Vec<bool> = (0..pages).map(|page| page >= low).collect();
        let mut random = 1_u64;
        let mut next = |most: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) % most
        };
        for _ in 0..5000 {
            let (first, count, is_free) = (next(pages + 5), next(6), next(2) == 0);
            free.set(&(first * PAGE..=(first + count) * PAGE + 5), is_free);
            (first.max(low)..=(first + count).min(pages - 1)).for_each(|page| list[page as usize] = is_free);
            let wanted = 1 + next(12);
            let fits = |first: &u64| (*first..first + wanted).all(|page| list.get(page as usize) == Some(&true));
            let expected = (0..pages).rev().find(fits).map(|first| first * PAGE..=(first + wanted) * PAGE - 1);
            assert_eq!(free.find(wanted * PAGE - 7), expected);
        }
        assert_eq!((free.find(0), free.find(u64::MAX)), (None, None));
    }
}
