//! The evaluator against what generated code links to, results and flags: every function, format, direction and rule, on operands at
//! the borders and random ones.

use super::function;
use crate::samples::Random;
use isa_sim::soft::{self, Format, Round, Rules};
use isa_spec::semantics::builtins::Function::{self, *};
use isa_spec::semantics::floats::{Exact, Floats, Fraction, MinKind, NanInteger, NanRule};
use isa_spec::semantics::int::Int;

const DIRECTIONS: u32 = 5;
const WIDTHS: [u32; 3] = [16, 32, 64];

trait Operands {
    fn of<T: Copy>(&mut self, list: &[T]) -> T;
    fn float(&mut self, f: Format, hard: &[u64], near: u64) -> u64;
}

impl Operands for Random {
    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[(self.next_u64() >> 8) as usize % list.len()]
    }

    /// A float: any bits, at a border, next to one, of few bits, or near another one.
    fn float(&mut self, f: Format, hard: &[u64], near: u64) -> u64 {
        let (any, bits) = (self.next_u64(), u64::MAX >> (64 - f.width()));
        let made = match self.next_u64() % 6 {
            0 => any,
            1 => self.of(hard),
            2 => self.of(hard).wrapping_add(any & 7).wrapping_sub(4),
            3 => near ^ any & 0xf ^ (any >> 63) << (f.width() - 1),
            4 => (near >> f.fraction).wrapping_add(any & 31).wrapping_sub(16) << f.fraction | (any >> 32) & 5 << (f.fraction - 3),
            _ => (near ^ any & ((1 << f.fraction) - 1)).wrapping_sub((any >> 60) << f.fraction),
        };
        made & bits
    }
}

/// The borders of a format, with both signs.
fn hard(f: Format) -> Vec<u64> {
    let least = 1 << f.fraction;
    let infinity = ((1 << f.exponent) - 1) << f.fraction;
    let one = ((1 << (f.exponent - 1)) - 1) << f.fraction;
    let digits = u64::from(f.fraction) << f.fraction;
    let positive = [
        0,
        1,
        2,
        least / 2,
        least - 1,
        least,
        least + 1,
        2 * least,
        one - least,
        one - 1,
        one,
        one + 1,
        one + least / 2,
        one + least,
        one + digits,
        one + digits + least,
        one + digits - 1,
        one - digits,
        infinity - least,
        infinity - 1,
        infinity,
        infinity + 1,
        infinity + least / 2 - 1,
        infinity + least / 2,
        infinity + least - 1,
    ];
    // Around the largest integers.
    let integers = [7, 8, 15, 16, 31, 32, 63, 64].map(|n: u64| one.saturating_add(n << f.fraction)).into_iter();
    let integers = integers.filter(|x| *x < infinity).flat_map(|x| [x - 1, x, x + 1]);
    positive.into_iter().chain(integers).flat_map(|x| [x, x | 1 << (f.width() - 1)]).collect()
}

/// A rule of each kind, in the evaluator and in compiled code.
fn rules() -> Vec<(Floats, Rules)> {
    let floats = |nan, made_sign, made_fraction, tiny_before, nan_integer, beyond_indefinite, invalid_product_quiet| Floats {
        nan,
        made_sign,
        made_fraction,
        tiny_before,
        nan_integer,
        beyond_indefinite,
        invalid_product_quiet,
    };
    vec![
        (floats(NanRule::Made, false, Fraction::High, false, NanInteger::Largest, false, false), Rules::RISCV),
        (floats(NanRule::First, true, Fraction::High, false, NanInteger::Indefinite, true, true), Rules::X86),
        (floats(NanRule::SignallingFirst, false, Fraction::High, true, NanInteger::Zero, false, false), Rules::ARM),
        (Floats::default(), Rules::NVIDIA),
    ]
}

struct Case {
    function: Function,
    args: Vec<u64>,
    from: u32,
    exact: Exact,
}

fn direction(n: u32) -> Round {
    Round::from_number(n).unwrap_or_default()
}

/// The result and the flags of compiled code.
fn compiled(case: &Case, rules: &Rules, n: u32) -> (u64, u32) {
    let rules = &Rules { flush_inputs: case.exact.flush, ..*rules };
    let (a, round, to) = (&case.args, direction(n), case.exact.to);
    let f = Format::of_width(case.from).unwrap_or(Format::F32);
    let kind = match case.exact.kind {
        MinKind::Number => soft::MinKind::Number,
        MinKind::Nan => soft::MinKind::Nan,
        MinKind::Second => soft::MinKind::Second,
    };
    let into = Format::of_width(to);
    let (value, raised) = match case.function {
        Fadd => soft::add(f, rules, a[0], a[1], round),
        Fsub => soft::sub(f, rules, a[0], a[1], round),
        Fmul => soft::mul(f, rules, a[0], a[1], round),
        Fdiv => soft::div(f, rules, a[0], a[1], round),
        Ffma => soft::fma(f, rules, a[0], a[1], a[2], round),
        Fsqrt => soft::sqrt(f, rules, a[0], round),
        Fround => soft::round_to_integer(f, rules, a[0], round),
        Fmin => soft::min(f, rules, kind, a[0], a[1]),
        Fmax => soft::max(f, rules, kind, a[0], a[1]),
        Fcmp => {
            let (order, raised) = soft::compare(f, rules, a[0], a[1], case.exact.signalling);
            return (order.into(), raised);
        }
        F2iS => return soft::to_integer(f, rules, a[0], to, true, round),
        F2iU => return soft::to_integer(f, rules, a[0], to, false, round),
        I2fS => soft::from_integer(into.expect("a format"), rules, a[0], case.from, true, round),
        I2fU => soft::from_integer(into.expect("a format"), rules, a[0], case.from, false, round),
        _ => soft::convert(f, into.expect("a format"), rules, a[0], round),
    };
    let into = into.expect("a format");
    let value = if case.exact.flush { soft::flush(into, value) } else { value };
    (if case.exact.saturate { isa_sim::exact::limited(into, value) } else { value }, raised)
}

