//! The registers that a semantics reads and writes, as far as it names them by a field.

use super::super::conditions::FormScope;
use super::super::context::Context;
use super::super::values::Meaning;
use super::counts::{Known, Way, greatest};
use isa_model::model::condition::{and, not, or};
use isa_model::model::{Behaviour, Cond, Condition, Label, Raw, ones};
use isa_model::semantics::Int;
use isa_model::semantics::ast::{BinaryOp, UnaryOp};
use isa_model::semantics::typed::{Access as Memory, Expr, ExprKind, Place, PlaceKind, Register, Stmt, StmtKind};
use isa_model::span::Span;
use std::collections::BTreeMap;

/// The accesses of a form's semantics to the registers that its fields name. If the word decides an `if` or a `match`, each
/// branch counts under its condition; else all branches count.
pub(super) fn accesses(cx: &Context<'_, '_>, scope: &FormScope<'_>, behaviour: &Behaviour) -> Known {
    let mut found = Found { cx, scope, conditions: &behaviour.conditions, path: Cond::Const(true), ways: BTreeMap::new() };
    behaviour.guard.iter().for_each(|guard| found.expr(&guard.expr));
    found.stmts(&behaviour.body.stmts);
    found.stmts(&behaviour.after.stmts);
    found.ways.into_iter().map(|(key, ways)| (key, greatest(ways))).collect()
}

struct Found<'a, 's, 'd> {
    cx: &'a Context<'s, 'd>,
    scope: &'a FormScope<'a>,
    conditions: &'a [Condition],
    /// The condition under which the current statement is executed.
    path: Cond,
    ways: BTreeMap<(usize, Way), Vec<(u32, Cond)>>,
}

impl Found<'_, '_, '_> {
    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Set(place, value) => {
                    self.expr(value);
                    self.place(place);
                }
                StmtKind::If { arms, otherwise } => {
                    self.arms(arms.iter().map(|(when, body)| (when, body)), otherwise, |found, body| found.stmts(body));
                }
                StmtKind::Match { on, arms, otherwise } => {
                    self.labels(on, arms.iter().map(|(labels, body)| (labels.as_slice(), body)), otherwise, |found, body| {
                        found.stmts(body);
                    });
                }
                StmtKind::Store(at, value) => {
                    self.memory(at);
                    self.expr(value);
                }
                StmtKind::Atomic { at, new, .. } => {
                    self.memory(at);
                    self.expr(new);
                }
                StmtKind::Action(_, args) => args.iter().for_each(|arg| self.expr(arg)),
            }
        }
    }

    /// The first body whose condition holds, or the last.
    fn arms<'t, T: 't + ?Sized>(
        &mut self,
        arms: impl Iterator<Item = (&'t Expr, &'t T)>,
        otherwise: &'t T,
        look: impl Fn(&mut Self, &'t T),
    ) {
        let outside = self.path.clone();
        for (when, body) in arms {
            self.expr(when);
            let [yes, no] = self.sides(self.asked(when));
            let before = std::mem::replace(&mut self.path, yes);
            look(self, body);
            self.path = and(vec![before, no]);
        }
        look(self, otherwise);
        self.path = outside;
    }

    /// The body with the label that equals `on`, or the last.
    fn labels<'t, T: 't + ?Sized>(
        &mut self,
        on: &Expr,
        arms: impl Iterator<Item = (&'t [Int], &'t T)>,
        otherwise: &'t T,
        look: impl Fn(&mut Self, &'t T),
    ) {
        self.expr(on);
        let outside = self.path.clone();
        for (labels, body) in arms {
            let any: Option<Vec<Cond>> = labels.iter().map(|label| self.equals(on, *label)).collect();
            let [yes, no] = self.sides(any.map(or));
            let before = std::mem::replace(&mut self.path, yes);
            look(self, body);
            self.path = and(vec![before, no]);
        }
        look(self, otherwise);
        self.path = outside;
    }

    /// The words on the way in which a condition holds, and the condition of the way on. One that the word does not decide can be
    /// both.
    fn sides(&self, asked: Option<Cond>) -> [Cond; 2] {
        match asked {
            Some(asked) => [and(vec![self.path.clone(), asked.clone()]), not(asked)],
            None => [self.path.clone(), Cond::Const(true)],
        }
    }

    /// A condition that the word decides.
    fn asked(&self, expr: &Expr) -> Option<Cond> {
        match &expr.kind {
            ExprKind::Const(value) => Some(Cond::Const(value.low() & 1 == 1)),
            ExprKind::Condition(index) => self.conditions.get(*index).map(|condition| condition.cond.clone()),
            ExprKind::Field(_) if expr.width == 1 => self.equals(expr, Int::from_i128(1, 1)),
            ExprKind::Unary(UnaryOp::LogicNot, of) => self.asked(of).map(not),
            ExprKind::Binary(op, a, b) => match op {
                BinaryOp::LogicAnd => Some(and(vec![self.asked(a)?, self.asked(b)?])),
                BinaryOp::LogicOr => Some(or(vec![self.asked(a)?, self.asked(b)?])),
                BinaryOp::Eq | BinaryOp::Ne => {
                    let same = match (&a.kind, &b.kind) {
                        (ExprKind::Field(_), ExprKind::Const(value)) => self.equals(a, *value),
                        (ExprKind::Const(value), ExprKind::Field(_)) => self.equals(b, *value),
                        _ => None,
                    };
                    same.map(|same| if *op == BinaryOp::Eq { same } else { not(same) })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// A field whose value is its bits has this value.
    fn equals(&self, expr: &Expr, value: Int) -> Option<Cond> {
        let ExprKind::Field(index) = expr.kind else { return None };
        let field = &self.scope.fields[index];
        let is_part = matches!(field.label, Label::Register(id) if self.scope.isa.registers[id.index()].part_of.is_some());
        let is_plain = !field.is_target() && !is_part && field.spelling.given().is_none();
        let width = field.bits.width();
        if !is_plain || !field.code.is_plain() || expr.width != width {
            return None;
        }
        let raw: Raw = value.low_u128();
        if raw > ones(width) {
            return Some(Cond::Const(false));
        }
        let values = Meaning::of(self.scope.isa, field).exactly(self.cx, raw, Span::default())?;
        Some(Cond::Test { field: index, values })
    }

    fn memory(&mut self, at: &Memory) {
        at.bank.iter().for_each(|bank| self.expr(bank));
        self.expr(&at.address);
    }

    fn place(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Register(register) => {
                self.expr(&register.index);
                self.register(register, Way::Write);
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
            ExprKind::Register(register) => self.register(register, Way::Read),
            ExprKind::Block(stmts, _) => self.stmts(stmts),
            ExprKind::If { arms, otherwise } => {
                return self.arms(arms.iter().map(|(when, value)| (when, value)), otherwise, |found, value| found.expr(value));
            }
            ExprKind::Match { on, arms, otherwise } => {
                let arms = arms.iter().map(|(labels, value)| (labels.as_slice(), value));
                return self.labels(on, arms, otherwise, |found, value| found.expr(value));
            }
            _ => {}
        }
        expr.children().into_iter().for_each(|child| self.expr(child));
    }

    fn register(&mut self, register: &Register, way: Way) {
        let Some((field, count)) = named(register) else { return };
        let ways = self.ways.entry((field, way)).or_default();
        if self.path != Cond::Const(false) && !ways.iter().any(|known| known.0 >= count && known.1 == Cond::Const(true)) {
            ways.push((count, self.path.clone()));
        }
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
