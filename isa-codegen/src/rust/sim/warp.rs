//! Code of a warp, from its shape.
//!
//! A loop fills local rows that are copied back afterwards: their addresses do not escape, so compilers can prove that
//! they overlap no register, and make vector instructions.

use super::closed::Closed;
use super::lower::{Arguments, Kinds, Lower, Mode, Out, cell, is_one};
use super::names::{constants, file_name, of_warp};
use super::scan::{File, Scan};
use super::scope::Scope;
use super::shape::{Mask, Node, Rows, Shaper, Values};
use super::tidy::Keys;
use crate::rust::Cx;
use isa_spec::semantics::typed::{Expr, Stmt};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

pub(super) struct Warp<'a> {
    pub(super) cx: &'a Cx<'a>,
    pub(super) keys: &'a Keys,
    pub(super) scope: &'a Scope,
    pub(super) arguments: &'a mut Arguments,
}

impl<'a> Warp<'a> {
    /// The pass that arranges statements over the lanes.
    fn shaper(&self) -> Shaper<'a> {
        Shaper { is_one: is_one(self.cx.isa), scope: self.scope, uses: None }
    }

    fn scan(&self, stmts: &[Stmt]) -> Scan {
        Scan::of(stmts, &self.scope.uniform)
    }

    fn lower(&mut self, mode: Mode, scan: Scan) -> Lower<'_> {
        Lower::new((self.cx, self.keys), self.scope, self.arguments, mode, scan)
    }

    /// A lowering for code in front of the loop over lanes.
    fn in_front(&mut self) -> Lower<'_> {
        let mode = if is_one(self.cx.isa) { Mode::One } else { Mode::Warp };
        self.lower(mode, Scan::default())
    }

    fn lanes(&self) -> Literal {
        Literal::usize_unsuffixed(self.cx.isa.machine.lanes as usize)
    }

    /// A condition that is the same for all lanes.
    pub(super) fn cond(&mut self, e: &Expr) -> TokenStream {
        self.in_front().cond(e)
    }

    /// A number that is the same for all lanes.
    pub(super) fn number(&mut self, e: &Expr) -> TokenStream {
        self.in_front().expr(e)
    }

    /// The code of statements, for the lanes of `on`, and true if registers change while rows of others are still read.
    pub(super) fn body(&mut self, stmts: &[Stmt]) -> (TokenStream, bool) {
        let shape = self.shaper().body(stmts);
        (self.nodes(&shape.nodes), shape.is_direct)
    }

    fn nodes(&mut self, nodes: &[Node<'_>]) -> TokenStream {
        nodes.iter().map(|node| self.node(node)).collect()
    }

    /// The code of an arm, which takes the arguments that it alone needs: in front of the choice they would occupy registers.
    fn chosen(&mut self, nodes: &[Node<'_>]) -> TokenStream {
        let around = self.arguments.enter();
        let code = self.nodes(nodes);
        let declared = self.arguments.leave(around);
        quote!(#declared #code)
    }

    fn node(&mut self, node: &Node<'_>) -> TokenStream {
        match node {
            Node::Once(stmt) => self.in_front().stmts(std::slice::from_ref(*stmt)),
            Node::Choice(choice) => {
                let (by, choice) = self.in_front().decided(choice.clone());
                let choice = choice.map(|nodes| self.chosen(&nodes));
                Kinds::of(self.cx.isa).choose((by, choice))
            }
            Node::Rows(rows) => self.rows(rows),
            Node::Lanes(stmts) => self.each(stmts),
        }
    }

    /// Lane after lane, each with its own registers.
    fn each(&mut self, stmts: &[Stmt]) -> TokenStream {
        let used = self.scan(stmts).sets_vars;
        let is_one = is_one(self.cx.isa);
        let mut lower = self.lower(if is_one { Mode::One } else { Mode::Lanes }, Scan::default());
        lower.is_body_of_core = is_one;
        let declared = lower.declare(&used);
        let code = lower.stmts(stmts);
        if is_one {
            return quote!(#declared #code);
        }
        let spread = self.spread(stmts);
        quote!(for l in sim::lanes(on) { #declared #code } #spread)
    }

    /// Copies what a warp has once to all lanes, after lanes have written it one by one.
    fn spread(&mut self, stmts: &[Stmt]) -> TokenStream {
        let scan = self.scan(stmts);
        let mut code = TokenStream::new();
        for write in scan.writes.iter().filter(|write| of_warp(self.cx.isa, write.file)) {
            let field = file_name(self.cx.isa, write.file);
            code.extend(match &write.index {
                Some(index) => {
                    let index = self.in_front().index(index, write.plus);
                    quote!(sim::spread(&mut s.#field, #index, on);)
                }
                None => quote!(sim::spread(core::array::from_mut(&mut s.#field), 0, on);),
            });
        }
        code
    }

    /// One loop, which fills rows, and then the rows are put back.
    fn rows(&mut self, rows: &Rows) -> TokenStream {
        let Rows { is_ordered, stmts } = rows;
        let scan = self.scan(stmts);
        let (used, lanes) = (scan.sets_vars.clone(), self.lanes());
        let mut lower = self.lower(Mode::Straight, scan);
        let declared = lower.declare(&used);
        let code = lower.stmts(stmts);
        let ([memories, found], outs) = (lower.in_front(), std::mem::take(&mut lower.outs));
        let filled = outs.iter().map(|o| {
            let (row, cell) = (row_of(o), cell(o.width));
            quote!(let mut #row = [#cell::default(); #lanes];)
        });
        let kinds = Kinds::of(self.cx.isa);
        let start = outs.iter().map(|o| {
            let (name, kind) = (&o.name, kinds.kind(o.width));
            let old = o.old.as_ref().map_or_else(|| quote!(#kind::default()), |old| quote!(#old[l].value()));
            quote!(let mut #name: #kind = #old;)
        });
        let end = outs.iter().map(|o| {
            let (row, own) = (row_of(o), &o.name);
            quote!(#row[l] = Cell::of(#own);)
        });
        let puts = outs.iter().map(|o| self.put(o));
        let over = if *is_ordered { quote!(sim::lanes(on)) } else { quote!(0..#lanes) };
        let looped = quote! {
            for l in #over {
                #declared
                #(#start)*
                #code
                #(#end)*
            }
        };
        // The borrowed rows end before they are stored.
        let looped = if found.is_empty() { looped } else { quote!({ #found #looped }) };
        quote! {
            #memories
            #(#filled)*
            #looped
            #(#puts)*
        }
    }

    /// Puts a row back.
    fn put(&self, out: &Out) -> TokenStream {
        let (row, index, file) = (row_of(out), &out.index, out.key.0);
        let put = if of_warp(self.cx.isa, file) { quote!(put_all) } else { quote!(put) };
        let (field, constants) = (file_name(self.cx.isa, file), constants(self.cx.isa, file));
        let rows = if let File::Value(_) = file { quote!(core::array::from_mut(&mut s.#field)) } else { quote!(&mut s.#field) };
        let put = quote!(sim::#put(#rows, #index, #constants, &#row, on););
        match &out.when {
            Some(when) => quote!(if #when { #put }),
            None => put,
        }
    }

    /// The values of lanes: the code in front of the loop, the code in it, and the value.
    fn values(&mut self, of: &Values) -> (TokenStream, TokenStream, TokenStream) {
        let Values { is_loose, lets, value, .. } = of;
        let mut scan = self.scan(lets);
        scan.expr(value, &self.scope.uniform);
        let used = scan.sets_vars.clone();
        let mode = match (is_one(self.cx.isa), *is_loose) {
            (true, _) => Mode::One,
            (_, true) => Mode::Lanes,
            (_, false) => Mode::Straight,
        };
        let mut lower = self.lower(mode, scan);
        let declared = lower.declare(&used);
        let code = lower.stmts(lets);
        let value = lower.expr(value);
        let [memories, found] = lower.in_front();
        (quote!(#memories #found), quote!(#declared #code), value)
    }

    /// The result of a function of its parameters, which are its first variables.
    pub(super) fn function(&mut self, of: &Closed, params: usize) -> TokenStream {
        let mut scan = self.scan(&of.lets.stmts);
        scan.expr(&of.value, &self.scope.uniform);
        let used: Vec<usize> = scan.sets_vars.iter().copied().filter(|v| *v >= params).collect();
        let mut lower = self.lower(if is_one(self.cx.isa) { Mode::One } else { Mode::Lanes }, scan);
        let declared = lower.declare(&used);
        let code = lower.value_after(&of.lets.stmts, &of.value);
        quote!(#declared #code)
    }

    /// The row of a value, or its number in the one lane: the end of a function.
    pub(super) fn row(&mut self, of: &Closed) -> TokenStream {
        let values = self.shaper().values(&of.lets.stmts, &of.value);
        let (front, code, value) = self.values(&values);
        if is_one(self.cx.isa) {
            return quote!(#front #code #value.low64());
        }
        let lanes = self.lanes();
        let over = if values.is_ordered { quote!(sim::lanes(on)) } else { quote!(0..#lanes) };
        quote! {
            let mut row = [0; #lanes];
            #front
            for l in #over {
                #code
                row[l] = #value;
            }
            row
        }
    }

    /// The lanes for which a condition holds.
    pub(super) fn mask(&mut self, of: &Closed) -> TokenStream {
        let mask = self.shaper().mask(&of.lets.stmts, &of.value);
        self.mask_of(&mask)
    }

    fn mask_of(&mut self, mask: &Mask<'_>) -> TokenStream {
        match mask {
            Mask::Choice(choice) => {
                let (by, choice) = self.in_front().decided((**choice).clone());
                let choice = choice.map(|mask| self.mask_of(&mask));
                Kinds::of(self.cx.isa).choose((by, choice))
            }
            Mask::Const(true) => quote!(step.active),
            Mask::Const(false) => quote!(0),
            Mask::Values(values) => self.mask_loop(values),
        }
    }

    fn mask_loop(&mut self, values: &Values) -> TokenStream {
        let (front, code, holds) = self.values(values);
        if is_one(self.cx.isa) {
            return quote!(#front #code u64::from(#holds) & step.active);
        }
        if values.is_ordered || values.is_loose {
            return quote!({
                let mut mask = 0;
                #front
                for l in sim::lanes(step.active) {
                    #code
                    mask |= u64::from(#holds) << l;
                }
                mask
            });
        }
        let lanes = self.lanes();
        quote!({
            #front
            let mut holds = [0_u8; #lanes];
            for l in 0..#lanes {
                #code
                holds[l] = (#holds) as u8;
            }
            sim::mask(holds) & step.active
        })
    }
}

/// The variable of a row that a loop fills.
fn row_of(out: &Out) -> Ident {
    format_ident!("{}_row", out.name)
}
