//! The functions and actions of the language, as tables.

pub use isa_runtime::action::{Action, ActionArg, ActionOf};
pub use isa_runtime::float::{Modes, Rounding};
pub use isa_runtime::machine::Routine;
use std::fmt;

/// The parameters and the result of a function. Widths are in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signature {
    /// `(x, n)` to `n`, not narrower than `x`.
    Widen,
    /// `(x, n)` to `n`, not wider than `x`.
    Narrow,
    /// `(x, n)` to `n`.
    Resize,
    /// `(bit, n)` to `n`.
    Fill,
    /// `x` to the same width.
    Unary,
    /// `(a, b)` of one width to that width.
    Binary,
    /// `x` to one bit.
    Test,
    /// `(a, b)` of one width to three bits.
    Compare,
    /// Operands of these widths (0: any; [`FORMAT`]: of one format; [`PACKED`]: of several elements), perhaps a width, and modes, to that
    /// width.
    Float {
        /// The operands.
        operands: &'static [u32],
        /// The result; 0: the width that is given; [`FORMAT`]: that of the operands.
        result: u32,
        /// It rounds, and says how.
        rounding: bool,
        /// It treats subnormal numbers in one of two ways, and says which.
        subnormal: bool,
        /// It may be limited to 0…1.
        saturate: bool,
    },
}

/// Instead of a width: that of a format.
pub const FORMAT: u32 = u32::MAX;
/// Instead of a width: elements of a format, the first in the low bits.
pub const PACKED: u32 = u32::MAX - 1;

/// A function of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Builtin {
    /// Its name.
    pub name: &'static str,
    /// The function.
    pub function: Function,
    /// Its parameters and its result.
    pub signature: Signature,
    /// A call, for messages and the reference.
    pub usage: &'static str,
}

const fn builtin(name: &'static str, function: Function, signature: Signature, usage: &'static str) -> Builtin {
    Builtin { name, function, signature, usage }
}

const fn float(operands: &'static [u32], result: u32, modes: &'static str) -> Signature {
    let (mut rounding, mut subnormal, mut saturate, mut i) = (false, false, false, 0);
    while i < modes.len() {
        match modes.as_bytes()[i] {
            b'r' => rounding = true,
            b'd' => subnormal = true,
            _ => saturate = true,
        }
        i += 1;
    }
    Signature::Float { operands, result, rounding, subnormal, saturate }
}

macro_rules! functions {
    ($($kind:ident $functions:ident $about:literal { $($name:literal $function:ident $signature:expr, $usage:literal, $doc:literal;)* })*) => {
        $(
            #[doc = $about]
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub enum $functions {
                $(#[doc = $doc] $function,)*
            }
        )*
        /// A function of the language, by its kind: what computes functions of a kind matches all of them.
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Function {
            $(#[doc = $about] $kind($functions),)*
            /// One that a back end has taken out of bodies, by its number there: no text has it.
            Own(usize),
        }
        impl fmt::Debug for Function {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$kind(function) => function.fmt(f),)*
                    Self::Own(number) => write!(f, "Own({number})"),
                }
            }
        }
        /// Every function of the language.
        pub const BUILTINS: &[Builtin] =
            &[$($(builtin($name, Function::$kind($functions::$function), $signature, $usage),)*)*];
    };
}

