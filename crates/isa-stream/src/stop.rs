//! The end of a run before its time.

use std::path::Path;
use std::{fmt, io};

/// A reason why a run can't continue.
#[derive(Debug)]
pub enum Stop {
    /// No such file, bad usage.
    CannotRun {
        /// The message.
        message: String,
        /// A way to fix it.
        help: Option<String>,
    },
    /// Standard output was closed by its reader.
    BrokenPipe,
}

impl Stop {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Self::CannotRun { message: message.into(), help: None }
    }

    /// An error with this message and a suggestion.
    pub fn with_help(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::CannotRun { message: message.into(), help: Some(help.into()) }
    }

    /// A file that can't be read or written.
    pub fn file(path: &Path, error: &io::Error) -> Self {
        Self::new(format!("{}: {}", path.display(), plain(error)))
    }
}

/// The message, and the way to fix it.
impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CannotRun { message, help: None } => f.write_str(message),
            Self::CannotRun { message, help: Some(help) } => write!(f, "{message}\nhelp: {help}"),
            Self::BrokenPipe => f.write_str("standard output was closed by its reader"),
        }
    }
}

impl std::error::Error for Stop {}

/// A failed write to standard output; errors of other files use [`Stop::file`].
impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::BrokenPipe,
            _ => Self::new(format!("standard output: {}", plain(&error))),
        }
    }
}

/// The system's message without its number.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}
