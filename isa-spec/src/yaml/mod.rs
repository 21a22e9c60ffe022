//! YAML with places: a tree of nodes, each with its place in the source, character by character.
//!
//! serde-saphyr reads the YAML (it refuses duplicate keys and alias bombs, and gives every node its place in bytes); this
//! module keeps the tree and the map from each character of a decoded string back to the file.

mod text;

use crate::diag::{Diagnostic, Diagnostics};
use crate::escape::is_deceptive;
use crate::span::{FileId, Span};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{DuplicateKeyPolicy, Spanned};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

pub use text::{Hole, Part, Text};

/// A node of the tree.
#[derive(Clone, Debug)]
pub struct Node {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: NodeKind,
}

/// What a node is.
#[derive(Clone, Debug)]
pub enum NodeKind {
    /// `~`, or nothing.
    Null,
    /// Anything written as one text: strings, numbers, `true`.
    Scalar {
        /// The text.
        text: Text,
        /// It stood in quotes or in a block.
        quoted: bool,
    },
    /// A list.
    Seq(Vec<Node>),
    /// A mapping, in its order.
    Map(Vec<(Text, Node)>),
}

/// A file has so many keys, values, lists and mappings at most, what aliases stand for included.
pub const MAX_NODES: usize = 1_000_000;
/// The aliases of a file stand for so many of them at most.
const MAX_ALIASED: usize = 50_000;

/// Reads a file's text into a tree.
pub fn parse(text: &str, file: FileId) -> Result<Node, Box<Diagnostic>> {
    let whole = Span::new(file, 0..text.len().min(1));
    if text.lines().all(|l| l.trim().is_empty() || l.trim_start().starts_with('#')) {
        return Ok(Node { kind: NodeKind::Null, span: whole });
    }
    match read(text) {
        Ok((raw, apart)) => {
            let tree = build(raw, text, &apart, file);
            apart.check(&tree).map_or(Ok(tree), |error| Err(Box::new(error)))
        }
        Err(error) => {
            let message = error.without_snippet().to_string();
            let start = error.location().map_or(0, |l| place_of(text, &l));
            let tab =
                (message.contains("tabs disallowed") || message.contains("found a tab")).then(|| tab_of(text, start)).flatten();
            let (start, message) = match tab {
                Some(tab) => (tab, "a tab indents this line: YAML is indented with blanks".to_owned()),
                None => (start, reworded(&message)),
            };
            let width = text[start..].chars().next().filter(|c| *c != '\n').map_or(0, char::len_utf8);
            Err(Box::new(Diagnostic::error("yaml", message, Span::new(file, start..start + width))))
        }
    }
}

/// Reads YAML, in which equal keys may stand if parameters tell them apart.
fn read(text: &str) -> Result<(Spanned<Raw>, EqualKeys), serde_saphyr::Error> {
    let with = |text: &str, policy| {
        let mut options = serde_saphyr::Options::default();
        options.strict_booleans = true;
        options.with_snippet = false;
        options.duplicate_keys = policy;
        let mut budget = serde_saphyr::budget::Budget::default();
        budget.max_nodes = MAX_NODES;
        budget.max_events = 4 * MAX_NODES;
        budget.max_total_scalar_bytes = usize::MAX;
        options.budget = Some(budget);
        options.alias_limits.max_total_replayed_events = MAX_ALIASED;
        serde_saphyr::from_str_with_options::<Spanned<Raw>>(text, options)
    };
    let mut apart = EqualKeys::default();
    let mut renamed = Cow::Borrowed(text);
    loop {
        match with(&renamed, DuplicateKeyPolicy::Error) {
            Ok(raw) => return Ok((raw, apart)),
            Err(error) => {
                let serde_saphyr::Error::DuplicateMappingKey { location, .. } = error.without_snippet() else {
                    return Err(error);
                };
                let count = apart.0.len();
                // All that there are, so that the file is read three times and no more.
                if let Ok(raw) = with(&renamed, DuplicateKeyPolicy::LastWins) {
                    apart.find(&raw, &mut renamed);
                }
                let place = location.span();
                if apart.0.len() == count
                    && let (Some(start), Some(length)) = (place.byte_offset(), place.byte_len())
                {
                    apart.rename(start as usize..start as usize + length as usize, &mut renamed);
                }
                if apart.0.len() == count {
                    return Err(error);
                }
            }
        }
    }
}

