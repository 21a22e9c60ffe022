//! Reasons why words and texts are refused: data, and the sentences made of it.
//!
//! The decoders and readers find the reasons in their own ways; only the wording is here, and the choice among several faults of
//! a text ([`Farthest`]).

mod text;
mod word;

pub use text::{Expected, Farthest, Many, ReadError, Texts, Wrong, WrongNumber, is_word, word_at, word_before};
pub use word::{Difference, FormName, Held, Length, NoWord, Ranges, Why};
