//! The events of YAML as a tree: aliases and merges are put in, and keys are texts that differ.

use super::fault::Stopped;
use super::{Node, NodeKind, Text};
use granit_parser::{Event, Parser, ScalarStyle, StrInput};
use isa_model::diag::Diagnostic;
use isa_model::span::{FileId, Span};
use std::borrow::Cow;
use std::collections::HashMap;

/// The most keys, values, lists and mappings of a file, expanded aliases included.
pub const MAX_NODES: usize = 1_000_000;
/// The most of them that the aliases of a file expand to.
const MAX_ALIASED: usize = 50_000;
/// The most bytes of texts that they expand to.
const MAX_ALIASED_BYTES: usize = 1 << 26;
/// The most lists and mappings around a value.
const MAX_DEPTH: usize = 64;

type Read<T> = Result<T, Box<Diagnostic>>;

/// Reads the only document of a text.
pub(super) fn read(text: &str, file: FileId) -> Read<Node> {
    let parser = Parser::new_from_str(text);
    let (anchors, aliased) = (HashMap::new(), Size::default());
    let mut reader = Reader { text, file, parser, open: Vec::new(), last: 0, anchors, nodes: 0, anchored: 0, aliased };
    let mut root = None;
    while let Some((event, span)) = reader.next()? {
        if is_node(&event) {
            if root.is_some() {
                return Err(reader.error("a file is one specification: a second YAML document begins here", span));
            }
            root = Some(reader.node(event, span, 0)?.node);
        }
    }
    let nothing = || Node { kind: NodeKind::Null, span: Span::new(file, 0..text.len().min(1)) };
    Ok(root.unwrap_or_else(nothing))
}

fn is_node(event: &Event<'_>) -> bool {
    matches!(event, Event::Scalar(..) | Event::SequenceStart(..) | Event::MappingStart(..) | Event::Alias(_))
}

struct Reader<'t> {
    text: &'t str,
    file: FileId,
    parser: Parser<'t, StrInput<'t>>,
    /// The beginnings of the lists and mappings around, the innermost last.
    open: Vec<usize>,
    /// The end of the last event.
    last: usize,
    /// The nodes that aliases can refer to, by the number of their anchor.
    anchors: HashMap<usize, Sized>,
    nodes: usize,
    /// The number of nodes in `anchors`.
    anchored: usize,
    /// The size of all expanded aliases.
    aliased: Size,
}

/// The size of a tree.
#[derive(Clone, Copy, Default)]
struct Size {
    nodes: usize,
    bytes: usize,
    /// The most lists and mappings in each other.
    height: usize,
}

/// A tree with its size.
#[derive(Clone)]
struct Sized {
    node: Node,
    size: Size,
    /// It is a scalar without quotes, on which YAML's types depend.
    is_plain: bool,
}

/// A key, and by what it differs from others: numbers do so by their value.
struct Key<'t> {
    text: Text,
    identity: Cow<'t, str>,
    /// It is `<<`: the entries of its value belong to the mapping around it.
    is_merge: bool,
}

impl<'t> Reader<'t> {
    fn next(&mut self) -> Read<Option<(Event<'t>, Span)>> {
        let Some(next) = self.parser.next() else { return Ok(None) };
        let (event, span) = next.map_err(|error| {
            let brackets: Vec<usize> =
                self.open.iter().copied().filter(|open| self.text[*open..].starts_with(['[', '{'])).collect();
            let stopped = Stopped { text: self.text, file: self.file, open: &brackets, last: self.last };
            Box::new(stopped.finding(&error))
        })?;
        let start = span.start.byte_offset().unwrap_or(0).min(self.text.len());
        let end = span.end.byte_offset().unwrap_or(start).clamp(start, self.text.len());
        self.last = end;
        Ok(Some((event, Span::new(self.file, start..end))))
    }

    /// The next event inside of a list or a mapping, which the parser closes.
    fn inside(&mut self) -> Read<(Event<'t>, Span)> {
        loop {
            match self.next()? {
                Some((event, span)) if is_node(&event) || matches!(event, Event::SequenceEnd | Event::MappingEnd) => {
                    return Ok((event, span));
                }
                Some(_) => {}
                None => return Err(self.error("a list or a mapping has no end", self.at(self.text.len()))),
            }
        }
    }

