//! What is found when a statement looks at symbols.

use crate::expr::{Base, Value};
use crate::world::Place;
use std::ops::Range;

/// What was found when a statement looked at symbols.
#[derive(Clone, Debug, Default)]
pub(crate) struct Looked {
    /// A symbol or an expression was used.
    pub(crate) used: bool,
    /// An address was used that may still change.
    pub(crate) tentative: bool,
    /// The last value that was used, where it is counted from something.
    pub(crate) based: Option<Value>,
    /// What its symbols and expressions were counted from.
    pub(crate) from: From,
    /// An expression in parentheses was not taken for one, and where it stands before the end of the text.
    pub(crate) declined: Option<usize>,
    /// What is wrong with an expression, and where it stands before the end of the text.
    pub(crate) wrong: Option<(usize, usize, String)>,
    /// Where an expression with a symbol stands that there is not, before the end of the text; and the symbol.
    pub(crate) missing: Option<(usize, String)>,
    /// Whether expressions in parentheses are taken.
    pub(crate) parentheses: bool,
    /// A value that takes the place of those that are counted from something: for finding out which bits they are.
    pub(crate) instead: Option<i128>,
    /// Whether 0 takes the place of what a modifier makes of a symbol that is not known yet: what it makes of any fits as well.
    pub(crate) guesses: bool,
    /// Whether it has.
    pub(crate) guessed: bool,
}

/// What the operands of a statement are counted from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum From {
    #[default]
    Nothing,
    /// One place, in the operand that stands so many bytes before the end of the text, if it is known which.
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
    /// The place from which all is counted, by a constant that is added.
    pub(crate) fn single(&self) -> Option<Place> {
        match (self.from, self.based) {
            (From::One(place, Some(_)), Some(Value { base: Base::Section(part), .. })) if part == place.part => Some(place),
            _ => None,
        }
    }

    /// Notes what is wrong at these bytes of the last `length` ones of the text; what was found first is said.
    pub(crate) fn wrong_at(&mut self, length: usize, at: Range<usize>, message: String) {
        let before = |byte: usize| length - byte.min(length);
        self.wrong.get_or_insert((before(at.start), before(at.end), message));
    }

    /// Whether a modifier was applied to an address.
    pub(crate) fn is_modified(&self) -> bool {
        self.based.is_some_and(|value| matches!(value.base, Base::Modified { .. }))
    }
}
