//! What is said of a word that is refused.

use crate::model::FormId;

/// Why a word is not an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// What is wrong.
    pub reason: Reason,
    /// The form that the word comes closest to, or that it belongs to but for a rule.
    pub form: Option<FormId>,
    /// The same as a sentence.
    pub message: String,
}

/// What is wrong with a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No form has these fixed bits.
    NoSuchOpcode,
    /// The word has a name and no form.
    Hole(String),
    /// A reserved bit is set.
    Reserved,
    /// A field holds a value that it can't.
    Value(String),
    /// A rule is broken.
    Rule(String),
    /// The word has bits beyond its length, or no word has this length.
    Length,
}

impl std::fmt::Display for DecodeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for DecodeError {}
