//! Functions: of bodies, guards, operands that are fetched, and numbers. Functions of equal trees are made once.

use super::choices::{Chosen, choose};
use super::closed::{Closed, simple};
use super::lower::{Arguments, Key, Kinds, is_one};
use super::merge::Merged;
use super::names::own_name;
use super::ordered::ordered;
use super::outline::Own;
use super::parts::part;
use super::scope::{Given, Scope};
use super::tidy::{Keys, intern};
use super::tree::{Pass, Placeless, inside};
use super::uniform::Uniform;
use super::warp::Warp;
use crate::rust::Cx;
use isa_spec::semantics::builtins::Routine;
use isa_spec::semantics::pass::Numbers;
use isa_spec::semantics::typed::{Body, Expr, ExprKind};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

/// Functions of one kind: by the trees that they were made of, their numbers from 0 up and their arguments; and the entry of each in
/// the table of its kind.
pub(super) struct Family<T> {
    name: &'static str,
    known: HashMap<T, (usize, Arguments)>,
    pub(super) table: Vec<TokenStream>,
}

impl<T: Eq + Hash> Family<T> {
    fn new(name: &'static str) -> Self {
        Self { name, known: HashMap::new(), table: Vec::new() }
    }

    /// The name of the next function.
    pub(super) fn next(&self) -> Ident {
        format_ident!("{}_{}", self.name, self.table.len())
    }

    pub(super) fn known(&self, of: &T) -> Option<(usize, Arguments)> {
        self.known.get(of).cloned()
    }

    pub(super) fn add(&mut self, of: T, entry: TokenStream, arguments: Arguments) -> (usize, Arguments) {
        self.table.push(entry);
        let made = (self.table.len() - 1, arguments);
        self.known.insert(of, made.clone());
        made
    }
}

/// A common body of forms, and its parameters with true for those that have one value for all lanes.
type Common = (Body, Vec<(usize, bool)>);

/// The functions so far.
pub(super) struct Units<'a> {
    pub(super) cx: &'a Cx<'a>,
    pub(super) keys: &'a Keys,
    pub(super) functions: Vec<TokenStream>,
    pub(super) bodies: Family<Common>,
    pub(super) afters: Family<Body>,
    pub(super) guards: Family<Closed>,
    pub(super) fetches: Family<Closed>,
    pub(super) uniforms: Family<Expr>,
    pub(super) computes: Family<(Body, Vec<Ident>)>,
}

impl<'a> Units<'a> {
    pub(super) fn new(cx: &'a Cx<'a>, keys: &'a Keys) -> Self {
        Self {
            cx,
            keys,
            functions: Vec::new(),
            bodies: Family::new("body"),
            afters: Family::new("after"),
            guards: Family::new("guard"),
            fetches: Family::new("fetch"),
            uniforms: Family::new("uniform"),
            computes: Family::new("compute"),
        }
    }

    /// The routines of the machine: the code of functions of `s`, `step` and `on`.
    pub(super) fn routines(&self) -> Vec<(Routine, TokenStream)> {
        self.cx.isa.routines.iter().map(|(routine, body)| (*routine, self.routine(body))).collect()
    }

    /// The functions that bodies call.
    pub(super) fn own(&self) -> Vec<TokenStream> {
        self.keys.functions.all.iter().enumerate().map(|(number, own)| self.function(number, own)).collect()
    }

