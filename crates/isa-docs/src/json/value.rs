//! JSON as text; short values are on one line.

use isa_spec::escape::is_deceptive;
use serde::ser::Serialize;
use serde_json::Map;
use serde_json::ser::{CharEscape, Formatter};
use std::io::{self, Write};

/// A JSON value, whose objects keep the order of their members.
pub(super) type Json = serde_json::Value;

/// A value on one line. Control characters of terminals are escaped.
///
/// # Errors
/// When the value can't be represented in JSON: a map whose keys are not texts.
pub fn line(value: &impl Serialize) -> serde_json::Result<String> {
    let mut out = Vec::new();
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut out, Style { gap: "" }))?;
    Ok(String::from_utf8(out).expect("JSON is written as UTF-8"))
}

/// The style of a line of JSON: the text after commas and colons.
struct Style {
    gap: &'static str,
}

impl Style {
    fn comma(&self, writer: &mut (impl Write + ?Sized), is_first: bool) -> io::Result<()> {
        if is_first { Ok(()) } else { write!(writer, ",{}", self.gap) }
    }
}

impl Formatter for Style {
    fn begin_array_value<W: Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.comma(writer, first)
    }

    fn begin_object_key<W: Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.comma(writer, first)
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        write!(writer, ":{}", self.gap)
    }

    fn write_string_fragment<W: Write + ?Sized>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.find(is_deceptive) {
            let c = rest[at..].chars().next().unwrap_or_default();
            // All of these are in the basic plane.
            write!(writer, "{}\\u{:04x}", &rest[..at], u32::from(c))?;
            rest = &rest[at + c.len_utf8()..];
        }
        writer.write_all(rest.as_bytes())
    }

    fn write_char_escape<W: Write + ?Sized>(&mut self, writer: &mut W, escape: CharEscape) -> io::Result<()> {
        let text = match escape {
            CharEscape::Quote => "\\\"",
            CharEscape::ReverseSolidus => "\\\\",
            CharEscape::Solidus => "\\/",
            CharEscape::LineFeed => "\\n",
            CharEscape::CarriageReturn => "\\r",
            CharEscape::Tab => "\\t",
            CharEscape::Backspace => "\\u0008",
            CharEscape::FormFeed => "\\u000c",
            CharEscape::AsciiControl(byte) => return write!(writer, "\\u{byte:04x}"),
        };
        writer.write_all(text.as_bytes())
    }
}

/// A writer that takes at most `most` bytes.
struct Room {
    text: Vec<u8>,
    most: usize,
}

impl Write for Room {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.text.len() + bytes.len() > self.most {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Longer values are broken into lines.
const WIDTH: usize = 130;

/// Appends a value at this depth, broken into lines where it is long.
pub(super) fn print(value: &Json, indent: usize, out: &mut String) {
    match (value, short(value, WIDTH.saturating_sub(indent))) {
        (_, Some(line)) => out.push_str(&line),
        (Json::Array(items), None) => lines(items.iter().map(|i| (None, i)), ['[', ']'], indent, out),
        (Json::Object(pairs), None) => lines(pairs.iter().map(|(k, v)| (Some(k), v)), ['{', '}'], indent, out),
        (_, None) => out.push_str(&short(value, usize::MAX).unwrap_or_default()),
    }
}

fn lines<'a>(items: impl Iterator<Item = (Option<&'a String>, &'a Json)>, brackets: [char; 2], indent: usize, out: &mut String) {
    out.push(brackets[0]);
    for (i, (key, item)) in items.enumerate() {
        out.push_str(if i > 0 { ",\n" } else { "\n" });
        out.push_str(&" ".repeat(indent + 1));
        if let Some(key) = key {
            out.push_str(&short(key, usize::MAX).unwrap_or_default());
            out.push_str(": ");
        }
        print(item, indent + 1, out);
    }
    out.push('\n');
    out.push_str(&" ".repeat(indent));
    out.push(brackets[1]);
}

/// A value on one line, if it has no more than this many bytes.
fn short(value: &impl Serialize, most: usize) -> Option<String> {
    let mut room = Room { text: Vec::new(), most };
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut room, Style { gap: " " })).ok()?;
    String::from_utf8(room.text).ok()
}

/// An object that omits empty members.
#[derive(Default)]
pub(super) struct Object(Map<String, Json>);

impl Object {
    /// A key and its value.
    pub(super) fn with(mut self, key: &str, value: impl Into<Json>) -> Self {
        self.0.insert(key.into(), value.into());
        self
    }

    /// Returns true if it has a key.
    pub(super) fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// A value, unless it is null, false, or empty.
    pub(super) fn some(self, key: &str, value: Json) -> Self {
        let is_empty = match &value {
            Json::Null => true,
            Json::Bool(is_set) => !is_set,
            Json::Number(_) => false,
            Json::String(text) => text.is_empty(),
            Json::Array(items) => items.is_empty(),
            Json::Object(pairs) => pairs.is_empty(),
        };
        if is_empty { self } else { self.with(key, value) }
    }

    /// A text, unless it is empty.
    pub(super) fn text(self, key: &str, text: &str) -> Self {
        if text.is_empty() { self } else { self.with(key, text) }
    }

    /// A list, unless it is empty.
    pub(super) fn list(self, key: &str, items: Vec<Json>) -> Self {
        if items.is_empty() { self } else { self.with(key, Json::Array(items)) }
    }

    /// A mark, if it is set.
    pub(super) fn set(self, key: &str, is_set: bool) -> Self {
        if is_set { self.with(key, Json::Bool(true)) } else { self }
    }

    /// An object, unless it is empty.
    pub(super) fn map(self, key: &str, pairs: Map<String, Json>) -> Self {
        if pairs.is_empty() { self } else { self.with(key, Json::Object(pairs)) }
    }

    /// The keys of another object, too.
    pub(super) fn extend(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }
}

impl From<Object> for Json {
    fn from(object: Object) -> Self {
        Self::Object(object.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_values_stand_on_one_line() {
        let value: Json = Object::default().with("a", 1u32).list("b", vec!["x".into(), "x".into()]).text("c", "").into();
        let mut out = String::new();
        print(&value, 0, &mut out);
        assert_eq!(out, r#"{"a": 1, "b": ["x", "x"]}"#);
    }

    #[test]
    fn what_a_terminal_would_obey_is_escaped() {
        let text = "a\u{1b}[1m \"\\/\n\r\t\u{8}\u{c}\u{7f} é \u{9b}\u{202e}x\u{2028}";
        let expected = r#""a\u001b[1m \"\\/\n\r\t\u0008\u000c\u007f é \u009b\u202ex\u2028""#;
        assert_eq!(super::line(&Json::from(text)).ok().as_deref(), Some(expected));
        assert_eq!(
            super::line(&Json::Array(vec![Json::Null, u64::MAX.into(), (-1i64).into()])).ok(),
            Some(format!("[null,{},-1]", u64::MAX))
        );
    }

    #[test]
    fn long_values_are_broken() {
        let long = "x".repeat(100);
        let value: Json = Object::default().with("a", long.as_str()).with("b", long.as_str()).into();
        let mut out = String::new();
        print(&value, 0, &mut out);
        assert_eq!(out, format!("{{\n \"a\": \"{long}\",\n \"b\": \"{long}\"\n}}"));
    }
}