/// Keys that occur in their mapping before, by where they begin: in a copy of the file that YAML is read from they have other letters.
/// They contain a parameter, and a table makes entries of each.
#[derive(Default)]
struct EqualKeys(BTreeMap<usize, String>);

impl EqualKeys {
    /// Finds them in a tree of which nothing is missing but for what numbers name.
    fn find(&mut self, raw: &Spanned<Raw>, text: &mut Cow<'_, str>) {
        match &raw.value {
            Raw::Null | Raw::Scalar(_) => {}
            Raw::Seq(items) => items.iter().for_each(|item| self.find(item, text)),
            Raw::Map(entries) => {
                let mut known = HashSet::new();
                for (key, value) in entries {
                    if !known.insert(key.value.0.as_str()) {
                        let place = key.defined.span();
                        if let (Some(start), Some(length)) = (place.byte_offset(), place.byte_len()) {
                            self.rename(start as usize..start as usize + length as usize, text);
                        }
                    }
                    self.find(value, text);
                }
            }
        }
    }

    /// Gives the key at a place other letters, as many as it has bytes, if it contains a parameter and has none of them yet.
    fn rename(&mut self, place: Range<usize>, text: &mut Cow<'_, str>) {
        let Some(source) = text.get(place.clone()) else { return };
        let quote = source.chars().next().filter(|c| matches!(c, '"' | '\''));
        let inner = quote.map_or(source, |quote| source.trim_matches(quote));
        if !inner.contains('$') || inner.contains('\\') || inner.contains("''") || self.0.contains_key(&place.start) {
            return;
        }
        // Letters that the file has nowhere.
        const LETTERS: &[u8; 52] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
        let letter = |number: usize, at: usize| char::from(LETTERS[number / 52usize.saturating_pow(at as u32) % 52]);
        let name = |number: usize| (0..inner.len()).map(|at| letter(number, at)).collect::<String>();
        let first = self.0.len();
        if let Some(name) = (first..first + 52 * 52).map(name).find(|name| !text.contains(name)) {
            self.0.insert(place.start, inner.to_string());
            let start = place.start + usize::from(quote.is_some());
            text.to_mut().replace_range(start..start + name.len(), &name);
        }
    }

    /// Reports one that no table makes entries of, or that stands beside one of this kind.
    fn check(&self, tree: &Node) -> Option<Diagnostic> {
        match &tree.kind {
            _ if self.0.is_empty() => None,
            NodeKind::Null | NodeKind::Scalar { .. } => None,
            NodeKind::Seq(items) => items.iter().find_map(|item| self.check(item)),
            NodeKind::Map(entries) => {
                let has_table =
                    |node: &Node| matches!(&node.kind, NodeKind::Map(keys) if keys.iter().any(|(key, _)| key.value == "for"));
                let mut known: HashMap<&str, (&Text, bool)> = HashMap::new();
                for (key, node) in entries {
                    let table = has_table(node);
                    if let Some((first, other)) = known.insert(&key.value, (key, table))
                        && !(table && other)
                    {
                        let error = Diagnostic::error("yaml", format!("duplicate mapping key: {}", key.value), key.span);
                        let help = "two entries can have one key if both have a `for` that makes other keys of it";
                        return Some(error.with_label(first.span, "first here").with_help(help));
                    }
                }
                entries.iter().find_map(|(_, node)| self.check(node))
            }
        }
    }
}

