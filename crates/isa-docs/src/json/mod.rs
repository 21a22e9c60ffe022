//! The model as JSON, for tools that are not written in Rust.
//!
//! ```json
//! { "isa": "tiny", "summary": "…", "notes": "…", "numbers": "hex",
//!   "words": { "unit": 32, "order": "low-first", "bytes": "little",
//!              "lengths": [{ "bits": 32, "prefix": [CUBE, …] }] },
//!   "space": [{ "name", "is", "codes", "assigned", "formats", … }],
//!   "holes": [{ "name", "length", "words": CUBE, … }],
//!   "sources": [{ "name", "title", "file", "note" }],
//!   "registers": [{ "name", "index", "width", "count", "text", "special": { "31": "RZ" }, "zero", "one", … }],
//!   "machine": { "lanes", "pc", "spaces": [{ "name", "address", "size", "regions": [{ "name", "first", "size", "device", … }], … }],
//!                "flags": [{ "name", "count", "flags", … }], "state": [{ "name", "width", "launch", … }], "variants", "divergence",
//!                "routines": [[NAME, STATEMENTS], …], "functions", "floats", "linux", "debugger", … },
//!   "object": { "elf_machine", "architectures", "registers" }, "groups": [{ "name", … }], "prefer", "also", "follows",
//!   "enums": [{ "name", "values": [{ "value", "text", "also", "name", "note", "doc" }], "else": "SR{n}", … }],
//!   "codes": [{ "name", "width", "numbers": [{ "bits", "number" }], "several", … }],
//!   "operands": [{ "name", "operand", "fields": [TYPE, …], … }],
//!   "choices": [{ "name", "alternatives": [{ "name", "fields": [TYPE, …], "operands": { "b": "Reg" }, "observed", … }], … }],
//!   "formats": [{ "name", "extends", "notes", "errata", … }],
//!   "instructions": [{ "name", "mnemonic", "summary", "notes", "status", "format", "observed",
//!       "aliases": [{ "when", "is" }], "expands": { "add": { "rs1": "rd" } },
//!       "operands": { "a": "Reg" }, "choices": { "b": "Source" }, "semantics", "errata": [ERRATUM, …], "forms": [FORM, …], … }],
//!   "errata": [ERRATUM, …] }
//! ```
//!
//! - In a text-only instruction set, words and bits are absent; a register file that programs name has `names` in the place of
//!   `index` and `count`, and a field of it no value but a name.
//! - FORM: `name`, `length` (bits), `picks` (the alternative of each choice), `mask` and `value`, `fixed`, `fields`, `readings`
//!   (`name`, `is` as it is written, the `fields` that it is computed from), `other` (bits that are no field), `words` (exactly
//!   the words that belong to it), `excluded`, `specialised_by`, `over` (`form` and `words` of a declared overlap: all words where
//!   these are not declared), `executes` (words of no form that the machine executes as this one: the bits that are `ignored`, their
//!   `value` in the word that is executed, and the `words`), `constraints`, `text`, `also` (texts that are read and never printed;
//!   with `has_base` the first of them is the text without aliases), `spelt` (each alias and variant, if some word has several:
//!   `when`, `text`), `refused` (beginnings of wrong texts), `full`, `observed`.
//! - A field: `name`, `owner` (`a` for an operand or a choice; absent for the instruction's own), `bits` (`59..34,21..16`, the
//!   high part first), TYPE, `default` (raw), `doc`, `summary`, `note`, `at`.
//! - TYPE: `kind` (`int`, `register`, `enum`, `flag`, `bitset`) with its properties (`signed`, `scale`, `bias`, `target`, `page`,
//!   `code`; `of`; `text`), `inverted`, `width` in bits; of a field also `wraps`, `modulo`.
//! - CUBE: `{ "mask": "0x…", "value": "0x…" }`, all words with `word & mask == value`; a list of them is their union.
//! - Conditions are `true`, `false`, `{ "field", "in": [CUBE, …] }` over the field's own bits, or `"reading"` in the place of
//!   `"field"` over the bits of a reading, the field that is named first on top, `{ "not" }`, `{ "all" }`, `{ "any" }`, `{
//!   "same": [a, b] }` (two fields have the same bits), `{ "equal": [a, b], "plus" }` and `{ "less": [a, b], "plus" }` (the value
//!   of a and a number are the value of b, or less).
//! - A text is a list of literals, `{ "field", "style" }`, `{ "reading", "style" }`, `{ "fixed", "target", "style" }` (a field
//!   that is fixed, and prints as the address of the word plus a number) and `{ "when", "body" }`, `when` being a condition or `{
//!   "differs": [field, …] }`.
//! - ERRATUM: `id`, `at`, `kind`, `says`, `is`, `evidence` and `elsewhere` (`{ WORD: text or null }`), `by`.
//! - What has no form of its own here is written under the names that the model has ([`isa_spec::model`],
//!   [`isa_spec::semantics::machine`]), with the declaration's place as `at`, and an address that the model calls `at` as `first`.
//!   A pair is a list of two. So no member of the model is missing.
//! - Words, masks, numbers of 64 bits and more, and raw values are strings in hexadecimal, since many readers of JSON round numbers
//!   above 2⁵³. `doc` is a list of `document:lines`. `at` is the file and line of the spec. Empty, false and absent members are
//!   omitted.

