//! `cargo bench -p benches --bench floats`: nanoseconds an operation of `isa_sim::soft`, and of the host. Prints a Markdown table.

use benches::Random;
use isa_sim::soft::*;
use std::hint::black_box;
use std::time::Instant;

/// The best of fifteen times of a million operations, whose results go into an array.
#[inline(never)]
fn nanoseconds<T: Copy>(operands: &[T], operation: impl Fn(T) -> (u64, Raised)) -> f64 {
    let mut results = vec![0; operands.len()];
    let mut time = || {
        let start = Instant::now();
        let mut raised = 0;
        for _ in 0..1_000_000 / operands.len() {
            for (result, x) in results.iter_mut().zip(operands) {
                let (bits, flags) = operation(*x);
                *result = bits;
                raised |= flags;
            }
            // All are computed each time.
            black_box((&mut results, raised));
        }
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..15).map(|_| time()).fold(f64::INFINITY, f64::min)
}

/// A line of the table: the function by the host alone, its result without flags, and with flags by its name and in a direction.
macro_rules! line {
    ($name:expr, $operands:expr, $host:expr, $near:expr, $function:ident($($before:expr),*; $($i:literal),+ $(; $($after:expr),+)?)) => {{
        let rules = &Rules::RISCV;
        let soft = |x: [u64; 3], round| $function($($before,)* rules, $(x[$i],)+ $($($after,)+)? round);
        let integers = |x: [u64; 3], round| by_integers::$function($($before,)* rules, $(x[$i],)+ $($($after,)+)? round);
        let times = [
            nanoseconds($operands, |x| ($host(x), 0)),
            nanoseconds($operands, |x| ($near(rules, x), 0)),
            nanoseconds($operands, |x| soft(x, Round::Nearest)),
            nanoseconds($operands, |x| soft(x, black_box(Round::Nearest))),
            nanoseconds($operands, |x| soft(x, black_box(Round::Up))),
            nanoseconds($operands, |x| integers(x, Round::Nearest)),
            nanoseconds($operands, |x| integers(x, black_box(Round::Nearest))),
        ];
        println!("| {} | {} |", $name, times.map(|t| format!("{t:.1}")).join(" | "));
    }};
}

macro_rules! table {
    ($float:ident, $bits:ident, $format:expr, $other:expr, $other_float:ident, $other_bits:ident) => {{
        const F: Format = $format;
        let mut random = Random(1);
        // Numbers from 2^-8 to 2^8.
        let one = ((1u64 << (F.exponent - 1)) - 1) << F.fraction;
        let positive = |x: u64| (one + ((x >> 60) << F.fraction) - (8 << F.fraction)) | x & ((1 << F.fraction) - 1);
        let operands: Vec<[u64; 3]> = (0..1000).map(|_| [0; 3].map(|_| positive(random.word()))).collect();
        let operands = &operands;
        let read = |x: u64| $float::from_bits(x as $bits);
        let bits = |x: $float| u64::from(x.to_bits());
        let name = |function: &str| format!("{} {function}", stringify!($float));
        line!(name("add"), operands, |x: [u64; 3]| bits(read(x[0]) + read(x[1])), |r, x: [u64; 3]| near::add(F, r, x[0], x[1]), add(F; 0, 1));
        line!(name("mul"), operands, |x: [u64; 3]| bits(read(x[0]) * read(x[1])), |r, x: [u64; 3]| near::mul(F, r, x[0], x[1]), mul(F; 0, 1));
        line!(name("div"), operands, |x: [u64; 3]| bits(read(x[0]) / read(x[1])), |r, x: [u64; 3]| near::div(F, r, x[0], x[1]), div(F; 0, 1));
        line!(name("sqrt"), operands, |x: [u64; 3]| bits(read(x[0]).sqrt()), |r, x: [u64; 3]| near::sqrt(F, r, x[0]), sqrt(F; 0));
        line!(
            name("fma"),
            operands,
            |x: [u64; 3]| bits(read(x[0]).mul_add(read(x[1]), read(x[2]))),
            |r, x: [u64; 3]| near::fma(F, r, x[0], x[1], x[2]),
            fma(F; 0, 1, 2)
        );
        line!(
            name("to the other"),
            operands,
            |x: [u64; 3]| (read(x[0]) as $other_float).to_bits().into(),
            |r, x: [u64; 3]| near::convert(F, $other, r, x[0]),
            convert(F, $other; 0)
        );
        line!(
            name("of an integer of 64 bits"),
            operands,
            |x: [u64; 3]| bits(x[0] as i64 as $float),
            |r, x: [u64; 3]| from_integer(F, r, x[0], 64, true, Round::Nearest).0,
            from_integer(F; 0; 64, true)
        );
        for (function, round) in [("as an integer of 64 bits, rz", Round::Zero), ("the same, rn", Round::Nearest)] {
            let constant = match round {
                Round::Zero => nanoseconds(operands, |x| to_integer(F, &Rules::RISCV, x[0], 64, true, Round::Zero)),
                _ => nanoseconds(operands, |x| to_integer(F, &Rules::RISCV, x[0], 64, true, Round::Nearest)),
            };
            let value = nanoseconds(operands, |x| to_integer(F, &Rules::RISCV, x[0], 64, true, black_box(round)));
            println!("| {} | | | {constant:.1} | {value:.1} | | | |", name(function));
        }
        let host = nanoseconds(operands, |x| (u64::from(read(x[0]) < read(x[1])), 0));
        let order = nanoseconds(operands, |x| {
            let (order, flags) = compare(F, &Rules::RISCV, x[0], x[1], true);
            (order.into(), flags)
        });
        println!("| {} | {host:.1} | | {order:.1} | | | | |", name("compare"));
        let least = nanoseconds(operands, |x| min(F, &Rules::RISCV, MinKind::Number, x[0], x[1]));
        println!("| {} | | | {least:.1} | | | | |", name("min"));
    }};
}

fn main() {
    println!("| | host | no flags | flags, `rn` | direction a value, `rn` | `ru` | by integers, `rn` | direction a value |");
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    table!(f32, u32, Format::F32, Format::F64, f64, u64);
    table!(f64, u64, Format::F64, Format::F32, f32, u32);
    let mut random = Random(1);
    // Halves from 2^-4 to 2^4, of either sign.
    let mut half = || (0x2c00 + (random.below(8) << 10)) | random.below(1 << 10) | random.below(2) << 15;
    let operands: Vec<([(u64, u64); 8], u64)> =
        (0..1000).map(|i| ([0; 8].map(|_| (half(), half())), (i as f32).to_bits().into())).collect();
    let sum = Sum { block: 0, aligned: Some(24) };
    let short = nanoseconds(&operands, |(x, c)| dot(Format::F16, Format::F32, &Rules::NVIDIA, c, &x, sum, Round::Zero));
    let long =
        nanoseconds(&operands, |(x, c)| by_integers::dot(Format::F16, Format::F32, &Rules::NVIDIA, c, &x, sum, Round::Zero));
    println!("| aligned sum of 8 products of binary16 | | | {short:.1} | | | {long:.1} | |");
}
