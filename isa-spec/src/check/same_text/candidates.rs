//! Which forms can have a text in common: those whose texts begin alike.

use super::texts::head;
use crate::model::{Form, Isa};

/// So many pairs of forms are compared.
pub(crate) const MAX_PAIRS: usize = 1 << 18;

/// The pairs of forms that what their texts begin with does not tell apart; no more than [`MAX_PAIRS`].
pub(crate) fn candidates(isa: &Isa) -> Vec<(&Form, &Form)> {
    let mut forms: Vec<&Form> = isa.forms.iter().collect();
    forms.sort_by_key(|f| (head(f), f.id));
    let mut pairs = Vec::new();
    for (i, a) in forms.iter().enumerate() {
        // Those that begin like this one follow it.
        for b in forms[i + 1..].iter().take_while(|b| head(b).starts_with(head(a))) {
            pairs.push(if a.id < b.id { (*a, *b) } else { (*b, *a) });
            if pairs.len() >= MAX_PAIRS {
                return pairs;
            }
        }
    }
    pairs.sort_unstable_by_key(|(a, b)| (a.id, b.id));
    pairs
}
