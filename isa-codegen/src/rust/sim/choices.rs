//! Choices that are worth a loop of their own: what the word says once for all lanes becomes a constant of the body's function, of
//! which there is an instance for each value.

use super::merge::Merged;
use super::scan::Scan;
use super::tree::{Pass, any, inside, inside_stmt, size, size_of_stmts};
use super::uniform::Uniform;
use isa_spec::semantics::ast::BinaryOp;
use isa_spec::semantics::typed::{Body, Expr, ExprKind, Stmt, StmtKind};

/// The greatest number of choices in a body: each doubles its instances. In measurements, four choices were no faster, and two were
/// slower.
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
    let mut found = Find { merged, weights: Vec::new() };
    drop(found.stmts(&merged.body.stmts));
    let mut weights = found.weights;
    let least = size_of_stmts(&merged.body.stmts).div_ceil(LEAST_PART);
    weights.retain(|(_, weight)| *weight >= least);
    // Equal weights keep the order of the body.
    weights.sort_by_key(|(_, weight)| std::cmp::Reverse(*weight));
    weights.truncate(MOST_CHOICES);
    let mut vars = merged.body.vars.clone();
    let first = vars.len();
    vars.resize(first + weights.len(), 1);
    let choices: Vec<(usize, Expr)> = (first..).zip(weights.into_iter().map(|(cond, _)| cond)).collect();
    let stmts = Replace { choices: &choices }.stmts(&merged.body.stmts);
    Chosen { body: Body { vars, stmts }, choices }
}

/// True if an expression is known when an instruction is made ready.
fn is_argument(merged: &Merged, e: &Expr) -> bool {
    use ExprKind::*;
    let is_param = |v: &usize| merged.params.iter().any(|p| p.var == *v && p.is_uniform);
    !any(e, |kind| match kind {
        Var(v) => !is_param(v),
        Register(_) | Flags(_) | State(_) | Supplied(_) | Variant(_) | Load(_) | Block(..) => true,
        Other { .. } | Ballot(_) => true,
        _ => false,
    })
}

/// Finds choices, and what they weigh.
struct Find<'m> {
    merged: &'m Merged,
    weights: Vec<(Expr, usize)>,
}

impl Find<'_> {
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
