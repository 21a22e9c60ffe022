//! Files that are included, joined to those that include them.

use super::Composer;
use super::params::Params;
use super::tree::entries;
use crate::keys::{Key, KeyTable, Reader};
use crate::yaml::{Node, NodeKind, Text};
use isa_model::diag::Diagnostic;
use std::collections::{HashMap, HashSet};

/// A file that is included, with the parameters that it is given.
pub(crate) static INCLUDED: KeyTable<(Option<Text>, Option<Node>)> = KeyTable::new(
    "a file that is included",
    &[&[
        Key::required(
            "needs `file`: `file: float.yaml`",
            Key::text("file", "path", |i| &mut i.0, "The file, by a path relative to the file that names it."),
        ),
        Key::own(
            "params",
            "mapping of names to texts",
            |_, i, node, _| i.1 = Some(node.clone()),
            "The parameters that it is given.",
        ),
    ]],
);

impl Composer<'_> {
    /// The files of an `include`, with the parameters that they are given: `i.yaml`, `{ file: float.yaml, params: { f: d } }`.
    pub(super) fn includes(&mut self, node: &Node, params: &Params<'_>) -> Vec<(Text, Option<Node>)> {
        let mut list = Vec::new();
        let items = if let NodeKind::Seq(items) = &node.kind { items.as_slice() } else { std::slice::from_ref(node) };
        for item in items {
            if !matches!(item.kind, NodeKind::Map(_)) {
                list.extend(self.text(item, "a file").map(|name| (name, None)));
                continue;
            }
            let mut item = item.clone();
            params.put_into(&mut item, &mut self.budget, self.diags);
            let mut file = (None, None);
            Reader::new(self.diags).fill(&INCLUDED, &mut file, &item);
            list.extend(file.0.map(|name| (name, file.1)));
        }
        list
    }
}

/// A short form of a node, to tell it from others.
pub(super) fn shown(node: &Node) -> String {
    match &node.kind {
        NodeKind::Null => "~".to_string(),
        NodeKind::Scalar { text, .. } => format!("{:?}", text.value),
        NodeKind::Seq(items) => items.iter().map(|item| shown(item) + ",").collect(),
        NodeKind::Map(entries) => entries.iter().map(|(key, node)| format!("{:?}:{};", key.value, shown(node))).collect(),
    }
}

/// The items of a list, or a single item in its place.
fn listed(node: Node) -> Vec<Node> {
    match node.kind {
        NodeKind::Seq(items) => items,
        NodeKind::Null => Vec::new(),
        _ => vec![node],
    }
}

/// The first entry of a part that a whole has as well, where it is there, and the number of such entries.
pub(super) fn already(whole: &Node, part: &Node) -> Option<(Text, usize)> {
    let (NodeKind::Map(sections), NodeKind::Map(more)) = (&whole.kind, &part.kind) else { return None };
    let mut found: Vec<&Text> = Vec::new();
    for (key, node) in more.iter().filter(|(key, _)| SECTIONS.contains(&key.value.as_str())) {
        let there = sections.iter().filter(|(name, _)| name.value == key.value).filter_map(|(_, node)| match &node.kind {
            NodeKind::Map(entries) => Some(entries),
            _ => None,
        });
        let there: HashMap<&str, &Text> = there.flatten().map(|(name, _)| (name.value.as_str(), name)).collect();
        let NodeKind::Map(own) = &node.kind else { continue };
        found.extend(own.iter().filter_map(|(name, _)| there.get(name.value.as_str())));
    }
    found.first().map(|first| ((*first).clone(), found.len()))
}

/// The sections whose entries have names of their own.
const SECTIONS: [&str; 7] = ["registers", "enums", "codes", "operands", "choices", "formats", "instructions"];

impl Composer<'_> {
    /// Reports a file that has entries which the extended instruction set has as well.
    pub(super) fn is_included(&mut self, name: &Text, first: &Text, count: usize) {
        let there = &self.files.file(first.span.file).name;
        let message =
            format!("what is extended already has {count} of the entries of `{}`, such as `{}`", name.value, first.value);
        let help = format!("leave it out if it is {there}; a changed entry is written in the file that extends");
        let error = Diagnostic::error("include", message, name.span).with_label(first.span, "already here");
        self.diags.push(error.with_help(help));
    }
}

/// Adds the entries of a part to those of a whole, section by section.
pub(super) fn join(whole: &mut Node, part: Node) {
    let (Some(sections), NodeKind::Map(more)) = (entries(whole), part.kind) else { return };
    for (key, node) in more {
        if ["summary", "notes"].contains(&key.value.as_str()) {
            continue;
        }
        let Some((_, there)) = sections.iter_mut().find(|(k, _)| k.value == key.value) else {
            sections.push((key, node));
            continue;
        };
        if key.value == "functions" {
            let mut texts = listed(std::mem::replace(there, Node { span: there.span, kind: NodeKind::Null }));
            texts.extend(listed(node));
            there.kind = NodeKind::Seq(texts);
            continue;
        }
        match (&mut there.kind, node.kind) {
            // Files add features of the debugger, pseudo-instructions and the like one by one.
            (NodeKind::Map(_), NodeKind::Map(entries)) if ["machine", "debugger", "assembly"].contains(&key.value.as_str()) => {
                let span = there.span;
                join(there, Node { span, kind: NodeKind::Map(entries) });
            }
            (NodeKind::Map(entries), NodeKind::Map(more)) => {
                // A group that several files belong to is one.
                let known: HashSet<String> = match key.value.as_str() {
                    "groups" => entries.iter().map(|(name, _)| name.value.clone()).collect(),
                    _ => HashSet::new(),
                };
                entries.extend(more.into_iter().filter(|(name, _)| !known.contains(&name.value)));
            }
            (NodeKind::Seq(items), NodeKind::Seq(more)) => items.extend(more),
            (NodeKind::Null, kind) => there.kind = kind,
            (_, NodeKind::Null) => {}
            // A node of another shape is reported by the reader.
            (_, kind) => sections.push((key, Node { span: node.span, kind })),
        }
    }
}
