//! Batches of lines that contain only instructions: they depend on nothing before them.

use super::writer::Writer;
use isa_asm::lines::{Mark, Scanner};
use isa_asm::placed::Run;
use isa_engine::bytes_of;
use isa_engine::no_symbols;
use std::ops::Range;

/// Lines that are assembled together.
#[derive(Default)]
pub(super) struct Batch {
    /// All lines, one after the other.
    pub(super) text: String,
    /// Their numbers, and the end of each in the text.
    pub(super) lines: Vec<(usize, usize)>,
    /// Their instructions: the place of each in the text, and its address.
    pub(super) instructions: Vec<(Range<usize>, u64)>,
    /// The same, grouped into consecutive runs.
    pub(super) runs: Vec<Run>,
    /// The address after them.
    pub(super) end: u64,
    /// True if they contain only instructions, comments and addresses, and no label comes before them.
    pub(super) is_plain: bool,
    /// True if their output is complete: it depends on these lines alone.
    pub(super) is_done: bool,
    pub(super) results: Vec<u8>,
}

/// Splits lines into instructions with their addresses, if all words have one length.
pub(super) struct Split {
    pub(super) scanner: Scanner,
    pub(super) fixed: Option<u32>,
    pub(super) address: u64,
    pub(super) has_labels: bool,
    pub(super) keeps_comments: bool,
}

impl Batch {
    /// Starts a batch after the lines split so far.
    pub(super) fn begin(&mut self, split: &Split) {
        self.text.clear();
        self.lines.clear();
        self.instructions.clear();
        self.runs.clear();
        self.end = split.address;
        self.is_plain = split.fixed.is_some() && !split.has_labels && !split.scanner.is_open();
        self.is_done = false;
    }

    /// The lines with their numbers, and the buffer for results.
    pub(super) fn lines(&mut self) -> (impl Iterator<Item = (usize, &str)>, &mut Vec<u8>) {
        let Self { text, lines, results, .. } = self;
        let starts = std::iter::once(0).chain(lines.iter().map(|line| line.1));
        (starts.zip(&*lines).map(|(start, (number, end))| (*number, &text[start..*end])), results)
    }

    pub(super) fn push(&mut self, number: usize, line: &str, split: &mut Split) {
        let start = self.text.len();
        self.text.push_str(line);
        self.lines.push((number, self.text.len()));
        let Some(bits) = split.fixed else { return };
        for source in split.scanner.statements(number, line) {
            for mark in &source.marks {
                match mark {
                    Mark::Address(address) => split.address = *address,
                    Mark::Label(..) | Mark::Local(..) => split.has_labels = true,
                }
            }
            let at = start + source.at();
            let at = at..at + source.text().len();
            // A comment inside an instruction counts as blanks.
            let is_there = source.fault.is_none() && self.text.get(at.clone()) == Some(source.text());
            self.is_plain &= !split.has_labels && source.bare.is_none() && is_there;
            // If comments are kept, they are part of the output.
            self.is_plain &= !split.keeps_comments || self.text[start..].trim() == source.text();
            if !at.is_empty() {
                self.instructions.push((at, split.address));
                let one = Run::one(split.address, bytes_of(bits), number);
                match self.runs.last_mut().filter(|run| run.end == u128::from(split.address)) {
                    Some(run) => (run.end, run.last) = (one.end, number),
                    None => self.runs.push(one),
                }
                split.address = split.address.wrapping_add(bytes_of(bits));
            }
        }
        self.end = split.address;
    }

    /// Assembles the lines, if they depend on nothing else. Before the first label no name is one, so a line that can be read is
    /// final.
    pub(super) fn assemble(&mut self, writer: &mut Writer<'_>) {
        self.results.clear();
        if !self.is_plain {
            return;
        }
        // The address before the first one is known later.
        writer.next = self.instructions.first().map(|(_, address)| *address);
        for (at, address) in &self.instructions {
            let Ok(statement) = writer.codec.read(&self.text[at.clone()], *address, &no_symbols) else { return };
            writer.instruction(&statement, *address, &mut self.results);
        }
        self.is_done = true;
    }
}
