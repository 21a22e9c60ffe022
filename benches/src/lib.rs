//! What the benchmarks share: words to decode in random order, and a clock.

use std::hint::black_box;
use std::time::Instant;

/// Words per run: 1 Mi.
pub const WORDS: usize = 1 << 20;

/// Runs over all words, after one to warm up.
pub const RUNS: usize = 25;

/// The Ampere words of the vectors.
///
/// # Panics
/// When `tests/vectors` is not beside this crate.
pub fn ampere_words() -> Vec<u128> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors/ampere-sm80.tsv");
    let text = std::fs::read_to_string(path).expect("the vectors stand in tests/vectors");
    let lines = text.lines().filter(|l| !l.starts_with('#'));
    lines.filter_map(|l| u128::from_str_radix(l.split('\t').next()?, 16).ok()).collect()
}

/// Words of compiled AArch64 code, in its own order.
pub fn aarch64_words() -> Vec<u32> {
    let bytes = include_bytes!("../data/aarch64-rpds.bin");
    bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

/// [`WORDS`] of the elements in random order, the same in every run (splitmix64).
///
/// # Panics
/// When there is nothing to draw from.
pub fn draw<T: Clone>(from: &[T]) -> Vec<T> {
    assert!(!from.is_empty(), "there is something to measure");
    let mut state = 0x1234_5678_u64;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    (0..WORDS).map(|_| from[(next() % from.len() as u64) as usize].clone()).collect()
}

/// Items that are timed together: short enough that in some run nothing else gets in between.
const SLICE: usize = 1 << 13;

/// Nanoseconds an item.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    /// Each slice of the items in the best of [`RUNS`] runs.
    pub best: f64,
    /// All items in the run that is in the middle.
    pub median: f64,
}

/// Runs over all items, again and again. What `run` returns is added up, so that none of it can be left out.
pub fn time<T>(items: &[T], mut run: impl FnMut(&T) -> u64) -> Time {
    let mut best = vec![f64::INFINITY; items.len().div_ceil(SLICE)];
    let mut runs = Vec::new();
    for _ in 0..=RUNS {
        let mut all = 0.0;
        for (slice, best) in items.chunks(SLICE).zip(&mut best) {
            let start = Instant::now();
            let mut sum = 0u64;
            for item in slice {
                sum = sum.wrapping_add(run(item));
            }
            black_box(sum);
            let time = start.elapsed().as_nanos() as f64;
            all += time;
            *best = best.min(time);
        }
        runs.push(all);
    }
    let count = items.len() as f64;
    // The first one warms up.
    runs.remove(0);
    runs.sort_by(f64::total_cmp);
    Time { best: best.iter().sum::<f64>() / count, median: runs[RUNS / 2] / count }
}
