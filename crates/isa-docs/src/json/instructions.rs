//! Instructions, their forms and fields.

use super::texts::{condition, pieces, texts};
use super::value::{Json, Object};
use super::{MAX_CUBES, Writer, cube, cubes, hex};
use isa_spec::bits::ranges;
use isa_spec::describe::Describe as _;
use isa_spec::model::{Bits, Executes, Field, Form, FormId, Instruction, NoEffect, Owner, Reading, Spelt};
use isa_spec::sets::{Cube, WordSet};

/// The members of a form that are written in another form or within another member. What follows from the rest is not written: its
/// words without those that its rules exclude, the fields of the instruction that it expands to, and the typed semantics.
const FORM: &[&str] = &[
    "id",
    "instruction",
    "length",
    "mask",
    "value",
    "names",
    "plain",
    "words",
    "legal",
    "exclusions",
    "over",
    "behaviour",
    "executes",
    "expanded",
];

/// Likewise of a field.
const FIELD: &[&str] = &["path", "owner", "bits", "code", "spelling", "label", "default", "no_effect"];

impl Writer<'_> {
    pub(super) fn instruction(&self, i: &Instruction) -> Json {
        let isa = self.isa;
        let choice = |s: &isa_spec::model::Slot| (s.name.clone(), Json::from(isa.choice_types[s.choice.index()].name.as_str()));
        let expands = |e: &isa_spec::model::Expands| {
            let fields = e.fields.iter().map(|(name, is)| (name.clone(), is.as_str().into())).collect();
            (isa.instruction(e.to).name.clone(), Json::Object(fields))
        };
        let object = Object::default().with("name", i.name.as_str());
        self.rest(object, i, &["id", "slots", "binds", "names", "forms", "errata", "semantics", "expands", "entry"])
            .map("operands", i.binds.iter().map(|b| (b.name.clone(), self.operand(b.operand))).collect())
            .map("choices", i.slots.iter().map(choice).collect())
            .text("semantics", &isa.semantics_text(i))
            .list("errata", self.errata(&i.errata))
            .map("expands", i.expands.iter().map(expands).collect())
            .list("forms", isa.forms_of(i).iter().map(|f| self.form(i, f)).collect())
            .into()
    }

    fn form(&self, instruction: &Instruction, form: &Form) -> Json {
        let pick = |(slot, pick): (&isa_spec::model::Slot, &usize)| {
            let choice = &self.isa.choice_types[slot.choice.index()];
            (slot.name.clone(), Json::from(choice.alternatives[*pick].name.as_str()))
        };
        let fixed = form.fixed.iter().map(|f| self.rest(Object::default().extend(self.bits(&f.bits)), f, &["bits"]).into());
        let exclusions = form.exclusions.iter().map(|e| {
            let field = e.field.map(|f| form.fields[f].path.as_str()).unwrap_or_default();
            let object = Object::default().text("field", field).extend(self.words_of("words", &e.when.words));
            self.rest(object, e, &["field", "when"]).into()
        });
        let constraints = form.constraints.iter().map(|c| {
            let fields = c.fields.iter().map(|f| Json::from(form.fields[*f].path.as_str())).collect();
            let object = Object::default().with("that", condition(form, &c.that.cond)).list("fields", fields);
            self.rest(object, c, &[]).into()
        });
        let accesses = form.accesses.iter().map(|a| {
            let mut object = Object::default().with("field", form.fields[a.field].path.as_str());
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
                Some(name) => Object::default().with("list", item.list.as_str()).with("item", name.as_str()),
                None => Object::default().with("flag", item.list.as_str()),
            };
            object.with("when", condition(form, &item.when.cond)).into()
        });
        let refused = |r: &isa_spec::model::Refused| {
            Object::default().with("begins", Json::Array(pieces(self.isa, form, &r.begins))).with("why", r.why.as_str()).into()
        };
        let spelt = |spelt: &Spelt| {
            let text = Json::Array(pieces(self.isa, form, &spelt.text));
            Object::default().with("when", condition(form, &spelt.when.cond)).with("text", text).into()
        };
        let no_effect =
            |(slot, declared): &(usize, NoEffect)| (instruction.slots[*slot].name.clone(), Json::from(declared.why.as_str()));
        let is_text = self.isa.is_text();
        let length = if is_text { Object::default() } else { Object::default().with("length", form.length) };
        let opcode = if is_text {
            Object::default()
        } else {
            Object::default().with("mask", hex(form.mask)).with("value", hex(form.value))
        };
        let over = |(id, words): &(FormId, Cube)| {
            Object::default().with("form", self.isa.form(*id).name.as_str()).with("words", cube(words)).into()
        };
        let object = Object::default()
            .with("name", form.name.as_str())
            .extend(length)
            .map("picks", instruction.slots.iter().zip(&form.picks).map(pick).collect())
            .extend(opcode)
            .list("fixed", fixed.collect())
            .list("fields", form.fields.iter().map(|f| self.field(instruction, f)).collect())
            .list("readings", form.readings.iter().map(|reading| self.reading(form, reading)).collect())
            .list("other", form.plain.iter().map(|bits| self.value(bits.shape())).collect())
            .extend(self.words_of("words", &form.words))
            .list("excluded", exclusions.collect())
            .extend(form.executes.as_ref().map_or_else(Object::default, |executes| self.executes(executes)))
            .list("over", form.over.iter().flat_map(|over| over.of.iter()).map(over).collect())
            .list("constraints", constraints.collect())
            .map("no_effect", form.no_effect.iter().map(no_effect).collect())
            .list("accesses", accesses.collect())
            .list("text", pieces(self.isa, form, &form.text))
            .list("also", texts(self.isa, form, &form.also))
            .list("spelt", form.spelt.iter().map(spelt).collect())
            .list("bodies", form.bodies.iter().map(|list| Json::Array(texts(self.isa, form, list))).collect())
            .list("refused", form.refused.iter().map(refused).collect())
            .list("full", pieces(self.isa, form, &form.full))
            .list("control", control.collect());
        self.rest(object, form, FORM).into()
    }

    /// The words of no form that the machine executes as this one.
    fn executes(&self, executes: &Executes) -> Object {
        let ignored = Object::default().with("ignored", Bits(ranges(executes.ignored)).to_string());
        let object = ignored.with("value", hex(Bits(ranges(executes.ignored)).get_all(executes.value)));
        Object::default().with("executes", Json::from(object.extend(self.words_of("words", &executes.words))))
    }

    /// A number that is computed of fields: how, and with which bits.
    fn reading(&self, form: &Form, reading: &Reading) -> Json {
        let fields = reading.of.iter().map(|field| Json::from(form.fields[*field].path.as_str())).collect();
        let object = Object::default().with("name", reading.field.path.as_str()).with("is", reading.source.as_str());
        object.with("fields", Json::Array(fields)).with("at", self.at(reading.field.span)).into()
    }

    fn field(&self, instruction: &Instruction, field: &Field) -> Json {
        let owner = match field.owner {
            Owner::Instruction => "",
            Owner::Bind(i) => &instruction.binds[i].name,
            Owner::Slot(i, _) => &instruction.slots[i].name,
        };
        let modulo = field.code.modulo();
        let is_name = field.spelling.given().is_some();
        let object = Object::default()
            .with("name", field.path.as_str())
            .text("owner", owner)
            .extend(self.bits(&field.bits))
            .extend(self.kind(field.label, &field.spelling, &field.code))
            .set("wraps", field.code.reads_other_sign || field.is_target() && modulo.is_some())
            .text("modulo", &modulo.filter(|_| !field.is_target()).map_or(String::new(), |bits| bits.to_string()))
            .extend(if is_name { Object::default() } else { Object::default().with("default", hex(field.default)) })
            .text("no_effect", field.no_effect.as_ref().map(|declared| declared.why.as_str()).unwrap_or_default());
        self.rest(object, field, FIELD).into()
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
}
