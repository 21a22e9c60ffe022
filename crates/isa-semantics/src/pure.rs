//! Bodies that compute from one field alone, executed while a specification is read.

use isa_model::semantics::arith::{self, and, not, or, saturating_u64, shl, shr};
use isa_model::semantics::builtins::Function;
use isa_model::semantics::int::Int;
use isa_model::semantics::typed::{Body, Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind};
use std::ops::Range;

/// An expression that depends on more than the field, by its bytes in the source.
pub struct Impure(pub Range<usize>);

/// A body that runs for one value of the field after the other.
pub struct Pure<'b> {
    body: &'b Body,
    vars: Vec<Int>,
    field: Int,
}

impl<'b> Pure<'b> {
    /// The body, with the operations that it has.
    pub fn new(body: &'b Body) -> Self {
        Self { body, vars: vec![Int::default(); body.vars.len()], field: Int::default() }
    }

    /// The value of a variable when the body has run for some bits of the field.
    pub fn run(&mut self, field: Int, var: usize) -> Result<Int, Impure> {
        self.vars.fill(Int::default());
        self.field = field;
        self.stmts(&self.body.stmts)?;
        Ok(self.vars.get(var).copied().unwrap_or_default())
    }

    fn stmts(&mut self, stmts: &[Stmt]) -> Result<(), Impure> {
        stmts.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), Impure> {
        match &stmt.kind {
            StmtKind::Set(place, value) => {
                let value = self.expr(value)?;
                self.set(place, value, Int::ones(place.width))
            }
            StmtKind::If { arms, otherwise } => {
                for (condition, body) in arms {
                    if self.expr(condition)?.bit(0) {
                        return self.stmts(body);
                    }
                }
                self.stmts(otherwise)
            }
            StmtKind::Match { on, arms, otherwise } => {
                let on = self.expr(on)?;
                let chosen = arms.iter().find(|(labels, _)| labels.contains(&on));
                self.stmts(chosen.map_or(otherwise, |(_, body)| body))
            }
            StmtKind::Store(..) | StmtKind::Atomic { .. } | StmtKind::Action(..) => Err(Impure(stmt.range.clone())),
        }
    }

    /// Sets the bits of a place that `mask` has.
    fn set(&mut self, place: &Place, value: Int, mask: Int) -> Result<(), Impure> {
        match &place.kind {
            PlaceKind::Var(var) => {
                let var = self.vars.get_mut(*var).ok_or_else(|| Impure(place.range.clone()))?;
                *var = or(and(*var, not(mask)), and(value, mask));
                Ok(())
            }
            PlaceKind::Slice { of, lo } => self.set(of, shl(value, (*lo).into()), shl(mask, (*lo).into())),
            PlaceKind::Part { of, at } => {
                let at = saturating_u64(self.expr(at)?);
                self.set(of, shl(value, at).truncated(of.width), shl(mask, at).truncated(of.width))
            }
            PlaceKind::Concat(parts) => {
                let mut lo = 0;
                for part in parts.iter().rev() {
                    self.set(part, shr(value, lo).truncated(part.width), shr(mask, lo).truncated(part.width))?;
                    lo += u64::from(part.width);
                }
                Ok(())
            }
            PlaceKind::Register(_) | PlaceKind::Flags(_) | PlaceKind::State(_) => Err(Impure(place.range.clone())),
        }
    }

    fn expr(&mut self, e: &Expr) -> Result<Int, Impure> {
        Ok(match &e.kind {
            ExprKind::Const(value) => *value,
            ExprKind::Var(var) => self.vars.get(*var).copied().unwrap_or_default(),
            ExprKind::Field(_) => self.field,
            ExprKind::Slice { of, lo } => shr(self.expr(of)?, (*lo).into()).truncated(e.width),
            ExprKind::Part { of, at } => {
                let at = saturating_u64(self.expr(at)?);
                shr(self.expr(of)?, at).truncated(e.width)
            }
            ExprKind::Concat(parts) => {
                let mut all = Int::default();
                for part in parts {
                    all = or(shl(all, part.width.into()), self.expr(part)?);
                }
                all
            }
            ExprKind::Unary(op, of) => arith::unary(*op, self.expr(of)?, e.width),
            ExprKind::Binary(op, a, b) => {
                let (left, right) = (self.expr(a)?, self.expr(b)?);
                arith::binary(*op, left, right, a.width)
            }
            ExprKind::If { arms, otherwise } => {
                for (condition, value) in arms {
                    if self.expr(condition)?.bit(0) {
                        return self.expr(value);
                    }
                }
                self.expr(otherwise)?
            }
            ExprKind::Match { on, arms, otherwise } => {
                let on = self.expr(on)?;
                let chosen = arms.iter().find(|(labels, _)| labels.contains(&on));
                self.expr(chosen.map_or(&**otherwise, |(_, value)| value))?
            }
            ExprKind::Call { function: Function::Int(function), args, .. } => {
                let values = args.iter().map(|arg| self.expr(arg)).collect::<Result<Vec<_>, _>>()?;
                let from = args.first().map_or(1, |arg| arg.width);
                arith::function(*function, &values, from, e.width)
            }
            ExprKind::Block(stmts, value) => {
                self.stmts(stmts)?;
                self.expr(value)?
            }
            ExprKind::Condition(_)
            | ExprKind::Register(_)
            | ExprKind::Flags(_)
            | ExprKind::State(_)
            | ExprKind::Supplied(_)
            | ExprKind::Variant(_)
            | ExprKind::Load(_)
            | ExprKind::Other { .. }
            | ExprKind::Ballot(_)
            | ExprKind::Call { .. } => return Err(Impure(e.range.clone())),
        })
    }
}
