//! The syntax of programs: comments, statements, numbers, and what an assembler adds to the instructions.

use super::declarations::{AssemblyDecl, CaseDecl, ModifierDecl, PseudoDecl, RelocationDecl};
use crate::keys::{Key, KeyTable, Listing, Reader};
use crate::yaml::{Node, NodeKind, Text};
use isa_model::diag::Diagnostic;
use isa_runtime::Pseudo;
use isa_runtime::literal;

pub(super) fn listings() -> Vec<Listing> {
    vec![(&ASSEMBLY).into(), (&MODIFIER).into(), (&PSEUDO).into(), (&CASE).into(), (&RELOCATION).into()]
}

pub(super) static ASSEMBLY: KeyTable<AssemblyDecl> = KeyTable::new(
    "`assembly`",
    &[&[
        Key::own(
            "comments",
            "mark, or list of marks",
            |r, a, node, what| a.comments = Some(marks(r, node, what)),
            "Marks that begin a comment, which extends to the end of the line. The default is `#`, `//` and `;`, except those that separate \
             statements or that a text of an instruction has.",
        ),
        Key::own(
            "separators",
            "mark, or list of marks",
            |r, a, node, what| a.separators = marks(r, node, what),
            "Marks that separate the statements of a line; none by default.",
        ),
        Key::word(
            "case",
            &["sensitive", "insensitive"],
            |a, word, span| a.insensitive = (word == 1).then_some(span),
            "`insensitive`: instructions are read in any case. All texts are in one case, in which they are printed.",
        ),
        Key::texts(
            "optional",
            "text, or list of texts",
            |a| &mut a.optional,
            "Parts of texts that are optional when an instruction is read: `\"#\"` of `#12`.",
        ),
        Key::flag("octal", |a| &mut a.octal, "A number that begins with `0` is octal. Without it, such a number is refused."),
        Key::own(
            "numbers",
            "mapping of prefixes to radixes",
            |r, a, node, what| {
                a.numbers = r.each(node, what, |r, prefix, node| {
                    let radix = r.number(node, "a radix", 2..=36)?;
                    Some((prefix.clone(), radix as u32))
                });
            },
            "Prefixes of numbers in expressions, besides `0x`, `0b` and `0o`: `{ $: 16, \"%\": 2 }`. A sign comes before the prefix; a modifier (`\"#\": x`) is read before a sign, too.",
        ),
        Key::texts("here", "text, or list of texts", |a| &mut a.here, "Names of the address of a statement, besides `.`."),
        Key::word(
            "precedence",
            &["gnu", "c"],
            |a, word, _| a.as_in_c = word == 1,
            "The precedence of operators and the value of a true comparison: as in GNU as, -1 (the default), or as in C, 1.",
        ),
        Key::text(
            "local",
            "beginning of a name",
            |a| &mut a.local,
            "The prefix of labels that belong to the last label before them without it, each of which can have its own `.loop`.",
        ),
        Key::number("word", 1..=16, |a, n, _| a.word = Some(n as u32), "Bytes of `.word`; 4 by default."),
        Key::word(
            "align",
            &["power", "bytes"],
            |a, word, _| a.align_bytes = word == 1,
            "The meaning of the number of `.align`: a power of two (the default), or bytes.",
        ),
        Key::word(
            "org",
            &["offset", "address"],
            |a, word, _| a.org_address = word == 1,
            "The meaning of the number of `.org`: a distance from the beginning of the section (the default), or an address.",
        ),
        Key::texts(
            "fill",
            "list of instructions",
            |a| &mut a.fill,
            "Instructions without an effect, one for each length, with which `.align` fills code. Without them, code is filled with zeros.",
        ),
        Key::pairs(
            "directives",
            "mapping of names to directives",
            |a| &mut a.directives,
            "Other names of directives: `{ db: .byte, \"#d16\": .half }`.",
        ),
        Key::own(
            "sections",
            "mapping of names to addresses",
            |r, a, node, what| {
                a.sections =
                    r.each(node, what, |r, name, node| Some((name.clone(), r.number(node, "an address", 0..=u64::MAX)?)));
            },
            "The addresses at which sections begin, unless `--section` says otherwise.",
        ),
        Key::each(
            || (&MODIFIER).into(),
            Key::own(
                "modifiers",
                "mapping of names",
                |r, a, node, what| a.modifiers = r.each(node, what, |r, name, node| Some(modifier(r, name, node))),
                "Functions of addresses and numbers, written as a name before parentheses (`%lo(x)`) or a sign before a value (`<x`): see \
             [modifiers](#modifiers).",
            ),
        ),
        Key::list(
            || (&PSEUDO).into(),
            Key::own(
                "pseudo",
                "list",
                |r, a, node, what| a.pseudo = r.list(node, what).iter().filter_map(|node| pseudo(r, node)).collect(),
                "Statements that are replaced by others: see [pseudo-instructions](#pseudo-instructions).",
            ),
        ),
        Key::list(
            || (&RELOCATION).into(),
            Key::own(
                "relocations",
                "list",
                |r, a, node, what| a.relocations = r.list(node, what).iter().filter_map(|node| relocation(r, node)).collect(),
                "The relocations of object files, which a linker fills in: see [relocations](#relocations).",
            ),
        ),
        Key::number(
            "address",
            8..=64,
            |a, n, _| a.address = Some(n as u32),
            "Bits of an address, for object files; by default those of `machine.pc`, with one lane, or else 64.",
        ),
        Key::own(
            "flags",
            "number, or mapping of lengths to numbers",
            |r, a, node, what| {
                let flags = 0..=u64::from(u32::MAX);
                a.flags = if let NodeKind::Map(_) = node.kind {
                    r.each(node, what, |r, length, node| {
                        let bits =
                            literal::unsigned(&length.value).map_err(|why| r.error("number", why.to_string(), length.span));
                        Some((u32::try_from(bits.ok()?).unwrap_or(u32::MAX), r.number(node, "flags", flags.clone())? as u32))
                    })
                } else {
                    r.number(node, what, flags).map(|flags| (0, flags as u32)).into_iter().collect()
                };
            },
            "Flags of object files (`e_flags`); `{ 16: 1, 32: 4 }` gives the flags of files that contain words of these lengths.",
        ),
    ]],
);

