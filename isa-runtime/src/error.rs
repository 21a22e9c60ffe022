//! Errors for numbers that are refused.

use core::fmt;

/// A number that a field can't hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfRange {
    /// The number.
    pub value: i128,
    /// The least that the field holds.
    pub min: i128,
    /// The most that it holds.
    pub max: i128,
    /// The field holds multiples of this, counted from `min`.
    pub step: i64,
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not one of {}..={}", self.value, self.min, self.max)?;
        if self.step.unsigned_abs() > 1 { write!(f, " in steps of {}", self.step.unsigned_abs()) } else { Ok(()) }
    }
}

/// With `{:#x}` in hexadecimal, the usual notation of texts.
impl fmt::LowerHex for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hex = |n: i128| Hex { sign: if n < 0 { "-" } else { "" }, magnitude: n.unsigned_abs() };
        write!(f, "{} is not one of {}..={}", hex(self.value), hex(self.min), hex(self.max))?;
        if self.step.unsigned_abs() > 1 { write!(f, " in steps of {}", self.step.unsigned_abs()) } else { Ok(()) }
    }
}

struct Hex {
    sign: &'static str,
    magnitude: u128,
}

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:#x}", self.sign, self.magnitude)
    }
}

impl core::error::Error for OutOfRange {}

/// A floating-point number that needs more bits than its field has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inexact {
    /// The bits of the field.
    pub bits: u32,
    /// The bits of the format, whose high bits these are.
    pub of: u32,
}

impl fmt::Display for Inexact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a floating-point number that needs more than the {} high bits of its {}", self.bits, self.of)
    }
}

impl core::error::Error for Inexact {}
