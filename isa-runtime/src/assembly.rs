//! What belongs to the syntax of programs and not to that of an instruction.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// How the lines of a program are taken apart, and which numbers it can have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assembly {
    /// Marks behind which the rest of a line is a comment.
    pub comments: Vec<String>,
    /// Marks between the statements of a line.
    pub separators: Vec<String>,
    /// `/*` begins a comment that ends at the next `*/`, perhaps on another line.
    pub blocks: bool,
    /// A number that begins with `0` is octal; without it, such a number is refused.
    pub octal: bool,
}

impl Assembly {
    /// The marks of comments where the specification declares none, except those that the texts of its instructions have.
    pub const COMMENTS: [&str; 3] = ["#", "//", ";"];
    /// How a comment begins that can have several lines.
    pub const BLOCK: [&str; 2] = ["/*", "*/"];
}

impl fmt::Display for Assembly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |marks: &[String]| match marks {
            [] => "none".to_owned(),
            marks => marks.iter().map(|mark| format!("`{mark}`")).collect::<Vec<_>>().join(", "),
        };
        write!(f, "comments: {}; separators: {}", list(&self.comments), list(&self.separators))?;
        f.write_str(if self.octal { "; octal numbers" } else { "" })
    }
}
