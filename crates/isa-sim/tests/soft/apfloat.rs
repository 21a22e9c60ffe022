//! Comparison with LLVM's arithmetic, which has everything but square roots.
//!
//! Its NaNs have their own bits: only the fact that a result is a NaN is compared. It raises underflow if the rounded result is
//! subnormal or zero, so this flag is not compared for a result that is rounded up to the least normal number; and it does not
//! raise overflow if the result is the greatest number, which IEEE 754 (7.4) and Berkeley SoftFloat do. In E4M3FN its directed
//! results beyond the greatest number do not follow the direction.

use crate::many;
use crate::operands::{ROUNDS, Random, few, hard};
use isa_sim::soft::{self, *};
use rustc_apfloat::ieee::{BFloat, Double, Float8E4M3FN, Float8E5M2, Half, IeeeFloat, Semantics, Single};
use rustc_apfloat::{Float, FloatConvert, Round as Theirs, Status, StatusAnd};

/// TF32.
struct Tf32;

impl Semantics for Tf32 {
    const BITS: usize = 19;
    const EXP_BITS: usize = 8;
}

fn their_round(round: Round) -> Theirs {
    match round {
        Round::Nearest => Theirs::NearestTiesToEven,
        Round::Zero => Theirs::TowardZero,
        Round::Down => Theirs::TowardNegative,
        Round::Up => Theirs::TowardPositive,
        Round::Away => Theirs::NearestTiesToAway,
    }
}

fn flags(status: Status) -> Raised {
    let all = [
        (Status::INEXACT, INEXACT),
        (Status::UNDERFLOW, UNDERFLOW),
        (Status::OVERFLOW, OVERFLOW),
        (Status::DIV_BY_ZERO, DIVISION_BY_ZERO),
        (Status::INVALID_OP, INVALID),
    ];
    all.into_iter().filter(|(theirs, _)| status.contains(*theirs)).map(|(_, ours)| ours).sum()
}

fn same<F: Float>(f: Format, round: Round, found: (u64, Raised), expected: StatusAnd<F>, context: &dyn Fn() -> String) {
    let is_directed = matches!(round, Round::Zero | Round::Down | Round::Up);
    if f.finite && found.1 & OVERFLOW != 0 && is_directed {
        return;
    }
    let magnitude = found.0 & !(1 << (f.width() - 1));
    let greatest = if f.finite { (1 << (f.width() - 1)) - 2 } else { (((1 << f.exponent) - 1) << f.fraction) - 1 };
    let compared = if magnitude == 1 << f.fraction {
        !UNDERFLOW
    } else if magnitude == greatest {
        !OVERFLOW
    } else {
        !0
    };
    let equal =
        if expected.value.is_nan() { soft::classify(f, found.0) == 1 << 9 } else { found.0 == expected.value.to_bits() as u64 };
    let expected_flags = flags(expected.status);
    assert!(
        equal && (found.1 ^ expected_flags) & compared == 0,
        "{}: {:x} {:x}, expected {:x} {:x}",
        context(),
        found.0,
        found.1,
        expected.value.to_bits(),
        expected_flags
    );
}

