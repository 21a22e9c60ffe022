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

impl OutOfRange {
    /// Writes `16 is not between -16 and 15`, or `5 is not one of 0, 2, …, 126`.
    fn write(&self, f: &mut fmt::Formatter<'_>, number: impl Fn(i128, &mut fmt::Formatter<'_>) -> fmt::Result) -> fmt::Result {
        number(self.value, f)?;
        let step = i128::from(self.step.unsigned_abs());
        let second = self.min.saturating_add(step);
        match step {
            0 | 1 => f.write_str(" is not between ")?,
            _ => f.write_str(" is not one of ")?,
        }
        number(self.min, f)?;
        match step {
            0 | 1 => f.write_str(" and ")?,
            _ if second >= self.max => f.write_str(", ")?,
            _ => {
                f.write_str(", ")?;
                number(second, f)?;
                f.write_str(", …, ")?;
            }
        }
        number(self.max, f)
    }
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, |n, f| write!(f, "{n}"))
    }
}

/// With `{:#x}` in hexadecimal, the usual notation of texts.
impl fmt::LowerHex for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, |n, f| write!(f, "{}", Hex { sign: if n < 0 { "-" } else { "" }, magnitude: n.unsigned_abs() }))
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

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::ToString as _;

    #[test]
    fn a_number_out_of_range() {
        let of = |value, min, max, step| OutOfRange { value, min, max, step };
        assert_eq!(of(16, -16, 15, 1).to_string(), "16 is not between -16 and 15");
        assert_eq!(of(5, 0, 126, 2).to_string(), "5 is not one of 0, 2, …, 126");
        assert_eq!(of(5, 0, 4, 4).to_string(), "5 is not one of 0, 4");
        assert_eq!(format!("{:x}", of(17, -16, 16, -4)), "0x11 is not one of -0x10, -0xc, …, 0x10");
        let wide = of(0, i128::MAX - 1, i128::MAX, i64::MAX);
        assert_eq!(wide.to_string(), format!("0 is not one of {}, {}", i128::MAX - 1, i128::MAX));
    }
}
