//! Decoded words.

/// A word with the form that it was found to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Decoded<W> {
    /// The word.
    pub word: W,
    /// The number of its form.
    pub form: u16,
}
