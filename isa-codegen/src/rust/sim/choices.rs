//! Choices that are worth a loop of their own: what the word says once for all lanes becomes a constant of the body's function, of
//! which there is an instance for each value.

use super::merge::Merged;
use super::scan::Scan;
use super::tree::{Pass, any, inside, inside_stmt, size, size_of_stmts};
use super::uniform::Uniform;
use isa_spec::semantics::ast::BinaryOp;
use isa_spec::semantics::typed::{Body, Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind};

/// The greatest number of choices in a body: each doubles its instances. A two-bit number that selects several values counts as
/// one: compilers would make a loop for each of its values in any case, within every instance. In measurements, four choices were
/// no faster, and two were slower.
const MOST_CHOICES: usize = 3;

/// The weight of a choice between statements, relative to one between values.
const STATEMENTS: usize = 1000;

/// The least share of a body that a choice must affect: below that, its loop would hardly be faster, and the body is compiled
/// twice.
const LEAST_PART: usize = 32;

/// A body whose choices are variables.
pub(super) struct Chosen {
    pub(super) body: Body,
    /// The variables, and when they hold.
    pub(super) choices: Vec<(usize, Expr)>,
}

impl Chosen {
    /// A body whose choices stay in it.
    pub(super) fn none(merged: &Merged) -> Self {
        Self { body: merged.body.clone(), choices: Vec::new() }
    }
}

/// Takes the choices that matter most out of a body that only computes.
pub(super) fn choose(merged: &Merged, uniform: &Uniform) -> Chosen {
    if !Scan::of(&merged.body.stmts, uniform).is_straight() {
        return Chosen::none(merged);
    }
    let stmts = OneArm { uniform }.stmts(&merged.body.stmts);
    let mut found = Find { merged, weights: Vec::new(), kinds: Vec::new() };
    drop(found.stmts(&stmts));
    let Find { mut weights, kinds, .. } = found;
    let kind = kinds.into_iter().find(|(_, count)| *count > 1).map(|(kind, _)| kind);
    let least = size_of_stmts(&stmts).div_ceil(LEAST_PART);
    weights.retain(|(cond, weight)| *weight >= least && (kind.is_none() || compared(cond) != kind.as_ref()));
    // Equal weights keep the order of the body.
    weights.sort_by_key(|(_, weight)| std::cmp::Reverse(*weight));
    weights.truncate(if kind.is_some() { MOST_CHOICES - 1 } else { MOST_CHOICES });
    let mut vars = merged.body.vars.clone();
    let mut new = |width| {
        vars.push(width);
        vars.len() - 1
    };
    let mut choices: Vec<(usize, Expr)> = weights.into_iter().map(|(cond, _)| (new(1), cond)).collect();
    let Some(kind) = kind else {
        let stmts = Replace { choices: &choices }.stmts(&stmts);
        return Chosen { body: Body { vars, stmts }, choices };
    };
    // Its bits are choices, and it is made of them.
    let of = |lo| Expr { kind: ExprKind::Slice { of: Box::new(kind.clone()), lo }, width: 1, range: 0..0 };
    let bits: Vec<(usize, Expr)> = (0..kind.width).map(|lo| (new(1), of(lo))).collect();
    let known = new(kind.width);
    choices.push((known, kind.clone()));
    let stmts = Replace { choices: &choices }.stmts(&stmts);
    choices.pop();
    let parts = bits.iter().rev().map(|(var, _)| Expr { kind: ExprKind::Var(*var), width: 1, range: 0..0 }).collect();
    let place = Place { kind: PlaceKind::Var(known), width: kind.width, range: 0..0 };
    let value = Expr { kind: ExprKind::Concat(parts), ..kind };
    let set = Stmt { kind: StmtKind::Set(place, value), range: 0..0 };
    choices.extend(bits);
    Chosen { body: Body { vars, stmts: [vec![set], stmts].concat() }, choices }
}

/// The expression that a condition compares with a constant.
fn compared(cond: &Expr) -> Option<&Expr> {
    match &cond.kind {
        ExprKind::Binary(BinaryOp::Eq, a, b) if matches!(b.kind, ExprKind::Const(_)) => Some(a),
        _ => None,
    }
}