functions! {
    Int IntFunction "A function of integers and bits." {
        "zext" Zext Signature::Widen, "zext(x, n)", "Zeros come in above.";
        "sext" Sext Signature::Widen, "sext(x, n)", "Copies of the top bit come in above.";
        "trunc" Trunc Signature::Narrow, "trunc(x, n)", "The lowest bits.";
        "fill" Fill Signature::Fill, "fill(bit, n)", "`n` copies of the bit.";
        "sat_ss" SatSS Signature::Resize, "sat_ss(x, n)", "The signed number of `n` bits that is nearest to the signed `x`.";
        "sat_su" SatSU Signature::Resize, "sat_su(x, n)", "The unsigned number of `n` bits that is nearest to the signed `x`.";
        "sat_us" SatUS Signature::Resize, "sat_us(x, n)", "The signed number of `n` bits that is nearest to the unsigned `x`.";
        "sat_uu" SatUU Signature::Resize, "sat_uu(x, n)", "The unsigned number of `n` bits that is nearest to the unsigned `x`.";
        "abs" Abs Signature::Unary, "abs(x)", "The signed number without its sign; the least one stays as it is.";
        "clz" Clz Signature::Unary, "clz(x)", "Zeros above the highest one; the width if there is none.";
        "ctz" Ctz Signature::Unary, "ctz(x)", "Zeros below the lowest one; the width if there is none.";
        "popcount" Popcount Signature::Unary, "popcount(x)", "The number of ones.";
        "reverse" Reverse Signature::Unary, "reverse(x)", "The bits in the other order.";
        "clmul" Clmul Signature::Binary, "clmul(a, b)", "The low half of the product without carries: of polynomials over GF(2).";
        "min_s" MinS Signature::Binary, "min_s(a, b)", "The lesser of signed numbers.";
        "max_s" MaxS Signature::Binary, "max_s(a, b)", "The greater of signed numbers.";
        "min_u" MinU Signature::Binary, "min_u(a, b)", "The lesser of unsigned numbers.";
        "max_u" MaxU Signature::Binary, "max_u(a, b)", "The greater of unsigned numbers.";
        "any" Any Signature::Test, "any(x)", "1 if there is a one.";
        "all" All Signature::Test, "all(x)", "1 if there is no zero.";
        "parity" Parity Signature::Test, "parity(x)", "1 if the number of ones is odd.";
        "cmp_s" CmpS Signature::Compare, "cmp_s(a, b)", "One of bits 0 (less), 1 (equal), 2 (greater), of signed numbers.";
        "cmp_u" CmpU Signature::Compare, "cmp_u(a, b)", "One of bits 0 (less), 1 (equal), 2 (greater), of unsigned numbers.";
    }
    Float FloatFunction "A function of floats." {
        "fadd" Fadd float(&[FORMAT, FORMAT], FORMAT, "rds"), "fadd(a, b, rn, ftz)", "Sum.";
        "fsub" Fsub float(&[FORMAT, FORMAT], FORMAT, "rds"), "fsub(a, b, rn, ftz)", "Difference.";
        "fmul" Fmul float(&[FORMAT, FORMAT], FORMAT, "rds"), "fmul(a, b, rn, ftz)", "Product.";
        "ffma" Ffma float(&[FORMAT, FORMAT, FORMAT], FORMAT, "rds"), "ffma(a, b, c, rn, ftz)", "Product and sum, rounded once.";
        "fdiv" Fdiv float(&[FORMAT, FORMAT], FORMAT, "rds"), "fdiv(a, b, rn, ftz)", "Quotient.";
        "fsqrt" Fsqrt float(&[FORMAT], FORMAT, "rds"), "fsqrt(a, rn, ftz)", "Square root.";
        "fround" Fround float(&[FORMAT], FORMAT, "rds"), "fround(a, rz, ftz)", "The nearest integer in the direction of rounding, as a float.";
        "fdot" Fdot float(&[FORMAT, PACKED, PACKED], FORMAT, "rds"), "fdot.f16(c, a, b, rz, blocks(4), aligned(24))", "Sum of products of elements.";
        "fclass" Fclass float(&[FORMAT], 10, ""), "fclass(a)", "The class, as one of ten bits.";
        "fneg" Fneg float(&[FORMAT], FORMAT, ""), "fneg(a)", "The other sign, of NaN too.";
        "fabs" Fabs float(&[FORMAT], FORMAT, ""), "fabs(a)", "Without sign, NaN too.";
        "fsat" Fsat float(&[FORMAT], FORMAT, ""), "fsat(a)", "Limited to 0…1; NaN gives +0.";
        "fnan" Fnan float(&[FORMAT], 1, ""), "fnan(a)", "1 if `a` is NaN.";
        "fmin" Fmin float(&[FORMAT, FORMAT], FORMAT, "d"), "fmin(a, b, ftz)", "The lesser; -0 is less than +0, a NaN loses to a number; or of kind `nan` or `second`.";
        "fmax" Fmax float(&[FORMAT, FORMAT], FORMAT, "d"), "fmax(a, b, ftz)", "The greater; +0 is greater than -0, a NaN loses to a number; or of kind `nan` or `second`.";
        "fcmp" Fcmp float(&[FORMAT, FORMAT], 4, "d"), "fcmp(a, b, ftz)", "One of bits 0 (less), 1 (equal), 2 (greater), 3 (unordered); `signalling` is invalid for every NaN.";
        "f2i_s" F2iS float(&[FORMAT], 0, "rd"), "f2i_s(a, n, rz, ftz)", "The signed integer of `n` bits, the nearest if it doesn't fit; NaN gives 0.";
        "f2i_u" F2iU float(&[FORMAT], 0, "rd"), "f2i_u(a, n, rz, ftz)", "The unsigned integer of `n` bits, the nearest if it doesn't fit; NaN gives 0.";
        "i2f_s" I2fS float(&[0], 32, "r"), "i2f_s(x, rn)", "A signed integer as a float.";
        "i2f_u" I2fU float(&[0], 32, "r"), "i2f_u(x, rn)", "An unsigned integer as a float.";
        "f2f" F2f float(&[FORMAT], 0, "rd"), "f2f(a, n, rn, ftz)", "A float as one of `n` bits.";
        "f2h" F2h float(&[32], 16, "rd"), "f2h(a, rn, ftz)", "A float as one of 16 bits.";
        "h2f" H2f float(&[16], 32, "d"), "h2f(a, ieee)", "A float of 16 bits as one of 32.";
        "rcp" Rcp float(&[32], 32, "ds"), "rcp(a, ftz)", "1 / a, rounded to nearest.";
        "rsq" Rsq float(&[32], 32, "ds"), "rsq(a, ftz)", "1 / √a, rounded to nearest.";
        "sin" Sin float(&[32], 32, "ds"), "sin(a, ftz)", "Sine of radians, rounded to nearest.";
        "cos" Cos float(&[32], 32, "ds"), "cos(a, ftz)", "Cosine of radians, rounded to nearest.";
        "ex2" Ex2 float(&[32], 32, "ds"), "ex2(a, ftz)", "2 to the power of a, rounded to nearest.";
        "lg2" Lg2 float(&[32], 32, "ds"), "lg2(a, ftz)", "Logarithm to the base 2, rounded to nearest.";
        "sinpi" Sinpi float(&[32], 32, "ds"), "sinpi(a, ftz)", "Sine of a times π, rounded to nearest.";
        "cospi" Cospi float(&[32], 32, "ds"), "cospi(a, ftz)", "Cosine of a times π, rounded to nearest.";
        "tanh" Tanh float(&[32], 32, "ds"), "tanh(a, ftz)", "Hyperbolic tangent, rounded to nearest.";
    }
}

