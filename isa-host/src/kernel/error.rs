//! The errors of loading a cubin and of running a kernel.

use isa_sim::simt::RunError;
use std::fmt;

/// Why a cubin is not loaded, or a kernel not run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CubinError {
    /// The file is damaged, or no cubin.
    File(isa_object::Error),
    /// There is no kernel of this name; those that there are.
    NoKernel(String, Vec<String>),
    /// A section has more bytes than are loaded.
    TooLarge(String, u64),
    /// A loader does not know how to put an address there: kind, section and offset.
    Relocation(u32, String, u64),
    /// The machine lacks a memory that kernels need.
    NoSpace(&'static str),
    /// Arguments are not those that the kernel takes.
    Arguments(Arguments),
    /// The block is not one that the kernel can have.
    Block(String),
    /// The run did not come to its end.
    Run(RunError),
}

/// How arguments differ from those that a kernel takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arguments {
    /// Their number.
    Count {
        /// How many the kernel takes.
        wanted: usize,
        /// How many there are.
        given: usize,
    },
    /// The size of one.
    Size {
        /// Its place, from 0.
        at: usize,
        /// Bytes that the kernel takes.
        wanted: u64,
        /// Bytes that are given.
        given: u64,
    },
}

impl fmt::Display for CubinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(why) => why.fmt(f),
            Self::NoKernel(name, known) if known.is_empty() => write!(f, "there is no kernel `{name}`, nor any other"),
            Self::NoKernel(name, known) => write!(f, "there is no kernel `{name}`; there are {}", known.join(", ")),
            Self::TooLarge(section, size) => write!(f, "section {section} has {size} bytes: too many"),
            Self::Relocation(kind, section, offset) => {
                write!(f, "relocation of kind {kind:#x} at {offset:#x} of {section}: it is not known what belongs there")
            }
            Self::NoSpace(name) => write!(f, "this machine can't run kernels of cubins: it has no memory `{name}`"),
            Self::Arguments(Arguments::Count { wanted, given }) => {
                write!(f, "the kernel takes {wanted} argument{}, and {given} are given", if *wanted == 1 { "" } else { "s" })
            }
            Self::Arguments(Arguments::Size { at, wanted, given }) => {
                write!(f, "argument {at} has {given} bytes, and the kernel takes {wanted} there")
            }
            Self::Block(why) => f.write_str(why),
            Self::Run(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for CubinError {}

impl From<isa_object::Error> for CubinError {
    fn from(why: isa_object::Error) -> Self {
        Self::File(why)
    }
}

impl From<RunError> for CubinError {
    fn from(why: RunError) -> Self {
        Self::Run(why)
    }
}
