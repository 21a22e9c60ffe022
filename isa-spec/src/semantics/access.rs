//! Which registers an instruction reads and writes, as far as its semantics names them by a field.

use super::typed::{Access as Memory, Expr, ExprKind, Place, PlaceKind, Register, Stmt, StmtKind};
use crate::model::Form;
use std::collections::BTreeMap;

/// What happens to the registers that a field names: so many consecutive ones, from the one that it says on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// How many are read.
    pub reads: u32,
    /// How many are written.
    pub writes: u32,
}

/// The registers that a form reads and writes, in all its words together, by the index of the field that names them. A register
/// that is read or written under a condition counts.
pub fn accesses(form: &Form) -> BTreeMap<usize, Access> {
    let mut found = Found::default();
    if let Some(behaviour) = &form.behaviour {
        behaviour.guard.iter().for_each(|guard| found.expr(&guard.expr));
        found.stmts(&behaviour.body.stmts);
        found.stmts(&behaviour.after.stmts);
    }
    found.0
}

#[derive(Default)]
struct Found(BTreeMap<usize, Access>);

impl Found {
    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Set(place, value) => {
                    self.expr(value);
                    self.place(place);
                }
                StmtKind::If { arms, otherwise } => {
                    for (condition, body) in arms {
                        self.expr(condition);
                        self.stmts(body);
                    }
                    self.stmts(otherwise);
                }
                StmtKind::Match { on, arms, otherwise } => {
                    self.expr(on);
                    arms.iter().for_each(|(_, body)| self.stmts(body));
                    self.stmts(otherwise);
                }
                StmtKind::Store(at, value) => {
                    self.memory(at);
                    self.expr(value);
                }
                StmtKind::Atomic { at, args, .. } => {
                    self.memory(at);
                    args.iter().for_each(|arg| self.expr(arg));
                }
                StmtKind::Action(_, args) => args.iter().for_each(|arg| self.expr(arg)),
            }
        }
    }

    fn memory(&mut self, at: &Memory) {
        at.bank.iter().for_each(|bank| self.expr(bank));
        self.expr(&at.address);
    }

    fn place(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Register(register) => {
                self.expr(&register.index);
                if let Some((field, count)) = named(register) {
                    let access = self.0.entry(field).or_default();
                    access.writes = access.writes.max(count);
                }
            }
            PlaceKind::Flags(flags) => self.expr(&flags.index),
            PlaceKind::Slice { of, .. } => self.place(of),
            PlaceKind::Part { of, at } => {
                self.expr(at);
                self.place(of);
            }
            PlaceKind::Concat(parts) => parts.iter().for_each(|part| self.place(part)),
            PlaceKind::Var(_) | PlaceKind::State(_) => {}
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Register(register) => {
                if let Some((field, count)) = named(register) {
                    let access = self.0.entry(field).or_default();
                    access.reads = access.reads.max(count);
                }
            }
            ExprKind::Block(stmts, _) => self.stmts(stmts),
            _ => {}
        }
        expr.children().into_iter().for_each(|child| self.expr(child));
    }
}

/// The field that names a register, and how many registers there are up to it.
fn named(register: &Register) -> Option<(usize, u32)> {
    match &register.index.kind {
        ExprKind::Field(field) => Some((*field, register.plus + 1)),
        // A register of a part of the file.
        ExprKind::Concat(parts) => match parts.as_slice() {
            [Expr { kind: ExprKind::Const(_), .. }, Expr { kind: ExprKind::Field(field), .. }] => {
                Some((*field, register.plus + 1))
            }
            _ => None,
        },
        _ => None,
    }
}
