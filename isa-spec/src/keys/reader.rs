//! Nodes to values: what has another shape than its key says is reported at its place.

use super::{Key, KeyTable, Takes, Unknown};
use crate::diag::{Diagnostic, Diagnostics, nearest, nearest_within};
use crate::lang;
use crate::span::Span;
use crate::yaml::{Node, NodeKind, Text};
use std::ops::RangeInclusive;

/// Reads nodes and collects what is wrong with them.
#[derive(Debug)]
pub struct Reader<'d> {
    /// What is wrong.
    pub diags: &'d mut Diagnostics,
    /// Something that could not be read may be what the rest needs: names that are not found may stand there.
    pub lost: bool,
}

impl<'d> Reader<'d> {
    /// A reader that has lost nothing yet.
    pub fn new(diags: &'d mut Diagnostics) -> Self {
        Self { diags, lost: false }
    }

    /// Reports an error.
    pub fn error(&mut self, code: &'static str, message: impl Into<String>, span: Span) {
        self.diags.push(Diagnostic::error(code, message, span));
    }

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
        for (name, node) in entries {
            let key = match table.key(&name.value) {
                Some(key) => key,
                None if table.others.as_ref().is_some_and(|others| (others.read)(self, into, name, node)) => continue,
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
            // What is empty is still required.
            if key.needed.is_none() || !is_empty(node) {
                read.push(key.name);
            }
            self.value(key, into, node, &format!("`{}`", key.name));
        }
        read
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

    /// The entries of a mapping of names; nothing is an empty one.
    pub fn map<'n>(&mut self, node: &'n Node, what: &str) -> &'n [(Text, Node)] {
        match &node.kind {
            NodeKind::Map(entries) => entries,
            NodeKind::Null => &[],
            _ => {
                self.error("shape", format!("{what} is a mapping"), node.span);
                &[]
            }
        }
    }

    /// What each entry of a mapping of names is.
    pub fn each<U>(&mut self, node: &Node, what: &str, mut one: impl FnMut(&mut Self, &Text, &Node) -> Option<U>) -> Vec<U> {
        self.map(node, what).iter().filter_map(|(name, node)| one(self, name, node)).collect()
    }

    /// The items of a list; nothing is an empty one.
    pub fn list<'n>(&mut self, node: &'n Node, what: &str) -> &'n [Node] {
        match &node.kind {
            NodeKind::Seq(items) => items,
            NodeKind::Null => &[],
            _ => {
                self.error("shape", format!("{what} is a list"), node.span);
                &[]
            }
        }
    }

    /// A text.
    pub fn text(&mut self, node: &Node, what: &str) -> Option<Text> {
        match &node.kind {
            NodeKind::Scalar { text, .. } => Some(text.clone()),
            _ => {
                self.error("shape", format!("{what} is a text"), node.span);
                None
            }
        }
    }

    /// A text for readers, which loses the blanks and lines at its end.
    pub fn prose(&mut self, node: &Node, what: &str) -> String {
        self.text(node, what).map(|t| t.value.trim_end().to_string()).unwrap_or_default()
    }

    /// One text, or a list of texts.
    pub fn texts(&mut self, node: &Node, what: &str) -> Vec<Text> {
        match &node.kind {
            NodeKind::Seq(items) => items.iter().filter_map(|n| self.text(n, what)).collect(),
            NodeKind::Null => Vec::new(),
            _ => self.text(node, what).into_iter().collect(),
        }
    }

    /// A mapping of names to texts.
    pub fn pairs(&mut self, node: &Node, what: &str) -> Vec<(Text, Text)> {
        self.map(node, what).iter().filter_map(|(k, v)| Some((k.clone(), self.text(v, what)?))).collect()
    }

    /// A number within limits; up to `u64::MAX` there is no upper one.
    pub fn number(&mut self, node: &Node, what: &str, limits: RangeInclusive<u64>) -> Option<u64> {
        let text = self.text(node, what)?;
        let number = lang::wide_number(text.value.trim()).filter(|n| !n.negative);
        let number = number.and_then(|n| u64::try_from(n.magnitude).ok()).filter(|n| limits.contains(n));
        if number.is_none() {
            let message = match *limits.end() {
                u64::MAX => format!("{what} is a number"),
                end => format!("{what} is a number from {} to {end}", limits.start()),
            };
            self.error("number", message, text.span);
        }
        number
    }

    /// A number, perhaps negative, or the bits of one of 128 bits.
    pub fn integer(&mut self, node: &Node, what: &str) -> Option<i128> {
        let text = self.text(node, what)?;
        let number = lang::number(text.value.trim());
        if number.is_none() {
            self.error("number", format!("{what} is a number"), text.span);
        }
        number
    }

    /// One of some words, by its index.
    pub fn word(&mut self, node: &Node, what: &str, words: &[&str]) -> Option<usize> {
        let text = self.text(node, what)?;
        let found = words.iter().position(|w| *w == text.value);
        if found.is_none() {
            let (last, before) = words.split_last().expect("there are words to choose from");
            let message = match before {
                [] => format!("{what} is {last}"),
                before => format!("{what} is {} or {last}", before.join(", ")),
            };
            self.error("shape", message, text.span);
        }
        found
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
