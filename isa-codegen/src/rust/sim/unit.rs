//! Functions: of bodies, guards, operands that are fetched, and numbers. Equal functions are emitted once.

use super::choices::{self, choose, is_argument};
use super::closed::{Closed, simple};
use super::lower::{Arguments, Given, Key, Kinds, is_one};
use super::merge::Merged;
use super::names::own_name;
use super::ordered::ordered;
use super::outline::Own;
use super::parts::part;
use super::tidy::Keys;
use super::tree::{Pass, Uses, inside};
use super::uniform::{Uniform, is_of_word};
use super::warp::Warp;
use crate::rust::Cx;
use isa_spec::semantics::Int;
use isa_spec::semantics::builtins::Routine;
use isa_spec::semantics::typed::{Body, Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Functions of one kind, with the entry of each in the table of its kind.
#[derive(Default)]
pub(super) struct Family {
    known: HashMap<String, usize>,
    pub(super) table: Vec<TokenStream>,
}

/// The functions so far.
pub(super) struct Units<'a> {
    pub(super) cx: &'a Cx<'a>,
    pub(super) keys: &'a Keys,
    pub(super) functions: Vec<TokenStream>,
    pub(super) bodies: Family,
    pub(super) afters: Family,
    pub(super) guards: Family,
    pub(super) fetches: Family,
    pub(super) uniforms: Family,
    pub(super) computes: Family,
}

impl<'a> Units<'a> {
    pub(super) fn new(cx: &'a Cx<'a>, keys: &'a Keys) -> Self {
        let [bodies, afters, guards, fetches, uniforms, computes] = std::array::from_fn(|_| Family::default());
        Self { cx, keys, functions: Vec::new(), bodies, afters, guards, fetches, uniforms, computes }
    }

    /// The routines of the machine: the code of functions of `s`, `step` and `on`.
    pub(super) fn routines(&self) -> Vec<(Routine, TokenStream)> {
        self.cx.isa.routines.iter().map(|(routine, body)| (*routine, self.routine(body))).collect()
    }

    /// The functions that bodies call.
    pub(super) fn own(&self) -> Vec<TokenStream> {
        self.keys.functions.all.iter().enumerate().map(|(number, own)| self.function(number, own)).collect()
    }

