//! The texts of an instruction set, and with what those of its templates begin.

use crate::shapes::Shapes;
use isa_model::model::{Isa, Piece};

/// An enumeration of more values is not written out where the other text is of the same version.
const MANY: usize = 1024;

/// Compares the texts of forms.
pub struct Texts<'f> {
    pub(super) isa: &'f Isa,
    pub(super) shapes: Shapes,
    /// An enumeration of more values is not written out.
    pub(super) many: usize,
}

impl<'f> Texts<'f> {
    /// The texts of an instruction set.
    pub fn new(isa: &'f Isa) -> Self {
        Self { isa, shapes: Shapes::default(), many: MANY }
    }

    /// For texts that are compared with those of another version.
    pub fn of_version(isa: &'f Isa) -> Self {
        Self { isa, shapes: Shapes::default(), many: usize::MAX }
    }
}

/// The characters with which all texts of a template begin.
pub(super) fn head(text: &[Piece]) -> &str {
    match text.first() {
        Some(Piece::Literal(text)) => text,
        _ => "",
    }
}

/// The characters with which all texts of a template begin after a guard that may be missing, and the one with which the guard
/// begins: it ends at the first blank.
pub(super) fn guarded(text: &[Piece]) -> Option<(char, &str)> {
    let [Piece::Group { body, .. }, Piece::Literal(head), ..] = text else { return None };
    let [Piece::Literal(mark), inside @ .., Piece::Literal(last)] = body.as_slice() else { return None };
    let ends = last.strip_suffix(' ').is_some_and(|rest| !rest.contains(' '));
    let is_guard = ends && !mark.contains(' ') && inside.iter().all(is_one_word);
    mark.chars().next().filter(|_| is_guard).map(|mark| (mark, head.as_str()))
}

/// True if a piece prints no blank.
fn is_one_word(piece: &Piece) -> bool {
    match piece {
        Piece::Literal(text) => !text.contains(' '),
        Piece::Group { body, .. } => body.iter().all(is_one_word),
        Piece::Field { spelling, .. } => !spelling.texts().any(|text| text.contains(' ')),
        Piece::Reading(reading) => !reading.field.spelling.texts().any(|text| text.contains(' ')),
        Piece::OneOf(_) => false,
    }
}
