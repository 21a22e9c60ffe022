//! The functions that the host may compute, compared with integers alone: results and flags must be the same.

use crate::arithmetic::soft;
use crate::exact::{OPS, Op};
use crate::many;
use crate::operands::{ROUNDS, Random, hard, machines};
use isa_sim::soft::*;

const FORMATS: [Format; 2] = [Format::F32, Format::F64];

fn integers(op: Op, f: Format, rules: &Rules, [a, b, c]: [u64; 3], round: Round) -> (u64, Raised) {
    match op {
        Op::Add => by_integers::add(f, rules, a, b, round),
        Op::Sub => by_integers::sub(f, rules, a, b, round),
        Op::Mul => by_integers::mul(f, rules, a, b, round),
        Op::Div => by_integers::div(f, rules, a, b, round),
        Op::Sqrt => by_integers::sqrt(f, rules, a, round),
        Op::Fma => by_integers::fma(f, rules, a, b, c, round),
    }
}

fn without_flags(op: Op, f: Format, rules: &Rules, [a, b, c]: [u64; 3]) -> u64 {
    match op {
        Op::Add => near::add(f, rules, a, b),
        Op::Sub => near::sub(f, rules, a, b),
        Op::Mul => near::mul(f, rules, a, b),
        Op::Div => near::div(f, rules, a, b),
        Op::Sqrt => near::sqrt(f, rules, a),
        Op::Fma => near::fma(f, rules, a, b, c),
    }
}

/// Checks rounding to the nearest, as the host does, and in another direction.
fn check(op: Op, f: Format, rules: &Rules, operands: [u64; 3], other: Round) {
    for round in [Round::Nearest, other] {
        let (found, expected) = (soft(op, f, rules, operands, round), integers(op, f, rules, operands, round));
        assert_eq!(found, expected, "{op:?} {f:?} {round:?} {operands:x?} {rules:?}");
        if round == Round::Nearest {
            assert_eq!(without_flags(op, f, rules, operands), expected.0, "{op:?} {f:?} {operands:x?} {rules:?}");
        }
    }
}

fn check_conversions(rules: &Rules, x: u64, bits: u32, other: Round) {
    for round in [Round::Nearest, other] {
        for (from, to) in [(Format::F32, Format::F64), (Format::F64, Format::F32)] {
            let expected = by_integers::convert(from, to, rules, x, round);
            assert_eq!(convert(from, to, rules, x, round), expected, "{from:?} {to:?} {round:?} {x:x} {rules:?}");
            if round == Round::Nearest {
                assert_eq!(near::convert(from, to, rules, x), expected.0, "{from:?} {to:?} {x:x} {rules:?}");
            }
        }
        for (f, signed) in FORMATS.into_iter().flat_map(|f| [(f, false), (f, true)]) {
            let found = from_integer(f, rules, x, bits, signed, round);
            assert_eq!(
                found,
                by_integers::from_integer(f, rules, x, bits, signed, round),
                "{f:?} {bits} {signed} {round:?} {x:x}"
            );
        }
    }
}

/// Operands whose result by `op` is as near as possible to `result`.
fn aimed(op: Op, f: Format, random: &mut Random, result: u64) -> [u64; 3] {
    let (rules, round, sign) = (&Rules::RISCV, ROUNDS[random.below(5) as usize], 1 << (f.width() - 1));
    let [a, b, _] = random.triple(f);
    let beside = |x: (u64, Raised), random: &mut Random| x.0.wrapping_add(random.below(5)).wrapping_sub(2);
    match op {
        Op::Add => [beside(by_integers::sub(f, rules, result, b, round), random), b, 0],
        Op::Sub => [beside(by_integers::add(f, rules, result, b, round), random), b, 0],
        Op::Mul => [beside(by_integers::div(f, rules, result, b, round), random), b, 0],
        Op::Div => [beside(by_integers::mul(f, rules, result, b, round), random), b, 0],
        Op::Sqrt => [beside(by_integers::mul(f, rules, result, result, round), random), 0, 0],
        Op::Fma => [a, b, beside(by_integers::fma(f, rules, a ^ sign, b, result, round), random)],
    }
}

/// A number whose significand has few bits, so that results are exact, or ties.
fn short(f: Format, random: &mut Random) -> u64 {
    let x = random.pattern(f);
    x & u64::MAX << random.below(u64::from(f.fraction) + 1)
}

