//! Statements.

use super::super::ast::{Expr, ExprKind, Ident, Stmt, StmtKind};
use super::super::builtins::{ACTIONS, ActionArg};
use super::super::typed::{self, ExprKind as Kind, Place, PlaceKind};
use super::float::named;
use super::names::Found;
use super::{Bind, Checker, Local, bits, fold};
use std::ops::Range;

/// How often a loop may turn.
const MAX_TURNS: i128 = 256;

/// Returns true for a call of a function of floats.
fn is_float(value: &Expr) -> bool {
    let ExprKind::Call { name, .. } = &value.kind else { return false };
    named(&name.text).is_some()
}

impl Checker<'_> {
    /// The statements of a block, which has names of its own.
    pub(super) fn stmts(&mut self, body: &[Stmt]) -> Vec<typed::Stmt> {
        let locals = self.locals.len();
        let made = self.stmts_here(body);
        self.locals.truncate(locals);
        made
    }

    pub(super) fn stmts_here(&mut self, body: &[Stmt]) -> Vec<typed::Stmt> {
        let mut made = Vec::new();
        let outer = std::mem::take(&mut self.pending);
        for stmt in body {
            if !self.room(&stmt.range) {
                break;
            }
            if self.down(&stmt.range) {
                let mut own = Vec::new();
                self.stmt(stmt, &mut own);
                made.append(&mut self.pending);
                made.append(&mut own);
                self.depth -= 1;
            }
        }
        self.pending = outer;
        made
    }

    /// Looks at one statement; `None` if it has a fault.
    fn stmt(&mut self, stmt: &Stmt, out: &mut Vec<typed::Stmt>) -> Option<()> {
        let range = &stmt.range;
        match &stmt.kind {
            StmtKind::Let { name, width, value } => self.define(name, *width, value, range, out)?,
            StmtKind::Assign { place, value } => {
                let place = self.place(place);
                let value = match self.atomic_value(value, out) {
                    Some(var) => {
                        let var = var?;
                        Some(self.make(Kind::Var(var), self.vars[var], &value.range))
                            .filter(|made| place.as_ref().is_none_or(|p| self.same(p.width, made.width, &value.range)))
                    }
                    None => match &place {
                        Some(place) => self.sized(value, place.width, "the destination"),
                        None => self.expr(value, None).and(None),
                    },
                };
                if let Some(place) = &place {
                    self.assigned(place);
                }
                let set = typed::StmtKind::Set(place?, value?);
                out.push(typed::Stmt { kind: set, range: self.at(range) });
            }
            StmtKind::Call { name, args } => self.run(name, args, range, out)?,
            StmtKind::If { arms, otherwise } => self.branches(arms, otherwise, range, out)?,
            StmtKind::Match { on, arms, otherwise } => {
                let (on, labels) = self.matched(on, arms.iter().map(|a| a.0.as_slice()))?;
                if let Kind::Const(value) = on.kind {
                    let arm = labels.iter().position(|l| l.contains(&value));
                    let body = self.stmts(arm.map_or(otherwise, |i| &arms[i].1));
                    out.extend(body);
                    return Some(());
                }
                let arms = labels.into_iter().zip(arms).map(|(labels, arm)| (labels, self.stmts(&arm.1))).collect();
                let otherwise = self.stmts(otherwise);
                out.push(typed::Stmt { kind: typed::StmtKind::Match { on, arms, otherwise }, range: self.at(range) });
            }
            StmtKind::For { name, from, to, body } => {
                let (first, end) = (self.number(from, "where a loop starts"), self.number(to, "where a loop ends"));
                let (first, end) = (first?, end?);
                if !(0..=MAX_TURNS).contains(&end.saturating_sub(first)) {
                    let across = from.range.start..to.range.end;
                    self.fault(&across, format!("a loop counts up, and runs at most {MAX_TURNS} times"));
                    return None;
                }
                self.free(name)?;
                for turn in first..end {
                    self.locals.push(Local { name: name.text.clone(), bind: Bind::Number(turn) });
                    let body = self.stmts(body);
                    out.extend(body);
                    self.locals.pop();
                }
            }
        }
        Some(())
    }

    /// Whether a name can be given to something new.
    fn free(&mut self, name: &Ident) -> Option<()> {
        let taken = match self.find(&name.text) {
            Found::Missing => false,
            Found::Local(_) => true,
            // A function is put into forms with names that it doesn't know.
            _ => self.within.is_empty(),
        };
        if taken {
            self.fault(&name.range, format!("`{}` is already defined", name.text));
            return None;
        }
        Some(())
    }

    fn define(
        &mut self,
        name: &Ident,
        width: Option<u32>,
        value: &Expr,
        range: &Range<usize>,
        out: &mut Vec<typed::Stmt>,
    ) -> Option<()> {
        let free = self.free(name);
        let is_asked = self.asked.contains(&name.text);
        let atomic = self.atomic_value(value, out);
        self.is_asked = is_asked && is_float(value);
        let made = match (&atomic, width) {
            (Some(var), Some(width)) => var.filter(|var| self.same(width, self.vars[*var], &value.range)).map(|_| None),
            (Some(var), None) => var.map(|_| None),
            (None, Some(width)) => self.sized(value, width, &format!("`{}`", name.text)).map(Some),
            (None, None) => self.typed(value, None).map(Some),
        };
        let bind = match (&made, atomic.flatten(), &width) {
            (Some(_), Some(var), _) => Bind::Var(var),
            (Some(Some(typed::Expr { width, .. })), None, _) | (None, _, Some(width)) => {
                self.vars.push(*width);
                Bind::Var(self.vars.len() - 1)
            }
            _ => Bind::Faulty,
        };
        free?;
        self.locals.push(Local { name: name.text.clone(), bind });
        if let (Some(mut value), Bind::Var(var)) = (made?, bind) {
            if is_asked {
                self.remember(var, &mut value, out);
            }
            let place = Place { kind: PlaceKind::Var(var), width: value.width, range: self.at(&name.range) };
            out.push(typed::Stmt { kind: typed::StmtKind::Set(place, value), range: self.at(range) });
        }
        Some(())
    }

    fn same(&mut self, wanted: u32, width: u32, range: &Range<usize>) -> bool {
        if wanted != width {
            self.fault(range, format!("the destination has {}, this has {}", bits(wanted), bits(width)));
        }
        wanted == width
    }

    /// If the value is an atomic access: does it, and gives the variable with what was there.
    fn atomic_value(&mut self, value: &Expr, out: &mut Vec<typed::Stmt>) -> Option<Option<usize>> {
        let ExprKind::Call { name, args } = &value.kind else { return None };
        let ("atomic", space) = name.text.split_once('.')? else { return None };
        let made = self.atomic(space, name, args, true, &value.range);
        Some(made.map(|(stmt, var)| {
            out.push(stmt);
            var
        }))
    }

    /// A call that stands alone.
    fn run(&mut self, name: &Ident, args: &[Expr], range: &Range<usize>, out: &mut Vec<typed::Stmt>) -> Option<()> {
        match name.text.split_once('.') {
            Some(("store", space)) => {
                let stmt = self.store(space, name, args, range)?;
                out.push(stmt);
            }
            Some(("atomic", space)) => {
                let (stmt, _) = self.atomic(space, name, args, false, range)?;
                out.push(stmt);
            }
            _ => {
                if let Some((_, action, takes)) = ACTIONS.iter().find(|a| a.0 == name.text) {
                    let stmt = self.action(*action, takes, name, args, range)?;
                    out.push(stmt);
                    return Some(());
                }
                let function = self.scope.machine().functions.iter().find(|f| f.name.text == name.text);
                let Some(function) = function else {
                    // It has a value, or does not exist: either way it says so itself.
                    self.call(name, args, None, range)?;
                    self.fault(range, format!("the value of `{}` is not used", name.text));
                    return None;
                };
                let (stmts, value) = self.expand(function, args, range)?;
                if value.is_some() {
                    self.fault(range, format!("the value of `{}` is not used", name.text));
                }
                out.extend(stmts);
            }
        }
        Some(())
    }

    fn action(
        &mut self,
        action: super::super::builtins::Action,
        takes: &[ActionArg],
        name: &Ident,
        args: &[Expr],
        range: &Range<usize>,
    ) -> Option<typed::Stmt> {
        let usage = match takes {
            [] => format!("{}()", name.text),
            [ActionArg::Target] => format!("{}(target)", name.text),
            _ => format!("{}(number)", name.text),
        };
        if args.len() != takes.len() {
            self.fault(range, format!("it is written `{usage}`"));
            return None;
        }
        let machine = self.scope.machine();
        let (pc, is_core) = (machine.pc, machine.lanes == 1);
        if is_core && action.is_of_lanes() {
            let message = format!("`{}` is about several lanes, and this machine has one", name.text);
            self.fault_with(range, message, Some("`lanes: 32` is a machine with warps of 32"));
            return None;
        }
        if !is_core && action.is_of_cores() {
            self.fault_with(range, format!("`{}` is for machines with one lane", name.text), None::<String>);
            return None;
        }
        let mut made = Vec::new();
        for (arg, kind) in args.iter().zip(takes) {
            made.push(match kind {
                ActionArg::Target => self.sized(arg, pc, "an address of code")?,
                ActionArg::Number => self.typed(arg, Some(32))?,
            });
        }
        Some(typed::Stmt { kind: typed::StmtKind::Action(action, made), range: self.at(range) })
    }

    fn branches(
        &mut self,
        arms: &[(Expr, Vec<Stmt>)],
        otherwise: &[Stmt],
        range: &Range<usize>,
        out: &mut Vec<typed::Stmt>,
    ) -> Option<()> {
        let mut made = Vec::new();
        let mut last = otherwise;
        for (cond, body) in arms {
            let Some(cond) = self.cond(cond) else {
                // The rest is looked at all the same: it may have faults of its own.
                self.stmts(body);
                continue;
            };
            match fold::known(&cond) {
                Some(false) => {}
                Some(true) => {
                    last = body;
                    break;
                }
                None => {
                    let body = self.stmts(body);
                    made.push((cond, body));
                }
            }
        }
        let otherwise = self.stmts(last);
        if made.is_empty() {
            out.extend(otherwise);
        } else {
            out.push(typed::Stmt { kind: typed::StmtKind::If { arms: made, otherwise }, range: self.at(range) });
        }
        Some(())
    }
}
