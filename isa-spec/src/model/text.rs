//! Texts: their pieces, and when these are printed.

use super::{Condition, Field};
use isa_runtime::value::Spelling;
use std::sync::Arc;

/// A piece of a text.
#[derive(Clone, Debug)]
pub enum Piece {
    /// These characters.
    Literal(String),
    /// A field.
    Field {
        /// Index into [`Form::fields`](super::Form::fields).
        field: usize,
        /// The way from its number to its text here.
        spelling: Arc<Spelling>,
    },
    /// A target that is fixed, as a field of no bits: what it prints depends on the address of the word.
    Fixed(Box<Field>),
    /// A part that is there or not.
    Group {
        /// When it is there.
        when: When,
        /// What it prints.
        body: Vec<Piece>,
    },
    /// One of several texts (index into [`Form::bodies`](super::Form::bodies)): only in texts that are read, and in no group of what differs.
    OneOf(usize),
}

impl Piece {
    /// Whether this group is there exactly when the one before is not: its `else`.
    pub fn is_else_of(&self, before: &Self) -> bool {
        let condition = |piece: &Self| match piece {
            Self::Group { when: When::Holds(condition), .. } => Some(condition.words.clone()),
            _ => None,
        };
        condition(before).is_some_and(|words| condition(self) == Some(words.complement()))
    }
}

/// When a group of a text is there.
#[derive(Clone, Debug)]
pub enum When {
    /// When one of these fields (indices) is not at its default; may be missing in text that is read.
    Differs(Vec<usize>),
    /// Exactly when the condition holds.
    Holds(Condition),
}
