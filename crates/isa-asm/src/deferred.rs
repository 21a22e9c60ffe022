//! Statements that are deferred: their bytes or sizes are not known yet.

use crate::expr::Expr;
use crate::place::Line;
use crate::section::Place;
use std::cell::Cell;

/// A statement whose bytes or size are not known yet.
#[derive(Debug)]
pub(crate) struct Open {
    pub(crate) line: Line,
    pub(crate) position: u32,
    /// Its place: at an offset in the bytes of a frag, or after them.
    pub(crate) place: Place,
    /// True if its size may still change, so that it is after a frag.
    pub(crate) is_tail: bool,
    /// Its item in the program.
    pub(crate) item: u32,
    pub(crate) kind: OpenKind,
}

/// The place that an instruction refers to, and its distance when the word was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Distance {
    pub(crate) to: Place,
    pub(crate) by: u64,
}

/// The kind of an open statement.
#[derive(Debug)]
pub(crate) enum OpenKind {
    Instruction(OpenInstruction),
    /// A number of this number of bytes.
    Data {
        value: Box<Expr>,
        bytes: u32,
    },
    /// Alignment to a multiple of a number of bytes.
    Align {
        to: u64,
        fill: Option<u64>,
        width: u32,
        most: u64,
        code: bool,
    },
    /// A number of this number of bytes, repeated.
    Fill {
        count: Box<Expr>,
        width: u32,
        value: u64,
    },
    /// A relocation of this kind, at an offset of the section.
    Reloc {
        offset: Box<Expr>,
        kind: u32,
        value: Box<Expr>,
    },
    /// Advance to a place in the section, or to an address.
    Org {
        to: Box<Expr>,
        fill: u8,
        is_address: bool,
    },
}

/// An instruction that is read again when more is known.
#[derive(Debug)]
pub(crate) struct OpenInstruction {
    /// Its place in its line.
    pub(crate) at: u32,
    pub(crate) length: u32,
    /// Its text, if it differs from the source: with the full names of labels.
    pub(crate) renamed: Option<Box<str>>,
    /// True if short words are allowed.
    pub(crate) compress: bool,
    /// True if it is expanded if it does not reach its target.
    pub(crate) is_far: bool,
    /// True if it may contain modifiers, and whether one that others are paired with.
    pub(crate) may_modify: bool,
    pub(crate) is_anchor: bool,
    /// The distance of its target when its word was made.
    pub(crate) distance: Cell<Option<Distance>>,
}

impl OpenInstruction {
    pub(crate) fn text<'t>(&'t self, line: &'t Line) -> &'t str {
        let at = self.at as usize;
        self.renamed.as_deref().or_else(|| line.text.get(at..at + self.length as usize)).unwrap_or_default()
    }
}
