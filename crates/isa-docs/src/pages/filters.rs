//! Text in the markup that a template is written in.
//!
//! Prose in a spec is plain text in which `` `…` `` marks code; everything else that a markup language would take for markup
//! stays the character that it is.

// The attribute makes a public item of each function.
#![allow(unreachable_pub)]

use super::calls::{Kind, tokens};
use super::syntax::{Part, declared};
use askama::filters::Safe;
use askama::{Result, Values};
use std::fmt::Display;

/// Plain text in Markdown, on one line.
#[askama::filter_fn]
pub(super) fn md(text: impl Display, _: &dyn Values) -> Result<String> {
    let text = text.to_string();
    Ok(marked(&text.split_whitespace().collect::<Vec<_>>().join(" ")))
}

/// Prose in Markdown, on its own lines.
#[askama::filter_fn]
pub(super) fn prose(text: impl Display, _: &dyn Values) -> Result<String> {
    Ok(marked(&text.to_string()))
}

/// Code in Markdown, also inside a table; nothing for nothing.
#[askama::filter_fn]
pub(super) fn code(text: impl Display, _: &dyn Values) -> Result<String> {
    let text = text.to_string();
    if text.is_empty() {
        return Ok(text);
    }
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    Ok(format!("{fence}{pad}{}{pad}{fence}", text.replace('|', "\\|").replace('\n', " ")))
}

/// Lines of code in Markdown, between fences that are longer than any in them.
#[askama::filter_fn]
pub(super) fn block(text: impl Display, _: &dyn Values) -> Result<String> {
    let text = text.to_string();
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    Ok(format!("{fence}text\n{text}\n{fence}"))
}

/// Prose in HTML.
#[askama::filter_fn]
pub(super) fn rich(text: impl Display, _: &dyn Values) -> Result<Safe<String>> {
    let mut out = String::new();
    for (is_code, part) in parts(&text.to_string()) {
        let escaped = escaped(part);
        match is_code {
            true => out.push_str(&format!("<code>{escaped}</code>")),
            false => out.push_str(&escaped),
        }
    }
    Ok(Safe(out))
}

/// A text in HTML.
#[askama::filter_fn]
pub(super) fn syntax(parts: &[Part], _: &dyn Values) -> Result<Safe<String>> {
    Ok(Safe(of_parts(parts)))
}

/// A template as it is declared, in HTML.
#[askama::filter_fn]
pub(super) fn template(text: impl Display, _: &dyn Values) -> Result<Safe<String>> {
    Ok(Safe(of_parts(&declared(&text.to_string()))))
}

fn of_parts(parts: &[Part]) -> String {
    let mut out = String::new();
    for (at, part) in parts.iter().enumerate() {
        match part {
            Part::Literal(text) => out.push_str(&escaped(text)),
            Part::Field(path) => {
                let class = if at > 0 && matches!(parts[at - 1], Part::Field(_)) { " class=\"next\"" } else { "" };
                out.push_str(&format!("<var{class}>{}</var>", escaped(path)));
            }
            Part::Optional { when, body } => {
                out.push_str(&format!("<span class=\"opt\" title=\"{}\">{}</span>", escaped(when), of_parts(body)));
            }
        }
    }
    out
}

/// Semantics in HTML: functions of the specification are links to their declarations on a page.
#[askama::filter_fn]
pub(super) fn calls(source: impl Display, _: &dyn Values, functions: &[String], page: &str) -> Result<Safe<String>> {
    let mut out = String::new();
    for (kind, text) in tokens(&source.to_string()) {
        let text = escaped(text);
        match kind {
            Kind::Called if functions.contains(&text) => {
                out.push_str(&format!("<a href=\"{page}#function-{text}\">{text}</a>"));
            }
            _ => out.push_str(&text),
        }
    }
    Ok(Safe(out))
}

/// Declarations of functions in HTML, with anchors.
#[askama::filter_fn]
pub(super) fn functions(source: impl Display, _: &dyn Values) -> Result<Safe<String>> {
    let source = source.to_string();
    let all = tokens(&source);
    let declared: Vec<&str> = all.iter().filter(|(kind, _)| *kind == Kind::Declared).map(|(_, text)| *text).collect();
    let piece = |(kind, text): &(Kind, &str)| {
        let text = escaped(text);
        match kind {
            Kind::Declared => format!("<span id=\"function-{text}\">{text}</span>"),
            Kind::Called if declared.contains(&text.as_str()) => format!("<a href=\"#function-{text}\">{text}</a>"),
            _ => text,
        }
    };
    Ok(Safe(all.iter().map(piece).collect()))
}

/// Text in HTML, also in the value of an attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The anchor of a heading.
#[askama::filter_fn]
pub(super) fn anchor(text: impl Display, _: &dyn Values) -> Result<String> {
    Ok(super::prose::anchor(&text.to_string()))
}

/// Examples for the explorer, one a line.
#[askama::filter_fn]
pub(super) fn joined(texts: &[String], _: &dyn Values) -> Result<String> {
    Ok(texts.join("\n"))
}

/// The way into a folder.
#[askama::filter_fn]
pub(super) fn folder_slash(text: impl Display, _: &dyn Values) -> Result<String> {
    Ok(format!("{text}/"))
}

/// With a capital letter.
#[askama::filter_fn]
pub(super) fn capital(text: impl Display, _: &dyn Values) -> Result<String> {
    let text = text.to_string();
    let mut chars = text.chars();
    Ok(chars.next().map(|c| c.to_uppercase().chain(chars).collect()).unwrap_or_default())
}

fn marked(text: &str) -> String {
    let mut out = String::new();
    for (is_code, part) in parts(text) {
        if is_code {
            out.push_str(&format!("`{}`", part.replace('|', "\\|")));
            continue;
        }
        for c in part.chars() {
            if matches!(c, '|' | '*' | '_' | '`' | '<' | '>' | '[' | ']' | '\\' | '~') {
                out.push('\\');
            }
            out.push(c);
        }
    }
    out
}

/// Prose and code in turn; a mark without a partner is itself.
fn parts(text: &str) -> Vec<(bool, &str)> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('`')
        && let Some(length) = rest[start + 1..].find('`')
    {
        let end = start + 1 + length;
        parts.push((false, &rest[..start]));
        parts.push((true, &rest[start + 1..end]));
        rest = &rest[end + 1..];
    }
    parts.push((false, rest));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_text_except_in_code() {
        assert_eq!(marked("a*b | `c|*` ~d"), "a\\*b \\| `c\\|*` \\~d");
        assert_eq!(marked("one ` mark"), "one \\` mark");
        assert_eq!(parts("`x`"), [(false, ""), (true, "x"), (false, "")]);
    }
}