fn check<F>(f: Format, [a, b, c]: [u64; 3], bits: u32)
where
    F: Float + FloatConvert<Half> + FloatConvert<BFloat> + FloatConvert<Single> + FloatConvert<Double>,
    F: FloatConvert<Float8E5M2> + FloatConvert<Float8E4M3FN> + FloatConvert<IeeeFloat<Tf32>>,
{
    let r = &Rules::RISCV;
    let [x, y, z] = [a, b, c].map(|x| F::from_bits(x.into()));
    for round in ROUNDS {
        let way = their_round(round);
        let context = |op: &'static str| move || format!("{op} {f:?} {round:?} {a:x} {b:x} {c:x}");
        same(f, round, soft::add(f, r, a, b, round), x.add_r(y, way), &context("add"));
        same(f, round, soft::sub(f, r, a, b, round), x.sub_r(y, way), &context("sub"));
        same(f, round, soft::mul(f, r, a, b, round), x.mul_r(y, way), &context("mul"));
        same(f, round, soft::div(f, r, a, b, round), x.div_r(y, way), &context("div"));
        same(f, round, soft::fma(f, r, a, b, c, round), x.mul_add_r(y, z, way), &context("fma"));
        same(f, round, soft::round_to_integer(f, r, a, round), x.round_to_integral(way), &context("round"));
        let lost = &mut false;
        let to = |to| soft::convert(f, to, r, a, round);
        same::<Half>(Format::F16, round, to(Format::F16), x.convert_r(way, lost), &context("to f16"));
        same::<BFloat>(Format::BF16, round, to(Format::BF16), x.convert_r(way, lost), &context("to bf16"));
        same::<Single>(Format::F32, round, to(Format::F32), x.convert_r(way, lost), &context("to f32"));
        same::<Double>(Format::F64, round, to(Format::F64), x.convert_r(way, lost), &context("to f64"));
        same::<Float8E5M2>(Format::E5M2, round, to(Format::E5M2), x.convert_r(way, lost), &context("to e5m2"));
        same::<Float8E4M3FN>(Format::E4M3FN, round, to(Format::E4M3FN), x.convert_r(way, lost), &context("to e4m3fn"));
        same::<IeeeFloat<Tf32>>(Format::TF32, round, to(Format::TF32), x.convert_r(way, lost), &context("to tf32"));
        let signed = (b << (64 - bits)) as i64 >> (64 - bits);
        same(
            f,
            round,
            soft::from_integer(f, r, b, bits, true, round),
            F::from_i128_r(signed.into(), way),
            &context("from signed"),
        );
        let unsigned = b << (64 - bits) >> (64 - bits);
        same(
            f,
            round,
            soft::from_integer(f, r, b, bits, false, round),
            F::from_u128_r(unsigned.into(), way),
            &context("from unsigned"),
        );

        // NaN is converted to 0 there.
        let r = &Rules { nan_integer: NanInteger::Zero, ..Rules::RISCV };
        let mask = u64::MAX >> (64 - bits);
        let theirs = x.to_i128_r(bits as usize, way, lost);
        let expected = (theirs.value as u64 & mask, flags(theirs.status));
        assert_eq!(soft::to_integer(f, r, a, bits, true, round), expected, "to signed {bits} {f:?} {round:?} {a:x}");
        let theirs = x.to_u128_r(bits as usize, way, lost);
        let expected = (theirs.value as u64 & mask, flags(theirs.status));
        assert_eq!(soft::to_integer(f, r, a, bits, false, round), expected, "to unsigned {bits} {f:?} {round:?} {a:x}");
    }
}

/// A check of three operands and a width of integers.
type Check = fn(Format, [u64; 3], u32);

const ALL: [(Format, Check); 7] = [
    (Format::F16, check::<Half>),
    (Format::BF16, check::<BFloat>),
    (Format::F32, check::<Single>),
    (Format::F64, check::<Double>),
    (Format::E5M2, check::<Float8E5M2>),
    (Format::E4M3FN, check::<Float8E4M3FN>),
    (Format::TF32, check::<IeeeFloat<Tf32>>),
];

fn check_random(seed: u64, n: u64) {
    for (f, check) in ALL {
        let mut random = Random(seed);
        for _ in 0..n {
            let operands = random.triple(f);
            check(f, operands, 2 + random.below(63) as u32);
        }
    }
}

#[test]
fn hard_operands() {
    for (f, check) in ALL {
        let all = hard(f);
        for (i, &a) in all.iter().enumerate() {
            all.iter().enumerate().for_each(|(j, &b)| check(f, [a, b, all[(7 * i + 5 * j) % all.len()]], 32));
        }
    }
}

#[test]
fn random_operands() {
    check_random(7, 2500);
}

#[test]
#[ignore = "minutes"]
fn many_random_operands() {
    check_random(8, many());
}

#[test]
#[ignore = "a minute"]
fn all_triples_of_few_operands() {
    for (f, check) in ALL {
        let all = few(f);
        for (&a, &b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
            all.iter().for_each(|&c| check(f, [a, b, c], 64));
        }
    }
}
