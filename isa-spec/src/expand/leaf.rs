//! One form: the bits of all its pieces put together, every bit accounted for.

use super::conditions::{Found, Resolved, Scope, not};
use super::texts;
use super::values::Meaning;
use super::{Context, Env};
use crate::bits::{bits_word, ranges, runs};
use crate::diag::Diagnostic;
use crate::lang::{self, Layout, Mark};
use crate::model::{
    BitRange, Bits, Cond, Condition, Constraint, Doc, EnumId, Exclusion, Field, Fixed, Form, FormId, InstructionId, Isa, Kind,
    MAX_FIELD, Named, Owner, Piece, Plain, PlainKind, Radix, Raw, RegisterId, Word, ones,
};
use crate::read::{FieldDecl, Part};
use crate::semantics::Semantics;
use crate::sets::WordSet;
use crate::span::Span;
use crate::yaml::Text;
use std::collections::{BTreeMap, BTreeSet};

/// A piece of a form: a format, the instruction, an alternative or an operand, with its parameters.
pub(super) struct Instance<'s> {
    pub(super) part: &'s Part,
    pub(super) env: Env,
    /// What stands before the names of its fields: `b.` for operand `b`.
    pub(super) prefix: String,
    pub(super) owner: Owner,
    /// Where its fields stand, as its use says it.
    pub(super) doc: Doc,
    /// The operand's definition, if it is one.
    pub(super) operand: Option<(std::rc::Rc<lang::Head>, &'s Text)>,
}

/// All that makes up a form.
pub(super) struct Assembly<'s> {
    pub(super) instruction: InstructionId,
    pub(super) name: &'s Text,
    /// Formats from the root on, the instruction, alternatives, operands.
    pub(super) instances: Vec<Instance<'s>>,
    /// How many of the instances are formats; the next one is the instruction.
    pub(super) formats: usize,
    /// Slot, what it picked, what it could have picked.
    pub(super) picks: Vec<(String, String, Vec<String>)>,
    pub(super) pick_indices: Vec<usize>,
    pub(super) defines: Vec<(String, Text)>,
    pub(super) tags: BTreeSet<String>,
    /// What the instruction does.
    pub(super) semantics: Option<std::rc::Rc<Semantics>>,
    /// The instruction that it stands for.
    pub(super) meant: Option<std::rc::Rc<Meant<'s>>>,
    pub(super) observed: bool,
}

/// An instruction that others stand for.
pub(super) struct Meant<'s> {
    pub(super) assembly: Assembly<'s>,
    pub(super) fields: Vec<Field>,
    pub(super) fixed: Vec<(Field, Raw)>,
}

/// Bits of a number that has a sign, a scale or a bias, once it is scaled.
const MAX_VALUE: u32 = 126;
/// Bits in which a number wraps.
const MAX_WRAP: u32 = 64;
/// Bits of a bitset.
const MAX_LETTERS: u32 = 64;

/// Bits that something has taken.
struct Claim {
    mask: Word,
    what: String,
    span: Span,
}

struct Builder<'a, 's, 'd> {
    cx: &'a Context<'s, 'd>,
    isa: &'a Isa,
    assembly: &'a Assembly<'s>,
    length: u32,
    claims: Vec<Claim>,
    fields: Vec<Field>,
    fixed: Vec<(Field, Raw)>,
    fixed_list: Vec<Fixed>,
    plain: Vec<Plain>,
    mask: Word,
    value: Word,
    /// A field, a fix or a list of bits could not be read: bits are missing for that reason alone.
    incomplete: bool,
    /// Fields that are declared and could not be made: naming them is no further fault.
    failed: Vec<String>,
}

/// The form, and its fixed fields (texts and semantics may name them).
pub(super) fn build<'s>(cx: &Context<'s, '_>, isa: &Isa, assembly: &Assembly<'s>) -> Option<(Form, Vec<(Field, Raw)>)> {
    let length = if isa.is_text() { Word::BITS } else { length(cx, isa, assembly)? };
    let mut b = Builder {
        cx,
        isa,
        assembly,
        length,
        claims: Vec::new(),
        fields: Vec::new(),
        fixed: Vec::new(),
        fixed_list: Vec::new(),
        plain: Vec::new(),
        mask: Word::ZERO,
        value: Word::ZERO,
        incomplete: assembly.instances.iter().any(|i| i.part.faulty),
        failed: Vec::new(),
    };
    if isa.is_text() {
        b.refuse_bits();
        b.declared_fields(&BTreeMap::new());
        b.fixes();
    } else {
        let placed = b.layouts()?;
        b.declared_fields(&placed);
        b.fixes();
        b.plain_bits();
        b.account_for_all();
    }
    b.finish()
}