/// The names of calls that are neither functions nor actions: what they take is not a value.
pub const SPECIAL: [&str; 7] = ["variant", "present", "ext", "raised", "from_lane", "ballot", "register"];

/// The bits of a value that the machine supplies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuppliedBits {
    /// This number of bits.
    Bits(u32),
    /// The number of lanes in a warp.
    Lanes,
    /// The width of an address of code.
    Pc,
}

/// The places in which a value is supplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuppliedIn {
    /// Everywhere.
    All,
    /// On machines with several lanes.
    Warps,
    /// On machines with one lane.
    Cores,
    /// In these routines of a machine.
    Routines(&'static [Routine]),
}

macro_rules! supplied {
    ($($(#[$doc:meta])* $name:literal $value:ident $bits:expr, $of:expr;)*) => {
        /// A value that the machine supplies.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Supplied {
            $($(#[$doc])* $value,)*
            /// The line of a device: its place in the machine's list.
            Line(usize),
        }

        /// The values that the machine supplies, by name; lines are named by the specification.
        pub const SUPPLIED: &[(&str, Supplied, SuppliedBits, SuppliedIn)] = &[$(($name, Supplied::$value, $bits, $of)),*];
    };
}

supplied! {
    /// The number of the lane in its warp.
    "lane" Lane SuppliedBits::Bits(32), SuppliedIn::All;
    /// The lanes that take part: a bit for each.
    "active" Active SuppliedBits::Lanes, SuppliedIn::Warps;
    /// The lanes that are at the instruction, whatever its guard says: a bit for each.
    "executing" Executing SuppliedBits::Lanes, SuppliedIn::Warps;
    /// The number of lanes that came with a bit of 1 to the barrier that the warp left last.
    "reduced" Reduced SuppliedBits::Bits(32), SuppliedIn::Warps;
    /// The address of this instruction.
    "pc" Pc SuppliedBits::Pc, SuppliedIn::All;
    /// The address of the instruction that follows it.
    "next" Next SuppliedBits::Pc, SuppliedIn::All;
    /// The number of instructions executed before this one.
    "steps" Steps SuppliedBits::Bits(64), SuppliedIn::All;
    /// The number of the core.
    "hart" Hart SuppliedBits::Bits(32), SuppliedIn::Cores;
    /// The cause of the exception.
    "cause" Cause SuppliedBits::Pc, SuppliedIn::Routines(&[Routine::Raise]);
    /// The value that belongs to the cause.
    "value" Value SuppliedBits::Pc, SuppliedIn::Routines(&[Routine::Raise]);
    /// The word that is no instruction; its low bits, if it has more than an address of code.
    "word" Word SuppliedBits::Pc, SuppliedIn::Routines(&[Routine::Illegal]);
    /// The address of an access that is a fault.
    "address" Address SuppliedBits::Pc, SuppliedIn::Routines(&[Routine::Misaligned, Routine::Access, Routine::Fetch]);
    /// The access writes.
    "write" Write SuppliedBits::Bits(1), SuppliedIn::Routines(&[Routine::Misaligned, Routine::Access]);
}
