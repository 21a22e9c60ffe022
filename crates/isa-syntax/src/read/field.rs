//! Fields and constraints.

use super::declarations::{ConstraintDecl, FieldDecl};
use super::ident::is_ident;
use crate::keys::{Key, KeyTable, Listing, Reader};
use crate::yaml::{Node, Text};

pub(super) fn listings() -> Vec<Listing> {
    vec![(&FIELD).into(), (&CONSTRAINT).into()]
}

pub(super) static FIELD: KeyTable<FieldDecl> = KeyTable::or_short(
    "is",
    "a field",
    &[&[
        Key::own(
            "is",
            "field",
            |r, f, node, what| {
                if let Some(entry) = r.text(node, what) {
                    f.entry = entry;
                }
            },
            "Its bits and their meaning: see [Fields](#fields).",
        ),
        Key::text("doc", "reference", |f| &mut f.doc, "The lines of the sources that describe it."),
        Key::prose("summary", |f| &mut f.summary, "One line."),
        Key::prose("note", |f| &mut f.note, "Prose."),
        Key::own("name", "identifier", |r, f, node, what| f.rust_name = rust_name(r, node, what), "Its name in generated Rust."),
    ]],
);

/// A constraint as it is read: what must hold can be missing.
#[derive(Default)]
pub(super) struct Draft {
    that: Option<Text>,
    why: String,
    doc: Option<Text>,
}

pub(super) static CONSTRAINT: KeyTable<Draft> = KeyTable::or_short(
    "that",
    "a constraint",
    &[&[
        Key::required(
            "needs `that`, the condition that must hold: `that: condition`",
            Key::text("that", "condition", |c| &mut c.that, "The condition."),
        ),
        Key::prose("why", |c| &mut c.why, "The reason, shown if the constraint is violated."),
        Key::text("doc", "reference", |c| &mut c.doc, "The lines of the sources that describe it."),
    ]],
);

pub(super) fn fields(reader: &mut Reader<'_>, node: &Node, what: &str) -> Vec<FieldDecl> {
    reader.each(node, what, |reader, name, node| {
        if !is_ident(&name.value) {
            reader.error("name", format!("`{}` is not a name for a field", name.value), name.span);
        }
        let mut field = FieldDecl {
            name: name.clone(),
            entry: Text::empty(node.span),
            doc: None,
            summary: String::new(),
            note: String::new(),
            rust_name: None,
        };
        reader.fill(&FIELD, &mut field, node);
        Some(field)
    })
}

/// A name for generated code.
fn rust_name(reader: &mut Reader<'_>, node: &Node, what: &str) -> Option<String> {
    let text = reader.text(node, what)?;
    let good = is_ident(&text.value) && !text.value.contains('-') && text.value.chars().any(|c| c != '_');
    if !good {
        let rule = "it has letters, digits and `_`, and does not begin with a digit";
        reader.error("name", format!("`{}` is not a name for Rust: {rule}", text.value), text.span);
    }
    good.then_some(text.value)
}

pub(super) fn constraints(reader: &mut Reader<'_>, node: &Node, what: &str) -> Vec<ConstraintDecl> {
    let mut list = Vec::new();
    for node in reader.list(node, what) {
        let mut made = Draft::default();
        reader.fill(&CONSTRAINT, &mut made, node);
        list.extend(made.that.map(|that| ConstraintDecl { that, why: made.why, doc: made.doc }));
    }
    list
}
