//! Choices and children of typed semantics, and looking at all of it.

use super::parts::part;
use isa_spec::semantics::Int;
use isa_spec::semantics::ast::BinaryOp;
use isa_spec::semantics::builtins::{Function, IntFunction};
pub(super) use isa_spec::semantics::pass::{Pass, Placeless, inside, inside_place, inside_stmt};
use isa_spec::semantics::typed::{Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind};

/// A child of a node.
pub(super) enum Child<'e> {
    Expr(&'e Expr),
    Place(&'e Place),
    Stmts(&'e [Stmt]),
    /// The variable that an atomic access sets.
    Variable(usize),
}

/// The children of an expression, in the order in which [`inside`] passes over them.
pub(super) fn children_of_expr(e: &Expr) -> Vec<Child<'_>> {
    let stmts = if let ExprKind::Block(stmts, _) = &e.kind { Some(Child::Stmts(stmts)) } else { None };
    stmts.into_iter().chain(e.children().into_iter().map(Child::Expr)).collect()
}

/// The children of a place, in the order in which [`inside_place`] passes over them.
pub(super) fn children_of_place(place: &Place) -> Vec<Child<'_>> {
    match &place.kind {
        PlaceKind::Var(_) | PlaceKind::State(_) => Vec::new(),
        PlaceKind::Register(r) => vec![Child::Expr(&r.index)],
        PlaceKind::Flags(f) => vec![Child::Expr(&f.index)],
        PlaceKind::Slice { of, .. } => vec![Child::Place(of)],
        PlaceKind::Part { of, at } => vec![Child::Place(of), Child::Expr(at)],
        PlaceKind::Concat(parts) => parts.iter().map(Child::Place).collect(),
    }
}

/// The children of a statement, in the order in which [`inside_stmt`] passes over them.
pub(super) fn children_of_stmt(stmt: &Stmt) -> Vec<Child<'_>> {
    match &stmt.kind {
        StmtKind::Set(place, value) => vec![Child::Expr(value), Child::Place(place)],
        StmtKind::If { arms, otherwise } => {
            let arms = arms.iter().flat_map(|(cond, body)| [Child::Expr(cond), Child::Stmts(body)]);
            arms.chain([Child::Stmts(otherwise)]).collect()
        }
        StmtKind::Match { on, .. } => [Child::Expr(on)].into_iter().chain(stmt.ways().into_iter().map(Child::Stmts)).collect(),
        StmtKind::Atomic { at, old, new } => {
            at.children().into_iter().map(Child::Expr).chain([Child::Variable(*old), Child::Expr(new)]).collect()
        }
        StmtKind::Store(..) | StmtKind::Action(..) => stmt.exprs().into_iter().map(Child::Expr).collect(),
    }
}

/// A choice: of values, of statements, or of what these become.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Choice<'e, T> {
    /// The first whose condition holds, or the last.
    If { arms: Vec<(&'e Expr, T)>, otherwise: T },
    /// The one with the label that equals `on`, or the last.
    Match { on: &'e Expr, arms: Vec<(Vec<Int>, T)>, otherwise: T },
}

impl<'e> Choice<'e, &'e Expr> {
    pub(super) fn of_expr(e: &'e Expr) -> Option<Self> {
        match &e.kind {
            ExprKind::If { arms, otherwise } => {
                Some(Self::If { arms: arms.iter().map(|(cond, value)| (cond, value)).collect(), otherwise })
            }
            ExprKind::Match { on, arms, otherwise } => {
                let arms = arms.iter().map(|(labels, value)| (labels.clone(), value)).collect();
                Some(Self::Match { on, arms, otherwise })
            }
            _ => None,
        }
    }
}

impl<'e> Choice<'e, &'e [Stmt]> {
    pub(super) fn of_stmt(stmt: &'e Stmt) -> Option<Self> {
        match &stmt.kind {
            StmtKind::If { arms, otherwise } => {
                Some(Self::If { arms: arms.iter().map(|(cond, body)| (cond, &body[..])).collect(), otherwise })
            }
            StmtKind::Match { on, arms, otherwise } => {
                let arms = arms.iter().map(|(labels, body)| (labels.clone(), &body[..])).collect();
                Some(Self::Match { on, arms, otherwise })
            }
            _ => None,
        }
    }
}

impl<'e, T> Choice<'e, T> {
    pub(super) fn map<U>(self, mut to: impl FnMut(T) -> U) -> Choice<'e, U> {
        match self {
            Self::If { arms, otherwise } => {
                Choice::If { arms: arms.into_iter().map(|(cond, of)| (cond, to(of))).collect(), otherwise: to(otherwise) }
            }
            Self::Match { on, arms, otherwise } => {
                let arms = arms.into_iter().map(|(labels, of)| (labels, to(of))).collect();
                Choice::Match { on, arms, otherwise: to(otherwise) }
            }
        }
    }

    /// The conditions, or the number, by which it is made.
    pub(super) fn by(&self) -> Vec<&'e Expr> {
        match self {
            Self::If { arms, .. } => arms.iter().map(|arm| arm.0).collect(),
            Self::Match { on, .. } => vec![on],
        }
    }

    /// What it chooses among.
    pub(super) fn ways(&self) -> Vec<&T> {
        match self {
            Self::If { arms, otherwise } => arms.iter().map(|arm| &arm.1).chain([otherwise]).collect(),
            Self::Match { arms, otherwise, .. } => arms.iter().map(|arm| &arm.1).chain([otherwise]).collect(),
        }
    }
}

