//! Sources, groups and errata.

use super::declarations::{ErratumDecl, GroupDecl, SourceDecl};
use crate::keys::{Key, KeyTable, Listing, Reader};
use crate::yaml::{Node, Text};

pub(super) fn listings() -> Vec<Listing> {
    vec![(&GROUP).into(), (&SOURCE).into(), (&ERRATUM).into()]
}

pub(super) static GROUP: KeyTable<GroupDecl> = KeyTable::new(
    "a group",
    &[&[
        Key::prose("summary", |g| &mut g.summary, "One line."),
        Key::prose("notes", |g| &mut g.notes, "Prose."),
        Key::text(
            "guard",
            "statements",
            |g| &mut g.guard,
            "Statements that precede the semantics of each instruction of the group: see [semantics.md](semantics.md#guards-of-groups).",
        ),
    ]],
);

pub(super) static SOURCE: KeyTable<SourceDecl> = KeyTable::new(
    "a source",
    &[&[
        Key::prose("title", |s| &mut s.title, "Its title."),
        Key::prose("file", |s| &mut s.file, "Its file."),
        Key::own("by", "text", note, "Who wrote it."),
        Key::own("licence", "text", note, "Its licence."),
        Key::own("note", "text", note, "Anything else, such as its version or where it is found."),
    ]],
);

pub(super) static ERRATUM: KeyTable<ErratumDecl> = KeyTable::new(
    "an erratum",
    &[&[
        Key::text("at", "reference", |e| &mut e.at, "The lines of the document."),
        Key::own(
            "kind",
            "`wrong`, `incomplete`, `contradictory`, `ambiguous`, `version`, `unverified`",
            kind,
            "The kind of fault.",
        ),
        Key::prose("says", |e| &mut e.says, "The statement of the document."),
        Key::required("needs `is`, what is right instead: `is: …`", Key::prose("is", |e| &mut e.is, "The correct statement.")),
        Key::own(
            "evidence",
            "mapping of words or texts to texts",
            |r, e, node, what| e.evidence = evidence(r, node, what),
            "Words (or texts) that show it, each with its text or `refused`.",
        ),
        Key::own(
            "elsewhere",
            "mapping of words or texts to texts",
            |r, e, node, what| e.elsewhere = evidence(r, node, what),
            "Evidence about another machine, which is shown and not executed.",
        ),
        Key::prose("by", |e| &mut e.by, "Who or what says so."),
    ]],
);

/// Adds a key of a source, other than title and file, to its note.
fn note(reader: &mut Reader<'_>, source: &mut SourceDecl, node: &Node, what: &str) {
    let text = reader.prose(node, what);
    if !source.note.is_empty() {
        source.note.push_str("; ");
    }
    source.note.push_str(&text);
}

fn kind(reader: &mut Reader<'_>, erratum: &mut ErratumDecl, node: &Node, _: &str) {
    const KINDS: [&str; 6] = ["wrong", "incomplete", "contradictory", "ambiguous", "version", "unverified"];
    if let Some(kind) = reader.word(node, "the kind of an erratum", &KINDS) {
        erratum.kind = KINDS[kind].to_string();
    }
}

fn evidence(reader: &mut Reader<'_>, node: &Node, what: &str) -> Vec<(Text, String)> {
    reader.pairs(node, what).into_iter().map(|(word, text)| (word, text.value)).collect()
}

pub(super) fn groups(reader: &mut Reader<'_>, node: &Node, what: &str) -> Vec<GroupDecl> {
    reader.each(node, what, |reader, name, node| {
        let mut group = GroupDecl { name: name.clone(), summary: String::new(), notes: String::new(), guard: None };
        reader.fill(&GROUP, &mut group, node);
        Some(group)
    })
}

pub(super) fn sources(reader: &mut Reader<'_>, node: &Node, what: &str) -> Vec<SourceDecl> {
    reader.each(node, what, |reader, name, node| {
        let mut source = SourceDecl { name: name.clone(), title: String::new(), file: String::new(), note: String::new() };
        reader.fill(&SOURCE, &mut source, node);
        Some(source)
    })
}

pub(super) fn errata(reader: &mut Reader<'_>, node: &Node, what: &str) -> Vec<ErratumDecl> {
    let mut ids: Vec<String> = Vec::new();
    reader.each(node, what, |reader, id, node| {
        // Errata of a file of errata come after those declared here.
        if ids.contains(&id.value) {
            reader.error("duplicate", format!("there is already an erratum `{}`", id.value), id.span);
        }
        ids.push(id.value.clone());
        let mut erratum = ErratumDecl {
            id: id.value.clone(),
            at: None,
            kind: String::new(),
            says: String::new(),
            is: String::new(),
            evidence: Vec::new(),
            elsewhere: Vec::new(),
            by: String::new(),
            span: id.span,
        };
        reader.fill_at(&ERRATUM, &mut erratum, node, id.span);
        Some(erratum)
    })
}
