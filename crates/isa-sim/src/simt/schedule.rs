//! Orders of blocks, warps and groups of lanes other than the usual one.

/// Pseudorandom numbers from a seed.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    /// The numbers of a block under a seed.
    pub(super) const fn of(seed: u64, block: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ block.wrapping_add(1).wrapping_mul(0xd1b5_4a32_d192_ed03))
    }

    /// The next number (SplitMix64).
    pub(super) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// A number below `end`; 0 if that is 0.
    pub(super) const fn below(&mut self, end: u64) -> u64 {
        let next = self.next();
        if end == 0 { 0 } else { next % end }
    }

    /// Puts things into another order.
    pub(super) fn shuffle<T>(&mut self, things: &mut [T]) {
        for i in (1..things.len()).rev() {
            things.swap(i, self.below(i as u64 + 1) as usize);
        }
    }
}

/// A permutation of blocks from a seed.
pub(super) struct Order {
    blocks: u64,
    step: u64,
    first: u64,
}

impl Order {
    /// The order of `blocks` blocks; without a seed their own.
    pub(super) fn of(seed: Option<u64>, blocks: u64) -> Self {
        let Some(seed) = seed.filter(|_| blocks > 1) else { return Self { blocks, step: 1, first: 0 } };
        let mut random = Random::of(seed, u64::MAX);
        let first = random.below(blocks);
        let step = std::iter::repeat_with(|| 1 + random.below(blocks)).find(|step| divisor(*step, blocks) == 1).unwrap_or(1);
        Self { blocks, step, first }
    }

    /// The number of the block at a place.
    pub(super) fn at(&self, place: u64) -> u64 {
        if self.blocks == 0 {
            return 0;
        }
        ((u128::from(place) * u128::from(self.step) + u128::from(self.first)) % u128::from(self.blocks)) as u64
    }
}

const fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_block_comes_once() {
        for blocks in [1, 2, 7, 12, 360] {
            for seed in [None, Some(0), Some(1), Some(77)] {
                let order = Order::of(seed, blocks);
                let mut all: Vec<u64> = (0..blocks).map(|place| order.at(place)).collect();
                all.sort_unstable();
                assert!(all.into_iter().eq(0..blocks), "{seed:?} {blocks}");
            }
        }
    }
}