/// Reports characters that change what a reader sees without being seen; whether there are any.
pub(crate) fn deceptive(node: &Node, diags: &mut Diagnostics) -> bool {
    let mut look = |text: &Text| {
        let Some((at, c)) = text.value.char_indices().find(|(_, c)| is_deceptive(*c)) else { return false };
        let message = format!("`{}` is an invisible character or changes the direction of text", c.escape_unicode());
        let place = text.at(at..at + c.len_utf8());
        diags.push(
            Diagnostic::error("character", message, place).with_help("describe it in words: a specification can't contain it"),
        );
        true
    };
    match &node.kind {
        NodeKind::Null => false,
        NodeKind::Scalar { text, .. } => look(text),
        NodeKind::Seq(items) => items.iter().fold(false, |found, item| deceptive(item, diags) | found),
        NodeKind::Map(entries) => {
            let keys = entries.iter().fold(false, |found, (key, _)| look(key) | found);
            entries.iter().fold(keys, |found, (_, node)| deceptive(node, diags) | found)
        }
    }
}

/// The byte at which serde-saphyr found the fault; where it gives none, by line and column.
fn place_of(text: &str, location: &serde_saphyr::Location) -> usize {
    if let Some(offset) = location.span().byte_offset() {
        return (offset as usize).min(text.len());
    }
    let line_start: usize = text.split_inclusive('\n').take((location.line() as usize).saturating_sub(1)).map(str::len).sum();
    let line = text[line_start.min(text.len())..].split('\n').next().unwrap_or("");
    let column = line.char_indices().nth((location.column() as usize).saturating_sub(1)).map_or(line.len(), |(i, _)| i);
    (line_start + column).min(text.len())
}

/// The first tab that indents a line, from the line of a byte on.
fn tab_of(text: &str, start: usize) -> Option<usize> {
    let mut at = text[..start].rfind('\n').map_or(0, |end| end + 1);
    for line in text[at..].split_inclusive('\n') {
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        if let Some(tab) = line[..indent].find('\t') {
            return Some(at + tab);
        }
        at += line.len();
    }
    None
}

/// serde-saphyr's message without what it says to programmers, and without the place that the diagnostic has already.
fn reworded(message: &str) -> String {
    let breached = |what: &str| message.strip_prefix("budget breached: ").is_some_and(|m| m.starts_with(what));
    if breached("Nodes") || breached("Events") {
        return format!("a specification has at most {MAX_NODES} keys, values, lists and mappings in one file");
    }
    if message.contains("recursion limit") || breached("Depth") {
        return "lists and mappings nest too deep".to_string();
    }
    if breached("") || message.contains("alias replay") {
        return format!("the aliases stand for more than {MAX_ALIASED} keys and values");
    }
    if message.contains("multiple YAML documents") {
        return "a file is one specification: a second YAML document begins here".to_string();
    }
    if message.contains("expected string scalar") {
        return "a key is a text".to_string();
    }
    let message = message.split(", set DuplicateKeyPolicy").next().unwrap_or(message);
    message.split(" at line ").next().unwrap_or(message).trim_start_matches("error: ").to_string()
}

fn build(raw: Spanned<Raw>, text: &str, apart: &EqualKeys, file: FileId) -> Node {
    let place = |location: &serde_saphyr::Location| {
        let span = location.span();
        let start = span.byte_offset().map_or(0, |o| (o as usize).min(text.len()));
        let end = span.byte_len().map_or(start, |l| (start + l as usize).min(text.len()));
        Span::new(file, start..end)
    };
    let mut span = place(&raw.defined);
    let kind = match raw.value {
        Raw::Null => NodeKind::Null,
        Raw::Scalar(value) => {
            let source = &text[span.range()];
            let quoted = value.as_ref().is_some_and(|v| *v != source);
            let value = value.unwrap_or_else(|| source.to_string());
            NodeKind::Scalar { text: Text::locate(value, text, span), quoted }
        }
        Raw::Seq(items) => {
            let items: Vec<Node> = items.into_iter().map(|n| build(n, text, apart, file)).collect();
            span.end = items.last().map_or(span.end, |n| n.span.end.max(span.end));
            NodeKind::Seq(items)
        }
        Raw::Map(entries) => {
            let entries: Vec<(Text, Node)> = entries
                .into_iter()
                .map(|(k, v)| {
                    let key = place(&k.defined);
                    let name = apart.0.get(&key.range().start).cloned().unwrap_or(k.value.0);
                    (Text::locate(name, text, key), build(v, text, apart, file))
                })
                .collect();
            if let (Some(first), Some(last)) = (entries.first(), entries.last()) {
                span.start = first.0.span.start.min(span.start.max(first.0.span.start));
                span.end = last.1.span.end.max(last.0.span.end);
            }
            NodeKind::Map(entries)
        }
    };
    Node { span, kind }
}

