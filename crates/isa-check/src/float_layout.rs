//! The parts of floating-point numbers, of which a field may have the high bits alone.

/// The high bits of a number of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FloatLayout {
    /// Bits of a whole number: 16, 32 or 64.
    pub(crate) format: u32,
    /// Bits of the field.
    pub(crate) width: u32,
}

impl FloatLayout {
    /// Bits of the exponent.
    pub(crate) fn exponent(self) -> u32 {
        match self.format {
            16 => 5,
            32 => 8,
            _ => 11,
        }
    }

    /// Bits of the fraction that the field has; `None` if it lacks bits of the exponent, and so has no infinity.
    pub(crate) fn fraction(self) -> Option<u32> {
        (self.width - 1).checked_sub(self.exponent())
    }

    /// True if two values have one text: what is not a number has a sign and is quiet or not, and other bits of it are not printed.
    pub(crate) fn has_twins(self) -> bool {
        self.fraction().is_some_and(|bits| bits > 1)
    }
}
