//! Small random specs, and all words of each: clashes and their witnesses, the certificate, holes, decoding and texts both ways by
//! reference codec and engine, and warnings of shared texts are what trying all words says
//! (`conformance::small`), not what a model of isa-spec says.

use conformance::small::{Effort, Seen, Spec, examine};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Holds the specs of these seeds, on all cores; what comes of each.
///
/// # Panics
/// When something is wrong of some: with the first of them.
fn hold(seeds: std::ops::Range<u64>, effort: Effort) -> Vec<Seen> {
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
                    match examine(seed, effort) {
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

/// The seeds are as good as any others, and the same on every run: a thousand specs of which much is asked, and more of which less
/// is.
#[test]
fn all_words_of_small_specs() {
    let seen = hold(1..1201, Effort { texts: 40, refused: 200, damaged: 40 });
    let more = hold(1201..5101, Effort { texts: 6, refused: 40, damaged: 12 });
    assert!(more.iter().map(|s| s.words).sum::<usize>() >= 15_000);
    // What was tried is not all of one kind.
    let count = |what: fn(&Seen) -> bool| seen.iter().filter(|s| what(s)).count();
    let (refused, nested, same_text, illegal) =
        (count(|s| s.refused), count(|s| s.nested), count(|s| s.same_text), count(|s| s.illegal));
    assert!(seen.len() == 1200 && refused >= 150 && nested >= 250 && same_text >= 200 && illegal >= 250);
    let words: usize = seen.iter().map(|s| s.words).sum();
    assert!(words >= 20_000, "only {words} words went to text and back");
}

/// `cargo test --release -p conformance --test small_specs -- --ignored`; `SEEDS=200000..300000` for others.
#[test]
#[ignore = "takes long"]
fn all_words_of_many_small_specs() {
    let seeds = std::env::var("SEEDS").ok();
    let (from, to) = seeds.as_deref().and_then(|s| s.split_once("..")).unwrap_or(("100000", "200000"));
    let number = |text: &str| text.parse().expect("SEEDS=from..to");
    hold(number(from)..number(to), Effort { texts: usize::MAX, refused: usize::MAX, damaged: 16 });
}

/// The specs of `small_generated` are those that the generator makes: `BLESS=1` writes them.
#[test]
fn chosen_specs_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/random");
    for (i, spec) in Spec::chosen(24).iter().enumerate() {
        let (path, yaml) = (folder.join(format!("r{i}.yaml")), spec.yaml(&format!("r{i}")));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, yaml).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        } else {
            let there = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(there == yaml, "{} is not what the generator makes: BLESS=1", path.display());
        }
    }
}