    fn at(&self, byte: usize) -> Span {
        Span::new(self.file, byte..byte)
    }

    /// An error at one character.
    fn error(&self, message: impl Into<String>, span: Span) -> Box<Diagnostic> {
        let start = span.range().start;
        let width = self.text[start..].chars().next().filter(|c| *c != '\n').map_or(0, char::len_utf8);
        Box::new(Diagnostic::error("yaml", message, Span::new(self.file, start..start + width)))
    }

    fn too_deep(&self, span: Span) -> Box<Diagnostic> {
        self.error("lists and mappings nest too deep", span)
    }

    fn count(&mut self, nodes: usize, span: Span) -> Read<()> {
        self.nodes += nodes;
        match self.nodes > MAX_NODES {
            true => {
                let most = format!("a specification has at most {MAX_NODES} keys, values, lists and mappings in one file");
                Err(self.error(most, span))
            }
            false => Ok(()),
        }
    }

    /// The node that begins with an event, inside of `depth` lists and mappings.
    fn node(&mut self, event: Event<'t>, span: Span, depth: usize) -> Read<Sized> {
        let (tree, anchor) = match event {
            Event::Alias(anchor) => return self.alias(anchor, span, depth),
            Event::Scalar(value, style, anchor, _) => (self.scalar(value, style, span)?, anchor),
            Event::SequenceStart(_, anchor, _) => (self.list(span, depth)?, anchor),
            Event::MappingStart(_, anchor, _) => (self.mapping(span, depth)?, anchor),
            _ => return Err(self.error("no value begins here", span)),
        };
        if anchor != 0 {
            self.anchored += tree.size.nodes;
            if self.anchored > MAX_NODES {
                return Err(self.error(format!("anchors name more than {MAX_NODES} keys and values"), span));
            }
            self.anchors.insert(anchor, tree.clone());
        }
        Ok(tree)
    }

    fn scalar(&mut self, value: Cow<'t, str>, style: ScalarStyle, span: Span) -> Read<Sized> {
        self.count(1, span)?;
        let size = Size { nodes: 1, bytes: value.len(), height: 0 };
        let is_plain = style == ScalarStyle::Plain;
        let kind = if is_plain && matches!(&*value, "" | "~" | "null" | "Null" | "NULL") {
            NodeKind::Null
        } else {
            let quoted = *value != self.text[span.range()];
            NodeKind::Scalar { text: Text::locate(value.into_owned(), self.text, span), quoted }
        };
        Ok(Sized { node: Node { span, kind }, size, is_plain })
    }

    /// A copy of what an alias refers to.
    fn alias(&mut self, anchor: usize, span: Span, depth: usize) -> Read<Sized> {
        let Some(Size { nodes, bytes, height }) = self.anchors.get(&anchor).map(|tree| tree.size) else {
            return Err(self.error("an alias is inside of what it refers to", span));
        };
        if depth + height > MAX_DEPTH {
            return Err(self.too_deep(span));
        }
        self.aliased.nodes += nodes;
        self.aliased.bytes += bytes;
        if self.aliased.nodes > MAX_ALIASED || self.aliased.bytes > MAX_ALIASED_BYTES {
            let most = format!(
                "aliases expand to more than {MAX_ALIASED} keys and values, or to more than {} MiB",
                MAX_ALIASED_BYTES >> 20
            );
            return Err(self.error(most, span));
        }
        self.count(nodes, span)?;
        Ok(self.anchors[&anchor].clone())
    }

    fn list(&mut self, mut span: Span, depth: usize) -> Read<Sized> {
        let mut size = self.open(span, depth)?;
        let mut items = Vec::new();
        loop {
            let (event, place) = self.inside()?;
            if matches!(event, Event::SequenceEnd) {
                self.open.pop();
                span.end = items.last().map_or(span.end, |item: &Node| item.span.end.max(span.end));
                return Ok(Sized { node: Node { span, kind: NodeKind::Seq(items) }, size, is_plain: false });
            }
            let item = self.node(event, place, depth + 1)?;
            size.add(item.size);
            items.push(item.node);
        }
    }

    /// The size of a list or a mapping without anything.
    fn open(&mut self, span: Span, depth: usize) -> Read<Size> {
        if depth >= MAX_DEPTH {
            return Err(self.too_deep(span));
        }
        self.count(1, span)?;
        self.open.push(span.range().start);
        Ok(Size { nodes: 1, bytes: 0, height: 1 })
    }

