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
                "Functions, of which the last computes the number; its parameter is the bits, 1 to 128 of them.",
            ),
        ),
        Key::text(
            "defined",
            "functions",
            |c| &mut c.defined,
            "Functions, of which the last returns 1 if the bits have a number. Words with other bits do not belong to a form.",
        ),
        Key::text(
            "bits",
            "functions",
            |c| &mut c.bits,
            "The inverse of `number` as the document has it; it is checked against `number`.",
        ),
        Key::word(
            "several",
            &["least", "greatest"],
            |c, word, span| c.several = Some((word == 1, span)),
            "The bits that are assembled if several have the same number; without it, that is an error.",
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
