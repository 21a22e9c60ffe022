//! The functions of each form, and their arguments, taken from a word.

use super::closed::Closed;
use super::lower::{Arguments, Key, is_one};
use super::machine;
use super::merge::{Merged, merge};
use super::names::semantics_docs;
use super::tidy::{Own, Tidy, intern};
use super::uniform::is_of_word;
use super::unit::Units;
use crate::rust::{Cx, sets};
use isa_operations::Lists;
use isa_runtime::machine::Write;
use isa_spec::model::Form;
use isa_spec::semantics::builtins::{Function, IntFunction};
use isa_spec::semantics::typed::{Body, Expr, ExprKind};
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use std::collections::HashMap;
use std::fmt::Debug;

/// The rows of the table of forms.
pub(super) struct Forms {
    rows: Vec<Row>,
    /// Conditions: a form, and which of its own.
    sets: Vec<(usize, usize)>,
    /// Lists of what forms write.
    writes: Vec<Vec<Write>>,
}

#[derive(Default)]
struct Row {
    is_described: bool,
    body: usize,
    guard: usize,
    after: usize,
    writes: usize,
    args: Vec<Arg>,
}

/// `Field(3, 8)`: an argument of a function, as `isa_sim::code::Arg` has it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Arg {
    Const(u64),
    Field(u64, u64),
    Part(u64, u64, u64),
    Condition(u64),
    Uniform(u64, u64),
    Broadcast(u64),
    Fetch(u64, u64),
    Row(u64, u64, u64, u64),
}

/// A value as its `Debug` prints it, which is how Rust writes it.
fn printed(value: &impl Debug) -> TokenStream {
    format!("{value:?}").parse().expect("numbers and names of variants")
}

/// The argument of a field or a condition that a form does not have.
const ZERO: Arg = Arg::Const(0);

/// Forms with one body.
struct Group {
    forms: Vec<usize>,
    merged: Merged,
}

impl Forms {
    /// The most arguments that a form has.
    pub(super) fn most_args(&self) -> usize {
        self.rows.iter().map(|row| row.args.len()).max().unwrap_or(0).max(1)
    }

