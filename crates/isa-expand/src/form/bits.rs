//! Bits in use: fixed ones, and those that belong to no field.

use super::{Builder, Claim};
use crate::assembly::Instance;
use crate::values::Meaning;
use isa_model::bits::{bits_word, ranges};
use isa_model::diag::Diagnostic;
use isa_model::model::{Bits, Doc, Field, Fixed, MAX_FIELD, Plain, PlainKind, Raw, Word, ones};
use isa_model::span::{Span, Text};
use isa_syntax::lang;

impl Builder<'_, '_, '_> {
    pub(super) fn claim(&mut self, mask: Word, what: &str, span: Span) {
        if self.is_beyond(mask) {
            self.beyond(what, span);
            self.incomplete = true;
            return;
        }
        if let Some(other) = self.claims.iter().find(|c| !(c.mask & mask).is_zero()) {
            let both = ranges(other.mask & mask);
            let message = format!(
                "{} {} assigned twice: to {} and to {what}",
                bits_word(&both),
                if both.len() == 1 && both[0].width() == 1 { "is" } else { "are" },
                other.what
            );
            // One with wrong bits shares bits with many: the first finding about it is enough.
            if !self.cx.report.reported.borrow().contains(&("bits-twice", other.span)) {
                let found = Diagnostic::error("bits-twice", message, span);
                self.cx.report(found.with_label(other.span, format!("{} is here", other.what)));
                self.cx.report.reported.borrow_mut().insert(("bits-twice", other.span));
            }
        }
        self.claims.push(Claim { mask, what: what.to_string(), span });
    }

    /// True if some of the bits are not in the word.
    pub(super) fn is_beyond(&self, mask: Word) -> bool {
        !(mask & !Word::ones(self.length)).is_zero()
    }

    pub(super) fn beyond(&self, what: &str, span: Span) {
        let message = format!("{what} lies beyond the word, which has {} bits, {}..0", self.length, self.length - 1);
        self.cx.error("range", message, span);
    }

    /// Refuses declarations of bits in a text-only instruction set.
    pub(super) fn refuse_bits(&mut self) {
        for instance in &self.assembly.instances {
            let part = instance.part;
            let digits = |key: &Text| key.value.starts_with(|c: char| c.is_ascii_digit());
            let bits = (part.layout.iter().map(|t| t.span))
                .chain(part.length.iter().map(|l| l.1))
                .chain(part.plain.iter().map(|p| p.1.span))
                .chain(part.rest.iter().map(|r| r.1))
                .chain(part.executes.iter().map(|executes| executes.span))
                .chain(part.fix.iter().filter(|(key, _)| digits(key)).map(|(key, _)| key.span));
            for span in bits {
                self.cx.error("no-words", "a text-only instruction set has no bits", span);
                self.incomplete = true;
            }
            let beside = part.full.iter().map(|full| ("full", full.span));
            for (key, span) in beside.chain(part.control.iter().map(|(list, _)| ("control", list.span))) {
                let message = format!("a text-only instruction set has no `{key}`: its text leaves nothing out");
                self.cx.error("no-words", message, span);
            }
            self.refuse_letters(instance);
        }
    }

    /// `x: 3..0 == 4`, `fix`: fields that become fixed bits, and bits without a name.
    pub(super) fn fixes(&mut self) {
        for instance in &self.assembly.instances {
            for decl in &instance.part.fields {
                let Some(text) = instance.env.apply(self.cx, &decl.entry) else { continue };
                if let Some(entry) = self.cx.parse(&self.cx.parsed.fields, &text, lang::parse_field)
                    && let Some((value, range)) = &entry.fixed
                {
                    self.fix_field(&decl.name, value, text.at(range.clone()), instance);
                }
            }
            for (key, value) in &instance.part.fix {
                let (Some(key), Some(text)) = (instance.env.apply(self.cx, key), instance.env.apply(self.cx, value)) else {
                    continue;
                };
                let Some(value) = self.cx.parse(&self.cx.parsed.values, &text, lang::parse_value) else { continue };
                if key.value.starts_with(|c: char| c.is_ascii_digit() || c == '[') {
                    self.fix_bits(&key, &value, &text, instance);
                } else {
                    self.fix_field(&key, &value, text.span, instance);
                }
            }
        }
    }

    pub(super) fn fix_bits(&mut self, key: &Text, value: &lang::Value, text: &Text, instance: &Instance<'_>) {
        let Some(list) = self.cx.parse(&self.cx.parsed.bit_lists, key, lang::parse_bit_list) else { return };
        let bits = Bits(list.iter().map(|(r, _)| *r).collect());
        if bits.width() > MAX_FIELD {
            let message = format!("bits fixed to one number are at most {MAX_FIELD} together, and {bits} are {}", bits.width());
            self.cx.error("width", message, key.span);
            self.incomplete = true;
            return;
        }
        let all = ones(bits.width());
        let Some(raw) = crate::words::plain_value(value).filter(|v| *v <= all) else {
            self.cx.error("value", format!("`{}` does not fit into {} bits: 0 to {all}", text.value, bits.width()), text.span);
            self.incomplete = true;
            return;
        };
        self.claim(bits.mask(), "fixed bits", key.span);
        self.fix_at(String::new(), bits, raw, self.cx.doc(instance.part.doc.as_ref()), key.span);
    }

    pub(super) fn fix_field(&mut self, key: &Text, value: &lang::Value, at: Span, instance: &Instance<'_>) {
        let paths = [format!("{}{}", instance.prefix, key.value), key.value.clone()];
        let Some(index) = paths.iter().find_map(|p| self.fields.iter().position(|f| f.path == *p)) else {
            match self.fixed_list.iter().find(|f| paths.contains(&f.name)) {
                Some(other) => {
                    let d = Diagnostic::error("bits-twice", format!("`{}` is fixed twice", key.value), key.span);
                    self.cx.report(d.with_label(other.span, "first here"));
                }
                None if paths.iter().any(|p| self.failed.contains(p)) => {}
                None => self.cx.unknown("field", &key.value, key.span, self.fields.iter().map(|f| f.path.as_str())),
            }
            return;
        };
        let field = &self.fields[index];
        let meaning = Meaning::of(self.isa, field);
        let Some(raw) = meaning.raw(self.cx, value, at) else { return };
        let field = Field { span: key.span, ..self.fields.remove(index) };
        self.fix_at(field.path.clone(), field.bits.clone(), raw, field.doc.clone(), key.span);
        self.fixed.push((field, raw));
    }

    pub(super) fn fix_at(&mut self, name: String, bits: Bits, value: Raw, doc: Doc, span: Span) {
        self.mask |= bits.mask();
        self.value |= bits.place(value);
        self.fixed_list.push(Fixed { name, bits, value, doc, span });
    }

    /// `ignored`, `unknown`, `reserved`, `rest`.
    pub(super) fn plain_bits(&mut self) {
        for instance in &self.assembly.instances {
            for (what, text) in &instance.part.plain {
                let Some(text) = instance.env.apply(self.cx, text) else { continue };
                let Some(list) = self.cx.parse(&self.cx.parsed.bit_lists, &text, lang::parse_bit_list) else {
                    self.incomplete = true;
                    continue;
                };
                for (bits, range) in list.iter() {
                    let span = text.at(range.clone());
                    self.claim(bits.mask(), word_for(*what), span);
                    self.plain.push(Plain { bits: *bits, what: *what, span });
                }
            }
        }
        let rest = self.assembly.instances.iter().rev().find_map(|i| i.part.rest);
        if let Some((what, span)) = rest {
            for bits in ranges(self.left_over()) {
                self.claim(bits.mask(), word_for(what), span);
                self.plain.push(Plain { bits, what, span });
            }
        }
        self.plain.sort_by_key(|p| std::cmp::Reverse(p.bits.hi));
        self.mask |= self.plain.iter().filter(|p| p.what == PlainKind::Reserved).fold(Word::ZERO, |m, p| m | p.bits.mask());
    }

    pub(super) fn left_over(&self) -> Word {
        Word::ones(self.length) & !self.claims.iter().fold(Word::ZERO, |m, c| m | c.mask)
    }
}

fn word_for(kind: PlainKind) -> &'static str {
    match kind {
        PlainKind::Ignored => "ignored bits",
        PlainKind::Unknown => "unknown bits",
        PlainKind::Reserved => "reserved bits",
    }
}