mod declarations;
mod instructions;
mod schema;
mod texts;
mod value;

use crate::pages::{own_style, style_text};
use isa_codegen::{Backend, File};
use isa_runtime::value::{Code, Spelling, Style};
use isa_spec::describe::{Describe, Members, Shape};
use isa_spec::diag::Diagnostic;
use isa_spec::model::{Doc, Erratum, Evidence, FieldType, Isa, Label, OperandTypeId, Word};
use isa_spec::sets::{Cube, WordSet};
use isa_spec::span::Span;
use value::{Json, Object, print};

pub use schema::schema;
pub use value::line;

/// The JSON back end: `NAME.json`, the [`model`].
#[derive(Debug)]
pub struct Model;

impl Backend for Model {
    fn name(&self) -> &'static str {
        "json"
    }

    fn emit(&self, isa: &Isa) -> Result<Vec<File>, Box<Diagnostic>> {
        Ok(vec![File::new(format!("{}.json", isa.name), model(isa))])
    }
}

/// The model of an instruction set, with its line feeds.
pub fn model(isa: &Isa) -> String {
    let mut out = String::new();
    print(&Writer { isa }.isa(), 0, &mut out);
    out.push('\n');
    out
}

/// The members of the instruction set that are written in another form, under another name, or within another member; orders of
/// bits, the files and the typed bodies of routines are not written.
const OTHERWISE: &[&str] = &[
    "name",
    "span",
    "words",
    "assembly_places",
    "operand_types",
    "choice_types",
    "forms",
    "machine",
    "routines",
    "files",
    "orders",
];

fn hex(bits: impl Into<Word>) -> Json {
    format!("{:#x}", bits.into()).into()
}

/// More cubes than this are not written out.
const MAX_CUBES: usize = 4096;

/// The cubes of a set; nothing, where there are too many of them.
fn cubes(set: &WordSet) -> Json {
    Json::Array(set.cubes(MAX_CUBES).unwrap_or_default().iter().map(cube).collect())
}

fn cube(cube: &Cube) -> Json {
    Object::default().with("mask", hex(cube.mask)).with("value", hex(cube.value)).into()
}

struct Writer<'a> {
    isa: &'a Isa,
}

