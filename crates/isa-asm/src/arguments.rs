//! The arguments of a directive.

use std::ops::Range;

/// The arguments of a directive: the statement, the start of the arguments in it, and the place of the statement in the line.
#[derive(Clone, Copy)]
pub(crate) struct Arguments<'t> {
    pub(crate) text: &'t str,
    pub(crate) from: usize,
    pub(crate) shift: usize,
}

impl<'t> Arguments<'t> {
    pub(crate) fn rest(&self) -> &'t str {
        self.text[self.from..].trim()
    }

    /// The place of all arguments in the line.
    pub(crate) fn span(&self) -> Range<usize> {
        match self.rest() {
            "" => self.shift..self.shift + self.text.len(),
            _ => self.shift + self.start()..self.shift + self.text.trim_end().len(),
        }
    }

    /// The start of the arguments, after blanks.
    pub(crate) fn start(&self) -> usize {
        let rest = &self.text[self.from..];
        self.from + rest.len() - rest.trim_start().len()
    }
}
