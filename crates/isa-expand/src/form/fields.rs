//! The fields of a form: where their bits are and what they are by default.

use super::kind::meaning;
use super::{Builder, Placed};
use crate::assembly::Instance;
use crate::values::Meaning;
use isa_model::bits::width_word;
use isa_model::diag::Diagnostic;
use isa_model::model::{BitRange, Bits, Field, Label, MAX_FIELD, Owner, Raw, Word, ones};
use isa_model::semantics::value::{ValueType, value_type};
use isa_model::span::{Span, Text};
use isa_runtime::float_text::MAX_DIGITS;
use isa_runtime::value::{Code, FloatStyle, Spelling, Step, Style};
use isa_syntax::lang;
use isa_syntax::read::FieldDecl;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Bits in which a number wraps.
const MAX_WRAP: u32 = 64;

/// Bits of the distance from an address to a target.
const MAX_DISTANCE: u32 = 64;

impl Builder<'_, '_, '_> {
    pub(super) fn is_format(&self, instance: &Instance<'_>) -> bool {
        self.assembly.instances[..self.assembly.formats].iter().any(|i| std::ptr::eq(i.part, instance.part))
    }

    pub(super) fn declared_fields(&mut self, placed: &Placed) {
        let mut taken: BTreeSet<String> = BTreeSet::new();
        for instance in &self.assembly.instances {
            for decl in &instance.part.fields {
                let field = self.field(instance, decl, placed);
                // A field may also be missing because an argument is.
                if field.is_none() && self.cx.errors() {
                    self.incomplete = true;
                    self.failed.push(format!("{}{}", instance.prefix, decl.name.value));
                }
                if let Some(field) = field {
                    taken.insert(field.path.clone());
                    if let Some(other) = self.fields.iter().find(|f| f.path == field.path) {
                        let d = Diagnostic::error("duplicate", format!("there is already a field `{}`", field.path), field.span);
                        self.cx.report(d.with_label(other.span, "first here"));
                        self.incomplete = true;
                        continue;
                    }
                    self.claim(field.bits.mask(), &format!("`{}`", field.path), field.span);
                    self.fields.push(field);
                }
            }
        }
        for (path, (bits, span)) in placed.iter().filter(|(p, _)| !taken.contains(*p)) {
            let owner = self
                .assembly
                .instances
                .iter()
                .filter(|i| !i.prefix.is_empty() && path.starts_with(&i.prefix))
                .map(|i| i.owner.clone())
                .next_back();
            if bits.width() > MAX_FIELD {
                let message = format!("a field has at most {MAX_FIELD} bits, and `{path}` has {}", bits.width());
                self.cx.error("width", message, *span);
                self.incomplete = true;
                self.failed.push(path.clone());
                continue;
            }
            self.claim(bits.mask(), &format!("`{path}`"), *span);
            self.fields.push(Field {
                path: path.clone(),
                name: path.rsplit('.').next().unwrap_or(path).to_string(),
                owner: owner.unwrap_or(Owner::Instruction),
                bits: bits.clone(),
                code: Code::plain(bits.width()),
                spelling: Arc::new(Spelling::number(self.isa.numbers)),
                label: Label::Number,
                default: 0,
                has_default: false,
                doc: self.cx.doc(self.assembly.instances[self.assembly.formats].part.doc.as_ref()),
                summary: String::new(),
                note: String::new(),
                no_effect: None,
                rust_name: None,
                span: *span,
            });
        }
    }

    pub(super) fn field(&self, instance: &Instance<'_>, decl: &FieldDecl, placed: &Placed) -> Option<Field> {
        let cx = self.cx;
        let text = instance.env.apply(cx, &decl.entry)?;
        let entry = cx.parse(&cx.parsed.fields, &text, lang::parse_field)?;
        let path = format!("{}{}", instance.prefix, decl.name.value);
        if let Some((bits, range)) = &entry.bits
            && let Some(constant) = text.value[range.clone()].split("++").find(|part| part.trim().starts_with("0b"))
        {
            let low = bits.0.iter().skip(1).map(|r| r.width()).sum::<u32>();
            let message = format!("`{}` are not bits of the word, which are numbered from 0", constant.trim());
            let help = match &entry.meaning {
                Some((lang::Meaning::Name(file), _)) => format!(
                    "registers with constant bits in their number are a part of their file: `{0}c: {{ of: {0}, from: {1}, index: {low} }}`",
                    file,
                    1u128 << low.min(64)
                ),
                _ => "bits that are constant are fixed: `fix: { 7..6: 1 }`".to_string(),
            };
            cx.report(Diagnostic::error("bits", message, text.at(range.clone())).with_help(help));
            return None;
        }
        let bits = match (&entry.bits, placed.get(&path)) {
            _ if self.isa.is_text() => self.free_bits(&entry, &text, &path, decl)?,
            (Some((bits, _)), None) => bits.clone(),
            (None, Some((bits, _))) => bits.clone(),
            (Some((_, range)), Some((_, span))) => {
                let d = Diagnostic::error("bits-twice", format!("the layout says where `{path}` is"), text.at(range.clone()));
                cx.report(d.with_label(*span, "here"));
                return None;
            }
            // A format can say what the letters of many layouts mean: a form has those that its layout draws.
            (None, None) if self.is_format(instance) && self.assembly.instances.iter().any(|i| i.part.layout.is_some()) => {
                cx.report.unplaced.borrow_mut().insert(decl.name.span, decl.name.value.clone());
                return None;
            }
            (None, None) => {
                cx.error("no-bits", format!("`{path}` has no bits"), decl.name.span);
                return None;
            }
        };
        cx.mark_used(decl.name.span);
        if let Some((_, range)) = &entry.bits
            && self.is_beyond(bits.mask())
        {
            self.beyond(&format!("`{path}`"), text.at(range.clone()));
            return None;
        }
        if bits.width() > MAX_FIELD {
            let message = format!("a field has at most {MAX_FIELD} bits, and `{path}` has {}", bits.width());
            cx.error("width", message, decl.name.span);
            return None;
        }
        let width = bits.width();
        if let Some((declared, range)) = &entry.declared
            && *declared != width
        {
            let message = match self.isa.is_text() {
                true => format!("`{path}` takes {width} bit{}, not {declared}", if width == 1 { "" } else { "s" }),
                false => format!("{bits} are {width} bits, not {declared}"),
            };
            cx.error("width", message, text.at(range.clone()));
        }
        let meaning_span = entry.meaning.as_ref().map_or(text.span, |(_, r)| text.at(r.clone()));
        let (label, spelling, mut code) = meaning(cx, self.isa, &entry, width, &text, meaning_span)?;
        if let Some(Style::Float(FloatStyle { format, digits })) = entry.style {
            if !code.steps().is_empty() || entry.wraps.is_some() {
                cx.error(
                    "meaning",
                    "a floating-point field can't be signed, scaled, biased, inverted, wrapping or a target",
                    meaning_span,
                );
            }
            if let Some(map) = code.map() {
                if map.width() != u32::from(format) {
                    let message =
                        format!("the numbers of this code are of {} bits, not the {format} of `f{format}`", map.width());
                    cx.error("width", message, meaning_span);
                }
            } else if width < 3 || width > format.into() {
                let message = format!("a number of {format} bits has its high bits in a field of 3 to {format}, not {width}");
                cx.error("width", message, meaning_span);
            }
            let enough = match format {
                16 => 4,
                32 => 8,
                _ => 16,
            };
            if digits > 0 && !(enough..=MAX_DIGITS).contains(&digits) {
                let message = format!(
                    "numbers of {format} bits need {enough} to {MAX_DIGITS} digits behind the point to differ in text, not {digits}"
                );
                cx.error("range", message, meaning_span);
            }
        }
        self.check_target(&code, entry.wraps.is_some(), meaning_span);
        match &entry.wraps {
            Some(_) if code.map().is_some() => {}
            Some((_, range)) if label != Label::Number || !entry.bit_steps.is_empty() => {
                cx.error("meaning", "only numbers and targets that are not inverted can wrap", text.at(range.clone()));
            }
            Some((Some(bits), range)) => {
                let needed = value_type(&code).width;
                if code.relative().is_some() {
                    let message = "a target wraps at the width of an address: `target wraps`, without a number of bits";
                    cx.error("meaning", message, text.at(range.clone()));
                } else if !(needed..=MAX_WRAP).contains(bits) {
                    let message = format!("numbers of {needed} bits wrap in {needed} to {MAX_WRAP} bits, not in {bits}");
                    cx.error("width", message, text.at(range.clone()));
                }
                if (1..=MAX_WRAP).contains(bits) {
                    code = code.then(Step::Modulo(*bits as u8));
                }
            }
            Some((None, _)) if code.relative().is_some() => code = code.then(Step::Modulo(self.address_bits() as u8)),
            Some((None, _)) => code.reads_other_sign = true,
            None => {}
        }
        // A field whose bits are given elsewhere gets its width there too.
        if let (Label::Register(id), Some(_), None) = (label, &entry.bits, &entry.declared)
            && !decl.entry.value.contains('$')
            && !cx.errors()
            && let file = &self.isa.registers[id.index()]
            && file.end() > 1u128.checked_shl(width).unwrap_or(u128::MAX)
        {
            let last = file.name_of(ones(width)).unwrap_or_default();
            let bits_of = width_word(width);
            let message = format!("`{path}` has {bits_of}: it names the registers of `{}` up to `{last}` only", file.name);
            let part = format!("`{0}c: {{ of: {0}, from: {1}, index: {width} }}`", file.name, 1u128 << width.min(64));
            let help = format!(
                "if this is intended, state the width: `{bits} ({width}) {}`; for others declare a part of the file: {part}",
                file.name
            );
            cx.report(Diagnostic::warning("narrow", message, meaning_span).with_help(help));
        }
        let (registers, enums) = (&*self.isa.registers, &*self.isa.enums);
        let values = Meaning { registers, enums, label, spelling: &spelling, code: &code, is_reading: false };
        let default = match &entry.default {
            Some((value, range)) => values.raw(cx, value, text.at(range.clone())).unwrap_or(0),
            None => 0,
        };
        let doc = if !entry.doc.is_empty() {
            cx.references(&entry.doc, &text)
        } else {
            match &decl.doc {
                None if !instance.doc.0.is_empty() => instance.doc.clone(),
                doc => cx.doc(doc.as_ref().or(instance.part.doc.as_ref())),
            }
        };
        Some(Field {
            path,
            name: decl.name.value.clone(),
            owner: instance.owner.clone(),
            bits,
            code,
            spelling,
            label,
            default,
            has_default: entry.default.is_some(),
            doc,
            summary: decl.summary.clone(),
            note: decl.note.clone(),
            no_effect: None,
            rust_name: decl.rust_name.clone(),
            span: decl.name.span,
        })
    }

    /// Bits of an address of code: those of the machine's pc, or 64 where there is no machine.
    fn address_bits(&self) -> u32 {
        let machine = &self.isa.machine;
        if machine.span == Span::default() { MAX_DISTANCE } else { machine.pc.clamp(1, MAX_DISTANCE) }
    }

    /// Addresses have 64 bits, and so have the distances from one to another.
    fn check_target(&self, code: &Code, wraps: bool, span: Span) {
        if code.relative().is_none() {
            return;
        }
        let ValueType { width, signed } = value_type(code);
        // One that wraps is the same modulo 2^64.
        let bits = if signed || wraps { width } else { width + 1 };
        if bits > MAX_DISTANCE {
            let with_sign = if wraps { "" } else { " with its sign" };
            let message = format!("the distance of a target has at most {MAX_DISTANCE} bits{with_sign}, and this one has {bits}");
            self.cx.error("range", message, span);
        }
    }

    /// In a text-only instruction set: as many bits as the values need, where no other field of the form is. Fields of one name have the
    /// same bits in all forms, if there is room, so that forms have much in common.
    pub(super) fn free_bits(&self, entry: &lang::FieldEntry, text: &Text, path: &str, decl: &FieldDecl) -> Option<Bits> {
        let cx = self.cx;
        if let Some((_, range)) = &entry.bits {
            let message = "a text-only instruction set has no bits; the width of a number is written `(5)`";
            cx.error("no-words", message, text.at(range.clone()));
            return None;
        }
        if !entry.bit_steps.is_empty() || entry.target.is_some() {
            let what = if !entry.bit_steps.is_empty() { "no bits to invert" } else { "no addresses" };
            cx.error("no-words", format!("a text-only instruction set has {what}"), text.span);
            return None;
        }
        let needed = match entry.meaning.as_ref().map(|m| &m.0) {
            Some(lang::Meaning::Flag(_)) => Some(1),
            Some(lang::Meaning::Bitset(letters)) => Some(letters.chars().count().max(1) as u32),
            Some(lang::Meaning::Name(name)) => match self.isa.registers.iter().find(|r| r.name == *name) {
                Some(file) => Some(file.index),
                None => match self.isa.enums.iter().find(|e| e.name == *name) {
                    Some(e) if e.otherwise.is_some() => None,
                    Some(e) => e.values.last().map(|v| (Raw::BITS - v.value.leading_zeros()).max(1)),
                    // An unknown name is reported where the meaning is resolved.
                    None => Some(1),
                },
            },
            Some(lang::Meaning::Unsigned | lang::Meaning::Signed) | None => None,
        };
        let Some(width) = needed.or(entry.declared.as_ref().map(|d| d.0)).filter(|w| *w > 0) else {
            cx.error("no-bits", format!("`{}` has no width: write the number of bits as `(5)`", decl.name.value), decl.name.span);
            return None;
        };
        let taken = self.claims.iter().fold(Word::ZERO, |mask, c| mask | c.mask);
        let is_free = |lo: &u32| lo + width <= Word::BITS && (Word::ones(width) << *lo & taken).is_zero();
        let mut known = cx.forms.text_bits.borrow_mut();
        let own = known.iter().find(|k| k.0 == path && k.1.width() == width).map(|k| k.1.lo);
        let above = known.iter().map(|k| k.1.hi + 1).max().unwrap_or(0);
        let Some(lo) = own.into_iter().chain([above]).chain(0..Word::BITS).find(is_free) else {
            let message = format!("the fields of `{}` need more than {} bits together", self.assembly.name.value, Word::BITS);
            cx.error("range", message, self.assembly.name.span);
            return None;
        };
        let bits = BitRange { hi: lo + width - 1, lo };
        if own.is_none() {
            known.push((path.to_string(), bits));
        }
        Some(Bits(vec![bits]))
    }
}
