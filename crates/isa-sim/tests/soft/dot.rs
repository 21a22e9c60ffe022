//! Sums of products: against exact sums of integers of any length, against chains of [`soft::fma`], and cases done by hand.

use crate::exact::{Exact, Value, product, rounded, sum, value};
use crate::operands::{ROUNDS, Random, few, machines};
use crate::{NAMED, many};
use isa_sim::soft::{self, Format, INEXACT, INVALID, Raised, Round, Rules, Sum};

/// The sum of finite terms, rounded once.
fn expected(of: Format, to: Format, rules: &Rules, c: u64, factors: &[(u64, u64)], round: Round) -> Option<(u64, Raised)> {
    let (mut total, mut signs, mut numbers) = (None::<Exact>, Vec::new(), 0);
    let products = factors.iter().map(|(a, b)| (value(of, rules, *a), value(of, rules, *b)));
    let products = products.map(|pair| match pair {
        (Value::Number(a), Value::Number(b)) => Some(Value::Number(product(&a, &b))),
        (Value::Nan { .. } | Value::Infinite { .. }, _) | (_, Value::Nan { .. } | Value::Infinite { .. }) => None,
        (a, b) => Some(Value::Zero { negative: a.negative() != b.negative() }),
    });
    for term in products.chain([Some(value(to, rules, c))]) {
        signs.push(term.as_ref()?.negative());
        if let Value::Number(x) = term? {
            numbers += 1;
            total = match total {
                None => Some(x),
                Some(total) => sum(&total, &x),
            };
        }
    }
    if matches!(value(to, rules, c), Value::Nan { .. } | Value::Infinite { .. }) {
        return None;
    }
    let zero = |negative: bool| (u64::from(negative) << (to.width() - 1), 0);
    Some(match total {
        Some(total) => rounded(to, rules, &total, round),
        None if numbers == 0 && signs.iter().all(|sign| *sign == signs[0]) => zero(signs[0]),
        None => zero(round == Round::Down),
    })
}

fn formats() -> Vec<(Format, Format)> {
    NAMED.iter().flat_map(|of| [Format::F16, Format::F32, Format::F64].map(|to| (*of, to))).collect()
}

fn check_random(n: u64) {
    let mut compared = 0;
    for (i, (of, to)) in formats().into_iter().enumerate() {
        let mut random = Random(i as u64);
        for turn in 0..n {
            let rules = &machines()[turn as usize % machines().len()];
            let count = 1 + random.below(9) as usize;
            let mut factors: Vec<(u64, u64)> = (0..count).map(|_| (random.pattern(of), random.pattern(of))).collect();
            if random.below(2) == 0 {
                // Terms that cancel, so that lower terms count.
                let (a, b) = factors[0];
                factors.push((a ^ 1 << (of.width() - 1), b));
            }
            let c = random.pattern(to);
            for round in ROUNDS {
                let context = || format!("{of:?} {to:?} {c:x} {factors:x?} {round:?} {rules:?}");
                let all = soft::dot(of, to, rules, c, &factors, Sum::default(), round);
                if let Some(expected) = expected(of, to, rules, c, &factors, round) {
                    compared += 1;
                    assert_eq!(all, expected, "{}", context());
                }
                // If all places are kept, nothing is cut off.
                if [Format::E5M2, Format::E4M3FN].contains(&of) && to == Format::F16 {
                    let aligned = soft::dot(of, to, rules, c, &factors, Sum { block: 0, aligned: Some(64) }, round);
                    assert_eq!(aligned, all, "{}", context());
                }
                if of == to {
                    let chain = soft::dot(of, to, rules, c, &factors, Sum { block: 1, aligned: None }, round);
                    let fused = factors.iter().fold((c, 0), |(c, raised), (a, b)| {
                        let (c, more) = soft::fma(of, rules, *a, *b, c, round);
                        (c, raised | more)
                    });
                    assert_eq!(chain, fused, "{}", context());
                }
            }
        }
    }
    assert!(compared > n, "{compared} of {n}");
}

#[test]
fn random_sums() {
    check_random(100);
}

#[test]
#[ignore = "minutes"]
fn many_random_sums() {
    check_random(many() / 20);
}

/// Aligned sums in 64 bits are those of terms of any size: factors and addends of similar sizes, zeros, subnormal numbers, infinities.
#[test]
fn short_sums_are_long_ones() {
    for (i, (of, to)) in formats().into_iter().enumerate() {
        let mut random = Random(i as u64);
        for turn in 0..400 {
            let rules = &machines()[turn % machines().len()];
            let count = 1 + random.below(20) as usize;
            let near = random.below(2) == 0;
            let mut pattern = |f: Format| {
                let any = random.pattern(f);
                let one = ((1 << (f.exponent - 1)) - 1) << f.fraction;
                let zero = random.below(8) == 0;
                // The exponents of 1 to 8, where all terms count.
                if zero {
                    any & f.sign()
                } else if near {
                    any & (f.sign() | 3 << f.fraction) | any & ((1 << f.fraction) - 1) | one
                } else {
                    any
                }
            };
            let factors: Vec<(u64, u64)> = (0..count).map(|_| (pattern(of), pattern(of))).collect();
            let c = pattern(to);
            let aligned = Some([0, 10, 23, 24, 25, 30, 52, 56, 57, 64][random.below(10) as usize]);
            let sum = Sum { block: [0, 1, 4, 8, 16][random.below(5) as usize], aligned };
            for round in ROUNDS {
                assert_eq!(
                    soft::dot(of, to, rules, c, &factors, sum, round),
                    soft::by_integers::dot(of, to, rules, c, &factors, sum, round),
                    "{of:?} {to:?} {c:x} {factors:x?} {sum:?} {round:?} {rules:?}"
                );
            }
        }
    }
}

