//! Floats to the last bit and the last flag: the rules of a machine, and what one call says.

use crate::span::Span;

pub use isa_runtime::float::{Format, Fraction, MinKind, NanInteger, NanRule, Round, Rules};

/// The direction of rounding that a value selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Direction {
    /// This direction.
    Known(Round),
    /// None: the word is no instruction.
    Illegal,
    /// The direction in a named value of the machine, and its place in the specification.
    Value(String, Span),
}

/// The modes of a call that is computed by these rules. A function that rounds has the direction as its last argument, of 3 bits: 0 `rn`,
/// 1 `rz`, 2 `rd`, 3 `ru`, 4 `ra`; 5 to 7 are `rn` too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Exact {
    /// The format of the operands; that of factors in `fdot`, and of the result where the operand is an integer.
    pub of: Format,
    /// The format of the result, and of the addend in `fdot`; where the result is no float, that of the operands.
    pub to: Format,
    /// Bits of the result, also where the flags are what is asked for.
    pub bits: u32,
    /// The call gives the flags that it raises: bits 0 inexact, 1 underflow, 2 overflow, 3 division by zero, 4 invalid.
    pub raised: bool,
    /// `ftz_in`, and `ftz`: subnormal operands are zeros of their sign.
    pub flush_operands: bool,
    /// `ftz_out`, and `ftz`: subnormal results are, as [`Rules::flush_tiny`] says.
    pub flush_results: bool,
    /// `sat`: the result is limited to 0…1, and NaN becomes +0.
    pub saturate: bool,
    /// `satfinite`: a result that would be infinite is the greatest number of its sign.
    pub finite: bool,
    /// `signalling`: a comparison is invalid for quiet NaNs too.
    pub signalling: bool,
    /// The choice that `fmin` and `fmax` make.
    pub kind: MinKind,
    /// The way in which `fdot` adds.
    pub sum: Sum,
}

impl Exact {
    /// A call of a format that says nothing else.
    pub const fn new(of: Format, to: Format, bits: u32) -> Self {
        Self {
            of,
            to,
            bits,
            raised: false,
            flush_operands: false,
            flush_results: false,
            saturate: false,
            finite: false,
            signalling: false,
            kind: MinKind::Number,
            sum: Sum { products: 0, block: 0, aligned: None },
        }
    }
}

/// The way in which `fdot` adds products.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sum {
    /// The number of products.
    pub products: u32,
    /// `blocks(n)`: as many products are added at once to the sum so far, which is rounded then.
    pub block: u32,
    /// `aligned(n)`: of each term the places down to the n-th below the greatest exponent count, lower ones are cut off. Nothing: terms are
    /// added exactly.
    pub aligned: Option<u32>,
}
