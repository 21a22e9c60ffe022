//! `rt::instruction! { … }` for an instruction: its forms, what `new` takes, and its members.

use super::Cx;
use super::code::Code;
use super::docs::DocLines;
use super::fields::{Ty, ty};
use super::names::{distinct_from, snake};
use super::operands::about;
use super::plan::{Case, Member, Plan, What};
use isa_spec::errata::of_field;
use isa_spec::model::Erratum;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The declarations of all instructions. Those with the same members at the same bits are one type, with a kind for each of them.
pub(super) fn instructions(cx: &Cx<'_>, plans: &[Plan<'_>], code: &mut Code) {
    let mut alike: Vec<(Vec<&Plan<'_>>, String)> = Vec::new();
    let mut known: HashMap<(Vec<String>, String), usize> = HashMap::new();
    for plan in plans {
        let body = body(plan);
        let key = (plan.picks(), body.clone());
        match known.get(&key) {
            Some(number) => alike[*number].0.push(plan),
            None => {
                known.insert(key, alike.len());
                alike.push((vec![plan], body));
            }
        }
    }
    let mut taken = cx.names.types();
    for (plans, body) in alike {
        match plans.as_slice() {
            [one] => instruction(one, &body, code),
            several => instructions_alike(several, &body, &mut taken, code),
        }
    }
}

/// The declaration of an instruction that is like no other.
fn instruction(plan: &Plan<'_>, body: &str, code: &mut Code) {
    code.gap().block("rt::instruction! {", "}", |code| {
        code.docs(docs_of(plan).lines());
        code.list(&format!("pub struct {}, forms {} [", plan.name, plan.forms[0].id.0), plan.picks(), "];");
        body.lines().for_each(|line| _ = code.line(line));
    });
}

/// The declaration of instructions with equal bodies; their type is named after the first.
fn instructions_alike(plans: &[&Plan<'_>], body: &str, taken: &mut HashSet<String>, code: &mut Code) {
    let [first, second, others @ ..] = plans else { return };
    let like = format!("{}Like", first.name);
    let [like] = distinct_from(taken, [like]).try_into().expect("a name for each name");
    let more = match others.len() {
        0 => String::new(),
        1 => " and another one".to_owned(),
        more => format!(" and {more} others"),
    };
    let comma = if others.is_empty() { " and" } else { "," };
    code.gap().block("rt::instruction! {", "}", |code| {
        let about = format!("Instructions with the same members: [`{}`]{comma} [`{}`]{more}.", first.name, second.name);
        code.docs([about]);
        code.list(&format!("pub struct {like}, like {} [", snake(&like.to_string())), first.picks(), "];");
        code.block("kinds {", "}", |code| {
            for plan in plans {
                code.docs(docs_of(plan).lines()).line(format_args!("{} = {},", plan.name, plan.forms[0].id.0));
            }
        });
        body.lines().for_each(|line| _ = code.line(line));
    });
}

fn docs_of<'a>(plan: &Plan<'a>) -> DocLines<'a> {
    let what = if plan.cx.isa.is_text() { "what can be written" } else { "as a checked word" };
    let mut docs = DocLines::instruction(plan.cx.isa, plan.insn);
    docs.paragraph(&format!("`{}`, {what}.", plan.insn.mnemonic));
    docs
}

