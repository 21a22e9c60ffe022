//! Conditions that are open: `.if`, `.else`, `.endif`.

use crate::place::Line;
use std::ops::Range;

/// A condition.
#[derive(Clone, Debug)]
struct Condition {
    line: Line,
    at: Range<usize>,
    /// True if the current lines are read.
    is_active: bool,
    /// True if one of its branches has been read, or none may be.
    is_decided: bool,
    has_else: bool,
}

/// The conditions around a line, outermost first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conditions(Vec<Condition>);

impl Conditions {
    /// True if a line is read.
    pub(crate) fn is_active(&self) -> bool {
        self.0.last().is_none_or(|condition| condition.is_active)
    }

    pub(crate) fn depth(&self) -> usize {
        self.0.len()
    }

    /// Begins a condition; `holds` is `None` if it is not evaluated.
    pub(crate) fn begin(&mut self, line: &Line, at: Range<usize>, holds: Option<bool>) {
        let is_active = holds == Some(true);
        self.0.push(Condition { line: line.clone(), at, is_active, is_decided: is_active || holds.is_none(), has_else: false });
    }

    /// Returns true if the condition of an `.elseif` is evaluated, or the error.
    pub(crate) fn may_go_on(&mut self) -> Result<bool, &'static str> {
        match self.0.last_mut() {
            None => Err("there is no `.if` before this"),
            Some(condition) if condition.has_else => Err("this comes after `.else`"),
            Some(condition) => {
                condition.is_active = false;
                Ok(!condition.is_decided)
            }
        }
    }

    /// Continues with the condition of the `.elseif`, or `true` for `.else`.
    pub(crate) fn go_on(&mut self, holds: bool, is_else: bool) {
        if let Some(condition) = self.0.last_mut() {
            (condition.is_active, condition.is_decided) = (holds, condition.is_decided || holds);
            condition.has_else |= is_else;
        }
    }

    /// Ends a condition; returns false if there is none.
    pub(crate) fn end(&mut self) -> bool {
        self.0.pop().is_some()
    }

    /// Ends the conditions nested deeper.
    pub(crate) fn end_to(&mut self, depth: usize) -> Option<(Line, Range<usize>)> {
        let first = self.0.get(depth).map(|condition| (condition.line.clone(), condition.at.clone()));
        self.0.truncate(depth);
        first
    }
}
