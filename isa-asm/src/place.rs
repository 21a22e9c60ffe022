//! Where statements stand, and what is wrong with them.

use std::ops::Range;
use std::rc::Rc;

/// What a line was made by: a macro, a repetition, an included file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Within {
    /// ``the expansion of `name` ``, and the like.
    what: String,
    file: Rc<str>,
    line: usize,
    within: Option<Rc<Self>>,
}

/// The file and the line of a statement.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) file: Rc<str>,
    pub(crate) number: usize,
    pub(crate) text: Rc<str>,
    pub(crate) within: Option<Rc<Within>>,
}

impl Line {
    /// What lines are within that this one makes.
    pub(crate) fn inside(&self, what: String) -> Option<Rc<Within>> {
        Some(Rc::new(Within { what, file: self.file.clone(), line: self.number, within: self.within.clone() }))
    }
}

/// What is wrong with a line of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The file.
    pub file: Rc<str>,
    /// The line, from 1.
    pub line: usize,
    /// All of the line.
    pub text: Rc<str>,
    /// Which bytes of it.
    pub at: Range<usize>,
    /// What is wrong, and where the line comes from if that is no file.
    pub message: String,
    /// Whether it is only to be said.
    pub is_warning: bool,
}

/// So many lines of which each made the next are named.
const MOST_NAMED: usize = 4;

impl Fault {
    pub(crate) fn new(line: &Line, at: Range<usize>, message: impl Into<String>) -> Self {
        let mut message = message.into();
        let (mut within, mut named) = (line.within.as_ref(), 0);
        while let Some(own) = within.filter(|_| named < MOST_NAMED) {
            message.push_str(&format!("; in {} at {}:{}", own.what, own.file, own.line));
            within = own.within.as_ref();
            named += 1;
        }
        if within.is_some() {
            message.push_str("; and so on");
        }
        let end = line.text.len();
        let at = at.start.min(end)..at.end.min(end).max(at.start.min(end));
        Self { file: line.file.clone(), line: line.number, text: line.text.clone(), at, message, is_warning: false }
    }
}
