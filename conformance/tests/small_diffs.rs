//! Versions of small random specs: what `isa_spec::diff` says of two is what trying all words of both says
//! (`conformance::small::compare`).

use conformance::small::{Compared, compare};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Holds the versions of the specs of these seeds, on all cores; what comes of each.
///
/// # Panics
/// When something is wrong of some: with the first of them.
fn hold(seeds: std::ops::Range<u64>, words: usize) -> Vec<Compared> {
    let (next, seen, faults) = (AtomicU64::new(seeds.start), Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    // Panics are reported with the specs.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end || !faults.lock().expect("no holder panics").is_empty() {
                        break;
                    }
                    match compare(seed, words) {
                        Ok(of) => seen.lock().expect("no holder panics").push(of),
                        Err(fault) => faults.lock().expect("no holder panics").push(fault),
                    }
                }
            });
        }
    });
    std::panic::set_hook(hook);
    let faults: Vec<String> = faults.into_inner().expect("no holder panics");
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    seen.into_inner().expect("no holder panics")
}

#[test]
fn versions_of_small_specs() {
    let seen = hold(1..401, 40);
    let count = |what: fn(&Compared) -> bool| seen.iter().filter(|s| what(s)).count();
    let (good, broken, assembled, undecided) =
        (count(|s| s.is_good), count(|s| s.is_broken), count(|s| s.is_assembled), count(|s| s.is_undecided));
    // What was tried is not all of one kind, and next to nothing takes too long.
    let is_much = good >= 150 && broken >= 80 && assembled >= 5;
    assert!(is_much && undecided * 100 <= good, "{good} compared: {broken} broken, {assembled} assembled, {undecided} undecided");
}

/// `cargo test --release -p conformance --test small_diffs -- --ignored`; `SEEDS=200000..210000` for others.
#[test]
#[ignore = "takes long"]
fn versions_of_many_small_specs() {
    let seeds = std::env::var("SEEDS").ok();
    let (from, to) = seeds.as_deref().and_then(|s| s.split_once("..")).unwrap_or(("100000", "110000"));
    let number = |text: &str| text.parse().expect("SEEDS=from..to");
    hold(number(from)..number(to), usize::MAX);
}