/// What serde sees: scalars that are not strings are read again from the source, so that `0x10` stays `0x10`.
enum Raw {
    Null,
    Scalar(Option<String>),
    Seq(Vec<Spanned<Raw>>),
    Map(Vec<(Spanned<Key>, Spanned<Raw>)>),
}

struct Key(String);

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Key)
    }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

macro_rules! scalars {
    ($($name:ident: $ty:ty),*) => {
        $(fn $name<E>(self, _: $ty) -> Result<Raw, E> { Ok(Raw::Scalar(None)) })*
    };
}

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a value")
    }

    scalars!(visit_bool: bool, visit_u64: u64, visit_i64: i64, visit_u128: u128, visit_i128: i128, visit_f64: f64);

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_str<E>(self, value: &str) -> Result<Raw, E> {
        Ok(Raw::Scalar(Some(value.to_string())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Raw, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Raw::Seq(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Raw, A::Error> {
        let mut entries = Vec::new();
        while let Some(key) = access.next_key()? {
            entries.push((key, access.next_value()?));
        }
        Ok(Raw::Map(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scalar<'a>(node: &'a Node, key: &str) -> &'a Text {
        let NodeKind::Map(entries) = &node.kind else { panic!("a mapping") };
        let (_, node) = entries.iter().find(|(k, _)| k.value == key).expect("the key");
        let NodeKind::Scalar { text, .. } = &node.kind else { panic!("a scalar") };
        text
    }

    #[test]
    fn every_character_knows_its_place() {
        let source = "plain: ab cd\nhex: 0x10\nsingle: 'a''Z'\ndouble: \"\\tZ\"\nblock: |\n  one\n    Z\nfold: >-\n  a\n  Z\n";
        let node = parse(source, FileId(0)).expect("good YAML");
        assert_eq!(scalar(&node, "hex").value, "0x10");
        for key in ["single", "double", "block", "fold"] {
            let text = scalar(&node, key);
            let z = text.value.find('Z').expect("a Z");
            assert_eq!(&source[text.at(z..z + 1).range()], "Z", "{key}: {text:?}");
        }
        assert_eq!(&source[scalar(&node, "plain").at(3..5).range()], "cd");
        let source = "quote: |2- # a block\n\n    \"a\n    Z\n";
        let node = parse(source, FileId(0)).expect("good YAML");
        let text = scalar(&node, "quote");
        let z = text.value.find('Z').expect("a Z");
        assert_eq!(&source[text.at(z..z + 1).range()], "Z", "{text:?}");
    }

    #[test]
    fn keys_that_tables_tell_apart_can_be_equal() {
        let source = "\"$a\": { for: { a: [x] }, n: 1 }\nb: { 3: { $c: { for: 1 }, $c: { for: 2 } } }\n\"$a\": { for: { a: [y] }, n: 2 }\n'$a': { for: 3 }\n";
        let node = parse(source, FileId(0)).expect("good YAML");
        let NodeKind::Map(entries) = &node.kind else { panic!("a mapping") };
        let keys: Vec<_> = entries.iter().map(|(key, _)| (key.value.as_str(), &source[key.at(1..2).range()])).collect();
        assert_eq!(keys, [("$a", "a"), ("b", ":"), ("$a", "a"), ("$a", "a")]);
        for source in ["$a: { for: 1 }\n$a: { when: 2 }\n", "x: { $a: 1, $a: 2 }\n", "3: { for: 1 }\n3: { for: 2 }\n"] {
            let error = parse(source, FileId(0)).expect_err("a duplicate");
            assert!(error.message.starts_with("duplicate mapping key: "), "{source}: {}", error.message);
        }
    }

    #[test]
    fn duplicate_keys_are_refused_at_the_second() {
        let error = parse("a: 1\nb: 2\na: 3\n", FileId(0)).expect_err("a duplicate");
        assert_eq!((error.message.as_str(), error.span().start), ("duplicate mapping key: a", 10));
    }
}
