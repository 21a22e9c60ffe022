//! The numbers of registers accessed, and the conditions for each.

use isa_model::model::Cond;
use isa_model::model::condition::or;
use isa_model::span::Span;
use std::collections::BTreeMap;

/// The direction of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Way {
    Read,
    Write,
}

/// The number of consecutive registers accessed, the one named by the field first. The first entry whose condition holds counts.
pub(super) type Counts = Vec<(Cond, u32, Span)>;

/// The known accesses, by field and direction.
pub(super) type Known = BTreeMap<(usize, Way), Counts>;

/// The greatest of these counts that is reached.
pub(super) fn most(counts: &Counts) -> u32 {
    counts.iter().filter(|(cond, ..)| *cond != Cond::Const(false)).map(|(_, count, _)| *count).max().unwrap_or(0)
}

/// The counts that are reached on several ways, the greatest first.
pub(super) fn greatest(mut ways: Vec<(u32, Cond)>) -> Counts {
    let mut counts = Counts::new();
    ways.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    for same in ways.chunk_by(|a, b| a.0 == b.0) {
        counts.push((or(same.iter().map(|(_, cond)| cond.clone()).collect()), same[0].0, Span::default()));
    }
    counts
}