    fn mapping(&mut self, mut span: Span, depth: usize) -> Read<Sized> {
        let mut size = self.open(span, depth)?;
        let mut entries: Vec<(Text, Node)> = Vec::new();
        let mut known: HashMap<Cow<'t, str>, usize> = HashMap::new();
        let mut merged = Vec::new();
        loop {
            let (event, place) = self.inside()?;
            if matches!(event, Event::MappingEnd) {
                self.open.pop();
                break;
            }
            let key = self.node(event, place, depth + 1)?;
            size.add(key.size);
            let key = self.key(key)?;
            let (event, place) = self.inside()?;
            let value = self.node(event, place, depth + 1)?;
            size.add(value.size);
            if key.is_merge {
                merged.push(value.node);
                continue;
            }
            if let Some(first) = known.insert(key.identity, entries.len()) {
                self.both(&entries[first], (&key.text, &value.node))?;
            }
            entries.push((key.text, value.node));
        }
        if let (Some(first), Some(last)) = (entries.first(), entries.last()) {
            span.start = first.0.span.start;
            span.end = last.1.span.end.max(last.0.span.end);
        }
        for value in merged {
            self.merge(value, &mut entries)?;
        }
        Ok(Sized { node: Node { span, kind: NodeKind::Map(entries) }, size, is_plain: false })
    }

    fn key(&self, key: Sized) -> Read<Key<'t>> {
        let NodeKind::Scalar { text, .. } = key.node.kind else {
            let error = self.error("a key is a text", key.node.span);
            return Err(
                match self.text[key.node.span.range().start.saturating_sub(1)..].trim_start_matches(' ').chars().next() {
                    Some(c @ ('{' | '[')) => Box::new(error.with_help(format!("a text with `{c}` is written in quotes"))),
                    _ => error,
                },
            );
        };
        // The digits of words say how long these are: `05` and `0005` are two keys.
        let is_word = text.value.starts_with('0') && text.value.bytes().all(|c| c.is_ascii_digit());
        let number = (key.is_plain && !is_word).then(|| number(&text.value)).flatten();
        let identity = number.map_or_else(|| text.value.clone(), |number| number.to_string());
        Ok(Key { is_merge: key.is_plain && text.value == "<<", identity: identity.into(), text })
    }

    /// Lets two entries have one key if tables make other keys of it.
    fn both(&self, (first, one): &(Text, Node), (key, other): (&Text, &Node)) -> Read<()> {
        let message = format!("duplicate mapping key: {}", key.value);
        let error = Diagnostic::error("yaml", message, key.span).with_label(first.span, "first here");
        if !key.value.contains('$') {
            return Err(Box::new(error));
        }
        let has_table = |node: &Node| matches!(&node.kind, NodeKind::Map(keys) if keys.iter().any(|(key, _)| key.value == "for"));
        match has_table(one) && has_table(other) {
            true => Ok(()),
            false => {
                Err(Box::new(error.with_help("two entries can have one key if both have a `for` that makes other keys of it")))
            }
        }
    }

    /// Adds the entries of a mapping, or of several, to those of another one, which go first.
    fn merge(&self, value: Node, entries: &mut Vec<(Text, Node)>) -> Read<()> {
        match value.kind {
            NodeKind::Map(others) => {
                for (key, node) in others {
                    if entries.iter().all(|(known, _)| known.value != key.value) {
                        entries.push((key, node));
                    }
                }
                Ok(())
            }
            NodeKind::Seq(items) => items.into_iter().try_for_each(|item| self.merge(item, entries)),
            _ => Err(self.error("`<<` takes a mapping, or a list of mappings", value.span)),
        }
    }
}

impl Size {
    /// Adds what is inside of a list or a mapping.
    fn add(&mut self, inside: Size) {
        self.nodes += inside.nodes;
        self.bytes += inside.bytes;
        self.height = self.height.max(1 + inside.height);
    }
}

