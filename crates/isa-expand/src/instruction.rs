//! One instruction: its choices multiplied out, each product built as a form.

use super::assembly::{Assembly, Instance, Meant, ReadingUse};
use super::context::Context;
use super::env::Env;
use super::form::build;
use super::types::Types;
use super::{definitions, errata, semantics};
use isa_model::diag::Diagnostic;
use isa_model::model::{Alias, Doc, Expands, Form, FormId, FormatId, Instruction, InstructionId, Isa, MAX_NAMES, Owner, Raw};
use isa_model::span::{Span, Text};
use isa_syntax::lang::{self, CondAst};
use isa_syntax::read::{ChoiceDecl, Choose, PartDecl};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A choice as an instruction uses it.
struct Slot<'s> {
    name: &'s Text,
    /// The name of the choice, for naming its type.
    choice: String,
    decl: &'s ChoiceDecl,
    decl_span: Span,
    env: Env,
    /// The lines that describe the fields of its operands, as given where it is used.
    doc: Doc,
    /// The alternatives that it allows, as indices into the declaration.
    allowed: Vec<usize>,
}

pub(super) fn instruction<'s>(cx: &Context<'s, '_>, isa: &mut Isa, types: &mut Types, name: &'s Text, part: &'s PartDecl) {
    let id = InstructionId(isa.instructions.len() as u32);
    let Some(formats) = format_chain(cx, part) else { return };
    let Some(slots) = slots(cx, name, part, &formats) else { return };
    let first = FormId(isa.forms.len() as u32);
    let mut own_errata = errata::errata(cx, &part.errata, None);
    let semantics = semantics::read(cx, part.semantics.as_ref()).map(Rc::new);
    let Some(meant) = meant(cx, isa, part) else { return };
    let group = definitions::group_of(cx, isa, part, &formats);
    let expands = meant.as_ref().zip(part.expands.as_ref()).map(|(meant, decl)| Expands {
        to: meant.assembly.instruction,
        fields: decl.fields.iter().map(|(name, is)| (name.value.clone(), is.value.clone())).collect(),
        span: decl.to.span,
    });
    types.begin(slots.len());
    let mut names = Vec::new();
    let Some(count) = count(cx, name, &slots) else { return };
    for number in 0..count {
        let picks = product_at(&slots, number);
        let Some(mut assembly) = assemble(cx, id, name, part, &formats, &slots, &picks) else { continue };
        assembly.semantics = semantics.clone();
        assembly.group = group;
        assembly.meant = meant.clone();
        if excluded(cx, &assembly) {
            continue;
        }
        for instance in &assembly.instances[assembly.formats + 1..] {
            for e in &instance.part.errata {
                // An erratum of a shared piece is shown with the first instruction that uses it.
                if !cx.report.used.borrow().contains(&e.span) {
                    cx.mark_used(e.span);
                    own_errata.extend(errata::errata(cx, std::slice::from_ref(e), declared(instance, &slots)));
                }
            }
        }
        if let Some((mut form, fixed)) = build(cx, isa, &assembly) {
            place_names(&mut form, &mut names);
            types.form(&assembly, &form);
            if count == 1 && cx.sources.expanded.contains(name.value.as_str()) {
                let known = Meant { assembly, fields: form.fields.clone(), fixed };
                cx.forms.meant.borrow_mut().insert(&name.value, Rc::new(known));
            }
            if isa.forms.len() == MAX_FORMS {
                let message = format!("with `{}` the instructions have more than {MAX_FORMS} forms together", name.value);
                cx.error("too-large", message, name.span);
                cx.budget.is_full.set(true);
                return;
            }
            isa.forms.push(form);
        }
    }
    let last = FormId(isa.forms.len() as u32);
    if names.len() > MAX_NAMES {
        cx.error("names", format!("the forms of `{}` name more than {MAX_NAMES} registers", name.value), name.span);
    }
    if first == last {
        if !cx.errors() {
            cx.error("empty", format!("`{}` has no form: every product of its choices is excluded", name.value), name.span);
        }
        return;
    }
    let (slot_list, binds) = types.end(
        cx,
        isa,
        &name.value,
        &slots
            .iter()
            .map(|s| super::types::SlotInfo {
                name: s.name.value.clone(),
                choice: s.choice.clone(),
                summary: s.decl.summary.clone(),
                span: s.decl_span,
                alternatives: s
                    .allowed
                    .iter()
                    .map(|i| {
                        let (name, part) = &s.decl.alternatives[*i];
                        (name.value.clone(), part.summary.clone(), cx.doc(part.doc.as_ref()), part.observed, name.span)
                    })
                    .collect(),
            })
            .collect::<Vec<_>>(),
    );
    isa.instructions.push(Instruction {
        id,
        name: name.value.clone(),
        mnemonic: part.mnemonic.as_ref().unwrap_or(name).value.clone(),
        summary: part.summary.clone(),
        notes: part.notes.clone(),
        doc: cx.doc(part.doc.as_ref()),
        status: part.status.clone(),
        format: formats.last().and_then(|(n, _)| cx.sources.formats.get(n.value.as_str())).map(|i| FormatId(*i as u32)),
        group,
        aliases: aliases(part, &formats),
        expands,
        slots: slot_list,
        binds,
        names,
        forms: first..last,
        errata: own_errata,
        semantics: semantics.map(Rc::unwrap_or_clone),
        observed: part.observed,
        span: name.span,
        entry: part.entry,
    });
}

