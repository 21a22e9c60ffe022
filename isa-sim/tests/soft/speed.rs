//! Nanoseconds an operation, with flags: `cargo test --release -p isa-sim --test soft speed -- --ignored --nocapture`.

use crate::arithmetic::soft;
use crate::exact::OPS;
use crate::operands::{ROUNDS, Random};
use isa_sim::soft::*;
use std::hint::black_box;
use std::time::Instant;

/// The best of five times of a million operations.
fn nanoseconds(operands: &[[u64; 3]], operation: impl Fn([u64; 3]) -> (u64, Raised)) -> f64 {
    let time = || {
        let start = Instant::now();
        let mut all = (0, 0);
        for _ in 0..1_000_000 / operands.len() {
            for x in operands {
                let (bits, flags) = operation(*x);
                all = (all.0 ^ bits, all.1 | flags);
            }
        }
        black_box(all);
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..5).map(|_| time()).fold(f64::INFINITY, f64::min)
}

#[test]
#[ignore = "a measurement"]
fn speed() {
    for (name, f) in [("f32", Format::F32), ("f64", Format::F64)] {
        let mut random = Random(1);
        // Numbers from 2^-8 to 2^8.
        let one = ((1u64 << (f.exponent - 1)) - 1) << f.fraction;
        let positive = |x: u64| (one + ((x >> 60) << f.fraction) - (8 << f.fraction)) | x & ((1 << f.fraction) - 1);
        let operands: Vec<[u64; 3]> = (0..1000).map(|_| [0; 3].map(|_| positive(random.word()))).collect();
        for op in OPS {
            // The format and the rounding are constants, as in generated code; then neither is.
            let constant = match name {
                "f32" => nanoseconds(&operands, |x| soft(op, Format::F32, &Rules::RISCV, x, Round::Nearest)),
                _ => nanoseconds(&operands, |x| soft(op, Format::F64, &Rules::RISCV, x, Round::Nearest)),
            };
            let any = nanoseconds(&operands, |x| soft(op, black_box(f), black_box(&Rules::RISCV), x, black_box(ROUNDS[3])));
            println!("{name} {op:?}: {constant:.1} ns; format and rounding not constant {any:.1} ns");
        }
    }
}