/// Bits of the word: said by the pieces, or by the layout, or the only length there is.
fn length(cx: &Context<'_, '_>, isa: &Isa, assembly: &Assembly<'_>) -> Option<u32> {
    let lengths = &isa.words.lengths;
    let known = || lengths.iter().map(|l| l.bits.to_string()).collect::<Vec<_>>().join(", ");
    if let Some((bits, span)) = assembly.instances.iter().rev().find_map(|i| i.part.length) {
        if !lengths.iter().any(|l| l.bits == bits) {
            cx.error("length", format!("words have no {bits} bits but {}", known()), span);
            return None;
        }
        return Some(bits);
    }
    if let [only] = lengths.as_slice() {
        return Some(only.bits);
    }
    for instance in assembly.instances.iter().rev() {
        let Some(text) = &instance.part.layout else { continue };
        let layout = cx.parse(&cx.layouts, text, lang::parse_layout)?;
        let bits = match &*layout {
            Layout::Letters(marks) => marks.len() as u32,
            Layout::Parts(parts) => parts.iter().map(|p| p.width).sum(),
            Layout::Split(_) => continue,
        };
        if lengths.iter().any(|l| l.bits == bits) {
            return Some(bits);
        }
    }
    cx.error("length", format!("nothing says how long this instruction is: `length:` one of {}", known()), assembly.name.span);
    None
}

