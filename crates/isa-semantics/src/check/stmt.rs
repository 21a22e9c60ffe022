//! Statements.

use super::call::is_pure;
use super::float::named;
use super::names::Found;
use super::{Bind, Checker, Local, bits, fold};
use crate::scope::Referent;
use isa_model::semantics::ast::{Expr, ExprKind, Function, Ident, Stmt, StmtKind};
use isa_model::semantics::builtins::{Action, ActionArg, ActionOf, BUILTINS, Routine};
use isa_model::semantics::machine::Accessors;
use isa_model::semantics::typed::{self, ExprKind as Kind, Place, PlaceKind};
use isa_model::span::Text;
use std::ops::Range;

/// The greatest number of turns of a loop.
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
                if let Some(written) = self.write_by_function(place, value, range) {
                    out.extend(written?);
                    return Some(());
                }
                let place = self.place(place);
                let value = match self.value_of_statements(value, out) {
                    Some(made) => {
                        let made = made?;
                        Some(made.0).filter(|made| place.as_ref().is_none_or(|p| self.same(p.width, made.width, &value.range)))
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

    /// Checks that a name can be given to something new.
    pub(super) fn free(&mut self, name: &Ident) -> Option<()> {
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
        let by_statements = self.value_of_statements(value, out);
        self.is_asked = is_asked && is_float(value);
        // The variable of an atomic access is new, and becomes this one.
        let own = by_statements.iter().flatten().find(|made| made.1).map(|made| made.0.clone());
        let made = match (by_statements, width) {
            (Some(made), Some(width)) => made.map(|made| made.0).filter(|made| self.same(width, made.width, &value.range)),
            (Some(made), None) => made.map(|made| made.0),
            (None, Some(width)) => self.sized(value, width, &format!("`{}`", name.text)),
            (None, None) => self.typed(value, None),
        };
        let bind = match (&made, &own, &width) {
            (Some(_), Some(typed::Expr { kind: Kind::Var(var), .. }), _) => Bind::Var(*var),
            (Some(typed::Expr { width, .. }), ..) | (None, _, Some(width)) => {
                self.vars.push(*width);
                Bind::Var(self.vars.len() - 1)
            }
            (None, _, None) => Bind::Faulty,
        };
        free?;
        self.locals.push(Local { name: name.text.clone(), bind });
        let mut value = made?;
        if let (Bind::Var(var), None) = (bind, own) {
            if is_asked {
                self.remember(var, &mut value, out);
            }
            self.define_as(var, &value);
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

    /// If the value takes statements, as that of an atomic access and of a function that does more than compute: does them. Gives the
    /// value, and whether it is a new variable.
    fn value_of_statements(&mut self, value: &Expr, out: &mut Vec<typed::Stmt>) -> Option<Option<(typed::Expr, bool)>> {
        if let Some((function, args)) = self.reading(value) {
            return Some(self.run_function(&function, &args, &value.range, out));
        }
        let ExprKind::Call { name, args } = &value.kind else { return None };
        if let Some(("atomic", space)) = name.text.split_once('.') {
            let made = self.atomic(space, name, args, &value.range);
            return Some(made.map(|(stmt, var)| {
                out.push(stmt);
                (self.make(Kind::Var(var), self.vars[var], &value.range), true)
            }));
        }
        let function = self.scope.machine().functions.iter().find(|f| f.name.text == name.text && f.value.is_some())?;
        if BUILTINS.iter().any(|builtin| builtin.name == name.text) {
            return None;
        }
        let function = function.clone();
        Some(self.run_function(&function, args, &value.range, out))
    }

    /// The value of a function of the specification, its statements done before.
    fn run_function(
        &mut self,
        function: &Function,
        args: &[Expr],
        range: &Range<usize>,
        out: &mut Vec<typed::Stmt>,
    ) -> Option<(typed::Expr, bool)> {
        let (stmts, value) = self.expand(function, args, range)?;
        let value = value?;
        if stmts.iter().all(is_pure) {
            return Some((self.block(stmts, value, range), false));
        }
        out.extend(stmts);
        Some((value, false))
    }

    /// An assignment to a register that a function writes.
    fn write_by_function(&mut self, place: &Expr, value: &Expr, range: &Range<usize>) -> Option<Option<Vec<typed::Stmt>>> {
        let ExprKind::Index { of, at } = &place.kind else { return None };
        let ExprKind::Name { path, .. } = &of.kind else { return None };
        let function = self.accessor(path, |accessors| accessors.write.as_ref())?;
        Some(self.expand(&function, &[(**at).clone(), value.clone()], range).map(|made| made.0))
    }

    /// The function that reads a register, and its argument.
    pub(super) fn reading(&self, e: &Expr) -> Option<(Function, [Expr; 1])> {
        let ExprKind::Index { of, at } = &e.kind else { return None };
        let ExprKind::Name { path, .. } = &of.kind else { return None };
        Some((self.accessor(path, |accessors| accessors.read.as_ref())?, [(**at).clone()]))
    }

    /// The function that is called in place of an access to a register file; `None` within that function and its counterpart,
    /// where the registers themselves are accessed.
    pub(super) fn accessor(&self, path: &str, of: impl Fn(&Accessors) -> Option<&Text>) -> Option<Function> {
        let machine = self.scope.machine();
        let accessors = machine.accessors.iter().find(|accessors| accessors.file.value == path)?;
        if !matches!(self.find(path), Found::Form(Referent::Registers { .. }, _)) {
            return None;
        }
        let own = [&accessors.read, &accessors.write].into_iter().flatten();
        if own.into_iter().any(|own| self.within.contains(&format!("`{}`", own.value))) {
            return None;
        }
        let name = of(accessors)?;
        machine.functions.iter().find(|function| function.name.text == name.value).cloned()
    }

    /// A call as a statement.
    fn run(&mut self, name: &Ident, args: &[Expr], range: &Range<usize>, out: &mut Vec<typed::Stmt>) -> Option<()> {
        match name.text.split_once('.') {
            Some(("store", space)) => {
                let stmt = self.store(space, name, args, range)?;
                out.push(stmt);
            }
            Some(("atomic", space)) => {
                let (stmt, _) = self.atomic(space, name, args, range)?;
                out.push(stmt);
            }
            _ => {
                if let Some(action) = Action::named(&name.text) {
                    let stmt = self.action(action, name, args, range)?;
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

    fn action(&mut self, action: Action, name: &Ident, args: &[Expr], range: &Range<usize>) -> Option<typed::Stmt> {
        let takes = action.args();
        let usage = match takes {
            [] => format!("{}()", name.text),
            [ActionArg::Target] => format!("{}(target)", name.text),
            [ActionArg::Number, ActionArg::Optional, ..] => format!("{}(number, count, bit)", name.text),
            [ActionArg::Number, ActionArg::Lanes, ..] => format!("{}(key, lanes, alone)", name.text),
            [ActionArg::Number, ActionArg::Number] => format!("{}(number, count)", name.text),
            _ => format!("{}(cause, value)", name.text),
        };
        let least = takes.iter().filter(|arg| !arg.is_optional()).count();
        if !(least..=takes.len()).contains(&args.len()) {
            self.fault(range, format!("it is written `{usage}`"));
            return None;
        }
        let machine = self.scope.machine();
        let (pc, is_core) = (machine.pc, machine.lanes == 1);
        if is_core && action.of() == ActionOf::Warps {
            let message = format!("`{}` is about several lanes, and this machine has one", name.text);
            self.fault_with(range, message, Some("`lanes: 32` is a machine with warps of 32"));
            return None;
        }
        if !is_core && action.of() == ActionOf::Cores {
            self.fault_with(range, format!("`{}` is for machines with one lane", name.text), None::<String>);
            return None;
        }
        self.fits_routine(action, name, range)?;
        if action == Action::Raise {
            self.can_raise(range)?;
        }
        let mut made = Vec::new();
        for (arg, kind) in args.iter().zip(takes) {
            made.push(match kind {
                ActionArg::Target => self.sized(arg, pc, "an address of code"),
                ActionArg::Number | ActionArg::Optional => self.typed(arg, Some(32)),
                ActionArg::Bit => self.sized(arg, 1, "this"),
                ActionArg::Lanes => self.sized(arg, machine.lanes, "a mask of lanes"),
                ActionArg::Cause(what) => self.sized(arg, pc, what),
            });
        }
        let made = made.into_iter().collect::<Option<_>>()?;
        Some(typed::Stmt { kind: typed::StmtKind::Action(action, made), range: self.at(range) })
    }

    /// Checks that the routine of the machine that this is, if it is one, can do so.
    fn fits_routine(&mut self, action: Action, name: &Ident, range: &Range<usize>) -> Option<()> {
        let Some(routine) = self.scope.routine() else { return Some(()) };
        let help = match (routine, action) {
            (Routine::Launch | Routine::Linux, _) => "it is done before the first instruction",
            (Routine::Interrupts, Action::Raise) => return Some(()),
            (Routine::Interrupts, _) => {
                "`raise(cause, value)` takes an interrupt, and what happens then is said by `machine.raise`"
            }
            (Routine::Raise, Action::Raise) => "`branch(target)` goes to what handles causes",
            (_, Action::Host) => "it is for instructions: the host of a program is called by it",
            _ => return Some(()),
        };
        self.fault_with(range, format!("`{}` can't be used in `{}`", name.text, routine.name()), Some(help));
        None
    }

    /// Checks that the machine says what it does when something is raised.
    fn can_raise(&mut self, range: &Range<usize>) -> Option<()> {
        let machine = self.scope.machine();
        if machine.routines.iter().all(|routine| routine.0 != Routine::Raise) {
            let help = "`machine: { raise: … }` says what happens then, with `cause` and `value`";
            self.fault_with(range, "this machine does not say what it does when something is raised", Some(help));
            return None;
        }
        Some(())
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
                // The rest is checked all the same: it may have faults of its own.
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
