//! Parts of texts that semantics does not read.

use super::dependence;
use super::{meant, text_of};
use crate::samples;
use isa_spec::diag::Diagnostic;
use isa_spec::model::{Field, Form, Instruction, InstructionId, Isa, NoEffect, Piece, When, Word};
use isa_spec::span::Span;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Warnings about fields and choices that texts show and on which no effect of the instruction depends, and about declarations that
/// say so without need.
pub(super) fn unread(isa: &Isa) -> Vec<Diagnostic> {
    let read: Vec<Option<Vec<bool>>> = isa.forms.iter().map(|form| dependence::read(isa, form)).collect();
    let mut declared = Declared::default();
    let mut list = fields(isa, &read, &mut declared);
    for insn in isa.instructions.iter().filter(|insn| !insn.slots.is_empty()) {
        choices(isa, insn, &read, &mut declared, &mut list);
    }
    list.extend(declared.needless());
    list.sort_by_key(Diagnostic::span);
    list
}

/// The declarations of `no-effect`.
#[derive(Default)]
struct Declared {
    /// Those that forms with semantics have, and whether one needs it.
    needed: BTreeMap<Span, bool>,
}

impl Declared {
    /// Returns true for something with a declaration.
    fn has(&mut self, declared: Option<&NoEffect>, is_needed: bool) -> bool {
        if let Some(declared) = declared {
            *self.needed.entry(declared.span).or_default() |= is_needed;
        }
        declared.is_some()
    }

    fn needless(self) -> impl Iterator<Item = Diagnostic> {
        self.needed.into_iter().filter(|(_, is_needed)| !is_needed).map(|(span, _)| {
            Diagnostic::warning("unread", "this declaration is not needed: each semantics reads what its text shows of it", span)
                .with_help("remove it")
        })
    }
}

/// The forms whose texts show a field of one declaration, and whose semantics does not read it.
#[derive(Default)]
struct Unread<'a> {
    /// Another form reads it.
    is_read: bool,
    forms: Vec<(&'a Form, usize)>,
}

fn fields(isa: &Isa, read: &[Option<Vec<bool>>], declared: &mut Declared) -> Vec<Diagnostic> {
    let mut unread: BTreeMap<Span, Unread<'_>> = BTreeMap::new();
    let known = isa.forms.iter().zip(read).filter_map(|(form, read)| Some((form, read.as_ref()?)));
    for (form, read) in known {
        let mut shown = BTreeSet::new();
        shown_in(&form.text, &mut shown);
        shown_in(form.base(), &mut shown);
        for (at, field) in form.fields.iter().enumerate() {
            let is_unread = !read[at] && shown.contains(&at) && (field.no_effect.is_some() || !has_one_value(form, field));
            let is_declared = declared.has(field.no_effect.as_ref(), is_unread);
            if read[at] {
                unread.entry(field.span).or_default().is_read = true;
            } else if is_unread && !is_declared {
                unread.entry(field.span).or_default().forms.push((form, at));
            }
        }
    }
    let (mut list, mut seen) = (Vec::new(), BTreeSet::new());
    let own = unread.values().flat_map(|unread| &unread.forms).map(|(form, _)| form.instruction);
    let at_fault: BTreeSet<InstructionId> = own.filter(|id| meant(isa, *id) == *id).collect();
    for Unread { is_read, mut forms } in unread.into_values() {
        // A semantics that several instructions have is at fault once.
        forms.retain(|(form, _)| {
            meant(isa, form.instruction) == form.instruction || !at_fault.contains(&meant(isa, form.instruction))
        });
        // If nothing reads it, the cause is the field, and else each of the instructions.
        if !is_read {
            list.extend(forms.first().map(|(form, field)| unread_field(isa, form, *field, Some(texts(isa, &forms)))));
            continue;
        }
        for (form, field) in &forms {
            if seen.insert((form.instruction, form.fields[*field].path.as_str())) {
                list.push(unread_field(isa, form, *field, None));
            }
        }
    }
    list
}

/// The texts that show a field, by their instructions.
fn texts(isa: &Isa, forms: &[(&Form, usize)]) -> String {
    let instructions: BTreeSet<InstructionId> = forms.iter().map(|(form, _)| form.instruction).collect();
    let first = &isa.instruction(forms[0].0.instruction).name;
    match instructions.len() - 1 {
        0 => format!("the text of {first} shows"),
        1 => format!("the texts of {first} and 1 other instruction show"),
        n => format!("the texts of {first} and {n} other instructions show"),
    }
}

/// The finding about a field: at its declaration, if none of the texts that show it belongs to a semantics that reads it, or at one
/// instruction.
fn unread_field(isa: &Isa, form: &Form, at: usize, texts: Option<String>) -> Diagnostic {
    let (insn, field) = (isa.instruction(form.instruction), &form.fields[at]);
    let name = texts.as_ref().map_or(&field.path, |_| &field.name);
    let example = match example(form, at) {
        Some([a, b]) => format!(": `{a}` and `{b}` have the same effect"),
        None => String::new(),
    };
    let help = format!(
        "use it in the semantics; or end the words for which it matters with `undescribed();`; or say why nothing depends on it: `no-effect: {{ {name}: \"…\" }}`"
    );
    let finding = match texts {
        Some(texts) => {
            let message = format!("{texts} `{name}`, which no semantics reads{example}");
            Diagnostic::warning("unread", message, field.span)
        }
        None => {
            let message = format!("the text of {} shows `{name}`, which its semantics does not read{example}", insn.name);
            Diagnostic::warning("unread", message, insn.span).with_label(field.span, "this field")
        }
    };
    finding.with_help(help)
}

