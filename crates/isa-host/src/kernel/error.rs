//! The errors of loading a cubin and of running a kernel.

use isa_sim::simt::RunError;
use std::fmt;

/// A reason why a cubin is not loaded, or a kernel not run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CubinError {
    /// The file is damaged, or not a cubin.
    File(isa_object::Error),
    /// There is no kernel of this name; the names of the existing ones.
    NoKernel(String, Vec<String>),
    /// A section has more bytes than the loader's limit.
    TooLarge(String, u64),
    /// A relocation that the loader does not know: kind, section and offset.
    Relocation(u32, String, u64),
    /// The machine lacks a memory that kernels need.
    NoSpace(&'static str),
    /// The arguments do not match the kernel's parameters.
    Arguments(Arguments),
    /// The kernel can't have this block.
    Block(String),
    /// The run was not completed.
    Run(RunError),
}

/// A mismatch between arguments and the parameters of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arguments {
    /// Their number.
    Count {
        /// The number of parameters.
        wanted: usize,
        /// The number of arguments.
        given: usize,
    },
    /// The size of one.
    Size {
        /// Its place, from 0.
        at: usize,
        /// Bytes of the parameter.
        wanted: u64,
        /// Bytes of the argument.
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
