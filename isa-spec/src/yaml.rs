//! YAML with places: a tree of nodes, each with its place in the source, character by character.
//!
//! serde-saphyr reads the YAML (it refuses duplicate keys and alias bombs, and gives every node its place in bytes); this
//! module keeps the tree and the map from each character of a decoded string back to the file.

use crate::diag::{Diagnostic, Diagnostics};
use crate::escape::is_deceptive;
use crate::span::{FileId, Span};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;

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

/// A text with the origin of each of its bytes.
#[derive(Clone, Debug)]
pub struct Text {
    /// The text, decoded.
    pub value: String,
    /// Where it stands as a whole.
    pub span: Span,
    places: Places,
}

/// For each byte of a text, and for its end, the byte of the file: runs, the first at 0.
#[derive(Clone, Debug, Default)]
struct Places(Vec<Run>);

/// Bytes that follow each other in the file as they do in the text, or that all have one place.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// Where it begins in the text.
    at: u32,
    /// Where it begins in the file.
    place: u32,
    one_place: bool,
}

impl Places {
    /// The text stands in the file as it is, from here on.
    fn from(place: usize) -> Self {
        Self(vec![Run { at: 0, place: place as u32, one_place: false }])
    }

    /// The byte of the file.
    fn of(&self, at: usize) -> u32 {
        let Some(last) = self.0.partition_point(|r| r.at as usize <= at).checked_sub(1) else { return 0 };
        let Run { at: start, place, one_place } = self.0[last];
        if one_place { place } else { place + (at as u32 - start) }
    }

    /// From this byte of the text on, up to the next run.
    fn push(&mut self, at: usize, place: u32, one_place: bool) {
        let at = at as u32;
        let goes_on = |last: &Run| !last.one_place && !one_place && last.place + (at - last.at) == place;
        if !self.0.last().is_some_and(goes_on) {
            self.0.push(Run { at, place, one_place });
        }
    }

    /// The runs of a part, as they continue a text of so many bytes.
    fn append(&mut self, length: usize, of: &Self, range: std::ops::Range<usize>) {
        let first = of.0.partition_point(|r| r.at as usize <= range.start).saturating_sub(1);
        for run in of.0[first..].iter().take_while(|r| (r.at as usize) <= range.end) {
            let start = (run.at as usize).max(range.start);
            self.push(length + start - range.start, of.of(start), run.one_place);
        }
    }
}

impl Text {
    /// A text that does not occur literally, at the place that it comes from.
    pub fn new(value: impl Into<String>, span: Span) -> Self {
        Self { value: value.into(), span, places: Places(vec![Run { at: 0, place: span.start, one_place: true }]) }
    }

    /// No text, at a place.
    pub fn empty(span: Span) -> Self {
        Self { value: String::new(), span, places: Places::from(span.start as usize) }
    }

    /// A part of the text.
    pub fn slice(&self, range: std::ops::Range<usize>) -> Self {
        let mut places = Places::default();
        places.append(0, &self.places, range.clone());
        Self { value: self.value[range.clone()].to_string(), span: self.at(range.clone()), places }
    }

    fn place(&self, at: usize) -> u32 {
        self.places.of(at.min(self.value.len()))
    }

    /// The place of a part of the text.
    pub fn at(&self, range: std::ops::Range<usize>) -> Span {
        let start = self.place(range.start);
        let end = if range.end > range.start { self.place(range.end - 1) + 1 } else { start };
        // A range that crosses replaced parameters may run backwards; then the start is all that can be said.
        Span { file: self.span.file, start, end: end.max(start) }
    }

