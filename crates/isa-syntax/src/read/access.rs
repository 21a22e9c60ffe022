//! `reads` and `writes`: how many registers an instruction reads and writes.

use super::declarations::AccessDecl;
use crate::keys::Reader;
use crate::yaml::{Node, NodeKind, Text};

/// The greatest number of registers read or written from the one that a field names.
const MAX_REGISTERS: u64 = 255;

/// `[ rd, pu? ]`, `{ rd: 2, b: { wide: 2, else: 1 }, c: [ 1, { long: 1 } ] }`
pub(super) fn accesses(reader: &mut Reader<'_>, node: &Node, what: &str) -> Vec<AccessDecl> {
    let NodeKind::Map(entries) = &node.kind else {
        let names = reader.texts(node, what).into_iter();
        return names.map(|name| AccessDecl { name, counts: vec![vec![(None, 1)]] }).collect();
    };
    let mut list = Vec::new();
    for (name, node) in entries {
        let counts = match &node.kind {
            NodeKind::Seq(items) => items.iter().map(|item| registers(reader, item)).collect(),
            _ => vec![registers(reader, node)],
        };
        list.push(AccessDecl { name: name.clone(), counts });
    }
    list
}

/// A number of registers, or numbers by conditions.
fn registers(reader: &mut Reader<'_>, node: &Node) -> Vec<(Option<Text>, u32)> {
    let count = |reader: &mut Reader<'_>, node: &Node| {
        let number = reader.number(node, "the number of registers", 0..=MAX_REGISTERS);
        number.map(|number| number as u32)
    };
    let NodeKind::Map(cases) = &node.kind else {
        return count(reader, node).map(|count| (None, count)).into_iter().collect();
    };
    let mut counts = Vec::new();
    for (i, (when, node)) in cases.iter().enumerate() {
        if when.value == "else" && i + 1 < cases.len() {
            reader.error("order", "nothing after `else` counts: it comes last", when.span);
        }
        let when = Some(when.clone()).filter(|when| when.value != "else");
        counts.extend(count(reader, node).map(|count| (when, count)));
    }
    counts
}
