//! Words: their lengths, regions and holes, and the files that hold them.

use super::declarations::{HoleDecl, ObjectDecl, RegionDecl, WordDecl};
use crate::keys::{Key, KeyTable, Listing, Reader};
use crate::lang;
use crate::yaml::{Node, NodeKind, Text};
use isa_model::diag::Diagnostic;
use isa_model::model::MAX_WORD;
use isa_model::span::Span;

pub(super) fn listings() -> Vec<Listing> {
    vec![(&WORD).into(), (&OBJECT).into(), (&REGION).into(), (&HOLE).into()]
}

pub(super) static WORD: KeyTable<WordDecl> = KeyTable::new(
    "`word`",
    &[&[
        Key::number(
            "unit",
            1..=MAX_WORD as u64,
            |w, n, _| w.unit = n as u32,
            "The bits of a unit of the stream; by default the length of the shortest word. Required without `lengths`.",
        ),
        Key::word(
            "order",
            &["low-first", "high-first"],
            |w, word, _| w.low_first = word == 0,
            "The unit of a longer word that comes first: its low one (the default) or its high one.",
        ),
        Key::word(
            "bytes",
            &["little", "big"],
            |w, word, _| w.little_endian = word == 0,
            "The byte order inside a unit; `little` is the default.",
        ),
        Key::own(
            "lengths",
            "mapping of numbers to conditions",
            |r, w, node, what| {
                w.lengths = lengths(r, node, what, 1).into_iter().map(|(bits, text, at)| (bits, Some(text), at)).collect()
            },
            "Each length in bits, and the condition on the first unit that decides it (bits named by `prefix[hi..lo]`). Without \
             `lengths`, every word is one unit.",
        ),
        Key::own(
            "apart",
            "mapping of numbers to conditions",
            |r, w, node, what| w.apart = lengths(r, node, what, 0),
            "Further words of a length, which cannot occur in a stream: their length is known only if a whole word is given.",
        ),
    ]],
);

pub(super) static OBJECT: KeyTable<(Option<u16>, Vec<Text>, Option<Text>)> = KeyTable::new(
    "`object`",
    &[&[
        Key::required(
            "needs `elf-machine`: `{ elf-machine: 190, architecture: sm_80 }`",
            Key::number(
                "elf-machine",
                0..=u16::MAX as u64,
                |o, n, _| o.0 = Some(n as u16),
                "The machine as ELF numbers it (`e_machine`).",
            ),
        ),
        Key::required(
            "needs `architecture`: `{ elf-machine: 190, architecture: sm_80 }`",
            Key::texts(
                "architecture",
                "name, or list of names",
                |o| &mut o.1,
                "The architectures that such files name: `sm_80`, `riscv64`.",
            ),
        ),
        Key::text(
            "registers",
            "name of a register file",
            |o| &mut o.2,
            "The registers whose number an object file states for each kernel: `asm --into` refuses an instruction with a higher one.",
        ),
    ]],
);

pub(super) static REGION: KeyTable<(Option<Text>, String, Option<Text>)> = KeyTable::or_short(
    "is",
    "a region",
    &[&[
        Key::required(
            "needs `is`, the units that it has: `is: \"0000000 xxxxxxxxx\"`",
            Key::text(
                "is",
                "bits",
                |r| &mut r.0,
                "The units, from the first to the last: `0000001 xxxxxxxxx -> 1111011 xxxxxxxxx`.",
            ),
        ),
        Key::prose("summary", |r| &mut r.1, "One line."),
        Key::text("doc", "reference", |r| &mut r.2, "The lines of the sources that describe it."),
    ]],
);

pub(super) static HOLE: KeyTable<HoleDecl> = KeyTable::new(
    "a hole",
    &[&[
        Key::number(
            "length",
            1..=MAX_WORD as u64,
            |h, n, at| h.length = Some((n as u32, at)),
            "The length of the words in bits; required if words have several lengths.",
        ),
        Key::pairs("fix", "mapping of bits to numbers", |h| &mut h.fix, "The bits that all of these words have."),
        Key::prose("summary", |h| &mut h.summary, "One line."),
        Key::text("doc", "reference", |h| &mut h.doc, "The lines of the sources that describe it."),
    ]],
);

pub(super) fn word(reader: &mut Reader<'_>, node: &Node) -> Option<WordDecl> {
    let mut word = WordDecl { unit: 0, low_first: true, little_endian: true, lengths: Vec::new(), apart: Vec::new() };
    if let NodeKind::Scalar { text, .. } = &node.kind {
        word.unit = 8;
        if text.value != "none" {
            if lang::number(text.value.trim()).is_none() {
                reader.error("number", "`word` is a number, or `none` for a text-only instruction set", node.span);
                return None;
            }
            word.unit = reader.number(node, "`word`", 1..=u64::from(MAX_WORD))? as u32;
            word.lengths.push((word.unit, None, node.span));
        }
        return Some(word);
    }
    let errors = reader.diags.error_count();
    let read = reader.fill_some(&WORD, &mut word, node)?;
    if !read.contains(&"lengths") && word.unit != 0 {
        word.lengths.push((word.unit, None, node.span));
    }
    if word.lengths.is_empty() {
        if reader.diags.error_count() == errors {
            let help = "`{ unit: 16 }` has words of 16 bits, `lengths: { 16: …, 32: … }` words of two lengths";
            reader.diags.push(Diagnostic::error("missing", "`word` needs `unit` or `lengths`", node.span).with_help(help));
        }
        return None;
    }
    if word.unit == 0 {
        word.unit = word.lengths.iter().map(|l| l.0).min().unwrap_or(1);
    }
    if let Some((_, _, span)) = word.lengths.iter().find(|l| l.0 % word.unit != 0) {
        reader.error("number", format!("a length is a multiple of the unit, {} bits", word.unit), *span);
    }
    word.lengths.sort_by_key(|l| l.0);
    Some(word)
}

/// Lengths with their conditions and places.
fn lengths(reader: &mut Reader<'_>, node: &Node, what: &str, least: u32) -> Vec<(u32, Text, Span)> {
    let mut list = Vec::new();
    for (key, text) in reader.pairs(node, what) {
        match lang::number(&key.value).and_then(|n| u32::try_from(n).ok()).filter(|n| (least..=MAX_WORD).contains(n)) {
            Some(bits) => list.push((bits, text, key.span)),
            None => reader.error("number", format!("a length is 1 to {MAX_WORD} bits"), key.span),
        }
    }
    list
}

pub(super) fn object(reader: &mut Reader<'_>, node: &Node) -> Option<ObjectDecl> {
    let mut made = (None, Vec::new(), None);
    reader.fill(&OBJECT, &mut made, node);
    Some(ObjectDecl { elf_machine: made.0?, architectures: made.1, registers: made.2 })
}

pub(super) fn regions(reader: &mut Reader<'_>, node: &Node, what: &str) -> Vec<RegionDecl> {
    reader.each(node, what, |reader, name, node| {
        let mut made = (None, String::new(), None);
        reader.fill_at(&REGION, &mut made, node, name.span);
        Some(RegionDecl { name: name.clone(), is: made.0?, summary: made.1, doc: made.2 })
    })
}

pub(super) fn holes(reader: &mut Reader<'_>, node: &Node, what: &str) -> Vec<HoleDecl> {
    reader.each(node, what, |reader, name, node| {
        let mut hole = HoleDecl { name: name.clone(), length: None, fix: Vec::new(), summary: String::new(), doc: None };
        reader.fill(&HOLE, &mut hole, node);
        Some(hole)
    })
}
