//! Common parts of the benchmarks: words to decode in random order, a clock, and commands to run.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
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
    let text = std::fs::read_to_string(path).expect("the vectors are in tests/vectors");
    let lines = text.lines().filter(|l| !l.starts_with('#'));
    lines.filter_map(|l| u128::from_str_radix(l.split('\t').next()?, 16).ok()).collect()
}

/// Words of compiled AArch64 code, in its own order.
pub fn aarch64_words() -> Vec<u32> {
    let bytes = include_bytes!("../data/aarch64-rpds.bin");
    bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

/// [`WORDS`] of the elements in random order, the same in every run.
///
/// # Panics
/// When there is nothing to draw from.
pub fn draw<T: Clone>(from: &[T]) -> Vec<T> {
    assert!(!from.is_empty(), "there is something to measure");
    let mut random = Random(0x1234_5678);
    (0..WORDS).map(|_| from[random.below(from.len() as u64) as usize].clone()).collect()
}

/// Random numbers (splitmix64).
#[derive(Debug)]
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number less than `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.word() % n
    }
}

/// Items that are timed together: short enough that some run of them is not interrupted.
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

/// Runs of a command, of which the least counts.
pub const COMMAND_RUNS: usize = 5;

/// The time and memory of a command.
#[derive(Clone, Copy, Debug)]
pub struct Ran {
    /// From its start to its end.
    pub seconds: f64,
    /// The time of all its threads, and of the processes that it waited for.
    pub cpu: f64,
    /// The most memory that one of its processes had.
    pub kilobytes: u64,
}

/// The workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the workspace is there")
}

/// A folder for what benchmarks write.
///
/// # Panics
/// When it can't be made.
pub fn folder(name: &str) -> PathBuf {
    let folder = root().join("target/benchmarks").join(name);
    std::fs::create_dir_all(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    folder
}

/// The release binary, which is built where it is not.
///
/// # Panics
/// When it can't be built.
pub fn isagen() -> PathBuf {
    let build = Command::new(env!("CARGO")).args(["build", "--release", "-p", "isagen"]).current_dir(root()).status();
    assert!(build.is_ok_and(|status| status.success()), "isagen can be built");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    target.join("release/isagen")
}

/// The run of a command that took the least time.
pub fn run(command: impl Fn() -> Command) -> Ran {
    let runs = (0..COMMAND_RUNS).map(|_| run_once(command()));
    runs.min_by(|a, b| a.seconds.total_cmp(&b.seconds)).expect("there are several")
}

/// Runs a command, whose output is thrown away, under `/usr/bin/time`.
///
/// # Panics
/// When it can't be run.
pub fn run_once(command: Command) -> Ran {
    let report = folder("reports").join("time");
    let mut timed = Command::new("/usr/bin/time");
    timed.args(["-f", "%e %U %S %M", "-o"]).arg(&report).arg(command.get_program()).args(command.get_args());
    timed.stdout(Stdio::null()).stderr(Stdio::null());
    if let Some(folder) = command.get_current_dir() {
        timed.current_dir(folder);
    }
    timed.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let start = Instant::now();
    timed.status().expect("`/usr/bin/time` is installed");
    let seconds = start.elapsed().as_secs_f64();
    let report = std::fs::read_to_string(report).expect("a report");
    let numbers: Vec<f64> = report.lines().last().unwrap_or_default().split(' ').filter_map(|n| n.parse().ok()).collect();
    let [_, user, system, kilobytes] = numbers[..] else { panic!("{:?} did not run: {report}", command) };
    Ran { seconds, cpu: user + system, kilobytes: kilobytes as u64 }
}
