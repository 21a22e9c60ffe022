//! Texts as JSON.

use isa_model::escape::is_deceptive;
use std::fmt::Write;

/// A text as JSON, on one line. Control characters of terminals are escaped.
pub(crate) fn line(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // All of these are in the basic plane.
            c if is_deceptive(c) => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Appends a text as JSON.
pub fn text(text: &str, out: &mut Vec<u8>) {
    // Nearly all texts need no escape.
    if text.bytes().fold(true, |plain, b| plain & (matches!(b, b' '..=b'~') & (b != b'"') & (b != b'\\'))) {
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
    } else {
        out.extend_from_slice(line(text).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped() {
        assert_eq!(line("a\"\\\n\r\t\u{8}\u{202e}é"), r#""a\"\\\n\r\t\u0008\u202eé""#);
    }
}
