//! In a text-only instruction set, a text has all there is: each field, and each name once, where nothing can leave it out.

use isa_model::diag::{Diagnostic, Diagnostics};
use isa_model::model::{Field, Isa, Piece};
use std::collections::BTreeSet;

pub(super) fn check(isa: &Isa, diags: &mut Diagnostics) {
    for form in &isa.forms {
        let instruction = isa.instruction(form.instruction);
        let mut fault = |field: &Field, message: String| {
            let d = Diagnostic::error("template", message, field.span);
            diags.push(d.with_label(instruction.span, "in a form of this instruction"));
        };
        for (index, field) in form.fields.iter().enumerate() {
            if counts(&form.text, index, &[]).contains(&Count::default()) {
                fault(
                    field,
                    format!("the text lacks `{}`, and a text-only instruction set has no other place for it", field.path),
                );
            }
        }
        for name in &form.names {
            let field = &form.fields[name.field];
            let mut inside = Vec::new();
            for body in &form.bodies {
                inside.push(body.iter().flat_map(|text| counts(text, name.field, &inside)).collect());
            }
            for count in form.templates().flat_map(|(text, _)| counts(text, name.field, &inside)) {
                match (count.outside, count.all) {
                    (1, 1) => {}
                    (0, 0) => fault(field, format!("a text lacks the name `{}`", field.path)),
                    (0, _) => fault(field, format!("the name `{}` is inside `<…>`, but it can't be left out", field.path)),
                    _ => fault(field, format!("the name `{}` occurs twice in a text", field.path)),
                }
            }
        }
    }
}

/// The number of times that a text has a field; 2 means several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Count {
    /// Outside groups.
    outside: u8,
    /// Everywhere.
    all: u8,
}

/// The numbers of times that a text can have a field, given those of the lists of texts in it.
fn counts(pieces: &[Piece], field: usize, inside: &[BTreeSet<Count>]) -> BTreeSet<Count> {
    let mut out = BTreeSet::from([Count::default()]);
    for piece in pieces {
        let more = match piece {
            Piece::Field { field: other, .. } if *other == field => BTreeSet::from([Count { outside: 1, all: 1 }]),
            Piece::Reading(reading) if reading.of.contains(&field) => BTreeSet::from([Count { outside: 1, all: 1 }]),
            Piece::Literal(_) | Piece::Field { .. } | Piece::Reading(_) => continue,
            Piece::Group { body, .. } => {
                counts(body, field, inside).into_iter().map(|count| Count { outside: 0, ..count }).collect()
            }
            Piece::OneOf(list) => inside[*list].clone(),
        };
        let both = |a: Count, b: Count| Count { outside: (a.outside + b.outside).min(2), all: (a.all + b.all).min(2) };
        out = out.iter().flat_map(|a| more.iter().map(|b| both(*a, *b))).collect();
    }
    out
}
