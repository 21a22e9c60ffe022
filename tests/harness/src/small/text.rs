//! Conditions, templates and lines of syntax of a small spec, as they are written.

use super::spec::{Cond, Name, Piece, Radix, Text, Value};
use std::fmt::Write;

pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.path, if self.optional { "?" } else { "" })
    }
}

impl std::fmt::Display for Cond {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let inside = |part: &Cond| match part {
            Cond::Or(_) | Cond::And(_) => format!("({part})"),
            _ => part.to_string(),
        };
        match self {
            Cond::Or(parts) => f.write_str(&parts.iter().map(inside).collect::<Vec<_>>().join(" || ")),
            Cond::And(parts) => f.write_str(&parts.iter().map(inside).collect::<Vec<_>>().join(" && ")),
            Cond::Not(part) => write!(f, "!({part})"),
            Cond::Bare(name) => write!(f, "{name}"),
            Cond::Compare(name, op, value) => write!(f, "{name} {op} {}", value.text),
            Cond::Arith(name, op, k, None) => write!(f, "{name} {op} {k}"),
            Cond::Arith(name, op, k, Some((equal, c))) => write!(f, "{name} {op} {k} {} {c}", if *equal { "==" } else { "!=" }),
            Cond::In(name, elements) => {
                let one = |(first, last): &(Value, Option<Value>)| match last {
                    Some(last) => format!("{} .. {}", first.text, last.text),
                    None => first.text.clone(),
                };
                write!(f, "{name} in {{{}}}", elements.iter().map(one).collect::<Vec<_>>().join(", "))
            }
            Cond::OneHot(name) => write!(f, "onehot({name})"),
            Cond::Fields(by_number, left, op, right) => {
                let term = |(name, plus): &(Name, i64)| {
                    let field = if *by_number { format!("number({name})") } else { name.to_string() };
                    match plus {
                        0 => field,
                        1.. => format!("{field} + {plus}"),
                        _ => format!("{field} - {}", -plus),
                    }
                };
                write!(f, "{} {op} {}", term(left), term(right))
            }
            Cond::Is(slot, alternatives) => write!(f, "{slot} is {}", alternatives.join(" | ")),
            Cond::Has(tag) => write!(f, "has {tag}"),
            Cond::Define(name) => f.write_str(name),
        }
    }
}

pub(super) fn template(pieces: &[Piece]) -> String {
    let mut out = String::new();
    for piece in pieces {
        match piece {
            Piece::Literal(text) => out.extend(text.chars().flat_map(|c| {
                let escaped = matches!(c, '<' | '>' | '{' | '}' | '\\');
                escaped.then_some('\\').into_iter().chain([c])
            })),
            Piece::Place { name, optional, radix } => {
                let radix = match radix {
                    None => String::new(),
                    Some(Radix::Hex) => ":x".to_string(),
                    Some(Radix::Dec) => ":d".to_string(),
                    Some(Radix::Padded(digits)) => format!(":0{digits}"),
                    Some(Radix::PaddedHex(digits)) => format!(":0{digits}x"),
                };
                let _ = write!(out, "{{{name}{}{radix}}}", if *optional { "?" } else { "" });
            }
            Piece::Group(body) => {
                let _ = write!(out, "<{}>", template(body));
            }
            Piece::When(cond, body) => {
                let _ = write!(out, "<when {cond}: {}>", template(body));
            }
            Piece::Body => out.push_str("{body}"),
        }
    }
    out
}

pub(super) fn texts(variants: &Text) -> String {
    if let [(None, only)] = variants.as_slice() {
        return quoted(&template(only));
    }
    let one = |(cond, pieces): &(Option<Cond>, Vec<Piece>)| match cond {
        Some(cond) => format!("{{ when: {}, is: {} }}", quoted(&cond.to_string()), quoted(&template(pieces))),
        None => quoted(&template(pieces)),
    };
    format!("[ {} ]", variants.iter().map(one).collect::<Vec<_>>().join(", "))
}

pub(super) fn list<T>(items: &[T], show: impl Fn(&T) -> String) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(", ")
}

/// A text as a line of syntax, and which of its words are fields; `None` where it has more than a line of syntax can say.
pub(super) fn syntax(text: &Text) -> Option<(String, Vec<(String, String)>)> {
    let [(None, pieces)] = text.as_slice() else { return None };
    let (mut line, mut words) = (String::new(), Vec::new());
    syntax_of(pieces, &mut line, &mut words)?;
    Some((line, words)).filter(|(line, _)| !line.is_empty())
}

fn syntax_of(pieces: &[Piece], line: &mut String, words: &mut Vec<(String, String)>) -> Option<()> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut after_place = false;
    for piece in pieces {
        match piece {
            Piece::Literal(text) => {
                // A literal after a field must begin another word.
                if text.contains(['{', '}']) || after_place && text.starts_with(is_part) {
                    return None;
                }
                line.push_str(text);
                after_place = false;
            }
            Piece::Place { name, optional: false, radix: None } if name.chars().all(is_part) && !line.ends_with('.') => {
                let word = if line.ends_with(is_part) { format!(".{name}") } else { name.clone() };
                line.push_str(&word);
                words.push((word, name.clone()));
                after_place = true;
            }
            Piece::Group(body) => {
                let before = line.clone();
                line.push('{');
                // A word goes on behind a brace: what begins one has a dot, or a sign before it.
                if before.ends_with(is_part) && !matches!(body.first(), Some(Piece::Literal(text)) if !text.starts_with(is_part))
                {
                    let Some(Piece::Place { name, optional: false, radix: None }) = body.first() else { return None };
                    line.push('.');
                    line.push_str(name);
                    words.push((format!(".{name}"), name.clone()));
                    syntax_of(&body[1..], line, words)?;
                } else {
                    syntax_of(body, line, words)?;
                }
                line.push('}');
                after_place = false;
            }
            _ => return None,
        }
    }
    Some(())
}
