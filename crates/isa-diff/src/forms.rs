//! Matches the forms of the two versions, and compares them.

use super::alike::is_alike;
use super::change::What;
use super::found::{Changes, Side};
use super::names::Matched;
use super::spelt::spelt;
use super::versions::Versions;
use super::{assembled, behaviour, members, words};
use isa_spec::model::{Form, FormId, Instruction, Word};
use std::collections::{HashMap, HashSet};

/// Compares all forms.
pub(super) fn compare(versions: &Versions<'_>, names: &Matched, changes: &mut Changes) {
    let [old, new] = versions.isas;
    let by_name: HashMap<&str, &Form> = new.forms.iter().map(|f| (f.name.as_str(), f)).collect();
    let mut pairs: HashMap<FormId, &Form> =
        old.forms.iter().filter_map(|f| Some((f.id, *by_name.get(f.name.as_str())?))).collect();
    let mut known: HashSet<FormId> = pairs.values().map(|f| f.id).collect();
    rename(versions, &mut pairs, &mut known, changes);
    assembled::compare(versions, &pairs, changes);
    let [had, has] = [old, new].map(|isa| isa.instructions.iter().map(|i| i.name.as_str()).collect::<HashSet<&str>>());
    for instruction in &old.instructions {
        let forms = old.forms_of(instruction);
        let is_gone = !has.contains(instruction.name.as_str()) && forms.iter().all(|f| !pairs.contains_key(&f.id));
        for form in forms {
            match pairs.get(&form.id) {
                Some(now) => {
                    if !is_alike([form, now]) {
                        words::compare(versions, names, [form, now], changes);
                        also([form, now], changes, versions);
                    }
                    let is_other = behaviour::compare(versions, [form, now], changes);
                    others([form, now], is_other, changes, versions);
                }
                None => {
                    let example = || versions.first(form);
                    let (what, name) = match is_gone {
                        true => (What::InstructionRemoved, &instruction.name),
                        false => (What::FormRemoved, &form.name),
                    };
                    changes.add_in(what, [name, "", ""], Some((Side::Old, form)), example);
                    words::gone(versions, form, changes);
                }
            }
        }
    }
    for instruction in &new.instructions {
        let forms = new.forms_of(instruction);
        let is_new = !had.contains(instruction.name.as_str()) && forms.iter().all(|f| !known.contains(&f.id));
        for form in forms.iter().filter(|f| !known.contains(&f.id)) {
            let (what, name) = match is_new {
                true => (What::InstructionAdded, &instruction.name),
                false => (What::FormAdded, &form.name),
            };
            changes.add_in(what, [name, "", ""], Some((Side::New, form)), || versions.first_new(form));
        }
    }
}

/// Compares what else is known of two forms with the same fields. Accesses follow from semantics.
fn others(forms: [&Form; 2], has_other_semantics: bool, changes: &mut Changes, versions: &Versions<'_>) {
    let [old, new] = forms.map(|form| form.fields.iter().map(|field| (&field.path, &field.bits)));
    if (forms[0].mask, forms[0].value) == (forms[1].mask, forms[1].value) && old.eq(new) {
        members::compare([versions.isas[0], versions.isas[1]], [forms[0], forms[1]], &mut |what, words| {
            if !(has_other_semantics && words[0].starts_with("accesses")) {
                changes.add_in(what, words, Some((Side::Old, forms[0])), || None);
            }
        });
    }
}

/// Finds forms with another name and the same words, except in text-only instruction sets.
fn rename<'a>(
    versions: &Versions<'a>,
    pairs: &mut HashMap<FormId, &'a Form>,
    known: &mut HashSet<FormId>,
    changes: &mut Changes,
) {
    let [old, new] = versions.isas;
    if old.is_text() || new.is_text() {
        return;
    }
    let mut left: HashMap<(u32, Word, Word), Vec<&Form>> = HashMap::new();
    for form in new.forms.iter().filter(|f| !known.contains(&f.id)) {
        left.entry((form.length, form.mask, form.value)).or_default().push(form);
    }
    for form in old.forms.iter().filter(|f| !pairs.contains_key(&f.id)).collect::<Vec<_>>() {
        let alike = left.get_mut(&(form.length, form.mask, form.value));
        let found = alike.and_then(|forms| {
            let at = forms.iter().position(|f| versions.has_same_words(form, f))?;
            Some(forms.remove(at))
        });
        let Some(now) = found else { continue };
        pairs.insert(form.id, now);
        known.insert(now.id);
        let (a, b) = (old.instruction(form.instruction), new.instruction(now.instruction));
        let (was, is) = (ending(form, a), ending(now, b));
        if a.name != b.name {
            changes.add_in(What::InstructionRenamed, ["", &a.name, &b.name], Some((Side::Old, form)), || None);
        }
        if was != is {
            changes.add_in(What::FormRenamed, ["", &form.name, &now.name], None, || None);
        }
    }
}

/// The alternatives in the name of a form.
fn ending<'f>(form: &'f Form, instruction: &Instruction) -> &'f str {
    form.name.strip_prefix(instruction.name.as_str()).unwrap_or(&form.name)
}

/// Compares the texts that are read and never printed.
fn also(forms: [&Form; 2], changes: &mut Changes, versions: &Versions<'_>) {
    let [old, new] = [0, 1].map(|side| {
        let form = forms[side];
        form.also.iter().map(|text| spelt(form, text)).collect::<HashSet<String>>()
    });
    let name = |side: usize| &versions.isas[side].instruction(forms[side].instruction).name;
    if old.difference(&new).next().is_some() {
        changes.add_in(What::AlsoRemoved, [name(0), "", ""], Some((Side::Old, forms[0])), || None);
    }
    if new.difference(&old).next().is_some() {
        changes.add_in(What::AlsoAdded, [name(1), "", ""], Some((Side::New, forms[1])), || None);
    }
}
