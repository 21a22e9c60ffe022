//! A guard or a body as a function: those that come out alike are one.

use super::lower::{Args, Lower, Mode, cell, kind};
use super::scan::{File, Scan};
use super::uniform::Uniform;
use crate::rust::Cx;
use crate::rust::names::{candidates, ident};
use isa_spec::model::Form;
use isa_spec::semantics::Int;
use isa_spec::semantics::ast::BinaryOp;
use isa_spec::semantics::typed::{Body, Expr, ExprKind, PlaceKind, Stmt, StmtKind, Value};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The functions so far.
pub(super) struct Units<'a> {
    pub(super) cx: &'a Cx<'a>,
    known: HashMap<String, Ident>,
    /// The functions of forms.
    taken: HashSet<String>,
    functions: Vec<TokenStream>,
    args: usize,
}

impl<'a> Units<'a> {
    pub(super) fn new(cx: &'a Cx<'a>, taken: HashSet<String>) -> Self {
        Self { cx, known: HashMap::new(), taken, functions: Vec::new(), args: 1 }
    }

    /// All functions, and the most arguments that a form has.
    pub(super) fn finish(self) -> (Vec<TokenStream>, usize) {
        (self.functions, self.args)
    }

    pub(super) fn count_args(&mut self, count: usize) {
        self.args = self.args.max(count);
    }

    /// The function with this signature and code.
    pub(super) fn intern(&mut self, what: &str, emit: impl FnOnce(&Ident) -> TokenStream, code: &TokenStream) -> Ident {
        let key = format!("{what} {code}");
        if let Some(name) = self.known.get(&key) {
            return name.clone();
        }
        let names = candidates(&format!("{what}_{}", self.known.len()), "_of_lanes");
        let name = names.map(|n| ident(&n)).find(|n| !self.taken.contains(&n.to_string()));
        let name = name.expect("there is always a larger number");
        self.functions.push(emit(&name));
        self.known.insert(key, name.clone());
        name
    }

    /// What a lane does before the first instruction: the code of a function of `s`, `step` and `on`.
    pub(super) fn launch(&mut self) -> TokenStream {
        let body = &self.cx.isa.launch;
        let uniform = Uniform::of_body(body);
        let mut args = Args::default();
        Warp { cx: self.cx, form: None, vars: &body.vars, uniform: &uniform, args: &mut args }.body(&body.stmts)
    }

    /// The function of a body; none if it does nothing.
    pub(super) fn body(&mut self, form: &Form, what: &str, body: &Body, args: &mut Args) -> Option<Ident> {
        let uniform = Uniform::of_body(body);
        args.here.clear();
        let code = Warp { cx: self.cx, form: Some(form), vars: &body.vars, uniform: &uniform, args }.body(&body.stmts);
        let told = args.here.values();
        let code = quote!(#(#told)* #code);
        if code.is_empty() {
            return None;
        }
        let emit = |name: &Ident| {
            quote! {
                fn #name(a: &Args, s: &mut State, step: &mut Step<'_>, on: u64) {
                    #code
                }
            }
        };
        Some(self.intern(what, emit, &code))
    }

    /// The function that says which lanes take part; none if all do.
    pub(super) fn guard(&mut self, form: &Form, guard: &Value, args: &mut Args) -> Option<Ident> {
        let uniform = Uniform::of(guard.vars.len(), &[], Some(&guard.expr));
        if let ExprKind::Const(value) = &guard.expr.kind
            && value.bit(0)
        {
            return None;
        }
        let cx = self.cx;
        let mut code = |outlined: Option<&Ident>| {
            args.here.clear();
            let code = Warp { cx, form: Some(form), vars: &guard.vars, uniform: &uniform, args }.mask(&[], &guard.expr, outlined);
            let told = args.here.values();
            quote!(#(#told)* #code)
        };
        let lanes = code(None);
        let emit = |name: &Ident| {
            quote! {
                fn #name(a: &Args, s: &mut State, step: &mut Step<'_>) -> u64 {
                    #lanes
                }
            }
        };
        let all = self.intern("guard", emit, &lanes);
        // Nearly always the word says that all lanes take part: then nobody is asked.
        let quick = code(Some(&all));
        if quick.to_string() == quote!(#all(a, s, step)).to_string() {
            return Some(all);
        }
        let emit = |name: &Ident| {
            quote! {
                #[inline(always)]
                fn #name(a: &Args, s: &mut State, step: &mut Step<'_>) -> u64 {
                    #quick
                }
            }
        };
        Some(self.intern("on", emit, &quick))
    }
}

