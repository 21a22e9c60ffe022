//! The words of an instruction set: lengths, the order of a stream, how documents divide it, and words without a form.

use super::{Doc, Word};
use crate::describe::described;
use crate::sets::{Cube, WordSet};
use crate::span::Span;
use isa_runtime::why::Why;
use isa_runtime::word::Units;

described! {
    /// The lengths of words and the order of a stream.
    #[derive(Clone, Debug)]
    pub struct Words {
        /// A stream is made of units of this many bits.
        pub unit: u32,
        /// The first unit of a longer word is its low one.
        pub low_first: bool,
        /// Bytes inside a unit are little-endian.
        pub little_endian: bool,
        /// The lengths, ascending; none in a text-only instruction set.
        pub lengths: Vec<Length>,
    }
}

impl Words {
    /// The order in which bytes make up words.
    pub fn units(&self) -> Units {
        Units { bits: self.unit, low_first: self.low_first, little_endian: self.little_endian }
    }
}

described! {
    /// One word length.
    #[derive(Clone, Debug)]
    pub struct Length {
        /// Bits of the word, a multiple of the unit.
        pub bits: u32,
        /// The first units that begin a word of this length (all of them if there is one length).
        pub prefix: WordSet,
        /// The words of this length: those that begin so, and those that are apart, whose length is known only if the whole word is given.
        pub words: WordSet,
        /// The words that no form has.
        pub holes: WordSet,
        /// The place of the condition.
        pub span: Span,
    }

    /// First units of a stream that belong together: `1111100 0000xxxxx -> 1111100 1111xxxxx`.
    #[derive(Clone, Debug)]
    pub struct Region {
        /// Its name.
        pub name: String,
        /// The region as declared: `1111100 0000xxxxx -> 1111100 1111xxxxx`.
        pub is: String,
        /// The first unit.
        pub first: Word,
        /// The last unit.
        pub last: Word,
        /// Bits at the low end of a unit that belong to no code.
        pub open: u32,
        /// One line.
        pub summary: String,
        /// The lines of the documents that describe it.
        pub doc: Doc,
        /// The place of the declaration.
        pub span: Span,
    }

    /// Words with a meaning elsewhere that are not instructions here.
    #[derive(Clone, Debug)]
    pub struct Hole {
        /// Its name.
        pub name: String,
        /// Bits of the words.
        pub length: u32,
        /// The words.
        pub words: Cube,
        /// A summary in one line.
        pub summary: String,
        /// Their sources.
        pub doc: Doc,
        /// The place of the declaration.
        pub span: Span,
    }
}

impl Hole {
    /// The reason why its words are refused, with its name.
    pub fn refusal(&self) -> Why<'_> {
        Why::Hole { name: &self.name, summary: &self.summary }
    }
}