    /// The table of forms.
    pub(super) fn rows(&self) -> Vec<TokenStream> {
        let row = |Row { is_described, body, guard, after, writes, args }: &Row| {
            let args = args.iter().map(printed);
            let [body, guard, after, writes] = [*body, *guard, *after, *writes].map(Literal::usize_unsuffixed);
            if *is_described { quote!(form(#body, #guard, #after, #writes, &[#(#args),*])) } else { quote!(NO_FORM) }
        };
        self.rows.iter().map(row).collect()
    }

    pub(super) fn sets(&self, cx: &Cx<'_>) -> Vec<TokenStream> {
        let rt = &cx.rt;
        let set = |(form, condition): &(usize, usize)| {
            let behaviour = cx.isa.forms[*form].behaviour.as_ref().expect("a form with conditions has semantics");
            let cubes = sets::cubes(&sets::list(&behaviour.conditions[*condition].words), rt);
            quote!(#rt::Set(#cubes))
        };
        self.sets.iter().map(set).collect()
    }

    /// The lists of what forms write.
    pub(super) fn writes(&self) -> Vec<TokenStream> {
        let list = |list: &Vec<Write>| {
            let all = list.iter().map(printed);
            quote!(&[#(#all),*])
        };
        self.writes.iter().map(list).collect()
    }

    /// The number of the argument where further arguments of a function begin.
    pub(super) fn arguments(&mut self, cx: &Cx<'_>, form: usize, own: &Own, arguments: &Arguments) -> usize {
        let at = self.rows[form].args.len();
        for (key, _, slots) in &arguments.all {
            let args = self.keyed(cx, form, own, *key, *slots);
            self.rows[form].args.extend(args);
        }
        at
    }

    /// The arguments of a field or a condition of a form; zeros of one that it has not.
    fn keyed(&mut self, cx: &Cx<'_>, form: usize, own: &Own, key: Key, slots: usize) -> Vec<Arg> {
        match key {
            Key::Field(key) => match own.fields.get(&key) {
                Some(index) => field(&cx.isa.forms[form], *index),
                None => vec![ZERO; slots],
            },
            Key::Condition(key) => match own.conditions.get(&key) {
                Some(index) => {
                    self.sets.push((form, *index));
                    vec![Arg::Condition(self.sets.len() as u64 - 1)]
                }
                None => vec![ZERO],
            },
            Key::Param(_) => unreachable!("parameters are of a body"),
        }
    }
}

/// The value of a field, 64 bits in each argument.
fn field(form: &Form, index: usize) -> Vec<Arg> {
    let of = &form.fields[index];
    let width = u64::from(isa_spec::semantics::value::value_type(&of.code).width);
    let field = index as u64;
    let part = |slot: u64| {
        let (from, wanted) = (64 * slot, (width - 64 * slot).min(64));
        if slot == 0 { Arg::Field(field, wanted) } else { Arg::Part(field, from, wanted) }
    };
    (0..width.div_ceil(64).max(1)).map(part).collect()
}

/// The functions of all forms.
pub(super) fn forms(units: &mut Units<'_>, tidied: &[Option<Tidy>]) -> Forms {
    let cx = units.cx;
    let mut forms = Forms { rows: tidied.iter().map(|_| Row::default()).collect(), sets: Vec::new(), writes: Vec::new() };
    // The arguments of guards and of `after` come first, in the same places for all forms.
    let mut common = Arguments::new(Some(0));
    for ((row, tidy), form) in forms.rows.iter_mut().zip(tidied).zip(&cx.isa.forms) {
        let Some(tidy) = tidy else { continue };
        row.is_described = true;
        if is_one(cx.isa)
            && let Some(behaviour) = &form.behaviour
        {
            row.writes = intern(&mut forms.writes, Lists::of(cx.isa, behaviour).effects().register_writes(cx.isa));
        }
        row.guard = tidy.guard.as_ref().map_or(0, |guard| units.guard(guard, &mut common));
        row.after = units.after(&tidy.after, &mut common);
    }
    for group in groups(cx, tidied) {
        let Some(first) = group.forms.first() else { continue };
        let docs = semantics_docs(cx, &cx.isa.forms[*first], &about(cx, &group.forms));
        let (body, arguments) = units.body(&group.merged, common.count, &docs);
        for (member, form) in group.forms.iter().enumerate() {
            let Some(tidy) = &tidied[*form] else { continue };
            forms.rows[*form].body = body;
            forms.arguments(cx, *form, &tidy.own, &common);
            forms.body_arguments(units, *form, &tidy.own, &arguments, &group.merged, member);
        }
    }
    forms
}

fn about(cx: &Cx<'_>, forms: &[usize]) -> String {
    let name = |form: &usize| format!("`{}`", cx.isa.forms[*form].name);
    match forms {
        [] => String::new(),
        [one] => name(one),
        [first, more @ ..] => format!("{} and {} more", name(first), more.len()),
    }
}

/// Forms whose bodies can be one: of an instruction first, and then of several.
fn groups(cx: &Cx<'_>, tidied: &[Option<Tidy>]) -> Vec<Group> {
    let mut join = Join { tidied, is_one: is_one(cx.isa), known: HashMap::new() };
    let mut groups: Vec<Group> = Vec::new();
    for instruction in &cx.isa.instructions {
        let own = cx.isa.forms.iter().filter(|f| f.instruction == instruction.id).map(|f| f.id.index());
        let alone = own.filter_map(|form| Some(Group { merged: join.merge(&[form])?, forms: vec![form] })).collect();
        groups.extend(join.joined(alone));
    }
    join.joined(groups)
}

/// Joins groups of forms.
struct Join<'t> {
    tidied: &'t [Option<Tidy>],
    /// The machine has one lane.
    is_one: bool,
    /// True for two forms if their bodies can be one; absent if that has not been tried.
    known: HashMap<(usize, usize), bool>,
}

impl Join<'_> {
    /// The common body of some forms; `None` if they have none.
    fn merge(&self, forms: &[usize]) -> Option<Merged> {
        let bodies: Vec<&Body> = forms.iter().filter_map(|form| Some(&self.tidied[*form].as_ref()?.body)).collect();
        if bodies.is_empty() { None } else { merge(&bodies, self.is_one) }
    }

    /// Groups of groups.
    fn joined(&mut self, all: Vec<Group>) -> Vec<Group> {
        self.at_once(&all).unwrap_or_else(|| self.in_turn(all))
    }

    /// True if the bodies of the first forms of two groups can be one; those of most groups can't.
    fn may_join(&mut self, group: &Group, more: &Group) -> bool {
        let pair = (group.forms[0], more.forms[0]);
        if let Some(known) = self.known.get(&pair) {
            return *known;
        }
        let may_join = self.merge(&[pair.0, pair.1]).is_some();
        self.known.insert(pair, may_join);
        may_join
    }

    /// The groups of [`Self::in_turn`], provided that first forms decide: then the bodies of a group are merged once, not once for
    /// each group that joins. `None` if they don't decide.
    fn at_once(&mut self, all: &[Group]) -> Option<Vec<Group>> {
        let mut lists: Vec<Vec<&Group>> = Vec::new();
        for more in all {
            match lists.iter_mut().rev().find(|list| self.may_join(list[0], more)) {
                Some(list) => list.push(more),
                None => lists.push(vec![more]),
            }
        }
        let group = |list: &Vec<&Group>| {
            let forms: Vec<usize> = list.iter().flat_map(|group| &group.forms).copied().collect();
            let merged = match &list[..] {
                [one] => one.merged.clone(),
                _ => self.merge(&forms)?,
            };
            Some(Group { merged, forms })
        };
        lists.iter().map(group).collect()
    }

    /// Each group joins the last one of those before it with which its bodies can be one.
    fn in_turn(&mut self, all: Vec<Group>) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for more in all {
            let join = |group: &mut Group| {
                if !self.may_join(group, &more) {
                    return None;
                }
                let forms: Vec<usize> = group.forms.iter().chain(&more.forms).copied().collect();
                *group = Group { merged: self.merge(&forms)?, forms };
                Some(())
            };
            if groups.iter_mut().rev().find_map(join).is_none() {
                groups.push(more);
            }
        }
        groups
    }
}

impl Forms {
    /// The arguments of the body of a form.
    fn body_arguments(
        &mut self,
        units: &mut Units<'_>,
        form: usize,
        own: &Own,
        arguments: &Arguments,
        merged: &Merged,
        member: usize,
    ) {
        let cx = units.cx;
        let start = self.rows[form].args.len();
        let mut more = start + arguments.count;
        // The arguments that parameters are computed from come after those of the body.
        let mut behind: Vec<Arg> = Vec::new();
        for (key, _, slots) in &arguments.all {
            let args = match key {
                Key::Param(var) => {
                    let param = merged.params.iter().find(|p| p.var == *var).expect("every argument is a parameter");
                    let mut tell = Tell { forms: self, units: &mut *units, form, own, more: &mut more, behind: &mut behind };
                    let value = &param.values[member];
                    vec![if param.is_uniform { tell.number(&value.value) } else { tell.row(value) }]
                }
                key => self.keyed(cx, form, own, *key, *slots),
            };
            self.rows[form].args.extend(args);
        }
        self.rows[form].args.extend(behind);
    }
}

/// Says what a parameter is in a form.
struct Tell<'t, 'u> {
    forms: &'t mut Forms,
    units: &'t mut Units<'u>,
    form: usize,
    own: &'t Own,
    /// The number of the next argument that others are made of.
    more: &'t mut usize,
    behind: &'t mut Vec<Arg>,
}

impl Tell<'_, '_> {
    /// The number of the first of further arguments.
    fn behind(&mut self, args: &[Arg]) -> u64 {
        let first = *self.more - self.behind.len();
        // Arguments that are there already are reused.
        if let Some(at) = (0..self.behind.len()).find(|at| self.behind[*at..].starts_with(args)) {
            return (first + at) as u64;
        }
        let at = *self.more;
        *self.more += args.len();
        self.behind.extend(args);
        at as u64
    }

    fn all(&mut self, arguments: &Arguments) -> u64 {
        let mut args = Vec::new();
        for (key, _, slots) in &arguments.all {
            args.extend(self.forms.keyed(self.units.cx, self.form, self.own, *key, *slots));
        }
        self.behind(&args)
    }

    fn broadcast(&mut self, number: Arg) -> Arg {
        Arg::Broadcast(self.behind(&[number]))
    }

    /// A number that the word says.
    fn number(&mut self, e: &Expr) -> Arg {
        let mut keyed = |key| self.forms.keyed(self.units.cx, self.form, self.own, key, 1)[0];
        match &e.kind {
            ExprKind::Const(value) => Arg::Const(value.low()),
            ExprKind::Field(key) if e.width <= 64 => keyed(Key::Field(*key)),
            ExprKind::Condition(key) => keyed(Key::Condition(*key)),
            _ => {
                let (function, arguments) = self.units.uniform(e);
                Arg::Uniform(function as u64, self.all(&arguments))
            }
        }
    }

    /// A row: a register, a constant, or one that is fetched.
    fn row(&mut self, of: &Closed) -> Arg {
        if of.is_plain() {
            if let Some(row) = self.register(&of.value) {
                return row;
            }
            if is_of_word(&of.value) {
                let number = self.number(&of.value);
                return self.broadcast(number);
            }
        }
        let (function, arguments) = self.units.fetch(of);
        Arg::Fetch(function as u64, self.all(&arguments))
    }

    fn register(&mut self, e: &Expr) -> Option<Arg> {
        let ExprKind::Register(r) = &e.kind else { return None };
        let ExprKind::Field(key) = narrow(&r.index).kind else { return None };
        let (_, base, count) = machine::row_files(self.units.cx.isa).into_iter().find(|(file, ..)| *file == r.file)?;
        let field = self.own.fields.get(&key)?;
        Some(Arg::Row(base, count, *field as u64, r.plus.into()))
    }
}

/// An expression without the zeros that came in above it: a field that numbers only the lower registers of a file.
fn narrow(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Call { function: Function::Int(IntFunction::Zext), args, .. } => &args[0],
        _ => e,
    }
}
