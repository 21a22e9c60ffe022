//! The functions of Berkeley SoftFloat by their names, with their counterparts here, and the machines whose NaNs it has.

use isa_sim::soft::{self, *};

/// A function under the rules of a machine: its result and its flags.
pub(crate) type Case = dyn Fn(&Rules, Round, &[u64]) -> (u64, Raised) + Send + Sync;

pub(crate) fn format(name: &str) -> Format {
    match name {
        "f16" => Format::F16,
        "f32" => Format::F32,
        _ => Format::F64,
    }
}

/// The rules with a name in SoftFloat.
pub(crate) fn rules(machine: &str) -> Rules {
    match machine {
        "RISCV" => Rules::RISCV,
        // SoftFloat has one rule for the product of ∞ and 0: it is invalid.
        "8086-SSE" => Rules { invalid_product_quiet: false, tiny_before: false, ..Rules::X86 },
        "ARM-VFPv2" => Rules { tiny_before: false, ..Rules::ARM },
        _ => panic!("no rules for {machine}"),
    }
}

/// Returns true if SoftFloat has another result on purpose. Its x86 gives all ones for unsigned integers (AVX-512), while
/// `Indefinite` is the highest bit; and its ARM, which predates fused operations, prefers the NaNs of factors to that of the
/// addend, unlike ARM's manual and qemu.
pub(crate) fn differs(rules: &Rules, function: &str, operands: &[u64], flags: Raised) -> bool {
    let nans = || operands.iter().filter(|x| soft::classify(format(&function[..3]), **x) >= 1 << 8).count();
    match rules.nan {
        NanRule::Made => false,
        NanRule::First => function.contains("_to_ui") && flags == INVALID,
        NanRule::SignallingFirst => function.ends_with("_mulAdd") && nans() >= 2,
    }
}

/// The functions that round.
pub(crate) fn rounding() -> Vec<(String, Box<Case>)> {
    let mut all: Vec<(String, Box<Case>)> = Vec::new();
    let floats = ["f16", "f32", "f64"];
    for name in floats {
        let f = format(name);
        all.push((format!("{name}_add"), Box::new(move |r, m, x| soft::add(f, r, x[0], x[1], m))));
        all.push((format!("{name}_sub"), Box::new(move |r, m, x| soft::sub(f, r, x[0], x[1], m))));
        all.push((format!("{name}_mul"), Box::new(move |r, m, x| soft::mul(f, r, x[0], x[1], m))));
        all.push((format!("{name}_div"), Box::new(move |r, m, x| soft::div(f, r, x[0], x[1], m))));
        all.push((format!("{name}_mulAdd"), Box::new(move |r, m, x| soft::fma(f, r, x[0], x[1], x[2], m))));
        all.push((format!("{name}_sqrt"), Box::new(move |r, m, x| soft::sqrt(f, r, x[0], m))));
        all.push((format!("{name}_roundToInt"), Box::new(move |r, m, x| soft::round_to_integer(f, r, x[0], m))));
        for to in floats.into_iter().filter(|to| *to != name) {
            all.push((format!("{name}_to_{to}"), Box::new(move |r, m, x| soft::convert(f, format(to), r, x[0], m))));
        }
        for (integer, bits, signed) in [("ui32", 32, false), ("ui64", 64, false), ("i32", 32, true), ("i64", 64, true)] {
            all.push((format!("{name}_to_{integer}"), Box::new(move |r, m, x| soft::to_integer(f, r, x[0], bits, signed, m))));
            all.push((format!("{integer}_to_{name}"), Box::new(move |r, m, x| soft::from_integer(f, r, x[0], bits, signed, m))));
        }
    }
    all
}

/// The comparisons.
pub(crate) fn comparisons() -> Vec<(String, Box<Case>)> {
    let quiet = [("eq", EQUAL, false), ("le_quiet", LESS | EQUAL, false), ("lt_quiet", LESS, false)];
    let signalling = [("eq_signaling", EQUAL, true), ("le", LESS | EQUAL, true), ("lt", LESS, true)];
    let mut all: Vec<(String, Box<Case>)> = Vec::new();
    for name in ["f16", "f32", "f64"] {
        let f = format(name);
        for (function, bits, signalling) in quiet.into_iter().chain(signalling) {
            let case = move |r: &Rules, _: Round, x: &[u64]| {
                let (order, flags) = soft::compare(f, r, x[0], x[1], signalling);
                (u64::from(order & bits != 0), flags)
            };
            all.push((format!("{name}_{function}"), Box::new(case)));
        }
    }
    all
}
