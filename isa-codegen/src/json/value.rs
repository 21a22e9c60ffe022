//! JSON as text: what is short stands on one line.

use isa_spec::diag::json_string;

/// A JSON value.
pub(super) enum Json {
    Plain(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// Longer values are broken into lines.
const WIDTH: usize = 130;

impl Json {
    /// The value at this depth, broken into lines where it is long.
    pub(super) fn print(&self, indent: usize, out: &mut String) {
        let line = self.line(WIDTH.saturating_sub(indent));
        match (line, self) {
            (Some(line), _) => out.push_str(&line),
            (None, Self::Plain(text)) => out.push_str(text),
            (None, Self::Array(items)) => Self::lines(items.iter().map(|i| (None, i)), ['[', ']'], indent, out),
            (None, Self::Object(pairs)) => Self::lines(pairs.iter().map(|(k, v)| (Some(k), v)), ['{', '}'], indent, out),
        }
    }

    fn lines<'a>(
        items: impl Iterator<Item = (Option<&'a String>, &'a Json)>,
        brackets: [char; 2],
        indent: usize,
        out: &mut String,
    ) {
        out.push(brackets[0]);
        for (i, (key, item)) in items.enumerate() {
            out.push_str(if i > 0 { ",\n" } else { "\n" });
            out.push_str(&" ".repeat(indent + 1));
            if let Some(key) = key {
                out.push_str(&format!("{}: ", json_string(key)));
            }
            item.print(indent + 1, out);
        }
        out.push('\n');
        out.push_str(&" ".repeat(indent));
        out.push(brackets[1]);
    }

    /// The value on one line, if it has no more than this many bytes.
    fn line(&self, room: usize) -> Option<String> {
        let text = match self {
            Self::Plain(text) => text.clone(),
            Self::Array(items) => {
                let mut text = String::from("[");
                for (i, item) in items.iter().enumerate() {
                    text.push_str(if i > 0 { ", " } else { "" });
                    text.push_str(&item.line(room.checked_sub(text.len())?)?);
                }
                text + "]"
            }
            Self::Object(pairs) => {
                let mut text = String::from("{");
                for (i, (key, item)) in pairs.iter().enumerate() {
                    text.push_str(if i > 0 { ", " } else { "" });
                    text.push_str(&format!("{}: ", json_string(key)));
                    text.push_str(&item.line(room.checked_sub(text.len())?)?);
                }
                text + "}"
            }
        };
        (text.len() <= room).then_some(text)
    }
}

/// An object that leaves out what is empty.
#[derive(Default)]
pub(super) struct Object(Vec<(String, Json)>);

impl Object {
    /// A key and its value.
    pub(super) fn with(mut self, key: &str, value: impl Into<Json>) -> Self {
        self.0.push((key.into(), value.into()));
        self
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
        if is_set { self.with(key, Json::Plain("true".into())) } else { self }
    }

    /// An object, unless it is empty.
    pub(super) fn map(self, key: &str, pairs: Vec<(String, Json)>) -> Self {
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

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::Plain(json_string(text))
    }
}

impl From<&String> for Json {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl From<String> for Json {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl From<u32> for Json {
    fn from(n: u32) -> Self {
        Self::Plain(n.to_string())
    }
}

impl From<i64> for Json {
    fn from(n: i64) -> Self {
        Self::Plain(n.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_values_stand_on_one_line() {
        let value: Json = Object::default().with("a", 1u32).list("b", vec!["x".into(), "x".into()]).text("c", "").into();
        let mut out = String::new();
        value.print(0, &mut out);
        assert_eq!(out, r#"{"a": 1, "b": ["x", "x"]}"#);
    }

    #[test]
    fn long_values_are_broken() {
        let long = "x".repeat(100);
        let value: Json = Object::default().with("a", &long).with("b", &long).into();
        let mut out = String::new();
        value.print(0, &mut out);
        assert_eq!(out, format!("{{\n \"a\": \"{long}\",\n \"b\": \"{long}\"\n}}"));
    }
}
