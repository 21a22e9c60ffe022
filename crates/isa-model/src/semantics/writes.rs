//! The registers, flags and named values that a body may write, as far as the word tells which.

use super::builtins::{Function, IntFunction};
use super::machine::StateKind;
use super::typed::{Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind};
use crate::model::{Behaviour, Isa};
use isa_runtime::machine::{Which, Write};
use std::collections::HashMap;

/// The writes of a form's semantics, sorted, each once.
pub fn writes(behaviour: &Behaviour, isa: &Isa) -> Vec<Write> {
    let mut all = Vec::new();
    for body in [&behaviour.body, &behaviour.after] {
        let mut finder = Finder { isa, set: HashMap::new(), all: &mut all };
        body.stmts.iter().for_each(|stmt| finder.variables(stmt));
        body.stmts.iter().for_each(|stmt| finder.stmt(stmt));
    }
    all.sort_unstable();
    all.dedup();
    all
}

struct Finder<'b, 'a> {
    isa: &'b Isa,
    /// The values of variables; `None` for one that is set twice, or in part.
    set: HashMap<usize, Option<&'b Expr>>,
    all: &'a mut Vec<Write>,
}

impl<'b> Finder<'b, '_> {
    fn variables(&mut self, stmt: &'b Stmt) {
        match &stmt.kind {
            StmtKind::Set(Place { kind: PlaceKind::Var(var), .. }, value) => {
                self.set.entry(*var).and_modify(|known| *known = None).or_insert(Some(value));
            }
            StmtKind::Set(place, _) => self.parts_of_variables(place),
            StmtKind::Atomic { old, .. } => {
                self.set.insert(*old, None);
            }
            _ => {}
        }
        stmt.nested().into_iter().for_each(|stmt| self.variables(stmt));
    }

    fn parts_of_variables(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Var(var) => {
                self.set.insert(*var, None);
            }
            PlaceKind::Slice { of, .. } | PlaceKind::Part { of, .. } => self.parts_of_variables(of),
            PlaceKind::Concat(parts) => parts.iter().for_each(|part| self.parts_of_variables(part)),
            PlaceKind::Register(_) | PlaceKind::Flags(_) | PlaceKind::State(_) => {}
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Set(place, _) = &stmt.kind {
            self.place(place);
        }
        stmt.nested().into_iter().for_each(|stmt| self.stmt(stmt));
    }

    fn place(&mut self, place: &Place) {
        let write = match &place.kind {
            PlaceKind::Var(_) => return,
            PlaceKind::Slice { of, .. } | PlaceKind::Part { of, .. } => return self.place(of),
            PlaceKind::Concat(parts) => return parts.iter().for_each(|part| self.place(part)),
            PlaceKind::Register(register) => Write::Register(register.file as u32, self.which(&register.index, register.plus)),
            PlaceKind::Flags(flags) => Write::Flags(flags.file as u32, self.which(&flags.index, 0)),
            PlaceKind::State(state) => {
                let before = self.isa.machine.state[..*state].iter();
                Write::Value(before.filter(|before| before.kind == StateKind::Written).count() as u32)
            }
        };
        self.all.push(write);
    }

    /// The registers with a number.
    fn which(&self, index: &Expr, plus: u32) -> Which {
        match &index.kind {
            ExprKind::Const(number) => u32::try_from(number.low_u128() + u128::from(plus)).map_or(Which::All, Which::One),
            ExprKind::Field(field) => Which::Field { field: *field as u16, plus, parts: 1 },
            // The number of a view's register, without the bits that number the parts.
            ExprKind::Slice { of, lo } if plus == 0 && lo + index.width == of.width && *lo < u32::BITS => match of.kind {
                ExprKind::Field(field) => Which::Field { field: field as u16, plus, parts: 1 << lo },
                _ => Which::All,
            },
            ExprKind::Concat(parts) => match parts.split_last() {
                Some((low, high))
                    if high.iter().all(|part| matches!(part.kind, ExprKind::Const(number) if number.low_u128() == 0)) =>
                {
                    self.which(low, plus)
                }
                _ => Which::All,
            },
            ExprKind::Call { function: Function::Int(IntFunction::Zext), args, .. } => self.which(&args[0], plus),
            // The value itself has no variables that were set later: each is set once, before it is read.
            ExprKind::Var(var) => match self.set.get(var) {
                Some(Some(value)) => self.which(value, plus),
                _ => Which::All,
            },
            _ => Which::All,
        }
    }
}
