//! IEEE 754 arithmetic on bit patterns, by integers alone: every result is rounded once and every flag is exact, in any binary
//! format of up to 64 bits, in all five roundings, under the rules of any machine.
//!
//! A pattern is in the low bits of a `u64`; bits above the format's are ignored in arguments and 0 in results. No function panics,
//! and none uses the host's floating point or its modes.
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
mod format;
mod integer;
mod nan;
mod pack;
mod parts;
mod quotient;
mod rules;

pub use arithmetic::{add, fma, mul, sub};
pub use compare::{EQUAL, GREATER, LESS, MinKind, UNORDERED, classify, compare, flush, max, min};
pub use convert::{convert, round_to_integer};
pub use dot::{Sum, dot};
pub use format::{Format, Round};
pub use integer::{from_integer, from_wide_integer, to_integer, to_wide_integer};
pub use quotient::{div, sqrt};
pub use rules::{Beyond, DIVISION_BY_ZERO, INEXACT, INVALID, Made, NanRule, OVERFLOW, OfNan, Raised, Rules, UNDERFLOW};
