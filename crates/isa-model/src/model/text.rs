//! Texts: their pieces, and when these are printed.

use super::{Condition, Field, Label, Raw};
use crate::describe::described;
use crate::sets::Cube;
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
    /// A number that is no field.
    Reading(Arc<Reading>),
    /// A part that is there or not.
    Group {
        /// The condition under which it is printed.
        when: When,
        /// The pieces of the group.
        body: Vec<Piece>,
    },
    /// One of several texts (index into [`Form::bodies`](super::Form::bodies)): only in texts that are read, and in no group of what differs.
    OneOf(usize),
}

described! {
    /// A number that is no field: it is computed of the bits of fields, or of none as the address that a fixed target has. It is the
    /// number that its code shows, in texts and in conditions.
    #[derive(Clone, Debug)]
    pub struct Reading {
        /// Its name, bits, code and spelling; its bits are those of fields.
        pub field: Field,
        /// The fields (indices) of which it is computed.
        pub of: Vec<usize>,
        /// Bits of its number, if its meaning has so many.
        pub width: Option<u32>,
        /// The expression, as it is written.
        pub source: String,
    }
}

impl PartialEq for Reading {
    /// Two readings are equal that give the same bits the same text.
    fn eq(&self, other: &Self) -> bool {
        let parts = |reading: &Self| (reading.field.bits.clone(), reading.field.code.clone());
        parts(self) == parts(other) && self.field.spelling == other.field.spelling
    }
}

impl Eq for Reading {}

impl Reading {
    /// The words that have these bits where the reading has its own.
    pub fn cube(&self, raw: Raw) -> Cube {
        Cube::new(self.field.bits.mask(), self.field.bits.place(raw))
    }

    /// True if it can have a number that has no text.
    pub fn may_have_no_text(&self) -> bool {
        !matches!(self.field.label, Label::Number | Label::Set)
    }

    /// The values of its bits whose number has no text.
    pub fn without_text(&self) -> impl Iterator<Item = Raw> {
        let all = if self.may_have_no_text() { 0..1 << self.field.code.width } else { 0..0 };
        all.filter(|raw| self.field.code.value(*raw).is_some_and(|number| !self.field.spelling.has(number.low())))
    }
}

impl Piece {
    /// The field and the spelling that a piece prints; `None` if the piece is not a field or a reading.
    pub fn shown<'p>(&'p self, fields: &'p [Field]) -> Option<(&'p Field, &'p Arc<Spelling>)> {
        match self {
            Self::Field { field, spelling } => Some((&fields[*field], spelling)),
            Self::Reading(reading) => Some((&reading.field, &reading.field.spelling)),
            Self::Literal(_) | Self::Group { .. } | Self::OneOf(_) => None,
        }
    }

    /// The fields (indices) that a piece shows, but for those in a group.
    pub fn fields(&self) -> &[usize] {
        match self {
            Self::Field { field, .. } => std::slice::from_ref(field),
            Self::Reading(reading) => &reading.of,
            Self::Literal(_) | Self::Group { .. } | Self::OneOf(_) => &[],
        }
    }

    /// True if this group is there exactly when the one before is not: its `else`.
    pub fn is_else_of(&self, before: &Self) -> bool {
        let condition = |piece: &Self| match piece {
            Self::Group { when: When::Holds(condition), .. } => Some(condition.words.clone()),
            _ => None,
        };
        condition(before).is_some_and(|words| condition(self) == Some(words.complement()))
    }
}

/// For each piece, whether it is the `else` of the group before, unless that is an `else` itself.
pub fn elses(pieces: &[Piece]) -> Vec<bool> {
    let mut all: Vec<bool> = Vec::with_capacity(pieces.len());
    for (i, piece) in pieces.iter().enumerate() {
        all.push(i > 0 && !all[i - 1] && piece.is_else_of(&pieces[i - 1]));
    }
    all
}

/// The fields (indices) that some pieces show, in groups too, each once and in their order.
pub fn shown_fields(pieces: &[Piece]) -> Vec<usize> {
    fn add(pieces: &[Piece], out: &mut Vec<usize>) {
        for piece in pieces {
            for field in piece.fields() {
                if !out.contains(field) {
                    out.push(*field);
                }
            }
            if let Piece::Group { body, .. } = piece {
                add(body, out);
            }
        }
    }
    let mut out = Vec::new();
    add(pieces, &mut out);
    out
}

/// The condition under which a group of a text is printed.
#[derive(Clone, Debug)]
pub enum When {
    /// One of these fields (indices) differs from its default; the group may be missing in text that is read.
    Differs(Vec<usize>),
    /// Exactly when the condition holds.
    Holds(Condition),
}
