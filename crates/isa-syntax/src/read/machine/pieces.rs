//! Pieces of which the keys of a machine are made: names, statements, errors.

use crate::keys::Reader;
use crate::lang::semantics::read_semantics;
use crate::yaml::{Node, NodeKind, Text};
use isa_model::semantics::{MeaningFault, Semantics};
use isa_model::span::Span;

/// The key of a routine of the machine.
macro_rules! routine {
    ($name:literal, $routine:ident, $doc:literal) => {
        Key::own(
            $name,
            "statements",
            |r, m, node, what| m.routines.extend(body(r, node, what).map(|body| (Routine::$routine, body))),
            $doc,
        )
    };
}
pub(super) use routine;

pub(super) fn error(reader: &mut Reader<'_>, message: impl Into<String>, span: Span) {
    reader.error("machine", message, span);
}

/// Returns the result of reading a text; its faults are reported at their places.
pub(super) fn read_or_report<T>(reader: &mut Reader<'_>, text: &Text, read: Result<T, Vec<MeaningFault>>) -> Option<T> {
    read.map_err(|faults| faults.iter().for_each(|fault| reader.diags.push(fault.diagnostic(|range| text.at(range), &[])))).ok()
}

/// The names of a list; `None` if it is none.
pub(super) fn name_list(reader: &mut Reader<'_>, node: &Node, what: &str) -> Option<Vec<Text>> {
    let NodeKind::Seq(items) = &node.kind else {
        reader.error("shape", format!("{what} is a list of names"), node.span);
        return None;
    };
    let mut names = Vec::new();
    for item in items {
        let Some(text) = reader.text(item, "a name") else { continue };
        if is_name(&text.value, false) {
            names.push(text);
        } else {
            error(reader, format!("`{}` is not a name", text.value), text.span);
        }
    }
    Some(names)
}

/// Names that differ, one at least.
pub(super) fn names(reader: &mut Reader<'_>, node: &Node, what: &str) -> Vec<String> {
    let Some(list) = name_list(reader, node, what) else { return Vec::new() };
    let mut names: Vec<String> = Vec::new();
    for Text { value, span, .. } in list {
        if names.contains(&value) {
            error(reader, format!("`{value}` is given twice"), span);
        } else {
            names.push(value);
        }
    }
    if names.is_empty() {
        error(reader, format!("{what} has at least one name"), node.span);
    }
    names
}

pub(super) fn body(reader: &mut Reader<'_>, node: &Node, what: &str) -> Option<Semantics> {
    let text = reader.text(node, what)?;
    read_or_report(reader, &text, read_semantics(&text))
}

/// True if the language can say it: letters, digits and `_`, perhaps joined by dots.
pub(super) fn is_name(text: &str, dots: bool) -> bool {
    let word = |w: &str| {
        w.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && w.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if dots { text.split('.').all(word) } else { word(text) }
}
