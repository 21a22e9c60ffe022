//! `isa_sim::soft` against exact values of integers of any length, LLVM's arithmetic, the host's, MPFR, and Berkeley TestFloat.
//!
//! The tests that always run take seconds. With `--ignored --release`, the others try millions of operands of each format
//! (`ISA_SOFT_CASES` says how many), and `speed` prints nanoseconds; `mpfr` needs `ISA_MPFR`, and `testfloat` needs
//! `ISA_TESTFLOAT`, see there. Berkeley SoftFloat is compared with by a package of its own, `tests/berkeley`.

mod apfloat;
mod arithmetic;
mod big;
mod conversions;
mod exact;
mod functions;
mod host;
mod machines;
mod mpfr;
mod operands;
mod speed;
mod testfloat;

use isa_sim::soft::Format;

const NAMED: [Format; 5] = [Format::F16, Format::BF16, Format::TF32, Format::F32, Format::F64];

/// Formats of no machine, at the limits of what is possible, and e5m2.
const ODD: [Format; 8] = [
    Format { exponent: 2, fraction: 1 },
    Format { exponent: 5, fraction: 2 },
    Format { exponent: 2, fraction: 61 },
    Format { exponent: 5, fraction: 58 },
    Format { exponent: 4, fraction: 59 },
    Format { exponent: 9, fraction: 30 },
    Format { exponent: 7, fraction: 29 },
    Format { exponent: 12, fraction: 51 },
];

/// The number of random operands of an opt-in test.
fn many() -> u64 {
    std::env::var("ISA_SOFT_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000_000)
}
