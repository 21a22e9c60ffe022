//! The changes between two versions of an instruction set, and those that break existing programs, tools and words.
//!
//! Forms are matched by their names, and then by their words; fields, enumerations and register files by their names. Sets of
//! words are subtracted from each other, texts are compared for all words, and semantics in their elaborated form: nothing is
//! sampled, and every difference has an example. Prose, provenance and errata are not compared.
//!
//! Whatever no other comparison is about is compared by its members, and a difference is named by its path:
//! `machine.debugger.architecture`.
//!
//! Consequences of another change are left out: a changed text of an enumeration is not reported for each form that has such a
//! field.

mod alike;
mod assembled;
mod behaviour;
mod change;
mod fields;
mod forms;
mod found;
mod members;
mod names;
mod spelt;
mod versions;
mod words;

pub use change::{Change, Effect, Example, What};

use found::Changes;
use isa_spec::model::Isa;

/// The changes between two versions.
#[derive(Clone, Debug)]
pub struct Diff {
    /// The changes: those that break something first, and within one effect in the order of the specifications.
    pub changes: Vec<Change>,
}

impl Diff {
    /// Compares two versions of an instruction set.
    pub fn new(old: &Isa, new: &Isa) -> Self {
        let mut changes = Changes::default();
        let versions = versions::Versions::new([old, new]);
        let matched = names::compare(&versions, &mut changes);
        forms::compare(&versions, &matched, &mut changes);
        behaviour::routines(old, new, &mut changes);
        members::compare([old, new], [old, new], &mut |what, words| changes.add(what, words));
        let mut list: Vec<Change> = changes.list.into_iter().map(|found| found.finish([old, new])).collect();
        list.sort_by_key(|change| change.what.effect());
        Self { changes: list }
    }

    /// True if something breaks, or that could not be decided.
    pub fn is_breaking(&self) -> bool {
        self.changes.iter().any(|change| change.what.effect() != Effect::Adds)
    }

    /// The number of changes with this effect.
    pub fn count(&self, effect: Effect) -> usize {
        self.changes.iter().filter(|change| change.what.effect() == effect).count()
    }
}
