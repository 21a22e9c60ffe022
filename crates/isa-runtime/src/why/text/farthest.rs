//! The fault that is reported, among all ways to read a text.

use super::expected::FEW;
use super::{Expected, ReadError, Texts, Wrong, is_word, word_at, word_before};
use alloc::borrow::ToOwned;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::ops::Range;

/// A number that a field can't hold.
#[derive(Clone, Debug)]
pub struct WrongNumber {
    /// Its place in the text.
    pub at: Range<usize>,
    /// The nearest number that the field can hold.
    pub nearest: i128,
    /// The distance between the least and the greatest number.
    pub span: u128,
    /// The fault to report.
    pub wrong: Wrong<'static>,
}

/// The failures farthest to the right, among all ways to read a text that were tried.
#[derive(Clone, Debug, Default)]
pub struct Farthest {
    /// The place by which failures are compared.
    pub reached: usize,
    /// The place that is reported.
    at: usize,
    /// The expectations at that place.
    expected: Vec<Expected>,
    /// The fault at that place: it takes precedence over expectations.
    fault: Option<Wrong<'static>>,
    /// Numbers that a field can't hold, at any place.
    pub numbers: Vec<WrongNumber>,
}

impl Farthest {
    /// Notes that something was expected, or `None` for an expectation that is not reported.
    pub fn fail(&mut self, at: usize, expected: Option<Expected>) {
        if at > self.reached {
            (self.reached, self.at, self.fault) = (at, at, None);
            self.expected.clear();
        }
        if let Some(expected) = expected.filter(|expected| at == self.reached && !self.expected.contains(expected)) {
            self.expected.push(expected);
        }
    }

    /// Notes that no text of an enumeration is there.
    pub fn fail_texts(&mut self, at: usize, texts: Texts) {
        match texts {
            Texts::Few(texts) => texts.into_iter().for_each(|text| self.fail(at, Some(Expected::Text(text)))),
            Texts::Many(many) => self.fail(at, Some(Expected::OneOf(many))),
        }
    }

    /// Notes that the value from `from` to `to` is wrong.
    pub fn wrong(&mut self, from: usize, to: usize, wrong: Wrong<'static>) {
        if to >= self.reached {
            (self.reached, self.at, self.fault) = (to, from, Some(wrong));
            self.expected.clear();
        }
    }

    /// Combines the failures of both; those of `other` were found later.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        if self.reached != other.reached {
            return if self.reached > other.reached { self } else { other };
        }
        self.expected.extend(other.expected);
        self.fault = self.fault.or(other.fault);
        self
    }

    /// The error of a text; `unknown` makes the error of an unknown mnemonic.
    pub fn error<'t>(self, text: &str, unknown: impl FnOnce() -> ReadError<'t>) -> ReadError<'t> {
        let Self { at, mut expected, fault, .. } = self;
        if let Some(wrong) = fault {
            return ReadError { at, wrong };
        }
        expected.sort_by_cached_key(|expected| expected.to_string());
        expected.dedup();
        // At the place of the mnemonic, its name helps more than a long list of possible continuations; the same holds within it,
        // and after it if only a longer word would be right.
        let (begin, rest) = text.split_at_checked(at).unwrap_or((text, ""));
        let says_more = rest.starts_with(is_word) || expected.len() > FEW;
        let is_cut = begin.ends_with(is_word) && expected.iter().all(Expected::begins_word);
        let is_meant = |unknown: &ReadError<'_>| {
            let word = text.get(unknown.at..).unwrap_or("").chars().take_while(|c| is_word(*c)).count();
            (unknown.at == at && says_more)
                || (unknown.at < at && at < unknown.at + word)
                || (at == unknown.at + word && word > 0 && is_cut)
        };
        Some(unknown()).filter(is_meant).unwrap_or_else(|| ReadError { at, wrong: Wrong::expected(text, at, expected) })
    }
}

