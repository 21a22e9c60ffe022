//! A guard or a body as a function: those that come out alike are one.

use super::lower::{Args, Lower, Mode, cell, kind};
use super::scan::{File, Scan};
use super::uniform::Uniform;
use crate::rust::Cx;
use isa_spec::model::Form;
use isa_spec::semantics::Int;
use isa_spec::semantics::typed::{Body, Expr, ExprKind, PlaceKind, Stmt, StmtKind, Value};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::collections::{BTreeMap, HashMap};

/// The functions so far.
pub(super) struct Units<'a> {
    pub(super) cx: &'a Cx<'a>,
    known: HashMap<String, Ident>,
    functions: Vec<TokenStream>,
    args: usize,
}

impl<'a> Units<'a> {
    pub(super) fn new(cx: &'a Cx<'a>) -> Self {
        Self { cx, known: HashMap::new(), functions: Vec::new(), args: 1 }
    }

    /// All functions, and the most arguments that a form has.
    pub(super) fn finish(self) -> (Vec<TokenStream>, usize) {
        (self.functions, self.args)
    }

    pub(super) fn count_args(&mut self, count: usize) {
        self.args = self.args.max(count);
    }

    /// The function with this signature and code.
    fn intern(&mut self, what: &str, emit: impl FnOnce(&Ident) -> TokenStream, code: &TokenStream) -> Ident {
        let key = format!("{what} {code}");
        if let Some(name) = self.known.get(&key) {
            return name.clone();
        }
        let name = format_ident!("{what}_{}", self.known.len());
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
        args.here.clear();
        let code = Warp { cx: self.cx, form: Some(form), vars: &guard.vars, uniform: &uniform, args }.mask(&[], &guard.expr);
        let told = args.here.values();
        let code = quote!(#(#told)* #code);
        let emit = |name: &Ident| {
            quote! {
                fn #name(a: &Args, s: &mut State, step: &mut Step<'_>) -> u64 {
                    #code
                }
            }
        };
        Some(self.intern("guard", emit, &code))
    }
}

