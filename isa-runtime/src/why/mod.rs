//! Why words and texts are refused: data, and the sentence that is made of it.
//!
//! Whatever decodes words and reads texts finds the reason in its own way; how it is worded is here alone, and of several faults of a
//! text the one that is reported ([`Farthest`]).

mod text;
mod word;

pub use text::{Expected, Farthest, Many, ReadError, Texts, Wrong, WrongNumber, is_word, word_at, word_before};
pub use word::{Difference, FormName, Held, Length, NoWord, Ranges, Why};