/// True if an expression is known when an instruction is made ready.
pub(super) fn is_argument(merged: &Merged, e: &Expr) -> bool {
    use ExprKind::*;
    let is_param = |v: &usize| merged.params.iter().any(|p| p.var == *v && p.is_uniform);
    !any(e, |kind| match kind {
        Var(v) => !is_param(v),
        Register(_) | Flags(_) | State(_) | Supplied(_) | Variant(_) | Load(_) | Block(..) => true,
        Other { .. } | Ballot(_) => true,
        _ => false,
    })
}

/// `match kind { 3 => carry, else => 1 }`, of which one arm alone is the lanes' own: a choice between two.
struct OneArm<'u> {
    uniform: &'u Uniform,
}

impl Pass for OneArm<'_> {
    fn expr(&mut self, e: &Expr) -> Expr {
        let ExprKind::Match { on, arms, otherwise } = &e.kind else { return inside(self, e) };
        let (own, same): (Vec<_>, Vec<_>) = arms.iter().cloned().partition(|arm| !self.uniform.is(&arm.1));
        let [(labels, own)] = &own[..] else { return inside(self, e) };
        if !self.uniform.is(on) || !self.uniform.is(otherwise) {
            return inside(self, e);
        }
        let bit = |kind| Expr { kind, width: 1, range: 0..0 };
        let number =
            |label: &isa_spec::semantics::Int| Box::new(Expr { kind: ExprKind::Const(*label), width: on.width, range: 0..0 });
        let is = labels.iter().map(|label| bit(ExprKind::Binary(BinaryOp::Eq, on.clone(), number(label))));
        let Some(is) = is.reduce(|a, b| bit(ExprKind::Binary(BinaryOp::LogicOr, Box::new(a), Box::new(b)))) else {
            return inside(self, e);
        };
        let rest = ExprKind::Match { on: on.clone(), arms: same, otherwise: otherwise.clone() };
        let rest = Box::new(Expr { kind: rest, ..e.clone() });
        Expr { kind: ExprKind::If { arms: vec![(is, self.expr(own))], otherwise: rest }, ..e.clone() }
    }
}

/// Finds choices, and what they weigh.
struct Find<'m> {
    merged: &'m Merged,
    weights: Vec<(Expr, usize)>,
    /// Numbers of two bits that values are chosen by, and how many values.
    kinds: Vec<(Expr, usize)>,
}

impl Find<'_> {
    fn kind(&mut self, on: &Expr) {
        if on.width == 2 && !matches!(on.kind, ExprKind::Const(_)) && is_argument(self.merged, on) {
            match self.kinds.iter_mut().find(|(known, _)| known == on) {
                Some(known) => known.1 += 1,
                None => self.kinds.push((on.clone(), 1)),
            }
        }
    }

    fn cond(&mut self, cond: &Expr, weight: usize) {
        if is_argument(self.merged, cond) {
            if !matches!(cond.kind, ExprKind::Const(_)) {
                match self.weights.iter_mut().find(|(known, _)| known == cond) {
                    Some(known) => known.1 += weight,
                    None => self.weights.push((cond.clone(), weight)),
                }
            }
        } else if let ExprKind::Binary(BinaryOp::LogicAnd | BinaryOp::And, a, b) = &cond.kind {
            for part in [a, b] {
                if is_argument(self.merged, part) {
                    self.cond(part, weight);
                }
            }
        }
    }
}

impl Pass for Find<'_> {
    fn expr(&mut self, e: &Expr) -> Expr {
        if let ExprKind::If { arms, otherwise } = &e.kind
            && arms.len() == 1
        {
            self.cond(&arms[0].0, size(&arms[0].1) + size(otherwise));
        }
        match &e.kind {
            ExprKind::If { arms, .. } => arms.iter().filter_map(|(cond, _)| compared(cond)).for_each(|on| self.kind(on)),
            ExprKind::Match { on, .. } => self.kind(on),
            _ => {}
        }
        inside(self, e)
    }

    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        if let StmtKind::If { arms, .. } = &stmt.kind
            && arms.len() == 1
        {
            self.cond(&arms[0].0, STATEMENTS);
        }
        inside_stmt(self, stmt)
    }
}

struct Replace<'c> {
    choices: &'c [(usize, Expr)],
}

impl Pass for Replace<'_> {
    fn expr(&mut self, e: &Expr) -> Expr {
        match self.choices.iter().find(|(_, cond)| cond == e) {
            Some((var, _)) => Expr { kind: ExprKind::Var(*var), ..e.clone() },
            None => inside(self, e),
        }
    }
}
