//! Code of a warp: what is the same for all lanes stands in front of them, and the lanes go through loops.
//!
//! A loop fills rows that are its function's alone and are put back afterwards: their addresses go nowhere, so compilers know that
//! they overlap no register, and make vector instructions.

use super::choices::stands_alone;
use super::lower::{Given, Lower, Mode, Told, cell, choose, kind};
use super::scan::{File, Scan};
use super::tidy::Keys;
use super::uniform::Uniform;
use super::unit::Units;
use super::{constants, flags_name, no_constants, register_name, value_name};
use crate::rust::Cx;
use isa_spec::semantics::typed::{Expr, ExprKind, Stmt, StmtKind};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use std::collections::{BTreeMap, BTreeSet};

pub(super) struct Warp<'a> {
    cx: &'a Cx<'a>,
    keys: &'a Keys,
    vars: &'a [u32],
    uniform: &'a Uniform,
    told: &'a mut Told,
    given: &'a BTreeMap<usize, Given>,
    lets: &'a BTreeSet<usize>,
    /// Registers change while rows of others are still read: lane by lane, or before what follows.
    pub(super) is_direct: bool,
}

impl<'a> Warp<'a> {
    pub(super) fn new(
        units: &'a Units<'_>,
        vars: &'a [u32],
        uniform: &'a Uniform,
        told: &'a mut Told,
        given: &'a BTreeMap<usize, Given>,
        lets: &'a BTreeSet<usize>,
    ) -> Self {
        Self { cx: units.cx, keys: units.keys, vars, uniform, told, given, lets, is_direct: false }
    }

