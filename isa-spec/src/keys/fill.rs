//! Mappings to declarations, by their tables of keys.

use super::reader::Reader;
use super::{Key, KeyTable, Takes, Unknown};
use crate::diag::{Diagnostic, nearest, nearest_within};
use crate::span::Span;
use crate::yaml::{Node, NodeKind, Text};

impl Reader<'_> {
    /// Reads a mapping by a table. Keys that are required are asked for unless something else is wrong with the mapping.
    pub fn fill<T>(&mut self, table: &'static KeyTable<T>, into: &mut T, node: &Node) {
        self.fill_at(table, into, node, node.span);
    }

    /// The same of a mapping that has a name: what is missing is reported there.
    pub fn fill_at<T>(&mut self, table: &'static KeyTable<T>, into: &mut T, node: &Node, name: Span) {
        let errors = self.diags.error_count();
        let Some(read) = self.fill_some(table, into, node) else { return };
        if self.diags.error_count() > errors {
            return;
        }
        for key in table.iter() {
            if let Some(needed) = key.needed.filter(|_| !read.contains(&key.name)) {
                self.error("missing", format!("{} {needed}", table.what), name);
            }
        }
    }

    /// The same without asking for what is required. Gives the names of the keys that were read; `None` if there is no mapping.
    pub fn fill_some<T>(&mut self, table: &'static KeyTable<T>, into: &mut T, node: &Node) -> Option<Vec<&'static str>> {
        match &node.kind {
            NodeKind::Map(entries) => Some(self.entries(table, into, entries)),
            kind => match table.short.and_then(|name| table.key(name)) {
                Some(short) => {
                    self.value(short, into, node, table.what);
                    None
                }
                None if matches!(kind, NodeKind::Null) => Some(Vec::new()),
                None => {
                    let d = Diagnostic::error("shape", format!("{} is a mapping", table.what), node.span);
                    self.diags.push(d.with_help(table.can_have()));
                    None
                }
            },
        }
    }

    /// Reads the entries whose keys a table has, and gives the names of these keys. A key that resembles one which is not there is
    /// reported, and read as that: what follows from a slip in a key is no fault of its own.
    fn entries<T>(&mut self, table: &'static KeyTable<T>, into: &mut T, entries: &[(Text, Node)]) -> Vec<&'static str> {
        let mut read = Vec::with_capacity(entries.len());
        for (at, (name, node)) in entries.iter().enumerate() {
            let key = match table.key(&name.value) {
                Some(key) => key,
                None if table.others.as_ref().is_some_and(|others| (others.read)(self, into, name, node)) => continue,
                None if self.is_torn(table, entries, at) => continue,
                None => {
                    let lost = self.lost;
                    let Some(near) = self.unknown_key(table, name) else { continue };
                    let free = !read.contains(&near.name) && !entries.iter().any(|(k, _)| k.value == near.name);
                    if !free {
                        continue;
                    }
                    self.lost = lost;
                    near
                }
            };
            if self.is_repeated(&entries[..at], name, node) {
                continue;
            }
            // What is empty is still required.
            if key.needed.is_none() || !is_empty(node) {
                read.push(key.name);
            }
            self.value(key, into, node, &format!("`{}`", key.name));
        }
        read
    }

    /// Whether a text is given that another file has given before: this is reported.
    fn is_repeated(&mut self, before: &[(Text, Node)], name: &Text, node: &Node) -> bool {
        let is_text = |node: &Node| matches!(node.kind, NodeKind::Scalar { .. });
        let Some((first, _)) = before.iter().find(|(key, first)| key.value == name.value && is_text(first) && is_text(node))
        else {
            return false;
        };
        let message = format!("`{}` is given twice", name.value);
        self.diags.push(Diagnostic::twice("duplicate", message, [first.span, name.span]));
        true
    }

    /// Whether a key is the rest of a text without quotes that ended at a comma, `{ summary: Loads, stores and moves }`: this is
    /// reported at the first of its keys.
    fn is_torn<T>(&mut self, table: &'static KeyTable<T>, entries: &[(Text, Node)], at: usize) -> bool {
        let is_rest = |(name, node): &&(Text, Node)| {
            matches!(node.kind, NodeKind::Null)
                && table.key(&name.value).is_none()
                && nearest(&name.value, table.iter().map(|key| key.name)).is_none()
        };
        let first = at + 1 - entries[..=at].iter().rev().take_while(is_rest).count();
        if first > at || first == 0 {
            return false;
        }
        let (key, value) = &entries[first - 1];
        let NodeKind::Scalar { text, quoted: false } = &value.kind else { return false };
        if first == at {
            let rest = entries[at..].iter().take_while(is_rest).map(|(name, _)| format!(", {}", name.value));
            let name = &entries[at].0;
            let help =
                format!("a text with a comma stands in quotes: `{}: \"{}{}\"`", key.value, text.value, rest.collect::<String>());
            let message = format!("{} has no `{}`", table.what, name.value);
            self.diags.push(Diagnostic::error("unknown-key", message, name.span).with_help(help));
            self.lost = true;
        }
        true
    }

    /// Reports a key that a table lacks, and gives the one that it resembles.
    fn unknown_key<T>(&mut self, table: &'static KeyTable<T>, name: &Text) -> Option<&'static Key<T>> {
        let known: Vec<&'static str> = table.iter().map(|key| key.name).collect();
        let near = match table.unknown {
            Unknown::Refused => nearest(&name.value, known.iter().copied()),
            // What is ignored is not reported as an error: one more edit than elsewhere is a resemblance here.
            Unknown::Ignored => nearest_within(&name.value, known.iter().copied(), (name.value.chars().count() * 2 / 5).max(1)),
        };
        let message = format!("{} has no `{}`", table.what, name.value);
        self.diags.push(match (near, table.unknown) {
            (Some(near), _) => Diagnostic::error("unknown-key", message, name.span).with_help(format!("did you mean `{near}`?")),
            (None, Unknown::Refused) => Diagnostic::error("unknown-key", message, name.span).with_help(table.can_have()),
            (None, Unknown::Ignored) => {
                Diagnostic::warning("unknown-key", format!("{message}: it is ignored"), name.span).with_help(table.can_have())
            }
        });
        self.lost = true;
        near.and_then(|near| table.key(near))
    }

    fn value<T>(&mut self, key: &Key<T>, into: &mut T, node: &Node, what: &str) {
        match &key.kind {
            Takes::Text(slot) => *slot(into) = self.text(node, what),
            Takes::Prose(slot) => *slot(into) = self.prose(node, what),
            Takes::Texts(slot) => *slot(into) = self.texts(node, what),
            Takes::Pairs(slot) => *slot(into) = self.pairs(node, what),
            Takes::Flag(slot) => *slot(into) = self.word(node, what, &["true", "false"]) == Some(0),
            Takes::Number(limits, set) => {
                if let Some(number) = self.number(node, what, limits.clone()) {
                    set(into, number, node.span);
                }
            }
            Takes::Word(words, set) => {
                if let Some(word) = self.word(node, what, words) {
                    set(into, word, node.span);
                }
            }
            Takes::Own(read) => read(self, into, node, what),
        }
    }
}

/// Whether a value is there that says nothing.
fn is_empty(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Null => true,
        NodeKind::Map(entries) => entries.is_empty(),
        _ => false,
    }
}
