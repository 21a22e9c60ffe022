//! `over`: the forms of which a form takes words.

use super::assembly::{Assembly, Overlap};
use super::context::Context;
use super::values::Meaning;
use super::words::plain_value;
use isa_model::model::{Bits, Form, FormId, Isa, MAX_FIELD, Over, Owner, ones};
use isa_model::sets::Cube;
use isa_model::span::Text;
use isa_syntax::lang;
use std::collections::HashMap;
use std::sync::Arc;

/// Keeps the declarations of a form until all forms are known.
pub(super) fn keep<'s>(cx: &Context<'s, '_>, form: FormId, assembly: &Assembly<'s>) {
    for instance in &assembly.instances {
        for decl in &instance.part.over {
            let apply = |text: &Text| instance.env.apply(cx, text).map(|text| text.into_owned());
            let Some(name) = apply(&decl.name) else { continue };
            let slot = match instance.owner {
                Owner::Slot(slot, None) if assembly.picks[slot].2.contains(&name.value) => Some(slot),
                _ => None,
            };
            let fix = decl.fix.iter().filter_map(|(key, value)| Some((apply(key)?, apply(value)?))).collect();
            cx.forms.overlaps.borrow_mut().push(Overlap { form, decl, name, slot, fix });
        }
    }
}

/// Gives each form what its declarations mean. The forms of an instruction share them.
pub(super) fn resolve(cx: &Context<'_, '_>, isa: &mut Isa) {
    let mut known: HashMap<_, Arc<[(FormId, Cube)]>> = HashMap::new();
    for overlap in std::mem::take(&mut *cx.forms.overlaps.borrow_mut()) {
        let Some(form) = isa.forms.get(overlap.form.index()) else { continue };
        let fix: Vec<_> = overlap.fix.iter().map(|(key, value)| (key.value.clone(), value.value.clone())).collect();
        let key = (form.instruction, overlap.name.span, overlap.name.value.clone(), overlap.slot, fix);
        let of = known.entry(key).or_insert_with(|| {
            let others = others(cx, isa, &overlap).into_iter();
            others.filter_map(|id| Some((id, overlap.words(cx, isa, isa.form(id))?))).collect()
        });
        let over = Over { of: of.clone(), has_words: !overlap.fix.is_empty(), span: overlap.decl.name.span };
        isa.forms[overlap.form.index()].over.push(over);
    }
}

/// The forms of a name: an alternative beside the one that has the declaration, an instruction, or a form.
fn others(cx: &Context<'_, '_>, isa: &Isa, overlap: &Overlap<'_>) -> Vec<FormId> {
    let name = &overlap.name.value;
    let Some(form) = isa.forms.get(overlap.form.index()) else { return Vec::new() };
    if let Some(slot) = overlap.slot {
        let Some(instruction) = isa.instructions.get(form.instruction.index()) else { return Vec::new() };
        let alternatives = &isa.choice_types[instruction.slots[slot].choice.index()].alternatives;
        let forms = isa.forms[instruction.forms.start.index()..instruction.forms.end.index()].iter();
        return forms.filter(|other| alternatives[other.picks[slot]].name == *name).map(|other| other.id).collect();
    }
    if let Some(instruction) = isa.instructions.iter().find(|instruction| instruction.name == *name) {
        return (instruction.forms.start.0..instruction.forms.end.0).map(FormId).collect();
    }
    if let Some(other) = isa.forms.iter().find(|other| other.name == *name) {
        return vec![other.id];
    }
    // An instruction that is declared, and has no form, has a finding.
    if !cx.spec.instructions.iter().any(|(declared, _)| declared.value == *name) {
        let instructions = isa.instructions.iter().map(|instruction| instruction.name.as_str());
        let forms = isa.forms.iter().map(|other| other.name.as_str());
        cx.unknown("instruction or form", name, overlap.name.span, instructions.chain(forms));
    }
    Vec::new()
}

impl Overlap<'_> {
    /// The words of another form that are declared to be taken.
    fn words(&self, cx: &Context<'_, '_>, isa: &Isa, other: &Form) -> Option<Cube> {
        let mut cube = Cube::ALL;
        for (key, text) in &self.fix {
            let value = cx.parse(&cx.parsed.values, text, lang::parse_value)?;
            let (bits, raw) = if key.value.starts_with(|c: char| c.is_ascii_digit()) {
                let list = cx.parse(&cx.parsed.bit_lists, key, lang::parse_bit_list)?;
                let bits = Bits(list.iter().map(|(range, _)| *range).collect());
                let raw = plain_value(&value).filter(|raw| bits.width() <= MAX_FIELD && *raw <= ones(bits.width()));
                (bits, raw.or_else(|| misfit(cx, text))?)
            } else {
                let Some(field) = other.fields.iter().find(|field| field.path == key.value) else {
                    cx.unknown("field", &key.value, key.span, other.fields.iter().map(|field| field.path.as_str()));
                    return None;
                };
                (field.bits.clone(), Meaning::of(isa, field).raw(cx, &value, text.span)?)
            };
            cube = Cube { mask: cube.mask | bits.mask(), value: cube.value | bits.place(raw) };
        }
        Some(cube)
    }
}

fn misfit<T>(cx: &Context<'_, '_>, text: &Text) -> Option<T> {
    cx.error("value", format!("`{}` does not fit into these bits", text.value), text.span);
    None
}
