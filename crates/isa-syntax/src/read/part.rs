//! The keys of formats, operands, alternatives and instructions, most of them shared.

use super::declarations::{ChoiceDecl, Choose, ControlDecl, ExecutesDecl, ExpandsDecl, OverDecl, PartDecl, RefusedDecl};
use super::ident::is_ident;
use super::{access, documents, field};
use crate::keys::{Key, KeyTable, Listing, Others, Reader, Shape};
use crate::yaml::{Node, NodeKind, Text};
use isa_model::diag::Diagnostic;
use isa_model::model::{MAX_WORD, PlainKind};
use isa_model::span::Span;

pub(super) fn listings() -> Vec<Listing> {
    let parts = [
        ("formats", (&FORMAT).into()),
        ("operands", (&OPERAND).into()),
        ("alternatives", (&ALTERNATIVE).into()),
        ("instructions", (&INSTRUCTION).into()),
    ];
    let merged = Listing::merged("a format, an operand, an alternative or an instruction", parts);
    vec![merged, (&CHOICE).into(), (&VARIANT).into(), (&ALIAS).into(), (&REFUSED).into(), (&EXECUTES).into()]
}

/// The keys of all of them.
static COMMON: [Key<PartDecl>; 23] = [
    Key::text("doc", "reference", |p| &mut p.doc, "The lines of the sources that describe it."),
    Key::prose("summary", |p| &mut p.summary, "One line."),
    Key::prose("notes", |p| &mut p.notes, "Prose."),
    Key::each(
        || (&field::FIELD).into(),
        Key::own(
            "fields",
            "mapping of fields",
            |r, p, node, what| p.fields = field::fields(r, node, what),
            "Its fields: see [Fields](#fields).",
        ),
    ),
    Key::own(
        "readings",
        "mapping of names to readings",
        readings,
        "Numbers that are computed from fields, for texts and conditions: see [Readings](#readings).",
    ),
    Key::pairs("fix", "mapping of fields or bits to values", |p| &mut p.fix, "Bits with fixed values: see [`fix`](#fix)."),
    Key::pairs("bind", "mapping of names to operands", |p| &mut p.bind, "Its operands, each with its arguments."),
    Key::own(
        "ignored",
        "bits",
        |r, p, node, _| plain(r, p, node, PlainKind::Ignored),
        "Bits that the machine ignores; they are kept.",
    ),
    Key::own(
        "unknown",
        "bits",
        |r, p, node, _| plain(r, p, node, PlainKind::Unknown),
        "Bits that the document does not describe; they are kept.",
    ),
    Key::own("reserved", "bits", |r, p, node, _| plain(r, p, node, PlainKind::Reserved), "Bits that must be zero."),
    Key::word(
        "rest",
        &["ignored", "unknown", "reserved"],
        |p, word, at| p.rest = Some(([PlainKind::Ignored, PlainKind::Unknown, PlainKind::Reserved][word], at)),
        "The kind of all remaining bits. Without it, a remaining bit is an error.",
    ),
    Key::texts(
        "not",
        "condition, or list of conditions",
        |p| &mut p.not,
        "Words that do not belong to the form: another form may have them.",
    ),
    Key::list(
        || (&field::CONSTRAINT).into(),
        Key::own(
            "constraints",
            "list of constraints",
            |r, p, node, what| p.constraints = field::constraints(r, node, what),
            "Conditions that all legal words fulfil.",
        ),
    ),
    Key::own(
        "reads",
        "list of names, or mapping of names to numbers of registers",
        |r, p, node, what| p.reads = Some(access::accesses(r, node, what)),
        "The registers that are read, by fields or operands: see [Registers that are read and written](#registers-that-are-read-and-written).",
    ),
    Key::own(
        "writes",
        "list of names, or mapping of names to numbers of registers",
        |r, p, node, what| p.writes = Some(access::accesses(r, node, what)),
        "The registers that are written, in the notation of `reads`.",
    ),
    Key::pairs(
        "no-effect",
        "mapping of names to texts",
        |p| &mut p.no_effect,
        "Fields, operands and choices that the text shows and on which no effect depends, each with the reason: see [`no-effect`](semantics.md#what-texts-show).",
    ),
    Key::texts("tags", "tag, or list of tags", |p| &mut p.tags, "Tags, for `has TAG` in conditions."),
    Key::list(
        || (&VARIANT).into(),
        Key::own("text", "template, or list of templates and mappings", text, "Its text: see [Text templates](#text-templates)."),
    ),
    Key::text("syntax", "line of syntax", |p| &mut p.syntax, "Its text in the notation of the document, in place of `text`."),
    Key::each(
        || (&documents::ERRATUM).into(),
        Key::own(
            "errata",
            "mapping of errata",
            |r, p, node, what| p.errata = documents::errata(r, node, what),
            "Errors of the documents: see [`errata`](#errata).",
        ),
    ),
    Key::flag("observed", |p| &mut p.observed, "A tool shows it, but the document does not have it."),
    Key::text("layout", "layout", |p| &mut p.layout, "The word as the document draws it: see [Layouts](#layouts)."),
    Key::own(
        "where",
        "mapping of letters or words to fields",
        letters,
        "The fields of the letters of `layout` and of the words of `syntax`.",
    ),
];