/// The parameters of `new`, and the members.
fn body(plan: &Plan<'_>) -> String {
    let mut code = Code::default();
    let arguments: Vec<(usize, &Member<'_>)> = plan.members.iter().enumerate().filter(|(_, m)| m.is_argument).collect();
    let slots: Vec<String> =
        arguments.iter().filter_map(|(_, m)| plan.stride(m).map(|(stride, _)| format!("{} * {stride}", m.name))).collect();
    let arguments = arguments.iter().map(|(number, m)| format!("{number} {}: {}", m.name, type_of(plan, m)));
    code.list("new(", arguments, &format!(") picks({});", slots.join(", ")));
    for (number, member) in plan.members.iter().enumerate() {
        self::member(plan, number, member, &mut code);
    }
    code.finish()
}

/// The members of all instructions: those of the same name and type, with their fields at the same bits.
pub(super) fn common(plans: &[Plan<'_>], code: &mut Code) {
    let Some((first, others)) = plans.split_first() else { return };
    for member in &first.members {
        let [Case { pick: 0, places }] = member.cases.as_slice() else { continue };
        let ty = type_of(first, member);
        let is_same = |plan: &Plan<'_>, other: &Member<'_>| {
            other.name == member.name && other.cases == member.cases && type_of(plan, other) == ty
        };
        if matches!(member.what, What::Field(_)) && others.iter().all(|plan| plan.members.iter().any(|m| is_same(plan, m))) {
            code.docs(docs(first, member).lines());
            code.list(&format!("{}: {ty} = [", member.name), places, "];");
        }
    }
}

fn type_of(plan: &Plan<'_>, member: &Member<'_>) -> Ty {
    let Plan { cx, insn, .. } = plan;
    let ty = match &member.what {
        What::Field(ft) => ty(cx, ft),
        What::Bind(i) => Ty::of(&cx.names.operands[insn.binds[*i].operand.index()]),
        What::Slot(i) => Ty::of(&cx.names.choices[insn.slots[*i].choice.index()]),
    };
    if member.is_optional { ty.optional() } else { ty }
}

/// `/// …` and `3 rd: R = [at(23, 16)];`, or `11 stall: u8 as rt::Uint<4> = [at(108, 105)];`
fn member(plan: &Plan<'_>, number: usize, member: &Member<'_>, code: &mut Code) {
    code.docs(docs(plan, member).lines());
    let choose = plan.stride(member).map(|(stride, count)| format!(" choose {stride} / {count}")).unwrap_or_default();
    let name = format!("{number} {}: {} = ", member.name, type_of(plan, member));
    let (cases, of) = (&member.cases, &member.of);
    if let [Case { pick: 0, places }] = cases.as_slice() {
        code.list(&format!("{name}["), places, &format!("]{choose};"));
        return;
    }
    let cases = cases.iter().map(|case| format!("{}: [{}]", case.pick, case.places.join(", ")));
    let of: Vec<String> = of.iter().map(usize::to_string).collect();
    code.list(&format!("{name}{{ "), cases, &format!(" }} by [{}]{choose};", of.join(", ")));
}

fn docs<'a>(plan: &Plan<'a>, member: &Member<'_>) -> DocLines<'a> {
    let cx = plan.cx;
    let What::Field(ft) = &member.what else {
        let what = if let What::Slot(_) = member.what { "Choice" } else { "Operand" };
        return DocLines::new(cx.isa, &[&format!("{what} `{}`.", member.spec)]);
    };
    let fields = plan.forms.iter().flat_map(|form| plan.fields_of(member, form));
    let places: BTreeSet<String> = fields.clone().map(|f| f.bits.to_string()).collect();
    let places: Vec<String> = places.into_iter().collect();
    let field = fields.clone().next().expect("a field is in some form");
    let about = about(cx, ft);
    let first = if field.summary.trim().is_empty() { &about } else { field.summary.trim() };
    let mut line = first.trim_end().to_owned();
    line.push_str(if line.ends_with(['.', '!', '?']) { "" } else { "." });
    if !cx.isa.is_text() {
        line.push_str(&format!(
            " {} {}",
            if places.iter().all(|p| p.parse::<u32>().is_ok()) { "Bit" } else { "Bits" },
            places.join(" or ")
        ));
        let cited = super::docs::lines_of(cx.isa, &field.doc);
        line.push_str(&if cited.is_empty() { ".".to_owned() } else { format!(" ({cited}).") });
    }
    let mut docs = DocLines::new(cx.isa, &[&line]);
    docs.paragraph(&field.note);
    let mut errata: Vec<&Erratum> = Vec::new();
    // An instruction that no document lays out shares fields with documented ones, where their errata are listed.
    let is_documented = plan.insn.doc.0.iter().any(|r| r.lines.is_some());
    for form in plan.forms.iter().filter(|_| is_documented) {
        for erratum in plan.fields_of(member, form).flat_map(|field| of_field(cx.isa, form, field)) {
            if errata.iter().all(|known| known.span != erratum.span) {
                errata.push(erratum);
            }
        }
    }
    docs.field_errata(&errata);
    if member.is_optional {
        docs.paragraph("Not all forms have it.");
    }
    docs
}
