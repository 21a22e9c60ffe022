//! Declarations of an instruction set, besides its instructions.

use super::value::{Json, Object};
use super::{Writer, cube, cubes, hex};
use isa_runtime::value::Several;
use isa_spec::model::{Doc, Numbers, Raw, Word};
use isa_spec::semantics::machine::{Flags, Region, Space, State, StateKind};

impl Writer<'_> {
    pub(super) fn assembly(&self) -> Json {
        let assembly = &self.isa.assembly;
        let marks = |marks: &[String]| Json::Array(marks.iter().map(|mark| mark.as_str().into()).collect());
        Object::default()
            .with("comments", marks(&assembly.comments))
            .with("separators", marks(&assembly.separators))
            .with("blocks", Json::Bool(assembly.blocks))
            .with("octal", Json::Bool(assembly.octal))
            .with("insensitive", Json::Bool(assembly.case.is_some()))
            .into()
    }

    pub(super) fn words(&self) -> Json {
        let words = &self.isa.words;
        let length = |l: &isa_spec::model::Length| Object::default().with("bits", l.bits).with("prefix", cubes(&l.prefix)).into();
        Object::default()
            .with("unit", words.unit)
            .with("order", if words.low_first { "low-first" } else { "high-first" })
            .with("bytes", if words.little_endian { "little" } else { "big" })
            .with("lengths", Json::Array(words.lengths.iter().map(length).collect()))
            .into()
    }

    pub(super) fn space(&self) -> Vec<Json> {
        let region = |r: &isa_spec::model::Region| {
            let formats = r.formats(self.isa).into_iter().map(|f| f.name.as_str().into()).collect();
            let object = Object::default().with("name", r.name.as_str()).with("is", r.is.as_str()).with("codes", hex(r.codes()));
            let object =
                object.with("assigned", hex(r.usage(self.isa).map_or(Word::ZERO, |usage| usage.0))).list("formats", formats);
            object.extend(self.about(&r.summary, &r.doc, r.span)).into()
        };
        self.isa.space.iter().map(region).collect()
    }

    pub(super) fn holes(&self) -> Vec<Json> {
        let hole = |h: &isa_spec::model::Hole| {
            let object = Object::default().with("name", h.name.as_str()).with("length", h.length).with("words", cube(&h.words));
            object.extend(self.about(&h.summary, &h.doc, h.span)).into()
        };
        self.isa.holes.iter().map(hole).collect()
    }

    pub(super) fn sources(&self) -> Vec<Json> {
        let sources = self.isa.sources.iter();
        sources
            .map(|s| {
                let object = Object::default().with("name", s.name.as_str()).text("title", &s.title).text("file", &s.file);
                object.text("note", &s.note).with("at", self.at(s.span)).into()
            })
            .collect()
    }

    pub(super) fn registers(&self) -> Vec<Json> {
        let files = self.isa.registers.iter();
        files
            .map(|r| {
                let special = r.special.iter().map(|(i, name)| (i.to_string(), name.as_str().into())).collect();
                let halves = r.halves.iter().flatten().map(|h| h.as_str().into()).collect();
                let mut object = Object::default().with("name", r.name.as_str());
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

    /// The state of the machine besides registers, if the specification describes a machine.
    pub(super) fn machine(&self) -> Object {
        let machine = &self.isa.machine;
        if machine.span == Default::default() {
            return Object::default();
        }
        let about = |summary: &str, span| self.about(summary, &Doc::default(), span);
        let size = |bytes: Option<u64>| bytes.map_or_else(String::new, |bytes| format!("{bytes:#x}"));
        let region = |region: &Region| {
            let object = Object::default().with("name", region.name.as_str()).with("first", hex(region.at));
            let object = object
                .text("size", &size(region.size))
                .text("device", region.device.as_deref().unwrap_or(""))
                .set("read_only", region.read_only);
            let object = object.text("line", region.line.as_deref().unwrap_or(""));
            object.extend(about(&region.summary, region.span)).into()
        };
        let space = |space: &Space| {
            let object = Object::default().with("name", space.name.as_str()).with("address", space.address);
            let object = object.text("size", &size(space.size)).set("program", space.program).set("read_only", space.read_only);
            let object = object.list("regions", space.regions.iter().map(region).collect());
            object.extend(about(&space.summary, space.span)).into()
        };
        let flags = |of: &Flags| {
            let names = of.flags.iter().map(|flag| flag.as_str().into()).collect();
            let object = Object::default().with("name", of.name.as_str()).with("count", of.count).list("flags", names);
            object.extend(about(&of.summary, of.span)).into()
        };
        let state = |state: &State| {
            let object = Object::default().with("name", state.name.as_str()).with("width", state.width);
            let object = object.set("launch", state.kind == StateKind::Launch);
            object.extend(about(&state.summary, state.span)).into()
        };
        let all = Object::default()
            .with("lanes", machine.lanes)
            .with("pc", machine.pc)
            .list("spaces", machine.spaces.iter().map(space).collect())
            .list("flags", machine.flags.iter().map(flags).collect())
            .list("state", machine.state.iter().map(state).collect());
        Object::default().with("machine", all)
    }

    pub(super) fn enums(&self) -> Vec<Json> {
        let value = |v: &isa_spec::model::EnumValue| {
            Object::default()
                .with("value", hex(v.value))
                .with("text", v.text.as_str())
                .list("also", v.also.iter().map(|t| t.as_str().into()).collect())
                .text("name", v.name.as_deref().unwrap_or(""))
                .text("note", &v.note)
                .list("doc", self.doc(&v.doc))
                .into()
        };
        let enums = self.isa.enums.iter();
        enums
            .map(|e| {
                let object = Object::default().with("name", e.name.as_str()).list("values", e.values.iter().map(value).collect());
                let otherwise = e.otherwise.as_ref().map(ToString::to_string).unwrap_or_default();
                object.text("else", &otherwise).extend(self.about(&e.summary, &e.doc, e.span)).into()
            })
            .collect()
    }

    pub(super) fn codes(&self) -> Vec<Json> {
        let number = |(bits, number): &(u16, i128)| {
            Object::default().with("bits", hex(u128::from(*bits))).with("number", hex(*number as u128)).into()
        };
        let codes = self.isa.codes.iter();
        codes
            .map(|code| {
                let object = Object::default().with("name", code.name.as_str()).with("width", code.width);
                let object = match &code.numbers {
                    Numbers::Listed(map) => {
                        let several = match map.several() {
                            _ if map.is_one_to_one() => "",
                            Several::Least => "least",
                            Several::Greatest => "greatest",
                            Several::Nearest => "nearest",
                        };
                        object.list("numbers", map.numbers().iter().map(number).collect()).text("several", several)
                    }
                    Numbers::Steps(_) => {
                        let number = |bits: Raw| code.code().number_bits(bits);
                        let sums = (0..code.width).map(|bit| hex(number(1 << bit) ^ number(0))).collect();
                        object.with("start", hex(number(0))).list("sums", sums)
                    }
                };
                object.extend(self.about(&code.summary, &code.doc, code.span)).into()
            })
            .collect()
    }

    pub(super) fn operands(&self) -> Vec<Json> {
        let types = self.isa.operand_types.iter();
        types
            .map(|o| {
                let object = Object::default()
                    .with("name", o.name.as_str())
                    .with("operand", o.operand.as_str())
                    .list("fields", self.types(&o.fields));
                object.extend(self.about(&o.summary, &o.doc, o.span)).into()
            })
            .collect()
    }

    pub(super) fn choices(&self) -> Vec<Json> {
        let alternative = |a: &isa_spec::model::Alternative| {
            Object::default()
                .with("name", a.name.as_str())
                .list("fields", self.types(&a.fields))
                .map("operands", a.binds.iter().map(|(name, ty)| (name.clone(), self.operand(*ty))).collect())
                .set("observed", a.observed)
                .extend(self.about(&a.summary, &a.doc, a.span))
                .into()
        };
        let types = self.isa.choice_types.iter();
        types
            .map(|c| {
                let object = Object::default().with("name", c.name.as_str()).text("summary", &c.summary);
                object.list("alternatives", c.alternatives.iter().map(alternative).collect()).with("at", self.at(c.span)).into()
            })
            .collect()
    }

    pub(super) fn formats(&self) -> Vec<Json> {
        let formats = self.isa.formats.iter();
        formats
            .map(|f| {
                let extends = f.extends.map(|e| self.isa.formats[e.index()].name.as_str()).unwrap_or_default();
                let object = Object::default().with("name", f.name.as_str()).text("extends", extends).text("notes", &f.notes);
                object.list("errata", self.errata(&f.errata)).extend(self.about(&f.summary, &f.doc, f.span)).into()
            })
            .collect()
    }
}
