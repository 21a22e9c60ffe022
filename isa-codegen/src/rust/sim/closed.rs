//! Closed values and simple bodies: functions are put in line, variables that are another name of something simple go, and variables are
//! numbered as they are met.

use super::tree::{Pass, Uses, fold, inside, inside_place, inside_stmt, loads, sources};
use isa_spec::semantics::typed::{Access, Body, Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind};
use std::collections::HashMap;

/// A self-contained value: statements that set variables, and an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Closed {
    pub(super) lets: Body,
    pub(super) value: Expr,
}

impl Closed {
    /// A value from an expression that reads only variables set in it.
    pub(super) fn of(vars: &[u32], value: &Expr) -> Self {
        renumbered(vars, &[], &[], value)
    }

    /// True if it reads memory.
    pub(super) fn loads(&self) -> bool {
        self.exprs().any(loads)
    }

    /// The number of memory locations it is computed from, or else registers: one is a source of an instruction, more are a
    /// computation. Registers of addresses don't count.
    pub(super) fn sources(&self) -> usize {
        let loads = self.loads();
        self.exprs().map(|e| sources(e, loads)).sum()
    }

    /// Its expressions; of what statements are in it, those that set variables.
    fn exprs(&self) -> impl Iterator<Item = &Expr> {
        let values = self.lets.stmts.iter().filter_map(|stmt| match &stmt.kind {
            StmtKind::Set(_, value) => Some(value),
            _ => None,
        });
        values.chain([&self.value])
    }

    /// True if it is an expression alone.
    pub(super) fn is_plain(&self) -> bool {
        self.lets.vars.is_empty()
    }
}

/// Statements that set variables, and a value after them, that read no variable but these and those that are set: functions in line, and
/// variables numbered as they are met, so that what is the same compares equal. The `given` ones are the first.
pub(super) fn renumbered(vars: &[u32], given: &[usize], stmts: &[Stmt], value: &Expr) -> Closed {
    let mut flattened = Vec::new();
    stmts.iter().for_each(|stmt| flat(stmt, &mut flattened));
    let value = Lift { out: &mut flattened }.expr(value);
    let mut uses = Uses::of_stmts(vars.len(), &flattened);
    uses.reads.iter_mut().zip(Uses::of_expr(vars.len(), &value).reads).for_each(|(all, more)| *all += more);
    // What is given may be changed.
    given.iter().for_each(|v| uses.sets[*v] += uses.sets[*v].min(1));
    let mut names = Names { uses, values: HashMap::new() };
    let stmts = names.stmts(&flattened);
    let value = names.expr(&value);
    numbered(vars, given, &stmts, &value)
}

/// The same with functions where they are.
pub(super) fn numbered(vars: &[u32], given: &[usize], stmts: &[Stmt], value: &Expr) -> Closed {
    let mut renumber = Renumber { widths: vars, known: HashMap::new(), vars: Vec::new() };
    given.iter().for_each(|v| _ = renumber.var(*v));
    let stmts = renumber.stmts(stmts);
    let value = renumber.expr(value);
    Closed { value, lets: Body { vars: renumber.vars, stmts } }
}

struct Renumber<'w> {
    widths: &'w [u32],
    known: HashMap<usize, usize>,
    vars: Vec<u32>,
}

impl Renumber<'_> {
    fn var(&mut self, v: usize) -> usize {
        let (vars, width) = (&mut self.vars, self.widths[v]);
        *self.known.entry(v).or_insert_with(|| {
            vars.push(width);
            vars.len() - 1
        })
    }
}

impl Pass for Renumber<'_> {
    fn expr(&mut self, e: &Expr) -> Expr {
        match e.kind {
            ExprKind::Var(v) => Expr { kind: ExprKind::Var(self.var(v)), ..e.clone() },
            _ => inside(self, e),
        }
    }

    fn place(&mut self, place: &Place) -> Place {
        match place.kind {
            PlaceKind::Var(v) => Place { kind: PlaceKind::Var(self.var(v)), ..place.clone() },
            _ => inside_place(self, place),
        }
    }
}

/// Functions in line, and no variables that are another name of something simple.
pub(super) fn simple(body: &Body) -> Body {
    let mut stmts = Vec::new();
    body.stmts.iter().for_each(|s| flat(s, &mut stmts));
    let uses = Uses::of_stmts(body.vars.len(), &stmts);
    let mut names = Names { uses, values: HashMap::new() };
    Body { vars: body.vars.clone(), stmts: names.stmts(&stmts) }
}

