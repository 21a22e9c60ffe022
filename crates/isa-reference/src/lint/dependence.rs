//! The fields on which the effects of a form depend.

use super::meant;
use isa_spec::model::{Behaviour, Form, Isa};
use isa_spec::semantics::builtins::Action;
use isa_spec::semantics::typed::{Access, Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind};
use std::collections::BTreeSet;

/// The fields (indices) of a form that its guard, its effects, or the conditions and addresses of these are computed from. Variables
/// that no effect depends on do not count. `None` if the form has no semantics, if its words are not described, or if the instruction is
/// declared to do nothing (`semantics: ""`).
pub(super) fn read(isa: &Isa, form: &Form) -> Option<Vec<bool>> {
    let behaviour = form.behaviour.as_ref().filter(|behaviour| !is_unknown(&behaviour.body.stmts))?;
    if isa.instruction(meant(isa, form.instruction)).semantics.as_ref().is_some_and(|semantics| semantics.body.is_empty()) {
        return None;
    }
    let mut fields = vec![false; form.fields.len()];
    if let Some(guard) = &behaviour.guard {
        Reads::new(behaviour, guard.vars.len(), &mut fields).expr(&guard.expr);
    }
    for body in [&behaviour.body, &behaviour.after] {
        let mut reads = Reads::new(behaviour, body.vars.len(), &mut fields);
        while std::mem::take(&mut reads.is_open) {
            reads.stmts(&body.stmts);
        }
    }
    Some(fields)
}

/// The form is not described, or always illegal.
fn is_unknown(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|stmt| matches!(stmt.kind, StmtKind::Action(Action::Undescribed | Action::Illegal, _)))
}

struct Reads<'a> {
    behaviour: &'a Behaviour,
    /// The variables on which an effect depends.
    vars: Vec<bool>,
    /// A variable has been added since the statements were looked at.
    is_open: bool,
    fields: &'a mut Vec<bool>,
}

impl<'a> Reads<'a> {
    fn new(behaviour: &'a Behaviour, vars: usize, fields: &'a mut Vec<bool>) -> Self {
        Self { behaviour, vars: vec![false; vars], is_open: true, fields }
    }

    /// Looks at statements, the last one first. Returns true if one of them has an effect, or sets a variable on which one depends.
    fn stmts(&mut self, stmts: &[Stmt]) -> bool {
        stmts.iter().rev().fold(false, |any, stmt| any | self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Set(place, value) => {
                let counts = self.place(place);
                if counts {
                    self.expr(value);
                }
                counts
            }
            StmtKind::If { arms, otherwise } => {
                let mut counts = self.stmts(otherwise);
                for (condition, body) in arms.iter().rev() {
                    counts |= self.stmts(body);
                    if counts {
                        self.expr(condition);
                    }
                }
                counts
            }
            StmtKind::Match { on, arms, otherwise } => {
                let counts = arms.iter().fold(self.stmts(otherwise), |any, (_, body)| self.stmts(body) || any);
                if counts {
                    self.expr(on);
                }
                counts
            }
            StmtKind::Store(at, value) | StmtKind::Atomic { at, new: value, .. } => {
                self.access(at);
                self.expr(value);
                true
            }
            StmtKind::Action(_, args) => {
                args.iter().for_each(|arg| self.expr(arg));
                true
            }
        }
    }

    /// Looks at a place that is set. Returns false for variables on which no effect depends.
    fn place(&mut self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Var(var) => return self.vars[*var],
            PlaceKind::Register(register) => self.expr(&register.index),
            PlaceKind::Flags(flags) => self.expr(&flags.index),
            PlaceKind::State(_) => {}
            PlaceKind::Slice { of, .. } => return self.place(of),
            PlaceKind::Part { of, at } => {
                let counts = self.place(of);
                if counts {
                    self.expr(at);
                }
                return counts;
            }
            PlaceKind::Concat(parts) => return parts.iter().fold(false, |any, part| any | self.place(part)),
        }
        true
    }

    fn access(&mut self, access: &Access) {
        access.children().into_iter().for_each(|child| self.expr(child));
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Field(field) => self.fields[*field] = true,
            ExprKind::Condition(condition) => {
                let fields: BTreeSet<usize> = self.behaviour.conditions[*condition].cond.fields();
                fields.into_iter().for_each(|field| self.fields[field] = true);
            }
            ExprKind::Var(var) => {
                self.is_open |= !self.vars[*var];
                self.vars[*var] = true;
            }
            ExprKind::Block(stmts, value) => {
                self.expr(value);
                self.stmts(stmts);
                return;
            }
            _ => {}
        }
        expr.each_child(&mut |child| self.expr(child));
    }
}
