//! Floats to the last bit and the last flag: the rules of a machine, and what one call says.

use crate::span::Span;

pub use isa_runtime::float::Round;

/// The choices that IEEE 754 leaves to machines. The default is that of a machine that says nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Floats {
    /// The NaN that an operation on NaNs gives.
    pub nan: NanRule,
    /// The made NaN is negative.
    pub made_sign: bool,
    /// The fraction of the made NaN.
    pub made_fraction: Fraction,
    /// A result is tiny if it is less than the least normal number before it is rounded.
    pub tiny_before: bool,
    /// The integer that a NaN is converted to.
    pub nan_integer: NanInteger,
    /// A number that does not fit an integer is converted to its highest bit alone, not to the nearest one.
    pub beyond_indefinite: bool,
    /// ∞ · 0 + a quiet NaN is not invalid.
    pub invalid_product_quiet: bool,
    /// Results are flushed where they are tiny, which is raised; otherwise where they are subnormal after they are rounded.
    pub flush_tiny: bool,
}

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

/// A format of floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// binary16 of IEEE 754.
    F16,
    /// binary32.
    F32,
    /// binary64.
    F64,
    /// bfloat16: the upper half of a binary32.
    Bf16,
    /// TF32, in 19 bits: the exponent of binary32, and 10 bits of fraction.
    Tf32,
    /// E4M3 of the Open Compute Project: without infinities, of each sign one NaN.
    E4m3fn,
    /// E5M2 of the Open Compute Project: the upper half of a binary16.
    E5m2,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 7] = [Self::F16, Self::F32, Self::F64, Self::Bf16, Self::Tf32, Self::E4m3fn, Self::E5m2];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::F16 => "f16",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::Bf16 => "bf16",
            Self::Tf32 => "tf32",
            Self::E4m3fn => "e4m3fn",
            Self::E5m2 => "e5m2",
        }
    }

    /// Its width in bits.
    pub const fn width(self) -> u32 {
        match self {
            Self::E4m3fn | Self::E5m2 => 8,
            Self::F16 | Self::Bf16 => 16,
            Self::Tf32 => 19,
            Self::F32 => 32,
            Self::F64 => 64,
        }
    }

    /// Finds a format by its name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Finds the format of IEEE 754 with a width: 16, 32 or 64.
    pub const fn of_width(width: u32) -> Option<Self> {
        match width {
            16 => Some(Self::F16),
            32 => Some(Self::F32),
            64 => Some(Self::F64),
            _ => None,
        }
    }
}

/// The choice of a NaN among operands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NanRule {
    /// `made`: always the made NaN.
    #[default]
    Made,
    /// `first`: the first operand that is a NaN, quieted.
    First,
    /// `signalling-first`: the first signalling NaN, quieted, else the first quiet one; an addend before factors.
    SignallingFirst,
}

/// The fraction of the made NaN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fraction {
    /// `high`: only the highest bit.
    High,
    /// `all`: every bit.
    #[default]
    All,
}

/// The integer that a NaN is converted to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NanInteger {
    /// `0`
    #[default]
    Zero,
    /// `largest`: the largest of the type.
    Largest,
    /// `indefinite`: the highest bit alone.
    Indefinite,
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
    /// `ftz_out`, and `ftz`: subnormal results are, as [`Floats::flush_tiny`] says.
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

/// A way to treat NaNs and zeros in `fmin` and `fmax`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MinKind {
    /// `number`: a NaN loses to a number, and -0 is less than +0.
    #[default]
    Number,
    /// `nan`: a NaN wins, and -0 is less than +0.
    Nan,
    /// `second`: the second operand, if one is a NaN or both are zeros.
    Second,
}

impl MinKind {
    /// Finds a kind by its name.
    pub fn parse(name: &str) -> Option<Self> {
        let all = [("number", Self::Number), ("nan", Self::Nan), ("second", Self::Second)];
        all.into_iter().find(|(known, _)| *known == name).map(|(_, kind)| kind)
    }
}
