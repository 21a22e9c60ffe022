//! YAML with places: a tree of nodes, each with its place in the source, character by character.
//!
//! granit-parser gives the events of YAML with their places in bytes; this module makes the tree of them, bounds what aliases expand to, and
//! keeps the map from each character of a decoded string back to the file.

mod fault;
mod tree;

use isa_model::diag::{Diagnostic, Diagnostics};
use isa_model::escape::is_deceptive;
use isa_model::span::{FileId, Span};

pub use isa_model::span::{Hole, Part, Text};
pub use tree::MAX_NODES;

/// A node of the tree.
#[derive(Clone, Debug)]
pub struct Node {
    /// The place of the node.
    pub span: Span,
    /// The kind, with the content.
    pub kind: NodeKind,
}

/// A kind of node, with its content.
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

/// Reads a file's text into a tree.
pub fn parse(text: &str, file: FileId) -> Result<Node, Box<Diagnostic>> {
    if text.lines().all(|l| l.trim().is_empty() || l.trim_start().starts_with('#')) {
        return Ok(Node { kind: NodeKind::Null, span: Span::new(file, 0..text.len().min(1)) });
    }
    tree::read(text, file)
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
    /// The message with its place, then each label with its place, then the help.
    fn fault(source: &str) -> String {
        let error = parse(source, FileId(0)).expect_err("a fault");
        let place = |span: Span| {
            let before = &source[..span.range().start];
            format!("{}:{}", before.matches('\n').count() + 1, before.len() - before.rfind('\n').map_or(0, |end| end + 1) + 1)
        };
        let labels = error.labels[1..].iter().map(|(span, text)| format!("; {} {text}", place(*span)));
        let help = error.help.iter().map(|help| format!(" ({help})"));
        format!("{} {}{}", place(error.span()), error.message, labels.chain(help).collect::<String>())
    }

    #[test]
    fn a_bracket_that_is_not_closed_is_the_place_of_the_fault() {
        let before = |at: &str| format!("`{{` is not closed; {at} expected `,` or `}}` before this");
        assert_eq!(fault("r: { a: { b: 1 }\ni:\n  c: 1\n"), format!("1:4 {}", before("2:1")));
        assert_eq!(fault("a:\n  f: { b: 1\n  t: x\n"), format!("2:6 {}", before("3:4")));
        assert_eq!(fault("a: { f: { b: 1 }\n"), "1:4 `{` is not closed");
        assert_eq!(fault("a: { f: [ b, 1 }, c: 1 }\n"), "1:9 `[` is closed by `}`");
        // A line that is indented deeper lacks the comma.
        assert_eq!(fault("a: {\n  b: 1\n  c: 2\n}\n"), "3:4 expected `,` or `}`; 1:4 inside of this");
    }

    #[test]
    fn a_text_that_is_not_in_quotes() {
        let quotes = "(a text with `{` is written in quotes)";
        assert_eq!(fault("a: { text: add {d}, {a} }\n"), format!("1:16 expected `,` or `}}`; 1:4 inside of this {quotes}"));
        assert_eq!(fault("a: { text: {d}, {a} }\n"), format!("1:18 a key is a text {quotes}"));
        assert_eq!(
            fault("text: {d}, {a}\n"),
            "1:10 the value ends before this `,` (there is a bracket too many, or a text that is not in quotes as a whole)"
        );
        assert_eq!(
            fault("a:\n  b: { text: {d}, #{n}, c: \"}\" }\n  d: 1\n"),
            "2:19 ` #` begins a comment, and the `}` in it closes nothing; 2:6 not closed (a text with `#` is written in quotes)"
        );
        assert_eq!(fault("a: b: c\n"), "1:5 a value can't begin here (a text with `: ` is written in quotes)");
        assert_eq!(fault("a:\n    b: 1\n  c: 2\n"), "3:3 no mapping has its keys at this column");
        let key = "(a key is indented as the other keys of its mapping: this line goes on with the value above)";
        assert_eq!(fault("a: b\n  c: d\n"), format!("2:4 a value can't begin here {key}"));
    }

    #[test]
    fn a_quote_that_is_not_closed_is_the_place_of_the_fault() {
        assert_eq!(fault("a:\n  t: \"x # y\n  s: \"z\"\n"), "2:6 `\"` is not closed on its line; 3:7 the text ends before this");
        assert_eq!(fault("a: 'x\n"), "1:4 `'` is not closed on its line");
        assert_eq!(
            fault("a: \"x \"y\"\"\n"),
            "1:8 a text in quotes ends before this; 1:4 it begins here (`\"` within the text is written `\\\"`)"
        );
        assert_eq!(fault("a: \"\\>\"\n"), "1:4 there is no such escape (in double quotes, `\\` itself is written `\\\\`)");
    }
}
