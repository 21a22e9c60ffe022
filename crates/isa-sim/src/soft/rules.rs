/// Flags that an operation raises, the same as in RISC-V's `fflags`: [`INEXACT`], [`UNDERFLOW`], [`OVERFLOW`],
/// [`DIVISION_BY_ZERO`], [`INVALID`].
pub type Raised = u32;

/// The result is not the exact value.
pub const INEXACT: Raised = 1;
/// The result is tiny and inexact; see [`Rules::tiny_before`].
pub const UNDERFLOW: Raised = 1 << 1;
/// The result, were the exponent unbounded, is greater than the greatest number.
pub const OVERFLOW: Raised = 1 << 2;
/// The result is an infinity, exactly, of finite operands.
pub const DIVISION_BY_ZERO: Raised = 1 << 3;
/// The operation has no value, or an operand is a signalling NaN.
pub const INVALID: Raised = 1 << 4;

/// The choices that IEEE 754 leaves open and machines make differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The choice of the NaN that results from operations on NaNs.
    pub nan: NanRule,
    /// The made NaN is negative.
    pub made_sign: bool,
    /// The fraction of the made NaN.
    pub made_fraction: Made,
    /// A result is tiny if it is less than the least normal number before it is rounded (ARM). Otherwise, if it still is after it
    /// is rounded to the precision of normal numbers (RISC-V, x86).
    pub tiny_before: bool,
    /// The integer that a NaN is converted to.
    pub nan_integer: OfNan,
    /// The integer that a number beyond the greatest or least integer, or an infinity, is converted to.
    pub beyond: Beyond,
    /// ∞ · 0 + a quiet NaN is not invalid (x86).
    pub invalid_product_quiet: bool,
    /// Subnormal operands are zeros of their sign. Nothing is raised for that.
    pub flush_inputs: bool,
    /// Tiny results are zeros of their sign, exact ones too. They raise underflow and inexact (x86), or underflow alone if
    /// [`tiny_before`](Self::tiny_before) (ARM).
    ///
    /// A result that is rounded up to the least normal number may have been tiny, hence is a zero. For machines that test only
    /// the rounded result, leave this unset and pass results to [`flush`](super::flush).
    pub flush_results: bool,
    /// Results that would be infinities are the greatest number of their sign: those that overflow, which they still raise, and
    /// infinities that are converted.
    pub finite_results: bool,
}

impl Rules {
    /// RISC-V's rules.
    pub const RISCV: Self = Self {
        nan: NanRule::Made,
        made_sign: false,
        made_fraction: Made::High,
        tiny_before: false,
        nan_integer: OfNan::Largest,
        beyond: Beyond::Nearest,
        invalid_product_quiet: false,
        flush_inputs: false,
        flush_results: false,
        finite_results: false,
    };
    /// The rules of SSE, with MXCSR's DAZ and FTZ off.
    pub const X86: Self = Self {
        nan: NanRule::First,
        made_sign: true,
        nan_integer: OfNan::Indefinite,
        beyond: Beyond::Indefinite,
        invalid_product_quiet: true,
        ..Self::RISCV
    };
    /// The rules of AArch64, with all of FPCR off.
    pub const ARM: Self = Self { nan: NanRule::SignallingFirst, tiny_before: true, nan_integer: OfNan::Zero, ..Self::RISCV };
    /// The rules of NVIDIA's GPUs, which raise nothing.
    pub const NVIDIA: Self = Self { made_fraction: Made::All, nan_integer: OfNan::Zero, ..Self::RISCV };
}

/// The choice of a NaN among operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NanRule {
    /// Always the made NaN (RISC-V, NVIDIA).
    Made,
    /// The first NaN operand, quieted (x86).
    First,
    /// The first signalling NaN, quieted, else the first quiet one (ARM). The addend of [`fma`](super::fma) comes before the
    /// factors, as in ARM's `FPProcessNaNs3`.
    SignallingFirst,
}

/// The fraction of the NaN that invalid operations make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Made {
    /// Only the highest bit.
    High,
    /// All ones.
    All,
}

/// The integer that a NaN is converted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OfNan {
    /// 0 (ARM, NVIDIA).
    Zero,
    /// The largest of the type (RISC-V).
    Largest,
    /// The highest bit alone, signed or not (x86).
    Indefinite,
}

/// The integer that numbers out of range are converted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Beyond {
    /// The nearest of the type, which is the largest or least.
    Nearest,
    /// The highest bit alone, signed or not (x86).
    Indefinite,
}
