//! Text to word: a matcher that runs the templates that also print.
//!
//! A template is a relation between words and texts. The matcher walks it along the text and collects what the text says of
//! the word: the bits that it determines. Where a template leaves a choice (a group that may be missing, names of which one
//! begins like another) it tries the possibilities in order; what is left open at the end takes its default.
//!
//! Groups that are there *exactly when* a condition holds can speak of bits that the text determines later, or never. So each
//! leaves a promise behind, and promises are settled when the text is at its end: by the defaults if they happen to do, and
//! otherwise by the nearest values of bits that the text leaves open. The rules of the form are promises, too.
//!
//! There is no allocation: what is still to be matched, and what has been promised, are lists on the call stack.

mod candidates;
mod matcher;
mod scan;

use crate::error::{DecodeError, ParseError};
use crate::form::Tables;
use crate::names::NameAt;
pub use candidates::{Counts, Limits, initials, lanes};
pub use matcher::MAX_STEPS;
use matcher::Matcher;
use scan::{Padded, Scanner};

pub use scan::Literal;

/// A piece of a template.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    /// The characters that the form has before its operands, `FormInfo::head`: like instructions share the rest.
    Head,
    /// These characters.
    Text(Literal),
    /// A field, by its place in [`Tables::fields`].
    Field(u16),
    /// A group that is printed when a field in it is not at its default.
    Differs(&'static Differs),
    /// A group that is printed exactly when the word is in a set, by its place in [`Tables::sets`].
    Holds(u16, &'static [Op]),
    /// One of several texts: only in what is read and never printed.
    OneOf(&'static [&'static [Op]]),
}

/// A group that is printed when a field in it is not at its default.
#[derive(Debug)]
pub struct Differs {
    /// The bits of its fields.
    pub mask: u128,
    /// Their defaults.
    pub default: u128,
    /// What it prints.
    pub body: &'static [Op],
}

/// What a text was found to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The word.
    pub word: u128,
    /// Its form.
    pub form: u16,
}

/// What the generated decoder says of a word of some length: its form.
pub type Identify = fn(word: u128, length: u32) -> Result<u16, DecodeError>;

impl Tables {
    /// The word that the text stands for, at an address.
    ///
    /// Forms are tried in declared order. A text that a form prints is found before one that it only reads: a group with
    /// nothing but defaults in it, for one, is never printed; nor are its other texts.
    ///
    /// # Errors
    /// The place up to which the text made sense, and what could have gone on there.
    pub fn parse(&'static self, text: &str, address: u64, identify: Identify) -> Result<Parsed, ParseError> {
        self.parse_named(text, address, identify, &mut [])
    }

    /// The same, and where the names are of registers that a program names: by the numbers that the word has for them.
    ///
    /// # Errors
    /// As for [`Tables::parse`].
    pub fn parse_named(
        &'static self,
        text: &str,
        address: u64,
        identify: Identify,
        names: &mut [NameAt],
    ) -> Result<Parsed, ParseError> {
        let padded = Padded::new(text);
        let scanner = padded.scanner(text);
        let counts = self.counts(scanner);
        let candidates = self.candidates(scanner);
        for strict in [true, false] {
            for form in candidates.clone() {
                if self.may_be(form, counts) {
                    let mut matcher = Matcher::new(self, form, scanner, address, strict, identify).naming(names);
                    if let Some(parsed) = matcher.start() {
                        return Ok(parsed);
                    }
                }
            }
        }
        for form in candidates.filter(|form| self.may_be(*form, counts)) {
            for text in self.forms[usize::from(form)].also {
                let mut matcher = Matcher::new(self, form, scanner, address, false, identify).naming(names);
                if let Some(parsed) = matcher.start_with(text) {
                    return Ok(parsed);
                }
            }
        }
        Err(self.blame(scanner, address, identify))
    }

    /// Finds out what is wrong with a text that no form reads, by trying once more and taking notes.
    #[cold]
    fn blame(&'static self, scanner: Scanner<'_>, address: u64, identify: Identify) -> ParseError {
        let mut error = ParseError::new(self);
        let mut run = |form| {
            Matcher::new(self, form, scanner, address, false, identify).blaming(&mut error).start();
            for text in self.forms[usize::from(form)].also {
                Matcher::new(self, form, scanner, address, false, identify).blaming(&mut error).start_with(text);
            }
        };
        // Without a mnemonic that is known, any form may be the one that gets farthest.
        let candidates = self.candidates(scanner);
        if candidates.are_named() {
            candidates.for_each(&mut run);
        } else {
            (0..self.forms.len() as u16).for_each(&mut run);
        }
        // A wrong way that is known says more, if it goes on for as long.
        let mut wrong: Option<(usize, usize, &str)> = None;
        for form in 0..self.forms.len() as u16 {
            for refused in self.forms[usize::from(form)].refused {
                let matcher = Matcher::new(self, form, scanner, address, false, identify);
                if let Some((end, at)) = matcher.begins(refused.begins)
                    && wrong.is_none_or(|w| end > w.0)
                {
                    wrong = Some((end, at, refused.why));
                }
            }
        }
        if let Some((end, at, why)) = wrong {
            error.refuse(end, at, why);
        }
        error
    }
}
