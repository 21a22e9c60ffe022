//! Operands that can be exchanged: what an instruction does is the same.

use super::ast::BinaryOp;
use super::typed::{Access, Body, Expr, ExprKind, Place, PlaceKind, Register, Stmt, StmtKind};
use crate::model::{Behaviour, Form};
use std::fmt::Write as _;

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
        let as_it_is = Normal { exchanged: None }.behaviour(behaviour);
        is_alike && is_free && as_it_is.is_some() && as_it_is == Normal { exchanged: Some((one, other)) }.behaviour(behaviour)
    }
}

/// A text of what is done that is the same whatever the order of operands that can be exchanged.
struct Normal {
    /// Fields that take each other's place.
    exchanged: Option<(usize, usize)>,
}

impl Normal {
    /// `None` where memory is read: the order of accesses can be seen.
    fn behaviour(&self, of: &Behaviour) -> Option<String> {
        let guard = of.guard.as_ref().map_or(Some(String::new()), |guard| self.expr(&guard.expr))?;
        Some(format!("{guard}: {}; {}", self.body(&of.body)?, self.body(&of.after)?))
    }

    fn body(&self, body: &Body) -> Option<String> {
        Some(format!("{:?} {}", body.vars, self.stmts(&body.stmts)?))
    }

    fn stmts(&self, stmts: &[Stmt]) -> Option<String> {
        stmts.iter().try_fold(String::new(), |mut all, stmt| {
            write!(all, "{}; ", self.stmt(&stmt.kind)?).ok()?;
            Some(all)
        })
    }

    fn stmt(&self, stmt: &StmtKind) -> Option<String> {
        Some(match stmt {
            StmtKind::Set(place, value) => format!("{} = {}", self.place(place)?, self.expr(value)?),
            StmtKind::If { arms, otherwise } => {
                let arms = arms.iter().map(|(when, then)| Some(format!("{} => {}", self.expr(when)?, self.stmts(then)?)));
                format!("if {} else {}", joined(arms)?, self.stmts(otherwise)?)
            }
            StmtKind::Match { on, arms, otherwise } => {
                let arms = arms.iter().map(|(labels, then)| Some(format!("{labels:?} => {}", self.stmts(then)?)));
                format!("match {} {} else {}", self.expr(on)?, joined(arms)?, self.stmts(otherwise)?)
            }
            StmtKind::Store(access, value) => format!("{} = {}", self.access(access)?, self.expr(value)?),
            StmtKind::Atomic { .. } => return None,
            StmtKind::Action(action, values) => format!("{action:?}({})", self.exprs(values)?),
        })
    }

    fn place(&self, place: &Place) -> Option<String> {
        Some(match &place.kind {
            PlaceKind::Var(variable) => format!("v{variable}"),
            PlaceKind::Register(register) => self.register(register)?,
            PlaceKind::Flags(flags) => format!("flags{}[{}]", flags.file, self.expr(&flags.index)?),
            PlaceKind::State(state) => format!("s{state}"),
            PlaceKind::Slice { of, lo } => format!("{}.{lo}+{}", self.place(of)?, place.width),
            PlaceKind::Part { of, at } => format!("{}.({})+{}", self.place(of)?, self.expr(at)?, place.width),
            PlaceKind::Concat(parts) => format!("[{}]", joined(parts.iter().map(|part| self.place(part)))?),
        })
    }

    fn register(&self, register: &Register) -> Option<String> {
        Some(format!("r{}[{}]+{}", register.file, self.expr(&register.index)?, register.plus))
    }

    fn access(&self, access: &Access) -> Option<String> {
        let bank = access.bank.as_ref().map_or(Some(String::new()), |bank| self.expr(bank))?;
        let aligned = if access.aligned { ", aligned" } else { "" };
        Some(format!("m{}[{bank}: {}{aligned}]", access.space, self.expr(&access.address)?))
    }

    fn exprs(&self, all: &[Expr]) -> Option<String> {
        joined(all.iter().map(|expr| self.expr(expr)))
    }

    fn expr(&self, expr: &Expr) -> Option<String> {
        let text = match &expr.kind {
            ExprKind::Field(field) => match self.exchanged {
                Some((one, other)) if *field == one => format!("f{other}"),
                Some((one, other)) if *field == other => format!("f{one}"),
                _ => format!("f{field}"),
            },
            ExprKind::Const(_)
            | ExprKind::Var(_)
            | ExprKind::Condition(_)
            | ExprKind::State(_)
            | ExprKind::Supplied(_)
            | ExprKind::Variant(_) => format!("{:?}", expr.kind),
            ExprKind::Register(register) => self.register(register)?,
            ExprKind::Flags(flags) => format!("flags{}[{}]", flags.file, self.expr(&flags.index)?),
            ExprKind::Slice { of, lo } => format!("{}.{lo}", self.expr(of)?),
            ExprKind::Part { of, at } => format!("{}.({})", self.expr(of)?, self.expr(at)?),
            ExprKind::Concat(parts) => format!("[{}]", self.exprs(parts)?),
            ExprKind::Unary(operator, of) => format!("{operator:?}({})", self.expr(of)?),
            ExprKind::Binary(operator, left, right) => {
                let mut both = [self.expr(left)?, self.expr(right)?];
                if operator.commutes() {
                    both.sort();
                }
                format!("{operator:?}({}, {})", both[0], both[1])
            }
            ExprKind::If { arms, otherwise } => {
                let arms = arms.iter().map(|(when, then)| Some(format!("{} => {}", self.expr(when)?, self.expr(then)?)));
                format!("if {} else {}", joined(arms)?, self.expr(otherwise)?)
            }
            ExprKind::Match { on, arms, otherwise } => {
                let arms = arms.iter().map(|(labels, then)| Some(format!("{labels:?} => {}", self.expr(then)?)));
                format!("match {} {} else {}", self.expr(on)?, joined(arms)?, self.expr(otherwise)?)
            }
            ExprKind::Load(_) | ExprKind::Other { .. } | ExprKind::Ballot(_) => return None,
            ExprKind::Call { function, args, modes, exact } => format!("{function:?}({}) {modes:?} {exact:?}", self.exprs(args)?),
            ExprKind::Block(stmts, value) => format!("{{ {} {} }}", self.stmts(stmts)?, self.expr(value)?),
        };
        Some(format!("{text}:{}", expr.width))
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

fn joined(texts: impl Iterator<Item = Option<String>>) -> Option<String> {
    Some(texts.collect::<Option<Vec<_>>>()?.join(", "))
}
