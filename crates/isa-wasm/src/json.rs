//! Answers as JSON. Numbers of more than 32 bits are texts of hexadecimal digits.

use isa_engine::Word;
use std::fmt::Write;

/// A text.
pub(crate) fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\0'..='\x1f' => write!(out, "\\u{:04x}", c as u32).expect("writing to a String"),
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A number as hexadecimal digits.
pub(crate) fn hex(number: impl Into<Word>) -> String {
    format!("\"{:x}\"", number.into())
}

/// A list.
pub(crate) fn list(items: impl IntoIterator<Item = String>) -> String {
    let items: Vec<String> = items.into_iter().collect();
    format!("[{}]", items.join(","))
}

/// An object: names, which are plain words, and values in JSON.
pub(crate) fn object<const N: usize>(members: [(&str, String); N]) -> String {
    let members = members.map(|(name, value)| format!("\"{name}\":{value}"));
    format!("{{{}}}", members.join(","))
}
