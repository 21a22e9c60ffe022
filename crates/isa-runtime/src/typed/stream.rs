//! Instructions in bytes.

use super::{DecodeError, Isa};
use crate::engine::Bits;
use core::fmt;
use core::iter::FusedIterator;

/// The instructions in bytes, one after the other, each with its offset. Words that are not instructions are reported as errors,
/// and reading continues after them.
#[derive(Clone, Debug)]
pub struct Stream<'b, I> {
    bytes: &'b [u8],
    offset: usize,
    isa: core::marker::PhantomData<I>,
}

/// An item of a stream: an instruction or an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item<I: Isa> {
    /// The offset of its first byte.
    pub offset: usize,
    /// The instruction, or the error.
    pub insn: Result<I::Insn, StreamError<I>>,
}

/// A reason why bytes are not instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamError<I: Isa> {
    /// The word is not an instruction.
    Word(DecodeError<I>),
    /// No word begins with this unit, which is skipped.
    NoWord {
        /// The first unit.
        unit: I::Word,
    },
    /// The bytes end within a word.
    CutOff {
        /// The number of bytes left.
        bytes: usize,
    },
}

impl<I: Isa> fmt::Display for StreamError<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(why) => why.fmt(f),
            Self::NoWord { unit } => I::tables().no_word(*unit).fmt(f),
            Self::CutOff { bytes: 1 } => f.write_str("the bytes end inside a word: 1 byte is left"),
            Self::CutOff { bytes } => write!(f, "the bytes end inside a word: {bytes} bytes are left"),
        }
    }
}

impl<I: Isa> core::error::Error for StreamError<I> {}

impl<'b, I: Isa> Stream<'b, I> {
    /// The instructions in these bytes.
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, offset: 0, isa: core::marker::PhantomData }
    }

    /// The word of the first `count` bytes, in units of the instruction set.
    fn word(&self, count: usize) -> Option<I::Word> {
        Some(I::Word::from_wide(I::tables().units().read(self.bytes.get(..count)?)))
    }
}

impl<I: Isa> Iterator for Stream<'_, I> {
    type Item = Item<I>;

    fn next(&mut self) -> Option<Item<I>> {
        if self.bytes.is_empty() {
            return None;
        }
        let tables = I::tables();
        let unit = usize::from(tables.head().unit / 8).max(1);
        let (bytes, insn) = match self.word(unit) {
            None => (self.bytes.len(), Err(StreamError::CutOff { bytes: self.bytes.len() })),
            Some(first) => match tables.length_of(first) {
                None => (unit, Err(StreamError::NoWord { unit: first })),
                Some(bits) => match self.word(bits as usize / 8) {
                    None => (self.bytes.len(), Err(StreamError::CutOff { bytes: self.bytes.len() })),
                    Some(word) => (bits as usize / 8, I::decode_bits(word, bits).map_err(StreamError::Word)),
                },
            },
        };
        let item = Item { offset: self.offset, insn };
        self.offset += bytes;
        self.bytes = self.bytes.get(bytes..).unwrap_or(&[]);
        Some(item)
    }
}

impl<I: Isa> FusedIterator for Stream<'_, I> {}
