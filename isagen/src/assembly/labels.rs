//! Labels of a program, and the names of local ones.

use isa_runtime::engine::read::is_local;
use std::borrow::Cow;
use std::collections::HashMap;

/// Where a label stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label {
    pub(super) address: u64,
    pub(super) line: usize,
}

/// The labels of a program. Local ones are among them by names that no other label can have: `1 0`, `1 1`, …
#[derive(Debug, Default)]
pub(super) struct Labels {
    pub(super) known: HashMap<String, Label>,
    /// The statements at which each local label is defined, ascending.
    local: HashMap<String, Vec<usize>>,
    /// Bytes that they take.
    pub(super) cost: usize,
}

impl Labels {
    /// The name by which a label is known that a statement calls so.
    pub(super) fn name<'n>(&self, name: &'n str, position: usize) -> Cow<'n, str> {
        if !is_local(name) {
            return name.into();
        }
        let (number, direction) = name.split_at(name.len() - 1);
        let defined = self.local.get(number).map_or(&[][..], Vec::as_slice);
        let before = defined.partition_point(|at| *at <= position);
        match direction {
            "f" => local_name(number, before).into(),
            _ => before.checked_sub(1).map_or("".into(), |last| local_name(number, last).into()),
        }
    }

    /// Defines a local label at a statement; the name by which it is known.
    pub(super) fn define_local(&mut self, number: &str, position: usize) -> String {
        let defined = self.local.entry(number.to_owned()).or_default();
        defined.push(position);
        local_name(number, defined.len() - 1)
    }
}

/// The name of a local label that is defined so often before.
fn local_name(number: &str, before: usize) -> String {
    format!("{number} {before}")
}
