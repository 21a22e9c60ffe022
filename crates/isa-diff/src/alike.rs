//! Forms that are the same in both versions, for which nothing has to be proved.

use isa_spec::model::{Field, Form, Piece, When};

/// True if forms of two versions have the same words, fields, defaults and texts in the model.
pub(super) fn is_alike([old, new]: [&Form; 2]) -> bool {
    let is_field = |(a, b): (&Field, &Field)| {
        a.path == b.path && (&a.bits, a.default, a.has_default) == (&b.bits, b.default, b.has_default) && prints_alike(a, b)
    };
    let texts = |a: &[Piece], b: &[Piece]| are_alike([a, b]);
    let all = |a: &[Vec<Piece>], b: &[Vec<Piece>]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| texts(a, b));
    old.length == new.length
        && (old.mask, old.value, old.has_base) == (new.mask, new.value, new.has_base)
        && old.words == new.words
        && old.legal == new.legal
        && old.fields.len() == new.fields.len()
        && old.fields.iter().zip(&new.fields).all(is_field)
        && texts(&old.text, &new.text)
        && texts(&old.full, &new.full)
        && all(&old.also, &new.also)
        && old.bodies.len() == new.bodies.len()
        && old.bodies.iter().zip(&new.bodies).all(|(a, b)| all(a, b))
}

/// Returns true if two fields print the same for the same bits.
fn prints_alike(a: &Field, b: &Field) -> bool {
    a.code == b.code && a.spelling == b.spelling
}

/// True if pieces of forms with the same fields are the same.
fn are_alike([old, new]: [&[Piece]; 2]) -> bool {
    let is_alike = |(a, b): (&Piece, &Piece)| match (a, b) {
        (Piece::Literal(a), Piece::Literal(b)) => a == b,
        (Piece::Field { field: a, spelling: x }, Piece::Field { field: b, spelling: y }) => (a, x) == (b, y),
        (Piece::Reading(a), Piece::Reading(b)) => a == b,
        (Piece::OneOf(a), Piece::OneOf(b)) => a == b,
        (Piece::Group { when: a, body: x }, Piece::Group { when: b, body: y }) => {
            let is_when = match (a, b) {
                (When::Differs(a), When::Differs(b)) => a == b,
                (When::Holds(a), When::Holds(b)) => a.words == b.words,
                _ => false,
            };
            is_when && are_alike([x, y])
        }
        _ => false,
    };
    old.len() == new.len() && old.iter().zip(new).all(is_alike)
}
