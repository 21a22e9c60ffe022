//! Entries of a mapping, to be changed.

use crate::yaml::{Node, NodeKind, Text};

pub(super) fn entries(node: &mut Node) -> Option<&mut Vec<(Text, Node)>> {
    match &mut node.kind {
        NodeKind::Map(entries) => Some(entries),
        _ => None,
    }
}

pub(super) fn without(node: &mut Node, name: &str) -> Option<(Text, Node)> {
    let entries = entries(node)?;
    let at = entries.iter().position(|(key, _)| key.value == name)?;
    Some(entries.remove(at))
}
