//! `isa_sim::soft` against exact values of integers of any length, LLVM's arithmetic, the host's, MPFR, and Berkeley TestFloat.
//!
//! The tests that always run take seconds. With `--ignored --release`, the others try millions of operands of each format
//! (`ISA_SOFT_CASES` is their number); `mpfr` needs `ISA_MPFR`, and `testfloat` needs `ISA_TESTFLOAT`, see there. A separate
//! package, `tests/berkeley`, compares with Berkeley SoftFloat; `benches/benches/floats.rs` measures.

mod apfloat;
mod arithmetic;
mod big;
mod conversions;
mod dot;
mod exact;
mod functions;
mod host;
mod machines;
mod mpfr;
mod operands;
mod paths;
mod testfloat;

use isa_sim::soft::Format;

const NAMED: [Format; 7] = [Format::F16, Format::BF16, Format::TF32, Format::F32, Format::F64, Format::E5M2, Format::E4M3FN];

/// Formats that no machine has, at the limits of the possible.
const ODD: [Format; 7] =
    [format(2, 1), format(2, 61), format(5, 58), format(4, 59), format(9, 30), format(7, 29), format(12, 51)];

const fn format(exponent: u32, fraction: u32) -> Format {
    Format::new(exponent, fraction).expect("a format")
}

/// The number of random operands of an opt-in test.
fn many() -> u64 {
    std::env::var("ISA_SOFT_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000_000)
}