    fn lower(&mut self, mode: Mode, scan: Scan) -> Lower<'_> {
        Lower {
            cx: self.cx,
            keys: self.keys,
            vars: self.vars,
            uniform: self.uniform,
            told: self.told,
            given: self.given,
            lets: self.lets,
            mode,
            scan,
            rows: BTreeMap::new(),
            outs: Vec::new(),
            inside: Vec::new(),
            hoisted: BTreeMap::new(),
            memories: BTreeMap::new(),
        }
    }

    fn in_front(&mut self) -> Lower<'_> {
        self.lower(Mode::Warp, Scan::default())
    }

    /// A condition that is the same for all lanes.
    pub(super) fn cond(&mut self, e: &Expr) -> TokenStream {
        self.in_front().cond(e)
    }

    /// A number that is the same for all lanes.
    pub(super) fn number(&mut self, e: &Expr) -> TokenStream {
        self.in_front().expr(e)
    }

    /// What statements do in the lanes of `on`.
    pub(super) fn body(&mut self, stmts: &[Stmt]) -> TokenStream {
        if stmts.is_empty() {
            return TokenStream::new();
        }
        let used = self.used(stmts);
        let declared = self.in_front().declare(&used, true);
        let code = self.warp(stmts);
        quote!(#declared #code)
    }

    fn used(&self, stmts: &[Stmt]) -> Vec<usize> {
        Scan::of(stmts, self.uniform).sets_vars
    }

    fn warp(&mut self, stmts: &[Stmt]) -> TokenStream {
        let mut code = TokenStream::new();
        let mut rest = stmts;
        // What is the same for all lanes is computed once.
        while let [first, more @ ..] = rest
            && self.uniform.is_let(first)
        {
            code.extend(self.in_front().stmts(std::slice::from_ref(first)));
            rest = more;
        }
        let [first, more @ ..] = rest else { return code };
        let scan = Scan::of(rest, self.uniform);
        if scan.is_straight() {
            let (same, own): (Vec<&Stmt>, Vec<&Stmt>) = rest.iter().partition(|s| self.uniform.is_let(s));
            let [same, own] = [same, own].map(|stmts| stmts.into_iter().cloned().collect::<Vec<Stmt>>());
            code.extend(self.in_front().stmts(&same));
            let (vars, uniform) = (self.vars, self.uniform);
            let (alone, own): (Vec<_>, Vec<_>) = own.iter().enumerate().partition(|(i, _)| stands_alone(vars, &own, *i, uniform));
            let own: Vec<Stmt> = own.into_iter().map(|(_, stmt)| stmt.clone()).collect();
            if !own.is_empty() {
                code.extend(self.rows(&own));
            }
            alone.into_iter().for_each(|(_, stmt)| code.extend(self.choice(stmt)));
            return code;
        }
        match &first.kind {
            StmtKind::Action(action, args) if args.iter().all(|a| self.uniform.is(a)) => {
                let stmt = Stmt { kind: StmtKind::Action(*action, args.clone()), range: first.range.clone() };
                code.extend(self.in_front().stmts(&[stmt]));
                code.extend(self.warp(more));
            }
            _ if self.is_apart(first) => {
                code.extend(self.choice(first));
                self.is_direct |= !more.is_empty() && !Scan::of(std::slice::from_ref(first), self.uniform).writes.is_empty();
                code.extend(self.warp(more));
            }
            _ if scan.has_rows() => code.extend(self.rows(rest)),
            _ => code.extend(self.lanes(rest)),
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
        let is_inside = |v: usize| self.lets.contains(&v) || self.uniform.var(v);
        same && self.used(std::slice::from_ref(stmt)).into_iter().all(is_inside)
    }

    /// Lane after lane, each with its own registers.
    fn lanes(&mut self, stmts: &[Stmt]) -> TokenStream {
        self.is_direct = true;
        let used = self.used(stmts);
        let mut lower = self.lower(Mode::Lanes, Scan::default());
        let declared = lower.declare(&used, false);
        let code = lower.stmts(stmts);
        quote! {
            for l in sim::lanes(on) {
                #declared
                #code
            }
        }
    }

    /// A choice that is the same for all lanes.
    fn choice(&mut self, stmt: &Stmt) -> TokenStream {
        match &stmt.kind {
            StmtKind::If { arms, otherwise } => {
                let arms: Vec<TokenStream> = arms
                    .iter()
                    .map(|(cond, body)| {
                        let (cond, body) = (self.cond(cond), self.warp(body));
                        quote!(if #cond { #body })
                    })
                    .collect();
                let otherwise = self.warp(otherwise);
                let last = (!otherwise.is_empty()).then(|| quote!(else { #otherwise }));
                quote!(#(#arms)else* #last)
            }
            StmtKind::Match { on, arms, otherwise } => {
                let width = on.width;
                let on = self.number(on);
                let arms: Vec<_> = arms.iter().map(|(labels, body)| (labels.clone(), self.warp(body))).collect();
                let otherwise = self.warp(otherwise);
                choose(on, width, &arms, otherwise)
            }
            _ => TokenStream::new(),
        }
    }

    /// One loop, which fills rows, and then the rows are put back: over all lanes where they only compute, or over those of `on`, in
    /// their order.
    fn rows(&mut self, stmts: &[Stmt]) -> TokenStream {
        let scan = Scan::of(stmts, self.uniform);
        let (is_ordered, used) = (scan.is_ordered, scan.sets_vars.clone());
        let lanes = Literal::usize_unsuffixed(self.cx.isa.machine.lanes as usize);
        let isa = self.cx.isa;
        let mut lower = self.lower(Mode::Straight, scan);
        let declared = lower.declare(&used, false);
        lower.inside = used;
        let code = lower.stmts(stmts);
        if lower.outs.is_empty() && !is_ordered {
            return TokenStream::new();
        }
        let found: Vec<TokenStream> = lower.rows.values().map(|(name, code)| quote!(let #name = #code;)).collect();
        let in_front = lower.in_front();
        let whole = |out: &Ident| format_ident!("{out}_row");
        let outs = lower.outs.iter().map(|o| {
            let (row, cell) = (whole(&o.name), cell(o.width));
            quote!(let mut #row = [#cell::default(); #lanes];)
        });
        let start = lower.outs.iter().map(|o| {
            let (name, kind) = (&o.name, kind(o.width));
            let old = o.old.as_ref().map_or_else(|| quote!(#kind::default()), |old| quote!(#old[l].value()));
            quote!(let mut #name: #kind = #old;)
        });
        let end = lower.outs.iter().map(|o| {
            let (row, own) = (whole(&o.name), &o.name);
            quote!(#row[l] = Cell::of(#own);)
        });
        let puts = lower.outs.iter().map(|o| {
            let (row, index) = (whole(&o.name), &o.index);
            let put = match o.file {
                File::Registers(file) => {
                    let (field, constants) = (register_name(file), constants(isa, file));
                    quote!(sim::put(&mut s.#field, #index, #constants, &#row, on);)
                }
                File::Flags(file) => {
                    let (field, constants) = (flags_name(file), no_constants());
                    quote!(sim::put(&mut s.#field, #index, #constants, &#row, on);)
                }
                File::Value(value) => {
                    let field = value_name(value);
                    quote!(sim::put(core::array::from_mut(&mut s.#field), 0, [1, 1], &#row, on);)
                }
            };
            match &o.when {
                Some(when) => quote!(if #when { #put }),
                None => put,
            }
        });
        let over = if is_ordered { quote!(sim::lanes(on)) } else { quote!(0..#lanes) };
        let looped = quote! {
            for l in #over {
                #declared
                #(#start)*
                #code
                #(#end)*
            }
        };
        // What is found by rows ends where they are put back.
        let looped = if found.is_empty() { looped } else { quote!({ #(#found)* #looped }) };
        quote! {
            #in_front
            #(#outs)*
            #looped
            #(#puts)*
        }
    }

    /// The row of an expression, after statements that set variables: the end of a function.
    pub(super) fn row(&mut self, lets: &[Stmt], e: &Expr) -> TokenStream {
        let mut scan = Scan::of(lets, self.uniform);
        scan.expr(e, self.uniform);
        let (is_ordered, is_loose, used) = (scan.is_ordered, scan.is_loose, scan.sets_vars.clone());
        let lanes = Literal::usize_unsuffixed(self.cx.isa.machine.lanes as usize);
        let mut lower = self.lower(if is_loose { Mode::Lanes } else { Mode::Straight }, scan);
        let declared = [lower.declare(&used, false), lower.declare(&used, true)];
        lower.inside = used;
        let code = lower.stmts(lets);
        let value = lower.expr(e);
        let found = lower.rows.values().map(|(name, code)| quote!(let #name = #code;));
        let in_front = lower.in_front();
        let over = if is_ordered { quote!(sim::lanes(on)) } else { quote!(0..#lanes) };
        quote! {
            let mut row = [0; #lanes];
            #in_front
            #(#found)*
            for l in #over {
                #(#declared)*
                #code
                row[l] = #value;
            }
            row
        }
    }

    /// The lanes for which a condition holds, after statements that set variables. A choice that is the same for all lanes is made once,
    /// before the loop.
    pub(super) fn mask(&mut self, lets: &[Stmt], e: &Expr) -> TokenStream {
        let mut code = TokenStream::new();
        let mut own = Vec::new();
        for stmt in lets {
            if self.uniform.is_let(stmt) {
                let used = self.used(std::slice::from_ref(stmt));
                let mut lower = self.in_front();
                code.extend(lower.declare(&used, true));
                code.extend(lower.stmts(std::slice::from_ref(stmt)));
            } else {
                own.push(stmt.clone());
            }
        }
        let mask = self.mask_of(&own, e);
        quote!(#code #mask)
    }

    fn mask_of(&mut self, lets: &[Stmt], e: &Expr) -> TokenStream {
        match &e.kind {
            ExprKind::Match { on, arms, otherwise } if self.uniform.is(on) => {
                let width = on.width;
                let on = self.number(on);
                let arms: Vec<_> = arms.iter().map(|(labels, value)| (labels.clone(), self.mask_of(lets, value))).collect();
                let otherwise = self.mask_of(lets, otherwise);
                choose(on, width, &arms, otherwise)
            }
            ExprKind::If { arms, otherwise } if arms.iter().all(|(c, _)| self.uniform.is(c)) => {
                let arms: Vec<TokenStream> = arms
                    .iter()
                    .map(|(cond, value)| {
                        let (cond, value) = (self.cond(cond), self.mask_of(lets, value));
                        quote!(if #cond { #value } else)
                    })
                    .collect();
                let otherwise = self.mask_of(lets, otherwise);
                quote!(#(#arms)* { #otherwise })
            }
            ExprKind::Const(value) if value.bit(0) => quote!(step.active),
            ExprKind::Const(_) => quote!(0),
            _ => self.mask_loop(lets, e),
        }
    }

    fn mask_loop(&mut self, lets: &[Stmt], e: &Expr) -> TokenStream {
        let mut scan = Scan::of(lets, self.uniform);
        scan.expr(e, self.uniform);
        let (used, is_straight) = (scan.sets_vars.clone(), !scan.is_ordered && !scan.is_loose);
        let lanes = Literal::usize_unsuffixed(self.cx.isa.machine.lanes as usize);
        let mut lower = self.lower(if is_straight { Mode::Straight } else { Mode::Lanes }, scan);
        // Functions in expressions may set variables that are the same for all lanes: those are declared here as well.
        let declared = [lower.declare(&used, false), lower.declare(&used, true)];
        lower.inside = used;
        let code = lower.stmts(lets);
        let value = lower.expr(e);
        let rows = lower.rows.values().map(|(name, code)| quote!(let #name = #code;));
        let in_front = lower.in_front();
        if !is_straight {
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
            #in_front
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
