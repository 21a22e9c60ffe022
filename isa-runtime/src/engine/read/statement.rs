//! What a text says, or why it is not an instruction.

use alloc::string::String;
use alloc::vec::Vec;

/// Why a text is not an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// Byte of the text.
    pub at: usize,
    /// What is wrong.
    pub message: String,
}

impl core::fmt::Display for ReadError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for ReadError {}

/// An instruction as a text says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement<W> {
    /// Its form.
    pub form: u16,
    /// Its word.
    pub word: W,
    /// The names of registers that programs name, by the numbers that the word has for them; empty for a number that it does not
    /// have.
    pub names: Vec<String>,
}

/// The addresses of labels.
pub type Labels<'l> = &'l dyn Fn(&str) -> Option<u64>;

/// No label has an address.
pub fn no_labels(_: &str) -> Option<u64> {
    None
}
