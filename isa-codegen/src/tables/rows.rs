//! Rows of what an instruction set declares: registers, enumerations, instructions, fields, forms, holes.

use super::builder::{Builder, intern, intern_rows, printed, short, word};
use super::text;
use isa_runtime::engine::tables as t;
use isa_runtime::engine::{Bits, Str};
use isa_spec::diag::Diagnostic;
use isa_spec::model::{Field, Form, Isa, Kind, PlainKind, Prefer, Word};

impl<W: Bits> Builder<'_, W> {
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
                | flag(isa.assembly.blocks, t::BLOCKS),
            longest: 0,
        };
        let comments = isa.assembly.comments.iter().map(|mark| (mark, t::COMMENT));
        for (mark, kind) in comments.chain(isa.assembly.separators.iter().map(|mark| (mark, t::SEPARATOR))) {
            let text = self.str(mark);
            self.out.marks.push(t::Mark { text, kind });
        }
        if let Some(object) = &isa.object {
            let registers = self.str(object.registers.map_or("", |id| &isa.registers[id.index()].name));
            for architecture in &object.architectures {
                let architecture = self.str(architecture);
                self.out.objects.push(t::Object { machine: object.elf_machine, architecture, registers });
            }
        }
        for region in &isa.space {
            let name = self.str(&region.name);
            let row = t::Region { name, first: region.first, last: region.last, open: region.open as u8 };
            self.out.regions.push(row);
        }
    }

    /// Register files and enumerations.
    pub(super) fn names(&mut self) {
        for file in &self.isa.registers {
            let names = file.special.iter().map(|name| (name, 0)).chain(file.also.iter().map(|name| (name, 1)));
            let special: Vec<t::Named> =
                names.map(|((value, name), also)| t::Named { value: *value, text: self.str(name), also }).collect();
            let special = self.named(special);
            let mut rows = Vec::new();
            for row in file.names.iter().flat_map(|names| &names.0) {
                let at = self.out.parts.len() as u32;
                self.out.parts.extend(row.iter().map(|part| t::Part {
                    of: part.of,
                    flags: if part.may_be_missing { t::MISSING } else { 0 } | if part.repeats { t::REPEATS } else { 0 },
                }));
                rows.push(t::Rows { at, len: row.len() as u32 });
            }
            let spellings = t::Rows { at: self.out.spellings.len() as u32, len: rows.len() as u32 };
            self.out.spellings.extend(rows);
            let halves = file.halves.as_ref().map_or([Str::default(); 2], |halves| [self.str(&halves[0]), self.str(&halves[1])]);
            let row = t::Registers {
                name: self.str(&file.name),
                prefix: self.str(&file.prefix),
                suffix: self.str(&file.suffix),
                halves,
                halved: file.halves.is_some().into(),
                count: file.count,
                special,
                spellings,
                of: self.str(file.part_of.map_or(&file.name, |part| &self.isa.registers[part.file.index()].name)),
                from: file.part_of.map_or(0, |part| part.from),
            };
            self.out.registers.push(row);
        }
        for e in &self.isa.enums {
            let mut values: Vec<t::Named> =
                e.values.iter().map(|v| t::Named { value: v.value, text: self.str(&v.text), also: 0 }).collect();
            // One value can have two names: the first is printed.
            values.sort_by_key(|v| v.value);
            values.dedup_by_key(|v| v.value);
            // Read in the order of the values; what is longer comes first.
            let mut texts: Vec<(usize, t::Named)> = Vec::new();
            for v in &e.values {
                for (i, text) in v.read().enumerate() {
                    let row = t::Named { value: v.value, text: self.str(text), also: (i > 0).into() };
                    texts.push((text.len(), row));
                }
            }
            // A value that prints like another one is read where that one is not possible.
            for v in e.values.iter().filter(|v| v.like.is_some()) {
                texts.push((v.text.len(), t::Named { value: v.value, text: self.str(&v.text), also: 0 }));
            }
            texts.sort_by_key(|(len, _)| std::cmp::Reverse(*len));
            let around = e.otherwise.as_ref().map_or([Str::default(); 2], |o| [self.str(&o.before), self.str(&o.after)]);
            let row = t::Enum {
                name: self.str(&e.name),
                values: self.named(values),
                texts: self.named(texts.into_iter().map(|t| t.1).collect()),
                around,
                open: e.otherwise.as_ref().map_or(0, |other| if other.is_hex { 16 } else { 10 }),
            };
            self.out.enums.push(row);
        }
    }

    pub(super) fn named(&mut self, rows: Vec<t::Named>) -> t::Rows {
        let at = t::Rows { at: self.out.names.len() as u32, len: rows.len() as u32 };
        self.out.names.extend(rows);
        at
    }

    pub(super) fn insn(&mut self, insn: &isa_spec::model::Instruction) -> Result<(), Box<Diagnostic>> {
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
        let field = &form.fields[index];
        let name = form.names.iter().find(|n| n.field == index);
        let (kind, of) = match &field.kind {
            Kind::Number(_) => {
                let number = self.number(field);
                (t::NUMBER, intern(&mut self.numbers, &mut self.out.numbers, number))
            }
            Kind::Register(id) => (if name.is_some() { t::NAME } else { t::REGISTER }, id.0),
            Kind::Enum(id) => (t::ENUM, id.0),
            Kind::Flag(text) => (t::FLAG, self.string(text)),
            Kind::Bitset(letters) => (t::LETTERS, self.string(letters)),
        };
        let row = t::Field {
            path: self.str(&field.path),
            ranges: self.ranges(&field.bits),
            width: field.bits.width() as u8,
            kind,
            flags: flags(field),
            place: name.map_or(0, |n| n.place as u8),
            of,
        };
        let number = intern(&mut self.fields, &mut self.out.fields, row);
        short(number as usize, "different fields", self.isa)
    }

    /// The number of a field that is a number without bits.
    pub(super) fn number_field(&mut self, field: &Field) -> Result<u16, Box<Diagnostic>> {
        let number = self.number(field);
        let of = intern(&mut self.numbers, &mut self.out.numbers, number);
        let row = t::Field { path: self.str(&field.path), kind: t::NUMBER, flags: flags(field), of, ..t::Field::default() };
        let number = intern(&mut self.fields, &mut self.out.fields, row);
        short(number as usize, "different fields", self.isa)
    }

    pub(super) fn number(&self, field: &Field) -> t::Number {
        let Kind::Number(radix) = &field.kind else { return t::Number::default() };
        let code = &field.code;
        let target = code.relative();
        let [radix, digits] = printed(radix.unwrap_or(self.isa.numbers));
        t::Number {
            scale: code.scale(),
            bias: code.bias(),
            target: target.unwrap_or(0),
            flags: if code.is_signed() { t::SIGNED } else { 0 } | if target.is_some() { t::TARGET } else { 0 },
            radix,
            digits,
            modulo: code.modulo().unwrap_or(0) as u8,
        }
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
            mask: word(form.mask),
            value: word(form.value),
            default: word(form.default_word()),
            reserved: word(plain(|p| p == PlainKind::Reserved)),
            kept: word(plain(|p| p != PlainKind::Reserved)),
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

    pub(super) fn holes(&mut self) {
        for hole in &self.isa.holes {
            let row = t::Hole {
                name: self.str(&hole.name),
                summary: self.str(&hole.summary),
                length: hole.length as u16,
                mask: word(hole.words.mask),
                value: word(hole.words.value),
            };
            self.out.holes.push(row);
        }
    }

    /// How long texts can be.
    pub(super) fn longest(&mut self) {
        self.out.head.longest = u32::try_from(longest_text(self.isa)).unwrap_or(u32::MAX);
    }
}

/// Bytes of the longest text, with what `--full` adds, or of the longest value of a field.
pub(crate) fn longest_text(isa: &Isa) -> usize {
    let longest = |form: &Form| {
        let value = form.fields.iter().map(|field| text::longest_value(isa, field, None)).max().unwrap_or(0);
        let text = text::longest(isa, form, &form.text).max(text::longest(isa, form, form.base()));
        value.max(text + 1 + text::longest(isa, form, &form.full))
    };
    isa.forms.iter().map(longest).max().unwrap_or(0)
}

/// The flags of a field of the tables.
fn flags(field: &Field) -> u8 {
    let code = &field.code;
    let wraps = code.reads_other_sign || field.is_target() && code.modulo().is_some();
    let flags = [(code.is_inverted(), t::INVERTED), (wraps, t::WRAPS)];
    flags.into_iter().filter(|(is_set, _)| *is_set).fold(0, |all, (_, flag)| all | flag)
}
