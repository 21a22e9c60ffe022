//! What fails when a text is read, and how it is said.

use crate::model::Enum;
use std::ops::Range;

/// The failure farthest to the right.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    /// Where it counts.
    pub(super) reached: usize,
    /// Where it is shown.
    pub(super) at: usize,
    /// What was expected there.
    pub(super) expected: Vec<String>,
    /// What is wrong there: worth more than what was expected.
    pub(super) fault: Option<String>,
    /// Numbers that a field can't have.
    pub(super) numbers: Vec<WrongNumber>,
}

/// A number that a field can't have.
#[derive(Clone, Debug)]
pub(super) struct WrongNumber {
    /// Where it stands.
    pub(super) at: Range<usize>,
    /// The nearest one that it can have.
    pub(super) nearest: i128,
    /// How far the numbers are apart that it can have.
    pub(super) span: u128,
    pub(super) message: String,
}

impl Notes {
    /// Something was expected; nothing that can be said if `expected` is empty.
    pub(super) fn fail(&mut self, at: usize, expected: String) {
        if at > self.reached {
            (self.reached, self.at, self.fault) = (at, at, None);
            self.expected.clear();
        }
        if at == self.reached && !expected.is_empty() && !self.expected.contains(&expected) {
            self.expected.push(expected);
        }
    }

    /// A value is read well and can't be meant.
    pub(super) fn wrong(&mut self, from: usize, to: usize, message: String) {
        if to >= self.reached {
            (self.reached, self.at, self.fault) = (to, from, Some(message));
            self.expected.clear();
        }
    }

    /// Both, where the other was made later.
    pub(super) fn and(mut self, other: Self) -> Self {
        if self.reached != other.reached {
            return if self.reached > other.reached { self } else { other };
        }
        self.expected.extend(other.expected);
        self.fault = self.fault.or(other.fault);
        self
    }
}

/// Said where nothing better is known.
pub(super) const NOT_CANONICAL: &str =
    "the instruction is not printed like this; a part of the text belongs elsewhere or is left out";

/// What was expected at a place, and what stands there.
pub(super) fn expectation(text: &str, at: usize, expected: &[String]) -> String {
    let list = match expected.split_last() {
        None => return NOT_CANONICAL.to_string(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    };
    let found = &text[word_at(text, at)];
    let before = &text[word_before(text, at)..at];
    // The word before may be at fault: it is too long, or should go on.
    let goes_on =
        found.starts_with(is_word) || expected.iter().any(|e| e.strip_prefix('`').is_some_and(|e| e.starts_with(is_word)));
    let after = if before.is_empty() || !goes_on { String::new() } else { format!(" after `{before}`") };
    match found {
        "" => format!("expected {list}{after}, found the end"),
        " " | "\t" => format!("expected {list}{after}, found a blank"),
        found => {
            let is_name = expected.iter().any(|expected| expected == "a number")
                && found.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            let label =
                if is_name { format!("; there is no label `{found}`, and the number is not a target") } else { String::new() };
            format!("expected {list}{after}, found `{found}`{label}")
        }
    }
}

pub(super) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The word that begins there, with the mark before it, or else the character.
pub(super) fn word_at(text: &str, at: usize) -> Range<usize> {
    let rest = &text[at..];
    let Some(first) = rest.chars().next() else { return at..at };
    let mark = usize::from(".@$%-".contains(first));
    let word = rest[mark..].find(|c| !is_word(c)).unwrap_or(rest.len() - mark);
    at..at + (mark + word).max(first.len_utf8())
}

/// Where the word begins that is not over there.
pub(super) fn word_before(text: &str, at: usize) -> usize {
    let start = text[..at].trim_end_matches(is_word).len();
    if text[..start].ends_with(['.', '@', '$', '%']) { start - 1 } else { start }
}

/// Up to so many texts are all said.
pub(super) const FEW: usize = 8;

/// The texts that print something.
pub(super) fn texts_of(e: &Enum) -> Vec<String> {
    e.values.iter().filter(|v| !v.text.is_empty()).map(|v| format!("`{}`", v.text)).collect()
}

/// Mask (`.b0`, `.b1`, `.b10`, …)
pub(super) fn many_texts(e: &Enum) -> String {
    format!("{} ({}, …)", e.name, texts_of(e)[..3].join(", "))
}