static MODIFIER: KeyTable<ModifierDecl> = KeyTable::or_short(
    "an expression of `x`",
    "a modifier",
    &[&[
        Key::text(
            "is",
            "expression",
            |m| &mut m.value,
            "Its value, computed from its operand `x` and the address `.` of the statement; `x` by default.",
        ),
        Key::text(
            "reaches",
            "expression",
            |m| &mut m.reaches,
            "A value that is 0 for an operand that the modifier does not reach; without this key, it reaches all.",
        ),
        Key::text(
            "pair",
            "modifier",
            |m| &mut m.pair,
            "The modifier in the statement at the label that is the operand; `x` is the operand of that modifier, relative to the label.",
        ),
    ]],
);

static PSEUDO: KeyTable<PseudoDecl> = KeyTable::new(
    "a pseudo-instruction",
    &[&[
        Key::required(
            "needs `text`: what is written",
            Key::text(
                "text",
                "text",
                |p| &mut p.text,
                "The statement as it is written; `{name}` is an operand, which contains no comma outside parentheses.",
            ),
        ),
        Key::flag(
            "far",
            |p| &mut p.far,
            "The statement is also an instruction, and is replaced only if the instruction does not reach its operand.",
        ),
        Key::pairs(
            "where",
            "mapping of names to expressions",
            |p| &mut p.values,
            "Named values, computed from the operands and the names before them; they must be known at the place of the statement.",
        ),
        Key::required(
            "needs `is`: the statements that it becomes",
            Key::list(
                || (&CASE).into(),
                Key::own(
                    "is",
                    "statement, or list of statements or cases",
                    |r, p, node, what| p.cases = cases(r, node, what),
                    "The statements that replace it.",
                ),
            ),
        ),
        Key::text(
            "does",
            "semantics",
            |p| &mut p.does,
            "Its effect in terms of its operands: `check` runs the statements that replace it, and compares. See [pseudo-instructions](#pseudo-instructions).",
        ),
    ]],
);

static CASE: KeyTable<CaseDecl> = KeyTable::new(
    "a case of a pseudo-instruction",
    &[&[
        Key::text(
            "when",
            "expression",
            |c| &mut c.when,
            "The case applies if this is not 0; the first case that applies is used.",
        ),
        Key::required(
            "needs `is`: the statements",
            Key::texts("is", "statement, or list of statements", |c| &mut c.statements, "The statements."),
        ),
    ]],
);

static RELOCATION: KeyTable<RelocationDecl> = KeyTable::new(
    "a relocation",
    &[&[
        Key::required(
            "needs its `number`",
            Key::number("number", 0..=u32::MAX as u64, |x, n, _| x.number = n as u32, "Its number in object files."),
        ),
        Key::text(
            "modifier",
            "modifier",
            |x| &mut x.modifier,
            "The modifier of the operand; without this key, an operand without a modifier.",
        ),
        Key::text(
            "bits",
            "ranges of bits",
            |x| &mut x.bits,
            "The bits of the field, as the documentation shows them: `31..25,11..7`.",
        ),
        Key::number("data", 1..=8, |x, n, _| x.data = n as u32, "Bytes of the data, in place of `bits`."),
        Key::flag("thread", |x| &mut x.thread, "Its symbol is a variable that each thread has."),
    ]],
);

