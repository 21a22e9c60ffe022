//! Declarations of an instruction set, besides its instructions.

use super::value::{Json, Object};
use super::{Writer, cubes, hex};
use isa_runtime::value::Several;
use isa_spec::model::{Numbers, Raw, Word};

impl Writer<'_> {
    pub(super) fn assembly(&self) -> Json {
        let assembly = &self.isa.assembly;
        let marks = |marks: &[String]| Json::Array(marks.iter().map(|mark| mark.as_str().into()).collect());
        let object = Object::default()
            .with("comments", marks(&assembly.comments))
            .with("separators", marks(&assembly.separators))
            .with("blocks", Json::Bool(assembly.blocks))
            .with("octal", Json::Bool(assembly.octal))
            .with("insensitive", Json::Bool(assembly.case.is_some()));
        self.rest(object, assembly, &["comments", "separators", "blocks", "octal"]).into()
    }

    pub(super) fn words(&self) -> Json {
        let words = &self.isa.words;
        let length = |l: &isa_spec::model::Length| {
            let object = Object::default().with("bits", l.bits).with("prefix", cubes(&l.prefix));
            self.rest(object, l, &["words", "holes", "span"]).into()
        };
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
            self.rest(object, r, &[]).into()
        };
        self.isa.space.iter().map(region).collect()
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
                let otherwise = ["names", "index", "count", "halves", "special", "zero", "one", "spelling", "prefix", "suffix"];
                self.rest(object, r, &otherwise).into()
            })
            .collect()
    }

    /// The machine besides registers, if the specification describes one.
    pub(super) fn machine(&self) -> Object {
        let machine = &self.isa.machine;
        if machine.span == Default::default() {
            return Object::default();
        }
        let otherwise = ["functions", "functions_source", "function_texts", "span"];
        let all = self.rest(Object::default(), machine, &otherwise).text("functions", &machine.functions_source);
        Object::default().with("machine", all)
    }

    pub(super) fn enums(&self) -> Vec<Json> {
        let value = |v: &isa_spec::model::EnumValue| {
            self.rest(Object::default().with("value", hex(v.value)).with("text", v.text.as_str()), v, &[]).into()
        };
        let enums = self.isa.enums.iter();
        enums
            .map(|e| {
                let object = Object::default().with("name", e.name.as_str()).list("values", e.values.iter().map(value).collect());
                let otherwise = e.otherwise.as_ref().map(ToString::to_string).unwrap_or_default();
                self.rest(object.text("else", &otherwise), e, &["values", "otherwise", "spelling"]).into()
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
                self.rest(object, code, &["numbers"]).into()
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
                self.rest(object, o, &["fields"]).into()
            })
            .collect()
    }

    pub(super) fn choices(&self) -> Vec<Json> {
        let alternative = |a: &isa_spec::model::Alternative| {
            let object = Object::default()
                .with("name", a.name.as_str())
                .list("fields", self.types(&a.fields))
                .map("operands", a.binds.iter().map(|(name, ty)| (name.clone(), self.operand(*ty))).collect());
            self.rest(object, a, &["fields", "binds"]).into()
        };
        let types = self.isa.choice_types.iter();
        types
            .map(|c| {
                let object = Object::default().with("name", c.name.as_str());
                let object = object.list("alternatives", c.alternatives.iter().map(alternative).collect());
                self.rest(object, c, &["alternatives"]).into()
            })
            .collect()
    }

    pub(super) fn formats(&self) -> Vec<Json> {
        let formats = self.isa.formats.iter();
        formats.map(|f| self.rest(Object::default().list("errata", self.errata(&f.errata)), f, &["errata"]).into()).collect()
    }
}