/// The keys of formats and instructions, which describe whole words.
static WHOLE: [Key<PartDecl>; 12] = [
    Key::text("extends", "name of a format", |p| &mut p.extends, "The format that it extends."),
    Key::text(
        "group",
        "name of a group",
        |p| &mut p.group,
        "The group that it belongs to; that of a format is the group of all that extend it.",
    ),
    LENGTH,
    OVER,
    Key::list(
        || (&ALIAS).into(),
        Key::own(
            "aliases",
            "list of templates and mappings",
            aliases,
            "Texts that are printed in place of its own: see [Aliases](#aliases).",
        ),
    ),
    Key::list(
        || (&REFUSED).into(),
        Key::own("refused", "list of mappings", refused, "Texts that are known to be wrong, and why."),
    ),
    Key::text("full", "template", |p| &mut p.full, "The text that `--full` adds."),
    Key::own(
        "control",
        "mapping of names to conditions, or to mappings of items to conditions",
        |r, p, node, what| p.control = r.each(node, what, |r, name, node| Some((name.clone(), control(r, node)?))),
        "Control codes in `disasm --json` and `stats`, besides the fields of `full`: flags, and lists of the items whose conditions hold.",
    ),
    Key::pairs("define", "mapping of names to conditions", |p| &mut p.define, "Names for conditions."),
    Key::each(
        || (&CHOICE).into(),
        Key::own("choose", "mapping of names to choices", choose, "The choices that it makes, by name or written out."),
    ),
    Key::texts("except", "condition, or list of conditions", |p| &mut p.except, "Products of its choices that are not forms."),
    ALSO,
];

/// A flag of control codes, or a list.
fn control(r: &mut Reader<'_>, node: &Node) -> Option<ControlDecl> {
    match &node.kind {
        NodeKind::Scalar { text, .. } => Some(ControlDecl::Flag(text.clone())),
        _ => Some(ControlDecl::List(r.pairs(node, "a list of control codes"))),
    }
}

const LENGTH: Key<PartDecl> = Key::number(
    "length",
    1..=MAX_WORD as u64,
    |p, n, at| p.length = Some((n as u32, at)),
    "The length of the word in bits, if words have several lengths.",
);

const OVER: Key<PartDecl> = Key::own(
    "over",
    "name of a form, list of names, or mapping of names to bits and values",
    over,
    "The forms of which it takes words: see [Specialisation and clashes](#specialisation-and-clashes).",
);

/// `over: add`, `over: [ add, sub.imm ]`, `over: { add: { rd: 31 } }`
fn over(reader: &mut Reader<'_>, part: &mut PartDecl, node: &Node, what: &str) {
    part.over = match &node.kind {
        NodeKind::Map(_) => reader.each(node, what, |reader, name, node| {
            Some(OverDecl { name: name.clone(), fix: reader.pairs(node, "a mapping of fields or bits to values") })
        }),
        _ => reader.texts(node, what).into_iter().map(|name| OverDecl { name, fix: Vec::new() }).collect(),
    };
}

const ALSO: Key<PartDecl> =
    Key::texts("also", "template, or list of templates", |p| &mut p.also, "Other texts, which are only read.");

pub(super) static FORMAT: KeyTable<PartDecl> = KeyTable::new("a format", &[&COMMON, &WHOLE]);

pub(super) static OPERAND: KeyTable<PartDecl> = KeyTable::new(
    "an operand",
    &[
        &COMMON,
        &[Key::text("value", "expression", |p| &mut p.value, "Its value in semantics: see [semantics.md](semantics.md).")],
    ],
);

static ALTERNATIVE: KeyTable<PartDecl> = KeyTable::new("an alternative", &[&COMMON, &[LENGTH, OVER, ALSO]]);

