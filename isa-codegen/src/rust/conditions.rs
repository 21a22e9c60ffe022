//! Conditions as code.

use super::sets::{cube, restrict, test};
use isa_spec::model::{Cond, Condition, Field, Form, Word};
use isa_spec::sets::{Cube, Order, Solver, WordSet};
use proc_macro2::TokenStream;
use quote::quote;

/// A condition as code, as simple as its structure and its words allow.
pub(super) enum Code {
    Always,
    Never,
    When(TokenStream),
}

/// A larger condition is tested by the words for which it holds, not as it is composed.
const MAX_SIZE: usize = 64;

/// When a group of a form's text is there.
pub(super) fn holds(form: &Form, condition: &Condition, word: &TokenStream) -> Code {
    let words = restrict(&condition.words, form.mask, form.value);
    if words.is_empty() {
        return Code::Never;
    }
    if words.is_all() {
        return Code::Always;
    }
    // A set of one cube is one comparison; of others the condition knows better how they came about.
    let code = match (words.as_cube(), words.complement().as_cube()) {
        (Some(one), _) => cube(one, word),
        (_, Some(one)) => differs(one, word),
        _ if condition.cond.size(MAX_SIZE) >= MAX_SIZE => test(&words, word),
        _ => expression(&form.fields, &condition.cond, word, Place::Alone),
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
        Cond::Same([a, b]) => same(&fields[*a], &fields[*b], word, place),
        Cond::Not(inner) => match &**inner {
            Cond::Test { field, values } if values.as_cube().is_some() => differs(placed(&fields[*field], values.hull()), word),
            inner => {
                let inner = expression(fields, inner, word, Place::Alone);
                quote!(!(#inner))
            }
        },
        Cond::And(parts) => {
            // Comparisons that must all be true are one.
            let (mut all, mut rest) = (Cube::ALL, Vec::new());
            for part in parts.iter() {
                let one = match part {
                    Cond::Test { field, values } if values.as_cube().is_some() => {
                        all.intersect(placed(&fields[*field], values.hull()))
                    }
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

/// Whether two fields have the same bits: `(word >> 15) & 0x1f == (word >> 20) & 0x1f`.
fn same(a: &Field, b: &Field, word: &TokenStream, place: Place) -> TokenStream {
    let pairs: Vec<(u32, u32)> = a.bits.places().into_iter().zip(b.bits.places()).collect();
    let runs = pairs.chunk_by(|x, y| (x.0 + 1, x.1 + 1) == *y).map(|run| {
        let mask = super::sets::hex(Word::ones(run.len() as u32));
        let [low_a, low_b] = [run[0].0, run[0].1].map(super::sets::hex);
        quote!((#word >> #low_a) & #mask == (#word >> #low_b) & #mask)
    });
    let code = quote!(#(#runs)&&*);
    if place == Place::InOr && pairs.len() > 1 { quote!((#code)) } else { code }
}

/// Whether the field has one of the values.
fn values_test(field: &Field, values: &WordSet, word: &TokenStream, place: Place) -> TokenStream {
    let order = Order::descending(Word::BITS);
    let mut solver = Solver::new(&order);
    let set = solver.attempt(|solver| solver.place(values, &field.bits.places())).map(|set| solver.freeze(set));
    let set = set.expect("the values of one field are a part of a condition that was solved");
    let code = test(&set, word);
    if place != Place::Alone && set.as_cube().is_none() { quote!((#code)) } else { code }
}

/// Values of a field as words.
fn placed(field: &Field, values: Cube) -> Cube {
    Cube::new(field.bits.place(values.mask.low()), field.bits.place(values.value.low()))
}

/// `word & mask != value`
pub(super) fn differs(from: Cube, word: &TokenStream) -> TokenStream {
    let (mask, value) = (super::sets::hex(from.mask), super::sets::hex(from.value));
    quote!(#word & #mask != #value)
}
