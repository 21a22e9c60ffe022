//! Fields, and the texts of their numbers.

use super::{Rows, Str};
use crate::engine::record::record;
#[cfg(doc)]
use crate::engine::tables::*;

record! {
    /// A range of bits.
    Range {
        /// The most significant bit.
        hi: u8,
        /// The least significant bit.
        lo: u8,
    }

    /// A field of a form; forms share equal ones. A field without bits has a number that is fixed, and is in no form's list.
    Field {
        /// Its name in the form.
        path: Str,
        /// Its bits, the high part first, in [`Common::ranges`].
        ranges: Rows,
        /// The number of bits.
        width: u8,
        /// The kind of thing that its number is: [`NUMBER`], [`REGISTER`], [`ENUM`], [`FLAG`], [`SET`]. No text depends on it but
        /// messages.
        label: u8,
        /// Its place among the names that a program gives to registers of its instruction, or [`NO_PLACE`].
        place: u8,
        /// The register file or the enumeration, in [`Common::registers`] or [`Common::enums`]; 0 for other labels.
        of: u32,
        /// The way from its bits to its number, in [`Common::codes`].
        code: u32,
        /// The texts of its number where an operation or a step has no other ones, in [`Common::spellings`].
        spelling: u32,
    }

    /// The way from the bits of a field to its number.
    Code {
        /// Its steps, in [`Common::code_steps`]; without steps the bits are the number.
        steps: Rows,
        /// The numbers of all bits that have one, by bits, in [`Common::mapped`]; then there are no steps. Without any, the steps
        /// count.
        map: Rows,
        /// [`OTHER_SIGN`], [`TAKES_GREATEST`], [`TAKES_NEAREST`], [`BELOW_ZERO`].
        flags: u8,
    }

    /// Bits of a field, and their number.
    Mapped {
        /// The bits.
        bits: u16,
        /// The number; with [`BELOW_ZERO`], in two's complement.
        number: u64,
    }

    /// A step from the bits of a field to its number.
    CodeStep {
        /// Its operation: one of the steps of codes below.
        kind: u8,
        /// Its number; 0 for a step without one.
        by: i64,
    }

    /// A part of the text of a number.
    Part {
        /// The lowest bit of the number that the part is for.
        lo: u8,
        /// The number of bits that the part is for; 0 for the whole number, with its sign.
        width: u8,
        /// Names that are printed, in [`Common::names`], by number; a number has one at most.
        printed: Rows,
        /// Names that are read, in [`Common::names`], the longest first; of equally long ones, those that are read as another
        /// number last.
        read: Rows,
        /// The texts of other numbers: [`NONE`], [`DIGITS`], [`NUMBERED`], [`GIVEN`].
        other: u8,
        /// The format of the digits of other numbers: 16, 10, or [`FLOAT`].
        radix: u8,
        /// The least number of digits; bits of a floating-point number.
        digits: u8,
        /// Digits after the point of a floating-point number, which then has an exponent; 0 for as many as it needs.
        precision: u8,
        /// The text before the digits.
        before: Str,
        /// The text after them, and after the name of a half.
        after: Str,
        /// 1 if the digits are those of half the number, and the name of a half follows.
        halved: u8,
        /// The names of halves: those of even numbers and of odd ones.
        halves: [Str; 2],
        /// The last number with digits.
        last: u128,
        /// The names that programs can give, each a row of classes, in [`Common::patterns`].
        patterns: Rows,
    }

    /// A number and its name.
    Named {
        /// The number.
        value: u128,
        /// The name, perhaps empty.
        text: Str,
        /// 1 if it is only read, 0 if it is also printed.
        also: u8,
    }

    /// A part of a name that a program can give.
    Class {
        /// ASCII characters, one bit each.
        of: u128,
        /// [`MISSING`], [`REPEATS`].
        flags: u8,
    }

    /// A register file.
    Registers {
        /// Its name.
        name: Str,
        /// The texts of registers, in [`Common::spellings`].
        spelling: u32,
        /// The name of the register file that contains its registers: its own, or another that it is a part of.
        of: Str,
        /// The number of its first register in that file.
        from: u32,
    }

    /// An enumeration.
    Enum {
        /// Its name.
        name: Str,
        /// The texts of values, in [`Common::spellings`].
        spelling: u32,
    }
}
