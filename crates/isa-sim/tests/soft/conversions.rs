//! Conversions, rounding to integers, comparisons and extremes against exact values.

use crate::operands::{ROUNDS, Random, hard, machines};
use crate::{NAMED, ODD, exact, many};
use isa_sim::soft::{self, *};
use std::cmp::Ordering;

const WIDTHS: [u32; 7] = [1, 8, 16, 32, 53, 63, 64];

fn check_one(f: Format, rules: &Rules, a: u64, to: &[Format], widths: &[u32]) {
    for round in ROUNDS {
        let found = soft::round_to_integer(f, rules, a, round);
        assert_eq!(found, exact::round_to_integer(f, rules, a, round), "round {f:?} {round:?} {a:x} {rules:?}");
        for &to in to {
            let found = soft::convert(f, to, rules, a, round);
            assert_eq!(found, exact::converted(f, to, rules, a, round), "convert {f:?} {to:?} {round:?} {a:x} {rules:?}");
        }
        for (&bits, signed) in widths.iter().flat_map(|w| [(w, false), (w, true)]) {
            let found = soft::to_integer(f, rules, a, bits, signed, round);
            let expected = exact::to_integer(f, rules, a, bits, signed, round);
            assert_eq!(found, expected, "to {bits} {signed} {f:?} {round:?} {a:x} {rules:?}");
        }
    }
}

fn check_integer(f: Format, rules: &Rules, x: u64, bits: u32) {
    for (round, signed) in ROUNDS.into_iter().flat_map(|r| [(r, false), (r, true)]) {
        let found = soft::from_integer(f, rules, x, bits, signed, round);
        let expected = exact::from_integer(f, rules, x, bits, signed, round);
        assert_eq!(found, expected, "from {bits} {signed} {f:?} {round:?} {x:x} {rules:?}");
    }
}

fn check_pair(f: Format, rules: &Rules, a: u64, b: u64) {
    let class = |x| soft::classify(f, x);
    let signalling = class(a) == 1 << 8 || class(b) == 1 << 8;
    let nan = |x| class(x) >= 1 << 8;
    let order = exact::order(f, rules, a, b);
    let expected = match order {
        Some(Ordering::Less) => LESS,
        Some(Ordering::Equal) => EQUAL,
        Some(Ordering::Greater) => GREATER,
        None => UNORDERED,
    };
    let flags = if signalling { INVALID } else { 0 };
    assert_eq!(soft::compare(f, rules, a, b, false), (expected, flags), "{f:?} {a:x} {b:x} {rules:?}");
    let flags_of_any = if order.is_none() { INVALID } else { 0 };
    assert_eq!(soft::compare(f, rules, a, b, true), (expected, flags_of_any), "{f:?} {a:x} {b:x} {rules:?}");

    let read = |x| if rules.flush_inputs { soft::flush(f, x) } else { x };
    // A sum of NaNs chooses one as an extreme does.
    let of_nans = soft::add(f, rules, a, b, Round::Nearest);
    let negative = |x: u64| x >> (f.width() - 1) == 1;
    for (least, function) in [(true, soft::min as fn(_, &_, _, _, _) -> _), (false, soft::max as fn(_, &_, _, _, _) -> _)] {
        let (a, b) = (read(a), read(b));
        let number = match order {
            Some(Ordering::Less) if least => a,
            Some(Ordering::Greater) if !least => a,
            Some(Ordering::Equal) if negative(a) == least => a,
            Some(_) => b,
            None if nan(a) && nan(b) => of_nans.0,
            None if nan(a) => b,
            None => a,
        };
        let context = format!("{f:?} {least} {a:x} {b:x} {rules:?}");
        assert_eq!(function(f, rules, MinKind::Number, a, b), (number, flags), "{context}");
        let expected = if order.is_none() { of_nans } else { (number, flags) };
        assert_eq!(function(f, rules, MinKind::Nan, a, b), expected, "{context}");
        let first = order == Some(if least { Ordering::Less } else { Ordering::Greater });
        assert_eq!(function(f, rules, MinKind::Second, a, b), (if first { a } else { b }, flags_of_any), "{context}");
    }
}

