//! The vocabulary of floating-point functions: formats, directions of rounding, and the rules of machines.

mod format;
mod rules;

pub use format::Format;
pub use rules::{Fraction, MinKind, NanInteger, NanRule, Rules};

/// A direction of rounding, for numbers between two neighbours of a format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Round {
    /// `rn`: to the nearest, to the even one of two.
    #[default]
    Nearest,
    /// `rz`: towards zero.
    Zero,
    /// `rd`: down, towards -∞.
    Down,
    /// `ru`: up, towards +∞.
    Up,
    /// `ra`: to the nearest, away from zero of two.
    Away,
}

impl Round {
    /// All directions, by their numbers, the same as in RISC-V's `frm`.
    pub const ALL: [Self; 5] = [Self::Nearest, Self::Zero, Self::Down, Self::Up, Self::Away];

    /// The name of the direction in specifications.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nearest => "rn",
            Self::Zero => "rz",
            Self::Down => "rd",
            Self::Up => "ru",
            Self::Away => "ra",
        }
    }

    /// The number of the direction: 0 `rn`, 1 `rz`, 2 `rd`, 3 `ru`, 4 `ra`.
    pub const fn number(self) -> u32 {
        self as u32
    }

    /// Finds a direction by its number.
    #[inline]
    pub const fn from_number(number: u32) -> Option<Self> {
        if number < 5 { Some(Self::ALL[number as usize]) } else { None }
    }

    /// Finds a direction by its name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|round| round.name() == name)
    }
}
