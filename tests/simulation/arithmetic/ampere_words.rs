//! Numbers of several words on Ampere: what carries are for.

use super::on_both_engines;
use harness::{Random, Warp, WarpEngine};
use isa_reference::codec::Codec;
use isa_spec::model::Isa;

on_both_engines! {
    "ampere.yaml" ampere: three_numbers_of_64_bits signed_sums scaled_addresses wide_products comparisons_of_64_bits;
}

/// Numbers of 64 bits in pairs of registers, in all lanes of a warp.
struct Pairs<'e> {
    codec: Codec<'e>,
    warp: Warp<'e>,
}

impl<'e> Pairs<'e> {
    fn new(isa: &'e Isa, engine: &'e dyn WarpEngine) -> Self {
        Self { codec: Codec::new(isa), warp: Warp::new(engine, 0) }
    }

    fn run(&mut self, program: &[&str]) {
        for text in program {
            let (_, word) = self.codec.parse(text, 0, &|_| None).unwrap_or_else(|e| panic!("{text}: {e}"));
            self.warp.run(word, 128, u64::MAX);
        }
    }

    fn set(&mut self, register: usize, value: impl Fn(usize) -> u64) {
        for lane in 0..self.warp.lanes() {
            self.warp.state_mut().set_register(0, register, lane, u128::from(value(lane) as u32));
            self.warp.state_mut().set_register(0, register + 1, lane, u128::from(value(lane) >> 32));
        }
    }

    fn get(&self, register: usize, lane: usize) -> u64 {
        let word = |n| self.warp.state().register(0, n, lane) as u64;
        word(register) | word(register + 1) << 32
    }

    fn predicate(&self, register: usize, lane: usize) -> bool {
        self.warp.state().register(1, register, lane) == 1
    }
}

