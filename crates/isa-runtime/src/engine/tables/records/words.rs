//! The instruction set, lengths of words, the rows that decode them, and words without a form.

use super::{Rows, Str, Term};
use crate::engine::record::record;
#[cfg(doc)]
use crate::engine::tables::*;

record! {
    /// The instruction set.
    Head {
        /// Its name.
        name: Str,
        /// One line.
        summary: Str,
        /// Bits of a unit of a stream.
        unit: u16,
        /// [`LOW_FIRST`], [`LITTLE_ENDIAN`], [`TEXT_ONLY`], [`SHORTEST`], [`OCTAL`], [`LOWER_CASE`], [`UPPER_CASE`].
        flags: u8,
        /// Bytes of the longest text.
        longest: u32,
    }

    /// A length of words.
    Length<W> {
        /// Bits of a word.
        bits: u16,
        /// The index of its forms: the terms to add up.
        index: [Term; 3],
        /// First element of the index in [`Common::index`]; it has a power of two of them.
        base: u32,
        /// The index of the truth tables of its rows: bits that most rules are about.
        truth: [Term; 2],
        /// The first units that begin a word of this length: a diagram.
        prefix: u32,
        /// The words of this length: a diagram.
        words: u32,
        /// The bits that all forms of this length fix, bits that are reserved in one of them left out.
        opcode: W,
    }

    /// The order in which diagrams of words of a length ask for bits.
    Order {
        /// Bits of a word.
        bits: u16,
        /// The bits, in [`Common::orders`].
        order: Rows,
    }

    /// A step of decoding: the words of a form, and the next row for other words.
    Row<W> {
        /// The bits with the same value in all legal words of the form.
        mask: W,
        /// Their values.
        value: W,
        /// The condition on other bits: first element of a truth table in [`Common::truth`], for the index of the length.
        table: u32,
        /// The condition besides that: a diagram.
        rest: u32,
        /// The form.
        form: u16,
        /// The next row; 0 is the end.
        next: u16,
    }

    /// Words that have a name and no form.
    Hole<W> {
        /// The name.
        name: Str,
        /// Their description, perhaps empty.
        summary: Str,
        /// Bits of the words.
        length: u16,
        /// The bits with the same value in all of them.
        mask: W,
        /// Their values.
        value: W,
    }

    /// First units of a stream that belong together.
    Region<W> {
        /// The name.
        name: Str,
        /// The first unit.
        first: W,
        /// The last unit.
        last: W,
        /// Bits at the low end that belong to no code.
        open: u8,
    }
}
