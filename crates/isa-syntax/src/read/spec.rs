//! The keys of a whole file.

use super::declarations::Spec;
use super::ident::is_ident;
use super::part::{FORMAT, INSTRUCTION, OPERAND, parts};
use super::{assembly, codes, documents, enums, part, registers, words};
use crate::keys::{Key, KeyTable, Reader};
use crate::yaml::{Node, NodeKind};
use isa_model::span::Span;
use isa_runtime::value::Style;

pub(super) static SPEC: KeyTable<Spec> = KeyTable::new(
    "a specification",
    &[&[
        Key::required(
            "needs a name: `isa: name`",
            Key::text(
                "isa",
                "name",
                |s| &mut s.name,
                "The name of the instruction set: letters, digits, `_`, and `-` (which is `_` in the name of a Rust module).",
            ),
        ),
        Key::prose("summary", |s| &mut s.summary, "One line."),
        Key::prose("notes", |s| &mut s.notes, "Prose."),
        Key::required(
            "needs `word`, the width of its words: `word: 32`",
            Key::part(
                || (&words::WORD).into(),
                Key::own(
                    "word",
                    "number, mapping or `none`",
                    |r, s, node, _| s.word = words::word(r, node),
                    "The width of the word in bits, or the lengths of a mixed stream, or `none`: see [`word`](#word).",
                ),
            ),
        ),
        Key::each(
            || (&words::REGION).into(),
            Key::own(
                "space",
                "mapping of regions",
                |r, s, node, what| s.space = words::regions(r, node, what),
                "The regions into which the documents divide the first unit of a stream: see [`space`](#space).",
            ),
        ),
        Key::each(
            || (&words::HOLE).into(),
            Key::own(
                "holes",
                "mapping of holes",
                |r, s, node, what| s.holes = words::holes(r, node, what),
                "Words that other sources define and that are not instructions here: see [`holes`](#holes).",
            ),
        ),
        Key::word(
            "numbers",
            &["hex", "dec"],
            |s, word, _| s.numbers = Some([Style::Hex, Style::Dec][word]),
            "The style of numbers without a style of their own; `hex` is the default.",
        ),
        Key::word(
            "prefer",
            &["first", "shortest"],
            |s, word, _| s.shortest = word == 1,
            "The word that is assembled if several have the same text: that of the first form (the default), or of the shortest.",
        ),
        Key::text(
            "follows",
            "name of a source",
            |s| &mut s.follows,
            "The tool, one of `sources`, whose texts these are. Different words with the same text are then not reported.",
        ),
        Key::texts("also", "list of names", |s| &mut s.also, "Other names of a shipped instruction set, for commands."),
        Key::part(
            || (&assembly::ASSEMBLY).into(),
            Key::own(
                "assembly",
                "mapping",
                |r, s, node, _| s.assembly = assembly::assembly(r, node),
                "The syntax of programs: comments, separators of statements, numbers and more; see [`assembly`](#assembly).",
            ),
        ),
        Key::part(
            || (&words::OBJECT).into(),
            Key::own(
                "object",
                "mapping",
                |r, s, node, _| s.object = words::object(r, node),
                "The object files with code of this instruction set, for `isagen disasm FILE`.",
            ),
        ),
        // These are read when files are put together: in what is left of them they are misplaced.
        Key::own(
            "extends",
            "path, or name of a shipped instruction set",
            |r, _, _, _| r.lost = true,
            "The specification that this one patches: see [`extends`](#extends).",
        ),
        Key::own(
            "evidence",
            "`inherited`",
            |r, _, _, _| r.lost = true,
            "The evidence of errata in the extended specification also applies to this one: see [`extends`](#extends).",
        ),
        Key::own(
            "include",
            "path, or list of paths or mappings",
            |r, _, _, _| r.lost = true,
            "Files with parts of the instruction set: see [`include`](#include).",
        ),
        Key::own("params", "mapping of names to texts", |r, _, _, _| r.lost = true, "Parameters: see [`params`](#params)."),
        Key::own(
            "group",
            "name",
            |r, _, _, _| r.lost = true,
            "The group of all instructions of the file: see [`group`](#group).",
        ),
        Key::each(
            || (&documents::GROUP).into(),
            Key::own(
                "groups",
                "mapping of groups",
                |r, s, node, what| s.groups = documents::groups(r, node, what),
                "Groups of instructions, declared in one place.",
            ),
        ),
        Key::each(
            || (&documents::SOURCE).into(),
            Key::own(
                "sources",
                "mapping of sources",
                |r, s, node, what| s.sources = documents::sources(r, node, what),
                "The documents and tools that facts come from; a line number without a source refers to the first.",
            ),
        ),
        Key::each(
            || (&registers::REGISTERS).into(),
            Key::own(
                "registers",
                "mapping of register files",
                |r, s, node, what| s.registers = registers::registers(r, node, what),
                "Register files: see [`registers`](#registers).",
            ),
        ),
        Key::each(
            || (&enums::ENUM).into(),
            Key::own(
                "enums",
                "mapping of enumerations",
                |r, s, node, what| s.enums = enums::enums(r, node, what),
                "Texts of values: see [`enums`](#enums).",
            ),
        ),
        Key::each(
            || (&codes::CODE).into(),
            Key::own(
                "codes",
                "mapping of codes",
                |r, s, node, what| s.codes = codes::codes(r, node, what),
                "Functions from the bits of a field to a number: see [`codes`](#codes).",
            ),
        ),
        Key::each(
            || (&OPERAND).into(),
            Key::own(
                "operands",
                "mapping of operands",
                |r, s, node, what| s.operands = parts(r, node, what, &OPERAND),
                "Operands that instructions share: see [`operands`](#operands).",
            ),
        ),
        Key::each(
            || (&part::CHOICE).into(),
            Key::own(
                "choices",
                "mapping of choices",
                |r, s, node, what| s.choices = part::choices(r, node, what),
                "Choices that instructions share: see [`choices`](#choices).",
            ),
        ),
        Key::each(
            || (&FORMAT).into(),
            Key::own(
                "formats",
                "mapping of formats",
                |r, s, node, what| s.formats = parts(r, node, what, &FORMAT),
                "Parts that many instructions have in common: see [`formats`](#formats).",
            ),
        ),
        Key::part(
            || super::machine::listings().swap_remove(0),
            Key::own(
                "machine",
                "mapping",
                |_, s, node, _| s.machine = Some(node.clone()),
                "State for simulation, besides registers: see [semantics.md](semantics.md#machine).",
            ),
        ),
        Key::required(
            "needs `instructions`: `instructions: { … }`",
            Key::each(
                || (&INSTRUCTION).into(),
                Key::own(
                    "instructions",
                    "mapping of instructions",
                    |r, s, node, what| s.instructions = parts(r, node, what, &INSTRUCTION),
                    "The instructions.",
                ),
            ),
        ),
        Key::each(
            || (&documents::ERRATUM).into(),
            Key::own(
                "errata",
                "mapping of errata, or path",
                |r, s, node, what| s.errata = documents::errata(r, node, what),
                "Errata that belong to no entry, or the path of a file with errata: see [`errata`](#errata).",
            ),
        ),
    ]],
);

/// A whole specification.
pub(crate) fn spec(reader: &mut Reader<'_>, root: &Node) -> Spec {
    let mut spec = Spec { span: root.span, ..Spec::default() };
    if !matches!(root.kind, NodeKind::Map(_)) {
        reader.error("shape", "a specification is a mapping with the keys `isa`, `word`, `instructions`, …", root.span);
        return spec;
    }
    if reader.lost {
        // Missing sections may be in a file that could not be read.
        reader.fill_some(&SPEC, &mut spec, root);
    } else {
        reader.fill_at(&SPEC, &mut spec, root, Span { end: root.span.start + 1, ..root.span });
    }
    if let Some(name) = spec.name.as_ref().filter(|name| !is_ident(&name.value)) {
        let message =
            format!("`{}` is not a name: it has letters, digits, `_` and `-`, and does not begin with a digit", name.value);
        reader.error("name", message, name.span);
    }
    spec
}