/// The texts of two words of a form that differ in a field alone.
fn example(form: &Form, field: usize) -> Option<[String; 2]> {
    let (field, first) = (&form.fields[field], legal(form, form.default_word(), form.mask)?);
    let text = text_of(form, first, 0);
    let raws = samples::values(field).into_iter().filter(|raw| *raw != field.bits.get(first));
    let other = raws.filter_map(|raw| legal(form, field.bits.set(first, raw), form.mask | field.bits.mask()));
    let other = other.map(|word| text_of(form, word, 0)).find(|other| *other != text)?;
    Some([text, other])
}

/// The word of a form that keeps its rules and is nearest to another one, with these bits of it.
fn legal(form: &Form, word: Word, known: Word) -> Option<Word> {
    form.legal.nearest(word, known).filter(|word| form.words.contains(*word))
}

/// Returns true if all legal words of a form have one value of a field, so that its text says nothing.
fn has_one_value(form: &Form, field: &Field) -> bool {
    let Some(first) = legal(form, form.default_word(), form.mask) else { return true };
    let others = samples::values(field).into_iter().filter(|raw| *raw != field.bits.get(first));
    !others.into_iter().any(|raw| legal(form, field.bits.set(first, raw), form.mask | field.bits.mask()).is_some())
}

/// Adds a finding for each choice of which two alternatives have different texts and one effect.
fn choices(isa: &Isa, insn: &Instruction, read: &[Option<Vec<bool>>], declared: &mut Declared, list: &mut Vec<Diagnostic>) {
    for (slot, of) in insn.slots.iter().enumerate() {
        let mut alike: HashMap<Vec<usize>, Vec<&Form>> = HashMap::new();
        for form in isa.forms_of(insn).iter().filter(|form| read[form.id.index()].is_some()) {
            let mut others = form.picks.clone();
            others.remove(slot);
            alike.entry(others).or_default().push(form);
        }
        let mut groups: Vec<Vec<&Form>> = alike.into_values().collect();
        groups.sort_by_key(|forms| forms[0].id);
        let mut found = None;
        for forms in &groups {
            for (i, form) in forms.iter().enumerate() {
                let same = forms[..i].iter().find(|other| have_one_effect(other, form));
                let of_slot = form.no_effect.iter().find(|(of, _)| *of == slot).map(|(_, declared)| declared);
                let is_declared = declared.has(of_slot, same.is_some());
                found = found.or(same.filter(|_| !is_declared).map(|same| (*same, *form)));
            }
        }
        if let Some((a, b)) = found {
            let texts = [a, b].map(|form| text_of(form, legal(form, form.default_word(), form.mask).unwrap_or(form.value), 0));
            let message = format!(
                "the text of {} shows its choice `{}`, on which its semantics does not depend: `{}` and `{}` have the same effect",
                insn.name, of.name, texts[0], texts[1]
            );
            let help = format!(
                "use it in the semantics (`{0} is …`), or say why nothing depends on it: `no-effect: {{ {0}: \"…\" }}`",
                of.name
            );
            list.push(Diagnostic::warning("unread", message, insn.span).with_help(help));
        }
    }
}

/// Returns true if two forms have different texts around the same fields, and the same semantics.
fn have_one_effect(a: &Form, b: &Form) -> bool {
    let (Some(x), Some(y)) = (&a.behaviour, &b.behaviour) else { return false };
    a.fields.len() == b.fields.len()
        && a.fields.iter().zip(&b.fields).all(|(a, b)| a.path == b.path)
        && literals(&a.text) != literals(&b.text)
        && (&x.body, &x.guard, &x.after) == (&y.body, &y.guard, &y.after)
        && x.conditions.iter().map(|c| &c.cond).eq(y.conditions.iter().map(|c| &c.cond))
}

/// A text with the numbers of fields in the place of their values.
fn literals(pieces: &[Piece]) -> String {
    let one = |piece: &Piece| match piece {
        Piece::Literal(text) => text.clone(),
        Piece::Group { body, .. } => format!("<{}>", literals(body)),
        _ => format!("{{{:?}}}", piece.fields()),
    };
    pieces.iter().map(one).collect()
}

/// The fields on which a text depends.
fn shown_in(pieces: &[Piece], shown: &mut BTreeSet<usize>) {
    for piece in pieces {
        shown.extend(piece.fields());
        if let Piece::Group { when, body } = piece {
            if let When::Holds(condition) = when {
                shown.extend(condition.cond.fields());
            }
            shown_in(body, shown);
        }
    }
}
