//! Texts, numbers and values that were expected at a place of a text.

use super::is_word;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

/// The number of texts up to which all are listed.
pub(super) const FEW: usize = 8;

/// The number of texts listed if there are more.
const FIRST: usize = 3;

/// Something that was expected at a place of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expected {
    /// These characters.
    Text(String),
    /// A blank.
    Blank,
    /// The end of the text.
    End,
    /// A number.
    Number,
    /// The end of a number.
    EndOfNumber,
    /// An address, or the name of a label.
    Address,
    /// A register of the file of this name.
    Register(String),
    /// Letters, any of which can be replaced by `-`.
    Letters(String),
    /// One of many texts.
    OneOf(Many),
}

/// The texts of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Texts {
    /// All of them.
    Few(Vec<String>),
    /// Some of them.
    Many(Many),
}

/// An enumeration with more texts than a message lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Many {
    /// Its name.
    pub name: String,
    /// Its first texts.
    pub first: Vec<String>,
}

impl Texts {
    /// The texts that an enumeration prints; its name if it prints none.
    pub fn new<'e>(name: &str, printed: impl Iterator<Item = &'e str>) -> Self {
        let mut texts: Vec<String> = printed.filter(|text| !text.is_empty()).map(ToOwned::to_owned).collect();
        match texts.len() {
            0 => Self::Few([name.to_owned()].into()),
            1..=FEW => Self::Few(texts),
            _ => {
                texts.truncate(FIRST);
                Self::Many(Many { name: name.to_owned(), first: texts })
            }
        }
    }
}

impl Expected {
    /// True if it begins with a character of a word.
    pub(super) fn begins_word(&self) -> bool {
        matches!(self, Self::Text(text) | Self::Letters(text) if text.starts_with(is_word))
    }
}
