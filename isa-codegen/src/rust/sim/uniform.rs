//! What is the same for all lanes of a warp: fields of the word, addresses of code, and what is computed from them alone.

use isa_spec::semantics::typed::{Access, Body, Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind};

/// Which variables of a body have one value for all lanes.
pub(super) struct Uniform(Vec<bool>);

impl Uniform {
    pub(super) fn of(vars: usize, stmts: &[Stmt], value: Option<&Expr>) -> Self {
        let mut known = Self(vec![true; vars]);
        // A variable that differs can make others differ.
        loop {
            let before = known.0.iter().filter(|u| **u).count();
            known.stmts(stmts, true);
            if let Some(value) = value {
                known.visit(value, true);
            }
            if known.0.iter().filter(|u| **u).count() == before {
                return known;
            }
        }
    }

    pub(super) fn of_body(body: &Body) -> Self {
        Self::of(body.vars.len(), &body.stmts, None)
    }

    pub(super) fn var(&self, var: usize) -> bool {
        self.0[var]
    }

    /// Whether an expression has one value for all lanes.
    pub(super) fn is(&self, e: &Expr) -> bool {
        use ExprKind::*;
        match &e.kind {
            Const(_) | Field(_) | Condition(_) | Pc | Next | Variant(_) => true,
            Var(v) => self.0[*v],
            Register(_) | Flags(_) | State(_) | Lane | Load(_) => false,
            Slice { of, .. } | Unary(_, of) => self.is(of),
            Part { of, at } => self.is(of) && self.is(at),
            Binary(_, a, b) => self.is(a) && self.is(b),
            Concat(parts) => parts.iter().all(|p| self.is(p)),
            Call { args, .. } => args.iter().all(|a| self.is(a)),
            If { arms, otherwise } => arms.iter().all(|(c, v)| self.is(c) && self.is(v)) && self.is(otherwise),
            Match { on, arms, otherwise } => self.is(on) && arms.iter().all(|(_, v)| self.is(v)) && self.is(otherwise),
            Block(_, value) => self.is(value),
        }
    }

    fn differ(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Var(v) => self.0[*v] = false,
            PlaceKind::Slice { of, .. } | PlaceKind::Part { of, .. } => self.differ(of),
            PlaceKind::Concat(parts) => parts.iter().for_each(|p| self.differ(p)),
            PlaceKind::Register(_) | PlaceKind::Flags(_) | PlaceKind::State(_) => {}
        }
    }

    /// `same`: all lanes come here, or none does.
    fn stmts(&mut self, stmts: &[Stmt], same: bool) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Set(place, value) => {
                    self.visit(value, same);
                    let index = match &place.kind {
                        PlaceKind::Part { at, .. } => self.is(at),
                        _ => true,
                    };
                    if !same || !index || !self.is(value) {
                        self.differ(place);
                    }
                }
                StmtKind::If { arms, otherwise } => {
                    let mut here = same;
                    for (cond, body) in arms {
                        self.visit(cond, here);
                        here &= self.is(cond);
                        self.stmts(body, here);
                    }
                    self.stmts(otherwise, here);
                }
                StmtKind::Match { on, arms, otherwise } => {
                    self.visit(on, same);
                    let here = same && self.is(on);
                    arms.iter().for_each(|(_, body)| self.stmts(body, here));
                    self.stmts(otherwise, here);
                }
                StmtKind::Store(_, value) => self.visit(value, same),
                StmtKind::Atomic { args, old, .. } => {
                    args.iter().for_each(|a| self.visit(a, same));
                    if let Some(old) = old {
                        self.0[*old] = false;
                    }
                }
                StmtKind::Action(_, args) => args.iter().for_each(|a| self.visit(a, same)),
            }
        }
    }

    /// The variables that functions in an expression set.
    fn visit(&mut self, e: &Expr, same: bool) {
        use ExprKind::*;
        match &e.kind {
            Block(stmts, value) => {
                self.stmts(stmts, same);
                self.visit(value, same);
            }
            If { arms, otherwise } => {
                let mut here = same;
                for (cond, value) in arms {
                    self.visit(cond, here);
                    here &= self.is(cond);
                    self.visit(value, here);
                }
                self.visit(otherwise, here);
            }
            Match { on, arms, otherwise } => {
                self.visit(on, same);
                let here = same && self.is(on);
                arms.iter().for_each(|(_, value)| self.visit(value, here));
                self.visit(otherwise, here);
            }
            _ => children(e).into_iter().for_each(|c| self.visit(c, same)),
        }
    }
}

/// The expressions that stand directly in one that is no choice and no block.
pub(super) fn children(e: &Expr) -> Vec<&Expr> {
    use ExprKind::*;
    match &e.kind {
        Const(_) | Var(_) | Field(_) | Condition(_) | State(_) | Lane | Pc | Next | Variant(_) => Vec::new(),
        Register(r) => vec![&*r.index],
        Flags(f) => vec![&*f.index],
        Slice { of, .. } | Unary(_, of) => vec![&**of],
        Part { of, at } => vec![&**of, &**at],
        Concat(parts) => parts.iter().collect(),
        Binary(_, a, b) => vec![&**a, &**b],
        If { arms, otherwise } => arms.iter().flat_map(|(c, v)| [c, v]).chain([&**otherwise]).collect(),
        Match { on, arms, otherwise } => {
            std::iter::once(&**on).chain(arms.iter().map(|(_, v)| v)).chain([&**otherwise]).collect()
        }
        Load(a) => access(a),
        Call { args, .. } => args.iter().collect(),
        Block(_, value) => vec![&**value],
    }
}

pub(super) fn access(a: &Access) -> Vec<&Expr> {
    a.bank.iter().map(|b| &**b).chain([&*a.address]).collect()
}
