//! The evaluator against what generated code links to, results and flags: every function, format, direction and rule, on operands at
//! the borders and random ones.

use super::function;
use crate::samples::Random;
use isa_sim::soft;
use isa_spec::semantics::arith::shl;
use isa_spec::semantics::builtins::FloatFunction::{self, *};
use isa_spec::semantics::floats::{Exact, Format, MinKind, Round, Rules, Sum};
use isa_spec::semantics::int::Int;

const DIRECTIONS: u32 = 5;

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
            4 => {
                (near >> f.fraction).wrapping_add(any & 31).wrapping_sub(16) << f.fraction
                    | (any >> 32) & 5 << f.fraction.saturating_sub(3)
            }
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

/// A rule of each kind.
fn rules() -> Vec<Rules> {
    let tiny = |rules| Rules { flush_tiny: true, ..rules };
    vec![Rules::RISCV, tiny(Rules::X86), tiny(Rules::ARM), Rules::NVIDIA]
}

struct Case {
    function: FloatFunction,
    args: Vec<u64>,
    /// Bits of an operand that is an integer.
    from: u32,
    exact: Exact,
}

fn direction(n: u32) -> Round {
    Round::from_number(n).unwrap_or_default()
}

/// The result and the flags of compiled code.
fn compiled(case: &Case, rules: &Rules, n: u32) -> ([u64; 4], u32) {
    let Exact { of, to, bits, .. } = case.exact;
    let (f, into, round) = (of, to, direction(n));
    let is_signed = matches!(case.function, F2iS | I2fS);
    match case.function {
        F2iS | F2iU if bits > 64 => {
            let rules = &Rules { flush_inputs: case.exact.flush_operands, ..*rules };
            soft::to_wide_integer(f, rules, case.args[0], bits, is_signed, round)
        }
        I2fS | I2fU if case.from > 64 => {
            let x: [u64; 4] = case.args[..].try_into().expect("the digits of an integer");
            let (float, raised) = soft::from_wide_integer(into, rules, x, case.from, is_signed, round);
            ([float, 0, 0, 0], raised)
        }
        _ => {
            let (value, raised) = compiled_narrow(case, rules, n);
            ([value, 0, 0, 0], raised)
        }
    }
}

fn compiled_narrow(case: &Case, rules: &Rules, n: u32) -> (u64, u32) {
    let Exact { of, to, bits, sum, .. } = case.exact;
    let rules = &Rules {
        flush_inputs: case.exact.flush_operands,
        flush_results: case.exact.flush_results && rules.flush_tiny,
        finite_results: case.exact.finite,
        ..*rules
    };
    let (a, round, f, into) = (&case.args, direction(n), of, to);
    let (value, raised) = match case.function {
        Fadd => soft::add(f, rules, a[0], a[1], round),
        Fsub => soft::sub(f, rules, a[0], a[1], round),
        Fmul => soft::mul(f, rules, a[0], a[1], round),
        Fdiv => soft::div(f, rules, a[0], a[1], round),
        Ffma => soft::fma(f, rules, a[0], a[1], a[2], round),
        Fsqrt => soft::sqrt(f, rules, a[0], round),
        Fround => soft::round_to_integer(f, rules, a[0], round),
        Fmin => soft::min(f, rules, case.exact.kind, a[0], a[1]),
        Fmax => soft::max(f, rules, case.exact.kind, a[0], a[1]),
        Fclass => return (soft::classify(f, a[0]).into(), 0),
        Fcmp => {
            let (order, raised) = soft::compare(f, rules, a[0], a[1], case.exact.signalling);
            return (order.into(), raised);
        }
        F2iS => return soft::to_integer(f, rules, a[0], bits, true, round),
        F2iU => return soft::to_integer(f, rules, a[0], bits, false, round),
        I2fS => soft::from_integer(into, rules, a[0], case.from, true, round),
        I2fU => soft::from_integer(into, rules, a[0], case.from, false, round),
        Fdot => {
            let factors: Vec<(u64, u64)> = a[1..].chunks(2).map(|pair| (pair[0], pair[1])).collect();
            let sum = soft::Sum { block: sum.block as usize, aligned: sum.aligned };
            soft::dot(f, into, rules, a[0], &factors, sum, round)
        }
        _ => soft::convert(f, into, rules, a[0], round),
    };
    let value = if case.exact.flush_results { soft::flush(into, value) } else { value };
    (if case.exact.saturate { into.limited(value) } else { value }, raised)
}

