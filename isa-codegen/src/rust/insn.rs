//! What a module has once: the instruction set, its forms, the enum of its instructions, the trait of simulators.

use super::Cx;
use super::code::Code;
use super::docs::doc;
use super::instructions;
use super::names::{candidates, distinct, ident, snake};
use super::plan::Plan;
use isa_spec::model::{Form, Instruction};
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

/// `rt::handler! { … }`: a method for each instruction and each form, and the table of them.
pub(super) fn handler(cx: &Cx<'_>, code: &mut Code) {
    let isa = cx.isa;
    let insns = distinct(isa.instructions.iter().map(|insn| snake(&insn.name)));
    let types = &cx.names.instructions;
    let mut taken: HashSet<String> = insns.iter().map(ToString::to_string).chain(["visit".to_owned()]).collect();
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
                code.docs(doc(&format!("Executes `{}`.", insn.mnemonic))).line(format_args!("{name}: {ty},"));
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
