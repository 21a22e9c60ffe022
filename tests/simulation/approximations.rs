//! The statements of `docs/simulation.md` about functions that machines approximate: the distances of the results of SM 1.0's
//! instructions from the true values, RRO included, on both engines.

use harness::{Random, Warp, WarpEngine, shipped_isa};
use isa_reference::codec::Codec;
use isa_reference::eval::Reference;
use isa_spec::model::Isa;
use std::sync::LazyLock;

static ISA: LazyLock<&Isa> = LazyLock::new(|| shipped_isa("flexgrip"));

/// The values of R1 that a program computes from those of R2, lane by lane.
fn execute(engine: &dyn WarpEngine, program: &[&str], arguments: &[f32]) -> Vec<f32> {
    let codec = Codec::new(&ISA);
    let file = engine.machine().registers.iter().position(|r| r.name == "R").expect("it has registers");
    let mut warp = Warp::new(engine, 0);
    let mut results = Vec::new();
    for some in arguments.chunks(32) {
        for (lane, x) in some.iter().enumerate() {
            warp.state_mut().set_register(file, 2, lane, x.to_bits().into());
        }
        for text in program {
            let (form, word) = codec.parse(text, 0, &|_| None).unwrap_or_else(|e| panic!("`{text}`: {e}"));
            warp.prepare(word, ISA.form(form).length).expect("it does something");
            warp.execute(u32::MAX.into());
        }
        results.extend((0..some.len()).map(|lane| f32::from_bits(warp.state().register(file, 1, lane) as u32)));
    }
    results
}

/// Holds `error(result, argument)` against 1 for arguments of between 2^low and 2^high, of both signs or not.
fn holds(program: &[&str], [low, high]: [f32; 2], signs: bool, error: impl Fn(f64, f64) -> f64) {
    let mut random = Random::new(0xacc);
    let mut argument = || {
        let [a, b] = [(); 2].map(|()| random.next_u64() as f32 / u64::MAX as f32);
        let size = (low + a * (high - low)).exp2();
        if signs && b < 0.5 { -size } else { size }
    };
    let arguments: Vec<f32> = (0..4_096).map(|_| argument()).collect();
    let reference = Reference::new(&ISA).expect("it can be simulated");
    let results =
        [execute(&reference, program, &arguments), execute(&generated::flexgrip::sim::Compiled::new(), program, &arguments)];
    for result in results {
        let worst = result.iter().zip(&arguments).map(|(r, x)| (error((*r).into(), (*x).into()), *x));
        let (worst, x) = worst.max_by(|a, b| a.0.total_cmp(&b.0)).expect("there are arguments");
        assert!(worst <= 1.0, "{program:?} of {x:e}: {worst} times what is said");
    }
}

/// Half of the last place of a float: 2^-24 of it.
fn half_a_place(result: f64, value: f64) -> f64 {
    (result - value).abs() / (value.abs() * 2f64.powi(-24))
}

#[test]
fn rcp_rsq_and_lg2_are_the_nearest() {
    holds(&["RCP R1, R2"], [-120.0, 120.0], true, |r, x| half_a_place(r, 1.0 / x));
    holds(&["RSQ R1, R2"], [-120.0, 120.0], false, |r, x| half_a_place(r, 1.0 / x.sqrt()));
    holds(&["LG2 R1, R2"], [-120.0, 120.0], false, |r, x| half_a_place(r, x.log2()));
}

#[test]
fn ex2_is_within_two_to_the_minus_22() {
    holds(&["RRO R2, R2, EX2", "EX2 R1, R2"], [-20.0, 6.9], true, |r, x| (r - x.exp2()).abs() / (x.exp2() * 2f64.powi(-22)));
}

#[test]
fn sine_and_cosine_are_within_two_to_the_minus_23_times_eight_and_the_argument() {
    let bound = |x: f64| (x.abs() + 8.0) * 2f64.powi(-23);
    holds(&["RRO R2, R2, SIN", "SIN R1, R2"], [-20.0, 12.0], true, |r, x| (r - x.sin()).abs() / bound(x));
    holds(&["RRO R2, R2, SIN", "COS R1, R2"], [-20.0, 12.0], true, |r, x| (r - x.cos()).abs() / bound(x));
}
