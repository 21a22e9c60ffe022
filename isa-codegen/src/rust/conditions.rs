//! Conditions as code.

use super::sets::{cube, is_all, restrict, test};
use isa_spec::cubes::{Cube, CubeSet};
use isa_spec::model::{Cond, Field, Form};
use proc_macro2::TokenStream;
use quote::quote;

/// A condition as code, as simple as its structure and its words allow.
pub(super) enum Code {
    Always,
    Never,
    When(TokenStream),
}

/// When a group of a form's text is there: `cond`, which holds for exactly `words`.
pub(super) fn holds(form: &Form, cond: &Cond, words: &CubeSet, word: &TokenStream) -> Code {
    let words = restrict(words, form.mask, form.value).simplify();
    if words.is_empty() {
        return Code::Never;
    }
    if is_all(&words) {
        return Code::Always;
    }
    // A set of one cube is one comparison; of others the condition knows better how they came about.
    let outside = words.complement().simplify();
    let code = match (words.0.as_slice(), outside.0.as_slice()) {
        ([one], _) => cube(*one, word),
        (_, [one]) => differs(*one, word),
        _ => expression(&form.fields, cond, word, Place::Alone),
    };
    Code::When(code)
}

/// Where a part stands, which says whether it needs parentheses.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Alone,
    InAnd,
    InOr,
}

fn expression(fields: &[Field], cond: &Cond, word: &TokenStream, place: Place) -> TokenStream {
    match cond {
        Cond::Const(value) => quote!(#value),
        Cond::Test { field, values } => values_test(&fields[*field], values, word, place),
        Cond::Not(inner) => match &**inner {
            Cond::Test { field, values } if values.len() == 1 => differs(placed(&fields[*field], values[0]), word),
            inner => {
                let inner = expression(fields, inner, word, Place::Alone);
                quote!(!(#inner))
            }
        },
        Cond::And(parts) => {
            // Comparisons that must all be true are one.
            let (mut all, mut rest) = (Cube::ALL, Vec::new());
            for part in parts {
                let one = match part {
                    Cond::Test { field, values } if values.len() == 1 => all.intersect(placed(&fields[*field], values[0])),
                    _ => None,
                };
                match one {
                    Some(both) => all = both,
                    None => rest.push(expression(fields, part, word, Place::InAnd)),
                }
            }
            if all != Cube::ALL {
                rest.insert(0, cube(all, word));
            }
            let and = quote!(#(#rest)&&*);
            if place == Place::InOr && rest.len() > 1 { quote!((#and)) } else { and }
        }
        Cond::Or(parts) => {
            let parts = parts.iter().map(|p| expression(fields, p, word, Place::InOr));
            let or = quote!(#(#parts)||*);
            if place == Place::InAnd { quote!((#or)) } else { or }
        }
    }
}

/// Whether the field has one of the values.
fn values_test(field: &Field, values: &[Cube], word: &TokenStream, place: Place) -> TokenStream {
    let set = CubeSet(values.iter().map(|v| placed(field, *v)).collect()).simplify();
    let code = test(&set, word);
    if place != Place::Alone && set.0.len() > 1 { quote!((#code)) } else { code }
}

/// Values of a field as words.
fn placed(field: &Field, values: Cube) -> Cube {
    Cube::new(field.bits.place(values.mask), field.bits.place(values.value))
}

/// `word & mask != value`
pub(super) fn differs(from: Cube, word: &TokenStream) -> TokenStream {
    let (mask, value) = (super::sets::hex(from.mask), super::sets::hex(from.value));
    quote!(#word & #mask != #value)
}