    fn warp<'w>(&'w self, scope: &'w Scope, arguments: &'w mut Arguments) -> Warp<'w> {
        Warp { cx: self.cx, keys: self.keys, scope, arguments }
    }

    /// `fn own_2(v0: u32, v1: Pair) -> u32 { … }`
    fn function(&self, number: usize, Own { params, of, is_large }: &Own) -> TokenStream {
        let widths = &of.lets.vars;
        // What it is given may differ from lane to lane.
        let scope = Scope::of_value(of, BTreeMap::new(), 0..*params);
        let code = self.warp(&scope, &mut Arguments::new(None)).function(of, *params);
        let kinds = Kinds::of(self.cx.isa);
        let (name, result) = (own_name(number), kinds.kind(of.value.width));
        let params = widths[..*params].iter().enumerate().map(|(v, width)| {
            let (name, kind) = (format_ident!("v{v}"), kinds.kind(*width));
            quote!(mut #name: #kind)
        });
        let inline = if *is_large { quote!(#[inline(never)]) } else { quote!(#[inline]) };
        quote!(#inline fn #name(#(#params),*) -> #result { #code })
    }

    fn routine(&self, body: &Body) -> TokenStream {
        let body = Placeless.body(body);
        let body = if is_one(self.cx.isa) { simple(&ordered(&body)) } else { simple(&body) };
        let scope = Scope::of(&body, BTreeMap::new(), []);
        self.warp(&scope, &mut Arguments::new(Some(0))).body(&body.stmts).0
    }

    /// The number of the body of some forms, from 1 up, or 0 if it does nothing; and its arguments, of which the first has the number
    /// `start`.
    pub(super) fn body(&mut self, merged: &Merged, start: usize, docs: &TokenStream) -> (usize, Arguments) {
        if merged.body.stmts.is_empty() {
            return (0, Arguments::new(Some(start)));
        }
        let key = (merged.body.clone(), merged.params.iter().map(|p| (p.var, p.is_uniform)).collect());
        let (number, arguments) = self.bodies.known(&key).unwrap_or_else(|| {
            let (name, mut arguments) = (self.bodies.next(), Arguments::new(Some(start)));
            let (code, entry) = self.unit(&name, merged, &mut arguments);
            self.functions.push(quote!(#docs #code));
            self.bodies.add(key, entry, arguments)
        });
        (number + 1, arguments)
    }

    /// The number of the function of what is done after bodies, from 1 up; 0 if that is nothing.
    pub(super) fn after(&mut self, body: &Body, arguments: &mut Arguments) -> usize {
        if body.stmts.is_empty() {
            return 0;
        }
        let known = self.afters.known(body).unwrap_or_else(|| {
            let merged = Merged { body: simple(body), params: Vec::new() };
            let (code, entry) = self.unit(&self.afters.next(), &merged, arguments);
            self.functions.push(code);
            self.afters.add(body.clone(), entry, arguments.clone())
        });
        known.0 + 1
    }

    /// The function of a body, and its entry.
    fn unit(&self, name: &Ident, merged: &Merged, arguments: &mut Arguments) -> (TokenStream, TokenStream) {
        let (merged, asked) = asked_of_lanes(merged);
        let rows: Vec<usize> = merged.params.iter().filter(|p| !p.is_uniform).map(|p| p.var).collect();
        let varying = || rows.iter().copied().chain(asked.iter().map(|row| row.0));
        let is_one = is_one(self.cx.isa);
        let uniform = Uniform::of(merged.body.vars.len(), &merged.body.stmts, None, varying());
        let Chosen { body, choices } = if is_one { Chosen::none(&merged) } else { choose(&merged, &uniform) };
        let mut given: BTreeMap<usize, Given> = merged.params.iter().map(|p| (p.var, Given::Number)).collect();
        given.extend(rows.iter().map(|v| (*v, Given::Row(format_ident!("p_{v}")))));
        let mut scope = Scope::of(&body, given, varying());
        // Conditions are computed from the arguments, in front of any choice.
        let mut conds = Vec::new();
        for (_, cond) in &choices {
            conds.push(self.warp(&scope, arguments).cond(cond));
        }
        let declared_for_choices = arguments.declarations();
        // Values requested from other lanes are computed before anything is written.
        let mut found = Vec::new();
        for (v, value) in &asked {
            let name = format_ident!("e_{v}");
            let value = Closed { value: value.clone(), lets: Body { vars: body.vars.clone(), stmts: Vec::new() } };
            let row = self.warp(&Scope::of_value(&value, scope.given.clone(), varying()), arguments).row(&value);
            found.push(quote!(let #name = &{ #row };));
            scope.given.insert(*v, Given::Row(name));
        }
        let constants: Vec<Ident> = (0..choices.len()).map(|i| format_ident!("K{i}")).collect();
        scope.given.extend(choices.iter().zip(&constants).map(|((v, _), name)| (*v, Given::Choice(name.clone()))));
        let (code, is_direct) = self.warp(&scope, arguments).body(&body.stmts);
        let declared = arguments.declarations();
        let operands = rows.iter().map(|v| {
            arguments.place(Key::Param(*v), 1);
            let (name, slot) = (format_ident!("p_{v}"), Literal::usize_unsuffixed(arguments.number(Key::Param(*v))));
            // Rows that are changed lane by lane are copied first.
            let copy = (is_direct && !is_one).then(|| quote!(let #name = &{ *#name };));
            quote!(let #name = s.row(op.constants(), a[#slot]); #copy)
        });
        let operands: Vec<TokenStream> = operands.collect();
        let generics = (!constants.is_empty()).then(|| quote!(<#(const #constants: bool),*>));
        let code = quote! {
            pub(super) fn #name #generics (op: &Op, s: &mut State, step: &mut Step<'_>, on: u64) {
                let a = &op.args;
                #declared
                #(#operands)*
                #(#found)*
                #code
            }
        };
        if conds.is_empty() {
            return (code, quote!(Only(#name)));
        }
        (code, quote!(By(|a: &Args| { #declared_for_choices sim::pick!(#name #(, #conds)*) })))
    }

    /// The number of the function that says which lanes take part, from 1 up; 0 if all do.
    pub(super) fn guard(&mut self, guard: &Closed, arguments: &mut Arguments) -> usize {
        if matches!(guard.value.kind, ExprKind::Const(value) if value.bit(0)) {
            return 0;
        }
        let known = self.guards.known(guard).unwrap_or_else(|| {
            let (scope, name) = (Scope::of_value(guard, BTreeMap::new(), []), self.guards.next());
            let mask = self.warp(&scope, arguments).mask(guard);
            let declared = arguments.declarations();
            self.functions.push(quote! {
                pub(super) fn #name(op: &Op, s: &mut State, step: &mut Step<'_>) -> u64 {
                    let a = &op.args;
                    #declared
                    #mask
                }
            });
            self.guards.add(guard.clone(), quote!(#name), arguments.clone())
        });
        known.0 + 1
    }

    /// The number of the function that fetches an operand, and its arguments.
    pub(super) fn fetch(&mut self, of: &Closed) -> (usize, Arguments) {
        let mut numbered = Numbered::default();
        let of = Closed { lets: numbered.body(&of.lets), value: numbered.expr(&of.value) };
        let (number, arguments) = self.fetches.known(&of).unwrap_or_else(|| {
            let (scope, name, mut arguments) =
                (Scope::of_value(&of, BTreeMap::new(), []), self.fetches.next(), Arguments::new(None));
            let code = self.warp(&scope, &mut arguments).row(&of);
            let declared = arguments.declarations();
            self.functions.push(quote! {
                pub(super) fn #name(op: &Op, at: usize, s: &State, step: &mut Step<'_>, on: u64) -> Lanes {
                    let a = &op.args;
                    #declared
                    #code
                }
            });
            self.fetches.add(of, quote!(#name), arguments)
        });
        (number, numbered.restored(arguments))
    }

    /// The number of the function that computes a number from its arguments.
    pub(super) fn uniform(&mut self, e: &Expr) -> (usize, Arguments) {
        let mut numbered = Numbered::default();
        let e = numbered.expr(e);
        let (number, arguments) = self.uniforms.known(&e).unwrap_or_else(|| {
            let (name, mut arguments) = (self.uniforms.next(), Arguments::new(None));
            let scope = Scope::of(&Body::default(), BTreeMap::new(), []);
            let value = self.warp(&scope, &mut arguments).number(&e);
            let declared = arguments.declarations();
            self.functions.push(quote! {
                pub(super) fn #name(a: &[u64], at: usize) -> u64 {
                    #declared
                    #value.low64()
                }
            });
            self.uniforms.add(e, quote!(#name), arguments)
        });
        (number, numbered.restored(arguments))
    }
}

/// Numbers fields and conditions as they are met: functions that several operands share have no names of one.
#[derive(Default)]
pub(super) struct Numbered {
    keys: Vec<Key>,
}

impl Numbered {
    /// Arguments by the numbers that forms share.
    pub(super) fn restored(&self, mut arguments: Arguments) -> Arguments {
        for (key, ..) in &mut arguments.all {
            if let Key::Field(number) | Key::Condition(number) = *key {
                *key = self.keys[number];
            }
        }
        arguments
    }
}

impl Pass for Numbered {
    fn number(&mut self, of: Numbers, number: usize) -> usize {
        match of {
            Numbers::Fields => intern(&mut self.keys, Key::Field(number)),
            Numbers::Conditions => intern(&mut self.keys, Key::Condition(number)),
            _ => number,
        }
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
            let width = value.width;
            let known =
                self.found.iter().find(|(_, known)| known.kind == value.kind && known.width == width).map(|known| known.0);
            let var = known.unwrap_or_else(|| {
                self.vars.push(width);
                self.found.push((self.vars.len() - 1, value));
                self.vars.len() - 1
            });
            Box::new(Expr { kind: ExprKind::Var(var), width, range: 0..0 })
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
                            Expr { kind, width, range: 0..0 }
                        })
                        .collect();
                    parts.reverse();
                    if let [only] = &parts[..] { only.kind.clone() } else { ExprKind::Concat(parts) }
                }
                _ => return inside(self, e),
            };
            Expr { kind, width: e.width, range: 0..0 }
        }
    }
    let mut asked = Asked { vars: merged.body.vars.clone(), found: Vec::new() };
    let stmts = asked.stmts(&merged.body.stmts);
    let body = Body { vars: asked.vars, stmts };
    (Merged { body, params: merged.params.clone() }, asked.found)
}
