//! Compiled programs on RV64GC: `kernels/rv64` has their C source, and their words as a compiler made them. On both engines they
//! return what Rust computes.

use isa_reference::eval::Reference;
use isa_sim::{AnyEngine, FaultKind, Machine, Placed, Stopped};
use isa_spec::model::Word;
use std::path::Path;

fn file(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/rv64").join(name).with_extension("hex")
}

fn words(name: &str) -> Vec<Placed> {
    let text = std::fs::read_to_string(file(name)).expect("the words of a program");
    let word = |line: &str| {
        let (address, digits) = line.split_once(": ")?;
        let address = u64::from_str_radix(address.strip_prefix("0x")?, 16).ok()?;
        Some(Placed { address, word: Word::from_str_radix(digits, 16)?, bits: 4 * digits.len() as u32 })
    };
    text.lines().map(|line| word(line).unwrap_or_else(|| panic!("{name}: {line}"))).collect()
}

/// The value that a program returns, and the number of instructions executed; it ends with an `ecall`, and has no host.
fn result(engine: &dyn AnyEngine, name: &str) -> (u64, u64) {
    let mut machine = Machine::new(engine).expect("one lane");
    machine.load_words(&words(name)).expect("words one after the other");
    match machine.run(u64::MAX) {
        Stopped::Fault(fault) if fault.kind == FaultKind::NoHost => {
            (machine.get("a0").expect("a register") as u64, machine.steps())
        }
        other => panic!("{name}: {other}"),
    }
}

fn must_return(name: &str, expected: u64) {
    let isa = harness::shipped_isa("rv64gc");
    let compiled = result(&generated::rv64gc::sim::Compiled::new(), name);
    assert_eq!(compiled.0, expected, "{name}, compiled");
    let reference = result(&Reference::new(isa).expect("it can be simulated"), name);
    assert_eq!(reference, compiled, "{name}, reference");
}

#[test]
fn a_checksum() {
    let (mut x, mut crc) = (1u32, u32::MAX);
    for _ in 0..3000 {
        x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        crc ^= x >> 24;
        (0..8).for_each(|_| crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 });
    }
    must_return("crc32", i64::from(!crc as i32) as u64);
}

#[test]
fn a_sort() {
    let mut x = 2_463_534_242u64;
    let next = |_| {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x as i64 >> 20
    };
    let mut all: Vec<i64> = (0..500).map(next).collect();
    all.sort_unstable();
    must_return("quicksort", (1..).zip(&all).fold(0, |sum: i64, (place, x)| sum.wrapping_add(x.wrapping_mul(place))) as u64);
}

#[test]
fn a_sieve() {
    let is_prime = |n: &u64| (2..).take_while(|d| d * d <= *n).all(|d| !n.is_multiple_of(d));
    let primes: Vec<u64> = (2..20_000).filter(is_prime).collect();
    must_return("primes", primes.iter().sum::<u64>() << 32 | primes.len() as u64);
}

#[test]
fn eight_queens() {
    // Rows of columns, from the lowest free column up, as the program goes; the remainder counts every queen that is tried.
    fn place(queens: &mut Vec<u32>, steps: &mut u64) -> u64 {
        if queens.len() == 8 {
            return 1;
        }
        let row = queens.len() as u32;
        let mut ways = 0;
        for column in 0..8u32 {
            let attacks = |(other, at): (u32, &u32)| *at == column || at.abs_diff(column) == row - other;
            if (0..).zip(&*queens).any(attacks) {
                continue;
            }
            *steps = (*steps * 31 + (1 << column)) % 1_000_003;
            queens.push(column);
            ways += place(queens, steps);
            queens.pop();
        }
        ways
    }
    let mut steps = 0;
    let ways = place(&mut Vec::new(), &mut steps);
    assert_eq!(ways, 92);
    must_return("queens", steps << 32 | ways);
}