/// The aliases of an instruction and its formats, as they are declared.
fn aliases(part: &PartDecl, formats: &[(&Text, &PartDecl)]) -> Vec<Alias> {
    let parts = std::iter::once(part).chain(formats.iter().rev().map(|(_, format)| *format));
    let alias = |(when, is): &(Option<Text>, Text)| Alias {
        when: when.as_ref().map(|when| when.value.clone()),
        is: is.value.clone(),
        span: is.span,
    };
    parts.flat_map(|part| part.aliases.iter().map(alias)).collect()
}

/// The instruction that this one is declared to expand to; `None` if there is no such instruction.
fn meant<'s>(cx: &Context<'s, '_>, isa: &Isa, part: &PartDecl) -> Option<Option<Rc<Meant<'s>>>> {
    let Some(decl) = &part.expands else { return Some(None) };
    let known = cx.forms.meant.borrow().get(decl.to.value.as_str()).cloned();
    if known.is_some() {
        return Some(known);
    }
    let name = &decl.to.value;
    let all = || cx.spec.instructions.iter().map(|(name, _)| name.value.as_str());
    if isa.instructions.iter().any(|i| i.name == *name) {
        cx.error("expands", format!("`{name}` has several forms: `expands` needs an instruction with one form"), decl.to.span);
    } else if !all().any(|other| other == name) {
        cx.unknown("instruction", name, decl.to.span, all());
    } else if !cx.errors() {
        cx.error(
            "order",
            format!("`{name}` is defined further down: `expands` needs an instruction that is defined above"),
            decl.to.span,
        );
    }
    None
}

/// Gives the names of a form their places among those of the instruction; by default, all names differ.
fn place_names(form: &mut Form, paths: &mut Vec<String>) {
    for name in &mut form.names {
        let field = &mut form.fields[name.field];
        name.place = paths.iter().position(|p| *p == field.path).unwrap_or_else(|| {
            paths.push(field.path.clone());
            paths.len() - 1
        });
        field.default = name.place as Raw;
    }
}

/// The formats that an instruction extends, the root first; `None` if one is unknown, or extends itself.
fn format_chain<'s>(cx: &Context<'s, '_>, part: &'s PartDecl) -> Option<Vec<(&'s Text, &'s PartDecl)>> {
    let formats = &cx.spec.formats;
    let mut chain: Vec<(&'s Text, &'s PartDecl)> = Vec::new();
    let mut next = part.extends.as_ref();
    while let Some(name) = next {
        let Some((key, format)) = cx.sources.formats.get(name.value.as_str()).map(|i| &formats[*i]) else {
            cx.unknown("format", &name.value, name.span, formats.iter().map(|(n, _)| n.value.as_str()));
            return None;
        };
        cx.mark_used(key.span);
        // Said where formats are read.
        if chain.len() > super::formats::MAX_CHAIN || chain.iter().any(|(k, _)| k.span == key.span) {
            return None;
        }
        chain.push((key, format));
        next = format.extends.as_ref();
    }
    chain.reverse();
    Some(chain)
}

