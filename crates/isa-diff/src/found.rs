//! The results of a comparison of two versions.

use super::change::{Change, Example, What};
use isa_spec::model::{Form, FormId, Isa};
use std::collections::{HashMap, HashSet};

/// The version that a form belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Side {
    Old,
    New,
}

/// A change that several forms can have.
pub(super) struct Found {
    change: Change,
    forms: Vec<(Side, FormId)>,
}

impl Found {
    /// Completes the change with its places: an instruction if all its forms are concerned.
    pub(super) fn finish(self, isas: [&Isa; 2]) -> Change {
        let mut change = self.change;
        let concerned: HashSet<(Side, FormId)> = self.forms.iter().copied().collect();
        for (side, id) in self.forms {
            let isa = isas[side as usize];
            let form = isa.form(id);
            let instruction = isa.instruction(form.instruction);
            let is_all = isa.forms_of(instruction).iter().all(|f| concerned.contains(&(side, f.id)));
            let place = if is_all { &instruction.name } else { &form.name };
            if change.places.last() != Some(place) {
                change.places.push(place.clone());
            }
        }
        // Names in the message are not repeated as places.
        if change.places.iter().all(|place| [&change.name, &change.old, &change.new].contains(&place)) {
            change.places.clear();
        }
        change
    }
}

/// The changes found so far.
#[derive(Default)]
pub(super) struct Changes {
    pub(super) list: Vec<Found>,
    known: HashMap<(What, [String; 3]), usize>,
}

impl Changes {
    /// Adds a change that is not about a form.
    pub(super) fn add(&mut self, what: What, [name, old, new]: [&str; 3]) {
        self.add_in(what, [name, old, new], None, || None);
    }

    /// Adds a change of a form. The same change of several forms is one change, with the first example.
    pub(super) fn add_in(
        &mut self,
        what: What,
        [name, old, new]: [&str; 3],
        form: Option<(Side, &Form)>,
        example: impl FnOnce() -> Option<Example>,
    ) {
        let words = [name, old, new].map(str::to_owned);
        let next = self.list.len();
        let at = *self.known.entry((what, words.clone())).or_insert(next);
        if at == next {
            let [name, old, new] = words;
            let change = Change { what, name, old, new, places: Vec::new(), example: None };
            self.list.push(Found { change, forms: Vec::new() });
        }
        let found = &mut self.list[at];
        found.forms.extend(form.map(|(side, form)| (side, form.id)));
        if found.change.example.is_none() {
            found.change.example = example();
        }
    }
}