/// The whole number that YAML takes a text for.
fn number(text: &str) -> Option<i128> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text.strip_prefix('+').unwrap_or(text)), |rest| (-1, rest));
    let (radix, digits) = [("0x", 16), ("0o", 8), ("0b", 2)]
        .iter()
        .find_map(|(mark, radix)| Some((*radix, digits.strip_prefix(mark)?)))
        .unwrap_or((10, digits));
    let is_number = digits.starts_with(|c: char| c.is_ascii_hexdigit());
    i128::from_str_radix(digits, radix).ok().filter(|_| is_number)?.checked_mul(sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree as flow YAML, without quotes.
    fn shown(node: &Node) -> String {
        let all = |items: Vec<String>| items.join(", ");
        match &node.kind {
            NodeKind::Null => "~".to_string(),
            NodeKind::Scalar { text, .. } => text.value.clone(),
            NodeKind::Seq(items) => format!("[{}]", all(items.iter().map(shown).collect())),
            NodeKind::Map(entries) => {
                format!("{{{}}}", all(entries.iter().map(|(key, node)| format!("{}: {}", key.value, shown(node))).collect()))
            }
        }
    }

    fn read_all(text: &str) -> Result<String, (String, usize)> {
        read(text, FileId(0)).map(|node| shown(&node)).map_err(|error| (error.message.clone(), error.span().range().start))
    }

    fn fault<T>(message: &str, at: usize) -> Result<T, (String, usize)> {
        Err((message.to_string(), at))
    }

    #[test]
    fn aliases_are_copies_with_the_places_of_what_they_refer_to() {
        let text = "a: &x [1, ~, 'b']\nc: *x\nd: { e: *x }\n";
        assert_eq!(read_all(text).as_deref(), Ok("{a: [1, ~, b], c: [1, ~, b], d: {e: [1, ~, b]}}"));
        let node = read(text, FileId(0)).expect("good YAML");
        let NodeKind::Map(entries) = &node.kind else { panic!("a mapping") };
        assert_eq!(entries[1].1.span, entries[0].1.span);
        assert_eq!(read_all("a: &x [ *x ]\n"), fault("an alias is inside of what it refers to", 8));
        assert_eq!(read_all("a: *x\n"), fault("alias references unknown anchor", 3));
    }

    #[test]
    fn aliases_and_depth_are_bounded() {
        let list = |item: &str, count: usize| vec![item; count].join(", ");
        let many = format!("a: &a [{}]\nb: [{}]\n", list("x", 999), list("*a", 51));
        let message = "aliases expand to more than 50000 keys and values, or to more than 64 MiB";
        assert_eq!(read_all(&many), fault(message, many.rfind("*a").expect("an alias")));
        let nested = |depth: usize| format!("{}x{}", "[".repeat(depth), "]".repeat(depth));
        assert!(read_all(&nested(MAX_DEPTH)).is_ok());
        assert_eq!(read_all(&nested(MAX_DEPTH + 1)), fault("lists and mappings nest too deep", MAX_DEPTH));
        // Aliases add to the depth.
        let text = format!("a: &a {}\nb: {}*a{}\n", nested(40), "[".repeat(30), "]".repeat(30));
        assert_eq!(read_all(&text), fault("lists and mappings nest too deep", text.rfind("*a").expect("an alias")));
    }

    #[test]
    fn merges_put_entries_behind_those_of_the_mapping() {
        let text = "a: &a { x: 1, y: 2 }\nb: { <<: *a, y: 3 }\nc: { <<: [{ z: 4 }, *a] }\n";
        assert_eq!(read_all(text).as_deref(), Ok("{a: {x: 1, y: 2}, b: {y: 3, x: 1}, c: {z: 4, x: 1, y: 2}}"));
        assert_eq!(read_all("<<: 1\n"), fault("`<<` takes a mapping, or a list of mappings", 4));
    }

    #[test]
    fn keys_are_texts_and_numbers_differ_by_value() {
        assert_eq!(read_all("{ 16: a, 0x10: b }"), fault("duplicate mapping key: 0x10", 9));
        assert_eq!(read_all("{ -1: a, 1: b, 0b10: c, 0o3: d, e1: f }").as_deref(), Ok("{-1: a, 1: b, 0b10: c, 0o3: d, e1: f}"));
        assert_eq!(read_all("{ '1': a, 1: b }"), fault("duplicate mapping key: 1", 10));
        assert_eq!(read_all("~: a\n"), fault("a key is a text", 0));
        assert_eq!(read_all("[a]: b\n"), fault("a key is a text", 0));
        assert_eq!(read_all("a: 1\n---\nb: 2\n"), fault("a file is one specification: a second YAML document begins here", 9));
    }
}
