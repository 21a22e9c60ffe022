//! Compares `isa_sim::soft` with Berkeley SoftFloat: every function of both, in five directions, with tininess before and after
//! rounding, results and flags; on pairs of hard operands, and on `ISA_SOFT_CASES` random ones for each format (a million).
//!
//! ```text
//! cargo run --release --locked --manifest-path crates/isa-sim/tests/berkeley/Cargo.toml
//! ```
//!
//! With NaNs as SSE has them: `--no-default-features --features sse`. Besides Rust it needs a C compiler.

#[path = "../../soft/functions.rs"]
mod functions;
#[allow(dead_code, reason = "the tests of isa-sim need more of it")]
#[path = "../../soft/operands.rs"]
mod operands;
mod softfloat;

use functions::{Case, comparisons, differs, format, rounding, rules};
use isa_sim::soft::*;
use operands::{ROUNDS, Random, few, hard};
use softfloat::{Theirs, raised, theirs};

const MACHINE: &str = if cfg!(feature = "sse") { "8086-SSE" } else { "RISCV" };

/// A function of both.
struct Function {
    name: String,
    ours: Box<Case>,
    theirs: Theirs,
    rounds: bool,
}

impl Function {
    /// Compares both on some operands, and returns the number of comparisons.
    fn compare(&self, rules: &Rules, operands: [u64; 3]) -> u64 {
        let directions = if self.rounds { &ROUNDS[..] } else { &ROUNDS[..1] };
        for &round in directions {
            for tiny_before in [false, true] {
                let found = (self.ours)(&Rules { tiny_before, ..*rules }, round, &operands);
                let (bits, flags) = raised(tiny_before, round, || (self.theirs)(operands, round));
                let bits = if differs(rules, &self.name, &operands, flags) { found.0 } else { bits };
                assert_eq!(found, (bits, flags), "{} {round:?} {operands:x?}, tiny before: {tiny_before}", self.name);
            }
        }
        2 * directions.len() as u64
    }
}

/// All functions of a format: from it or of it, and from integers to it.
fn functions(float: &str) -> (Vec<Function>, Vec<Function>) {
    let all = rounding().into_iter().map(|of| (of, true)).chain(comparisons().into_iter().map(|of| (of, false)));
    let mut theirs = theirs();
    let all = all.map(|((name, ours), rounds)| {
        let theirs = theirs.remove(name.as_str()).unwrap_or_else(|| panic!("SoftFloat has no {name}"));
        Function { name, ours, theirs, rounds }
    });
    let (of_floats, of_integers): (Vec<_>, Vec<_>) = all.partition(|function| function.name.starts_with('f'));
    let to = format!("_to_{float}");
    (
        of_floats.into_iter().filter(|function| function.name.starts_with(float)).collect(),
        of_integers.into_iter().filter(|function| function.name.ends_with(&to)).collect(),
    )
}

/// Compares all functions of a format, and returns the numbers of functions and comparisons.
fn compare_all(float: &str, cases: u64) -> (usize, u64) {
    let (f, rules, (of_floats, of_integers)) = (format(float), rules(MACHINE), functions(float));
    let of = |functions: &[Function], operands| functions.iter().map(|function| function.compare(&rules, operands)).sum::<u64>();
    let mut comparisons = 0;
    let mut floats = |operands| comparisons += of(&of_floats, operands);
    let (hard, few) = (hard(f), few(f));
    for (i, &a) in hard.iter().enumerate() {
        hard.iter().enumerate().for_each(|(j, &b)| floats([a, b, hard[(7 * i + 5 * j) % hard.len()]]));
    }
    for (&a, &b) in few.iter().flat_map(|a| few.iter().map(move |b| (a, b))) {
        few.iter().for_each(|&c| floats([a, b, c]));
    }
    let mut random = Random(31);
    (0..cases).for_each(|_| floats(random.triple(f)));

    let mut integers = |x: i64| comparisons += of(&of_integers, [x as u64, 0, 0]);
    for power in (0..64).map(|n| 1i64 << n) {
        (-3..4).for_each(|near| integers(power.wrapping_add(near)));
        (-3..4).for_each(|near| integers(power.wrapping_neg().wrapping_add(near)));
    }
    // Sums of two powers and neighbours of them are ties or near ties.
    for (one, other) in (0..64).flat_map(|one| (0..one).map(move |other| (one, other))) {
        (-1..2).for_each(|near| integers((1 << one | 1 << other) + near));
    }
    (0..cases).for_each(|_| integers(random.word() as i64 >> random.below(64)));
    (of_floats.len() + of_integers.len(), comparisons)
}

fn main() {
    let cases = std::env::var("ISA_SOFT_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000_000);
    std::thread::scope(|scope| {
        for float in ["f16", "f32", "f64"] {
            scope.spawn(move || {
                let (functions, comparisons) = compare_all(float, cases);
                println!("{float}, NaNs of {MACHINE}: {functions} functions, {comparisons} comparisons, no difference");
            });
        }
    });
}
