//! Codes: what numbers the bits of a field are.

use super::declarations::CodeDecl;
use crate::keys::{Key, KeyTable, Listing, Reader};
use crate::yaml::{Node, Text};

pub(super) fn listings() -> Vec<Listing> {
    vec![(&CODE).into()]
}

pub(super) static CODE: KeyTable<CodeDecl> = KeyTable::new(
    "a code",
    &[&[
        Key::required(
            "needs `number`, a function of its bits: `number: \"fn number(x:4) : 8 { return … }\"`",
            Key::text(
                "number",
                "functions",
                |c| &mut c.number,
                "The number of some bits: the last of these functions, of one parameter of 1 to 128 bits.",
            ),
        ),
        Key::text(
            "defined",
            "functions",
            |c| &mut c.defined,
            "Which bits have a number: a function of one bit of the same parameter. Words with other bits do not belong to a form.",
        ),
        Key::text(
            "bits",
            "functions",
            |c| &mut c.bits,
            "The bits of a number, as the document has them; it is checked against `number`.",
        ),
        Key::word(
            "several",
            &["least", "greatest"],
            |c, word, span| c.several = Some((word == 1, span)),
            "Which bits are assembled where several have one number; without it, that is an error.",
        ),
        Key::prose("summary", |c| &mut c.summary, "One line."),
        Key::text("doc", "reference", |c| &mut c.doc, "The lines of the sources that describe it."),
    ]],
);

pub(super) fn codes(reader: &mut Reader<'_>, node: &Node, what: &str) -> Vec<CodeDecl> {
    reader.each(node, what, |reader, name: &Text, node| {
        let mut decl = CodeDecl {
            name: name.clone(),
            number: None,
            defined: None,
            bits: None,
            several: None,
            summary: String::new(),
            doc: None,
        };
        reader.fill(&CODE, &mut decl, node);
        Some(decl)
    })
}