    /// `fn own_2(v0: u32, v1: Pair) -> u32 { … }`
    fn function(&self, number: usize, Own { params, of, is_large }: &Own) -> TokenStream {
        let vars = &of.lets.vars;
        // What it is given may differ from lane to lane.
        let uniform = Uniform::of(vars.len(), &[], 0..vars.len());
        let (mut arguments, given, lets) = (Arguments::new(None), BTreeMap::new(), lets_of(of));
        let code = Warp::new((self.cx, self.keys), vars, &uniform, &mut arguments, &given, &lets).function(of, *params);
        let kinds = Kinds::of(self.cx.isa);
        let (name, result) = (own_name(number), kinds.kind(of.value.width));
        let params = vars[..*params].iter().enumerate().map(|(v, width)| {
            let (name, kind) = (format_ident!("v{v}"), kinds.kind(*width));
            quote!(mut #name: #kind)
        });
        let inline = if *is_large { quote!(#[inline(never)]) } else { quote!(#[inline]) };
        quote!(#inline fn #name(#(#params),*) -> #result { #code })
    }

    fn routine(&self, body: &Body) -> TokenStream {
        let body = if is_one(self.cx.isa) { simple(&ordered(body)) } else { simple(body) };
        let uniform = Uniform::of(body.vars.len(), &body.stmts, []);
        let (mut arguments, given, lets) = (Arguments::new(Some(0)), BTreeMap::new(), lets(&body));
        let mut warp = Warp::new((self.cx, self.keys), &body.vars, &uniform, &mut arguments, &given, &lets);
        let shape = warp.shaper().body(&body.stmts);
        warp.body(&body.stmts, &shape)
    }

    /// The number of the body of some forms, from 1 up; 0 if it does nothing.
    pub(super) fn body(&mut self, merged: &Merged, arguments: &mut Arguments, docs: &TokenStream) -> usize {
        let Some(unit) = self.unit("body", &self.bodies, merged, arguments) else { return 0 };
        let number = add(&mut self.bodies, &mut self.functions, unit, docs);
        number + 1
    }

    /// The same of what is done after bodies.
    pub(super) fn after(&mut self, body: &Body, arguments: &mut Arguments) -> usize {
        let merged = Merged { body: simple(body), params: Vec::new() };
        let Some(unit) = self.unit("after", &self.afters, &merged, arguments) else { return 0 };
        let number = add(&mut self.afters, &mut self.functions, unit, &TokenStream::new());
        number + 1
    }

    fn unit(&self, what: &str, family: &Family, merged: &Merged, arguments: &mut Arguments) -> Option<Unit> {
        if merged.body.stmts.is_empty() {
            return None;
        }
        let (merged, asked) = asked_of_lanes(merged);
        let merged = &merged;
        let rows: Vec<usize> = merged.params.iter().filter(|p| !p.is_uniform).map(|p| p.var).collect();
        let varying: Vec<usize> = rows.iter().copied().chain(asked.iter().map(|row| row.0)).collect();
        let uniform = Uniform::of(merged.body.vars.len(), &merged.body.stmts, varying.iter().copied());
        let is_one = is_one(self.cx.isa);
        let choices::Chosen { body, choices } = if is_one { choices::Chosen::none(merged) } else { choose(merged, &uniform) };
        let uniform = Uniform::of(body.vars.len(), &body.stmts, varying.iter().copied());
        let mut given: BTreeMap<usize, Given> = merged.params.iter().map(|p| (p.var, Given::Number)).collect();
        given.extend(rows.iter().map(|v| (*v, Given::Row(format_ident!("p_{v}")))));
        let constants: Vec<Ident> = (0..choices.len()).map(|i| format_ident!("K{i}")).collect();
        let lets = lets(&body);
        // Conditions are computed from the arguments, in front of any choice.
        let mut conds = Vec::new();
        for (_, cond) in &choices {
            conds.push(Warp::new((self.cx, self.keys), &body.vars, &uniform, arguments, &given, &lets).cond(cond));
        }
        let idle = self.idle(merged, &body.stmts, &uniform, arguments, &given).map(|idle| quote!(if #idle { return None; }));
        let told = arguments.declarations();
        // Values requested from other lanes are computed before anything is written.
        let mut found = Vec::new();
        for (v, value) in &asked {
            let name = format_ident!("e_{v}");
            let uniform = Uniform::of_expr(body.vars.len(), value, varying.iter().copied());
            let none = BTreeSet::new();
            let value = Closed { value: value.clone(), lets: Body { vars: body.vars.clone(), stmts: Vec::new() } };
            let row = Warp::new((self.cx, self.keys), &body.vars, &uniform, arguments, &given, &none).row(&value);
            found.push(quote!(let #name = &{ #row };));
            given.insert(*v, Given::Row(name));
        }
        given.extend(choices.iter().zip(&constants).map(|((v, _), name)| (*v, Given::Choice(name.clone()))));
        let mut warp = Warp::new((self.cx, self.keys), &body.vars, &uniform, arguments, &given, &lets);
        let shape = warp.shaper().body(&body.stmts);
        let code = warp.body(&body.stmts, &shape);
        let declared = arguments.declarations();
        let operands = rows.iter().map(|v| {
            arguments.place(Key::Param(*v), 1);
            let (name, slot) = (format_ident!("p_{v}"), Literal::usize_unsuffixed(arguments.number(Key::Param(*v))));
            // Rows that are changed lane by lane are copied first.
            let copy = (shape.is_direct && !is_one).then(|| quote!(let #name = &{ *#name };));
            quote!(let #name = s.row(op.constants(), a[#slot]); #copy)
        });
        let operands: Vec<TokenStream> = operands.collect();
        let name = format_ident!("{what}_{}", family.table.len() + 1);
        let generics = (!constants.is_empty()).then(|| quote!(<#(const #constants: bool),*>));
        let code = quote! {
            #generics (op: &Op, s: &mut State, step: &mut Step<'_>, on: u64) {
                let a = &op.args;
                #declared
                #(#operands)*
                #(#found)*
                #code
            }
        };
        let pick = if idle.is_none() && conds.is_empty() {
            quote!(Only(#name))
        } else {
            quote!(By(|a: &Args| { #told #idle sim::pick!(#name #(, #conds)*) }))
        };
        Some(Unit { key: format!("{code} {pick}").replace(&name.to_string(), ""), name, code, entry: pick })
    }

    /// The condition on the arguments for which statements do nothing; `None` if they always do something.
    fn idle(
        &self,
        merged: &Merged,
        stmts: &[Stmt],
        uniform: &Uniform,
        arguments: &mut Arguments,
        given: &BTreeMap<usize, Given>,
    ) -> Option<TokenStream> {
        let [stmt] = stmts else { return if stmts.is_empty() { Some(quote!(true)) } else { None } };
        let none = BTreeSet::new();
        let vars = &merged.body.vars;
        match &stmt.kind {
            StmtKind::If { arms, otherwise } if arms.iter().all(|(cond, _)| is_argument(merged, cond)) => {
                let idle: Vec<_> = arms.iter().map(|(_, body)| self.idle(merged, body, uniform, arguments, given)).collect();
                let otherwise = self.idle(merged, otherwise, uniform, arguments, given);
                if idle.iter().all(Option::is_none) && otherwise.is_none() {
                    return None;
                }
                let or_not = |idle: Option<TokenStream>| idle.unwrap_or_else(|| quote!(false));
                let mut conds = Vec::new();
                for (cond, _) in arms {
                    conds.push(Warp::new((self.cx, self.keys), vars, uniform, arguments, given, &none).cond(cond));
                }
                let (idle, otherwise) = (idle.into_iter().map(or_not), or_not(otherwise));
                Some(quote!((#(if #conds { #idle } else)* { #otherwise })))
            }
            StmtKind::Match { on, arms, otherwise } if is_argument(merged, on) => {
                let idle: Vec<_> = arms
                    .iter()
                    .map(|(labels, body)| (labels.clone(), self.idle(merged, body, uniform, arguments, given)))
                    .collect();
                let otherwise = self.idle(merged, otherwise, uniform, arguments, given);
                if idle.iter().all(|arm| arm.1.is_none()) && otherwise.is_none() {
                    return None;
                }
                let or_not = |idle: Option<TokenStream>| idle.unwrap_or_else(|| quote!(false));
                let width = on.width;
                let on = Warp::new((self.cx, self.keys), vars, uniform, arguments, given, &none).number(on);
                let arms: Vec<(Vec<Int>, TokenStream)> = idle.into_iter().map(|(labels, idle)| (labels, or_not(idle))).collect();
                let chosen = Kinds::of(self.cx.isa).choose(on, width, &arms, or_not(otherwise));
                Some(quote!((#chosen)))
            }
            _ => None,
        }
    }

    /// The number of the function that says which lanes take part, from 1 up; 0 if all do.
    pub(super) fn guard(&mut self, guard: &Closed, arguments: &mut Arguments) -> usize {
        if matches!(guard.value.kind, ExprKind::Const(value) if value.bit(0)) {
            return 0;
        }
        let uniform = Uniform::of_value(guard.lets.vars.len(), &guard.lets.stmts, &guard.value);
        let (given, lets) = (BTreeMap::new(), lets_of(guard));
        let mut warp = Warp::new((self.cx, self.keys), &guard.lets.vars, &uniform, arguments, &given, &lets);
        let mask = warp.mask(guard);
        let declared = arguments.declarations();
        // Nearly always the word says that all lanes take part: then nothing is asked.
        let always = self.always(&guard.value, &uniform, arguments, &given);
        let asked = arguments.declarations();
        let name = format_ident!("guard_{}", self.guards.table.len() + 1);
        let code = quote! {
            (op: &Op, s: &mut State, step: &mut Step<'_>) -> u64 {
                let a = &op.args;
                #declared
                #mask
            }
        };
        let always = always.map(|always| quote!(#asked if #always { return None; }));
        let pick = match always {
            Some(always) => quote!(By(|a: &Args| { #always Some(#name) })),
            None => quote!(Only(#name)),
        };
        let unit = Unit { key: format!("{code} {pick}").replace(&name.to_string(), ""), name, code, entry: pick };
        add(&mut self.guards, &mut self.functions, unit, &TokenStream::new()) + 1
    }

    /// A condition on the word under which one holds in all lanes; `None` if that is never so.
    fn always(
        &self,
        cond: &Expr,
        uniform: &Uniform,
        arguments: &mut Arguments,
        given: &BTreeMap<usize, Given>,
    ) -> Option<TokenStream> {
        let none = BTreeSet::new();
        match &cond.kind {
            ExprKind::Const(value) => value.bit(0).then(|| quote!(true)),
            ExprKind::Match { on, arms, otherwise } if is_of_word(on) => {
                let mut holds = Vec::new();
                for (labels, value) in arms {
                    holds.push((labels.clone(), self.always(value, uniform, arguments, given).unwrap_or_else(|| quote!(false))));
                }
                let otherwise = self.always(otherwise, uniform, arguments, given).unwrap_or_else(|| quote!(false));
                let width = on.width;
                let on = Warp::new((self.cx, self.keys), &[], uniform, arguments, given, &none).number(on);
                let chosen = Kinds::of(self.cx.isa).choose(on, width, &holds, otherwise);
                Some(quote!((#chosen)))
            }
            ExprKind::If { arms, otherwise } if arms.iter().all(|(cond, _)| is_of_word(cond)) => {
                let mut holds = Vec::new();
                for (cond, value) in arms {
                    let cond = Warp::new((self.cx, self.keys), &[], uniform, arguments, given, &none).cond(cond);
                    let value = self.always(value, uniform, arguments, given).unwrap_or_else(|| quote!(false));
                    holds.push(quote!(if #cond { #value } else));
                }
                let otherwise = self.always(otherwise, uniform, arguments, given).unwrap_or_else(|| quote!(false));
                Some(quote!((#(#holds)* { #otherwise })))
            }
            _ => None,
        }
    }

    /// The number of the function that fetches an operand, and its arguments.
    pub(super) fn fetch(&mut self, of: &Closed) -> (usize, Arguments) {
        let uniform = Uniform::of_value(of.lets.vars.len(), &of.lets.stmts, &of.value);
        let (mut arguments, given, lets) = (Arguments::new(None), BTreeMap::new(), lets_of(of));
        let code = Warp::new((self.cx, self.keys), &of.lets.vars, &uniform, &mut arguments, &given, &lets).row(of);
        let declared = arguments.declarations();
        let name = format_ident!("fetch_{}", self.fetches.table.len());
        let code = quote! {
            (op: &Op, at: usize, s: &State, step: &mut Step<'_>, on: u64) -> Lanes {
                let a = &op.args;
                #declared
                #code
            }
        };
        let unit = Unit { key: code.to_string(), entry: quote!(#name), name, code };
        (add(&mut self.fetches, &mut self.functions, unit, &TokenStream::new()), arguments)
    }

    /// The number of the function that computes a number from its arguments.
    pub(super) fn uniform(&mut self, e: &Expr) -> (usize, Arguments) {
        let uniform = Uniform::of(0, &[], []);
        let (mut arguments, given, none) = (Arguments::new(None), BTreeMap::new(), BTreeSet::new());
        let value = Warp::new((self.cx, self.keys), &[], &uniform, &mut arguments, &given, &none).number(e);
        let declared = arguments.declarations();
        let name = format_ident!("uniform_{}", self.uniforms.table.len());
        let code = quote! {
            (a: &[u64], at: usize) -> u64 {
                #declared
                #value.low64()
            }
        };
        let unit = Unit { key: code.to_string(), entry: quote!(#name), name, code };
        (add(&mut self.uniforms, &mut self.functions, unit, &TokenStream::new()), arguments)
    }
}

/// A body in which what lanes ask of each other are variables, and what these are, of 32 bits at most each.
fn asked_of_lanes(merged: &Merged) -> (Merged, Vec<(usize, Expr)>) {
    struct Asked {
        vars: Vec<u32>,
        found: Vec<(usize, Expr)>,
    }
    impl Asked {
        fn var(&mut self, value: Expr) -> Box<Expr> {
            let (width, range) = (value.width, value.range.clone());
            let known =
                self.found.iter().find(|(_, known)| known.kind == value.kind && known.width == width).map(|known| known.0);
            let var = known.unwrap_or_else(|| {
                self.vars.push(width);
                self.found.push((self.vars.len() - 1, value));
                self.vars.len() - 1
            });
            Box::new(Expr { kind: ExprKind::Var(var), width, range })
        }
    }
    impl Pass for Asked {
        fn expr(&mut self, e: &Expr) -> Expr {
            let kind = match &e.kind {
                ExprKind::Ballot(of) => {
                    let of = self.expr(of);
                    ExprKind::Ballot(self.var(of))
                }
                ExprKind::Other { value, lane } => {
                    let (value, lane) = (self.expr(value), Box::new(self.expr(lane)));
                    let mut parts: Vec<Expr> = (0..e.width.div_ceil(32))
                        .map(|i| {
                            let width = (e.width - 32 * i).min(32);
                            let value = self.var(part(&value, 32 * i, width));
                            let kind = ExprKind::Other { value, lane: lane.clone() };
                            Expr { kind, width, range: e.range.clone() }
                        })
                        .collect();
                    parts.reverse();
                    if let [only] = &parts[..] { only.kind.clone() } else { ExprKind::Concat(parts) }
                }
                _ => return inside(self, e),
            };
            Expr { kind, width: e.width, range: e.range.clone() }
        }
    }
    let mut asked = Asked { vars: merged.body.vars.clone(), found: Vec::new() };
    let stmts = asked.stmts(&merged.body.stmts);
    let body = Body { vars: asked.vars, stmts };
    (Merged { body, params: merged.params.clone() }, asked.found)
}

/// A function, and its entry in its table.
pub(super) struct Unit {
    pub(super) key: String,
    pub(super) name: Ident,
    /// The code after its name.
    pub(super) code: TokenStream,
    pub(super) entry: TokenStream,
}

/// The number of a function among those of its kind, from 0 up.
pub(super) fn add(family: &mut Family, functions: &mut Vec<TokenStream>, unit: Unit, docs: &TokenStream) -> usize {
    if let Some(known) = family.known.get(&unit.key) {
        return *known;
    }
    let Unit { key, name, code, entry } = unit;
    functions.push(quote!(#docs pub(super) fn #name #code));
    family.table.push(entry);
    family.known.insert(key, family.table.len() - 1);
    family.table.len() - 1
}

/// The variables that are set once, by a statement before all their uses in its block: they are declared there.
pub(super) fn lets(body: &Body) -> BTreeSet<usize> {
    let all = Uses::of_stmts(body.vars.len(), &body.stmts);
    let mut found = BTreeSet::new();
    find_lets(body.vars.len(), &body.stmts, &all, &mut found);
    found
}

/// The same of a value: what it reads is set before it.
fn lets_of(of: &Closed) -> BTreeSet<usize> {
    let sets = Uses::of_stmts(of.lets.vars.len(), &of.lets.stmts).sets;
    let is_let = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Set(Place { kind: PlaceKind::Var(v), .. }, _) if sets[*v] == 1 => Some(*v),
        _ => None,
    };
    of.lets.stmts.iter().filter_map(is_let).collect()
}

fn find_lets(vars: usize, stmts: &[Stmt], all: &Uses, found: &mut BTreeSet<usize>) {
    for (i, stmt) in stmts.iter().enumerate() {
        match &stmt.kind {
            StmtKind::Set(Place { kind: PlaceKind::Var(v), .. }, _)
                if all.sets[*v] == 1 && Uses::of_stmts(vars, &stmts[i + 1..]).reads[*v] == all.reads[*v] =>
            {
                found.insert(*v);
            }
            StmtKind::If { arms, otherwise } => {
                arms.iter().for_each(|(_, body)| find_lets(vars, body, all, found));
                find_lets(vars, otherwise, all, found);
            }
            StmtKind::Match { arms, otherwise, .. } => {
                arms.iter().for_each(|(_, body)| find_lets(vars, body, all, found));
                find_lets(vars, otherwise, all, found);
            }
            _ => {}
        }
    }
}
