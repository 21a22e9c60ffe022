//! What fuzzers run (`fuzz/`): every target answers its seeds, and damaged ones. So the targets stay compiled, and find something
//! without a fuzzer; `cargo fuzz` looks for more.

use fuzz_targets::{TARGETS, run};
use harness::{Random, amount, damage};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// Changes some bytes: a bit, a number, a part that comes twice, the end that is missing; of a text also as `damage` does.
fn change(random: &mut Random, input: &mut Vec<u8>) {
    let mut below = |n: usize| (random.next_u64() >> 16) as usize % n.max(1);
    let at = below(input.len());
    match below(8) {
        0 => input.truncate(at),
        1 => {
            let (from, count) = (below(input.len()), below(16));
            let part: Vec<u8> = input.iter().skip(from).take(count).copied().collect();
            input.splice(at..at, part);
        }
        2 | 3 => {
            let edge = [0, 0x7fu64, 0xff, 0xffff, 0x7fff_ffff, u64::MAX][below(6)].to_le_bytes();
            let size = [1, 2, 4, 8][below(4)];
            input.iter_mut().skip(at).zip(&edge[..size]).for_each(|(byte, edge)| *byte = *edge);
        }
        4 => {
            let bit = below(8);
            input.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << bit);
        }
        _ => {
            if let Ok(mut text) = String::from_utf8(input.clone()) {
                damage(random, &mut text);
                *input = text.into_bytes();
            }
        }
    }
}

#[test]
fn every_target_answers_its_seeds_and_damaged_ones() {
    for target in TARGETS {
        let seeds = (target.seeds)();
        assert!(seeds.len() > 1, "{}: {} seeds", target.name, seeds.len());
        let begun = Instant::now();
        // A sample of many: the suites use the files themselves.
        for seed in seeds.iter().step_by(amount(1, seeds.len().div_ceil(20))) {
            run(target.name, seed);
        }
        let mut random = Random::new(0xf0_22);
        for _ in 0..amount(2_000, 120) {
            let mut input = seeds[(random.next_u64() >> 16) as usize % seeds.len()].clone();
            (0..=random.next_u64() % 3).for_each(|_| change(&mut random, &mut input));
            run(target.name, &input);
        }
        assert!(begun.elapsed() < Duration::from_secs(600), "{}", target.name);
    }
}

/// `fuzz/fuzz_targets` has a program for each target, and no other.
#[test]
fn every_target_has_a_program() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz");
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("fuzz/Cargo.toml");
    let programs = fs::read_dir(folder.join("fuzz_targets")).expect("the folder").count();
    assert_eq!((programs, manifest.matches("[[bin]]").count()), (TARGETS.len(), TARGETS.len()));
    for target in TARGETS {
        let program = fs::read_to_string(folder.join("fuzz_targets").join(target.name).with_extension("rs")).expect(target.name);
        assert!(program.contains(&format!("run({:?}, input)", target.name)), "{}", target.name);
        assert!(manifest.contains(&format!("name = {:?}", target.name)), "{}", target.name);
    }
}

#[test]
#[ignore = "writes the seeds into fuzz/corpus, for `cargo fuzz`"]
fn seeds() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus");
    for target in TARGETS {
        let folder = corpus.join(target.name);
        fs::create_dir_all(&folder).expect("the folder can be made");
        for (number, seed) in (target.seeds)().iter().enumerate() {
            fs::write(folder.join(format!("seed-{number}")), seed).expect("the folder can be written");
        }
    }
}