#[track_caller]
fn same(case: &Case) {
    for (floats, rules) in rules() {
        for n in 0..DIRECTIONS {
            let mut args: Vec<Int> = case.args.iter().map(|a| Int::from(u128::from(*a))).collect();
            args.push(Int::from(u128::from(n)));
            let of = |raised| function(case.function, &args, case.from, Exact { raised, ..case.exact }, &floats).low();
            let (evaluated, compiled) = ((of(false), of(true) as u32), compiled(case, &rules, n));
            let Case { function, args, from, exact } = case;
            assert_eq!(evaluated, compiled, "{function:?} of {args:#x?}, {from} bits, {exact:?}, {n}, {floats:?}");
        }
    }
}

/// Things that calls say besides their operands.
fn ways(function: Function, to: u32) -> Vec<Exact> {
    let plain = Exact { to, ..Exact::default() };
    let mut ways = vec![plain, Exact { flush: true, ..plain }];
    match function {
        Fmin | Fmax => ways.extend([MinKind::Nan, MinKind::Second].map(|kind| Exact { kind, ..plain })),
        Fcmp => ways.push(Exact { signalling: true, ..plain }),
        Fadd | Fmul | Ffma => ways.push(Exact { saturate: true, ..plain }),
        _ => {}
    }
    ways
}

fn check(function: Function, args: &[u64], from: u32, to: u32) {
    for exact in ways(function, to) {
        same(&Case { function, args: args.to_vec(), from, exact });
    }
}

#[test]
fn functions_of_one_format_agree() {
    let mut random = Random::new(0x5eed_f10a_75);
    for width in WIDTHS {
        let f = Format::of_width(width).expect("a format");
        let hard = hard(f);
        for (i, a) in hard.iter().enumerate() {
            for (j, b) in hard.iter().enumerate() {
                for function in [Fadd, Fsub, Fmul, Fdiv, Fmin, Fmax, Fcmp] {
                    check(function, &[*a, *b], width, if function == Fcmp { 4 } else { width });
                }
                check(Ffma, &[*a, *b, hard[(5 * i + 11 * j) % hard.len()]], width, width);
            }
            check(Fsqrt, &[*a], width, width);
            check(Fround, &[*a], width, width);
        }
        for _ in 0..4000 {
            let one = hard[20];
            let a = random.float(f, &hard, one);
            let b = random.float(f, &hard, a);
            let product = soft::mul(f, &Rules::RISCV, a, b, Round::Nearest).0 ^ 1 << (width - 1);
            let near = if random.next_u64().is_multiple_of(2) { product } else { a };
            let c = random.float(f, &hard, near);
            for function in [Fadd, Fsub, Fmul, Fdiv, Fmin, Fmax] {
                check(function, &[a, b], width, width);
            }
            check(Fcmp, &[a, b], width, 4);
            check(Ffma, &[a, b, c], width, width);
            check(Fsqrt, &[a], width, width);
            check(Fround, &[a], width, width);
        }
    }
}

#[test]
fn conversions_agree() {
    let mut random = Random::new(0x5eed_f10a_76);
    for width in WIDTHS {
        let f = Format::of_width(width).expect("a format");
        let hard = hard(f);
        let mut floats = hard.clone();
        floats.extend((0..3000).map(|_| {
            let near = random.of(&hard);
            random.float(f, &hard, near)
        }));
        // What is at the borders of smaller formats, and next to it.
        for small in WIDTHS.into_iter().filter(|small| *small < width) {
            let small = Format::of_width(small).expect("a format");
            for x in self::hard(small) {
                let wide = soft::convert(small, f, &Rules::X86, x, Round::Nearest).0;
                let half = 1 << (f.fraction - small.fraction - 1);
                floats.extend([
                    wide,
                    wide + 1,
                    wide.wrapping_sub(1),
                    wide + half,
                    wide + half + 1,
                    wide + half - 1,
                    wide.wrapping_sub(half),
                ]);
            }
        }
        for x in floats.into_iter().map(|x| x & u64::MAX >> (64 - width)) {
            for to in WIDTHS {
                check(F2f, &[x], width, to);
            }
            for bits in [1, 8, 16, 24, 31, 32, 53, 63, 64] {
                check(F2iS, &[x], width, bits);
                check(F2iU, &[x], width, bits);
            }
        }
        for _ in 0..3000 {
            let bits = 1 + (random.next_u64() >> 8) as u32 % 64;
            let few = random.next_u64() >> (random.next_u64() >> 8 & 63);
            let x = (few << (random.next_u64() >> 8 & 31)).wrapping_sub(random.next_u64() & 1) & u64::MAX >> (64 - bits);
            check(I2fS, &[x], bits, width);
            check(I2fU, &[x], bits, width);
        }
    }
}