pub(super) static INSTRUCTION: KeyTable<PartDecl> = KeyTable::new(
    "an instruction",
    &[
        &COMMON,
        &WHOLE,
        &[
            Key::text("mnemonic", "mnemonic", |p| &mut p.mnemonic, "Its mnemonic; the key of the instruction by default."),
            Key::prose("status", |p| &mut p.status, "Its status in the documents: `implemented`."),
            Key::own(
                "expands",
                "name of an instruction, or mapping",
                expands,
                "The instruction that it stands for: see [Instructions that stand for others](#instructions-that-stand-for-others).",
            ),
            Key::part(
                || (&EXECUTES).into(),
                Key::own(
                    "executes",
                    "bits and fields, or mapping",
                    |r, p, node, _| {
                        let mut made = ExecutesDecl { span: node.span, ..ExecutesDecl::default() };
                        r.fill(&EXECUTES, &mut made, node);
                        p.executes = Some(made);
                    },
                    "Words of no instruction that the machine executes as this one: see [Words that only the machine has](#words-that-only-the-machine-has).",
                ),
            ),
            Key::text("semantics", "statements", |p| &mut p.semantics, "Its effect: see [semantics.md](semantics.md)."),
        ],
    ],
);

pub(super) static CHOICE: KeyTable<ChoiceDecl> = KeyTable::with_others(
    "a choice",
    &[&[Key::prose("summary", |c| &mut c.summary, "One line.")]],
    Others {
        name: "a name",
        value: "alternative",
        doc: "The alternative of that name.",
        shape: Shape::Part(|| (&ALTERNATIVE).into()),
        read: alternative,
    },
);

/// A condition and a template.
type Variant = (Option<Text>, Option<Text>);

static TEMPLATE: [Key<Variant>; 2] = [
    Key::text("when", "condition", |v| &mut v.0, "The condition under which it is printed."),
    Key::required("needs `is`: `is: template`", Key::text("is", "template", |v| &mut v.1, "The text.")),
];
static VARIANT: KeyTable<Variant> = KeyTable::or_short("is", "a variant of a text", &[&TEMPLATE]);
static ALIAS: KeyTable<Variant> = KeyTable::or_short("is", "an alias", &[&TEMPLATE]);

static REFUSED: KeyTable<(Option<Text>, String)> = KeyTable::new(
    "a text that is refused",
    &[&[
        Key::required(
            "needs `begins`: `begins: template`",
            Key::text("begins", "template", |r| &mut r.0, "The beginning of such texts."),
        ),
        Key::required("needs `why`: `why: reason`", Key::prose("why", |r| &mut r.1, "The reason, for the message.")),
    ]],
);

static EXECUTES: KeyTable<ExecutesDecl> = KeyTable::or_short(
    "ignored",
    "words that the machine executes",
    &[&[
        Key::required(
            "needs `ignored`, the bits that the machine ignores: `ignored: [31..28, rs1]`",
            Key::texts("ignored", "list of bits and fields", |e| &mut e.ignored, "The bits that the machine ignores."),
        ),
        Key::texts(
            "not",
            "condition, or list of conditions",
            |e| &mut e.not,
            "Words that the machine does not execute. Fields that the instruction fixes can be named, too.",
        ),
        Key::texts("except", "instruction, or list of instructions", |e| &mut e.except, "Instructions whose words stay theirs."),
    ]],
);

pub(super) fn parts(
    reader: &mut Reader<'_>,
    node: &Node,
    what: &str,
    table: &'static KeyTable<PartDecl>,
) -> Vec<(Text, PartDecl)> {
    reader.each(node, what, |reader, name, node| Some((name.clone(), part(reader, name, node, table))))
}

fn part(reader: &mut Reader<'_>, name: &Text, node: &Node, table: &'static KeyTable<PartDecl>) -> PartDecl {
    let mut part = PartDecl { entry: Span { end: node.span.end.max(name.span.end), ..name.span }, ..PartDecl::default() };
    let errors = reader.diags.error_count();
    reader.fill(table, &mut part, node);
    if let (Some(syntax), false) = (&part.syntax, part.text.is_empty()) {
        reader.error("shape", "`text` already says how this is written", syntax.span);
    }
    part.faulty = reader.diags.error_count() > errors;
    part
}

pub(super) fn choices(reader: &mut Reader<'_>, node: &Node, what: &str) -> Vec<(Text, ChoiceDecl)> {
    reader.each(node, what, |reader, name, node| Some((name.clone(), choice(reader, node))))
}

