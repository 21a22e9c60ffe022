//! Against Berkeley SoftFloat, by the operands of Berkeley TestFloat: `ISA_TESTFLOAT` is the path of `testfloat_gen`,
//! `ISA_TESTFLOAT_AS` the machine whose NaNs it was built for (`RISCV`, which is the default, `8086-SSE`, `ARM-VFPv2`), and
//! `ISA_TESTFLOAT_OPTIONS` more of its options (`-level 2`).
//!
//! ```text
//! cd berkeley-softfloat-3/build/Linux-x86_64-GCC && make SPECIALIZE_TYPE=RISCV
//! cd berkeley-testfloat-3/build/Linux-x86_64-GCC && make SPECIALIZE_TYPE=RISCV testfloat_gen
//! ISA_TESTFLOAT=$PWD/testfloat_gen cargo test --release -p isa-sim --test soft testfloat -- --ignored --nocapture
//! ```

use isa_sim::soft::{self, *};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// SoftFloat's x86 gives all ones for unsigned integers (AVX-512) where `Indefinite` is the highest bit; and its ARM, of the time before
/// fused operations, takes the NaNs of factors before that of the addend, which ARM's manual and qemu do not.
fn differs(rules: &Rules, function: &str, operands: &[u64], flags: Raised) -> bool {
    let nans = || operands.iter().filter(|x| soft::classify(format(&function[..3]), **x) >= 1 << 8).count();
    match rules.nan {
        NanRule::Made => false,
        NanRule::First => function.contains("_to_ui") && flags == INVALID,
        NanRule::SignallingFirst => function.ends_with("_mulAdd") && nans() >= 2,
    }
}

type Case = dyn Fn(&Rules, Round, &[u64]) -> (u64, Raised);

/// Runs the generator, and gives the number of its cases.
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

fn format(name: &str) -> Format {
    match name {
        "f16" => Format::F16,
        "f32" => Format::F32,
        _ => Format::F64,
    }
}

/// The functions that round, with what they are here.
fn rounding() -> Vec<(String, Box<Case>)> {
    let mut all: Vec<(String, Box<Case>)> = Vec::new();
    let floats = ["f16", "f32", "f64"];
    for name in floats {
        let f = format(name);
        all.push((format!("{name}_add"), Box::new(move |r, m, x| soft::add(f, r, x[0], x[1], m))));
        all.push((format!("{name}_sub"), Box::new(move |r, m, x| soft::sub(f, r, x[0], x[1], m))));
        all.push((format!("{name}_mul"), Box::new(move |r, m, x| soft::mul(f, r, x[0], x[1], m))));
        all.push((format!("{name}_div"), Box::new(move |r, m, x| soft::div(f, r, x[0], x[1], m))));
        all.push((format!("{name}_mulAdd"), Box::new(move |r, m, x| soft::fma(f, r, x[0], x[1], x[2], m))));
        all.push((format!("{name}_sqrt"), Box::new(move |r, m, x| soft::sqrt(f, r, x[0], m))));
        all.push((format!("{name}_roundToInt"), Box::new(move |r, m, x| soft::round_to_integer(f, r, x[0], m))));
        for to in floats.into_iter().filter(|to| *to != name) {
            all.push((format!("{name}_to_{to}"), Box::new(move |r, m, x| soft::convert(f, format(to), r, x[0], m))));
        }
        for (integer, bits, signed) in [("ui32", 32, false), ("ui64", 64, false), ("i32", 32, true), ("i64", 64, true)] {
            all.push((format!("{name}_to_{integer}"), Box::new(move |r, m, x| soft::to_integer(f, r, x[0], bits, signed, m))));
            all.push((format!("{integer}_to_{name}"), Box::new(move |r, m, x| soft::from_integer(f, r, x[0], bits, signed, m))));
        }
    }
    all
}

#[test]
#[ignore = "needs testfloat_gen"]
fn testfloat() {
    let machine = std::env::var("ISA_TESTFLOAT_AS").unwrap_or_else(|_| "RISCV".to_owned());
    let rules = match machine.as_str() {
        "RISCV" => Rules::RISCV,
        // SoftFloat has one rule for the product of ∞ and 0: it is invalid.
        "8086-SSE" => Rules { invalid_product_quiet: false, tiny_before: false, ..Rules::X86 },
        "ARM-VFPv2" => Rules { tiny_before: false, ..Rules::ARM },
        _ => panic!("no rules for {machine}"),
    };
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
    for name in ["f16", "f32", "f64"] {
        let f = format(name);
        let comparisons = [("eq", EQUAL, false), ("le_quiet", LESS | EQUAL, false), ("lt_quiet", LESS, false)];
        let signalling = [("eq_signaling", EQUAL, true), ("le", LESS | EQUAL, true), ("lt", LESS, true)];
        for (function, bits, signalling) in comparisons.into_iter().chain(signalling) {
            let case = move |r: &Rules, _: Round, x: &[u64]| {
                let (order, flags) = soft::compare(f, r, x[0], x[1], signalling);
                (u64::from(order & bits != 0), flags)
            };
            cases += run(&[&format!("{name}_{function}")], &rules, Round::Nearest, &case);
        }
    }
    println!("{cases} cases as {machine}");
}
