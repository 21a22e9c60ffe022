//! Operands that can be exchanged: what an instruction does is the same.

use super::ast::BinaryOp;
use super::pass::{Numbers, Pass, inside, inside_stmt};
use super::typed::{Body, Expr, ExprKind, Stmt, StmtKind};
use crate::model::{Behaviour, Form};

impl Form {
    /// True if the form does the same with the numbers of two fields exchanged, as far as that shows in its semantics: the operands of `+` and the
    /// like can be in either order.
    pub fn commutes(&self, one: usize, other: usize) -> bool {
        let (Some(first), Some(second), Some(behaviour)) = (self.fields.get(one), self.fields.get(other), &self.behaviour) else {
            return false;
        };
        let is_alike = first.label == second.label && first.code == second.code && first.bits.width() == second.bits.width();
        // Conditions are not looked into.
        let both = first.bits.mask() | second.bits.mask();
        let is_free = behaviour.conditions.iter().all(|condition| (condition.words.support() & both).is_zero());
        let as_it_is = Normal::of(None, behaviour);
        is_alike && is_free && as_it_is.is_some() && as_it_is == Normal::of(Some((one, other)), behaviour)
    }
}

/// Semantics that are the same whatever the order of operands that can be exchanged.
struct Normal {
    /// Fields that take each other's place.
    exchanged: Option<(usize, usize)>,
    /// The order of its accesses can be seen: to memory, and to other lanes.
    is_ordered: bool,
}

impl Normal {
    /// The guard, the body and what is done after it; `None` if their order can be seen.
    fn of(exchanged: Option<(usize, usize)>, of: &Behaviour) -> Option<(Option<Expr>, Body, Body)> {
        let mut normal = Self { exchanged, is_ordered: false };
        let guard = of.guard.as_ref().map(|guard| normal.expr(&guard.expr));
        let made = (guard, normal.body(&of.body), normal.body(&of.after));
        (!normal.is_ordered).then_some(made)
    }
}

impl Pass for Normal {
    fn number(&mut self, of: Numbers, number: usize) -> usize {
        match self.exchanged.filter(|_| of == Numbers::Fields) {
            Some((one, other)) if number == one => other,
            Some((one, other)) if number == other => one,
            _ => number,
        }
    }

    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        self.is_ordered |= matches!(stmt.kind, StmtKind::Atomic { .. });
        inside_stmt(self, stmt)
    }

    fn expr(&mut self, e: &Expr) -> Expr {
        self.is_ordered |= matches!(e.kind, ExprKind::Load(_) | ExprKind::Other { .. } | ExprKind::Ballot(_));
        let mut made = inside(self, e);
        if let ExprKind::Binary(operator, left, right) = &mut made.kind
            && operator.commutes()
            && format!("{left:?}") > format!("{right:?}")
        {
            std::mem::swap(left, right);
        }
        made
    }
}

impl BinaryOp {
    /// True if the operands can be in either order.
    fn commutes(self) -> bool {
        matches!(
            self,
            Self::LogicOr | Self::LogicAnd | Self::Eq | Self::Ne | Self::Or | Self::Xor | Self::And | Self::Add | Self::Mul
        )
    }
}