impl Writer<'_> {
    fn isa(&self) -> Json {
        let isa = self.isa;
        let object = Object::default()
            .with("isa", isa.name.as_str())
            .text("summary", &isa.summary)
            .text("notes", &isa.notes)
            .with("numbers", style(isa.numbers))
            .with("assembly", self.assembly())
            .extend(if isa.is_text() { Object::default() } else { Object::default().with("words", self.words()) })
            .list("space", self.space())
            .list("registers", self.registers())
            .extend(self.machine())
            .list("enums", self.enums())
            .list("codes", self.codes())
            .list("operands", self.operands())
            .list("choices", self.choices())
            .list("formats", self.formats())
            .list("instructions", isa.instructions.iter().map(|i| self.instruction(i)).collect())
            .list("errata", self.errata(&isa.errata));
        self.rest(object, isa, OTHERWISE).into()
    }

    /// The members of a structure that an object does not have yet, except those that it has in another form.
    fn rest(&self, object: Object, of: &dyn Describe, otherwise: &[&str]) -> Object {
        match of.shape() {
            Shape::Record(of, members) => self.members(object, of, members, otherwise),
            _ => object,
        }
    }

    fn members(&self, mut object: Object, of: &str, members: Members<'_>, otherwise: &[&str]) -> Object {
        for (name, value) in members {
            let shape = value.shape();
            let (key, value) = match (name, shape) {
                _ if otherwise.contains(&name) => continue,
                ("span", shape) => ("at", self.value(shape)),
                ("at", shape @ Shape::Wide(_)) => ("first", self.value(shape)),
                ("kind", Shape::Text(kind)) if of == "State" => ("launch", (kind == "launch").into()),
                (name, shape) => (name, self.value(shape)),
            };
            if !object.has(key) {
                object = object.some(key, value);
            }
        }
        object
    }

    /// A value of the model under its own names.
    fn value(&self, shape: Shape<'_>) -> Json {
        match shape {
            Shape::Absent => Json::Null,
            Shape::Flag(flag) => flag.into(),
            Shape::Number(number) => i64::try_from(number).map_or_else(|_| number.to_string().into(), Json::from),
            Shape::Wide(number) => hex(number),
            Shape::Text(text) => text.into_owned().into(),
            Shape::List(items) => items.into_iter().map(|item| self.value(item.shape())).collect(),
            Shape::Record(of, members) => self.members(Object::default(), of, members, &[]).into(),
            Shape::Lines(source, lines) => self.lines(self.isa.name_of(source), lines),
            Shape::Place(span) => self.at(span),
            Shape::Words(words) => cubes(words),
            Shape::Cube(words) => cube(&words),
            Shape::Item(item) => self.isa.name_of(item).into(),
            Shape::Other(value) => format!("{value:?}").into(),
        }
    }

    fn types(&self, fields: &[FieldType]) -> Vec<Json> {
        let fields = fields.iter();
        fields
            .map(|f| Object::default().with("name", f.name.as_str()).extend(self.kind(f.label, &f.spelling, &f.code)).into())
            .collect()
    }

    fn kind(&self, label: Label, spelling: &Spelling, code: &Code) -> Object {
        let object = match label {
            Label::Number => {
                let mut object = Object::default().with("kind", "int").set("signed", code.is_signed());
                if let Some(code) = self.isa.code_of(code) {
                    object = object.with("code", code.name.as_str());
                }
                let numbers = [("scale", code.scale(), 1), ("bias", code.bias(), 0)];
                for (key, number, _) in numbers.iter().filter(|(_, number, usual)| number != usual) {
                    object = object.with(key, *number);
                }
                if let Some(own) = own_style(self.isa, spelling) {
                    object = object.with("style", style(own));
                }
                if let Some(target) = code.relative() {
                    object = object.with("target", target.offset);
                    if target.page > 0 {
                        object = object.with("page", u32::from(target.page));
                    }
                }
                object
            }
            Label::Register(id) => {
                Object::default().with("kind", "register").with("of", self.isa.registers[id.index()].name.as_str())
            }
            Label::Enum(id) => Object::default().with("kind", "enum").with("of", self.isa.enums[id.index()].name.as_str()),
            Label::Flag => Object::default().with("kind", "flag").with("text", spelling.set_text()),
            Label::Set => Object::default().with("kind", "bitset").with("text", spelling.set_text()),
        };
        let named = code.bit_steps().iter().map(|step| step.word()).filter(|word| !word.is_empty());
        named.fold(object, |object, word| object.set(word, true)).with("width", code.width)
    }

    fn operand(&self, id: OperandTypeId) -> Json {
        self.isa.operand_types[id.index()].name.as_str().into()
    }

    fn errata(&self, errata: &[Erratum]) -> Vec<Json> {
        let evidence = |list: &[Evidence]| {
            let pair = |e: &Evidence| (e.of.to_string(), e.text.as_deref().into());
            list.iter().map(pair).collect()
        };
        let errata = errata.iter();
        errata
            .map(|e| {
                Object::default()
                    .text("id", &e.id)
                    .list("doc", self.doc(&e.at))
                    .text("kind", &e.kind)
                    .text("says", &e.says)
                    .text("is", &e.is)
                    .map("evidence", evidence(&e.evidence))
                    .map("elsewhere", evidence(&e.elsewhere))
                    .text("by", &e.by)
                    .with("at", self.at(e.span))
                    .into()
            })
            .collect()
    }

    fn doc(&self, doc: &Doc) -> Vec<Json> {
        doc.0.iter().map(|lines| self.value(lines.shape())).collect()
    }

    fn lines(&self, source: &str, lines: Option<(u32, u32)>) -> Json {
        match lines {
            None => source.into(),
            Some((first, last)) if first == last => format!("{source}:{first}").into(),
            Some((first, last)) => format!("{source}:{first}-{last}").into(),
        }
    }

    /// The file's own name and the line: the same wherever the file lies.
    fn at(&self, span: Span) -> Json {
        let name = &self.isa.files.file(span.file).name;
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        format!("{name}:{}", self.isa.files.line(span)).into()
    }
}

/// A style as specifications have it.
fn style(style: Style) -> String {
    match style {
        Style::Hex => "hex".into(),
        Style::Dec => "dec".into(),
        style => style_text(style),
    }
}