impl Builder<'_, '_, '_> {
    fn claim(&mut self, mask: Word, what: &str, span: Span) {
        let limit = Word::ones(self.length);
        if !(mask & !limit).is_zero() {
            self.cx.error(
                "range",
                format!("{what} lies beyond the word, which has {} bits, {}..0", self.length, self.length - 1),
                span,
            );
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
            self.cx
                .report(Diagnostic::error("bits-twice", message, span).with_label(other.span, format!("{} is here", other.what)));
        }
        self.claims.push(Claim { mask, what: what.to_string(), span });
    }

    /// The names that layouts place, with their bits.
    fn layouts(&mut self) -> Option<BTreeMap<String, (Bits, Span)>> {
        let mut placed: BTreeMap<String, (Vec<u32>, Span)> = BTreeMap::new();
        for instance in &self.assembly.instances {
            let Some(text) = &instance.part.layout else {
                self.refuse_letters(instance);
                continue;
            };
            let text = instance.env.apply(self.cx, text)?;
            let layout = self.cx.parse(&self.cx.layouts, &text, lang::parse_layout)?;
            let mut names: BTreeMap<String, (Vec<u32>, Span)> = BTreeMap::new();
            match &*layout {
                Layout::Letters(marks) => {
                    if marks.len() as u32 != self.length {
                        self.cx.error(
                            "width",
                            format!("this layout has {} bits, the word {}", marks.len(), self.length),
                            text.span,
                        );
                        return None;
                    }
                    self.marks(instance, marks, &descending(self.length, self.length), &text, &mut names);
                }
                Layout::Parts(parts) => {
                    let total: u32 = parts.iter().map(|p| p.width).sum();
                    if total != self.length {
                        self.cx.error(
                            "width",
                            format!("the parts of this layout have {total} bits together, the word {}", self.length),
                            text.span,
                        );
                        return None;
                    }
                    let mut top = self.length;
                    let mut whole = BTreeSet::new();
                    for part in parts {
                        let span = text.at(part.range.clone());
                        let bits = descending(top, part.width);
                        match &part.split {
                            Some(marks) => self.marks(instance, marks, &bits, &text, &mut names),
                            None => {
                                names.entry(part.name.clone()).or_insert((Vec::new(), span)).0.extend(bits);
                                if !whole.insert(&part.name) {
                                    self.cx.error("duplicate", format!("`{}` stands twice in this layout", part.name), span);
                                    self.incomplete = true;
                                }
                            }
                        }
                        top -= part.width;
                    }
                }
                Layout::Split(part) => {
                    let span = text.at(part.range.clone());
                    let Some((bits, whole)) = placed.remove(&part.name) else {
                        self.cx.unknown("part of a layout", &part.name, span, placed.keys().map(String::as_str));
                        return None;
                    };
                    if bits.len() as u32 != part.width {
                        let d = Diagnostic::error(
                            "width",
                            format!("`{}` has {} bits in the layout, not {}", part.name, bits.len(), part.width),
                            span,
                        );
                        self.cx.report(d.with_label(whole, "here"));
                        return None;
                    }
                    self.marks(instance, part.split.as_deref().unwrap_or_default(), &bits, &text, &mut names);
                }
            }
            for (letter, fields) in &instance.part.letters {
                let drawn = |marks: &[(Mark, std::ops::Range<usize>)]| {
                    marks.iter().any(|(m, _)| matches!(m, Mark::Letter(c) if letter.value == c.to_string()))
                };
                let found = match &*layout {
                    Layout::Letters(marks) => drawn(marks),
                    Layout::Parts(parts) => parts.iter().filter_map(|p| p.split.as_ref()).any(|m| drawn(m)),
                    Layout::Split(part) => part.split.as_ref().is_some_and(|m| drawn(m)),
                };
                // A `where` is for a line of syntax as well.
                let is_word = |line: &Text| line.value.contains(&letter.value);
                if !found && !instance.part.syntax.as_ref().is_some_and(is_word) {
                    self.cx.error("unknown-name", format!("the layout has no letter `{}`", letter.value), letter.span);
                }
                self.report_names_without_place(&layout, letter, fields);
            }
            for (name, (bits, span)) in names {
                let path = format!("{}{name}", instance.prefix);
                match placed.get_mut(&path).filter(|_| matches!(&*layout, Layout::Split(_))) {
                    // Letters add their bits to a field of the layout that they split, in the order of the word.
                    Some((all, _)) => {
                        all.extend(bits);
                        all.sort_unstable_by(|a, b| b.cmp(a));
                    }
                    None => {
                        placed.insert(path, (bits, span));
                    }
                }
            }
        }
        Some(placed.into_iter().map(|(path, (bits, span))| (path, (Bits(runs(&bits)), span))).collect())
    }

    /// A letter has one name, or as many as it has places.
    fn report_names_without_place(&self, layout: &Layout, letter: &Text, fields: &Text) {
        let count = |marks: &[(Mark, std::ops::Range<usize>)]| {
            let is_letter = |m: &Mark| matches!(m, Mark::Letter(c) if letter.value == c.to_string());
            (0..marks.len()).filter(|i| is_letter(&marks[*i].0) && (*i == 0 || !is_letter(&marks[*i - 1].0))).count()
        };
        let places = match layout {
            Layout::Letters(marks) => count(marks),
            Layout::Parts(parts) => parts.iter().filter_map(|p| p.split.as_deref()).map(count).sum(),
            Layout::Split(part) => part.split.as_deref().map_or(0, count),
        };
        let names = fields.value.split(',').count();
        if names > 1 && places > 0 && names != places {
            let s = if places == 1 { "" } else { "s" };
            let message = format!("`{}` has {names} names, and the layout draws it in {places} place{s}", letter.value);
            self.cx.error("width", message, fields.span);
        }
    }

    /// The letters of a format are for the layouts and syntax lines of what extends it; others stand beside one.
    fn refuse_letters(&self, instance: &Instance<'_>) {
        let lacks = instance.part.layout.is_none() && instance.part.syntax.is_none() && !self.is_format(instance);
        if let Some((letter, _)) = instance.part.letters.first().filter(|_| lacks) {
            let message = "`where` says what the letters of a `layout` mean, and there is no layout here";
            self.cx.error("missing", message, letter.span);
        }
    }

    /// Where there is text alone, nothing is said of bits.
    fn refuse_bits(&mut self) {
        for instance in &self.assembly.instances {
            let part = instance.part;
            let digits = |key: &Text| key.value.starts_with(|c: char| c.is_ascii_digit());
            let bits = (part.layout.iter().map(|t| t.span))
                .chain(part.length.iter().map(|l| l.1))
                .chain(part.plain.iter().map(|p| p.1.span))
                .chain(part.rest.iter().map(|r| r.1))
                .chain(part.fix.iter().filter(|(key, _)| digits(key)).map(|(key, _)| key.span));
            for span in bits {
                self.cx.error("no-words", "this is about bits, and there is text alone", span);
                self.incomplete = true;
            }
            if let Some(full) = &part.full {
                self.cx.error("no-words", "the text leaves nothing out: there is text alone", full.span);
            }
            self.refuse_letters(instance);
        }
    }

    fn is_format(&self, instance: &Instance<'_>) -> bool {
        self.assembly.instances[..self.assembly.formats].iter().any(|i| std::ptr::eq(i.part, instance.part))
    }

    /// Letters for these bits, the most significant one first.
    fn marks(
        &mut self,
        instance: &Instance<'_>,
        marks: &[(Mark, std::ops::Range<usize>)],
        bits: &[u32],
        text: &Text,
        names: &mut BTreeMap<String, (Vec<u32>, Span)>,
    ) {
        for (i, ((mark, range), bit)) in marks.iter().zip(bits.iter().copied()).enumerate() {
            let span = text.at(range.clone());
            match mark {
                Mark::Fixed(one) => {
                    self.claim(Word::bit(bit), "a fixed bit of the layout", span);
                    self.mask |= Word::bit(bit);
                    self.value |= Word::from(*one) << bit;
                }
                Mark::Letter(letter) => {
                    let name = self.letter(instance, *letter, runs_before(marks, i));
                    names.entry(name).or_insert((Vec::new(), span)).0.push(bit);
                }
                Mark::Ignored | Mark::Unknown => {
                    let what = if *mark == Mark::Ignored { PlainKind::Ignored } else { PlainKind::Unknown };
                    self.claim(Word::bit(bit), "kept bits of the layout", span);
                    self.plain.push(Plain { bits: BitRange { hi: bit, lo: bit }, what, span });
                }
                Mark::Elsewhere => {}
            }
        }
    }

    /// The field that a letter stands for: by the `where` beside the layout, else by that of the nearest format. Where it is
    /// drawn in several places, each can have a name: `t: "size, source"`.
    fn letter(&self, instance: &Instance<'_>, letter: char, place: usize) -> String {
        let formats = if instance.prefix.is_empty() { &self.assembly.instances[..self.assembly.formats] } else { &[] };
        let mut parts = std::iter::once(instance).chain(formats.iter().rev());
        let names = parts.find_map(|i| i.part.letters.iter().find(|(k, _)| k.value == letter.to_string()));
        names.map_or(letter.to_string(), |(_, v)| {
            v.value.split(',').map(str::trim).take(place + 1).last().unwrap_or_default().to_string()
        })
    }

    fn declared_fields(&mut self, placed: &BTreeMap<String, (Bits, Span)>) {
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
                        let d = Diagnostic::error("duplicate", format!("there is a field `{}` already", field.path), field.span);
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
                kind: Kind::Int { signed: false, scale: 1, bias: 0, radix: None, target: None },
                inverted: false,
                wraps: false,
                modulo: None,
                default: 0,
                has_default: false,
                doc: self.cx.doc(self.assembly.instances[self.assembly.formats].part.doc.as_ref()),
                summary: String::new(),
                note: String::new(),
                rust_name: None,
                span: *span,
            });
        }
    }

    fn field(&self, instance: &Instance<'_>, decl: &FieldDecl, placed: &BTreeMap<String, (Bits, Span)>) -> Option<Field> {
        let cx = self.cx;
        let text = instance.env.apply(cx, &decl.entry)?;
        let entry = cx.parse(&cx.fields, &text, lang::parse_field)?;
        let path = format!("{}{}", instance.prefix, decl.name.value);
        if let Some((bits, range)) = &entry.bits
            && let Some(constant) = text.value[range.clone()].split("++").find(|part| part.trim().starts_with("0b"))
        {
            let low = bits.0.iter().skip(1).map(|r| r.width()).sum::<u32>();
            let message = format!("`{}` are no bits of the word, which are numbered from 0", constant.trim());
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
                cx.unplaced.borrow_mut().insert(decl.name.span, decl.name.value.clone());
                return None;
            }
            (None, None) => {
                cx.error("no-bits", format!("nothing says where the bits of `{path}` are"), decl.name.span);
                return None;
            }
        };
        cx.mark_used(decl.name.span);
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
        let kind = self.kind(&entry, width, &text, meaning_span)?;
        if let Some(Radix::Float(format)) = entry.radix {
            let is_plain = matches!(kind, Kind::Int { signed: false, scale: 1, bias: 0, target: None, .. });
            if !is_plain || entry.inverted || entry.wraps.is_some() {
                cx.error("meaning", "a floating-point number has a sign of its own, and nothing else", meaning_span);
            }
            if width < 3 || width > format.into() {
                let message = format!("a number of {format} bits has its high bits in a field of 3 to {format}, not {width}");
                cx.error("width", message, meaning_span);
            }
        }
        let modulo = match &entry.wraps {
            Some((_, range)) if !matches!(kind, Kind::Int { .. }) || entry.inverted => {
                cx.error("meaning", "only numbers and targets wrap, and no inverted ones", text.at(range.clone()));
                None
            }
            Some((Some(bits), range)) => {
                let needed = crate::semantics::value::shape(&kind, width).width;
                if matches!(kind, Kind::Int { target: Some(_), .. }) {
                    let message = "a target wraps as addresses do: `target wraps`, without a number of bits";
                    cx.error("meaning", message, text.at(range.clone()));
                } else if !(needed..=MAX_WRAP).contains(bits) {
                    let message = format!("numbers of {needed} bits wrap in {needed} to {MAX_WRAP} bits, not in {bits}");
                    cx.error("width", message, text.at(range.clone()));
                }
                Some(*bits).filter(|bits| (1..=MAX_WRAP).contains(bits))
            }
            _ => None,
        };
        // Where its bits are given elsewhere, so is its width.
        if let (Kind::Register(id), Some(_), None) = (&kind, &entry.bits, &entry.declared)
            && !decl.entry.value.contains('$')
            && !cx.errors()
            && let file = &self.isa.registers[id.index()]
            && file.end() > 1u128.checked_shl(width).unwrap_or(u128::MAX)
        {
            let last = file.name_of(ones(width)).unwrap_or_default();
            let bits_of = if width == 1 { "1 bit".to_string() } else { format!("{width} bits") };
            let message = format!("`{path}` has {bits_of}: it names the registers of `{}` up to `{last}` alone", file.name);
            let part = format!("`{0}c: {{ of: {0}, from: {1}, index: {width} }}`", file.name, 1u128 << width.min(64));
            let help =
                format!("if that is meant, say the width: `{bits} ({width}) {}`; others are a part of it: {part}", file.name);
            cx.report(Diagnostic::warning("narrow", message, meaning_span).with_help(help));
        }
        let meaning =
            Meaning { registers: &self.isa.registers, enums: &self.isa.enums, kind: &kind, inverted: entry.inverted, width };
        let default = match &entry.default {
            Some((value, range)) => meaning.raw(cx, value, text.at(range.clone())).unwrap_or(0),
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
            kind,
            inverted: entry.inverted,
            wraps: matches!(entry.wraps, Some((None, _))),
            modulo,
            default,
            has_default: entry.default.is_some(),
            doc,
            summary: decl.summary.clone(),
            note: decl.note.clone(),
            rust_name: decl.rust_name.clone(),
            span: decl.name.span,
        })
    }

    /// Where there is text alone: as many bits as the values need, where no other field of the form is. Fields of one name have the
    /// same bits in all forms, if there is room, so that forms have much in common.
    fn free_bits(&self, entry: &lang::FieldEntry, text: &Text, path: &str, decl: &FieldDecl) -> Option<Bits> {
        let cx = self.cx;
        if let Some((_, range)) = &entry.bits {
            let message = "this is about bits, and there is text alone; how many a number needs is written `(5)`";
            cx.error("no-words", message, text.at(range.clone()));
            return None;
        }
        if entry.inverted || entry.target.is_some() {
            let what = if entry.inverted { "no bits to invert" } else { "no addresses" };
            cx.error("no-words", format!("there is text alone, and {what}"), text.span);
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
                    // That there is no such name is said where the meaning is looked at.
                    None => Some(1),
                },
            },
            Some(lang::Meaning::Unsigned | lang::Meaning::Signed) | None => None,
        };
        let Some(width) = needed.or(entry.declared.as_ref().map(|d| d.0)).filter(|w| *w > 0) else {
            cx.error("no-bits", format!("nothing says how many bits `{}` needs: `(5)`", decl.name.value), decl.name.span);
            return None;
        };
        let taken = self.claims.iter().fold(Word::ZERO, |mask, c| mask | c.mask);
        let is_free = |lo: &u32| lo + width <= Word::BITS && (Word::ones(width) << *lo & taken).is_zero();
        let mut known = cx.text_bits.borrow_mut();
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

    fn kind(&self, entry: &lang::FieldEntry, width: u32, text: &Text, span: Span) -> Option<Kind> {
        let cx = self.cx;
        let number = entry.scale.is_some() || entry.bias.is_some() || entry.radix.is_some() || entry.target.is_some();
        let int = |signed| {
            let scale = entry.scale.as_ref().map_or(1, |s| s.0);
            if scale == 0 {
                cx.error("value", "a scale is not 0", entry.scale.as_ref().map_or(span, |s| text.at(s.1.clone())));
            }
            let scale = if scale == 0 { 1 } else { scale };
            for (what, number) in [("scale", &entry.scale), ("bias", &entry.bias)] {
                if let Some((_, range)) = number.as_ref().filter(|(n, _)| n.unsigned_abs() > 1 << 62) {
                    cx.error("range", format!("a {what} is at most 2^62, with or without a sign"), text.at(range.clone()));
                }
            }
            // With a sign, values are computed in 128 bits.
            let bits = width + Raw::from(scale.unsigned_abs()).next_power_of_two().ilog2();
            if (signed || scale != 1 || entry.bias.is_some()) && bits > MAX_VALUE && scale.unsigned_abs() <= 1 << 62 {
                let message =
                    format!("numbers with a sign, a scale or a bias have at most {MAX_VALUE} bits, and these have {bits}");
                cx.error("range", message, span);
            }
            Kind::Int { signed, scale, bias: entry.bias.as_ref().map_or(0, |b| b.0), radix: entry.radix, target: entry.target }
        };
        let kind = match entry.meaning.as_ref().map(|m| &m.0) {
            None | Some(lang::Meaning::Unsigned) => return Some(int(false)),
            Some(lang::Meaning::Signed) => return Some(int(true)),
            Some(lang::Meaning::Flag(text)) => {
                if width != 1 {
                    cx.error("width", format!("a flag is one bit, not {width}"), span);
                }
                Kind::Flag(text.clone())
            }
            Some(lang::Meaning::Bitset(letters)) => {
                if letters.chars().count() as u32 != width {
                    cx.error("width", format!("{} letters for {width} bits", letters.chars().count()), span);
                }
                let bad =
                    letters.chars().enumerate().find(|(i, c)| !c.is_ascii_graphic() || *c == '-' || letters.find(*c) != Some(*i));
                if let Some((_, c)) = bad {
                    let message = match c {
                        '-' => "`-` stands for a bit that is clear, and can't be the letter of one that is set".to_string(),
                        c if c.is_ascii_graphic() => format!("two bits have the letter `{c}`"),
                        c => format!("the letters of a bitset are ASCII characters, and no blanks: not {c:?}"),
                    };
                    cx.error("meaning", message, span);
                } else if width > MAX_LETTERS {
                    cx.error("width", format!("a bitset has at most {MAX_LETTERS} bits, not {width}"), span);
                }
                Kind::Bitset(letters.clone())
            }
            Some(lang::Meaning::Name(name)) => {
                if let Some(i) = self.isa.registers.iter().position(|r| r.name == *name) {
                    let file = &self.isa.registers[i];
                    cx.mark_used(file.span);
                    if width > file.index {
                        let message = format!("a register of `{name}` is numbered by {} bits, not {width}", file.index);
                        cx.report(Diagnostic::error("width", message, span).with_label(file.span, "the register file"));
                        return None;
                    }
                    Kind::Register(RegisterId(i as u32))
                } else if let Some(i) = self.isa.enums.iter().position(|e| e.name == *name) {
                    let e = &self.isa.enums[i];
                    cx.mark_used(e.span);
                    if let Some(v) = e.values.iter().find(|v| v.value > ones(width)) {
                        let message = format!("the value {} of `{name}` does not fit into {width} bits", v.value);
                        cx.report(Diagnostic::error("width", message, span).with_label(e.span, "the enumeration"));
                        return None;
                    }
                    Kind::Enum(EnumId(i as u32))
                } else {
                    let known =
                        self.isa.registers.iter().map(|r| r.name.as_str()).chain(self.isa.enums.iter().map(|e| e.name.as_str()));
                    cx.unknown("register file or enumeration", name, span, known);
                    return None;
                }
            }
        };
        if number {
            cx.error("meaning", "only numbers are scaled, biased, relative or printed in another base", span);
        }
        Some(kind)
    }

    /// `x: 3..0 == 4`, `fix`: fields that become fixed bits, and bits without a name.
    fn fixes(&mut self) {
        for instance in &self.assembly.instances {
            for decl in &instance.part.fields {
                let Some(text) = instance.env.apply(self.cx, &decl.entry) else { continue };
                if let Some(entry) = self.cx.parse(&self.cx.fields, &text, lang::parse_field)
                    && let Some((value, range)) = &entry.fixed
                {
                    self.fix_field(&decl.name, value, text.at(range.clone()), instance);
                }
            }
            for (key, value) in &instance.part.fix {
                let (Some(key), Some(text)) = (instance.env.apply(self.cx, key), instance.env.apply(self.cx, value)) else {
                    continue;
                };
                let Some(value) = self.cx.parse(&self.cx.values, &text, lang::parse_value) else { continue };
                if key.value.starts_with(|c: char| c.is_ascii_digit()) {
                    self.fix_bits(&key, &value, &text, instance);
                } else {
                    self.fix_field(&key, &value, text.span, instance);
                }
            }
        }
    }

    fn fix_bits(&mut self, key: &Text, value: &lang::Value, text: &Text, instance: &Instance<'_>) {
        let Some(list) = self.cx.parse(&self.cx.bit_lists, key, lang::parse_bit_list) else { return };
        let bits = Bits(list.iter().map(|(r, _)| *r).collect());
        if bits.width() > MAX_FIELD {
            let message = format!("bits fixed to one number are at most {MAX_FIELD} together, and {bits} are {}", bits.width());
            self.cx.error("width", message, key.span);
            self.incomplete = true;
            return;
        }
        let all = ones(bits.width());
        let Some(raw) = super::definitions::plain_value(value).filter(|v| *v <= all) else {
            self.cx.error("value", format!("`{}` does not fit into {} bits: 0 to {all}", text.value, bits.width()), text.span);
            self.incomplete = true;
            return;
        };
        self.claim(bits.mask(), "fixed bits", key.span);
        self.fix_at(String::new(), bits, raw, self.cx.doc(instance.part.doc.as_ref()), key.span);
    }

    fn fix_field(&mut self, key: &Text, value: &lang::Value, at: Span, instance: &Instance<'_>) {
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
        let field = self.fields.remove(index);
        self.fix_at(field.path.clone(), field.bits.clone(), raw, field.doc.clone(), key.span);
        self.fixed.push((field, raw));
    }

    fn fix_at(&mut self, name: String, bits: Bits, value: Raw, doc: Doc, span: Span) {
        self.mask |= bits.mask();
        self.value |= bits.place(value);
        self.fixed_list.push(Fixed { name, bits, value, doc, span });
    }

    /// `ignored`, `unknown`, `reserved`, `rest`.
    fn plain_bits(&mut self) {
        for instance in &self.assembly.instances {
            for (what, text) in &instance.part.plain {
                let Some(text) = instance.env.apply(self.cx, text) else { continue };
                let Some(list) = self.cx.parse(&self.cx.bit_lists, &text, lang::parse_bit_list) else {
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

    fn left_over(&self) -> Word {
        Word::ones(self.length) & !self.claims.iter().fold(Word::ZERO, |m, c| m | c.mask)
    }

    fn account_for_all(&self) {
        if self.incomplete {
            return;
        }
        let left = ranges(self.left_over());
        if !left.is_empty() {
            let (what, them) = (bits_word(&left), if left.len() == 1 { "it" } else { "them" });
            let d = Diagnostic::error(
                "bits-never",
                format!(
                    "nothing says what {what} of `{}` {}",
                    self.assembly.name.value,
                    if left.len() == 1 && left[0].width() == 1 { "is" } else { "are" }
                ),
                self.assembly.name.span,
            );
            self.cx.report(d.with_help(format!(
                "make {them} {}, or list {them} under `ignored`, `unknown` or `reserved`",
                if left.len() == 1 { "a field" } else { "fields" }
            )));
        }
    }

    fn finish(self) -> Option<(Form, Vec<(Field, Raw)>)> {
        let scope = Scope {
            isa: self.isa,
            fields: &self.fields,
            fixed: &self.fixed,
            picks: &self.assembly.picks,
            tags: &self.assembly.tags,
            defines: &self.assembly.defines,
            failed: &self.failed,
            renamed: None,
            resolved: Resolved::default(),
        };
        let expansion = super::expansion::Expansion::of(self.cx, &scope, self.assembly);
        let meant = expansion.as_ref().map(|expansion| (expansion.scope(&scope), &expansion.meant.assembly));
        let meant = meant.as_ref().map(|(scope, assembly)| (scope, *assembly));
        let (mut exclusions, mut constraints) = (value_exclusions(self.cx, self.isa, &self.fields), Vec::new());
        for instance in &self.assembly.instances {
            for text in &instance.part.not {
                if let Some(cond) = scope.condition(self.cx, text, &instance.prefix, &instance.env) {
                    let field = cond.fields().into_iter().next();
                    exclusions.push(Exclusion {
                        when: Condition::new(cond, text.span),
                        field,
                        why: format!("excluded by `not: {}`", text.value),
                        span: text.span,
                    });
                }
            }
            for decl in &instance.part.constraints {
                if let Some(cond) = scope.condition(self.cx, &decl.that, &instance.prefix, &instance.env) {
                    self.constraint(cond, decl, &mut constraints);
                }
            }
        }
        let texts::Texts { text, also, has_base, bodies, refused, full } = texts::assemble(self.cx, &scope, self.assembly, meant);
        let names: Vec<Named> = (0..self.fields.len())
            .filter(|i| texts::is_name(self.isa, &self.fields[*i]))
            .map(|field| Named { field, place: 0 })
            .collect();
        if self.isa.is_text() && !self.cx.errors() {
            self.check_text(&text, &also, &bodies, &names);
        }
        let behaviour = match (&self.assembly.semantics, meant) {
            (None, Some((scope, assembly))) => super::semantics::behaviour(self.cx, scope, assembly),
            _ => super::semantics::behaviour(self.cx, &scope, self.assembly),
        };
        let mut name = self.assembly.name.value.clone();
        for (_, picked, _) in self.assembly.picks.iter().filter(|(_, _, all)| all.len() > 1) {
            name.push('.');
            name.push_str(picked);
        }
        let form = Form {
            id: FormId(self.isa.forms.len() as u32),
            name,
            instruction: self.assembly.instruction,
            length: self.length,
            picks: self.assembly.pick_indices.clone(),
            mask: self.mask,
            value: self.value,
            fixed: self.fixed_list,
            fields: self.fields,
            names,
            plain: self.plain,
            words: WordSet::empty(),
            legal: WordSet::empty(),
            exclusions,
            specialised_by: Vec::new(),
            constraints,
            text,
            also,
            has_base,
            bodies,
            refused,
            full,
            behaviour,
            observed: self.assembly.observed,
        };
        Some((form, self.fixed))
    }

    /// Where there is text alone, a text has all there is: each field, and each name once, where nothing can leave it out.
    fn check_text(&self, text: &[Piece], also: &[Vec<Piece>], bodies: &[Vec<Vec<Piece>>], names: &[Named]) {
        let instruction = self.assembly.name;
        let fault = |field: &Field, message: String| {
            let d = Diagnostic::error("template", message, field.span);
            self.cx.report(d.with_label(instruction.span, "in a form of this instruction"));
        };
        for (index, field) in self.fields.iter().enumerate() {
            if texts::counts(text, index, &[]).contains(&texts::Count::default()) {
                fault(field, format!("the text does not have `{}`, and there is no word that could hold it", field.path));
            }
        }
        for name in names {
            let field = &self.fields[name.field];
            let mut inside = Vec::new();
            for body in bodies {
                inside.push(body.iter().flat_map(|text| texts::counts(text, name.field, &inside)).collect());
            }
            let all = std::iter::once(text).chain(also.iter().map(Vec::as_slice));
            for count in all.flat_map(|text| texts::counts(text, name.field, &inside)) {
                match (count.outside, count.all) {
                    (1, 1) => {}
                    (0, 0) => fault(field, format!("a text does not have the name `{}`", field.path)),
                    (0, _) => fault(field, format!("the name `{}` stands in a `<…>`: it can't be left out", field.path)),
                    _ => fault(field, format!("the name `{}` stands twice in a text", field.path)),
                }
            }
        }
    }

    fn constraint(&self, cond: Cond, decl: &crate::read::ConstraintDecl, list: &mut Vec<Constraint>) {
        match cond {
            Cond::Const(true) => {}
            Cond::Const(false) => {
                let message = format!("no word of this form of `{}` keeps this rule", self.assembly.name.value);
                self.cx.report(
                    Diagnostic::error("empty", message, decl.that.span).with_label(self.assembly.name.span, "the instruction"),
                );
            }
            cond => {
                let why = if decl.why.is_empty() { decl.that.value.clone() } else { decl.why.clone() };
                let fields = cond.fields().into_iter().collect();
                let doc = self.cx.doc(decl.doc.as_ref());
                list.push(Constraint { that: Condition::new(cond, decl.that.span), fields, why, doc, span: decl.that.span });
            }
        }
    }
}

/// Values that an enumeration or a register file does not have.
fn value_exclusions(cx: &Context<'_, '_>, isa: &Isa, fields: &[Field]) -> Vec<Exclusion> {
    let mut list = Vec::new();
    for (index, field) in fields.iter().enumerate() {
        let allowed = match Meaning::of(isa, field).allowed() {
            Ok(Some(values)) => Cond::Test { field: index, values },
            Ok(None) => continue,
            Err(error) => {
                cx.error("entangled", format!("the values of `{}` are too many: {error}", field.path), field.span);
                continue;
            }
        };
        let why = match &field.kind {
            Kind::Enum(id) => format!("`{}` has no such value", isa.enums[id.index()].name),
            _ => "there is no such register".to_string(),
        };
        list.push(Exclusion { when: Condition::new(not(allowed), field.span), field: Some(index), why, span: field.span });
    }
    list
}

/// So many bits, from `top - 1` down.
fn descending(top: u32, width: u32) -> Vec<u32> {
    (top - width..top).rev().collect()
}

/// In how many places the letter at `index` is drawn before it.
fn runs_before(marks: &[(Mark, std::ops::Range<usize>)], index: usize) -> usize {
    (0..=index).filter(|i| marks[*i].0 == marks[index].0 && (*i == 0 || marks[*i - 1].0 != marks[index].0)).count() - 1
}

fn word_for(kind: PlainKind) -> &'static str {
    match kind {
        PlainKind::Ignored => "ignored bits",
        PlainKind::Unknown => "unknown bits",
        PlainKind::Reserved => "reserved bits",
    }
}

/// Whether a name means something in the form.
pub(super) fn is_known(scope: &Scope<'_>, path: &str, prefix: &str) -> bool {
    !matches!(scope.find(path, prefix), Found::Nothing)
}
