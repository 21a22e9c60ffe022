//! Mappings to declarations, by their tables of keys.

use super::reader::Reader;
use super::{KeyTable, Takes, Unknown};
use crate::yaml::{Node, NodeKind, Text};
use isa_model::diag::{Diagnostic, nearest, nearest_within};
use isa_model::span::Span;

/// A table with the declaration that it fills, without the type of either: all else that is done with keys is compiled once, and not
/// for each table.
trait Filling {
    fn shape(&self) -> Shape;

    /// The name of the key with this number, and what a mapping lacks without it.
    fn key(&self, number: usize) -> Option<(&'static str, Option<&'static str>)>;

    /// Reads the value of the key with this number.
    fn read(&mut self, reader: &mut Reader<'_>, number: usize, node: &Node, what: &str);

    /// Reads an entry that the table has no key for; false if there can be no such entry.
    fn read_other(&mut self, reader: &mut Reader<'_>, name: &Text, node: &Node) -> bool;
}

/// The properties of a table besides its keys.
struct Shape {
    what: &'static str,
    short: Option<&'static str>,
    unknown: Unknown,
}

impl<T> Filling for (&'static KeyTable<T>, &mut T) {
    fn shape(&self) -> Shape {
        let KeyTable { what, short, unknown, .. } = *self.0;
        Shape { what, short, unknown }
    }

    fn key(&self, number: usize) -> Option<(&'static str, Option<&'static str>)> {
        self.0.key(number).map(|key| (key.name, key.needed))
    }

    fn read(&mut self, reader: &mut Reader<'_>, number: usize, node: &Node, what: &str) {
        if let Some(key) = self.0.key(number) {
            reader.value(&key.kind, self.1, node, what);
        }
    }

    fn read_other(&mut self, reader: &mut Reader<'_>, name: &Text, node: &Node) -> bool {
        self.0.others.as_ref().is_some_and(|others| (others.read)(reader, self.1, name, node))
    }
}

impl dyn Filling + '_ {
    fn names(&self) -> impl Iterator<Item = &'static str> {
        (0..).map_while(|number| Some(self.key(number)?.0))
    }

    fn number(&self, name: &str) -> Option<usize> {
        self.names().position(|known| known == name)
    }

    /// Help on the keys: `it can have: at, kind`.
    fn can_have(&self) -> String {
        format!("it can have: {}", self.names().collect::<Vec<_>>().join(", "))
    }
}

