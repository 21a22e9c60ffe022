//! Statements: choices, actions, and the variables that are declared for them.

use super::kinds::var;
use super::{Lower, Mode};
use crate::rust::sim::tree::Choice;
use isa_spec::semantics::builtins::Action;
use isa_spec::semantics::typed::{Expr, ExprKind, Stmt, StmtKind};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

impl Lower<'_> {
    pub(in super::super) fn stmts(&mut self, stmts: &[Stmt]) -> TokenStream {
        let known = self.raised.len();
        let code = self.sequence(stmts, None);
        // Declarations in this block end with it.
        self.raised.truncate(known);
        code
    }

    /// Statements and a value that is computed from what they set.
    pub(in super::super) fn value_after(&mut self, stmts: &[Stmt], value: &Expr) -> TokenStream {
        let known = self.raised.len();
        let code = self.sequence(stmts, Some(value));
        let value = self.expr(value);
        self.raised.truncate(known);
        quote!(#code #value)
    }

    fn sequence(&mut self, stmts: &[Stmt], value: Option<&Expr>) -> TokenStream {
        let mut code = TokenStream::new();
        for (i, stmt) in stmts.iter().enumerate() {
            code.extend(self.with_flags(stmt, &stmts[i + 1..], value).unwrap_or_else(|| self.stmt(stmt)));
        }
        code
    }

    fn stmt(&mut self, stmt: &Stmt) -> TokenStream {
        match &stmt.kind {
            StmtKind::Set(place, value) => {
                let is_access = matches!(value.kind, ExprKind::Load(_));
                let value = self.expr(value);
                let assigned = self.assign(place, value);
                if is_access { self.ended(assigned) } else { assigned }
            }
            StmtKind::If { .. } | StmtKind::Match { .. } => {
                Choice::of_stmt(stmt).map(|choice| self.choice(choice, Self::stmts)).unwrap_or_default()
            }
            StmtKind::Store(access, value) => {
                let stored = self.store(access, value);
                self.ended(stored)
            }
            StmtKind::Atomic { at, old, new } => {
                let changed = self.atomic(at, *old, new);
                self.ended(changed)
            }
            StmtKind::Action(action, args) => self.action(*action, args),
        }
    }

    /// An access to memory; where there is one lane, one that can't be ends the body.
    fn ended(&self, access: TokenStream) -> TokenStream {
        if self.is_body_of_core { quote!(#access if step.memory.has_trouble() { return; }) } else { access }
    }

    /// An action of the lanes of `on`, all of them or this one.
    fn action(&mut self, action: Action, args: &[Expr]) -> TokenStream {
        let who = match self.mode {
            Mode::Warp => quote!(on),
            Mode::One => quote!(1),
            _ => quote!((1 << l)),
        };
        let args: Vec<TokenStream> = args.iter().map(|arg| self.expr(arg)).map(|arg| quote!(#arg.low64())).collect();
        let name = format_ident!("{action:?}");
        let request = quote!(step.flow.request(info::Action::#name, #who, [#(#args),*]););
        // In a machine of one lane, a fault ends the body.
        if self.is_body_of_core && action.is_fault() { quote!(#request return;) } else { request }
    }

    /// Declarations of the variables that are not declared where they are set.
    pub(in super::super) fn declare(&self, used: &[usize]) -> TokenStream {
        let mut used: Vec<usize> = used.iter().copied().filter(|v| !self.scope.lets.contains(v)).collect();
        used.sort_unstable();
        used.dedup();
        used.into_iter()
            .map(|v| {
                let (name, kind) = (var(v), self.kinds().kind(self.scope.widths[v]));
                quote!(let mut #name = #kind::default();)
            })
            .collect()
    }
}
