//! Rounding to the nearest against the processor's own instructions: all results but NaNs, whose bits are its choice.

use crate::many;
use crate::operands::{Random, hard};
use isa_sim::soft::{self, Format, Round, Rules};

const N: Round = Round::Nearest;

macro_rules! checks {
    ($name:ident, $float:ty, $bits:ty, $format:expr) => {
        fn $name([a, b, c]: [u64; 3]) {
            let (f, r) = ($format, &Rules::RISCV);
            let [x, y, z] = [a, b, c].map(|x| <$float>::from_bits(x as $bits));
            let same = |found: (u64, u32), expected: $float, what: &str| {
                let found = <$float>::from_bits(found.0 as $bits);
                let equal = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
                assert!(equal, "{what} {x:e} {y:e} {z:e}: {found:e}, expected {expected:e}");
            };
            same(soft::add(f, r, a, b, N), x + y, "add");
            same(soft::sub(f, r, a, b, N), x - y, "sub");
            same(soft::mul(f, r, a, b, N), x * y, "mul");
            same(soft::div(f, r, a, b, N), x / y, "div");
            same(soft::sqrt(f, r, a, N), x.sqrt(), "sqrt");
            same(soft::fma(f, r, a, b, c, N), x.mul_add(y, z), "fma");
            same(soft::round_to_integer(f, r, a, N), x.round_ties_even(), "rn");
            same(soft::round_to_integer(f, r, a, Round::Zero), x.trunc(), "rz");
            same(soft::round_to_integer(f, r, a, Round::Down), x.floor(), "rd");
            same(soft::round_to_integer(f, r, a, Round::Up), x.ceil(), "ru");
            same(soft::round_to_integer(f, r, a, Round::Away), x.round(), "ra");
            same(soft::from_integer(f, r, a, 64, true, N), a as i64 as $float, "from i64");
            same(soft::from_integer(f, r, b, 64, false, N), b as $float, "from u64");
            same(soft::from_integer(f, r, b, 32, true, N), b as i32 as $float, "from i32");
            if !x.is_nan() {
                assert_eq!(soft::to_integer(f, r, a, 64, true, Round::Zero).0, x as i64 as u64, "{x:e} to i64");
                assert_eq!(soft::to_integer(f, r, a, 64, false, Round::Zero).0, x as u64, "{x:e} to u64");
                assert_eq!(soft::to_integer(f, r, a, 32, true, Round::Zero).0, u64::from(x as i32 as u32), "{x:e} to i32");
            }
            let order = x.partial_cmp(&y).map_or(8, |o| 1 << (o as i8 + 1));
            assert_eq!(soft::compare(f, r, a, b, false).0, order, "compare {x:e} {y:e}");
        }
    };
}
checks!(single, f32, u32, Format::F32);
checks!(double, f64, u64, Format::F64);

fn conversions(a: u64) {
    let r = &Rules::RISCV;
    let (single, double) = (f32::from_bits(a as u32), f64::from_bits(a));
    let (to_double, to_single) =
        (soft::convert(Format::F32, Format::F64, r, a, N).0, soft::convert(Format::F64, Format::F32, r, a, N).0);
    assert!(single.is_nan() || to_double == f64::from(single).to_bits(), "{single:e}");
    assert!(double.is_nan() || to_single == u64::from((double as f32).to_bits()), "{double:e}");
}

fn check_random(seed: u64, n: u64) {
    let mut random = Random(seed);
    for _ in 0..n {
        single(random.triple(Format::F32));
        double(random.triple(Format::F64));
        // Doubles near singles are hard.
        conversions(random.pattern(Format::F64));
        conversions(soft::convert(Format::F32, Format::F64, &Rules::RISCV, random.word(), N).0 ^ 1 << random.below(40));
    }
}

#[test]
fn hard_operands() {
    for (f, check) in [(Format::F32, single as fn([u64; 3])), (Format::F64, double as fn([u64; 3]))] {
        let all = hard(f);
        for (i, &a) in all.iter().enumerate() {
            conversions(a);
            all.iter().enumerate().for_each(|(j, &b)| check([a, b, all[(7 * i + 5 * j) % all.len()]]));
        }
    }
}

#[test]
fn random_operands() {
    check_random(5, 30_000);
}

#[test]
#[ignore = "a minute"]
fn many_random_operands() {
    check_random(6, 10 * many());
}
