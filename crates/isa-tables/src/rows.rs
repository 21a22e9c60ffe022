//! Rows of an instruction set's declarations: registers, enumerations, instructions, fields, forms, holes.

use super::builder::{Builder, intern, intern_rows, short};
use super::text;
use isa_model::diag::Diagnostic;
use isa_model::model::{Field, Form, Isa, Label, PlainKind, Prefer, Word};
use isa_model::shorter::{Held, shorter};
use isa_runtime::Case;
use isa_runtime::engine::tables as t;

impl Builder<'_> {
    pub(super) fn head(&mut self) {
        let isa = self.isa;
        let flag = |is: bool, flag: u8| if is { flag } else { 0 };
        self.out.head = t::Head {
            name: self.str(&isa.name),
            summary: self.str(&isa.summary),
            unit: isa.words.unit as u16,
            flags: flag(isa.words.low_first, t::LOW_FIRST)
                | flag(isa.words.little_endian, t::LITTLE_ENDIAN)
                | flag(isa.is_text(), t::TEXT_ONLY)
                | flag(isa.prefer == Prefer::Shortest, t::SHORTEST)
                | flag(isa.assembly.octal, t::OCTAL)
                | isa.assembly.case.map_or(0, Case::flag),
            longest: 0,
        };
        self.out.assembly = isa.assembly.bytes();
        self.out.objects = isa.object.as_ref().map_or_else(Vec::new, |object| object.info(isa).bytes());
        for region in &isa.space {
            let name = self.str(&region.name);
            let row = t::Region { name, first: region.first, last: region.last, open: region.open as u8 };
            self.out.regions.push(row);
        }
    }

    /// Register files and enumerations.
    pub(super) fn types(&mut self) {
        for file in &self.isa.registers {
            let row = t::Registers {
                name: self.str(&file.name),
                spelling: self.spelling(&file.spelling),
                of: self.str(file.part_of.map_or(&file.name, |part| &self.isa.registers[part.file.index()].name)),
                from: file.part_of.map_or(0, |part| part.from),
            };
            self.out.registers.push(row);
        }
        for e in &self.isa.enums {
            let row = t::Enum { name: self.str(&e.name), spelling: self.spelling(&e.spelling) };
            self.out.enums.push(row);
        }
    }

    pub(super) fn insn(&mut self, insn: &isa_model::model::Instruction) -> Result<(), Box<Diagnostic>> {
        let row = t::Insn {
            name: self.str(&insn.name),
            mnemonic: self.str(&insn.mnemonic),
            names: insn.names.len() as u16,
            first: short(insn.forms.start.index(), "forms", self.isa)?,
            forms: short(insn.forms.end.index() - insn.forms.start.index(), "forms", self.isa)?,
        };
        self.out.insns.push(row);
        Ok(())
    }

    /// The number of a field.
    pub(super) fn field(&mut self, form: &Form, index: usize) -> Result<u16, Box<Diagnostic>> {
        let name = form.names.iter().find(|n| n.field == index);
        self.field_row(&form.fields[index], name.map_or(t::NO_PLACE, |n| n.place as u8))
    }

    /// The number of a reading.
    pub(super) fn reading(&mut self, field: &Field) -> Result<u16, Box<Diagnostic>> {
        self.field_row(field, t::NO_PLACE)
    }

    fn field_row(&mut self, field: &Field, place: u8) -> Result<u16, Box<Diagnostic>> {
        let (label, of) = match field.label {
            Label::Number => (t::NUMBER, 0),
            Label::Register(id) => (t::REGISTER, id.0),
            Label::Enum(id) => (t::ENUM, id.0),
            Label::Flag => (t::FLAG, 0),
            Label::Set => (t::SET, 0),
        };
        let row = t::Field {
            path: self.str(&field.path),
            ranges: self.ranges(&field.bits),
            width: field.code.width as u8,
            label,
            place,
            of,
            code: self.code(&field.code),
            spelling: self.spelling(&field.spelling),
        };
        let number = intern(&mut self.fields, &mut self.out.fields, row);
        short(number as usize, "different fields", self.isa)
    }

    pub(super) fn form(&mut self, form: &Form) -> Result<(), Box<Diagnostic>> {
        let plain = |what: fn(PlainKind) -> bool| {
            form.plain.iter().filter(|p| what(p.what)).fold(Word::ZERO, |mask, p| mask | p.bits.mask())
        };
        let mut fields = Vec::new();
        for i in 0..form.fields.len() {
            fields.push(self.field(form, i)?);
        }
        let fixed: Vec<t::Fixed> = form
            .fixed
            .iter()
            .map(|f| t::Fixed { name: self.str(&f.name), ranges: self.ranges(&f.bits), value: f.value })
            .collect();
        let fixed = intern_rows(&mut self.fixed, &mut self.out.fixed, fixed);
        let mut exclusions = Vec::new();
        for e in &form.exclusions {
            let field = match e.field {
                Some(i) => fields[i],
                None => t::NO_FIELD,
            };
            exclusions.push(t::Exclusion { when: self.set(&e.when.words), field, why: self.str(&e.why) });
        }
        let exclusions = intern_rows(&mut self.exclusions, &mut self.out.exclusions, exclusions);
        let mut rules = Vec::new();
        for rule in &form.constraints {
            let about = self.list(rule.fields.iter().map(|i| fields[*i]).collect());
            rules.push(t::Rule { holds: self.set(&rule.that.words), fields: about, why: self.str(&rule.why) });
        }
        let rules = intern_rows(&mut self.rules, &mut self.out.rules, rules);
        let mut accesses = Vec::new();
        for access in &form.accesses {
            let [reads, writes] = [access.reads, access.writes].map(|count| u8::try_from(count).unwrap_or(u8::MAX));
            let when = access.when.as_ref().map_or(1, |when| self.set(&when.words));
            accesses.push(t::Access { field: fields[access.field], when, reads, writes });
        }
        let accesses = intern_rows(&mut self.accesses, &mut self.out.accesses, accesses);
        let mut control = Vec::new();
        for item in &form.control {
            control.push(t::ControlItem {
                list: self.str(&item.list),
                item: self.str(item.item.as_deref().unwrap_or_default()),
                when: self.set(&item.when.words),
            });
        }
        let control = intern_rows(&mut self.control, &mut self.out.control, control);
        let row = t::Form {
            name: self.str(&form.name),
            insn: short(form.instruction.index(), "instructions", self.isa)?,
            length: form.length as u16,
            flags: if form.has_base { t::HAS_BASE } else { 0 },
            mask: form.mask,
            value: form.value,
            default: form.default_word(),
            reserved: plain(|p| p == PlainKind::Reserved),
            kept: plain(|p| p != PlainKind::Reserved),
            operands: self.list(form.operands().into_iter().map(|i| fields[i]).collect()),
            fields: self.list(fields),
            fixed,
            words: self.set(&form.words),
            legal: self.set(&form.legal),
            one_way: 0,
            exclusions,
            rules,
            accesses,
            control,
        };
        let texts = t::Texts {
            text: text::ops(self, form, &form.text)?,
            base: text::ops(self, form, form.base())?,
            full: text::ops(self, form, &form.full)?,
        };
        self.out.texts.push(texts);
        short(self.out.forms.len(), "forms", self.isa)?;
        self.out.forms.push(row);
        Ok(())
    }

    /// Shorter words with the same effect as longer ones.
    pub(super) fn shorter(&mut self) -> Result<(), Box<Diagnostic>> {
        for way in shorter(self.isa) {
            let (long, short_form) = (self.isa.form(way.long), self.isa.form(way.short));
            let at = self.out.held.len() as u32;
            for (field, held) in &way.fields {
                let field = self.field(long, *field)?;
                let (from, value) = match held {
                    Held::Field(own) => (self.field(short_form, *own)?, 0),
                    Held::Value(raw) => (t::NO_FIELD, *raw),
                };
                self.out.held.push(t::Held { field, from, value });
            }
            self.out.forms[way.short.index()].flags |= t::SHORTENS;
            let held = t::Rows { at, len: way.fields.len() as u32 };
            self.out.shorter.push(t::Shorter { long: way.long.0 as u16, short: way.short.0 as u16, held });
        }
        Ok(())
    }

    pub(super) fn holes(&mut self) {
        for hole in &self.isa.holes {
            let row = t::Hole {
                name: self.str(&hole.name),
                summary: self.str(&hole.summary),
                length: hole.length as u16,
                mask: hole.words.mask,
                value: hole.words.value,
            };
            self.out.holes.push(row);
        }
    }

    /// Stores the greatest length of a text.
    pub(super) fn longest(&mut self) {
        self.out.head.longest = u32::try_from(longest_text(self.isa)).unwrap_or(u32::MAX);
    }
}

/// Bytes of the longest text, with the additions of `--full`, or of the longest value of a field.
pub fn longest_text(isa: &Isa) -> usize {
    let longest = |form: &Form| {
        let value = form.fields.iter().map(|field| text::longest_value(field, &field.spelling)).max().unwrap_or(0);
        let text = text::longest(form, &form.text).max(text::longest(form, form.base()));
        value.max(text + 1 + text::longest(form, &form.full))
    };
    isa.forms.iter().map(longest).max().unwrap_or(0)
}
