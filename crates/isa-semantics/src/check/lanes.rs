//! Checks of values from other lanes of a warp, and of state that a warp has once.

use super::Checker;
use isa_model::semantics::MeaningFault;
use isa_model::semantics::ast::Expr;
use isa_model::semantics::builtins::{Action, Supplied};
use isa_model::semantics::machine::{Machine, Sharing, StateKind};
use isa_model::semantics::typed::{self, Body, ExprKind as Kind, Place, PlaceKind, Stmt, StmtKind};
use std::ops::Range;

impl Checker<'_> {
    /// `from_lane(k, e)`: the value of an expression in another lane; `ballot(c)`: a bit for each lane.
    pub(super) fn of_lanes(&mut self, name: &str, args: &[Expr], range: &Range<usize>) -> Option<typed::Expr> {
        let lanes = self.scope.machine().lanes;
        if lanes == 1 {
            let help = "`lanes: 32` is a machine with warps of 32";
            self.fault_with(range, format!("`{name}` is about several lanes, and this machine has one"), Some(help));
            return None;
        }
        let value = if name == "ballot" {
            self.count(args, 1, "ballot(condition)", range)?;
            self.sized(&args[0], 1, "the condition")?
        } else {
            self.count(args, 2, "from_lane(lane, value)", range)?;
            self.typed(&args[1], None)?
        };
        if let Some(at) = needs_variable(&value) {
            let help = "it is computed in all lanes before the instruction does anything: say what the variable is made of";
            self.fault_with(&at, format!("what `{name}` computes in other lanes can't use a variable"), Some(help));
            return None;
        }
        let width = value.width;
        if name == "ballot" {
            return Some(self.make(Kind::Ballot(Box::new(value)), lanes, range));
        }
        let lane = self.typed(&args[0], Some(32))?;
        Some(self.make(Kind::Other { value: Box::new(value), lane: Box::new(lane) }, width, range))
    }
}

/// The first place at which an expression reads a variable that it does not set.
fn needs_variable(e: &typed::Expr) -> Option<Range<usize>> {
    fn sets(stmts: &[Stmt], own: &mut Vec<usize>) {
        for stmt in stmts {
            if let StmtKind::Set(place, _) = &stmt.kind {
                own.extend(variables(place));
            }
            stmt.nested().into_iter().for_each(|stmt| sets(std::slice::from_ref(stmt), own));
        }
    }
    fn inside(stmts: &[Stmt], own: &[usize]) -> Option<Range<usize>> {
        stmts.iter().find_map(|stmt| {
            stmt.exprs()
                .into_iter()
                .find_map(|e| look(e, own))
                .or_else(|| stmt.nested().into_iter().find_map(|stmt| inside(std::slice::from_ref(stmt), own)))
        })
    }
    fn look(e: &typed::Expr, own: &[usize]) -> Option<Range<usize>> {
        match &e.kind {
            Kind::Var(var) if !own.contains(var) => Some(e.range.clone()),
            Kind::Block(stmts, value) => {
                let mut own = own.to_vec();
                sets(stmts, &mut own);
                inside(stmts, &own).or_else(|| look(value, &own))
            }
            _ => e.children().into_iter().find_map(|e| look(e, own)),
        }
    }
    look(e, &[])
}

/// The variables that a place is made of.
fn variables(place: &Place) -> Vec<usize> {
    match &place.kind {
        PlaceKind::Var(var) => vec![*var],
        PlaceKind::Register(_) | PlaceKind::Flags(_) | PlaceKind::State(_) => Vec::new(),
        PlaceKind::Slice { of, .. } | PlaceKind::Part { of, .. } => variables(of),
        PlaceKind::Concat(parts) => parts.iter().flat_map(variables).collect(),
    }
}

/// The faults in a body's use of what a warp has once; `of_warp` tells which register files that is true of.
pub fn check_warps(body: &Body, machine: &Machine, of_warp: &dyn Fn(usize) -> bool) -> Vec<MeaningFault> {
    if machine.lanes == 1 {
        return Vec::new();
    }
    let mut warps = Warps { machine, of_warp, same: vec![true; body.vars.len()], faults: Vec::new() };
    // Find the variables that are the same in all lanes: one that is not can make others differ.
    loop {
        let before = warps.same.clone();
        warps.stmts(&body.stmts, true);
        if warps.same == before {
            break;
        }
    }
    warps.faults.clear();
    warps.stmts(&body.stmts, true);
    if meets(&body.stmts)
        && let Some(range) = writes(&body.stmts)
    {
        warps.fault(range, "an instruction that meets others is executed again while it waits: it can't write anything", None);
    }
    warps.faults
}

struct Warps<'a> {
    machine: &'a Machine,
    of_warp: &'a dyn Fn(usize) -> bool,
    /// The variables that are the same in all lanes.
    same: Vec<bool>,
    faults: Vec<MeaningFault>,
}

