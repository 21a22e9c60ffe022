//! The variables of a function.

use super::closed::Closed;
use super::tree::Uses;
use super::uniform::Uniform;
use isa_spec::semantics::typed::{Body, Place, PlaceKind, Stmt, StmtKind};
use proc_macro2::Ident;
use std::collections::{BTreeMap, BTreeSet};

/// The representation of a variable that a body is given.
#[derive(Clone, Debug)]
pub(super) enum Given {
    /// A row; the number of the one lane.
    Row(Ident),
    /// A number.
    Number,
    /// A constant of the function: whether it holds.
    Choice(Ident),
}

/// The variables of a function, and where their values come from.
pub(super) struct Scope {
    pub(super) widths: Vec<u32>,
    pub(super) uniform: Uniform,
    /// Variables that the function is given.
    pub(super) given: BTreeMap<usize, Given>,
    /// Variables that are declared where they are set.
    pub(super) lets: BTreeSet<usize>,
}

impl Scope {
    /// The variables of a body; those of `varying` differ from lane to lane without being set.
    pub(super) fn of(body: &Body, given: BTreeMap<usize, Given>, varying: impl IntoIterator<Item = usize>) -> Self {
        let uniform = Uniform::of(body.vars.len(), &body.stmts, None, varying);
        Self { widths: body.vars.clone(), uniform, given, lets: lets(body) }
    }

    /// The variables of a value: what it reads is set before it, or given. Those of `varying` differ from lane to lane without being
    /// set.
    pub(super) fn of_value(of: &Closed, given: BTreeMap<usize, Given>, varying: impl IntoIterator<Item = usize>) -> Self {
        let (vars, stmts) = (&of.lets.vars, &of.lets.stmts);
        let sets = Uses::of_stmts(vars.len(), stmts).sets;
        let lets = stmts.iter().filter_map(variable).filter(|v| sets[*v] == 1).collect();
        Self { widths: vars.clone(), uniform: Uniform::of(vars.len(), stmts, Some(&of.value), varying), given, lets }
    }
}

/// The variable that a statement sets.
fn variable(stmt: &Stmt) -> Option<usize> {
    match &stmt.kind {
        StmtKind::Set(Place { kind: PlaceKind::Var(v), .. }, _) => Some(*v),
        _ => None,
    }
}

/// The variables that are set once, by a statement before all their uses in its block.
fn lets(body: &Body) -> BTreeSet<usize> {
    let all = Uses::of_stmts(body.vars.len(), &body.stmts);
    let mut found = BTreeSet::new();
    find_lets(body.vars.len(), &body.stmts, &all, &mut found);
    found
}

fn find_lets(vars: usize, stmts: &[Stmt], all: &Uses, found: &mut BTreeSet<usize>) {
    for (i, stmt) in stmts.iter().enumerate() {
        let is_let = |v: &usize| all.sets[*v] == 1 && Uses::of_stmts(vars, &stmts[i + 1..]).reads[*v] == all.reads[*v];
        found.extend(variable(stmt).filter(is_let));
        stmt.ways().into_iter().for_each(|body| find_lets(vars, body, all, found));
    }
}
