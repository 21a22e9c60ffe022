//! Values that are the same for all lanes of a warp: fields of the word, addresses of code, and expressions of them.

use super::tree::{Uses, any, visit_expr};
use isa_spec::semantics::builtins;
use isa_spec::semantics::typed::{Expr, ExprKind, Stmt};

/// The variables of a body that have one value for all lanes: those that it is given so. What it sets may differ from lane to lane.
pub(super) struct Uniform {
    vars: Vec<bool>,
}

impl Uniform {
    /// The uniform variables of statements and a value after them; those of `varying` differ from lane to lane without being set.
    pub(super) fn of(vars: usize, stmts: &[Stmt], value: Option<&Expr>, varying: impl IntoIterator<Item = usize>) -> Self {
        let mut uses = Uses::of_stmts(vars, stmts);
        value.into_iter().for_each(|value| visit_expr(value, &mut uses));
        let mut vars: Vec<bool> = uses.sets.iter().map(|sets| *sets == 0).collect();
        varying.into_iter().for_each(|v| vars[v] = false);
        Self { vars }
    }

    /// True if an expression has one value for all lanes.
    pub(super) fn is(&self, e: &Expr) -> bool {
        use ExprKind::*;
        match &e.kind {
            Const(_) | Field(_) | Condition(_) | Variant(_) => true,
            Supplied(what) => *what != builtins::Supplied::Lane,
            Var(v) => self.vars[*v],
            Register(_) | Flags(_) | State(_) | Load(_) => false,
            Other { lane, .. } => self.is(lane),
            Ballot(_) => true,
            Slice { of, .. } | Unary(_, of) => self.is(of),
            Part { of, at } => self.is(of) && self.is(at),
            Binary(_, a, b) => self.is(a) && self.is(b),
            Concat(parts) => parts.iter().all(|p| self.is(p)),
            Call { args, .. } => args.iter().all(|a| self.is(a)),
            If { arms, otherwise } => arms.iter().all(|(c, v)| self.is(c) && self.is(v)) && self.is(otherwise),
            Match { on, arms, otherwise } => self.is(on) && arms.iter().all(|(_, v)| self.is(v)) && self.is(otherwise),
            Block(..) => false,
        }
    }
}

/// True if an expression is a number that the word alone says.
pub(super) fn is_of_word(e: &Expr) -> bool {
    use ExprKind::*;
    !any(e, |kind| {
        matches!(
            kind,
            Var(_)
                | Register(_)
                | Flags(_)
                | State(_)
                | Supplied(_)
                | Variant(_)
                | Load(_)
                | Block(..)
                | Other { .. }
                | Ballot(_)
        )
    })
}