fn check_random(op: Op, f: Format, seed: u64, n: u64) {
    let (mut random, machines, borders) = (Random(seed), machines(), hard(f));
    for i in 0..n {
        let operands = match i % 3 {
            0 => random.triple(f),
            1 => [0; 3].map(|_| short(f, &mut random)),
            _ => {
                let border = borders[random.below(borders.len() as u64) as usize];
                aimed(op, f, &mut random, border)
            }
        };
        // Half of the cases use the rules that always give the made NaN and flush nothing.
        let rules = if i % 2 == 0 { &Rules::RISCV } else { &machines[random.below(machines.len() as u64) as usize] };
        check(op, f, rules, operands, ROUNDS[random.below(5) as usize]);
    }
}

fn check_random_conversions(seed: u64, n: u64) {
    let (mut random, machines) = (Random(seed), machines());
    for i in 0..n {
        let x = match i % 3 {
            0 => random.pattern(Format::F64),
            // Doubles next to singles, and next to the middle of two.
            1 => {
                let single = random.pattern(Format::F32);
                by_integers::convert(Format::F32, Format::F64, &Rules::RISCV, single, Round::Nearest).0 ^ 1 << random.below(30)
            }
            // Integers of any length, with few bits or near ties.
            _ => (random.word() >> random.below(64)).wrapping_add(1 << random.below(64)) & u64::MAX << random.below(60),
        };
        let rules = &machines[random.below(machines.len() as u64) as usize];
        check_conversions(rules, x, 1 + random.below(64) as u32, ROUNDS[random.below(5) as usize]);
    }
}

#[test]
fn hard_operands() {
    let machines = machines();
    for f in FORMATS {
        let all = hard(f);
        for (i, &a) in all.iter().enumerate() {
            for (j, &b) in all.iter().enumerate() {
                let operands = [a, b, all[(5 * i + 7 * j) % all.len()]];
                for rules in [&Rules::RISCV, &machines[(i + j) % machines.len()]] {
                    OPS.into_iter().for_each(|op| check(op, f, rules, operands, ROUNDS[(i + j) % 5]));
                }
            }
            machines.iter().for_each(|rules| check_conversions(rules, a, 1 + i as u32 % 64, ROUNDS[i % 5]));
        }
    }
}

/// Results at the least normal number and at the greatest one, where flags other than inexact begin.
#[test]
fn borders() {
    let f = Format::F64;
    let (normal, greatest, one) = (1 << 52, 0x7fef_ffff_ffff_ffff, 0x3ff0_0000_0000_0000);
    let n = Round::Nearest;
    let r = &Rules::RISCV;
    // Just below the least normal number, rounded up to it: tiny before rounding, not after.
    let (a, b) = (normal + 1, one - 2);
    assert_eq!(mul(f, r, a, b, n), (normal, INEXACT));
    assert_eq!(mul(f, &Rules::ARM, a, b, n), (normal, INEXACT | UNDERFLOW));
    assert_eq!(mul(f, r, normal + 1, one - 4, n), (normal - 1, INEXACT | UNDERFLOW));
    assert_eq!(mul(f, r, normal, one, n), (normal, 0));
    assert_eq!(mul(f, r, greatest, one + 1, n), (greatest + 1, INEXACT | OVERFLOW));
    assert_eq!(add(f, r, greatest, 0x7c90_0000_0000_0000 - 1, n), (greatest, INEXACT));
    assert_eq!(add(f, r, greatest, 0x7c90_0000_0000_0000, n), (greatest + 1, INEXACT | OVERFLOW));
    assert_eq!(div(f, r, normal, one + 1, n), (normal - 1, INEXACT | UNDERFLOW));
    // Ones more than 64 places below.
    let (two_to_100, two_to_minus_100) = (one + (100 << 52), one - (100 << 52));
    assert_eq!(fma(f, r, one, one, two_to_100, n), (two_to_100, INEXACT));
    assert_eq!(fma(f, r, one, two_to_100, two_to_minus_100, n), (two_to_100, INEXACT));
    assert_eq!(fma(f, r, one + 1, one, one | 1 << 63, n), (one - (52 << 52), 0));
}

#[test]
fn random_operands() {
    for f in FORMATS {
        OPS.into_iter().enumerate().for_each(|(i, op)| check_random(op, f, i as u64, 20_000));
    }
    check_random_conversions(7, 30_000);
}

#[test]
#[ignore = "minutes"]
fn many_random_operands() {
    for f in FORMATS {
        OPS.into_iter().enumerate().for_each(|(i, op)| check_random(op, f, 100 + i as u64, many()));
    }
    check_random_conversions(8, many());
}
