//! Options and errors of a start.

use crate::LoadError;
use std::fmt;
use std::fs::File;
use std::io::{IsTerminal as _, Read, Write};
use std::path::PathBuf;

/// Arguments, files and streams of a program. Texts are bytes without 0, as in Linux.
pub struct Options<'h> {
    /// The arguments; the first is the name of the program.
    pub arguments: Vec<Vec<u8>>,
    /// `NAME=VALUE`
    pub environment: Vec<Vec<u8>>,
    /// The directory of the host that is the root of the program's files; without it there are no files.
    pub root: Option<PathBuf>,
    /// True if files can be written, created and removed.
    pub write: bool,
    /// Bytes of the stack.
    pub stack: u64,
    /// The seed of random numbers.
    pub seed: u64,
    /// Receives the text of each completed call: `write(1, 0x3ffe0, 12) = 12`.
    pub trace: Option<Trace<'h>>,
    /// Standard input.
    pub input: Input<'h>,
    /// Standard output.
    pub output: Output<'h>,
    /// Standard error.
    pub error: Output<'h>,
}

/// Receives the text of each call.
pub type Trace<'h> = Box<dyn FnMut(&str) + 'h>;

/// A standard stream.
pub struct Stream<T> {
    /// The bytes.
    pub io: T,
    /// It is a terminal.
    pub is_terminal: bool,
    /// The file of the host that it is, if it is one: a program can use it like a file that it has opened.
    pub file: Option<File>,
}

/// A stream that a program reads.
pub type Input<'h> = Stream<Box<dyn Read + 'h>>;
/// A stream that a program writes.
pub type Output<'h> = Stream<Box<dyn Write + 'h>>;

impl Default for Options<'_> {
    /// No arguments and no files, a stack of 8 MiB, and the standard streams of this process.
    fn default() -> Self {
        let (input, output, error) = (std::io::stdin(), std::io::stdout(), std::io::stderr());
        let [read, written, reported] = [file_of(&input), file_of(&output), file_of(&error)];
        Self {
            arguments: Vec::new(),
            environment: Vec::new(),
            root: None,
            write: false,
            stack: 8 << 20,
            seed: 1,
            trace: None,
            input: Stream { is_terminal: input.is_terminal(), io: Box::new(input), file: read },
            output: Stream { is_terminal: output.is_terminal(), io: Box::new(output), file: written },
            error: Stream { is_terminal: error.is_terminal(), io: Box::new(error), file: reported },
        }
    }
}

/// The file that a standard stream of this process is; its position is shared.
#[cfg(unix)]
fn file_of(stream: &impl std::os::fd::AsFd) -> Option<File> {
    stream.as_fd().try_clone_to_owned().ok().map(File::from)
}

#[cfg(not(unix))]
fn file_of<T>(_: &T) -> Option<File> {
    None
}

/// A reason why a program can't be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartError {
    /// The specification does not declare the convention of Linux calls.
    NoConvention,
    /// The convention names a register that the machine does not have.
    NoRegister(String),
    /// The machine can't hold the program.
    Load(LoadError),
    /// There is no room for a stack of this size, or the size is 0.
    Stack {
        /// The size in bytes.
        bytes: u64,
    },
    /// Arguments and environment take more bytes than the stack has.
    Arguments {
        /// The bytes needed.
        wanted: u64,
        /// The bytes of the stack.
        stack: u64,
    },
    /// An argument or a part of the environment contains a 0.
    Zero(Vec<u8>),
    /// The root can't be used, for this reason.
    Root(PathBuf, String),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoConvention => f.write_str("the specification does not describe system calls of Linux (`linux` of `machine`)"),
            Self::NoRegister(name) => write!(f, "the machine has no register `{name}`, which system calls use"),
            Self::Load(error) => error.fmt(f),
            Self::Stack { bytes: 0 } => f.write_str("a stack of 0 bytes holds nothing"),
            Self::Stack { bytes } => write!(f, "there is no room for a stack of {bytes} bytes"),
            Self::Arguments { wanted, stack } => {
                write!(f, "arguments and environment take {wanted} bytes, more than the stack of {stack} bytes can hold")
            }
            Self::Zero(text) => write!(f, "`{}` has a 0 in it", String::from_utf8_lossy(text).escape_debug()),
            Self::Root(path, why) => write!(f, "{}: {why}", path.display()),
        }
    }
}

impl std::error::Error for StartError {}

impl From<LoadError> for StartError {
    fn from(error: LoadError) -> Self {
        Self::Load(error)
    }
}
