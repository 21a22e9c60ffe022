//! Pairs of forms that can have a text in common: those whose texts begin the same way.

use super::Template;
use super::texts::{guarded, head};
use isa_model::model::{Form, Isa};
use std::collections::BTreeSet;

/// The greatest number of pairs of forms that are compared.
pub const MAX_PAIRS: usize = 1 << 18;

/// The pairs of forms that what their texts begin with does not tell apart; no more than [`MAX_PAIRS`].
pub fn candidates(isa: &Isa) -> Vec<(&Form, &Form)> {
    let mut forms = heads(isa);
    forms.sort_by_key(|(head, f)| (*head, f.id));
    let mut pairs = Vec::new();
    for (i, (head, a)) in forms.iter().enumerate() {
        // Forms whose heads begin with this one follow it.
        for (_, b) in forms[i + 1..].iter().take_while(|other| other.0.starts_with(head)) {
            pairs.push(if a.id < b.id { (*a, *b) } else { (*b, *a) });
            if pairs.len() >= MAX_PAIRS {
                return pairs;
            }
        }
    }
    pairs.sort_unstable_by_key(|(a, b)| (a.id, b.id));
    pairs
}

/// The characters with which all texts of each form begin: forms that begin differently have no text in common.
fn heads(isa: &Isa) -> Vec<(&str, &Form)> {
    let texts: Vec<_> = isa.forms.iter().map(|form| Template { form, text: &form.text }).collect();
    heads_of(&texts).into_iter().zip(&isa.forms).collect()
}

/// The characters with which all texts of each of these templates begin, after an optional guard. Two equal texts both have the
/// same guard, or none, since no template begins as a guard does; a template for which that is not certain gets an empty head.
pub fn heads_of<'f>(templates: &[Template<'f>]) -> Vec<&'f str> {
    let guarded: Vec<_> = templates.iter().map(|template| guarded(template.text)).collect();
    let marks: BTreeSet<char> = guarded.iter().flatten().map(|guard| guard.0).collect();
    let heads = templates.iter().zip(&guarded).map(|(template, guard)| guard.map_or_else(|| head(template.text), |g| g.1));
    heads.map(|head| if head.starts_with(|first| marks.contains(&first)) { "" } else { head }).collect()
}
