//! IEEE 754 arithmetic on bit patterns: every result is rounded once and every flag is exact, in any binary format of up to 64
//! bits, in all five roundings, under the rules of any machine.
//!
//! A pattern is in the low bits of a `u64`; bits above the format's are ignored in arguments and 0 in results. No function
//! panics, and none depends on the host's modes. In binary32 and binary64, most results that are rounded to the nearest are the
//! host's own; all others are computed by integers. [`near`] has results without flags.
//!
//! ```
//! use isa_sim::soft::{self, Format, INEXACT, Round, Rules};
//!
//! let third = soft::div(Format::F32, &Rules::RISCV, 0x3f80_0000, 0x4040_0000, Round::Up);
//! assert_eq!(third, (0x3eaa_aaab, INEXACT));
//! ```

mod arithmetic;
mod compare;
mod convert;
mod dot;
mod host;
mod integer;
mod nan;
mod pack;
mod parts;
mod quotient;
mod rules;

pub use compare::{EQUAL, GREATER, LESS, UNORDERED, classify, compare, flush, max, min};
pub use convert::round_to_integer;
pub use dot::{Sum, dot};
pub use host::{add, convert, div, fma, from_integer, mul, near, sqrt, sub};
pub use integer::{from_wide_integer, to_integer, to_wide_integer};
pub use isa_runtime::float::{Format, Fraction, MinKind, NanInteger, NanRule, Round, Rules};
pub use rules::{DIVISION_BY_ZERO, INEXACT, INVALID, OVERFLOW, Raised, UNDERFLOW};

/// The functions that have a shorter way, by the host's instructions or in 64 bits, without it, for comparison in tests.
#[doc(hidden)]
pub mod by_integers {
    pub use super::arithmetic::{add, fma, mul, sub};
    pub use super::convert::convert;
    pub use super::dot::long as dot;
    pub use super::integer::from_integer;
    pub use super::quotient::{div, sqrt};
}
