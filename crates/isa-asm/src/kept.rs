//! Lines that are kept for later reading.

use crate::place::Line;
use std::ops::Range;

/// A parameter of a macro.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) default: String,
    pub(crate) is_required: bool,
    pub(crate) takes_rest: bool,
}

/// A macro.
#[derive(Debug)]
pub(crate) struct Macro {
    pub(crate) name: String,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) lines: Vec<Line>,
}

/// A block of statements, kept until its end directive, each as a line of its own.
#[derive(Debug)]
pub(crate) struct Collect {
    pub(crate) line: Line,
    pub(crate) at: Range<usize>,
    pub(crate) what: What,
    pub(crate) lines: Vec<Line>,
    /// The number of nested blocks of the same kind.
    pub(crate) depth: u32,
}

impl Collect {
    /// The block with a statement of a line as one more line.
    pub(crate) fn with(mut self, line: &Line, statement: &str) -> Self {
        if !statement.trim().is_empty() {
            let is_whole = statement.len() == line.text.len();
            let text = if is_whole { line.text.clone() } else { statement.into() };
            self.lines.push(Line { text, ..line.clone() });
        }
        self
    }
}

/// The use of the lines.
#[derive(Debug)]
pub(crate) enum What {
    Macro(String, Vec<Parameter>),
    /// A macro whose first line is wrong.
    Refused,
    /// Repetition, this number of times.
    Repeat(u64),
    /// For each value of a parameter.
    Each(String, Vec<String>),
}

impl What {
    /// True if they form a macro.
    pub(crate) fn is_macro(&self) -> bool {
        matches!(self, Self::Macro(..) | Self::Refused)
    }
}
