//! Memory in the order of the text, where there is one lane: each load becomes a statement of its own, which happens once, whatever
//! passes and compilers make of the rest. An access that can't be ends the instruction after its statement.

use super::tree::{Pass, any, inside, inside_stmt};
use isa_spec::semantics::typed::{Body, Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind};

/// The body with a statement for each load.
pub(super) fn ordered(body: &Body) -> Body {
    let mut order = Order { vars: body.vars.clone(), out: Vec::new() };
    let stmts = order.stmts(&body.stmts);
    Body { vars: order.vars, stmts }
}

struct Order {
    vars: Vec<u32>,
    /// The statements so far.
    out: Vec<Stmt>,
}

fn loads(e: &Expr) -> bool {
    any(e, |kind| matches!(kind, ExprKind::Load(_)))
}

impl Order {
    /// The result of some work, and the statements that it needs before it.
    fn apart<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> (Vec<Stmt>, T) {
        let outer = std::mem::take(&mut self.out);
        let made = work(self);
        (std::mem::replace(&mut self.out, outer), made)
    }

    /// A value that is only wanted sometimes.
    fn lazy(&mut self, e: &Expr) -> Expr {
        if !loads(e) {
            return e.clone();
        }
        let (stmts, value) = self.apart(|order| order.expr(e));
        Expr { kind: ExprKind::Block(stmts, Box::new(value)), ..e.clone() }
    }
}

impl Pass for Order {
    fn stmts(&mut self, stmts: &[Stmt]) -> Vec<Stmt> {
        let (made, ()) = self.apart(|order| {
            for stmt in stmts {
                let stmt = order.stmt(stmt);
                order.out.push(stmt);
            }
        });
        made
    }

    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        match &stmt.kind {
            StmtKind::If { arms, otherwise } => {
                // A later condition is only asked where those before it don't hold.
                let (first, rest) = arms.split_first().expect("a choice has arms");
                let is_late = rest.iter().position(|(cond, _)| loads(cond));
                let cond = self.expr(&first.0);
                let (here, later) = rest.split_at(is_late.unwrap_or(rest.len()));
                let mut made = vec![(cond, self.stmts(&first.1))];
                made.extend(here.iter().map(|(cond, body)| (cond.clone(), self.stmts(body))));
                let otherwise = if later.is_empty() {
                    self.stmts(otherwise)
                } else {
                    let kind = StmtKind::If { arms: later.to_vec(), otherwise: otherwise.clone() };
                    self.stmts(&[Stmt { kind, range: 0..0 }])
                };
                Stmt { kind: StmtKind::If { arms: made, otherwise }, range: 0..0 }
            }
            _ => inside_stmt(self, stmt),
        }
    }

    fn expr(&mut self, e: &Expr) -> Expr {
        if !loads(e) {
            return e.clone();
        }
        let kind = match &e.kind {
            ExprKind::Load(_) => {
                let value = inside(self, e);
                self.vars.push(e.width);
                let var = self.vars.len() - 1;
                let place = Place { kind: PlaceKind::Var(var), width: e.width, range: 0..0 };
                self.out.push(Stmt { kind: StmtKind::Set(place, value), range: 0..0 });
                ExprKind::Var(var)
            }
            ExprKind::Block(stmts, value) => {
                let stmts = self.stmts(stmts);
                self.out.extend(stmts);
                return self.expr(value);
            }
            ExprKind::If { arms, otherwise } => {
                let (first, rest) = arms.split_first().expect("a choice has arms");
                let is_late = rest.iter().position(|(cond, _)| loads(cond));
                let (here, later) = rest.split_at(is_late.unwrap_or(rest.len()));
                let mut made = vec![(self.expr(&first.0), self.lazy(&first.1))];
                made.extend(here.iter().map(|(cond, value)| (cond.clone(), self.lazy(value))));
                let otherwise = if later.is_empty() {
                    self.lazy(otherwise)
                } else {
                    self.lazy(&Expr { kind: ExprKind::If { arms: later.to_vec(), otherwise: otherwise.clone() }, ..e.clone() })
                };
                ExprKind::If { arms: made, otherwise: Box::new(otherwise) }
            }
            ExprKind::Match { on, arms, otherwise } => ExprKind::Match {
                on: Box::new(self.expr(on)),
                arms: arms.iter().map(|(labels, value)| (labels.clone(), self.lazy(value))).collect(),
                otherwise: Box::new(self.lazy(otherwise)),
            },
            _ => return inside(self, e),
        };
        Expr { kind, width: e.width, range: 0..0 }
    }
}