/// Runs a program on random pairs R2, R4 and R6, and passes them and the lane to the function that checks the results.
fn on_pairs(isa: &Isa, engine: &dyn WarpEngine, program: &[&str], check: impl Fn([u64; 3], &Pairs<'_>, usize)) {
    let mut random = Random::new(0x64b175);
    let mut pairs = Pairs::new(isa, engine);
    for _ in 0..40 {
        let mut value = || -> Vec<u64> { (0..32).map(|_| random.value(64) as u64).collect() };
        let mut values = [value(), value(), value()];
        // Equal numbers, and equal high words, come up.
        for lane in 0..8 {
            values[1][lane] = values[0][lane];
            values[1][lane + 8] = values[0][lane + 8] & !0xffff_ffff | values[1][lane + 8] & 0xffff_ffff;
        }
        for (i, values) in values.iter().enumerate() {
            pairs.set(2 + 2 * i, |lane| values[lane]);
        }
        pairs.run(program);
        let [a, b, c] = values;
        for (lane, ((a, b), c)) in a.into_iter().zip(b).zip(c).enumerate() {
            check([a, b, c], &pairs, lane);
        }
    }
}

fn three_numbers_of_64_bits(isa: &Isa, engine: &dyn WarpEngine) {
    let program = ["IADD3 R8, P0, P1, R2, R4, R6", "IADD3.X R9, R3, R5, R7, P0, P1"];
    on_pairs(isa, engine, &program, |[a, b, c], pairs, lane| {
        assert_eq!(pairs.get(8, lane), a.wrapping_add(b).wrapping_add(c), "{a:#x} + {b:#x} + {c:#x}");
    });
}

fn signed_sums(isa: &Isa, engine: &dyn WarpEngine) {
    let program = ["IADD3 R8, P0, P1, -R2, R4, -R6", "IADD3.X R9, ~R3, R5, ~R7, P0, P1"];
    on_pairs(isa, engine, &program, |[a, b, c], pairs, lane| {
        assert_eq!(pairs.get(8, lane), b.wrapping_sub(a).wrapping_sub(c), "-{a:#x} + {b:#x} - {c:#x}");
    });
    let program = ["IADD3 R8, P0, R2, -R4, RZ", "IADD3.X R9, P2, R3, ~R5, RZ, P0, !PT"];
    on_pairs(isa, engine, &program, |[a, b, _], pairs, lane| {
        assert_eq!((pairs.get(8, lane), pairs.predicate(2, lane)), (a.wrapping_sub(b), a >= b), "{a:#x} - {b:#x}");
    });
}

/// Base and index of 64 bits, as compilers address arrays.
fn scaled_addresses(isa: &Isa, engine: &dyn WarpEngine) {
    for shift in [0, 1, 2, 5, 31] {
        let [low, high] = [format!("LEA R8, P0, R2, R4, {shift:#x}"), format!("LEA.HI.X R9, R2, R5, R3, {shift:#x}, P0")];
        on_pairs(isa, engine, &[&low, &high], |[a, b, _], pairs, lane| {
            assert_eq!(pairs.get(8, lane), b.wrapping_add(a << shift), "{b:#x} + ({a:#x} << {shift})");
        });
        let high = format!("LEA.HI.X.SX32 R9, R2, R5, {shift:#x}, P0");
        on_pairs(isa, engine, &[&low, &high], |[a, b, _], pairs, lane| {
            let index = i64::from(a as i32) as u64;
            assert_eq!(pairs.get(8, lane), b.wrapping_add(index << shift), "{b:#x} + ({index:#x} << {shift})");
        });
    }
}

/// A product of two numbers of 64 bits has 128.
fn wide_products(isa: &Isa, engine: &dyn WarpEngine) {
    let program = [
        "IMAD.WIDE.U32 R8, R2, R4, RZ", // low · low, 0
        "IMAD.MOV.U32 R12, RZ, RZ, R9",
        "IMAD.MOV.U32 R13, RZ, RZ, RZ",
        "IMAD.WIDE.U32 R12, R3, R4, R12",     // high · low, and what was carried
        "IMAD.WIDE.U32 R14, P0, R2, R5, R12", // low · high
        "IMAD.MOV.U32 R9, RZ, RZ, R14",
        "IMAD.MOV.U32 R16, RZ, RZ, R15",
        "IMAD.X R17, RZ, RZ, RZ, P0",
        "IMAD.WIDE.U32 R10, R3, R5, R16", // high · high
    ];
    on_pairs(isa, engine, &program, |[a, b, _], pairs, lane| {
        let product = u128::from(pairs.get(8, lane)) | u128::from(pairs.get(10, lane)) << 64;
        assert_eq!(product, u128::from(a) * u128::from(b), "{a:#x} * {b:#x}");
    });
    let program = ["IMAD.WIDE R8, R2, R4, R6", "IMAD.HI R10, R2, R4, R6", "IMAD R11, R2, R4, R6"];
    on_pairs(isa, engine, &program, |[a, b, c], pairs, lane| {
        let (a, b) = (a as i32, b as i32);
        let sum = (i128::from(a) * i128::from(b) + i128::from(c)) as u64;
        assert_eq!((pairs.get(8, lane), pairs.get(10, lane)), (sum, sum.rotate_left(32)), "{a:#x} * {b:#x} + {c:#x}");
    });
}

fn comparisons_of_64_bits(isa: &Isa, engine: &dyn WarpEngine) {
    type Compare = fn(&std::cmp::Ordering) -> bool;
    let all: [(&str, Compare); 6] = [
        ("LT", |o| o.is_lt()),
        ("EQ", |o| o.is_eq()),
        ("LE", |o| o.is_le()),
        ("GT", |o| o.is_gt()),
        ("NE", |o| o.is_ne()),
        ("GE", |o| o.is_ge()),
    ];
    for (name, holds) in all {
        for sign in ["", ".U32"] {
            // The low words have no signs.
            let [low, high] =
                [format!("ISETP.{name}.U32.AND P0, PT, R2, R4, PT"), format!("ISETP.{name}{sign}.AND.EX P1, P2, R3, R5, PT, P0")];
            on_pairs(isa, engine, &[&low, &high], |[a, b, _], pairs, lane| {
                let order = if sign.is_empty() { (a as i64).cmp(&(b as i64)) } else { a.cmp(&b) };
                let found = (pairs.predicate(1, lane), pairs.predicate(2, lane));
                assert_eq!(found, (holds(&order), !holds(&order)), "{a:#x} {name}{sign} {b:#x}");
            });
        }
    }
}