/// The choices of the formats, the root's first, then those of the instruction.
fn slots<'s>(
    cx: &Context<'s, '_>,
    instruction: &'s Text,
    part: &'s PartDecl,
    formats: &[(&'s Text, &'s PartDecl)],
) -> Option<Vec<Slot<'s>>> {
    let mut list: Vec<Slot<'s>> = Vec::new();
    let mut good = true;
    let parts = formats.iter().copied().chain([(instruction, part)]);
    for (owner, (name, choose)) in parts.flat_map(|(owner, part)| part.choose.iter().map(move |c| (owner, c))) {
        if list.iter().any(|s| s.name.value == name.value) {
            cx.error("duplicate", format!("there is already a choice `{}`", name.value), name.span);
            good = false;
            continue;
        }
        let slot = match choose {
            Choose::Inline(decl) => Some(Slot {
                name,
                choice: format!("{}_{}", owner.value, name.value),
                decl,
                decl_span: name.span,
                env: Env::default(),
                doc: Doc::default(),
                allowed: (0..decl.alternatives.len()).collect(),
            }),
            Choose::Named(text) => named_slot(cx, name, text),
        };
        match slot {
            Some(slot) => list.push(slot),
            None => good = false,
        }
    }
    good.then_some(list)
}

fn named_slot<'s>(cx: &Context<'s, '_>, name: &'s Text, text: &'s Text) -> Option<Slot<'s>> {
    let used = cx.parse(&cx.parsed.uses, text, lang::parse_use)?;
    let Some((head, key, decl)) = cx.sources.choices.get(&used.name) else {
        cx.unknown("choice", &used.name, text.at(used.name_range.clone()), sorted(cx.sources.choices.keys()));
        return None;
    };
    cx.mark_used(key.span);
    let env = Env::bind(cx, &Env::default(), head, &used, text)?;
    let mut allowed: Vec<usize> = (0..decl.alternatives.len()).collect();
    if let Some(pick) = &used.pick {
        for other in pick.names.iter().filter(|other| !other.optional) {
            if !decl.alternatives.iter().any(|(n, _)| n.value == other.name) {
                cx.unknown(
                    "alternative",
                    &other.name,
                    text.at(other.range.clone()),
                    decl.alternatives.iter().map(|(n, _)| n.value.as_str()),
                );
                return None;
            }
        }
        allowed.retain(|i| pick.names.iter().any(|other| other.name == decl.alternatives[*i].0.value) == pick.only);
        if allowed.is_empty() {
            cx.error("empty", "no alternative is left", text.span);
            return None;
        }
    }
    let doc = cx.references(&used.doc, text);
    Some(Slot { name, choice: used.name.clone(), decl, decl_span: key.span, env, doc, allowed })
}

fn sorted<'k>(names: impl Iterator<Item = &'k String>) -> BTreeSet<&'k str> {
    names.map(String::as_str).collect()
}

/// The greatest number of products of an instruction's choices, those that `except` removes included, and of forms of all
/// instructions together.
pub(super) const MAX_FORMS: usize = 1 << 16;

