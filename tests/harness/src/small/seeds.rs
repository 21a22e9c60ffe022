use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Asks the same of these seeds, on all cores; what comes of each.
///
/// # Panics
/// When something is wrong of some: with the first of them.
pub fn of_seeds<T: Send>(seeds: Range<u64>, question: impl Fn(u64) -> Result<T, String> + Sync) -> Vec<T> {
    let (next, seen, faults) = (AtomicU64::new(seeds.start), Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    // Panics are reported with the spec; their own messages would be in between.
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
                    match question(seed) {
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

/// The seeds of `SEEDS=FROM..TO`, if it is set; else `others`.
///
/// # Panics
/// If `SEEDS` is not two numbers.
pub fn asked_for(others: Range<u64>) -> Range<u64> {
    let Ok(seeds) = std::env::var("SEEDS") else { return others };
    let ends = seeds.split_once("..").and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    ends.unwrap_or_else(|| panic!("SEEDS={seeds} is not FROM..TO"))
}
