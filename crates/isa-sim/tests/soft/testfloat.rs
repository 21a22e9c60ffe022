//! Comparison with Berkeley SoftFloat on the operands of Berkeley TestFloat: `ISA_TESTFLOAT` is the path of `testfloat_gen`,
//! `ISA_TESTFLOAT_AS` the machine whose NaNs it was built for (`RISCV`, which is the default, `8086-SSE`, `ARM-VFPv2`), and
//! `ISA_TESTFLOAT_OPTIONS` more of its options (`-level 2`).
//!
//! ```text
//! cd berkeley-softfloat-3/build/Linux-x86_64-GCC && make SPECIALIZE_TYPE=RISCV
//! cd berkeley-testfloat-3/build/Linux-x86_64-GCC && make SPECIALIZE_TYPE=RISCV testfloat_gen
//! ISA_TESTFLOAT=$PWD/testfloat_gen cargo test --release -p isa-sim --test soft testfloat -- --ignored --nocapture
//! ```

use crate::functions::{Case, comparisons, differs, rounding, rules};
use isa_sim::soft::*;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// Runs the generator, and returns the number of its cases.
fn run(arguments: &[&str], rules: &Rules, round: Round, case: &Case) -> u64 {
    let path = std::env::var("ISA_TESTFLOAT").expect("ISA_TESTFLOAT is the path of testfloat_gen");
    let more = std::env::var("ISA_TESTFLOAT_OPTIONS").unwrap_or_default();
    let mut command = Command::new(path);
    command.args(more.split_whitespace()).args(arguments).stdout(Stdio::piped());
    let mut child = command.spawn().expect("testfloat_gen runs");
    let mut cases = 0;
    for line in BufReader::new(child.stdout.take().expect("it is piped")).lines() {
        let line = line.expect("testfloat_gen writes text");
        let words: Vec<_> = line.split(' ').map(|w| u64::from_str_radix(w, 16).expect("a word is hexadecimal")).collect();
        let (operands, expected) = words.split_at(words.len() - 2);
        let found = case(rules, round, operands);
        let flags = expected[1] as Raised;
        let bits = if differs(rules, arguments[arguments.len() - 1], operands, flags) { found.0 } else { expected[0] };
        assert_eq!(found, (bits, flags), "{arguments:?} {line}");
        cases += 1;
    }
    assert!(child.wait().expect("testfloat_gen ends").success(), "{arguments:?}");
    cases
}

#[test]
#[ignore = "needs testfloat_gen"]
fn testfloat() {
    let machine = std::env::var("ISA_TESTFLOAT_AS").unwrap_or_else(|_| "RISCV".to_owned());
    let rules = rules(&machine);
    let ways = [
        ("-rnear_even", Round::Nearest),
        ("-rminMag", Round::Zero),
        ("-rmin", Round::Down),
        ("-rmax", Round::Up),
        ("-rnear_maxMag", Round::Away),
    ];
    let mut cases = 0;
    for (name, case) in rounding() {
        let mut of_this = 0;
        for (way, round) in ways {
            for (tininess, tiny_before) in [("-tininessafter", false), ("-tininessbefore", true)] {
                of_this += run(&[way, tininess, "-exact", &name], &Rules { tiny_before, ..rules }, round, &*case);
            }
        }
        println!("{name}: {of_this}");
        cases += of_this;
    }
    for (name, case) in comparisons() {
        cases += run(&[&name], &rules, Round::Nearest, &*case);
    }
    println!("{cases} cases as {machine}");
}
