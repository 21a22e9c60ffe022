//! How floating-point functions of instructions treat numbers.

/// A direction of rounding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// `rn`: to the nearest, to the even one of two.
    #[default]
    Nearest,
    /// `rz`: towards zero.
    Zero,
    /// `ru`: up, towards +∞.
    Up,
    /// `rd`: down, towards -∞.
    Down,
}

impl Rounding {
    /// Finds a direction by its name in specifications.
    pub fn parse(name: &str) -> Option<Self> {
        let all = [("rn", Self::Nearest), ("rz", Self::Zero), ("ru", Self::Up), ("rd", Self::Down)];
        all.into_iter().find(|(known, _)| *known == name).map(|(_, rounding)| rounding)
    }
}

/// The treatment of numbers that a function can't represent, or that are not normal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Modes {
    /// The direction of rounding; [`Rounding::Nearest`] for a function that does not round.
    pub rounding: Rounding,
    /// `ftz`: subnormal operands and results are zeros of their sign; otherwise (`ieee`) they are numbers.
    pub flush: bool,
    /// `sat`: the result is limited to 0…1, and NaN becomes +0.
    pub saturate: bool,
}

impl Modes {
    /// These modes.
    pub const fn new(rounding: Rounding, flush: bool, saturate: bool) -> Self {
        Self { rounding, flush, saturate }
    }
}