impl<T: PartialEq> Choice<'_, T> {
    /// The choice with equal arms of a number as one.
    pub(super) fn joined(self) -> Self {
        let Self::Match { on, arms, otherwise } = self else { return self };
        let mut different: Vec<(Vec<Int>, T)> = Vec::new();
        for (labels, of) in arms.into_iter().filter(|arm| arm.1 != otherwise) {
            match different.iter_mut().find(|known| known.1 == of) {
                Some(same) => same.0.extend(labels),
                None => different.push((labels, of)),
            }
        }
        Self::Match { on, arms: different, otherwise }
    }
}

/// A visitor of semantics: of expressions from the outside in, and of variables that are set.
pub(super) trait Visit {
    fn expr(&mut self, _: &Expr) {}
    fn sets(&mut self, _: usize) {}
}

/// A pass that only looks.
struct Look<'v, V>(&'v mut V);

impl<V: Visit> Pass for Look<'_, V> {
    fn expr(&mut self, e: &Expr) -> Expr {
        self.0.expr(e);
        inside(self, e)
    }

    fn place(&mut self, place: &Place) -> Place {
        if let PlaceKind::Var(v) = place.kind {
            self.0.sets(v);
        }
        inside_place(self, place)
    }

    fn variable(&mut self, v: usize) -> usize {
        self.0.sets(v);
        v
    }
}

pub(super) fn visit_stmts(stmts: &[Stmt], visit: &mut impl Visit) {
    Look(visit).stmts(stmts);
}

pub(super) fn visit_expr(e: &Expr, visit: &mut impl Visit) {
    Look(visit).expr(e);
}

/// The numbers of times that variables are set and read.
#[derive(Clone, Debug, Default)]
pub(super) struct Uses {
    pub(super) sets: Vec<usize>,
    pub(super) reads: Vec<usize>,
}

impl Uses {
    pub(super) fn of_stmts(vars: usize, stmts: &[Stmt]) -> Self {
        let mut uses = Self { sets: vec![0; vars], reads: vec![0; vars] };
        visit_stmts(stmts, &mut uses);
        uses
    }

    pub(super) fn of_expr(vars: usize, e: &Expr) -> Self {
        let mut uses = Self { sets: vec![0; vars], reads: vec![0; vars] };
        visit_expr(e, &mut uses);
        uses
    }
}

impl Visit for Uses {
    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Var(v) = e.kind {
            self.reads[v] += 1;
        }
    }

    fn sets(&mut self, var: usize) {
        self.sets[var] += 1;
    }
}

struct Any<F>(F, bool);

impl<F: Fn(&ExprKind) -> bool> Visit for Any<F> {
    fn expr(&mut self, e: &Expr) {
        self.1 |= (self.0)(&e.kind);
    }
}

/// True if some expression in one, itself included, is such.
pub(super) fn any(e: &Expr, is: impl Fn(&ExprKind) -> bool) -> bool {
    let mut any = Any(is, false);
    visit_expr(e, &mut any);
    any.1
}

/// Returns true if some expression in statements is such.
pub(super) fn any_of(stmts: &[Stmt], is: impl Fn(&ExprKind) -> bool) -> bool {
    let mut any = Any(is, false);
    visit_stmts(stmts, &mut any);
    any.1
}

/// True if an expression reads memory.
pub(super) fn loads(e: &Expr) -> bool {
    any(e, |kind| matches!(kind, ExprKind::Load(_)))
}

/// The number of memory locations, or else registers, that an expression is computed from; for a choice, those of its conditions
/// and of its largest arm. Addresses and indices do not count.
pub(super) fn sources(e: &Expr, memory: bool) -> usize {
    let sources = |e: &Expr| sources(e, memory);
    match &e.kind {
        ExprKind::Load(_) => 1,
        ExprKind::Register(_) | ExprKind::Flags(_) | ExprKind::State(_) => usize::from(!memory),
        _ => match Choice::of_expr(e) {
            Some(choice) => {
                let by: usize = choice.by().into_iter().map(sources).sum();
                by + choice.ways().into_iter().map(|way| sources(way)).max().unwrap_or(0)
            }
            None => e.children().into_iter().map(sources).sum(),
        },
    }
}

/// The expression without operations that change nothing.
pub(super) fn fold(e: Expr) -> Expr {
    let is = |e: &Expr, number: u128| matches!(e.kind, ExprKind::Const(value) if value == Int::from(number));
    let zext = |x: &Expr| match e.width {
        width if width == x.width => x.clone(),
        _ => {
            let call = ExprKind::Call { function: Function::Int(IntFunction::Zext), args: vec![x.clone()], exact: None };
            Expr { kind: call, ..e.clone() }
        }
    };
    match &e.kind {
        ExprKind::Concat(parts) if parts.len() == 2 && is(&parts[0], 0) => zext(&parts[1]),
        // Of some registers the one that is wanted; a load happens in any case.
        ExprKind::Slice { of, lo } if matches!(of.kind, ExprKind::Concat(_)) && !loads(of) => part(of, *lo, e.width),
        ExprKind::Binary(BinaryOp::Concat, a, b) if is(a, 0) => zext(b),
        ExprKind::Binary(BinaryOp::Add, a, b) if is(a, 0) => (**b).clone(),
        ExprKind::Binary(BinaryOp::Add, a, b) if is(b, 0) => (**a).clone(),
        ExprKind::Binary(BinaryOp::Shl | BinaryOp::ShrU, a, b) if is(b, 0) => (**a).clone(),
        _ => e,
    }
}

struct Count(usize);

impl Visit for Count {
    fn expr(&mut self, _: &Expr) {
        self.0 += 1;
    }
}

/// The number of expressions in an expression.
pub(super) fn size(e: &Expr) -> usize {
    let mut count = Count(0);
    visit_expr(e, &mut count);
    count.0
}

/// The number of expressions in statements.
pub(super) fn size_of_stmts(stmts: &[Stmt]) -> usize {
    let mut count = Count(0);
    visit_stmts(stmts, &mut count);
    count.0
}