impl Reader<'_> {
    /// Reads a mapping by a table. Keys that are required are asked for unless something else is wrong with the mapping.
    pub fn fill<T>(&mut self, table: &'static KeyTable<T>, into: &mut T, node: &Node) {
        self.fill_at(table, into, node, node.span);
    }

    /// The same of a mapping that has a name: what is missing is reported there.
    pub fn fill_at<T>(&mut self, table: &'static KeyTable<T>, into: &mut T, node: &Node, name: Span) {
        self.fill_all(&mut (table, into), node, name);
    }

    /// The same without asking for what is required. Gives the names of the keys that were read; `None` if there is no mapping.
    pub fn fill_some<T>(&mut self, table: &'static KeyTable<T>, into: &mut T, node: &Node) -> Option<Vec<&'static str>> {
        self.fill_those(&mut (table, into), node)
    }

    fn fill_all(&mut self, filling: &mut dyn Filling, node: &Node, name: Span) {
        let errors = self.diags.error_count();
        let Some(read) = self.fill_those(filling, node) else { return };
        if self.diags.error_count() > errors {
            return;
        }
        for (key, needed) in (0..).map_while(|number| filling.key(number)) {
            if let Some(needed) = needed.filter(|_| !read.contains(&key)) {
                self.error("missing", format!("{} {needed}", filling.shape().what), name);
            }
        }
    }

    fn fill_those(&mut self, filling: &mut dyn Filling, node: &Node) -> Option<Vec<&'static str>> {
        let Shape { what, short, .. } = filling.shape();
        match &node.kind {
            NodeKind::Map(entries) => Some(self.entries(filling, entries)),
            kind => match short.and_then(|name| filling.number(name)) {
                Some(short) => {
                    filling.read(self, short, node, what);
                    None
                }
                None if matches!(kind, NodeKind::Null) => Some(Vec::new()),
                None => {
                    let d = Diagnostic::error("shape", format!("{what} is a mapping"), node.span);
                    self.diags.push(d.with_help(filling.can_have()));
                    None
                }
            },
        }
    }

    /// Reads the entries whose keys a table has, and gives the names of these keys. A key that resembles one which is not there is
    /// reported, and read as that: what follows from a slip in a key is no fault of its own.
    fn entries(&mut self, filling: &mut dyn Filling, entries: &[(Text, Node)]) -> Vec<&'static str> {
        let mut read = Vec::with_capacity(entries.len());
        for (at, (name, node)) in entries.iter().enumerate() {
            let known = filling.number(&name.value);
            let number = match known {
                Some(number) => number,
                None if filling.read_other(self, name, node) => continue,
                None if self.is_torn(filling, entries, at) => continue,
                None => {
                    let lost = self.lost;
                    let Some(near) = self.unknown_key(filling, name) else { continue };
                    let free = !read.contains(&near) && !entries.iter().any(|(k, _)| k.value == near);
                    let Some(number) = filling.number(near).filter(|_| free) else { continue };
                    self.lost = lost;
                    number
                }
            };
            if self.is_repeated(&entries[..at], name, node) {
                continue;
            }
            let Some((key, needed)) = filling.key(number) else { continue };
            // A required key with an empty value counts as missing.
            if needed.is_none() || !is_empty(node) {
                read.push(key);
            }
            let findings = self.diags.count();
            filling.read(self, number, node, &format!("`{key}`"));
            // The key may not be that one.
            if known.is_none() {
                self.diags.truncate(findings);
            }
        }
        read
    }

    /// True if a text is given that another file has given before: this is reported.
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

    /// True if a key is the rest of a text without quotes that ended at a comma, `{ summary: Loads, stores and moves }`: this is
    /// reported at the first of its keys.
    fn is_torn(&mut self, filling: &dyn Filling, entries: &[(Text, Node)], at: usize) -> bool {
        let is_rest = |(name, node): &&(Text, Node)| {
            matches!(node.kind, NodeKind::Null)
                && filling.number(&name.value).is_none()
                && nearest(&name.value, filling.names()).is_none()
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
            let help = format!(
                "a text with a comma is written in quotes: `{}: \"{}{}\"`",
                key.value,
                text.value,
                rest.collect::<String>()
            );
            let message = format!("{} has no `{}`", filling.shape().what, name.value);
            self.diags.push(Diagnostic::error("unknown-key", message, name.span).with_help(help));
            self.lost = true;
        }
        true
    }

    /// Reports a key that a table lacks, and gives the one that it resembles.
    fn unknown_key(&mut self, filling: &dyn Filling, name: &Text) -> Option<&'static str> {
        let Shape { what, unknown, .. } = filling.shape();
        let near = match unknown {
            Unknown::Refused => nearest(&name.value, filling.names()),
            // An ignored key is not an error, so one more edit counts as a resemblance here.
            Unknown::Ignored => nearest_within(&name.value, filling.names(), (name.value.chars().count() * 2 / 5).max(1)),
        };
        let message = format!("{what} has no `{}`", name.value);
        self.diags.push(match (near, unknown) {
            (Some(near), _) => Diagnostic::error("unknown-key", message, name.span).with_help(format!("did you mean `{near}`?")),
            (None, Unknown::Refused) => Diagnostic::error("unknown-key", message, name.span).with_help(filling.can_have()),
            (None, Unknown::Ignored) => {
                Diagnostic::warning("unknown-key", format!("{message}: it is ignored"), name.span).with_help(filling.can_have())
            }
        });
        self.lost = true;
        near
    }

    fn value<T>(&mut self, takes: &Takes<T>, into: &mut T, node: &Node, what: &str) {
        match takes {
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

/// True if a value is there that says nothing.
fn is_empty(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Null => true,
        NodeKind::Map(entries) => entries.is_empty(),
        _ => false,
    }
}
