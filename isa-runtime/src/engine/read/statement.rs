//! What a text says.

use alloc::string::String;
use alloc::vec::Vec;

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
