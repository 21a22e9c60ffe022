//! The rules of a machine's floats.

/// The choices that IEEE 754 leaves open and machines make differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The choice of the NaN that results from operations on NaNs.
    pub nan: NanRule,
    /// The made NaN is negative.
    pub made_sign: bool,
    /// The fraction of the made NaN.
    pub made_fraction: Fraction,
    /// A result is tiny if it is less than the least normal number before it is rounded (ARM). Otherwise, if it still is after it
    /// is rounded to the precision of normal numbers (RISC-V, x86).
    pub tiny_before: bool,
    /// The integer that a NaN is converted to.
    pub nan_integer: NanInteger,
    /// A number beyond the greatest or least integer, or an infinity, is converted to the highest bit alone (x86), not to the
    /// nearest integer.
    pub beyond_indefinite: bool,
    /// ∞ · 0 + a quiet NaN is not invalid (x86).
    pub invalid_product_quiet: bool,
    /// Where a call flushes results, it does so as in [`flush_results`](Self::flush_results); otherwise, results that are subnormal
    /// after they are rounded are zeros.
    pub flush_tiny: bool,
    /// Of a call: subnormal operands are zeros of their sign. Nothing is raised for that.
    pub flush_inputs: bool,
    /// Of a call: tiny results are zeros of their sign, exact ones too. They raise underflow and inexact (x86), or underflow alone if
    /// [`tiny_before`](Self::tiny_before) (ARM).
    ///
    /// A result that is rounded up to the least normal number may have been tiny, hence is a zero. For machines that test only
    /// the rounded result, leave this unset and pass results to `isa_sim::soft::flush`.
    pub flush_results: bool,
    /// Of a call: results that would be infinities are the greatest number of their sign: those that overflow, which they still raise, and
    /// infinities that are converted.
    pub finite_results: bool,
}

impl Rules {
    /// RISC-V's rules.
    pub const RISCV: Self = Self {
        nan: NanRule::Made,
        made_sign: false,
        made_fraction: Fraction::High,
        tiny_before: false,
        nan_integer: NanInteger::Largest,
        beyond_indefinite: false,
        invalid_product_quiet: false,
        flush_tiny: false,
        flush_inputs: false,
        flush_results: false,
        finite_results: false,
    };
    /// The rules of SSE, with MXCSR's DAZ and FTZ off.
    pub const X86: Self = Self {
        nan: NanRule::First,
        made_sign: true,
        nan_integer: NanInteger::Indefinite,
        beyond_indefinite: true,
        invalid_product_quiet: true,
        ..Self::RISCV
    };
    /// The rules of AArch64, with all of FPCR off.
    pub const ARM: Self = Self { nan: NanRule::SignallingFirst, tiny_before: true, nan_integer: NanInteger::Zero, ..Self::RISCV };
    /// The rules of NVIDIA's GPUs, which raise nothing; also those of a machine that declares none.
    pub const NVIDIA: Self = Self { made_fraction: Fraction::All, nan_integer: NanInteger::Zero, ..Self::RISCV };
}

impl Default for Rules {
    fn default() -> Self {
        Self::NVIDIA
    }
}

/// The choice of a NaN among operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NanRule {
    /// Always the made NaN (RISC-V, NVIDIA).
    Made,
    /// The first NaN operand, quieted (x86).
    First,
    /// The first signalling NaN, quieted, else the first quiet one (ARM). The addend of a product comes before the
    /// factors, as in ARM's `FPProcessNaNs3`.
    SignallingFirst,
}

/// The fraction of the NaN that invalid operations make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fraction {
    /// Only the highest bit.
    High,
    /// All ones.
    All,
}

/// The integer that a NaN is converted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NanInteger {
    /// 0 (ARM, NVIDIA).
    Zero,
    /// The largest of the type (RISC-V).
    Largest,
    /// The highest bit alone, signed or not (x86).
    Indefinite,
}

/// A way to treat NaNs and zeros in a minimum or a maximum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MinKind {
    /// `number`: a number wins against a NaN, and -0 is less than +0: `minimumNumber` of IEEE 754-2019. Raises invalid for signalling
    /// NaNs.
    #[default]
    Number,
    /// `nan`: a NaN wins against a number, and -0 is less than +0: `minimum` of IEEE 754-2019. Raises invalid for signalling NaNs.
    Nan,
    /// `second`: the second operand unchanged, if any is a NaN or both are zeros: `MINSS` of x86. Raises invalid for all NaNs.
    Second,
}

impl MinKind {
    /// Finds a kind by its name.
    pub fn parse(name: &str) -> Option<Self> {
        let all = [("number", Self::Number), ("nan", Self::Nan), ("second", Self::Second)];
        all.into_iter().find(|(known, _)| *known == name).map(|(_, kind)| kind)
    }
}
