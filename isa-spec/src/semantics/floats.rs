//! Floats to the last bit and the last flag: the rules of a machine, and what one call says.

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Exact {
    /// The call gives the flags that it raises: bits 0 inexact, 1 underflow, 2 overflow, 3 division by zero, 4 invalid.
    pub raised: bool,
    /// `ftz`: subnormal operands are zeros of their sign, and so are subnormal results, after they are rounded.
    pub flush: bool,
    /// `sat`: the result is limited to 0…1, and NaN becomes +0.
    pub saturate: bool,
    /// `signalling`: a comparison is invalid for quiet NaNs too.
    pub signalling: bool,
    /// The choice that `fmin` and `fmax` make.
    pub kind: MinKind,
    /// Bits of the result, also where the flags are what is asked for.
    pub to: u32,
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
