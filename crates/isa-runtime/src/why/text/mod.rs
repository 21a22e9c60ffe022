//! Reasons why a text is not an instruction.

mod expected;
mod farthest;
mod sentences;
mod words;

use super::{Ranges, Why};
use crate::word::U256;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

pub use expected::{Expected, Many, Texts};
pub use farthest::{Farthest, WrongNumber};
pub use words::{is_word, word_at, word_before};

/// The error for a text that is not an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError<'t> {
    /// The offset of the error in bytes.
    pub at: usize,
    /// The fault there.
    pub wrong: Wrong<'t>,
}

/// The fault of a text. `shown`, `word`, `entry`, `found` and `after` are parts of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wrong<'t> {
    /// Something else was expected.
    Expected {
        /// The expectations, each with its wording.
        expected: Vec<Expected>,
        /// The word before, if it may be at fault: it is too long, or incomplete.
        after: String,
        /// The text found there; empty at the end of the text.
        found: String,
    },
    /// Each part can be read, but no word prints all of them together.
    NotCanonical,
    /// The word with the values in the text has another text.
    Printed {
        /// The text of the word.
        text: String,
    },
    /// Its word is one of a form that takes words from the form of the text.
    Taken {
        /// The name of the form of the text.
        form: String,
        /// The word.
        word: U256,
        /// The length of the word in bits.
        bits: u32,
        /// The name of the form of the word.
        by: String,
        /// The text of the word.
        text: String,
    },
    /// No word of the form has the values in the text.
    Form {
        /// The name of the form.
        form: String,
        /// The rule that is broken, or the reason why the form lacks such words.
        why: String,
    },
    /// It begins in a way that the specification declares as wrong.
    Known(&'t str),
    /// There is no mnemonic.
    NoMnemonic,
    /// No instruction has this mnemonic.
    NoInstruction {
        /// The mnemonic.
        word: String,
        /// A similar mnemonic.
        near: Option<String>,
    },
    /// The word of the text is not an instruction, or its name is that of a hole.
    Word(Box<Why<'t>>),
    /// It is an instruction of another length.
    Length {
        /// The requested length in bits.
        bits: u32,
        /// The length of the instruction.
        said: u32,
    },
    /// It has too many readings, and the search was stopped.
    TooManyWays {
        /// The name of the form.
        form: &'t str,
    },
    /// The form of the instruction has no type in the generated module.
    NoType {
        /// The number of the form.
        form: u32,
    },
    /// A register file has no such number.
    NoRegister {
        /// The register.
        shown: String,
        /// The last one that a field can name.
        last: String,
    },
    /// A number in the place of a value without a name has too many bits.
    NoValue {
        /// The text of the value.
        shown: String,
        /// The last one that a field can hold.
        last: String,
    },
    /// A word begins like a text of an enumeration, but continues differently.
    NotOneOf {
        /// The word.
        word: String,
        /// The texts.
        texts: Texts,
    },
    /// No field holds such a number.
    TooLarge {
        /// The number.
        shown: String,
    },
    /// A floating-point number has more digits than a field holds.
    TooExact {
        /// The number.
        shown: String,
        /// The name of the field.
        field: String,
    },
    /// A floating-point number is not among those of a field.
    NoSuchFloat {
        /// The number.
        shown: String,
        /// The name of the field.
        field: String,
    },
    /// A number begins with `0`, and its digits are not octal.
    NotOctal {
        /// The number.
        shown: String,
    },
    /// A number begins with `0`, and the instruction set has no octal numbers.
    LeadingZero {
        /// The number.
        shown: String,
        /// Its magnitude if it is octal.
        octal: Option<u128>,
    },
    /// A name is not that of a label.
    NoLabel {
        /// The name.
        shown: String,
    },
    /// A number is not `bias` more than a multiple of `scale`.
    NotMultiple {
        /// The number.
        shown: String,
        /// The factor.
        scale: i128,
        /// The offset added to a multiple.
        bias: i128,
        /// True if multiples are counted from the address of the instruction.
        is_target: bool,
    },
    /// A number is out of the range of a field.
    OutOfRange {
        /// The number.
        shown: String,
        /// The name of the field.
        field: String,
        /// The least number of the field.
        min: i128,
        /// The greatest number of the field.
        max: i128,
        /// True if the field prints decimal numbers; hexadecimal ones otherwise.
        is_decimal: bool,
    },
    /// A number is not one of those listed for a field.
    NotListed {
        /// The number.
        shown: String,
        /// The name of the field.
        field: String,
        /// The greatest number below it that the field can have, and the least above.
        around: Box<[Option<i128>; 2]>,
        /// True if the field prints decimal numbers; hexadecimal ones otherwise.
        is_decimal: bool,
    },
    /// In the braces of a full text: not a name and a value.
    NotEntry {
        /// The entry.
        entry: String,
    },
    /// In the braces of a full text: not a number.
    NotNumber {
        /// The text in the place of a number.
        shown: String,
    },
    /// In the braces of a full text: neither a field of the form nor bits.
    NoField {
        /// The name of the form.
        form: String,
        /// The name in the entry.
        name: String,
    },
    /// In the braces of a full text: a value with too many bits, or bits that the word does not have.
    NoRoom {
        /// The value.
        value: U256,
        /// The bits.
        ranges: Ranges,
    },
}