/// The number of products, if it is not too large.
fn count(cx: &Context<'_, '_>, name: &Text, slots: &[Slot<'_>]) -> Option<usize> {
    let count = slots.iter().try_fold(1usize, |n, slot| n.checked_mul(slot.allowed.len()));
    let message = match count {
        Some(count) if count <= MAX_FORMS => return Some(count),
        Some(count) => format!("the choices of `{}` have {count} products; an instruction has at most {MAX_FORMS}", name.value),
        None => format!("the choices of `{}` have 2^64 products or more; an instruction has at most {MAX_FORMS}", name.value),
    };
    let d = Diagnostic::error("too-large", message, name.span);
    cx.report(d.with_help("turn choices that only differ in a value into fields, or split the instruction"));
    None
}

/// The product of this number, the first slot turning slowest: of each slot an index into its allowed alternatives.
fn product_at(slots: &[Slot<'_>], mut number: usize) -> Vec<usize> {
    let mut picks = vec![0; slots.len()];
    for (pick, slot) in picks.iter_mut().zip(slots).rev() {
        *pick = number % slot.allowed.len();
        number /= slot.allowed.len();
    }
    picks
}

/// The declaration of the operand or alternative that is a piece of a form.
fn declared(piece: &Instance<'_>, slots: &[Slot<'_>]) -> Option<Span> {
    if let Some((_, name)) = &piece.operand {
        return Some(name.span);
    }
    let Owner::Slot(slot, None) = piece.owner else { return None };
    let (name, _) = slots[slot].decl.alternatives.iter().find(|(_, part)| std::ptr::eq(part, piece.part))?;
    Some(name.span)
}

fn assemble<'s>(
    cx: &Context<'s, '_>,
    id: InstructionId,
    name: &'s Text,
    part: &'s PartDecl,
    formats: &[(&'s Text, &'s PartDecl)],
    slots: &[Slot<'s>],
    picks: &[usize],
) -> Option<Assembly<'s>> {
    let mut a = Assembly {
        instruction: id,
        name,
        instances: Vec::new(),
        formats: formats.len(),
        picks: Vec::new(),
        named: Vec::new(),
        pick_indices: picks.to_vec(),
        defines: Vec::new(),
        readings: Vec::new(),
        tags: BTreeSet::new(),
        semantics: None,
        group: None,
        meant: None,
        observed: part.observed,
    };
    let own = |part: &'s PartDecl| Instance {
        part,
        env: Env::default(),
        prefix: String::new(),
        owner: Owner::Instruction,
        doc: Doc::default(),
        operand: None,
    };
    for (_, format) in formats {
        a.instances.push(own(format));
    }
    a.instances.push(own(part));
    let mut binds = 0;
    let mut operands: Vec<Instance<'s>> = Vec::new();
    for instance in &a.instances {
        a.defines.extend(instance.part.define.iter().map(|(k, v)| (k.value.clone(), v.clone())));
        for (bind, text) in &instance.part.bind {
            let new = operand(cx, (&instance.env, &instance.doc), bind, text, Owner::Bind(binds))?;
            add_operand(cx, &mut operands, new, bind)?;
            binds += 1;
        }
    }
    for (index, (slot, pick)) in slots.iter().zip(picks).enumerate() {
        let (alternative, alternative_part) = &slot.decl.alternatives[slot.allowed[*pick]];
        a.picks.push((
            slot.name.value.clone(),
            alternative.value.clone(),
            slot.decl.alternatives.iter().map(|(name, _)| name.value.clone()).collect(),
        ));
        if slot.allowed.len() > 1 {
            a.named.push(alternative.value.clone());
        }
        a.observed |= alternative_part.observed;
        for (k, (bind, text)) in alternative_part.bind.iter().enumerate() {
            let new = operand(cx, (&slot.env, &slot.doc), bind, text, Owner::Slot(index, Some(k)))?;
            add_operand(cx, &mut operands, new, bind)?;
        }
        a.instances.push(Instance {
            part: alternative_part,
            env: slot.env.clone(),
            prefix: String::new(),
            owner: Owner::Slot(index, None),
            doc: slot.doc.clone(),
            operand: None,
        });
    }
    a.instances.extend(operands);
    for instance in &a.instances {
        a.tags.extend(instance.part.tags.iter().filter_map(|t| instance.env.apply(cx, t)).map(|t| t.into_owned().value));
        for (name, text) in &instance.part.readings {
            let path = format!("{}{}", instance.prefix, name.value);
            if a.readings.iter().any(|known| known.path == path) {
                cx.error("duplicate", format!("there is already a reading `{path}`"), name.span);
                return None;
            }
            // One that uses a parameter that is not given is missing.
            if let Some(text) = instance.env.apply(cx, text) {
                let (prefix, text) = (instance.prefix.clone(), text.into_owned());
                a.readings.push(ReadingUse { path, prefix, name: name.clone(), text });
            }
        }
    }
    Some(a)
}

