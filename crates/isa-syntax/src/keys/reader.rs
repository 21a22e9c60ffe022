//! Nodes to values: what has another shape than its key says is reported at its place.

use crate::lang;
use crate::yaml::{Node, NodeKind, Text};
use isa_model::diag::{Diagnostic, Diagnostics};
use isa_model::span::Span;
use std::ops::RangeInclusive;

/// Reads nodes and collects what is wrong with them.
#[derive(Debug)]
pub struct Reader<'d> {
    /// The messages so far.
    pub diags: &'d mut Diagnostics,
    /// Something could not be read: names that are not found may have been declared there.
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

    /// Reads each entry of a mapping of names with `one`.
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
                u64::MAX if *limits.start() > 0 => format!("{what} is a number from {} up", limits.start()),
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
