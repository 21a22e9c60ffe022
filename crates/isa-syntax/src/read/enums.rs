//! Enumerations.

use super::declarations::{EnumDecl, EnumValueDecl};
use crate::keys::{Key, KeyTable, Listing, Others, Reader, Shape};
use crate::lang;
use crate::yaml::{Node, NodeKind, Text};
use std::collections::HashSet;

pub(super) fn listings() -> Vec<Listing> {
    vec![(&ENUM).into(), (&VALUE).into()]
}

/// An enumeration, and the values that have a text.
pub(super) struct Draft {
    decl: EnumDecl,
    known: HashSet<u128>,
}

pub(super) static ENUM: KeyTable<Draft> = KeyTable::with_others(
    "an enumeration",
    &[&[
        Key::text(
            "else",
            "text",
            |e| &mut e.decl.otherwise,
            "The text of every other value: `SR{n}`, or with `{n:x}` in hexadecimal. Without it, other values are not allowed.",
        ),
        Key::prose("summary", |e| &mut e.decl.summary, "One line."),
        Key::text("doc", "reference", |e| &mut e.decl.doc, "The lines of the sources that describe it."),
    ]],
    Others {
        name: "a number",
        value: "text or mapping",
        doc: "The text of this value; an empty text prints nothing.",
        shape: Shape::Part(|| (&VALUE).into()),
        read: numbered,
    },
);

static VALUE: KeyTable<EnumValueDecl> = KeyTable::or_short(
    "text",
    "a value of an enumeration",
    &[&[
        Key::own(
            "text",
            "text",
            |r, v, node, what| match r.text(node, what) {
                Some(text) => v.text = text,
                None => v.is_lost = true,
            },
            "Its text.",
        ),
        Key::texts("also", "text, or list of texts", |v| &mut v.also, "Other texts, which are only read."),
        Key::own(
            "like",
            "number",
            |r, v, node, what| v.like = r.integer(node, what).map(|n| (n, node.span)),
            "The value with the same text that is assembled instead.",
        ),
        Key::own(
            "name",
            "identifier",
            |r, v, node, what| v.name = Some(r.prose(node, what)),
            "Its name in generated code, if its text does not give one.",
        ),
        Key::prose("note", |v| &mut v.note, "Its meaning."),
        Key::text("doc", "reference", |v| &mut v.doc, "The lines of the sources that describe it."),
    ]],
);

pub(super) fn enums(reader: &mut Reader<'_>, node: &Node, what: &str) -> Vec<EnumDecl> {
    reader.each(node, what, |reader, name, node| {
        let decl = EnumDecl { name: name.clone(), values: Vec::new(), otherwise: None, summary: String::new(), doc: None };
        let mut draft = Draft { decl, known: HashSet::new() };
        match &node.kind {
            // From 0 up; nothing is a value that is not allowed.
            NodeKind::Seq(items) => {
                for (number, item) in (0..).zip(items).filter(|(_, item)| !matches!(item.kind, NodeKind::Null)) {
                    draft.decl.values.extend(value(reader, number, item));
                }
            }
            _ => reader.fill(&ENUM, &mut draft, node),
        }
        draft.decl.values.sort_by_key(|v| v.value);
        Some(draft.decl)
    })
}

/// A value and its text.
fn numbered(reader: &mut Reader<'_>, draft: &mut Draft, key: &Text, node: &Node) -> bool {
    let Some(number) = lang::number(&key.value).filter(|n| *n >= 0).map(|n| n as u128) else { return false };
    if draft.known.insert(number) {
        draft.decl.values.extend(value(reader, number, node));
    } else {
        reader.error("duplicate", format!("the value {number} already has a text"), key.span);
    }
    true
}

fn value(reader: &mut Reader<'_>, value: u128, node: &Node) -> Option<EnumValueDecl> {
    let mut made = EnumValueDecl {
        value,
        text: Text::empty(node.span),
        also: Vec::new(),
        like: None,
        name: None,
        note: String::new(),
        doc: None,
        is_lost: false,
    };
    reader.fill(&VALUE, &mut made, node);
    (!made.is_lost).then_some(made)
}