#[test]
fn hard_operands() {
    let all: Vec<_> = NAMED.into_iter().chain(ODD).collect();
    for (i, &f) in all.iter().enumerate() {
        let machines = machines();
        for (j, &a) in hard(f).iter().enumerate() {
            check_one(f, &machines[(i + j) % machines.len()], a, &all, &WIDTHS);
            hard(f).iter().for_each(|&b| check_pair(f, &machines[i % machines.len()], a, b));
        }
        for x in (0..64).flat_map(|n| [1 << n, (1 << n) - 1, (1 << n) + 1, 3 << n, !(1 << n), u64::MAX << n]) {
            WIDTHS.iter().for_each(|&bits| check_integer(f, &machines[i % machines.len()], x, bits));
        }
    }
}

fn check_random(f: Format, seed: u64, n: u64) {
    let (mut random, machines) = (Random(seed), machines());
    for _ in 0..n {
        let rules = &machines[random.below(machines.len() as u64) as usize];
        let [a, b, _] = random.triple(f);
        let to = NAMED[random.below(5) as usize];
        let bits = 1 + random.below(64) as u32;
        check_one(f, rules, a, &[to], &[bits, 32]);
        check_pair(f, rules, a, b);
        // Integers of any length, and near ties of any length.
        let x = (random.word() >> random.below(64)).wrapping_add(1 << random.below(64)) & u64::MAX << random.below(40);
        check_integer(f, rules, x, bits);
    }
}

#[test]
fn random_operands() {
    for (i, f) in NAMED.into_iter().chain(ODD).enumerate() {
        check_random(f, i as u64, 3000);
    }
}

#[test]
#[ignore = "minutes"]
fn many_random_operands() {
    for (i, f) in NAMED.into_iter().chain(ODD).enumerate() {
        check_random(f, 1000 + i as u64, many());
    }
}

/// All patterns of 16 bits, converted to all other formats.
#[test]
fn formats_of_16_bits() {
    for f in [Format::F16, Format::BF16] {
        for (a, rules) in (0..1 << 16).zip(machines().iter().cycle()) {
            let classes = [(Format::F16, 8), (Format::BF16, 16), (Format::F32, 32), (Format::F64, 64), (Format::TF32, 11)];
            let (to, bits) = classes[(a >> 3) as usize % 5];
            check_one(f, rules, a, &[to], &[bits]);
        }
    }
}

#[test]
#[ignore = "minutes"]
fn formats_of_16_bits_under_all_rules() {
    for (f, rules) in
        [Format::F16, Format::BF16, Format::TF32].into_iter().flat_map(|f| machines().into_iter().map(move |r| (f, r)))
    {
        for a in 0..1 << f.width() {
            check_one(f, &rules, a, &NAMED, &[8, 16, 32, 64]);
        }
    }
    for f in [Format::F16, Format::BF16] {
        (0..1 << 16).for_each(|x| check_integer(f, &Rules::RISCV, x, 16));
    }
}

#[test]
fn classes() {
    let expected = [0x80, 0x40, 0x40, 0x20, 0x20, 0x10];
    let found = [0x7c00, 0x7bff, 0x400, 0x3ff, 1, 0].map(|a| soft::classify(Format::F16, a));
    assert_eq!(found, expected);
    let found = [0xfc00, 0xfbff, 0x8400, 0x83ff, 0x8001, 0x8000].map(|a| soft::classify(Format::F16, a));
    assert_eq!(found, [1, 2, 2, 4, 4, 8]);
    assert_eq!([0x7c01, 0xfdff, 0x7e00, 0xffff].map(|a| soft::classify(Format::F16, a)), [0x100, 0x100, 0x200, 0x200]);
}

/// Bits above a format's are ignored in arguments, and 0 in results.
#[test]
fn bits_above() {
    let (f, r, n) = (Format::F16, &Rules::RISCV, Round::Nearest);
    let above = 0xffff_ffff_ffff_0000;
    assert_eq!(soft::fma(f, r, 0x3c00 | above, 0xbc00 | above, 0x3c00 | above, n), (0, 0));
    assert_eq!(soft::flush(f, 0x8001 | above), 0x8000);
    assert_eq!(soft::flush(f, 0xbc00 | above), 0xbc00);
    assert_eq!(soft::classify(f, 0x3c00 | above), 1 << 6);
    assert_eq!(soft::min(f, r, MinKind::Second, 0x3c00 | above, 0x7e00 | above), (0x7e00, INVALID));
    assert_eq!(soft::round_to_integer(f, r, 0xfbff | above, n), (0xfbff, 0));
    assert_eq!(soft::from_integer(f, r, 0xff00, 8, true, n), (0, 0));
    assert_eq!(soft::to_integer(f, r, 0xbc00 | above, 8, true, n), (0xff, 0));
}
