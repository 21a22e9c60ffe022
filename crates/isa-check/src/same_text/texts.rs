//! The texts of an instruction set, and those of its forms that plainly say all there is.

use crate::shapes::{Begins, Shapes};
use isa_model::model::{Cond, Field, Form, Isa, Piece, When};
use isa_model::print::value_text;

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

    /// True if it is evident that a text determines the word: every value is printed, and the next character shows where each
    /// ends. Most texts are like this.
    pub(super) fn says_all(&self, form: &Form) -> bool {
        let mut said = Vec::new();
        let mut next = Begins::end();
        if !form.full.is_empty() {
            if !self.is_plain(form, &form.full, None, &mut next, &mut said) {
                return false;
            }
            next = Begins::with(" ");
        }
        self.is_plain(form, &form.text, None, &mut next, &mut said) && (0..form.fields.len()).all(|field| said.contains(&field))
    }

    /// True if two words print the same with these pieces only if they print the same with each of them. `next` is what follows, and
    /// becomes that with which the pieces begin; `said` gets the fields whose values they tell. A field `other` than its default is
    /// the only one that the pieces depend on.
    pub(super) fn is_plain(
        &self,
        form: &Form,
        pieces: &[Piece],
        other: Option<usize>,
        next: &mut Begins,
        said: &mut Vec<usize>,
    ) -> bool {
        for piece in pieces.iter().rev() {
            match piece {
                Piece::Literal(text) => *next = Begins::with(text).then(next),
                Piece::Field { field, spelling } => {
                    let shape = self.shapes.of(&form.fields[*field], spelling);
                    if !shape.is_one || shape.goes_on.meets(next) {
                        return false;
                    }
                    said.push(*field);
                    let is_missing = other == Some(*field) && self.is_empty(&form.fields[*field]);
                    *next = if is_missing { shape.begins.not_empty() } else { shape.begins.then(next) };
                }
                Piece::Reading(reading) => {
                    let shape = self.shapes.of(&reading.field, &reading.field.spelling);
                    if !reading.field.is_target() && !shape.is_one || shape.goes_on.meets(next) {
                        return false;
                    }
                    *next = shape.begins.clone().then(next);
                }
                Piece::Group { when, body } => {
                    let (mut inside, mut shown) = (next.clone(), Vec::new());
                    let other = match when {
                        When::Differs(fields) if fields.len() == 1 => Some(fields[0]),
                        _ => None,
                    };
                    // The group can be recognised if it begins differently from what follows.
                    if !self.is_plain(form, body, other, &mut inside, &mut shown) || inside.meets(next) {
                        return false;
                    }
                    match when {
                        When::Differs(fields) => shown.retain(|field| fields.contains(field)),
                        When::Holds(condition) => shown = single_bit(&condition.cond, form).into_iter().collect(),
                    }
                    said.append(&mut shown);
                    *next = inside.or(next);
                }
                // Only in texts that are read.
                Piece::OneOf(_) => return false,
            }
        }
        true
    }

    /// True if nothing is printed for the default of a field.
    pub(super) fn is_empty(&self, field: &Field) -> bool {
        value_text(field, field.default).is_empty()
    }
}

/// The field of one bit that a condition asks for, and nothing else.
fn single_bit(cond: &Cond, form: &Form) -> Option<usize> {
    match cond {
        Cond::Not(inner) => single_bit(inner, form),
        Cond::Test { field, values } if form.fields[*field].bits.width() == 1 && !values.is_all() && !values.is_empty() => {
            Some(*field)
        }
        _ => None,
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
