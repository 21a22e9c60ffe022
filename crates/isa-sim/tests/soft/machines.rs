//! Cases from the manuals of machines.

use isa_sim::soft::{self, *};

const N: Round = Round::Nearest;
const F: Format = Format::F32;
const INF: u64 = 0x7f80_0000;
const ONE: u64 = 0x3f80_0000;
/// Two signalling NaNs and two quiet ones.
const S1: u64 = 0x7f80_0001;
const S2: u64 = 0xff80_0002;
const Q1: u64 = 0x7fc0_0003;
const Q2: u64 = 0xffc0_0004;
const QUIET: u64 = 0x0040_0000;

#[test]
fn made_nans() {
    let made = |rules| soft::sub(F, &rules, INF, INF, N);
    assert_eq!(made(Rules::RISCV), (0x7fc0_0000, INVALID));
    assert_eq!(made(Rules::X86), (0xffc0_0000, INVALID));
    assert_eq!(made(Rules::ARM), (0x7fc0_0000, INVALID));
    assert_eq!(made(Rules::NVIDIA), (0x7fff_ffff, INVALID));
}

#[test]
fn nans_of_two_operands() {
    let sum = |rules, a, b| soft::add(F, &rules, a, b, N);
    assert_eq!(sum(Rules::RISCV, Q2, S1), (0x7fc0_0000, INVALID));
    assert_eq!(sum(Rules::RISCV, Q2, ONE), (0x7fc0_0000, 0));
    assert_eq!(sum(Rules::X86, Q2, S1), (Q2, INVALID));
    assert_eq!(sum(Rules::X86, S2, Q1), (S2 | QUIET, INVALID));
    assert_eq!(sum(Rules::X86, ONE, Q1), (Q1, 0));
    assert_eq!(sum(Rules::ARM, Q2, S1), (S1 | QUIET, INVALID));
    assert_eq!(sum(Rules::ARM, Q2, Q1), (Q2, 0));
    // Subtraction does not change the sign of a NaN.
    assert_eq!(soft::sub(F, &Rules::X86, ONE, Q1, N), (Q1, 0));
}

/// Arm Architecture Reference Manual, `FPMulAdd`: the addend comes first, and ∞ · 0 + a quiet NaN is the default NaN. Intel's
/// manual, volume 1, table 14-17: the factors come first, and that is the quiet NaN.
#[test]
fn nans_of_three_operands() {
    let fma = |rules, a, b, c| soft::fma(F, &rules, a, b, c, N);
    assert_eq!(fma(Rules::X86, Q1, S2, Q2), (Q1, INVALID));
    assert_eq!(fma(Rules::X86, ONE, Q2, Q1), (Q2, 0));
    assert_eq!(fma(Rules::X86, INF, 0, Q2), (Q2, 0));
    assert_eq!(fma(Rules::X86, INF, 0, S2), (S2 | QUIET, INVALID));
    assert_eq!(fma(Rules::ARM, Q1, ONE, Q2), (Q2, 0));
    assert_eq!(fma(Rules::ARM, S1, S2, Q2), (S1 | QUIET, INVALID));
    assert_eq!(fma(Rules::ARM, S1, ONE, S2), (S2 | QUIET, INVALID));
    assert_eq!(fma(Rules::ARM, INF, 0, Q2), (0x7fc0_0000, INVALID));
    assert_eq!(fma(Rules::ARM, 0, INF, S2), (S2 | QUIET, INVALID));
    assert_eq!(fma(Rules::RISCV, INF, 0, Q2), (0x7fc0_0000, INVALID));
    assert_eq!(fma(Rules::RISCV, ONE, ONE, Q2), (0x7fc0_0000, 0));
    assert_eq!(fma(Rules::RISCV, INF, ONE, INF | 1 << 31), (0x7fc0_0000, INVALID));
}

/// The RISC-V Instruction Set Manual, volume I, table "Domains of float-to-integer conversions".
#[test]
fn integers() {
    let to = |rules, a, bits, signed| soft::to_integer(F, &rules, a, bits, signed, Round::Zero);
    let (big, minus_big) = (0x6000_0000, 0xe000_0000);
    assert_eq!(to(Rules::RISCV, Q2, 32, true), (0x7fff_ffff, INVALID));
    assert_eq!(to(Rules::RISCV, Q2, 32, false), (0xffff_ffff, INVALID));
    assert_eq!(to(Rules::RISCV, minus_big, 32, true), (0x8000_0000, INVALID));
    assert_eq!(to(Rules::RISCV, minus_big, 32, false), (0, INVALID));
    assert_eq!(to(Rules::RISCV, INF, 64, true), (i64::MAX as u64, INVALID));
    assert_eq!(to(Rules::RISCV, ONE | 1 << 31, 32, false), (0, INVALID));
    // -0.5
    assert_eq!(to(Rules::RISCV, 0xbf00_0000, 32, false), (0, INEXACT));
    assert_eq!(to(Rules::X86, big, 32, true), (0x8000_0000, INVALID));
    assert_eq!(to(Rules::X86, Q1, 64, true), (1 << 63, INVALID));
    assert_eq!(to(Rules::ARM, Q1, 32, true), (0, INVALID));
    assert_eq!(to(Rules::ARM, big, 32, true), (0x7fff_ffff, INVALID));
}

