//! Lines that have been read: assembled, or waiting for labels.

use super::labels::Labels;
use super::read::{Scope, assemble};
use super::{Line, OVERHEAD};
use crate::source::{LineFault, Mark, Source};
use isa_engine::Codec;

/// A line that is not assembled yet.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) number: usize,
    pub(super) whole: String,
    /// What stands before the instruction.
    pub(super) marks: Vec<Mark>,
    /// The instruction without comments; a comment inside it is blanks, so that columns stay.
    pub(super) text: String,
    /// Where the instruction begins in the line.
    pub(super) at: usize,
    pub(super) fault: Option<LineFault>,
    /// How many statements precede it.
    pub(super) position: usize,
    pub(super) address: u64,
    /// Bits of the instruction, as far as known.
    pub(super) size: u32,
    /// The labels that it waits for.
    pub(super) waits_for: Vec<String>,
}

impl Entry {
    pub(super) fn new(number: usize, source: Source<'_>, position: usize, address: u64, size: u32) -> Self {
        Self {
            number,
            position,
            whole: source.whole.to_owned(),
            text: source.text().to_owned(),
            at: source.at(),
            marks: source.marks,
            fault: source.fault,
            address,
            size,
            waits_for: Vec::new(),
        }
    }

    pub(super) fn is_instruction(&self) -> bool {
        !self.text.is_empty()
    }

    /// The instruction's word, `None` for a line without an instruction or a fault; and the names that it looked for among the labels
    /// in vain.
    pub(super) fn assemble(&self, codec: &mut dyn Codec, labels: &Labels) -> (Option<Line>, Vec<String>) {
        let mut unknown = Vec::new();
        let result = match &self.fault {
            Some(fault) => Err(fault.clone()),
            None if !self.is_instruction() => return (None, unknown),
            None => {
                let scope = Scope { labels, position: self.position, address: self.address };
                assemble(codec, &self.text, self.at, scope, &mut unknown)
            }
        };
        let whole = if result.is_err() { self.whole.clone() } else { String::new() };
        (Some(Line { number: self.number, whole, address: self.address, result }), unknown)
    }
}

/// A line that has been read.
#[derive(Debug)]
pub(super) enum Slot {
    /// It can be given out when those before it have been.
    Done(Line),
    Waiting(Box<Entry>),
    /// There was no instruction.
    Empty,
}

impl Slot {
    /// The memory that it takes.
    pub(super) fn cost(&self) -> usize {
        match self {
            Self::Done(line) => OVERHEAD + line.whole.len(),
            Self::Waiting(entry) => {
                let names = entry.waits_for.iter().map(|name| name.len() + OVERHEAD);
                entry.whole.len() + entry.text.len() + OVERHEAD * (2 + entry.marks.len()) + names.sum::<usize>()
            }
            Self::Empty => OVERHEAD,
        }
    }
}