#[test]
fn one_product_is_a_fused_one() {
    for (i, f) in NAMED.into_iter().enumerate() {
        let rules = &machines()[i % machines().len()];
        for (a, b, c) in few(f).iter().flat_map(|a| few(f).into_iter().map(move |b| (*a, b, *a ^ b))) {
            for round in ROUNDS {
                let one = soft::dot(f, f, rules, c, &[(a, b)], Sum::default(), round);
                assert_eq!(one, soft::fma(f, rules, a, b, c, round), "{f:?} {a:x} {b:x} {c:x} {round:?} {rules:?}");
            }
        }
    }
}

const ONE: u64 = 0x3c00;
const F16: Format = Format::F16;
const F32: Format = Format::F32;

fn aligned(places: u32, block: usize, c: f32, factors: &[(u64, u64)], round: Round) -> f32 {
    let sum = Sum { block, aligned: Some(places) };
    f32::from_bits(soft::dot(F16, F32, &Rules::NVIDIA, c.to_bits().into(), factors, sum, round).0 as u32)
}

#[test]
fn aligned_terms_lose_their_low_places() {
    // 2^-12 · 2^-12 beside 1: 24 places below.
    let small = (0x0c00, 0x0c00);
    let last = f32::EPSILON;
    let four = [(ONE, ONE), small, small, small];
    assert_eq!(aligned(23, 0, 0.0, &four, Round::Zero), 1.0);
    assert_eq!(aligned(24, 0, 0.0, &four, Round::Zero), 1.0 + last);
    assert_eq!(aligned(24, 0, 0.0, &four, Round::Up), 1.0 + 2.0 * last);
    // One after the other, each sum is rounded.
    assert_eq!(aligned(24, 1, 0.0, &four, Round::Zero), 1.0);
    assert_eq!(aligned(24, 3, 0.0, &four, Round::Zero), 1.0 + last);
    // The addend may be the greatest; cancelled terms leave no additional places.
    assert_eq!(aligned(24, 0, -1.0, &four, Round::Zero), 3.0 / 16_777_216.0);
    assert_eq!(aligned(23, 0, -1.0, &four, Round::Zero), 0.0);
    // Each term is cut towards zero.
    let negative = [(ONE, ONE), (0x8c00, 0x0c00)];
    assert_eq!(aligned(23, 0, 0.0, &negative, Round::Zero), 1.0);
    assert_eq!(aligned(24, 0, 0.0, &negative, Round::Zero), 1.0 - last / 2.0);
}

#[test]
fn exponents_of_products_are_sums() {
    // 1.5 · 1.5 is 2.25, with the exponent of 1: 2^-24 keeps its place.
    let factors = [(0x3e00, 0x3e00), (0xbe00, 0x3e00), (0x0c00, 0x0c00), (0x0c00, 0x0c00)];
    assert_eq!(aligned(24, 0, 0.0, &factors, Round::Zero), f32::EPSILON);
    // 2.25 itself has the exponent of 2.
    assert_eq!(aligned(24, 0, -2.25, &factors[..1], Round::Zero), 0.0);
    assert_eq!(aligned(24, 0, -2.25, &[factors[0], factors[2], factors[3]], Round::Zero), 0.0);
    // A subnormal factor has the exponent of the least normal number, 2^-14: next to a term of exponent -13, that keeps 2^-24 ·
    // 2.
    let factors = [(0x0001, 0x4000)];
    let c = 2f32.powi(-37);
    assert_eq!(aligned(24, 0, c, &factors, Round::Zero), 2f32.powi(-23) + c);
    assert_eq!(aligned(23, 0, c, &factors, Round::Zero), 2f32.powi(-23));
}

#[test]
fn flags_of_sums() {
    let sum = |factors: &[(u64, u64)], sum| soft::dot(F16, F32, &Rules::RISCV, 0, factors, sum, Round::Nearest).1;
    let small = (0x0c00, 0x0c00);
    let cut = Sum { block: 0, aligned: Some(23) };
    assert_eq!(sum(&[(ONE, ONE), small, small], cut), INEXACT);
    assert_eq!(sum(&[(ONE, ONE), small, small], Sum::default()), 0);
    assert_eq!(sum(&[(ONE, ONE), small], Sum::default()), INEXACT);
    let infinity = 0x7c00;
    assert_eq!(sum(&[(infinity, ONE), (infinity, ONE | 0x8000)], cut), INVALID);
    assert_eq!(sum(&[(infinity, ONE), (infinity, ONE)], cut), 0);
    assert_eq!(sum(&[(infinity, 0), (ONE, ONE)], cut), INVALID);
}
