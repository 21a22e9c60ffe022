//! Operators.

use super::names::Found;
use super::{Bind, Checker, Val, bits, fold};
use isa_model::semantics::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use isa_model::semantics::typed::{self, ExprKind as Kind};
use std::ops::Range;

impl Checker<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, of: &Expr, hint: Option<u32>, range: &Range<usize>) -> Option<Val> {
        if op == UnaryOp::LogicNot {
            let of = self.cond_of(of, "`!`")?;
            return Some(Val::Typed(fold::unary(op, of, self.at(range))));
        }
        Some(match self.expr(of, hint)? {
            Val::Number(n) => Val::Number(if op == UnaryOp::Neg { n.saturating_neg() } else { !n }),
            Val::Typed(of) => Val::Typed(fold::unary(op, of, self.at(range))),
        })
    }

    fn cond_of(&mut self, e: &Expr, op: &str) -> Option<typed::Expr> {
        let made = self.typed(e, Some(1))?;
        if made.width == 1 {
            return Some(made);
        }
        self.fault_with(
            &e.range,
            format!("{op} is for single bits, this has {}", bits(made.width)),
            Some("`~`, `&`, `|` and `^` work on every bit"),
        );
        None
    }

    /// Checks the sides in one small function, and joins them in another: chains of operators are deep.
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        at: &Range<usize>,
        sides: (&Expr, &Expr),
        hint: Option<u32>,
        range: &Range<usize>,
    ) -> Option<Val> {
        use BinaryOp::*;
        match op {
            LogicAnd | LogicOr => self.logic(op, sides, range),
            Eq | Ne if self.names_text(sides.0, sides.1) => self.compare_text(op, sides.0, sides.1, range),
            Concat => self.concat(sides, range),
            Shl | ShrU | ShrS => {
                let (a, b) = (self.expr(sides.0, hint), self.expr(sides.1, None));
                self.shift(op, a?, b?, sides, range)
            }
            _ => {
                let (a, b) = self.operands(sides, if op.is_comparison() { None } else { hint });
                self.join(op, at, (a?, b?), sides, hint.filter(|_| !op.is_comparison()), range)
            }
        }
    }

    fn logic(&mut self, op: BinaryOp, sides: (&Expr, &Expr), range: &Range<usize>) -> Option<Val> {
        let name = if op == BinaryOp::LogicAnd { "`&&`" } else { "`||`" };
        let (a, b) = (self.cond_of(sides.0, name), self.cond_of(sides.1, name));
        Some(Val::Typed(fold::binary(op, a?, b?, 1, self.at(range))))
    }

    fn concat(&mut self, sides: (&Expr, &Expr), range: &Range<usize>) -> Option<Val> {
        let (a, b) = (self.typed(sides.0, None), self.typed(sides.1, None));
        let (a, b) = (a?, b?);
        let width = a.width + b.width;
        let parts = [a, b].into_iter().flat_map(|p| match p.kind {
            Kind::Concat(parts) => parts,
            _ => vec![p],
        });
        let parts = parts.collect();
        Some(Val::Typed(self.joined(parts, width, range)?))
    }

    /// Both sides; a number takes the width of the other one, whichever that is.
    fn operands(&mut self, (left, right): (&Expr, &Expr), hint: Option<u32>) -> (Option<Val>, Option<Val>) {
        if self.is_bare(left) && !self.is_bare(right) {
            let b = self.expr(right, hint);
            let width = b.as_ref().and_then(width_of);
            (self.expr(left, width.or(hint)), b)
        } else {
            let a = self.expr(left, hint);
            let width = a.as_ref().and_then(width_of);
            let b = self.expr(right, width.or(hint));
            (a, b)
        }
    }

    fn join(
        &mut self,
        op: BinaryOp,
        at: &Range<usize>,
        values: (Val, Val),
        sides: (&Expr, &Expr),
        expected: Option<u32>,
        range: &Range<usize>,
    ) -> Option<Val> {
        let (a, b) = match values {
            (Val::Number(a), Val::Number(b)) => {
                let n = self.computed(op, a, b, range)?;
                return Some(if op.is_comparison() { Val::Typed(self.bit(n != 0, range)) } else { Val::Number(n) });
            }
            (Val::Number(a), Val::Typed(b)) => (self.number_of(a, Some(b.width), &sides.0.range)?, b),
            (Val::Typed(a), Val::Number(b)) => {
                let b = self.number_of(b, Some(a.width), &sides.1.range)?;
                (a, b)
            }
            (Val::Typed(a), Val::Typed(b)) => (a, b),
        };
        if a.width != b.width {
            let width = a.width.max(b.width);
            let help = Some(match expected {
                // The wider one would not do, either.
                Some(expected) if a.width.min(b.width) == expected => {
                    let wider = if a.width > b.width { sides.0 } else { sides.1 };
                    let wider = if let ExprKind::Name { path, .. } = &wider.kind { path } else { "…" };
                    format!("`trunc({wider}, {expected})` takes the lowest bits: a value of {} is expected here", bits(expected))
                }
                _ => format!("`zext(…, {width})` or `sext(…, {width})` widens the narrower one"),
            });
            let say =
                format!("`{}` takes two values of the same width, these have {} and {}", op.text(), bits(a.width), bits(b.width));
            self.fault_with(at, say, help);
            return None;
        }
        let width = if op.is_comparison() { 1 } else { a.width };
        Some(Val::Typed(fold::binary(op, a, b, width, self.at(range))))
    }

    fn computed(&mut self, op: BinaryOp, a: i128, b: i128, range: &Range<usize>) -> Option<i128> {
        let made = fold::numbers(op, a, b);
        if made.is_none() {
            self.fault(range, format!("`{}` of these numbers has no value without a width", op.text()));
        }
        made
    }

    fn shift(&mut self, op: BinaryOp, a: Val, count: Val, sides: (&Expr, &Expr), range: &Range<usize>) -> Option<Val> {
        let count = match (&a, count) {
            (Val::Number(a), Val::Number(b)) => return self.computed(op, *a, b, range).map(Val::Number),
            (_, Val::Number(n)) if n < 0 => {
                self.fault(&sides.1.range, "a shift by a negative number");
                return None;
            }
            (_, Val::Number(n)) => self.number_of(n, Some(32), &sides.1.range)?,
            (_, Val::Typed(count)) => count,
        };
        let a = match a {
            Val::Typed(a) => a,
            Val::Number(n) => self.number_of(n, None, &sides.0.range)?,
        };
        let width = a.width;
        Some(Val::Typed(fold::binary(op, a, count, width, self.at(range))))
    }

    /// True if an expression is made of numbers without widths, so that its own width comes from elsewhere.
    pub(super) fn is_bare(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Int { width, .. } => width.is_none(),
            ExprKind::Name { path, optional } => match self.find(path) {
                Found::Local(Bind::Number(_)) => true,
                Found::Missing => *optional,
                _ => false,
            },
            ExprKind::Unary { op, of } => *op != UnaryOp::LogicNot && self.is_bare(of),
            ExprKind::Binary { op, left, right, .. } => match op {
                BinaryOp::Shl | BinaryOp::ShrU | BinaryOp::ShrS => self.is_bare(left),
                BinaryOp::Concat | BinaryOp::LogicAnd | BinaryOp::LogicOr => false,
                _ if op.is_comparison() => false,
                _ => self.is_bare(left) && self.is_bare(right),
            },
            ExprKind::If { arms, otherwise } => arms.iter().all(|a| self.is_bare(&a.1)) && self.is_bare(otherwise),
            ExprKind::Match { arms, otherwise, .. } => arms.iter().all(|a| self.is_bare(&a.1)) && self.is_bare(otherwise),
            _ => false,
        }
    }
}

fn width_of(v: &Val) -> Option<u32> {
    match v {
        Val::Typed(e) => Some(e.width),
        Val::Number(_) => None,
    }
}