/// The arguments of a call; factors are packed.
fn arguments(case: &Case) -> Vec<Int> {
    let int = |x: u64| Int::from(u128::from(x));
    if matches!(case.function, I2fS | I2fU) && case.from > 64 {
        return vec![Int::from_limbs(case.args[..].try_into().expect("the digits of an integer"))];
    }
    if case.function != Fdot {
        return case.args.iter().copied().map(int).collect();
    }
    let packed = |which: usize| {
        let elements = case.args[1..].iter().skip(which).step_by(2);
        let placed = elements.enumerate().map(|(i, x)| shl(int(*x), (i as u32 * case.exact.of.width()).into()));
        placed.fold(Int::default(), Int::wrapping_add)
    };
    vec![int(case.args[0]), packed(0), packed(1)]
}

/// The amount of work: all of the rules, directions and variants of each call or one in turn, and the number of random operands
/// of a format.
struct Work {
    is_all: bool,
    random: u64,
    turn: u64,
}

impl Work {
    fn new(is_all: bool, random: u64) -> Self {
        Self { is_all, random, turn: 0 }
    }

    /// All of a list, or one.
    fn some<T: Clone>(&mut self, list: Vec<T>) -> Vec<T> {
        if self.is_all {
            return list;
        }
        self.turn += 1;
        // One after the other, and in another order with each round.
        let at = (self.turn + self.turn / 7 + self.turn / 61) as usize % list.len();
        vec![list[at].clone()]
    }

    #[track_caller]
    fn same(&mut self, case: &Case) {
        for rules in self.some(rules()) {
            for n in self.some((0..DIRECTIONS).collect()) {
                let mut args = arguments(case);
                args.push(Int::from(u128::from(n)));
                let of = |raised| function(case.function, &args, case.from, Exact { raised, ..case.exact }, &rules);
                let evaluated = (of(false).limbs(), of(true).low() as u32);
                let compiled = compiled(case, &rules, n);
                let Case { function, args, from, exact } = case;
                assert_eq!(evaluated, compiled, "{function:?} of {args:#x?}, {from} bits, {exact:?}, {n}, {rules:?}");
            }
        }
    }

    /// A function of operands of one format, to that format.
    fn check(&mut self, function: FloatFunction, args: &[u64], of: Format) {
        self.check_to(function, args, of, of, of.width());
    }

    fn check_to(&mut self, function: FloatFunction, args: &[u64], of: Format, to: Format, bits: u32) {
        for exact in self.some(ways(function, Exact::new(of, to, bits))) {
            self.same(&Case { function, args: args.to_vec(), from: of.width(), exact });
        }
    }

    fn functions_of_one_format(&mut self) {
        let mut random = Random::new(0x5eed_f10a_75);
        for f in Format::ALL {
            let hard = hard(f);
            for (i, a) in hard.iter().enumerate() {
                for (j, b) in hard.iter().enumerate() {
                    for function in [Fadd, Fsub, Fmul, Fdiv, Fmin, Fmax] {
                        self.check(function, &[*a, *b], f);
                    }
                    self.check_to(Fcmp, &[*a, *b], f, f, 4);
                    self.check(Ffma, &[*a, *b, hard[(5 * i + 11 * j) % hard.len()]], f);
                }
                self.check(Fsqrt, &[*a], f);
                self.check(Fround, &[*a], f);
                self.check_to(Fclass, &[*a], f, f, 10);
            }
            for _ in 0..self.random {
                let one = hard[20];
                let a = random.float(f, &hard, one);
                let b = random.float(f, &hard, a);
                let product = soft::mul(f, &Rules::RISCV, a, b, Round::Nearest).0 ^ f.sign();
                let near = if random.next_u64().is_multiple_of(2) { product } else { a };
                let c = random.float(f, &hard, near);
                for function in [Fadd, Fsub, Fmul, Fdiv, Fmin, Fmax] {
                    self.check(function, &[a, b], f);
                }
                self.check_to(Fcmp, &[a, b], f, f, 4);
                self.check(Ffma, &[a, b, c], f);
                self.check(Fsqrt, &[a], f);
                self.check(Fround, &[a], f);
                self.check_to(Fclass, &[a], f, f, 10);
            }
        }
    }

