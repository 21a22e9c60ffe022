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
//!   "enums": [{ "name", "values": [{ "value", "text", "also", "name", "note", "doc" }], "else": "SR{n}", … }],
//!   "operands": [{ "name", "operand", "fields": [TYPE, …], … }],
//!   "choices": [{ "name", "alternatives": [{ "name", "fields": [TYPE, …], "operands": { "b": "Reg" }, "observed", … }], … }],
//!   "formats": [{ "name", "extends", "notes", "errata", … }],
//!   "instructions": [{ "name", "mnemonic", "summary", "notes", "status", "format", "observed",
//!       "aliases": [{ "when", "is" }], "expands": { "add": { "rs1": "rd" } },
//!       "operands": { "a": "Reg" }, "choices": { "b": "Source" }, "semantics", "errata": [ERRATUM, …], "forms": [FORM, …], … }],
//!   "errata": [ERRATUM, …] }
//! ```
//!
//! - In a text-only instruction set, nothing is said of words and bits; a register file that programs name has `names` in the place of
//!   `index` and `count`, and a field of it no value but a name.
//! - FORM: `name`, `length` (bits), `picks` (the alternative of each choice), `mask` and `value`, `fixed`, `fields`, `other` (bits that
//!   are no field), `words` (exactly the words that belong to it), `excluded`, `specialised_by`, `constraints`, `text`, `also` (texts that
//!   are read and never printed; with `has_base` the first of them is the text without aliases), `refused` (beginnings of wrong texts), `full`, `observed`.
//! - A field: `name`, `owner` (`a` for an operand or a choice; left out for the instruction's own), `bits` (`59..34,21..16`, the high
//!   part first), TYPE, `default` (raw), `doc`, `summary`, `note`, `at`.
//! - TYPE: `kind` (`int`, `register`, `enum`, `flag`, `bitset`) with what belongs to it (`signed`, `scale`, `bias`, `target`; `of`; `text`),
//!   `inverted`, `width` in bits; of a field also `wraps`, `modulo`.
//! - CUBE: `{ "mask": "0x…", "value": "0x…" }`, all words with `word & mask == value`; a list of them is their union.
//! - Conditions are `true`, `false`, `{ "field", "in": [CUBE, …] }` over the field's own bits, `{ "not" }`, `{ "all" }`, `{ "any" }`.
//! - A text is a list of literals, `{ "field", "style" }`, `{ "fixed", "target", "style" }` (a field that is fixed, and prints as the
//!   address of the word plus so much) and `{ "when", "body" }`, `when` being a condition or `{ "differs": [field, …] }`.
//! - ERRATUM: `id`, `at`, `kind`, `says`, `is`, `evidence` and `elsewhere` (`{ WORD: text or null }`), `by`.
//! - Words, masks and raw values are strings in hexadecimal, since many readers of JSON round numbers above 2⁵³. `doc` is a list of
//!   `document:lines`. `at` is the file and line of the spec. What is empty, false or absent is left out.

mod value;