    /// The same text with every `$name` or `${name}` replaced; what was put in has the place of the `$name`.
    /// `None` if a parameter that it uses has no value.
    pub fn substitute<'v>(
        &self,
        value_of: &dyn Fn(&str) -> Option<Option<&'v str>>,
    ) -> Result<Option<Cow<'_, Text>>, (String, Span)> {
        let mut missing = false;
        let replaced = self.replaced(|name, range| match value_of(name) {
            None => Err((name.to_string(), self.at(range))),
            Some(value) => {
                missing |= value.is_none();
                Ok(value)
            }
        })?;
        Ok((!missing).then(|| replaced.map_or(Cow::Borrowed(self), Cow::Owned)))
    }

    /// The same text with the parameters replaced that have a value, and the others kept; `None` if it has none of them.
    pub fn with_parameters<'v>(&self, value_of: &dyn Fn(&str) -> Option<&'v str>) -> Option<Text> {
        let Ok(replaced) = self.replaced(|name, _| Ok::<_, std::convert::Infallible>(value_of(name)));
        replaced
    }

    /// The text with parameters replaced, those without a value kept; `None` if none is replaced.
    fn replaced<'v, E>(
        &self,
        mut value_of: impl FnMut(&str, std::ops::Range<usize>) -> Result<Option<&'v str>, E>,
    ) -> Result<Option<Text>, E> {
        let (mut out, mut places) = (String::new(), Places::default());
        let (mut done, mut at) = (0, 0);
        while let Some(found) = self.value[at..].find('$') {
            let dollar = at + found;
            let rest = &self.value[dollar + 1..];
            let braced = rest.strip_prefix('{').and_then(|rest| rest.split_once('}')).map(|(name, _)| name);
            let length = |text: &str| text.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
            let braced = braced.filter(|name| !name.is_empty() && length(name) == name.len());
            let name = braced.unwrap_or(&rest[..length(rest)]);
            at = dollar + 1 + name.len() + if braced.is_some() { 2 } else { 0 };
            if let Some(value) = value_of(name, dollar..at)? {
                places.append(out.len(), &self.places, done..dollar);
                out.push_str(&self.value[done..dollar]);
                places.push(out.len(), self.place(dollar), true);
                out.push_str(value);
                done = at;
            }
        }
        if done == 0 {
            return Ok(None);
        }
        places.append(out.len(), &self.places, done..self.value.len());
        out.push_str(&self.value[done..]);
        Ok(Some(Text { value: out, span: self.span, places }))
    }

    /// Follows the decoded text through its source: quotes, escapes, folded lines and indentation are stepped over.
    fn locate(value: String, source: &str, span: Span) -> Self {
        let block = block_start(&source[..span.range().start]);
        let start = block.unwrap_or(span.range().start);
        let raw = &source[start..span.range().end.max(start)];
        let block = block.is_some();
        if value == raw {
            return Self { value, span, places: Places::from(start) };
        }
        // A text in quotes without escapes.
        if raw.len() == value.len() + 2 && raw.get(1..=value.len()) == Some(value.as_str()) {
            return Self { value, span, places: Places::from(start + 1) };
        }
        let bytes = raw.as_bytes();
        let double = !block && bytes.first() == Some(&b'"');
        let single = !block && bytes.first() == Some(&b'\'');
        let mut at = usize::from(double || single);
        let mut places = Places::default();
        for (i, c) in value.char_indices() {
            let mut step = c.len_utf8();
            loop {
                match bytes.get(at) {
                    Some(b'\\') if double && !matches!(bytes.get(at + 1), Some(b'\n' | b'\r')) => {
                        step = match bytes.get(at + 1) {
                            Some(b'x') => 4,
                            Some(b'u') => 6,
                            Some(b'U') => 10,
                            _ => 2,
                        };
                        break;
                    }
                    Some(b'\'') if single => {
                        step = 2;
                        break;
                    }
                    Some(_) if raw[at..].starts_with(c) => break,
                    // A folded line break reads as a blank; indentation is not part of the text.
                    Some(b'\n') if c == ' ' => break,
                    Some(_) => at += raw[at..].chars().next().map_or(1, char::len_utf8),
                    None => break,
                }
            }
            // A character that stands in the file as itself keeps its bytes; an escape is one place.
            let itself = raw.get(at..).is_some_and(|r| r.starts_with(c));
            places.push(i, (start + at.min(bytes.len())) as u32, !itself);
            at = (at + step).min(bytes.len());
        }
        places.push(value.len(), (start + at) as u32, false);
        Self { value, span, places }
    }
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
    let mut options = serde_saphyr::Options::default();
    options.strict_booleans = true;
    options.with_snippet = false;
    let mut budget = serde_saphyr::budget::Budget::default();
    budget.max_nodes = MAX_NODES;
    budget.max_events = 4 * MAX_NODES;
    budget.max_total_scalar_bytes = usize::MAX;
    options.budget = Some(budget);
    options.alias_limits.max_total_replayed_events = MAX_ALIASED;
    match serde_saphyr::from_str_with_options::<serde_saphyr::Spanned<Raw>>(text, options) {
        Ok(raw) => Ok(build(raw, text, file)),
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

fn build(raw: serde_saphyr::Spanned<Raw>, text: &str, file: FileId) -> Node {
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
            let items: Vec<Node> = items.into_iter().map(|n| build(n, text, file)).collect();
            span.end = items.last().map_or(span.end, |n| n.span.end.max(span.end));
            NodeKind::Seq(items)
        }
        Raw::Map(entries) => {
            let entries: Vec<(Text, Node)> = entries
                .into_iter()
                .map(|(k, v)| {
                    let key = place(&k.defined);
                    (Text::locate(k.value.0, text, key), build(v, text, file))
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

/// Where the lines of a block (`|`, `>`) begin, if the scalar behind this text is one: they stand under the indicator, blank
/// lines and deeper indentation are part of them, and a quote at their beginning is a character like others.
fn block_start(before: &str) -> Option<usize> {
    let above = before.trim_end_matches([' ', '\t']).strip_suffix('\n')?.trim_end();
    let line = above.rsplit('\n').next().unwrap_or("");
    let line =
        line.split(" #").next().unwrap_or(line).trim_end().trim_end_matches(|c: char| c.is_ascii_digit() || c == '+' || c == '-');
    let lines = above.len() + before[above.len()..].find('\n')? + 1;
    line.ends_with(['|', '>']).then_some(lines)
}

/// What serde sees: scalars that are not strings are read again from the source, so that `0x10` stays `0x10`.
enum Raw {
    Null,
    Scalar(Option<String>),
    Seq(Vec<serde_saphyr::Spanned<Raw>>),
    Map(Vec<(serde_saphyr::Spanned<Key>, serde_saphyr::Spanned<Raw>)>),
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
    fn duplicate_keys_are_refused_at_the_second() {
        let error = parse("a: 1\nb: 2\na: 3\n", FileId(0)).expect_err("a duplicate");
        assert_eq!((error.message.as_str(), error.span().start), ("duplicate mapping key: a", 10));
    }
}