fn add_operand<'s>(cx: &Context<'s, '_>, operands: &mut Vec<Instance<'s>>, new: Instance<'s>, bind: &Text) -> Option<()> {
    if operands.iter().any(|other| other.prefix == new.prefix) {
        cx.error("duplicate", format!("there is already an operand `{}`", bind.value), bind.span);
        return None;
    }
    operands.push(new);
    Some(())
}

fn operand<'s>(
    cx: &Context<'s, '_>,
    (outer, outer_doc): (&Env, &Doc),
    bind: &Text,
    text: &'s Text,
    owner: Owner,
) -> Option<Instance<'s>> {
    let used = cx.parse(&cx.parsed.uses, text, lang::parse_use)?;
    let place = text.slice(used.name_range.clone());
    let Some(name) = outer.apply(cx, &place) else {
        cx.error(
            "arguments",
            format!("the operand of `{}` is missing: the parameter that names it is not given", bind.value),
            place.span,
        );
        return None;
    };
    let Some((head, key, part)) = cx.sources.operands.get(&name.value) else {
        cx.unknown("operand", &name.value, text.at(used.name_range.clone()), sorted(cx.sources.operands.keys()));
        return None;
    };
    cx.mark_used(key.span);
    if let Some(pick) = &used.pick {
        let span = pick.names.first().map_or(text.span, |first| text.at(first.range.clone()));
        cx.report(Diagnostic::error("syntax", "an operand has no alternatives: `only` and `except` are for choices", span));
    }
    let env = Env::bind(cx, outer, head, &used, text)?;
    let doc = if used.doc.is_empty() { outer_doc.clone() } else { cx.references(&used.doc, text) };
    Some(Instance { part, env, prefix: format!("{}.", bind.value), owner, doc, operand: Some((head.clone(), key)) })
}

/// True if an `except` of the instruction, or of a format of it, takes this product out.
fn excluded(cx: &Context<'_, '_>, assembly: &Assembly<'_>) -> bool {
    // Every condition is resolved, so that the faults of all of them are found.
    let mut out = false;
    for text in assembly.instances.iter().flat_map(|instance| &instance.part.except) {
        if let Some(ast) = cx.parse(&cx.parsed.conditions, text, lang::parse_condition) {
            out |= product(cx, &ast, text, assembly).unwrap_or(false);
        }
    }
    out
}

fn product(cx: &Context<'_, '_>, ast: &CondAst, text: &Text, a: &Assembly<'_>) -> Option<bool> {
    Some(match ast {
        CondAst::Or(parts) => parts.iter().map(|p| product(cx, p, text, a)).collect::<Option<Vec<_>>>()?.contains(&true),
        CondAst::And(parts) => !parts.iter().map(|p| product(cx, p, text, a)).collect::<Option<Vec<_>>>()?.contains(&false),
        CondAst::Not(part) => !product(cx, part, text, a)?,
        CondAst::Has(tag, _) => a.tags.contains(tag),
        CondAst::Is { slot, alternatives } => {
            let Some((_, picked, all)) = a.picks.iter().find(|(n, ..)| *n == slot.0) else {
                cx.unknown("choice", &slot.0, text.at(slot.1.clone()), a.picks.iter().map(|p| p.0.as_str()));
                return None;
            };
            for other in alternatives.iter().filter(|other| !other.optional && !all.contains(&other.name)) {
                cx.unknown("alternative", &other.name, text.at(other.range.clone()), all.iter().map(String::as_str));
            }
            alternatives.iter().any(|other| other.name == *picked)
        }
        CondAst::OneHot(name) => {
            cx.error("condition", "`except` is about choices: `slot is alternative`", text.at(name.range.clone()));
            return None;
        }
        CondAst::Test { range, .. } => {
            cx.error("condition", "`except` is about choices: `slot is alternative`", text.at(range.clone()));
            return None;
        }
    })
}
