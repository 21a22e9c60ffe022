//! add, sub, mul, div, sqrt, fma: results and flags, under all machines' rules, against exact values.

use crate::exact::{self, OPS, Op};
use crate::operands::{ROUNDS, Random, few, hard, machines};
use crate::{NAMED, ODD, format, many};
use isa_sim::soft::{self, Format, Raised, Round, Rules};

#[inline(always)]
pub(crate) fn soft(op: Op, f: Format, rules: &Rules, [a, b, c]: [u64; 3], round: Round) -> (u64, Raised) {
    match op {
        Op::Add => soft::add(f, rules, a, b, round),
        Op::Sub => soft::sub(f, rules, a, b, round),
        Op::Mul => soft::mul(f, rules, a, b, round),
        Op::Div => soft::div(f, rules, a, b, round),
        Op::Sqrt => soft::sqrt(f, rules, a, round),
        Op::Fma => soft::fma(f, rules, a, b, c, round),
    }
}

fn check(op: Op, f: Format, rules: &Rules, operands: [u64; 3]) {
    let answer = exact::operation(op, f, rules, operands);
    for round in ROUNDS {
        let (found, expected) = (soft(op, f, rules, operands, round), answer.rounded(f, rules, round));
        assert_eq!(found, expected, "{op:?} {f:?} {round:?} {operands:x?} {rules:?}");
    }
}

/// Hard operands: all pairs, triples of a few.
fn check_hard(f: Format, rules: &Rules) {
    let all = hard(f);
    for &a in &all {
        check(Op::Sqrt, f, rules, [a, 0, 0]);
        for &b in &all {
            for op in [Op::Add, Op::Sub, Op::Mul, Op::Div] {
                check(op, f, rules, [a, b, 0]);
            }
        }
    }
}

fn check_triples(f: Format, rules: &Rules, all: &[u64]) {
    for &a in all {
        for &b in all {
            all.iter().for_each(|&c| check(Op::Fma, f, rules, [a, b, c]));
        }
    }
}

fn check_random(f: Format, rules: &[Rules], seed: u64, n: u64) {
    let mut random = Random(seed);
    for i in 0..n {
        let operands = random.triple(f);
        OPS.into_iter().for_each(|op| check(op, f, &rules[i as usize % rules.len()], operands));
    }
}

#[test]
fn hard_operands() {
    for (i, f) in NAMED.into_iter().chain(ODD).enumerate() {
        let machines = machines();
        check_hard(f, &machines[i % machines.len()]);
    }
    check_triples(Format::F64, &Rules::RISCV, &few(Format::F64)[..20]);
    check_triples(Format::F32, &Rules::ARM, &few(Format::F32));
    check_triples(Format::F16, &Rules::X86, &few(Format::F16));
}

#[test]
fn random_operands() {
    for (i, f) in NAMED.into_iter().chain(ODD).enumerate() {
        check_random(f, &machines(), i as u64, 1000);
    }
    check_random(format(15, 48), &machines(), 99, 20);
}

/// All operands of tiny formats.
#[test]
fn tiny_formats() {
    for f in [format(2, 1), format(3, 2)] {
        let all: Vec<_> = (0..1 << f.width()).collect();
        let rules = if f.exponent == 2 { machines() } else { vec![Rules::RISCV] };
        for rules in &rules {
            for &a in &all {
                check(Op::Sqrt, f, rules, [a, 0, 0]);
                for &b in &all {
                    [Op::Add, Op::Sub, Op::Mul, Op::Div].into_iter().for_each(|op| check(op, f, rules, [a, b, 0]));
                    all.iter().filter(|_| f.exponent == 2).for_each(|&c| check(Op::Fma, f, rules, [a, b, c]));
                }
            }
        }
    }
}

#[test]
#[ignore = "minutes"]
fn all_hard_operands() {
    for f in NAMED.into_iter().chain(ODD) {
        for rules in machines() {
            check_hard(f, &rules);
            check_triples(f, &rules, &few(f));
        }
    }
    for f in [Format::F16, Format::F32, Format::F64] {
        check_triples(f, &Rules::RISCV, &hard(f));
    }
}

#[test]
#[ignore = "minutes"]
fn many_random_operands() {
    for (i, f) in NAMED.into_iter().chain(ODD).enumerate() {
        let n = if NAMED.contains(&f) { many() } else { many() / 10 };
        check_random(f, &machines(), 1000 + i as u64, n);
    }
}

#[test]
#[ignore = "a minute"]
fn roots_of_all_small_formats() {
    for f in [Format::F16, Format::BF16, Format::TF32] {
        for rules in machines() {
            (0..1 << f.width()).for_each(|a| check(Op::Sqrt, f, &rules, [a, 0, 0]));
        }
    }
}