pub(super) fn assembly(reader: &mut Reader<'_>, node: &Node) -> AssemblyDecl {
    let mut assembly = AssemblyDecl::default();
    reader.fill(&ASSEMBLY, &mut assembly, node);
    let comments = assembly.comments.as_deref().unwrap_or_default();
    let twice = |mark: &&Text| comments.iter().any(|comment| comment.value == mark.value);
    if let Some(mark) = assembly.separators.iter().find(twice) {
        reader.error("text-line", format!("`{}` can't both begin a comment and separate statements", mark.value), mark.span);
    }
    assembly
}

fn modifier(reader: &mut Reader<'_>, name: &Text, node: &Node) -> ModifierDecl {
    let mut modifier = ModifierDecl { name: name.clone(), value: None, reaches: None, pair: None };
    match &node.kind {
        NodeKind::Map(_) => reader.fill(&MODIFIER, &mut modifier, node),
        _ => modifier.value = reader.text(node, "a modifier"),
    }
    modifier
}

fn pseudo(reader: &mut Reader<'_>, node: &Node) -> Option<PseudoDecl> {
    let mut pseudo = PseudoDecl::default();
    reader.fill(&PSEUDO, &mut pseudo, node);
    if let Some(text) = &pseudo.text
        && let Some((message, help)) = no_mnemonic(&text.value)
    {
        reader.diags.push(Diagnostic::error("text-line", message, text.span).with_help(help));
    }
    pseudo.text.is_some().then_some(pseudo)
}

/// The error of a text that does not begin with a mnemonic or a list of mnemonics, and its help.
fn no_mnemonic(text: &str) -> Option<(String, &'static str)> {
    let own = Pseudo { text: text.to_owned(), ..Pseudo::default() };
    if !own.mnemonics().1.all(|mnemonic| !mnemonic.is_empty() && !mnemonic.contains(['{', '}'])) {
        let head = text.split(char::is_whitespace).next().unwrap_or_default();
        let message = format!("the text of a pseudo-instruction begins with a word: `{head}` is not one");
        let help =
            "the mnemonic and a blank come before the operands: `li {rd}, {x:expr}`, or for several `{op:lb|lh} {rd}, {x}`";
        return Some((message, help));
    }
    let message = "a statement that begins with `.` is a directive, not a pseudo-instruction".to_owned();
    text.starts_with('.').then_some((message, "`assembly.directives` gives a directive of the assembler another name"))
}

/// A statement, statements, or cases.
fn cases(reader: &mut Reader<'_>, node: &Node, what: &str) -> Vec<CaseDecl> {
    let is_case = |node: &Node| matches!(node.kind, NodeKind::Map(_));
    match &node.kind {
        NodeKind::Seq(nodes) if nodes.iter().any(is_case) => nodes.iter().map(|node| case(reader, node)).collect(),
        NodeKind::Map(_) => vec![case(reader, node)],
        _ => vec![CaseDecl { when: None, statements: reader.texts(node, what) }],
    }
}

fn case(reader: &mut Reader<'_>, node: &Node) -> CaseDecl {
    let mut case = CaseDecl::default();
    reader.fill(&CASE, &mut case, node);
    case
}

fn relocation(reader: &mut Reader<'_>, node: &Node) -> Option<RelocationDecl> {
    let mut relocation = RelocationDecl::default();
    reader.fill(&RELOCATION, &mut relocation, node);
    if relocation.bits.is_none() && relocation.data == 0 {
        reader.error("missing", "a relocation needs `bits` or `data`: what the linker fills in", node.span);
        return None;
    }
    Some(relocation)
}

/// The greatest length of a mark, in bytes.
const LONGEST: usize = 8;

fn marks(reader: &mut Reader<'_>, node: &Node, what: &str) -> Vec<Text> {
    let mut marks = reader.texts(node, what);
    marks.retain(|mark| {
        let text = mark.value.as_str();
        // Characters of labels, of numbers, and of the lines of `isagen` itself.
        let is_taken = |c: char| c.is_alphanumeric() || c.is_whitespace() || c.is_control() || "_.$:{}".contains(c);
        let wrong = match text {
            "" => Some("a mark is not empty".to_owned()),
            "/*" | "*/" => Some("`/*` and `*/` begin and end a comment in any program".to_owned()),
            _ if text.len() > LONGEST => Some(format!("a mark has at most {LONGEST} bytes")),
            _ => text.chars().find(|c| is_taken(*c)).map(|c| {
                format!("`{}` can't be in a mark, which has no letters, digits, blanks, `_ . $ : {{ }}`", c.escape_debug())
            }),
        };
        if let Some(message) = &wrong {
            reader.error("text-line", message, mark.span);
        }
        wrong.is_none()
    });
    marks
}