impl Wrong<'_> {
    fn expected(text: &str, at: usize, expected: Vec<Expected>) -> Self {
        if expected.is_empty() {
            return Self::NotCanonical;
        }
        let found = text.get(word_at(text, at)).unwrap_or("");
        let before = text.get(word_before(text, at)..at).unwrap_or("");
        let goes_on = found.starts_with(is_word) || expected.iter().any(Expected::begins_word);
        Self::Expected { expected, after: if goes_on { before.to_owned() } else { String::new() }, found: found.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn text(text: &str) -> Expected {
        Expected::Text(text.to_owned())
    }

    fn unknown<'t>(at: usize, word: &str) -> ReadError<'t> {
        ReadError { at, wrong: Wrong::NoInstruction { word: word.to_owned(), near: None } }
    }

    fn error(farthest: Farthest, of: &str) -> (usize, String) {
        let error = farthest.error(of, || unknown(0, "ad"));
        (error.at, error.to_string())
    }

    #[test]
    fn what_was_expected_is_listed_in_order() {
        let mut farthest = Farthest::default();
        farthest.fail(2, Some(text("no more")));
        for expected in [Expected::Register("R".to_owned()), text(","), Expected::End, text(","), Expected::Number] {
            farthest.fail(4, Some(expected));
        }
        farthest.fail(3, Some(Expected::Blank));
        let sentence =
            "expected `,`, a number, a register R or the end, found `x`; there is no label `x`, and the number is not a target";
        assert_eq!(error(farthest.clone(), "add x"), (4, sentence.to_owned()));
        let wrong = Farthest { fault: Some(Wrong::NotCanonical), ..farthest.clone() };
        let sentence = "the instruction is not printed like this; a part of the text belongs elsewhere or is left out";
        assert_eq!(error(farthest.clone().and(wrong), "add x"), (4, sentence.to_owned()));
        // Failures farther to the left do not count.
        let mut left = Farthest::default();
        left.wrong(0, 3, Wrong::NoMnemonic);
        assert_eq!(error(left.clone().and(farthest.clone()), "add x").0, 4);
        farthest.wrong(3, 4, Wrong::NoMnemonic);
        assert_eq!(error(left.and(farthest), "add x"), (3, "an instruction begins with its mnemonic".to_owned()));
    }

    #[test]
    fn the_mnemonic_is_named_where_it_is_meant() {
        let at = |at, expected| {
            let mut farthest = Farthest::default();
            farthest.fail(at, Some(expected));
            farthest
        };
        let is_unknown = |of, farthest: Farthest| error(farthest, of).1 == "there is no instruction `ad`";
        assert!(is_unknown("ad r1", at(0, text("add"))));
        assert!(is_unknown("ad r1", at(1, text("dd"))));
        assert!(is_unknown("ad r1", at(2, text("d"))));
        assert_eq!(error(at(2, text(",")), "ad r1").1, "expected `,`, found a blank");
        assert_eq!(error(at(2, text(".x")), "ad").1, "expected `.x`, found the end");
        assert_eq!(error(at(5, text("1")), "ad r1").1, "expected `1` after `r1`, found the end");
        assert_eq!(error(at(2, Expected::Blank), "ad-1").1, "expected a blank, found `-1`");
    }

    #[test]
    fn texts_of_enumerations() {
        let many = |count: usize| {
            let all: Vec<String> = (0..count).map(|i| alloc::format!(".b{i}")).collect();
            Texts::new("Mask", all.iter().map(String::as_str).chain([""]))
        };
        let not = |texts| Wrong::NotOneOf { word: ".b99".to_owned(), texts }.to_string();
        assert_eq!(many(0), Texts::Few(vec!["Mask".to_owned()]));
        assert_eq!(not(many(2)), "`.b99` is not `.b0` or `.b1`");
        assert_eq!(not(many(8)).matches(" or ").count(), 7);
        assert_eq!(not(many(9)), "`.b99` is no Mask (`.b0`, `.b1`, `.b2`, …)");
        let mut farthest = Farthest::default();
        farthest.fail_texts(3, many(2));
        farthest.fail_texts(3, many(9));
        assert_eq!(error(farthest, "add.").1, "expected Mask (`.b0`, `.b1`, `.b2`, …), `.b0` or `.b1`, found `.`");
    }
}