/// How many choices make loops of their own: each doubles the code.
const MOST_CHOICES: usize = 3;

/// A statement, by what the word says.
struct ValueChoice<'s> {
    /// `yes` if this has one of these values.
    on: (&'s Expr, Vec<Int>),
    yes: Stmt,
    no: Stmt,
}

/// Code in front of the lanes: what is the same for all of them is decided here, and the lanes go through loops of their own.
struct Warp<'a> {
    cx: &'a Cx<'a>,
    form: Option<&'a Form>,
    vars: &'a [u32],
    uniform: &'a Uniform,
    args: &'a mut Args,
}

impl Warp<'_> {
    fn lower(&mut self, mode: Mode) -> Lower<'_> {
        Lower {
            cx: self.cx,
            form: self.form,
            vars: self.vars,
            uniform: self.uniform,
            args: self.args,
            mode,
            rows: BTreeMap::new(),
            outs: Vec::new(),
            inside: Vec::new(),
            hoisted: BTreeMap::new(),
        }
    }

    fn body(&mut self, stmts: &[Stmt]) -> TokenStream {
        if stmts.is_empty() {
            return TokenStream::new();
        }
        let used = self.used(stmts);
        let declared = self.lower(Mode::Warp).declare(&used, true);
        let code = self.warp(stmts, &[]);
        quote!(#declared #code)
    }

    fn used(&self, stmts: &[Stmt]) -> Vec<usize> {
        Scan::of(stmts, self.uniform).sets_vars
    }

    /// Statements, after the definitions of `before`, on which they may build.
    fn warp(&mut self, stmts: &[Stmt], before: &[&Stmt]) -> TokenStream {
        let mut code = TokenStream::new();
        let mut rest = stmts;
        // What is the same for all lanes is computed once.
        while let [first, more @ ..] = rest
            && self.uniform.is_let(first)
        {
            code.extend(self.lower(Mode::Warp).stmts(std::slice::from_ref(first)));
            rest = more;
        }
        let [first, more @ ..] = rest else { return code };
        if Scan::of(rest, self.uniform).is_straight() {
            let (same, own): (Vec<&Stmt>, Vec<&Stmt>) = rest.iter().partition(|s| self.uniform.is_let(s));
            let same: Vec<Stmt> = same.into_iter().cloned().collect();
            code.extend(self.lower(Mode::Warp).stmts(&same));
            code.extend(self.straight(before, &own, 0));
            return code;
        }
        match &first.kind {
            StmtKind::Action(action, args) if args.iter().all(|a| self.uniform.is(a)) => {
                let stmt = Stmt { kind: StmtKind::Action(*action, args.clone()), range: first.range.clone() };
                code.extend(self.lower(Mode::Warp).stmts(&[stmt]));
                code.extend(self.warp(more, before));
            }
            _ if self.is_apart(first) => {
                code.extend(self.choose(first, |warp, body| warp.warp(body, before)));
                code.extend(self.warp(more, before));
            }
            _ => code.extend(self.lanes(before, rest)),
        }
        code
    }

    /// A choice that is the same for all lanes, whose arms set no variables of lanes.
    fn is_apart(&self, stmt: &Stmt) -> bool {
        let same = match &stmt.kind {
            StmtKind::If { arms, .. } => arms.iter().all(|(cond, _)| self.uniform.is(cond)),
            StmtKind::Match { on, .. } => self.uniform.is(on),
            _ => false,
        };
        same && self.used(std::slice::from_ref(stmt)).into_iter().all(|v| self.uniform.var(v))
    }

    /// Lane after lane.
    fn lanes(&mut self, before: &[&Stmt], stmts: &[Stmt]) -> TokenStream {
        let before: Vec<Stmt> = before.iter().map(|s| (*s).clone()).collect();
        let used = [self.used(&before), self.used(stmts)].concat();
        let mut lower = self.lower(Mode::Lanes);
        let declared = lower.declare(&used, false);
        let (first, code) = (lower.stmts(&before), lower.stmts(stmts));
        quote! {
            for l in sim::lanes(on) {
                #declared
                #first
                #code
            }
        }
    }

    /// All lanes in one loop that only computes. What depends on the word alone makes several loops of it, of which the warp takes one;
    /// after the first few such choices the others are made in the loop.
    fn straight(&mut self, before: &[&Stmt], stmts: &[&Stmt], choices: usize) -> TokenStream {
        let is_choice = |s: &Stmt| self.is_apart(s) && self.used(std::slice::from_ref(s)).is_empty();
        let with = |warp: &mut Self, at: usize, instead: &[Stmt]| {
            let all: Vec<&Stmt> = stmts[..at].iter().copied().chain(instead).chain(stmts[at + 1..].iter().copied()).collect();
            warp.straight(before, &all, choices + 1)
        };
        let found = (0..stmts.len()).filter(|_| choices < MOST_CHOICES).find_map(|at| {
            let stmt = stmts[at];
            Some((at, if is_choice(stmt) { None } else { Some(self.value_choice(stmt)?) }))
        });
        match found {
            None => self.one_loop(&[before, stmts].concat()),
            Some((at, None)) => self.choose(stmts[at], |warp, body| with(warp, at, body)),
            Some((at, Some(choice))) => {
                let [yes, no] = [choice.yes, choice.no].map(|stmt| with(self, at, &[stmt]));
                let (on, labels) = choice.on;
                let code = self.lower(Mode::Warp).expr(on);
                super::lower::choose(code, on.width, &[(labels, yes)], no)
            }
        }
    }

    /// A variable whose value is chosen by the word, in part: `match kind { 3 => carry, else => 1 }`, of which one arm alone is the
    /// lanes' own, and `if saturate && over { … } else { … }`. In most words the lanes have less to do.
    fn value_choice<'s>(&self, stmt: &'s Stmt) -> Option<ValueChoice<'s>> {
        let StmtKind::Set(place, value) = &stmt.kind else { return None };
        let PlaceKind::Var(_) = &place.kind else { return None };
        let with = |kind: ExprKind| Stmt {
            kind: StmtKind::Set(place.clone(), Expr { kind, ..value.clone() }),
            range: stmt.range.clone(),
        };
        match &value.kind {
            ExprKind::Match { on, arms, otherwise } if self.uniform.is(on) && self.uniform.is(otherwise) => {
                let (own, same): (Vec<_>, Vec<_>) = arms.iter().partition(|arm| !self.uniform.is(&arm.1));
                let [(labels, own)] = &own[..] else { return None };
                let arms = same.into_iter().cloned().collect();
                let no = with(ExprKind::Match { on: on.clone(), arms, otherwise: otherwise.clone() });
                Some(ValueChoice { on: (on, labels.clone()), yes: with(own.kind.clone()), no })
            }
            ExprKind::If { arms, otherwise } => {
                let [(Expr { kind: ExprKind::Binary(BinaryOp::LogicAnd | BinaryOp::And, a, b), .. }, chosen)] = &arms[..] else {
                    return None;
                };
                let (on, own) = match (self.uniform.is(a), self.uniform.is(b)) {
                    (true, false) => (a, b),
                    (false, true) => (b, a),
                    _ => return None,
                };
                let yes = with(ExprKind::If { arms: vec![((**own).clone(), chosen.clone())], otherwise: otherwise.clone() });
                Some(ValueChoice { on: (on, vec![Int::from(1u128)]), yes, no: with(otherwise.kind.clone()) })
            }
            _ => None,
        }
    }

    /// A choice that is the same for all lanes, with the code of each of its arms.
    fn choose(&mut self, stmt: &Stmt, mut arm: impl FnMut(&mut Self, &[Stmt]) -> TokenStream) -> TokenStream {
        match &stmt.kind {
            StmtKind::If { arms, otherwise } => {
                let arms: Vec<TokenStream> = arms
                    .iter()
                    .map(|(cond, body)| {
                        let cond = self.lower(Mode::Warp).cond(cond);
                        let body = arm(self, body);
                        quote!(if #cond { #body })
                    })
                    .collect();
                let otherwise = arm(self, otherwise);
                let last = (!otherwise.is_empty()).then(|| quote!(else { #otherwise }));
                quote!(#(#arms)else* #last)
            }
            StmtKind::Match { on, arms, otherwise } => {
                let width = on.width;
                let on = self.lower(Mode::Warp).expr(on);
                let arms: Vec<_> = arms.iter().map(|(labels, body)| (labels.clone(), arm(self, body))).collect();
                let otherwise = arm(self, otherwise);
                super::lower::choose(on, width, &arms, otherwise)
            }
            _ => unreachable!("only these are choices"),
        }
    }

    /// One loop over all lanes, which fills rows, and then the rows are put back.
    fn one_loop(&mut self, stmts: &[&Stmt]) -> TokenStream {
        let stmts: Vec<Stmt> = stmts.iter().map(|s| (*s).clone()).collect();
        let used = self.used(&stmts);
        let lanes = self.cx.isa.machine.lanes as usize;
        let isa = self.cx.isa;
        let mut lower = self.lower(Mode::Straight);
        let declared = lower.declare(&used, false);
        lower.inside = used;
        let code = lower.stmts(&stmts);
        if lower.outs.is_empty() {
            return TokenStream::new();
        }
        let rows = lower.rows.values().map(|(name, code)| quote!(let #name = #code;));
        let rows: Vec<TokenStream> = rows.collect();
        let hoisted = lower.hoisted.values();
        let lanes = proc_macro2::Literal::usize_unsuffixed(lanes);
        let whole = |out: &Ident| format_ident!("{out}_row");
        let outs: Vec<TokenStream> = lower
            .outs
            .iter()
            .map(|o| {
                let (row, cell) = (whole(&o.name), cell(o.width));
                quote!(let mut #row = [#cell::default(); #lanes];)
            })
            .collect();
        let start = lower.outs.iter().map(|o| {
            let (name, old, kind) = (&o.name, &o.old, kind(o.width));
            quote!(let mut #name: #kind = #old[l].value();)
        });
        let end = lower.outs.iter().map(|o| {
            let (row, own) = (whole(&o.name), &o.name);
            quote!(#row[l] = Cell::of(#own);)
        });
        let puts: Vec<TokenStream> = lower
            .outs
            .iter()
            .map(|o| {
                let (row, index) = (whole(&o.name), &o.index);
                match o.file {
                    File::Registers(file) => {
                        let (field, constants) = (super::register_name(file), super::constants(isa, file));
                        quote!(sim::put(&mut s.#field, #index, #constants, &#row, on);)
                    }
                    File::Flags(file) => {
                        let (field, constants) = (super::flags_name(file), super::no_constants());
                        quote!(sim::put(&mut s.#field, #index, #constants, &#row, on);)
                    }
                    File::Value(value) => {
                        let field = super::value_name(value);
                        quote!(sim::put(core::array::from_mut(&mut s.#field), 0, [1, 1], &#row, on);)
                    }
                }
            })
            .collect();
        quote! {
            #(#hoisted)*
            #(#outs)*
            {
                #(#rows)*
                for l in 0..#lanes {
                    #declared
                    #(#start)*
                    #code
                    #(#end)*
                }
            }
            #(#puts)*
        }
    }

    /// The lanes for which a condition holds. A choice that is the same for all lanes is made once, before the loop. `lanes` is called
    /// instead of any loop.
    fn mask(&mut self, before: &[Stmt], e: &Expr, lanes: Option<&Ident>) -> TokenStream {
        match &e.kind {
            ExprKind::Block(stmts, value) => {
                let mut all = before.to_vec();
                let mut code = TokenStream::new();
                for stmt in stmts {
                    if self.uniform.is_let(stmt) {
                        let used = self.used(std::slice::from_ref(stmt));
                        let mut lower = self.lower(Mode::Warp);
                        code.extend(lower.declare(&used, true));
                        code.extend(lower.stmts(std::slice::from_ref(stmt)));
                    } else {
                        all.push(stmt.clone());
                    }
                }
                let mask = self.mask(&all, value, lanes);
                quote!({ #code #mask })
            }
            ExprKind::Match { on, arms, otherwise } if self.uniform.is(on) => {
                let width = on.width;
                let declared = self.declare_of(on);
                let on = self.lower(Mode::Warp).expr(on);
                let arms: Vec<_> = arms.iter().map(|(labels, value)| (labels.clone(), self.mask(before, value, lanes))).collect();
                let otherwise = self.mask(before, otherwise, lanes);
                let chosen = super::lower::choose(on, width, &arms, otherwise);
                if declared.is_empty() { chosen } else { quote!({ #declared #chosen }) }
            }
            ExprKind::If { arms, otherwise } if arms.iter().all(|(c, _)| self.uniform.is(c)) => {
                let declared: TokenStream = arms.iter().map(|(c, _)| self.declare_of(c)).collect();
                let arms: Vec<TokenStream> = arms
                    .iter()
                    .map(|(cond, value)| {
                        let cond = self.lower(Mode::Warp).cond(cond);
                        let value = self.mask(before, value, lanes);
                        quote!(if #cond { #value } else)
                    })
                    .collect();
                let otherwise = self.mask(before, otherwise, lanes);
                let chosen = quote!(#(#arms)* { #otherwise });
                if declared.is_empty() { chosen } else { quote!({ #declared #chosen }) }
            }
            ExprKind::Const(value) if value.bit(0) => quote!(step.active),
            // Rare: no reason to ask for it first.
            ExprKind::Const(_) if lanes.is_none() => quote!(0),
            _ => match lanes {
                Some(name) => quote!(#name(a, s, step)),
                None => self.mask_loop(before, e),
            },
        }
    }

    /// Declarations of the variables that an expression sets in front of the lanes.
    fn declare_of(&mut self, e: &Expr) -> TokenStream {
        let used = Scan::of_expr(e, self.uniform).sets_vars;
        self.lower(Mode::Warp).declare(&used, true)
    }

    fn mask_loop(&mut self, before: &[Stmt], e: &Expr) -> TokenStream {
        let used = [self.used(before), Scan::of_expr(e, self.uniform).sets_vars].concat();
        let is_loose = Scan::of(before, self.uniform).is_loose || Scan::of_expr(e, self.uniform).is_loose;
        let lanes = proc_macro2::Literal::usize_unsuffixed(self.cx.isa.machine.lanes as usize);
        let mut lower = self.lower(if is_loose { Mode::Lanes } else { Mode::Straight });
        // Functions in expressions may set variables that are the same for all lanes: those are declared here as well.
        let declared = [lower.declare(&used, false), lower.declare(&used, true)];
        lower.inside = used;
        let code = lower.stmts(before);
        let value = lower.expr(e);
        let rows = lower.rows.values().map(|(name, code)| quote!(let #name = #code;));
        let hoisted = lower.hoisted.values();
        if is_loose {
            return quote!({
                let mut mask = 0;
                for l in sim::lanes(step.active) {
                    #(#declared)*
                    #code
                    mask |= u64::from(#value) << l;
                }
                mask
            });
        }
        quote!({
            #(#hoisted)*
            #(#rows)*
            let mut holds = [0_u8; #lanes];
            for l in 0..#lanes {
                #(#declared)*
                #code
                holds[l] = (#value) as u8;
            }
            sim::mask(holds) & step.active
        })
    }
}
