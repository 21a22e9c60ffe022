/// Flags that an operation raises, the same as in RISC-V's `fflags`: [`INEXACT`], [`UNDERFLOW`], [`OVERFLOW`],
/// [`DIVISION_BY_ZERO`], [`INVALID`].
pub type Raised = u32;

/// The result is not the exact value.
pub const INEXACT: Raised = 1;
/// The result is tiny and inexact; see [`Rules::tiny_before`](isa_runtime::float::Rules::tiny_before).
pub const UNDERFLOW: Raised = 1 << 1;
/// The result, were the exponent unbounded, is greater than the greatest number.
pub const OVERFLOW: Raised = 1 << 2;
/// The result is an infinity, exactly, of finite operands.
pub const DIVISION_BY_ZERO: Raised = 1 << 3;
/// The operation has no value, or an operand is a signalling NaN.
pub const INVALID: Raised = 1 << 4;