/// 2^-126 less a little, which is rounded to 2^-126.
#[test]
fn tininess() {
    let mul = |rules, a, b| soft::mul(F, &rules, a, b, N);
    // (1 - 2^-24) · 2^-126 has 24 digits: the rounded number with the exponent unbounded is tiny.
    let (almost_one, least) = (0x3f7f_ffff, 0x0080_0000);
    assert_eq!(mul(Rules::RISCV, almost_one, least), (least, INEXACT | UNDERFLOW));
    assert_eq!(mul(Rules::ARM, almost_one, least), (least, INEXACT | UNDERFLOW));
    // (1 - 2^-24)(1 + 2^-23) · 2^-126 is more than that, and tiny under no rules.
    assert_eq!(mul(Rules::RISCV, almost_one, least + 1), (least, INEXACT));
    // 2^-126 - 2^-152: 1 - 2^-26 is 1 with 24 digits.
    let little = |rules| soft::fma(F, &rules, 0x8000_0001, 0x3e80_0000 - 0x0080_0000, least, N);
    assert_eq!(little(Rules::RISCV), (least, INEXACT));
    assert_eq!(little(Rules::ARM), (least, INEXACT | UNDERFLOW));
}

#[test]
fn flushes() {
    let inputs = Rules { flush_inputs: true, ..Rules::X86 };
    let results = Rules { flush_results: true, ..Rules::X86 };
    let arm = Rules { flush_results: true, ..Rules::ARM };
    let (tiny, minus_tiny, least) = (0x007f_ffff, 0x8000_0001, 0x0080_0000);
    let half = 0x3f00_0000;
    assert_eq!(soft::add(F, &inputs, tiny, minus_tiny, N), (0, 0));
    assert_eq!(soft::mul(F, &inputs, least, half, N), (0x0040_0000, 0));
    assert_eq!(soft::div(F, &inputs, ONE, minus_tiny, N), (INF | 1 << 31, DIVISION_BY_ZERO));
    assert_eq!(soft::sqrt(F, &inputs, minus_tiny, N), (1 << 31, 0));
    assert_eq!(soft::compare(F, &inputs, tiny, minus_tiny, false), (EQUAL, 0));
    assert_eq!(soft::to_integer(F, &inputs, tiny, 32, true, Round::Up), (0, 0));
    assert_eq!(soft::max(F, &inputs, MinKind::Number, tiny, 0x8000_0000), (0, 0));
    assert_eq!(soft::mul(F, &results, least | 1 << 31, half, N), (1 << 31, UNDERFLOW | INEXACT));
    assert_eq!(soft::mul(F, &arm, least | 1 << 31, half, N), (1 << 31, UNDERFLOW));
    assert_eq!(soft::add(F, &results, tiny, 0, N), (0, UNDERFLOW | INEXACT));
    assert_eq!(soft::add(F, &results, tiny, 1, N), (least, 0));
    assert_eq!(soft::convert(Format::F64, F, &results, 1, Round::Up), (0, UNDERFLOW | INEXACT));
}

#[test]
fn extremes() {
    let (r, zero, minus_zero) = (&Rules::RISCV, 0, 1 << 31);
    assert_eq!(soft::min(F, r, MinKind::Number, zero, minus_zero), (minus_zero, 0));
    assert_eq!(soft::max(F, r, MinKind::Number, minus_zero, zero), (zero, 0));
    assert_eq!(soft::min(F, r, MinKind::Second, minus_zero, zero), (zero, 0));
    assert_eq!(soft::min(F, r, MinKind::Number, S1, ONE), (ONE, INVALID));
    assert_eq!(soft::min(F, r, MinKind::Number, S1, Q2), (0x7fc0_0000, INVALID));
    assert_eq!(soft::max(F, r, MinKind::Nan, ONE, Q2), (0x7fc0_0000, 0));
    assert_eq!(soft::max(F, &Rules::ARM, MinKind::Nan, ONE, Q2), (Q2, 0));
    assert_eq!(soft::max(F, &Rules::X86, MinKind::Second, Q2, ONE), (ONE, INVALID));
    assert_eq!(soft::max(F, &Rules::X86, MinKind::Second, ONE, S2), (S2, INVALID));
}
