//! Reasons why an instruction set is not simulated, or an instruction does not run on another engine.

use isa_sim::{NotExecutable, Trouble};
use isa_spec::semantics::machine::{MAX_REGISTERS, MAX_STATE};
use std::fmt;

/// The part of an instruction set that can't be simulated.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotSimulated {
    /// The registers of a file are too wide.
    Registers {
        /// The file.
        name: String,
        /// Bits of a register.
        width: u32,
    },
    /// A file has too many registers.
    File {
        /// The file.
        name: String,
        /// The number of its registers.
        count: usize,
    },
}

impl fmt::Display for NotSimulated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Registers { name, width } => {
                write!(f, "registers of `{name}` have {width} bits: {MAX_STATE} are the most that can be simulated")
            }
            Self::File { name, count } => {
                write!(f, "`{name}` has {count} registers: {MAX_REGISTERS} are the most that can be simulated")
            }
        }
    }
}

impl std::error::Error for NotSimulated {}

/// The reason why an instruction that the evaluator has run does not run on another engine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotComparable {
    /// The engine can't execute it.
    NotExecutable(NotExecutable),
    /// It uses memory so far up that the engine, which has all memory below, would need too much.
    FarMemory,
    /// The engine makes an access that can't be, where the evaluator makes none.
    Trouble(Trouble),
}

impl fmt::Display for NotComparable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotExecutable(why) => why.fmt(f),
            Self::FarMemory => f.write_str(
                "the address is too high for this engine, which allocates all memory below it; the evaluator does not",
            ),
            Self::Trouble(trouble) => write!(f, "the engine made an access that cannot be: {trouble:?}"),
        }
    }
}

impl std::error::Error for NotComparable {}
