//! Shorter words that do what longer ones do, however the texts of the two are.

use crate::model::{Expanded, Form, FormId, Isa, Prefer, Raw};

/// A form whose words do what longer ones of another form do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shorter {
    /// The form of the longer words.
    pub long: FormId,
    /// The form of the shorter words.
    pub short: FormId,
    /// The fields of the former, by their places in it.
    pub fields: Vec<(usize, Held)>,
}

/// The value of a field of a longer word in terms of a shorter one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// The field at this place.
    Field(usize),
    /// Nothing: it must have these bits.
    Value(Raw),
}

/// The shorter forms of an instruction set that prefers them, sorted by the longer ones. Each expands to the longer one
/// ([`Form::expanded`]), possibly with exchanged operands, if that has the same effect.
pub fn shorter(isa: &Isa) -> Vec<Shorter> {
    let mut all = Vec::new();
    if isa.prefer != Prefer::Shortest {
        return all;
    }
    for form in &isa.forms {
        let Some(expanded) = &form.expanded else { continue };
        let long = isa.form(expanded.to);
        // A form with semantics of its own may behave differently.
        let is_same = isa.instruction(form.instruction).semantics.is_none();
        if is_same && form.length < long.length {
            all.extend(ways(form, long, expanded));
        }
    }
    // Among ways of the same length, those without exchanges come first, in the order of the specification.
    all.sort_by_key(|way| (way.long, isa.form(way.short).length));
    all
}

fn ways(form: &Form, long: &Form, expanded: &Expanded) -> Vec<Shorter> {
    let values = expanded.values.iter().map(|(place, raw)| (*place, Held::Value(*raw)));
    let of = |fields: &[(usize, usize)]| {
        let fields = fields.iter().map(|(own, place)| (*place, Held::Field(*own))).chain(values.clone()).collect();
        Shorter { long: long.id, short: form.id, fields }
    };
    let mut all = vec![of(&expanded.fields)];
    for (at, (_, one)) in expanded.fields.iter().enumerate() {
        for (behind, (_, other)) in expanded.fields.iter().enumerate().skip(at + 1) {
            if long.commutes(*one, *other) {
                let mut fields = expanded.fields.clone();
                (fields[at].1, fields[behind].1) = (*other, *one);
                all.push(of(&fields));
            }
        }
    }
    all
}