/// The statement, after those of the functions that it calls whatever happens.
fn flat(stmt: &Stmt, out: &mut Vec<Stmt>) {
    let mut lift = Lift { out };
    let flat_all = |stmts: &[Stmt]| {
        let mut all = Vec::new();
        stmts.iter().for_each(|s| flat(s, &mut all));
        all
    };
    let kind = match &stmt.kind {
        StmtKind::If { arms, otherwise } => {
            let first = lift.expr(&arms[0].0);
            let arms = arms.iter().enumerate().map(|(i, (cond, body))| {
                let cond = if i == 0 { first.clone() } else { cond.clone() };
                (cond, flat_all(body))
            });
            StmtKind::If { arms: arms.collect(), otherwise: flat_all(otherwise) }
        }
        StmtKind::Match { on, arms, otherwise } => StmtKind::Match {
            on: lift.expr(on),
            arms: arms.iter().map(|(labels, body)| (labels.clone(), flat_all(body))).collect(),
            otherwise: flat_all(otherwise),
        },
        // What memory takes is made where it is known what was there.
        StmtKind::Atomic { at, old, new } => {
            let bank = at.bank.as_ref().map(|bank| Box::new(lift.expr(bank)));
            let address = Box::new(lift.expr(&at.address));
            StmtKind::Atomic { at: Access { bank, address, ..at.clone() }, old: *old, new: new.clone() }
        }
        _ => inside_stmt(&mut lift, stmt).kind,
    };
    out.push(Stmt { kind, range: 0..0 });
}

/// Moves the statements of functions to the front, but for those that a choice may leave out.
struct Lift<'o> {
    out: &'o mut Vec<Stmt>,
}

impl Pass for Lift<'_> {
    fn expr(&mut self, e: &Expr) -> Expr {
        let kind = match &e.kind {
            ExprKind::Block(stmts, value) => {
                stmts.iter().for_each(|s| flat(s, self.out));
                return self.expr(value);
            }
            ExprKind::If { arms, otherwise } => {
                let mut arms = arms.clone();
                arms[0].0 = self.expr(&arms[0].0);
                ExprKind::If { arms, otherwise: otherwise.clone() }
            }
            ExprKind::Match { on, arms, otherwise } => {
                ExprKind::Match { on: Box::new(self.expr(on)), arms: arms.clone(), otherwise: otherwise.clone() }
            }
            // Values requested from other lanes are computed separately.
            ExprKind::Other { value, lane } => ExprKind::Other { value: value.clone(), lane: Box::new(self.expr(lane)) },
            ExprKind::Ballot(_) => return e.clone(),
            _ => return inside(self, e),
        };
        Expr { kind, width: e.width, range: 0..0 }
    }
}

/// Puts the values of variables that are set once, to something simple, where the variables are read.
struct Names {
    uses: Uses,
    values: HashMap<usize, Expr>,
}

impl Names {
    fn is_simple(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Const(_) | ExprKind::Field(_) | ExprKind::Condition(_) | ExprKind::Supplied(_) | ExprKind::Variant(_) => {
                true
            }
            // One that is never set is given.
            ExprKind::Var(v) => self.uses.sets[*v] <= 1,
            ExprKind::Slice { of, .. } => self.is_simple(of),
            _ => false,
        }
    }
}

impl Pass for Names {
    fn expr(&mut self, e: &Expr) -> Expr {
        match &e.kind {
            ExprKind::Var(v) => self.values.get(v).cloned().unwrap_or_else(|| e.clone()),
            _ => fold(inside(self, e)),
        }
    }

    fn stmts(&mut self, stmts: &[Stmt]) -> Vec<Stmt> {
        let mut kept = Vec::new();
        for stmt in stmts {
            let stmt = self.stmt(stmt);
            match &stmt.kind {
                StmtKind::Set(Place { kind: PlaceKind::Var(v), .. }, value)
                    if self.uses.sets[*v] == 1 && self.is_simple(value) =>
                {
                    self.values.insert(*v, value.clone());
                }
                // It is not read; but a load can be a fault.
                StmtKind::Set(Place { kind: PlaceKind::Var(v), .. }, value) if self.uses.reads[*v] == 0 && !loads(value) => {}
                _ => kept.push(stmt),
            }
        }
        kept
    }
}
