//! Templates as text, which are equal if the templates are equivalent.

use isa_spec::model::{Form, Piece, When};
use std::fmt::Write;

/// The number of cubes up to which conditions of texts that are only read are compared.
const MAX_CUBES: usize = 64;

/// A template as one text, with the names of fields for fields and diagrams for conditions.
pub(super) fn spelt(form: &Form, pieces: &[Piece]) -> String {
    let mut out = String::new();
    let put = |out: &mut String, text: std::fmt::Arguments<'_>| out.write_fmt(text).expect("writing to a String does not fail");
    for piece in pieces {
        match piece {
            Piece::Literal(text) => put(&mut out, format_args!("{text:?}")),
            Piece::Field { field, spelling } => {
                let field = &form.fields[*field];
                let style = spelling.style().filter(|_| *spelling != field.spelling);
                put(&mut out, format_args!("{{{} {style:?}}}", field.path));
            }
            Piece::Reading(reading) => {
                let field = &reading.field;
                put(&mut out, format_args!("{{{} {:?} {:?}}}", reading.source, field.label, field.spelling.style()));
            }
            Piece::Group { when, body } => {
                let body = spelt(form, body);
                match when {
                    When::Differs(fields) => {
                        let fields: Vec<&str> = fields.iter().map(|f| form.fields[*f].path.as_str()).collect();
                        put(&mut out, format_args!("<{fields:?} {body}>"));
                    }
                    When::Holds(condition) => {
                        put(&mut out, format_args!("<{:?} {body}>", condition.words.largest_cubes(MAX_CUBES)))
                    }
                }
            }
            Piece::OneOf(list) => {
                let texts: Vec<String> = form.bodies[*list].iter().map(|text| spelt(form, text)).collect();
                put(&mut out, format_args!("{texts:?}"));
            }
        }
    }
    out
}
