//! Hard operands, and random ones that often are hard.

use isa_sim::soft::*;

pub(crate) const ROUNDS: [Round; 5] = [Round::Nearest, Round::Zero, Round::Down, Round::Up, Round::Away];

/// The rules of all machines, and both flushes.
pub(crate) fn machines() -> Vec<Rules> {
    let flushing = |rules| Rules { flush_inputs: true, flush_results: true, ..rules };
    vec![
        Rules::RISCV,
        Rules::X86,
        Rules::ARM,
        Rules::NVIDIA,
        flushing(Rules::X86),
        flushing(Rules::ARM),
        Rules { flush_inputs: true, invalid_product_quiet: true, ..Rules::ARM },
        Rules { flush_results: true, nan_integer: NanInteger::Largest, ..Rules::X86 },
        Rules { nan: NanRule::First, tiny_before: true, ..Rules::RISCV },
        Rules { finite_results: true, ..Rules::NVIDIA },
    ]
}

/// The patterns, in both signs, at or next to any border.
pub(crate) fn hard(f: Format) -> Vec<u64> {
    let infinity = ((1u64 << f.exponent) - 1) << f.fraction;
    let normal = 1u64 << f.fraction;
    let one = (infinity / 2) & infinity;
    let power = |n: u64| one + n.min((one >> f.fraction) - 1) * normal;
    let quiet = normal / 2;
    let all = [
        0,
        1,
        2,
        3,
        (quiet - 1) & (normal - 1),
        quiet,
        normal - 2,
        normal - 1,
        normal,
        normal + 1,
        2 * normal - 1,
        2 * normal,
        (one / 2) & infinity,
        one - normal,
        one - normal + 1,
        one - 2,
        one - 1,
        one,
        one + 1,
        one + quiet,
        one + quiet + 1,
        one + normal - 1,
        power(1),
        power(1) + quiet,
        power(f.fraction.into()) - 1,
        power(f.fraction.into()),
        power(f.fraction.into()) + 1,
        power(u64::from(f.fraction) + 1) + 1,
        infinity - normal,
        infinity - 2,
        infinity - 1,
        infinity,
        infinity + 1,
        infinity + quiet - 1,
        infinity + quiet,
        infinity + quiet + 1,
        infinity + normal - 1,
    ];
    let mut all: Vec<_> = all.into_iter().flat_map(|x| [x, x | 1 << (f.width() - 1)]).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// A few of them, for triples.
pub(crate) fn few(f: Format) -> Vec<u64> {
    let infinity = ((1u64 << f.exponent) - 1) << f.fraction;
    let normal = 1u64 << f.fraction;
    let one = (infinity / 2) & infinity;
    let all = [
        0,
        1,
        normal - 1,
        normal,
        normal + 1,
        (one / 2) & infinity,
        one - 1,
        one,
        one + 1,
        infinity - 1,
        infinity,
        infinity + 1,
        infinity + normal / 2 + 1,
    ];
    all.into_iter().flat_map(|x| [x, x | 1 << (f.width() - 1)]).collect()
}

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.word() % n
    }

    /// Any bits; or runs of ones and zeros; with a middle, low, high or any exponent.
    pub(crate) fn pattern(&mut self, f: Format) -> u64 {
        let all = u64::MAX >> (64 - f.width());
        let top = (1u64 << f.exponent) - 1;
        let field = match self.below(8) {
            0 => self.below(3),
            1 => top - self.below(3),
            2 => (top / 2 + self.below(2 * u64::from(f.fraction) + 4)).saturating_sub(u64::from(f.fraction) + 2).min(top),
            3 => self.below(u64::from(f.fraction) + 4).min(top),
            4 | 5 => (top / 2 + self.below(5)).saturating_sub(2).min(top),
            _ => self.word() & top,
        };
        let fraction = match self.below(4) {
            0 => self.word() & self.word() & self.word(),
            1 => (u64::MAX << self.below(64)) ^ (u64::MAX << self.below(64)),
            2 => self.below(4).wrapping_sub(2),
            _ => self.word(),
        };
        (self.word() << 63 >> (64 - f.width()) | field << f.fraction | fraction & ((1 << f.fraction) - 1)) & all
    }

    /// Three operands, which may be near each other; the third may nearly cancel the product.
    pub(crate) fn triple(&mut self, f: Format) -> [u64; 3] {
        let all = u64::MAX >> (64 - f.width());
        let (a, mut b, mut c) = (self.pattern(f), self.pattern(f), self.pattern(f));
        let near = self.below(9).wrapping_sub(4);
        let sign = self.word() << 63 >> (64 - f.width());
        if self.below(4) == 0 {
            b = (a ^ sign).wrapping_add(near) & all;
        }
        if self.below(3) == 0 {
            let product = mul(f, &Rules::RISCV, a, b, ROUNDS[self.below(5) as usize]).0;
            c = (product ^ 1 << (f.width() - 1)).wrapping_add(near) & all;
        }
        [a, b, c]
    }
}
