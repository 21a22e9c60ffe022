//! Where statements stand, and what is wrong with them.

use std::ops::Range;
use std::rc::Rc;

/// What a line was made by: a macro, a repetition, an included file, a pseudo-instruction.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Within {
    /// ``the expansion of `name` ``, and the like.
    what: String,
    file: Rc<str>,
    line: usize,
    /// The statement that has become this one, if a pseudo-instruction was written.
    written: Option<Written>,
    within: Option<Rc<Self>>,
}

/// A statement that becomes others.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Written {
    /// All of its line.
    text: Rc<str>,
    at: Range<usize>,
    copied: Vec<(Range<usize>, Range<usize>)>,
}

impl Written {
    /// Where something is written that stands in a statement which was made: that operand, or all of the statement.
    fn place(&self, at: &Range<usize>) -> Range<usize> {
        let mut parts = self.copied.iter().filter(|(made, _)| made.start < at.end && at.start < made.end);
        let (Some((made, own)), None) = (parts.next(), parts.next()) else { return self.at.clone() };
        // A modifier that was put around it is not written.
        let (start, end) = (at.start.max(made.start) - made.start, at.end.min(made.end) - made.start);
        let from = self.at.start + own.start;
        from + start..from + end
    }
}

/// A statement that was made, and which parts of it are as they are written: where they stand in it, and in the statement that is written.
#[derive(Debug, Default)]
pub(crate) struct Made {
    pub(crate) text: String,
    pub(crate) copied: Vec<(Range<usize>, Range<usize>)>,
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
        let (file, within) = (self.file.clone(), self.within.clone());
        Some(Rc::new(Within { what, file, line: self.number, written: None, within }))
    }

    /// A line with a statement that the one at these bytes becomes.
    pub(crate) fn becomes(&self, name: &str, at: Range<usize>, made: Made) -> Self {
        let (what, file, within) = (format!("the expansion of `{name}`"), self.file.clone(), self.within.clone());
        let written = Some(Written { text: self.text.clone(), at, copied: made.copied });
        let within = Some(Rc::new(Within { what, file, line: self.number, written, within }));
        Self { text: made.text.into(), within, ..self.clone() }
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
        let (mut within, mut named, mut text, mut at) = (line.within.as_ref(), 0, &line.text, at);
        while let Some(own) = within {
            if let Some(written) = &own.written {
                if named < MOST_NAMED {
                    message.push_str(&format!("; in {}: `{}`", own.what, text.trim()));
                }
                (text, at) = (&written.text, written.place(&at));
            } else if named < MOST_NAMED {
                message.push_str(&format!("; in {} at {}:{}", own.what, own.file, own.line));
            }
            within = own.within.as_ref();
            named += 1;
        }
        if named > MOST_NAMED {
            message.push_str("; and so on");
        }
        let end = text.len();
        let at = at.start.min(end)..at.end.min(end).max(at.start.min(end));
        Self { file: line.file.clone(), line: line.number, text: text.clone(), at, message, is_warning: false }
    }
}
