//! The items that a module has once: the instruction set, its forms, the enum of its instructions, the trait of simulators.

use super::Cx;
use super::code::Code;
use super::docs::doc;
use super::instructions;
use super::names::{candidates, distinct_from, ident, snake};
use super::plan::Plan;
use isa_spec::model::{Form, Instruction, Isa};
use proc_macro2::Ident;
use std::collections::HashSet;

/// `rt::forms! { … }`
pub(super) fn forms(cx: &Cx<'_>, code: &mut Code) {
    code.gap().block("rt::forms! {", "}", |code| {
        for (form, name) in cx.isa.forms.iter().zip(&cx.names.forms) {
            code.docs(doc(&format!("`{}`", form.name))).line(name);
        }
    });
}

/// `rt::insns! { … }`
pub(super) fn insns(cx: &Cx<'_>, plans: &[Plan<'_>], code: &mut Code) {
    let last = cx.isa.instructions.len() - 1;
    code.gap().block("rt::insns! {", "}", |code| {
        for (i, (insn, name)) in cx.isa.instructions.iter().zip(&cx.names.instructions).enumerate() {
            let number = if i == last { "_".to_owned() } else { i.to_string() };
            code.docs(doc(&first_line(insn))).line(format_args!("{name} = {number},"));
        }
        code.block("; all {", "}", |code| instructions::common(plans, code));
    });
}

fn first_line(insn: &Instruction) -> String {
    let summary = insn.summary.trim();
    if summary.is_empty() { format!("`{}`", insn.mnemonic) } else { format!("`{}`: {summary}", insn.mnemonic) }
}

/// `130 as 12 [0 is 0, 1 is 2] [1 = 0]`: the form that one expands to, the fields with the values of fields here, and those with
/// a fixed value.
pub(super) fn expansion(form: &Form) -> Option<String> {
    let expanded = form.expanded.as_ref()?;
    let fields: Vec<String> = expanded.fields.iter().map(|(own, field)| format!("{own} is {field}")).collect();
    let values: Vec<String> = expanded.values.iter().map(|(field, raw)| format!("{field} = {raw}")).collect();
    Some(format!("{} as {} [{}] [{}]", form.id.0, expanded.to.0, fields.join(", "), values.join(", ")))
}

/// The instruction that does what this one does, if it has no semantics of its own.
fn meant<'a>(isa: &'a Isa, insn: &Instruction) -> Option<&'a Instruction> {
    let has_words = isa.forms_of(insn).iter().any(|form| form.expanded.is_some());
    insn.expands.as_ref().filter(|_| has_words && insn.semantics.is_none()).map(|expands| isa.instruction(expands.to))
}

/// `rt::handler! { … }`: a method for each instruction and each form, and the table of them.
pub(super) fn handler(cx: &Cx<'_>, code: &mut Code) {
    let isa = cx.isa;
    let mut taken = HashSet::from(["other".to_owned()]);
    let insns = distinct_from(&mut taken, isa.instructions.iter().map(|insn| snake(&insn.name)));
    let types = &cx.names.instructions;
    taken.insert("visit".to_owned());
    // An instruction with one form has one method.
    let mut method = |form: &Form| -> (Ident, bool) {
        let insn = &isa.instructions[form.instruction.index()];
        if isa.forms_of(insn).len() == 1 {
            return (insns[insn.id.index()].clone(), true);
        }
        let name = candidates(&ident(&snake(&form.name)).to_string(), "_form").find(|c| !taken.contains(c));
        let name = name.expect("there is always a larger number");
        taken.insert(name.clone());
        (ident(&name), false)
    };
    let methods: Vec<(Ident, bool)> = isa.forms.iter().map(&mut method).collect();
    let all = || methods.iter().zip(&isa.forms).map(|((name, is_alone), form)| (name, *is_alone, form));
    code.gap().block("rt::handler! {", "}", |code| {
        code.block("insns {", "}", |code| {
            for ((name, ty), insn) in insns.iter().zip(types).zip(&isa.instructions) {
                let meant = meant(isa, insn);
                let default = meant.map(|meant| format!("; by default, as `{}`", meant.mnemonic)).unwrap_or_default();
                let to = meant.map(|meant| format!(" to {}", insns[meant.id.index()])).unwrap_or_default();
                code.docs(doc(&format!("Executes `{}`{default}.", insn.mnemonic))).line(format_args!("{name}: {ty}{to},"));
            }
        });
        code.block("forms {", "}", |code| {
            for (name, _, form) in all().filter(|(_, is_alone, _)| !is_alone) {
                let insn = form.instruction.index();
                let mnemonic = &isa.instructions[insn].mnemonic;
                let about =
                    format!("Executes `{}`, a form of `{mnemonic}`; by default, the method of the instruction.", form.name);
                code.docs(doc(&about)).line(format_args!("{name}: {} as {},", types[insn], insns[insn]));
            }
        });
        code.list("table { ", all().map(|(name, ..)| name), " }");
    });
}