/// Computing for all lanes.
#[derive(Default)]
struct Loop {
    /// Declares the rows that it fills.
    rows: TokenStream,
    code: TokenStream,
    /// Puts them back.
    puts: TokenStream,
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
            && self.is_uniform_let(first)
        {
            code.extend(self.lower(Mode::Warp).stmts(std::slice::from_ref(first)));
            rest = more;
        }
        let [first, more @ ..] = rest else { return code };
        if Scan::of(rest, self.uniform).is_straight() {
            let (same, own): (Vec<&Stmt>, Vec<&Stmt>) = rest.iter().partition(|s| self.is_uniform_let(s));
            if self.set_once(&same) {
                let same: Vec<Stmt> = same.into_iter().cloned().collect();
                code.extend(self.lower(Mode::Warp).stmts(&same));
                code.extend(self.straight(before, &own));
            } else {
                code.extend(self.straight(before, &rest.iter().collect::<Vec<_>>()));
            }
            return code;
        }
        match &first.kind {
            StmtKind::Action(action, args) if args.iter().all(|a| self.uniform.is(a)) => {
                let stmt = Stmt { kind: StmtKind::Action(*action, args.clone()), range: first.range.clone() };
                code.extend(self.lower(Mode::Warp).stmts(&[stmt]));
                code.extend(self.warp(more, before));
            }
            StmtKind::If { arms, otherwise } if self.is_apart(first) => {
                let arms: Vec<TokenStream> = arms
                    .iter()
                    .map(|(cond, body)| {
                        let cond = self.lower(Mode::Warp).cond(cond);
                        let body = self.warp(body, before);
                        quote!(if #cond { #body })
                    })
                    .collect();
                let otherwise = self.warp(otherwise, before);
                let last = (!otherwise.is_empty()).then(|| quote!(else { #otherwise }));
                code.extend(quote!(#(#arms)else* #last));
                code.extend(self.warp(more, before));
            }
            StmtKind::Match { on, arms, otherwise } if self.is_apart(first) => {
                let width = on.width;
                let on = self.lower(Mode::Warp).expr(on);
                let arms: Vec<_> = arms.iter().map(|(labels, body)| (labels.clone(), self.warp(body, before))).collect();
                let otherwise = self.warp(otherwise, before);
                code.extend(super::lower::choose(on, width, &arms, otherwise));
                code.extend(self.warp(more, before));
            }
            _ => code.extend(self.lanes(before, rest)),
        }
        code
    }

    /// A variable that is the same for all lanes.
    fn is_uniform_let(&self, stmt: &Stmt) -> bool {
        matches!(&stmt.kind, StmtKind::Set(place, value)
            if matches!(place.kind, PlaceKind::Var(v) if self.uniform.var(v)) && self.uniform.is(value))
    }

    /// Whether no variable is set by two of these: then they can as well be computed before all others.
    fn set_once(&self, stmts: &[&Stmt]) -> bool {
        let mut seen = std::collections::HashSet::new();
        stmts.iter().all(|s| self.used(std::slice::from_ref(*s)).into_iter().all(|v| seen.insert(v)))
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

    /// All lanes in one loop that only computes. What is written under a condition that is the same for all lanes gets a loop of
    /// its own, which is left out where nothing is written: it computes again what it needs.
    fn straight(&mut self, before: &[&Stmt], stmts: &[&Stmt]) -> TokenStream {
        let (apart, together): (Vec<&Stmt>, Vec<&Stmt>) =
            stmts.iter().copied().partition(|s| self.is_apart(s) && self.used(std::slice::from_ref(*s)).is_empty());
        let lets: Vec<&Stmt> = before
            .iter()
            .copied()
            .chain(together.iter().copied().filter(|s| Scan::of(std::slice::from_ref(*s), self.uniform).writes.is_empty()))
            .collect();
        let all: Vec<&Stmt> = before.iter().copied().chain(together.iter().copied()).collect();
        let mut made = vec![self.one_loop(&all, 0)];
        for (i, stmt) in apart.into_iter().enumerate() {
            made.push(self.choice(stmt, &lets, 100 * (i + 1)));
        }
        // All is read before anything is written.
        let (rows, loops, puts) = (made.iter().map(|l| &l.rows), made.iter().map(|l| &l.code), made.iter().map(|l| &l.puts));
        quote!(#(#rows)* #(#loops)* #(#puts)*)
    }

    /// A choice that is the same for all lanes, made once to compute and once to put back.
    fn choice(&mut self, stmt: &Stmt, lets: &[&Stmt], number: usize) -> Loop {
        let mut all = Loop::default();
        let mut count = 0;
        let mut arm = |warp: &mut Self, body: &[Stmt]| {
            let stmts: Vec<&Stmt> = lets.iter().copied().chain(body).collect();
            let made = if body.is_empty() { Loop::default() } else { warp.one_loop(&stmts, number + count) };
            count += 1;
            all.rows.extend(made.rows.clone());
            made
        };
        match &stmt.kind {
            StmtKind::If { arms, otherwise } => {
                let mut made: Vec<(TokenStream, Loop)> = Vec::new();
                for (cond, body) in arms {
                    let cond = self.lower(Mode::Warp).cond(cond);
                    made.push((cond, arm(self, body)));
                }
                let last = arm(self, otherwise);
                let chain = |part: fn(&Loop) -> &TokenStream| {
                    let arms = made.iter().map(|(cond, made)| {
                        let code = part(made);
                        quote!(if #cond { #code })
                    });
                    let last = part(&last);
                    let last = (!last.is_empty()).then(|| quote!(else { #last }));
                    quote!(#(#arms)else* #last)
                };
                all.code = chain(|made| &made.code);
                all.puts = chain(|made| &made.puts);
            }
            StmtKind::Match { on, arms, otherwise } => {
                let width = on.width;
                let on = self.lower(Mode::Warp).expr(on);
                let made: Vec<(Vec<Int>, Loop)> = arms.iter().map(|(labels, body)| (labels.clone(), arm(self, body))).collect();
                let last = arm(self, otherwise);
                let choose = |part: fn(&Loop) -> &TokenStream| {
                    let arms: Vec<_> = made.iter().map(|(labels, made)| (labels.clone(), part(made).clone())).collect();
                    super::lower::choose(on.clone(), width, &arms, part(&last).clone())
                };
                all.code = choose(|made| &made.code);
                all.puts = choose(|made| &made.puts);
            }
            _ => {}
        }
        all
    }

    /// One loop over all lanes.
    fn one_loop(&mut self, stmts: &[&Stmt], number: usize) -> Loop {
        let stmts: Vec<Stmt> = stmts.iter().map(|s| (*s).clone()).collect();
        let used = self.used(&stmts);
        let lanes = self.cx.isa.machine.lanes as usize;
        let isa = self.cx.isa;
        let mut lower = self.lower(Mode::Straight);
        let declared = lower.declare(&used, false);
        let code = lower.stmts(&stmts);
        if lower.outs.is_empty() {
            return Loop::default();
        }
        let rows = lower.rows.values().map(|(name, code)| quote!(let #name = #code;));
        let rows: Vec<TokenStream> = rows.collect();
        let lanes = proc_macro2::Literal::usize_unsuffixed(lanes);
        let name = |out: &Ident| format_ident!("{out}_{number}");
        let outs: Vec<TokenStream> = lower
            .outs
            .iter()
            .map(|o| {
                let (name, cell) = (name(&o.name), cell(o.width));
                quote!(let mut #name = [#cell::default(); #lanes];)
            })
            .collect();
        let start = lower.outs.iter().map(|o| {
            let (name, old, kind) = (&o.name, &o.old, kind(o.width));
            quote!(let mut #name: #kind = #old[l].value();)
        });
        let end = lower.outs.iter().map(|o| {
            let (whole, own) = (name(&o.name), &o.name);
            quote!(#whole[l] = Cell::of(#own);)
        });
        let puts: Vec<TokenStream> = lower
            .outs
            .iter()
            .map(|o| {
                let (row, index) = (name(&o.name), &o.index);
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
        let code = quote! {
            {
                #(#rows)*
                for l in 0..#lanes {
                    #declared
                    #(#start)*
                    #code
                    #(#end)*
                }
            }
        };
        Loop { rows: quote!(#(#outs)*), code, puts: quote!(#(#puts)*) }
    }

    /// The lanes for which a condition holds. A choice that is the same for all lanes is made once, before the loop.
    fn mask(&mut self, before: &[Stmt], e: &Expr) -> TokenStream {
        match &e.kind {
            ExprKind::Block(stmts, value) => {
                let mut all = before.to_vec();
                let mut code = TokenStream::new();
                for stmt in stmts {
                    if self.is_uniform_let(stmt) {
                        let used = self.used(std::slice::from_ref(stmt));
                        let mut lower = self.lower(Mode::Warp);
                        code.extend(lower.declare(&used, true));
                        code.extend(lower.stmts(std::slice::from_ref(stmt)));
                    } else {
                        all.push(stmt.clone());
                    }
                }
                let mask = self.mask(&all, value);
                quote!({ #code #mask })
            }
            ExprKind::Match { on, arms, otherwise } if self.uniform.is(on) => {
                let width = on.width;
                let on = self.lower(Mode::Warp).expr(on);
                let arms: Vec<_> = arms.iter().map(|(labels, value)| (labels.clone(), self.mask(before, value))).collect();
                let otherwise = self.mask(before, otherwise);
                super::lower::choose(on, width, &arms, otherwise)
            }
            ExprKind::If { arms, otherwise } if arms.iter().all(|(c, _)| self.uniform.is(c)) => {
                let arms: Vec<TokenStream> = arms
                    .iter()
                    .map(|(cond, value)| {
                        let cond = self.lower(Mode::Warp).cond(cond);
                        let value = self.mask(before, value);
                        quote!(if #cond { #value } else)
                    })
                    .collect();
                let otherwise = self.mask(before, otherwise);
                quote!(#(#arms)* { #otherwise })
            }
            ExprKind::Const(value) => {
                if value.bit(0) {
                    quote!(step.active)
                } else {
                    quote!(0)
                }
            }
            _ => self.mask_loop(before, e),
        }
    }

    fn mask_loop(&mut self, before: &[Stmt], e: &Expr) -> TokenStream {
        let mut used = self.used(before);
        used.extend(Scan::of_expr(e, self.uniform).sets_vars);
        let is_loose = Scan::of(before, self.uniform).is_loose || Scan::of_expr(e, self.uniform).is_loose;
        let lanes = proc_macro2::Literal::usize_unsuffixed(self.cx.isa.machine.lanes as usize);
        let mut lower = self.lower(if is_loose { Mode::Lanes } else { Mode::Straight });
        // Functions in the expression may set variables that are the same for all lanes: those are declared here as well.
        let inner = Scan::of_expr(e, lower.uniform).sets_vars;
        let declared = [lower.declare(&used, false), lower.declare(&inner, true)];
        let code = lower.stmts(before);
        let value = lower.expr(e);
        let rows = lower.rows.values().map(|(name, code)| quote!(let #name = #code;));
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
            #(#rows)*
            let mut holds = [0_u8; #lanes];
            for l in 0..#lanes {
                #(#declared)*
                #code
                holds[l] = (#value) as u8;
            }
            sim::mask(&holds) & step.active
        })
    }
}