impl Warps<'_> {
    fn fault(&mut self, range: Range<usize>, message: &str, help: Option<&str>) {
        let fault = MeaningFault { help: help.map(str::to_owned), ..MeaningFault::new(range, message) };
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    /// Statements that all lanes execute, or some.
    fn stmts(&mut self, stmts: &[Stmt], all: bool) {
        for stmt in stmts {
            stmt.exprs().into_iter().for_each(|e| self.blocks(e, all));
            match &stmt.kind {
                StmtKind::Set(place, value) => {
                    let same = all && self.is_same(value) && place.exprs().into_iter().all(|e| self.is_same(e));
                    self.set(place, same);
                }
                StmtKind::If { arms, otherwise } => {
                    let all = all && arms.iter().all(|arm| self.is_same(&arm.0));
                    arms.iter().for_each(|arm| self.stmts(&arm.1, all));
                    self.stmts(otherwise, all);
                }
                StmtKind::Match { on, arms, otherwise } => {
                    let all = all && self.is_same(on);
                    arms.iter().for_each(|arm| self.stmts(&arm.1, all));
                    self.stmts(otherwise, all);
                }
                StmtKind::Atomic { old, .. } => self.same[*old] = false,
                StmtKind::Store(..) | StmtKind::Action(..) => {}
            }
        }
    }

    /// The statements in an expression.
    fn blocks(&mut self, e: &typed::Expr, all: bool) {
        if let Kind::Block(stmts, _) = &e.kind {
            self.stmts(stmts, all);
        }
        e.children().into_iter().for_each(|e| self.blocks(e, all));
    }

    fn set(&mut self, place: &Place, same: bool) {
        match &place.kind {
            PlaceKind::Var(var) => self.same[*var] &= same,
            PlaceKind::Register(r) if (self.of_warp)(r.file) && !same => self.differs(place, "register"),
            PlaceKind::State(state) if self.machine.state[*state].of_warp && !same => self.differs(place, "value"),
            PlaceKind::Slice { of, .. } | PlaceKind::Part { of, .. } => self.set(of, same),
            PlaceKind::Concat(parts) => parts.iter().for_each(|part| self.set(part, same)),
            PlaceKind::Register(_) | PlaceKind::Flags(_) | PlaceKind::State(_) => {}
        }
    }

    fn differs(&mut self, place: &Place, what: &str) {
        let message = format!("a warp has this {what} once, and what is written here may differ between its lanes");
        let help = "`from_lane(ctz(active), …)` is the value of the first lane that takes part";
        self.fault(place.range.clone(), &message, Some(help));
    }

    /// True if an expression has one value in all lanes.
    fn is_same(&self, e: &typed::Expr) -> bool {
        match &e.kind {
            Kind::Var(var) => self.same[*var],
            Kind::Register(r) => (self.of_warp)(r.file) && self.is_same(&r.index),
            Kind::Flags(_) => false,
            Kind::State(state) => {
                let state = &self.machine.state[*state];
                match state.kind {
                    StateKind::Launch => !state.name.starts_with("tid.") && state.name != "laneid",
                    StateKind::Written => state.of_warp,
                }
            }
            Kind::Supplied(Supplied::Lane) => false,
            Kind::Load(access) => {
                self.machine.reached(access.space).into_iter().all(|space| self.machine.spaces[space].owner != Sharing::Lane)
                    && access.children().into_iter().all(|e| self.is_same(e))
            }
            Kind::Other { lane, .. } => self.is_same(lane),
            Kind::Ballot(_) => true,
            Kind::Block(stmts, value) => {
                stmts.iter().all(|stmt| stmt.exprs().into_iter().all(|e| self.is_same(e))) && self.is_same(value)
            }
            _ => e.children().into_iter().all(|e| self.is_same(e)),
        }
    }
}

fn meets(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|stmt| {
        matches!(stmt.kind, StmtKind::Action(Action::Meet, _))
            || stmt.nested().into_iter().any(|stmt| meets(std::slice::from_ref(stmt)))
    })
}

/// The first place at which something is written that outlasts the body.
fn writes(stmts: &[Stmt]) -> Option<Range<usize>> {
    stmts.iter().find_map(|stmt| match &stmt.kind {
        StmtKind::Store(..) | StmtKind::Atomic { .. } => Some(stmt.range.clone()),
        StmtKind::Set(place, _) if !is_variable(place) => Some(place.range.clone()),
        _ => stmt.nested().into_iter().find_map(|stmt| writes(std::slice::from_ref(stmt))),
    })
}

fn is_variable(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Var(_) => true,
        PlaceKind::Register(_) | PlaceKind::Flags(_) | PlaceKind::State(_) => false,
        PlaceKind::Slice { of, .. } | PlaceKind::Part { of, .. } => is_variable(of),
        PlaceKind::Concat(parts) => parts.iter().all(is_variable),
    }
}
