//! Instructions from text, with labels, comments and addresses.
//!
//! ```text
//! # a comment, also // and ; (unless the specification says otherwise, or its texts have these characters), and /* */
//! 0x100:                      what follows stands at this address
//! loop: IADD3 R1, R1, 0x1, RZ
//! 1:    @P0 BRA loop
//!       @P1 BRA 1b            the last local label 1 before here; 1f is the next one
//! ```
//!
//! A line that begins with `! ` is the reason that a command before this one gave for having no text; it is passed on.

mod entry;
mod labels;
mod layout;
mod read;

use crate::input::Input;
use crate::lines::Lines;
use crate::output::Stop;
use crate::source::LineFault;
use isa_engine::{Codec, Statement};

pub(crate) use layout::Layout;
pub(crate) use read::{read, word_at};

/// What a line or a label takes besides its text, in bytes.
const OVERHEAD: usize = 200;

/// A line that holds an instruction, or a fault.
#[derive(Debug)]
pub(crate) struct Line {
    /// Its number, from 1.
    pub(crate) number: usize,
    /// All of it, if there is a fault.
    pub(crate) whole: String,
    /// The instruction's address.
    pub(crate) address: u64,
    /// The instruction.
    pub(crate) result: Result<Statement, LineFault>,
}

/// Assembles lines as they are read, one after the other.
pub(crate) struct Assembler<'c> {
    lines: Lines,
    layout: Layout<'c>,
}

impl<'c> Assembler<'c> {
    /// Assembles the lines of an input.
    pub(crate) fn new(codec: Box<dyn Codec + 'c>, input: Input) -> Self {
        let lines = input.lines("text is");
        Self { layout: Layout::new(codec, &lines.name), lines }
    }

    /// The name of the input in messages.
    pub(crate) fn name(&self) -> &str {
        &self.lines.name
    }

    /// The next line that holds an instruction or a fault, in the order of the input.
    pub(crate) fn next(&mut self) -> Result<Option<Line>, Stop> {
        let Self { lines, layout } = self;
        loop {
            if let Some(line) = layout.pop() {
                return Ok(Some(line));
            }
            match lines.next()? {
                Some((number, line)) => {
                    if let Some(line) = layout.take(number, line)? {
                        return Ok(Some(line));
                    }
                }
                None if layout.is_done() => return Ok(None),
                None => layout.finish(),
            }
        }
    }
}

/// Bits of every instruction, if all have the same.
pub(crate) fn fixed(codec: &dyn Codec) -> Option<u32> {
    match *codec.shape().lengths {
        [] => Some(0),
        [only] => Some(only),
        _ => None,
    }
}