fn choice(reader: &mut Reader<'_>, node: &Node) -> ChoiceDecl {
    let mut choice = ChoiceDecl::default();
    reader.fill(&CHOICE, &mut choice, node);
    if choice.alternatives.is_empty() {
        reader.error("missing", "a choice has at least one alternative", node.span);
    }
    choice
}

fn alternative(reader: &mut Reader<'_>, choice: &mut ChoiceDecl, name: &Text, node: &Node) -> bool {
    choice.alternatives.push((name.clone(), part(reader, name, node, &ALTERNATIVE)));
    true
}

fn choose(reader: &mut Reader<'_>, part: &mut PartDecl, node: &Node, what: &str) {
    part.choose = reader.each(node, what, |reader, name, node| {
        let choose = match &node.kind {
            NodeKind::Map(_) => Choose::Inline(choice(reader, node)),
            _ => Choose::Named(reader.text(node, "a choice")?),
        };
        Some((name.clone(), choose))
    });
}

fn plain(reader: &mut Reader<'_>, part: &mut PartDecl, node: &Node, kind: PlainKind) {
    part.plain.extend(reader.texts(node, "a list of bits").into_iter().map(|bits| (kind, bits)));
}

fn readings(reader: &mut Reader<'_>, part: &mut PartDecl, node: &Node, what: &str) {
    part.readings = reader.pairs(node, what);
    for (name, _) in part.readings.iter().filter(|(name, _)| !is_ident(&name.value)) {
        reader.error("name", format!("`{}` is not a name for a reading", name.value), name.span);
    }
}

fn letters(reader: &mut Reader<'_>, part: &mut PartDecl, node: &Node, what: &str) {
    part.letters = reader.pairs(node, what);
    // A letter that is drawn in several places can have several names.
    let names = part.letters.iter().flat_map(|(_, names)| names.value.split(',').map(move |name| (name.trim(), names.span)));
    for (name, span) in names.filter(|(name, _)| !is_ident(name)) {
        reader.error("name", format!("`{name}` is not a name for a field"), span);
    }
}

fn text(reader: &mut Reader<'_>, part: &mut PartDecl, node: &Node, _: &str) {
    part.text = variants(reader, node, &VARIANT);
    if part.text.last().is_some_and(|variant| variant.0.is_some()) {
        let message = "the last variant of a text has no `when`: it is what is printed otherwise";
        let help = "texts that replace others under a condition go under `aliases`: `aliases: [{ when: …, is: … }]`";
        reader.diags.push(Diagnostic::error("missing", message, node.span).with_help(help));
    }
}

fn aliases(reader: &mut Reader<'_>, part: &mut PartDecl, node: &Node, _: &str) {
    part.aliases = variants(reader, node, &ALIAS);
    if let Some((_, after)) = part.aliases.iter().skip_while(|alias| alias.0.is_some()).nth(1) {
        reader.error("order", "this alias is never printed: the one before it has no `when`", after.span);
    }
}

/// Templates with their conditions.
fn variants(reader: &mut Reader<'_>, node: &Node, table: &'static KeyTable<Variant>) -> Vec<(Option<Text>, Text)> {
    let items = if let NodeKind::Seq(items) = &node.kind { items.as_slice() } else { std::slice::from_ref(node) };
    let mut list = Vec::new();
    for node in items {
        let mut made: Variant = (None, None);
        reader.fill(table, &mut made, node);
        list.extend(made.1.map(|is| (made.0, is)));
    }
    list
}

fn refused(reader: &mut Reader<'_>, part: &mut PartDecl, node: &Node, what: &str) {
    for node in reader.list(node, what) {
        let mut made = (None, String::new());
        reader.fill(&REFUSED, &mut made, node);
        part.refused.extend(made.0.map(|begins| RefusedDecl { begins, why: made.1 }));
    }
}

/// `expands: { addi: { rs1: rd, imm: n } }`, or the name alone.
fn expands(reader: &mut Reader<'_>, part: &mut PartDecl, node: &Node, what: &str) {
    let NodeKind::Map(entries) = &node.kind else {
        part.expands = reader.text(node, what).map(|to| ExpandsDecl { to, fields: Vec::new() });
        return;
    };
    let [(to, fields)] = entries.as_slice() else {
        reader.error("shape", "`expands` names one instruction: `expands: { addi: { rs1: rd } }`", node.span);
        return;
    };
    let fields = reader.pairs(fields, "what the fields of an instruction are");
    part.expands = Some(ExpandsDecl { to: to.clone(), fields });
}