    fn conversions(&mut self) {
        let mut random = Random::new(0x5eed_f10a_76);
        for f in Format::ALL {
            let hard = hard(f);
            let mut floats = hard.clone();
            floats.extend((0..self.random).map(|_| {
                let near = random.of(&hard);
                random.float(f, &hard, near)
            }));
            // Values at the limits of smaller formats, and next to them.
            for small in Format::ALL.into_iter().filter(|small| small.fraction < f.fraction) {
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
            for x in floats.into_iter().map(|x| x & u64::MAX >> (64 - f.width())) {
                for to in Format::ALL {
                    self.check_to(F2f, &[x], f, to, to.width());
                }
                for bits in [1, 8, 16, 24, 31, 32, 53, 63, 64, 65, 128, 256] {
                    self.check_to(F2iS, &[x], f, f, bits);
                    self.check_to(F2iU, &[x], f, f, bits);
                }
            }
            for _ in 0..self.random {
                let bits = 1 + (random.next_u64() >> 8) as u32 % 64;
                let few = random.next_u64() >> (random.next_u64() >> 8 & 63);
                let x = (few << (random.next_u64() >> 8 & 31)).wrapping_sub(random.next_u64() & 1) & u64::MAX >> (64 - bits);
                for function in [I2fS, I2fU] {
                    let exact = Exact::new(f, f, f.width());
                    self.same(&Case { function, args: vec![x], from: bits, exact });
                    // An integer of more digits, of which some are zeros, and others all ones.
                    let wide = 65 + (random.next_u64() >> 8) as u32 % 192;
                    let digits = [0; 4].map(|_| match random.next_u64() >> 8 & 3 {
                        0 => 0,
                        1 => u64::MAX,
                        _ => random.next_u64(),
                    });
                    let args = Int::from_limbs(digits).truncated(wide).limbs().to_vec();
                    self.same(&Case { function, args, from: wide, exact });
                }
            }
        }
    }

    fn sums_of_products(&mut self) {
        let mut random = Random::new(0x5eed_f10a_77);
        for (of, to) in Format::ALL.into_iter().flat_map(|of| [Format::F16, Format::F32, Format::F64].map(|to| (of, to))) {
            let (f, into) = (of, to);
            let (few, near) = (hard(f), hard(into));
            for turn in 0..self.random / 4 {
                let products = 1 + random.next_u64() as u32 % (256 / of.width()).min(9);
                let mut float = |near: u64| random.float(f, &few, near);
                let mut factors: Vec<u64> = (0..2 * products).map(|_| float(few[20])).collect();
                if turn % 3 == 0 && products > 1 {
                    // Products that cancel, so that lower terms count.
                    (factors[2], factors[3]) = (factors[0] ^ f.sign(), factors[1]);
                }
                let addend = random.float(into, &near, near[20]);
                let block = 1 + random.next_u64() as u32 % products;
                let aligned = (turn % 2 == 0).then(|| random.next_u64() as u32 % 65);
                let exact = Exact { sum: Sum { products, block, aligned }, ..Exact::new(of, to, to.width()) };
                let args: Vec<u64> = [addend].into_iter().chain(factors).collect();
                self.same(&Case { function: Fdot, args: args.clone(), from: to.width(), exact });
                let exact = Exact { flush_operands: true, flush_results: turn % 2 == 0, ..exact };
                self.same(&Case { function: Fdot, args, from: to.width(), exact });
            }
        }
    }
}

/// Things that calls say besides their operands.
fn ways(function: FloatFunction, plain: Exact) -> Vec<Exact> {
    let operands = Exact { flush_operands: true, ..plain };
    let mut ways = vec![plain, operands, Exact { flush_results: true, ..operands }];
    match function {
        Fmin | Fmax => ways.extend([MinKind::Nan, MinKind::Second].map(|kind| Exact { kind, ..plain })),
        Fcmp => ways.push(Exact { signalling: true, ..plain }),
        Fadd | Fmul | Ffma => {
            ways.extend([Exact { saturate: true, ..plain }, Exact { flush_results: true, ..plain }]);
        }
        F2f => ways.extend([Exact { finite: true, ..plain }, Exact { flush_results: true, ..plain }]),
        _ => {}
    }
    ways
}

#[test]
fn functions_of_one_format_agree() {
    Work::new(false, 1000).functions_of_one_format();
}

#[test]
fn conversions_agree() {
    Work::new(false, 1000).conversions();
}

#[test]
fn sums_of_products_agree() {
    Work::new(false, 1000).sums_of_products();
}

/// All rules, directions and ways with operands at the borders, and `ISA_FLOAT_CASES` random ones a format.
#[test]
#[ignore = "minutes"]
fn many_agree() {
    Work::new(true, 10).functions_of_one_format();
    Work::new(true, 10).conversions();
    Work::new(true, 1000).sums_of_products();
    let cases = std::env::var("ISA_FLOAT_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000_000);
    // One turn computes 11 functions of its operands, or 31 conversions.
    Work::new(false, cases / 11).functions_of_one_format();
    Work::new(false, cases / 31).conversions();
    Work::new(false, cases / 2).sums_of_products();
}
