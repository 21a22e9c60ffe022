//! Register files.

use super::declarations::RegisterDecl;
use crate::keys::{Key, KeyTable, Listing, Reader};
use crate::lang;
use crate::yaml::{Node, NodeKind, Text};
use isa_model::model::MAX_NAMES;
use isa_model::span::Span;

pub(super) fn listings() -> Vec<Listing> {
    vec![(&REGISTERS).into(), (&SPECIAL).into()]
}

pub(super) static REGISTERS: KeyTable<RegisterDecl> = KeyTable::new(
    "a register file",
    &[&[
        Key::number(
            "index",
            1..=64,
            |r, n, _| r.index = n as u32,
            "The bits of a register's number. Required unless programs name registers.",
        ),
        Key::number(
            "width",
            1..=4096,
            |r, n, span| (r.width, r.width_span) = (n as u32, span),
            "The bits of a register; where instructions have semantics, at most 128.",
        ),
        Key::own(
            "count",
            "number",
            count,
            "The number of registers, which are numbered from 0; special ones may have higher numbers.",
        ),
        Key::text("text", "template", |r| &mut r.text, "The text of a register: `R{n}`; for halves of registers, `R{n}{half}`."),
        Key::own(
            "halves",
            "list of two names",
            halves,
            "The names of the low and the high half of a register; the low bit of the number selects one.",
        ),
        Key::each(
            || (&SPECIAL).into(),
            Key::own(
                "special",
                "mapping of numbers, or list from 0 on",
                special,
                "Special names of some registers, by their numbers.",
            ),
        ),
        Key::text("zero", "name", |r| &mut r.zero, "The register that reads as zero."),
        Key::text("one", "name", |r| &mut r.one, "The register that reads as all ones."),
        Key::text(
            "names",
            "rows of characters",
            |r| &mut r.names,
            "The names that programs can give registers, in a text-only instruction set.",
        ),
        Key::text(
            "of",
            "name of a register file, or `warp`",
            |r| &mut r.of,
            "The register file that this one is a part of; `warp`: the registers exist once per warp, not once per lane.",
        ),
        Key::number(
            "from",
            0..=u16::MAX as u64,
            |r, n, _| r.from = n as u32,
            "The number of its first register in that file; 0 by default.",
        ),
        Key::prose("summary", |r| &mut r.summary, "One line."),
        Key::text("doc", "reference", |r| &mut r.doc, "The lines of the sources that describe it."),
    ]],
);

/// Keys that registers lack to which programs give names.
const NOT_NAMED: [&str; 6] = ["index", "count", "halves", "special", "zero", "one"];
/// Keys that a part of another register file can have.
const OF_A_PART: [&str; 5] = ["index", "of", "from", "summary", "doc"];

/// A register with a name of its own.
struct Special {
    text: Option<Text>,
    also: Vec<Text>,
}

static SPECIAL: KeyTable<Special> = KeyTable::or_short(
    "text",
    "a register's name",
    &[&[
        Key::text("text", "text", |s| &mut s.text, "Its text."),
        Key::texts("also", "text, or list of texts", |s| &mut s.also, "Other names, which are only read."),
    ]],
);

pub(super) fn registers(reader: &mut Reader<'_>, node: &Node, what: &str) -> Vec<RegisterDecl> {
    reader.each(node, what, |reader, name, node| Some(register(reader, name, node)))
}

fn register(reader: &mut Reader<'_>, name: &Text, node: &Node) -> RegisterDecl {
    let mut r = RegisterDecl {
        name: name.clone(),
        index: 0,
        width: 0,
        width_span: name.span,
        count: None,
        text: None,
        halves: None,
        special: Vec::new(),
        also: Vec::new(),
        names: None,
        of: None,
        of_warp: false,
        from: 0,
        zero: None,
        one: None,
        summary: String::new(),
        doc: None,
    };
    let errors = reader.diags.error_count();
    reader.fill(&REGISTERS, &mut r, node);
    let keys = || keys_of(node);
    if r.of.as_ref().is_some_and(|of| of.value == "warp") {
        (r.of, r.of_warp) = (None, true);
    }
    if r.names.is_some() {
        for key in keys().filter(|key| NOT_NAMED.contains(&&*key.value)) {
            reader.error("shape", format!("registers that programs name have no `{}`", key.value), key.span);
        }
        r.index = MAX_NAMES.ilog2();
        (r.count, r.halves, r.zero, r.one) = (None, None, None, None);
        (r.special, r.also) = (Vec::new(), Vec::new());
        return r;
    }
    if r.of.is_some() {
        for key in keys().filter(|key| !OF_A_PART.contains(&&*key.value)) {
            reader.error("shape", format!("a part of another register file has no `{}` of its own", key.value), key.span);
        }
    }
    if let (None, Some(from)) = (&r.of, keys().find(|key| key.value == "from")) {
        reader.error("missing", "`from` is the first register of a part: `of` says of which register file", from.span);
    }
    if r.index == 0 {
        if reader.diags.error_count() == errors {
            let message =
                format!("register file `{}` has no `index`, the number of bits that select a register: `index: 5`", name.value);
            reader.error("missing", message, name.span);
        }
        // Wide enough for any field: those that use it are not at fault.
        r.index = 64;
    }
    r
}

fn keys_of(node: &Node) -> impl Iterator<Item = &Text> {
    let entries = if let NodeKind::Map(entries) = &node.kind { entries.as_slice() } else { &[] };
    entries.iter().map(|(key, _)| key)
}

fn count(reader: &mut Reader<'_>, r: &mut RegisterDecl, node: &Node, what: &str) {
    r.count = reader.integer(node, what).map(|n| (n as u128, node.span));
    if r.count.is_some_and(|c| c.0 == 0) {
        reader.error("number", "a register file has at least one register", node.span);
    }
}

fn halves(reader: &mut Reader<'_>, r: &mut RegisterDecl, node: &Node, what: &str) {
    match reader.texts(node, what).as_slice() {
        [low, high] => r.halves = Some([low.value.clone(), high.value.clone()]),
        _ => reader.error("shape", "`halves` are two names: of the low and of the high half", node.span),
    }
}

fn special(reader: &mut Reader<'_>, r: &mut RegisterDecl, node: &Node, what: &str) {
    if let NodeKind::Seq(items) = &node.kind {
        (0..).zip(items).for_each(|(number, node)| named(reader, r, number, node.span, node));
        return;
    }
    for (key, node) in reader.map(node, what) {
        match lang::number(&key.value) {
            Some(number) => named(reader, r, number as u128, key.span, node),
            None => reader.error("number", "a register's number", key.span),
        }
    }
}

fn named(reader: &mut Reader<'_>, r: &mut RegisterDecl, number: u128, at: Span, node: &Node) {
    let mut special = Special { text: None, also: Vec::new() };
    reader.fill(&SPECIAL, &mut special, node);
    r.special.extend(special.text.map(|text| (number, at, text)));
    r.also.extend(special.also.into_iter().map(|text| (number, text)));
}