use crate::backend::{Backend, File};
use crate::docs::{own_style, style_text};
use isa_runtime::value::{Code, Spelling, Style};
use isa_spec::diag::Diagnostic;
use isa_spec::model::{
    Bits, Cond, Doc, Erratum, Evidence, Field, FieldType, Form, Instruction, Isa, Label, OperandTypeId, Owner, Piece, PlainKind,
    When, Word,
};
use isa_spec::sets::{Cube, WordSet};
use isa_spec::span::Span;
use value::{Json, Object};

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
    Writer { isa }.isa().print(0, &mut out);
    out.push('\n');
    out
}

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
        Object::default()
            .with("isa", &isa.name)
            .text("summary", &isa.summary)
            .text("notes", &isa.notes)
            .with("numbers", style(isa.numbers))
            .with("assembly", self.assembly())
            .extend(if isa.is_text() { Object::default() } else { Object::default().with("words", self.words()) })
            .list("space", self.space())
            .list("holes", self.holes())
            .list("sources", self.sources())
            .list("registers", self.registers())
            .list("enums", self.enums())
            .list("operands", self.operands())
            .list("choices", self.choices())
            .list("formats", self.formats())
            .list("instructions", isa.instructions.iter().map(|i| self.instruction(i)).collect())
            .list("errata", self.errata(&isa.errata))
            .into()
    }

    fn assembly(&self) -> Json {
        let assembly = &self.isa.assembly;
        let marks = |marks: &[String]| Json::Array(marks.iter().map(|mark| mark.as_str().into()).collect());
        Object::default()
            .with("comments", marks(&assembly.comments))
            .with("separators", marks(&assembly.separators))
            .with("blocks", Json::Bool(assembly.blocks))
            .with("octal", Json::Bool(assembly.octal))
            .into()
    }

    fn words(&self) -> Json {
        let words = &self.isa.words;
        let length = |l: &isa_spec::model::Length| Object::default().with("bits", l.bits).with("prefix", cubes(&l.prefix)).into();
        Object::default()
            .with("unit", words.unit)
            .with("order", if words.low_first { "low-first" } else { "high-first" })
            .with("bytes", if words.little_endian { "little" } else { "big" })
            .with("lengths", Json::Array(words.lengths.iter().map(length).collect()))
            .into()
    }

    fn space(&self) -> Vec<Json> {
        let region = |r: &isa_spec::model::Region| {
            let formats = r.formats(self.isa).into_iter().map(|f| (&f.name).into()).collect();
            let object = Object::default().with("name", &r.name).with("is", &r.is).with("codes", hex(r.codes()));
            let object =
                object.with("assigned", hex(r.usage(self.isa).map_or(Word::ZERO, |usage| usage.0))).list("formats", formats);
            object.extend(self.about(&r.summary, &r.doc, r.span)).into()
        };
        self.isa.space.iter().map(region).collect()
    }

    fn holes(&self) -> Vec<Json> {
        let hole = |h: &isa_spec::model::Hole| {
            let object = Object::default().with("name", &h.name).with("length", h.length).with("words", cube(&h.words));
            object.extend(self.about(&h.summary, &h.doc, h.span)).into()
        };
        self.isa.holes.iter().map(hole).collect()
    }

    fn sources(&self) -> Vec<Json> {
        let sources = self.isa.sources.iter();
        sources
            .map(|s| {
                let object = Object::default().with("name", &s.name).text("title", &s.title).text("file", &s.file);
                object.text("note", &s.note).with("at", self.at(s.span)).into()
            })
            .collect()
    }

    fn registers(&self) -> Vec<Json> {
        let files = self.isa.registers.iter();
        files
            .map(|r| {
                let special = r.special.iter().map(|(i, name)| (i.to_string(), name.into())).collect();
                let halves = r.halves.iter().flatten().map(|h| h.into()).collect();
                let mut object = Object::default().with("name", &r.name);
                object = match &r.names {
                    Some(names) => object.with("names", names.to_string()),
                    None => object.with("index", r.index).with("count", r.count),
                };
                object = object
                    .with("width", r.width)
                    .with("text", format!("{}{{n}}{}", r.prefix, r.suffix))
                    .list("halves", halves)
                    .map("special", special);
                for (key, register) in [("zero", r.zero), ("one", r.one)] {
                    if let Some(register) = register {
                        object = object.with(key, register);
                    }
                }
                object.extend(self.about(&r.summary, &r.doc, r.span)).into()
            })
            .collect()
    }

    fn enums(&self) -> Vec<Json> {
        let value = |v: &isa_spec::model::EnumValue| {
            Object::default()
                .with("value", hex(v.value))
                .with("text", &v.text)
                .list("also", v.also.iter().map(|t| t.into()).collect())
                .text("name", v.name.as_deref().unwrap_or(""))
                .text("note", &v.note)
                .list("doc", self.doc(&v.doc))
                .into()
        };
        let enums = self.isa.enums.iter();
        enums
            .map(|e| {
                let object = Object::default().with("name", &e.name).list("values", e.values.iter().map(value).collect());
                let otherwise = e.otherwise.as_ref().map(ToString::to_string).unwrap_or_default();
                object.text("else", &otherwise).extend(self.about(&e.summary, &e.doc, e.span)).into()
            })
            .collect()
    }

    fn operands(&self) -> Vec<Json> {
        let types = self.isa.operand_types.iter();
        types
            .map(|o| {
                let object =
                    Object::default().with("name", &o.name).with("operand", &o.operand).list("fields", self.types(&o.fields));
                object.extend(self.about(&o.summary, &o.doc, o.span)).into()
            })
            .collect()
    }

    fn choices(&self) -> Vec<Json> {
        let alternative = |a: &isa_spec::model::Alternative| {
            Object::default()
                .with("name", &a.name)
                .list("fields", self.types(&a.fields))
                .map("operands", a.binds.iter().map(|(name, ty)| (name.clone(), self.operand(*ty))).collect())
                .set("observed", a.observed)
                .extend(self.about(&a.summary, &a.doc, a.span))
                .into()
        };
        let types = self.isa.choice_types.iter();
        types
            .map(|c| {
                let object = Object::default().with("name", &c.name).text("summary", &c.summary);
                object.list("alternatives", c.alternatives.iter().map(alternative).collect()).with("at", self.at(c.span)).into()
            })
            .collect()
    }

    fn formats(&self) -> Vec<Json> {
        let formats = self.isa.formats.iter();
        formats
            .map(|f| {
                let extends = f.extends.map(|e| self.isa.formats[e.index()].name.as_str()).unwrap_or_default();
                let object = Object::default().with("name", &f.name).text("extends", extends).text("notes", &f.notes);
                object.list("errata", self.errata(&f.errata)).extend(self.about(&f.summary, &f.doc, f.span)).into()
            })
            .collect()
    }

    fn instruction(&self, i: &Instruction) -> Json {
        let isa = self.isa;
        let choice = |s: &isa_spec::model::Slot| (s.name.clone(), Json::from(&isa.choice_types[s.choice.index()].name));
        let alias = |a: &isa_spec::model::Alias| {
            Object::default()
                .text("when", a.when.as_deref().unwrap_or_default())
                .with("is", &a.is)
                .with("at", self.at(a.span))
                .into()
        };
        let expands = |e: &isa_spec::model::Expands| {
            let fields = e.fields.iter().map(|(name, is)| (name.clone(), Json::from(is))).collect();
            (isa.instruction(e.to).name.clone(), Json::Object(fields))
        };
        Object::default()
            .with("name", &i.name)
            .with("mnemonic", &i.mnemonic)
            .text("notes", &i.notes)
            .text("status", &i.status)
            .text("format", i.format.map(|f| isa.formats[f.index()].name.as_str()).unwrap_or_default())
            .set("observed", i.observed)
            .map("operands", i.binds.iter().map(|b| (b.name.clone(), self.operand(b.operand))).collect())
            .map("choices", i.slots.iter().map(choice).collect())
            .extend(self.about(&i.summary, &i.doc, i.span))
            .text("semantics", i.semantics.as_ref().map(|s| s.source.as_str()).unwrap_or_default())
            .list("errata", self.errata(&i.errata))
            .list("aliases", i.aliases.iter().map(alias).collect())
            .map("expands", i.expands.iter().map(expands).collect())
            .list("forms", isa.forms_of(i).iter().map(|f| self.form(i, f)).collect())
            .into()
    }

    fn form(&self, instruction: &Instruction, form: &Form) -> Json {
        let pick = |(slot, pick): (&isa_spec::model::Slot, &usize)| {
            let choice = &self.isa.choice_types[slot.choice.index()];
            (slot.name.clone(), Json::from(&choice.alternatives[*pick].name))
        };
        let fixed = form.fixed.iter().map(|f| {
            let object = Object::default().text("name", &f.name).extend(self.bits(&f.bits)).with("value", hex(f.value));
            object.list("doc", self.doc(&f.doc)).with("at", self.at(f.span)).into()
        });
        let plain = form.plain.iter().map(|p| {
            let what = match p.what {
                PlainKind::Ignored => "ignored",
                PlainKind::Unknown => "unknown",
                PlainKind::Reserved => "reserved",
            };
            Object::default().with("bits", p.bits.to_string()).with("what", what).into()
        });
        let exclusions = form.exclusions.iter().map(|e| {
            let field = e.field.map(|f| form.fields[f].path.as_str()).unwrap_or_default();
            let object = Object::default().text("field", field).with("why", &e.why);
            object.extend(self.words_of("words", &e.when.words)).with("at", self.at(e.span)).into()
        });
        let constraints = form.constraints.iter().map(|c| {
            let fields = c.fields.iter().map(|f| Json::from(&form.fields[*f].path)).collect();
            let object = Object::default().with("why", &c.why).with("that", condition(form, &c.that.cond));
            object.list("fields", fields).list("doc", self.doc(&c.doc)).with("at", self.at(c.span)).into()
        });
        let accesses = form.accesses.iter().map(|a| {
            let mut object = Object::default().with("field", &form.fields[a.field].path);
            for (key, count) in [("reads", a.reads), ("writes", a.writes)].into_iter().filter(|(_, count)| *count > 0) {
                object = object.with(key, count);
            }
            match &a.when {
                Some(when) => object.with("when", condition(form, &when.cond)).into(),
                None => object.into(),
            }
        });
        let control = form.control.iter().map(|item| {
            let object = match &item.item {
                Some(name) => Object::default().with("list", &item.list).with("item", name),
                None => Object::default().with("flag", &item.list),
            };
            object.with("when", condition(form, &item.when.cond)).into()
        });
        let refused = |r: &isa_spec::model::Refused| {
            Object::default().with("begins", Json::Array(pieces(self.isa, form, &r.begins))).with("why", &r.why).into()
        };
        let is_text = self.isa.is_text();
        let length = if is_text { Object::default() } else { Object::default().with("length", form.length) };
        let opcode = if is_text {
            Object::default()
        } else {
            Object::default().with("mask", hex(form.mask)).with("value", hex(form.value))
        };
        Object::default()
            .with("name", &form.name)
            .extend(length)
            .map("picks", instruction.slots.iter().zip(&form.picks).map(pick).collect())
            .set("observed", form.observed)
            .extend(opcode)
            .list("fixed", fixed.collect())
            .list("fields", form.fields.iter().map(|f| self.field(instruction, f)).collect())
            .list("other", plain.collect())
            .extend(self.words_of("words", &form.words))
            .list("excluded", exclusions.collect())
            .list("specialised_by", form.specialised_by.iter().map(|f| Json::from(&self.isa.form(*f).name)).collect())
            .list("constraints", constraints.collect())
            .list("accesses", accesses.collect())
            .list("text", pieces(self.isa, form, &form.text))
            .set("has_base", form.has_base)
            .list("also", texts(self.isa, form, &form.also))
            .list("bodies", form.bodies.iter().map(|list| Json::Array(texts(self.isa, form, list))).collect())
            .list("refused", form.refused.iter().map(refused).collect())
            .list("full", pieces(self.isa, form, &form.full))
            .list("control", control.collect())
            .into()
    }

    fn field(&self, instruction: &Instruction, field: &Field) -> Json {
        let owner = match field.owner {
            Owner::Instruction => "",
            Owner::Bind(i) => &instruction.binds[i].name,
            Owner::Slot(i, _) => &instruction.slots[i].name,
        };
        let modulo = field.code.modulo();
        let is_name = field.spelling.given().is_some();
        Object::default()
            .with("name", &field.path)
            .text("owner", owner)
            .extend(self.bits(&field.bits))
            .extend(self.kind(field.label, &field.spelling, &field.code))
            .set("wraps", field.code.reads_other_sign || field.is_target() && modulo.is_some())
            .text("modulo", &modulo.filter(|_| !field.is_target()).map_or(String::new(), |bits| bits.to_string()))
            .extend(if is_name { Object::default() } else { Object::default().with("default", hex(field.default)) })
            .text("note", &field.note)
            .extend(self.about(&field.summary, &field.doc, field.span))
            .into()
    }

    /// Bits of a text-only instruction set are internal and not shown.
    fn bits(&self, bits: &Bits) -> Object {
        if self.isa.is_text() { Object::default() } else { Object::default().with("bits", bits.to_string()) }
    }

    fn words_of(&self, key: &str, words: &WordSet) -> Object {
        if self.isa.is_text() || words.cube_count() > MAX_CUBES as u64 {
            Object::default()
        } else {
            Object::default().with(key, cubes(words))
        }
    }

    fn types(&self, fields: &[FieldType]) -> Vec<Json> {
        let fields = fields.iter();
        fields.map(|f| Object::default().with("name", &f.name).extend(self.kind(f.label, &f.spelling, &f.code)).into()).collect()
    }

    fn kind(&self, label: Label, spelling: &Spelling, code: &Code) -> Object {
        let object = match label {
            Label::Number => {
                let mut object = Object::default().with("kind", "int").set("signed", code.is_signed());
                let numbers = [("scale", code.scale(), 1), ("bias", code.bias(), 0)];
                for (key, number, _) in numbers.iter().filter(|(_, number, usual)| number != usual) {
                    object = object.with(key, *number);
                }
                if let Some(own) = own_style(self.isa, spelling) {
                    object = object.with("style", style(own));
                }
                if let Some(target) = code.relative() {
                    object = object.with("target", target);
                }
                object
            }
            Label::Register(id) => Object::default().with("kind", "register").with("of", &self.isa.registers[id.index()].name),
            Label::Enum(id) => Object::default().with("kind", "enum").with("of", &self.isa.enums[id.index()].name),
            Label::Flag => Object::default().with("kind", "flag").with("text", spelling.set_text()),
            Label::Set => Object::default().with("kind", "bitset").with("text", spelling.set_text()),
        };
        code.bit_steps().iter().fold(object, |object, step| object.set(step.word(), true)).with("width", code.width)
    }

    fn operand(&self, id: OperandTypeId) -> Json {
        (&self.isa.operand_types[id.index()].name).into()
    }

    fn errata(&self, errata: &[Erratum]) -> Vec<Json> {
        let evidence = |list: &[Evidence]| {
            let pair = |e: &Evidence| (e.of.to_string(), e.text.as_ref().map_or(Json::Null, Json::from));
            list.iter().map(pair).collect::<Vec<_>>()
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

    /// What most things have: prose, where it is documented, where it is declared.
    fn about(&self, summary: &str, doc: &Doc, span: Span) -> Object {
        Object::default().text("summary", summary).list("doc", self.doc(doc)).with("at", self.at(span))
    }

    fn doc(&self, doc: &Doc) -> Vec<Json> {
        let one = |d: &isa_spec::model::DocRef| {
            let source = &self.isa.sources[d.source.index()].name;
            match d.lines {
                None => source.clone(),
                Some((first, last)) if first == last => format!("{source}:{first}"),
                Some((first, last)) => format!("{source}:{first}-{last}"),
            }
        };
        doc.0.iter().map(|d| one(d).into()).collect()
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

fn condition(form: &Form, cond: &Cond) -> Json {
    let all = |parts: &[Cond]| Json::Array(parts.iter().map(|c| condition(form, c)).collect());
    match cond {
        Cond::Const(value) => Json::Bool(*value),
        Cond::Test { field, values } => {
            let object = Object::default().with("field", &form.fields[*field].path);
            match values.cubes(MAX_CUBES) {
                Some(values) => object.with("in", Json::Array(values.iter().map(cube).collect())).into(),
                // Too many to be listed.
                None => object.with("values", values.count(form.fields[*field].bits.width()).to_string()).into(),
            }
        }
        Cond::Same(both) => Object::default()
            .with("same", Json::Array(both.iter().map(|i| form.fields[*i].path.as_str().into()).collect()))
            .into(),
        Cond::Not(inner) => Object::default().with("not", condition(form, inner)).into(),
        Cond::And(parts) => Object::default().with("all", all(parts)).into(),
        Cond::Or(parts) => Object::default().with("any", all(parts)).into(),
    }
}

fn texts(isa: &Isa, form: &Form, list: &[Vec<Piece>]) -> Vec<Json> {
    list.iter().map(|text| Json::Array(pieces(isa, form, text))).collect()
}

fn fixed(isa: &Isa, field: &Field) -> Json {
    let distance = field.code.bias().saturating_add(field.code.relative().unwrap_or(0));
    let style = own_style(isa, &field.spelling).map(style).unwrap_or_default();
    Object::default().with("fixed", &field.path).with("target", distance).text("style", &style).into()
}

fn pieces(isa: &Isa, form: &Form, text: &[Piece]) -> Vec<Json> {
    let piece = |piece: &Piece| match piece {
        Piece::Literal(text) => text.into(),
        Piece::Field { field, spelling } => {
            let field = &form.fields[*field];
            let other = spelling.style().filter(|style| field.spelling.style() != Some(*style));
            let style = other.map(style).unwrap_or_default();
            Object::default().with("field", &field.path).text("style", &style).into()
        }
        Piece::Fixed(field) => fixed(isa, field),
        Piece::OneOf(list) => Object::default().with("oneOf", *list as u32).into(),
        Piece::Group { when, body } => {
            let when = match when {
                When::Differs(fields) => {
                    let fields = fields.iter().map(|f| Json::from(&form.fields[*f].path)).collect();
                    Object::default().with("differs", Json::Array(fields)).into()
                }
                When::Holds(when) => condition(form, &when.cond),
            };
            Object::default().with("when", when).with("body", Json::Array(pieces(isa, form, body))).into()
        }
    };
    text.iter().map(piece).collect()
}
