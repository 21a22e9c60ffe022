//! Functions that bodies call: where a function of the specification computes much, its code is there once, and bodies call it.

use super::closed::{Closed, numbered, renumbered};
use super::tree::{Pass, Uses, Visit, any, any_of, inside, size, size_of_stmts, visit_stmts};
use isa_spec::semantics::builtins::Function;
use isa_spec::semantics::typed::{Body, Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind};
use std::collections::HashMap;

/// The least number of expressions in a function that is counted at all: smaller ones are always in line.
const SMALL: usize = 8;

/// The least number of expressions of a function: shorter ones are in line.
const LEAST: usize = 40;

/// The number of expressions of all calls in a body above which a shorter function is not in line.
const REPEATED: usize = 400;

/// The least number for a function that compilers leave where it is: others are part of the loops over lanes that call them.
const LARGE: usize = 160;

/// The functions so far; their numbers are those of [`Function::Own`].
#[derive(Default)]
pub(super) struct Functions {
    known: HashMap<(usize, Closed), usize>,
    pub(super) all: Vec<Own>,
}

/// A function. Its parameters are its first variables.
pub(super) struct Own {
    pub(super) params: usize,
    pub(super) of: Closed,
    pub(super) is_large: bool,
}

impl Functions {
    /// Takes functions out of a body.
    pub(super) fn outline(&mut self, body: &Body) -> Body {
        let mut count = Count { vars: &body.vars, calls: HashMap::new() };
        visit_stmts(&body.stmts, &mut count);
        let calls = count.calls;
        Outline { functions: self, vars: &body.vars, calls: &calls }.body(body)
    }
}

/// Counts how often blocks are there that are alike.
struct Count<'a> {
    vars: &'a [u32],
    calls: HashMap<(usize, Closed), usize>,
}

impl Visit for Count<'_> {
    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Block(stmts, value) = &e.kind
            && let Some(taken) = Taken::of(self.vars, stmts, value)
        {
            *self.calls.entry(taken.key()).or_default() += 1;
        }
    }
}

/// Takes functions out of a body with variables of these widths.
struct Outline<'a> {
    functions: &'a mut Functions,
    vars: &'a [u32],
    calls: &'a HashMap<(usize, Closed), usize>,
}

impl Pass for Outline<'_> {
    fn expr(&mut self, e: &Expr) -> Expr {
        match &e.kind {
            ExprKind::Block(stmts, value) => self.call(e, stmts, value).unwrap_or_else(|| inside(self, e)),
            _ => inside(self, e),
        }
    }
}

impl Outline<'_> {
    /// The call that replaces a block, if it is worth one.
    fn call(&mut self, e: &Expr, stmts: &[Stmt], value: &Expr) -> Option<Expr> {
        let taken = Taken::of(self.vars, stmts, value)?;
        let key = taken.key();
        let is_repeated = self.calls.get(&key).is_some_and(|calls| *calls > 2 && calls * taken.size >= REPEATED);
        if taken.size < LEAST && !is_repeated {
            return None;
        }
        let number = match self.functions.known.get(&key) {
            Some(number) => *number,
            None => {
                let Closed { lets, value } = &taken.of;
                let mut inner = Outline { functions: self.functions, vars: &lets.vars, calls: self.calls };
                let (stmts, value) = (inner.stmts(&lets.stmts), inner.expr(value));
                let params: Vec<usize> = (0..taken.args.len()).collect();
                let of = renumbered(&lets.vars, &params, &stmts, &value);
                self.functions.all.push(Own { params: params.len(), of, is_large: taken.size >= LARGE });
                self.functions.known.insert(key, self.functions.all.len() - 1);
                self.functions.all.len() - 1
            }
        };
        let args = taken.args.iter().map(|arg| self.expr(arg)).collect();
        let kind = ExprKind::Call { function: Function::Own(number), args, exact: None };
        Some(Expr { kind, width: e.width, range: 0..0 })
    }
}

/// A block that can be a function: its arguments, and a function of these, which are its first variables. What the word says in it, the
/// machine supplies, and variables of what is around, are arguments.
struct Taken {
    args: Vec<Expr>,
    of: Closed,
    size: usize,
}

impl Taken {
    fn of(vars: &[u32], stmts: &[Stmt], value: &Expr) -> Option<Self> {
        let params = params(vars, stmts);
        let (in_stmts, in_value) = (Uses::of_stmts(vars.len(), stmts), Uses::of_expr(vars.len(), value));
        let is_set = (0..vars.len()).map(|v| in_stmts.sets[v] + in_value.sets[v] > 0).collect();
        let mut leaves = Leaves { is_set, found: Vec::new() };
        let rest = leaves.stmts(&stmts[params.len()..]);
        let value = leaves.expr(value);
        let size = size_of_stmts(&rest) + size(&value);
        if size < SMALL || any_of(&rest, is_state) || any(&value, is_state) {
            return None;
        }
        let own: Vec<usize> = params.iter().map(|(v, _)| *v).chain((0..leaves.found.len()).map(|i| vars.len() + i)).collect();
        let widths: Vec<u32> = vars.iter().copied().chain(leaves.found.iter().map(|leaf| leaf.width)).collect();
        let of = numbered(&widths, &own, &rest, &value);
        let args = params.into_iter().map(|(_, arg)| arg.clone()).chain(leaves.found).collect();
        Some(Self { args, of, size })
    }

    /// A key that equal functions have in common.
    fn key(&self) -> (usize, Closed) {
        (self.args.len(), self.of.clone())
    }
}

/// The first statements of a block, which set variables to what is known outside of it.
fn params<'s>(vars: &[u32], stmts: &'s [Stmt]) -> Vec<(usize, &'s Expr)> {
    let sets = Uses::of_stmts(vars.len(), stmts).sets;
    let mut params: Vec<(usize, &Expr)> = Vec::new();
    for stmt in stmts {
        let StmtKind::Set(Place { kind: PlaceKind::Var(v), .. }, value) = &stmt.kind else { break };
        let uses = Uses::of_expr(vars.len(), value);
        let is_outside = (0..sets.len()).all(|v| uses.reads[v] == 0 || uses.sets[v] == sets[v]);
        // A variable that begins with a number and changes is the function's own.
        let is_start = sets[*v] > 1 && matches!(value.kind, ExprKind::Const(_));
        if !is_outside || is_start || params.iter().any(|param| param.0 == *v) {
            break;
        }
        params.push((*v, value));
    }
    params
}

/// True for expressions that only a body has.
fn is_state(kind: &ExprKind) -> bool {
    use ExprKind::*;
    matches!(kind, Register(_) | Flags(_) | State(_) | Load(_) | Other { .. } | Ballot(_))
}

/// Puts variables where the word says something, the machine supplies it, or it is a variable of what is around.
struct Leaves {
    /// The variables that are set inside; new ones follow.
    is_set: Vec<bool>,
    found: Vec<Expr>,
}

impl Pass for Leaves {
    fn expr(&mut self, e: &Expr) -> Expr {
        match e.kind {
            ExprKind::Var(v) if self.is_set[v] => e.clone(),
            ExprKind::Var(_) | ExprKind::Field(_) | ExprKind::Condition(_) | ExprKind::Variant(_) | ExprKind::Supplied(_) => {
                let at = self.found.iter().position(|leaf| leaf == e).unwrap_or_else(|| {
                    self.found.push(e.clone());
                    self.found.len() - 1
                });
                Expr { kind: ExprKind::Var(self.is_set.len() + at), ..e.clone() }
            }
            _ => inside(self, e),
        }
    }
}
