//! The results of looking up the symbols of a statement.

use crate::expr::{Base, Value};
use crate::section::Place;
use std::ops::Range;

/// The results of looking up the symbols of a statement.
#[derive(Clone, Debug, Default)]
pub(crate) struct Looked {
    /// A symbol or an expression was used.
    pub(crate) used: bool,
    /// An address was used that may still change.
    pub(crate) tentative: bool,
    /// The last value with a base that was used.
    pub(crate) based: Option<Value>,
    /// The bases of its symbols and expressions.
    pub(crate) from: From,
    /// The place of an expression in parentheses that was not taken as one, from the end of the text.
    pub(crate) declined: Option<usize>,
    /// An error in an expression, with its place from the end of the text.
    pub(crate) wrong: Option<(usize, usize, String)>,
    /// The place of an expression with an unknown symbol, from the end of the text; and the symbol.
    pub(crate) missing: Option<(usize, String)>,
    /// The places of operators in expressions, from the end of the text, and those of them that are literals of the instruction's
    /// text, before which expressions end.
    pub(crate) operators: Vec<usize>,
    pub(crate) ends: Vec<usize>,
    /// True if expressions in parentheses are accepted.
    pub(crate) parentheses: bool,
    /// A replacement for values with a base, for finding their bits: the distance of an address, or the value of a modifier.
    pub(crate) instead: Option<i128>,
    /// True if 0 replaces the result of a modifier for an unknown symbol: if it fits, any result fits.
    pub(crate) guesses: bool,
    /// True if such a replacement was made.
    pub(crate) guessed: bool,
}

/// The bases of a statement's operands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum From {
    #[default]
    Nothing,
    /// One place; and the distance of the operand from the end of the text in bytes, if it is known.
    One(Place, Option<usize>),
    /// Several places, or in several operands.
    Many,
}

impl From {
    pub(crate) fn add(&mut self, place: Place) {
        *self = match *self {
            Self::Nothing => Self::One(place, None),
            Self::One(other, at) if other == place => Self::One(place, at),
            _ => Self::Many,
        };
    }

    pub(crate) fn stands(&mut self, before: usize) {
        *self = match *self {
            Self::One(place, None) => Self::One(place, Some(before)),
            Self::One(place, Some(at)) if at == before => Self::One(place, Some(at)),
            _ => Self::Many,
        };
    }
}

impl Looked {
    /// The place from which all values are counted, by a constant offset.
    pub(crate) fn single(&self) -> Option<Place> {
        match (self.from, self.based) {
            (From::One(place, Some(_)), Some(Value { base: Base::Section(part), .. })) if part == place.part => Some(place),
            _ => None,
        }
    }

    /// Notes an error at these bytes of the last `length` ones of the text; the first one is reported.
    pub(crate) fn wrong_at(&mut self, length: usize, at: Range<usize>, message: String) {
        let before = |byte: usize| length - byte.min(length);
        self.wrong.get_or_insert((before(at.start), before(at.end), message));
    }

    /// True if a modifier was applied to an address.
    pub(crate) fn is_modified(&self) -> bool {
        self.based.is_some_and(|value| matches!(value.base, Base::Modified { .. }))
    }
}
