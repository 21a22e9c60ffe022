//! Merges expressions.

use super::{Apart, Merge, Of, Same, equal};
use crate::rust::sim::closed::Closed;
use crate::rust::sim::uniform::is_of_word;
use isa_spec::semantics::typed::{Access, Body, Expr, ExprKind};

impl Merge<'_> {
    /// The number of a register, whose bits don't matter.
    pub(super) fn index(&mut self, all: &Of<'_, Expr>) -> Same<Expr> {
        let width = all.iter().map(|(_, e)| e.width).max().unwrap_or(1);
        if all.iter().all(|(_, e)| e.width == width) || !all.iter().all(|(_, e)| is_of_word(e)) || width > 32 {
            return self.with(true, false, |merge| merge.expr(all));
        }
        let mut values = vec![None; self.bodies.len()];
        all.iter().for_each(|(i, e)| values[*i] = Some(Closed { lets: Body::default(), value: (*e).clone() }));
        Ok(self.add(width, true, values))
    }

    pub(super) fn access(&mut self, all: &Of<'_, Access>) -> Same<Access> {
        let space = all[0].1.space;
        let aligned = all[0].1.aligned;
        equal(&all.iter().map(|(i, at)| (*i, (at.space, at.aligned))).collect::<Vec<_>>())?;
        let bank = match &all[0].1.bank {
            None => {
                each!(all, Access { bank: None, .. } => ());
                None
            }
            Some(_) => {
                let banks = each!(all, Access { bank: Some(bank), .. } => &**bank);
                Some(Box::new(self.expr(&banks)?))
            }
        };
        let address: Vec<_> = all.iter().map(|(i, at)| (*i, &*at.address)).collect();
        Ok(Access { space, bank, address: Box::new(self.expr(&address)?), aligned })
    }

    pub(super) fn list(&mut self, all: &[(usize, &[Expr])]) -> Same<Vec<Expr>> {
        equal(&all.iter().map(|(i, list)| (*i, list.len())).collect::<Vec<_>>())?;
        (0..all[0].1.len()).map(|at| self.expr(&all.iter().map(|(i, list)| (*i, &list[at])).collect::<Vec<_>>())).collect()
    }

    fn boxed(&mut self, all: &Of<'_, Box<Expr>>) -> Same<Box<Expr>> {
        Ok(Box::new(self.expr(&all.iter().map(|(i, e)| (*i, &***e)).collect::<Vec<_>>())?))
    }

    /// The common form of some expressions; a parameter where they have nothing in common.
    pub(super) fn expr(&mut self, all: &Of<'_, Expr>) -> Same<Expr> {
        let width = all[0].1.width;
        equal(&all.iter().map(|(i, e)| (*i, e.width)).collect::<Vec<_>>())?;
        let before = (self.vars.len(), self.known.len(), self.params.len(), self.certain.len());
        match self.kind(all) {
            Ok(kind) => Ok(Expr { kind, width, range: 0..0 }),
            Err(Apart) => {
                self.vars.truncate(before.0);
                self.known.truncate(before.1);
                self.params.truncate(before.2);
                self.certain.truncate(before.3);
                self.param(all)
            }
        }
    }

    fn kind(&mut self, all: &Of<'_, Expr>) -> Same<ExprKind> {
        use ExprKind::*;
        let kinds: Vec<(usize, &ExprKind)> = all.iter().map(|(i, e)| (*i, &e.kind)).collect();
        Ok(match kinds[0].1 {
            Const(_) | Field(_) | Condition(_) | State(_) | Supplied(_) | Variant(_) => {
                equal(&kinds)?;
                kinds[0].1.clone()
            }
            Var(_) => Var(self.var(&each!(kinds, Var(v) => *v), None)?),
            Register(_) => Register(self.register(&each!(kinds, Register(r) => r))?),
            Flags(_) => Flags(self.flags(&each!(kinds, Flags(f) => f))?),
            Slice { lo, .. } => {
                equal(&each!(kinds, Slice { lo, .. } => *lo))?;
                Slice { of: self.boxed(&each!(kinds, Slice { of, .. } => of))?, lo: *lo }
            }
            Part { .. } => {
                let of = self.boxed(&each!(kinds, Part { of, .. } => of))?;
                Part { of, at: self.boxed(&each!(kinds, Part { at, .. } => at))? }
            }
            Concat(_) => Concat(self.list(&each!(kinds, Concat(parts) => &parts[..]))?),
            Unary(op, _) => {
                equal(&each!(kinds, Unary(op, _) => *op))?;
                Unary(*op, self.boxed(&each!(kinds, Unary(_, of) => of))?)
            }
            Binary(op, ..) => {
                equal(&each!(kinds, Binary(op, ..) => *op))?;
                let a = self.boxed(&each!(kinds, Binary(_, a, _) => a))?;
                Binary(*op, a, self.boxed(&each!(kinds, Binary(_, _, b) => b))?)
            }
            If { arms, .. } => {
                let alls = each!(kinds, If { arms, .. } => arms);
                equal(&alls.iter().map(|(i, arms)| (*i, arms.len())).collect::<Vec<_>>())?;
                let mut made = Vec::new();
                for arm in 0..arms.len() {
                    let conds: Vec<_> = alls.iter().map(|(i, arms)| (*i, &arms[arm].0)).collect();
                    let values: Vec<_> = alls.iter().map(|(i, arms)| (*i, &arms[arm].1)).collect();
                    let cond = self.with(false, arm > 0, |merge| merge.expr(&conds))?;
                    made.push((cond, self.with(false, true, |merge| merge.expr(&values))?));
                }
                let otherwise = each!(kinds, If { otherwise, .. } => otherwise);
                If { arms: made, otherwise: self.with(false, true, |merge| merge.boxed(&otherwise))? }
            }
            Match { arms, .. } => {
                let alls = each!(kinds, Match { arms, .. } => arms);
                equal(&alls.iter().map(|(i, arms)| (*i, arms.iter().map(|a| &a.0).collect::<Vec<_>>())).collect::<Vec<_>>())?;
                let on = self.boxed(&each!(kinds, Match { on, .. } => on))?;
                let mut made = Vec::new();
                for (arm, (labels, _)) in arms.iter().enumerate() {
                    let values: Vec<_> = alls.iter().map(|(i, arms)| (*i, &arms[arm].1)).collect();
                    made.push((labels.clone(), self.with(false, true, |merge| merge.expr(&values))?));
                }
                let otherwise = each!(kinds, Match { otherwise, .. } => otherwise);
                Match { on, arms: made, otherwise: self.with(false, true, |merge| merge.boxed(&otherwise))? }
            }
            Other { .. } => {
                let value = self.boxed(&each!(kinds, Other { value, .. } => value))?;
                Other { value, lane: self.boxed(&each!(kinds, Other { lane, .. } => lane))? }
            }
            Ballot(_) => Ballot(self.boxed(&each!(kinds, Ballot(of) => of))?),
            Load(_) => Load(self.access(&each!(kinds, Load(at) => at))?),
            Call { function, exact, .. } => {
                equal(&each!(kinds, Call { function, exact, .. } => (*function, *exact)))?;
                let args = self.list(&each!(kinds, Call { args, .. } => &args[..]))?;
                Call { function: *function, args, exact: *exact }
            }
            Block(..) => {
                let stmts = self.stmts(&each!(kinds, Block(stmts, _) => &stmts[..]))?;
                Block(stmts, self.boxed(&each!(kinds, Block(_, value) => value))?)
            }
        })
    }
}
