//! What the benchmarks share: words to decode, and a clock that takes the best of several runs.

use std::hint::black_box;
use std::time::Instant;

/// Words per run: 1 Mi.
pub const WORDS: usize = 1 << 20;

/// The Ampere words of the vectors, drawn in random order until there are [`WORDS`] of them.
///
/// # Panics
/// When `tests/vectors` is not beside this crate.
pub fn ampere_words() -> Vec<u128> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors/ampere-sm80.tsv");
    let text = std::fs::read_to_string(path).expect("the vectors stand in tests/vectors");
    let lines = text.lines().filter(|l| !l.starts_with('#'));
    let words: Vec<u128> = lines.filter_map(|l| u128::from_str_radix(l.split('\t').next()?, 16).ok()).collect();
    draw(&words)
}

/// Real AArch64 words in random order, [`WORDS`] of them.
pub fn aarch64_words() -> Vec<u32> {
    let bytes = include_bytes!("../data/aarch64-rpds.bin");
    let words: Vec<u32> = bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    draw(&words)
}

/// Elements in random order, the same in every run (splitmix64).
fn draw<T: Copy>(from: &[T]) -> Vec<T> {
    let mut state = 0x1234_5678_u64;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    (0..WORDS).map(|_| from[(next() % from.len() as u64) as usize]).collect()
}

/// Nanoseconds an item: the best of nine runs over all items, after one to warm up.
pub fn best<T>(items: &[T], mut run: impl FnMut(&T) -> u64) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..10 {
        let start = Instant::now();
        let mut sum = 0u64;
        for item in items {
            sum = sum.wrapping_add(run(item));
        }
        black_box(sum);
        best = best.min(start.elapsed().as_nanos() as f64 / items.len() as f64);
    }
    best
}
