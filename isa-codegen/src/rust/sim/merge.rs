//! One body for several forms: what they have alike stays, and where they differ is a parameter.
//!
//! A parameter is a variable that the body reads and does not set. One that has one value for all lanes, in every form, is a number; of
//! any other the body gets a row. A row of 32 lanes is there before the body runs: so what a choice may leave out is not one if it reads
//! memory, and a value of more than 32 bits is two.

use super::tidy::{Closed, simple};
use super::tree::{Uses, loads};
use super::uniform::is_of_word;
use isa_spec::semantics::Int;
use isa_spec::semantics::builtins::Function;
use isa_spec::semantics::typed::{Access, Body, Expr, ExprKind, Flags, Place, PlaceKind, Register, Stmt, StmtKind};

/// A body with parameters.
#[derive(Clone, Debug, Default)]
pub(super) struct Merged {
    pub(super) body: Body,
    pub(super) params: Vec<Param>,
}

/// Something that forms differ in.
#[derive(Clone, Debug)]
pub(super) struct Param {
    /// The variable that stands for it.
    pub(super) var: usize,
    /// It has one value for all lanes.
    pub(super) is_uniform: bool,
    pub(super) width: u32,
    /// What it is in each form; none where the form never asks for it.
    pub(super) values: Vec<Option<Closed>>,
}

/// These bodies have no common one.
#[derive(Debug)]
struct Apart;

type Same<T> = Result<T, Apart>;

/// An element of some bodies, with the numbers of these.
type Of<'e, T> = [(usize, &'e T)];

/// More parameters than this, and bodies have nothing in common.
const MOST_PARAMS: usize = 24;

/// The common body of some, if they have one; with functions in line.
pub(super) fn merge(bodies: &[&Body]) -> Option<Merged> {
    if let [body] = bodies {
        return Some(Merged { body: simple(body), params: Vec::new() });
    }
    if bodies.windows(2).all(|pair| pair[0] == pair[1]) {
        return merge(&bodies[..1]);
    }
    // A load that some path leaves out can still be a parameter, if the same one is asked for in any case.
    merge_with(bodies, true).or_else(|| merge_with(bodies, false))
}

fn merge_with(bodies: &[&Body], may_be_skipped: bool) -> Option<Merged> {
    let mut merge = Merge {
        may_be_skipped,
        certain: Vec::new(),
        bodies,
        vars: Vec::new(),
        known: Vec::new(),
        params: Vec::new(),
        needs_uniform: false,
        may_skip: false,
    };
    let all: Vec<(usize, &[Stmt])> = bodies.iter().enumerate().map(|(i, body)| (i, &body.stmts[..])).collect();
    let stmts = merge.stmts(&all).ok()?;
    let body = simple(&Body { vars: merge.vars, stmts });
    let reads_memory = |p: &Param| p.values.iter().flatten().any(Closed::loads);
    if merge.params.iter().any(|p| reads_memory(p) && !merge.certain.contains(&p.var)) {
        return None;
    }
    (merge.params.len() <= MOST_PARAMS).then_some(Merged { body, params: merge.params })
}

struct Merge<'b> {
    bodies: &'b [&'b Body],
    /// Loads that some path leaves out may be parameters.
    may_be_skipped: bool,
    /// The parameters that every path asks for.
    certain: Vec<usize>,
    /// Widths of the common variables.
    vars: Vec<u32>,
    /// For each common variable that is set, what it is in each body.
    known: Vec<(usize, Vec<Option<usize>>)>,
    params: Vec<Param>,
    /// Only what is the same for all lanes can stand here.
    needs_uniform: bool,
    /// What stands here may be left out.
    may_skip: bool,
}

/// The same part of each.
macro_rules! each {
    ($all:expr, $pattern:pat => $part:expr) => {{
        let mut found = Vec::with_capacity($all.len());
        for (i, one) in $all.iter().copied() {
            let $pattern = one else { return Err(Apart) };
            found.push((i, $part));
        }
        found
    }};
}

/// Whether all are equal.
fn equal<T: PartialEq>(all: &[(usize, T)]) -> Same<()> {
    if all.windows(2).all(|pair| pair[0].1 == pair[1].1) { Ok(()) } else { Err(Apart) }
}

impl Merge<'_> {
    fn with<T>(&mut self, needs_uniform: bool, may_skip: bool, made: impl FnOnce(&mut Self) -> Same<T>) -> Same<T> {
        let before = (self.needs_uniform, self.may_skip);
        (self.needs_uniform, self.may_skip) = (before.0 || needs_uniform, before.1 || may_skip);
        let made = made(self);
        (self.needs_uniform, self.may_skip) = before;
        made
    }

    fn new_var(&mut self, width: u32) -> usize {
        self.vars.push(width);
        self.vars.len() - 1
    }

    /// The common variable for these; new where they are set for the first time.
    fn var(&mut self, all: &[(usize, usize)], set: Option<u32>) -> Same<usize> {
        let fits = |known: &&mut (usize, Vec<Option<usize>>)| all.iter().all(|(i, v)| known.1[*i] == Some(*v));
        if let Some(known) = self.known.iter_mut().find(fits) {
            return Ok(known.0);
        }
        let taken = |(i, v): &(usize, usize)| self.known.iter().any(|known| known.1[*i] == Some(*v));
        let Some(width) = set.filter(|_| !all.iter().any(taken)) else { return Err(Apart) };
        let mut of = vec![None; self.bodies.len()];
        all.iter().for_each(|(i, v)| of[*i] = Some(*v));
        let var = self.new_var(width);
        self.known.push((var, of));
        Ok(var)
    }

    fn stmts(&mut self, all: &[(usize, &[Stmt])]) -> Same<Vec<Stmt>> {
        let every = all.iter().fold(Vec::new(), |every, (_, stmts)| together(every, stmts));
        let mut rest: Vec<(usize, &[Stmt])> = all.to_vec();
        let (mut made, mut skipped) = (Vec::new(), 0);
        for stmt in every {
            let mut here: Vec<(usize, &Stmt)> = Vec::new();
            for (i, stmts) in &mut rest {
                if let [first, more @ ..] = stmts
                    && is_alike(first, stmt)
                {
                    here.push((*i, first));
                    *stmts = more;
                }
            }
            if here.len() == all.len() {
                made.push(self.stmt(&here)?);
                continue;
            }
            // Some of them have it.
            skipped += 1;
            made.push(self.optional(all, &here)?);
        }
        // What some leave out is little, beside what all have.
        let shared = made.len() - skipped;
        let is_little = skipped == 0 || shared > 0 && skipped <= shared + 2;
        if is_little && rest.iter().all(|(_, stmts)| stmts.is_empty()) { Ok(made) } else { Err(Apart) }
    }

    /// A statement that only some of the bodies have: a choice, by the form.
    fn optional(&mut self, all: &[(usize, &[Stmt])], here: &Of<'_, Stmt>) -> Same<Stmt> {
        let is_asked = |i: usize| all.iter().any(|(j, _)| *j == i);
        let own = |i: usize| here.iter().find(|(j, _)| *j == i).map(|(_, stmt)| *stmt);
        // A choice that the word makes is made together with that of the form.
        let cond_of = |stmt: &'_ Stmt| match &stmt.kind {
            StmtKind::If { arms, otherwise } if arms.len() == 1 && otherwise.is_empty() && is_of_word(&arms[0].0) => {
                Some((arms[0].0.clone(), arms[0].1.clone()))
            }
            _ => None,
        };
        let chosen: Option<Vec<_>> = here.iter().map(|(i, stmt)| Some((*i, cond_of(stmt)?))).collect();
        let plain = |value: &Expr| Closed { lets: Body::default(), value: value.clone() };
        let value = |i: usize| match (own(i), &chosen) {
            (None, _) => flag(false),
            (Some(_), None) => flag(true),
            (Some(_), Some(chosen)) => {
                chosen.iter().find(|(j, _)| *j == i).map_or_else(|| flag(false), |(_, (cond, _))| plain(cond))
            }
        };
        let cond = self.add(1, true, (0..self.bodies.len()).map(|i| is_asked(i).then(|| value(i))).collect());
        let inner = match &chosen {
            Some(chosen) => {
                let bodies: Vec<(usize, &[Stmt])> = chosen.iter().map(|(i, (_, body))| (*i, &body[..])).collect();
                self.with(false, true, |merge| merge.stmts(&bodies))?
            }
            None => vec![self.with(false, true, |merge| merge.stmt(here))?],
        };
        Ok(Stmt { kind: StmtKind::If { arms: vec![(cond, inner)], otherwise: Vec::new() }, range: 0..0 })
    }

    fn stmt(&mut self, all: &Of<'_, Stmt>) -> Same<Stmt> {
        let kinds: Vec<(usize, &StmtKind)> = all.iter().map(|(i, s)| (*i, &s.kind)).collect();
        let kind = match kinds[0].1 {
            StmtKind::Set(..) => {
                let values = each!(kinds, StmtKind::Set(_, value) => value);
                let places = each!(kinds, StmtKind::Set(place, _) => place);
                // What is read stands before what is set.
                let value = self.expr(&values)?;
                StmtKind::Set(self.place(&places)?, value)
            }
            StmtKind::If { arms, .. } => {
                let alls = each!(kinds, StmtKind::If { arms, .. } => arms);
                equal(&alls.iter().map(|(i, arms)| (*i, arms.len())).collect::<Vec<_>>())?;
                let mut made = Vec::new();
                for arm in 0..arms.len() {
                    let conds: Vec<_> = alls.iter().map(|(i, arms)| (*i, &arms[arm].0)).collect();
                    let inner: Vec<_> = alls.iter().map(|(i, arms)| (*i, &arms[arm].1[..])).collect();
                    let cond = self.with(false, arm > 0, |merge| merge.expr(&conds))?;
                    made.push((cond, self.with(false, true, |merge| merge.stmts(&inner))?));
                }
                let otherwise = each!(kinds, StmtKind::If { otherwise, .. } => &otherwise[..]);
                StmtKind::If { arms: made, otherwise: self.with(false, true, |merge| merge.stmts(&otherwise))? }
            }
            StmtKind::Match { arms, .. } => {
                let on = each!(kinds, StmtKind::Match { on, .. } => on);
                let alls = each!(kinds, StmtKind::Match { arms, .. } => arms);
                equal(&alls.iter().map(|(i, arms)| (*i, arms.iter().map(|a| &a.0).collect::<Vec<_>>())).collect::<Vec<_>>())?;
                let on = self.expr(&on)?;
                let mut made = Vec::new();
                for (arm, (labels, _)) in arms.iter().enumerate() {
                    let inner: Vec<_> = alls.iter().map(|(i, arms)| (*i, &arms[arm].1[..])).collect();
                    made.push((labels.clone(), self.with(false, true, |merge| merge.stmts(&inner))?));
                }
                let otherwise = each!(kinds, StmtKind::Match { otherwise, .. } => &otherwise[..]);
                StmtKind::Match { on, arms: made, otherwise: self.with(false, true, |merge| merge.stmts(&otherwise))? }
            }
            StmtKind::Store(..) => {
                let at = each!(kinds, StmtKind::Store(at, _) => at);
                let values = each!(kinds, StmtKind::Store(_, value) => value);
                let at = self.access(&at)?;
                StmtKind::Store(at, self.expr(&values)?)
            }
            StmtKind::Atomic { op, old, .. } => {
                equal(&each!(kinds, StmtKind::Atomic { op, .. } => op))?;
                let at = each!(kinds, StmtKind::Atomic { at, .. } => at);
                let at = self.access(&at)?;
                let args = each!(kinds, StmtKind::Atomic { args, .. } => &args[..]);
                let args = self.list(&args)?;
                let old = match old {
                    None => {
                        each!(kinds, StmtKind::Atomic { old: None, .. } => ());
                        None
                    }
                    Some(old) => {
                        let olds = each!(kinds, StmtKind::Atomic { old: Some(old), .. } => *old);
                        Some(self.var(&olds, Some(self.bodies[kinds[0].0].vars[*old]))?)
                    }
                };
                StmtKind::Atomic { op: *op, at, args, old }
            }
            StmtKind::Action(action, _) => {
                equal(&each!(kinds, StmtKind::Action(action, _) => action))?;
                let args = each!(kinds, StmtKind::Action(_, args) => &args[..]);
                StmtKind::Action(*action, self.list(&args)?)
            }
        };
        Ok(Stmt { kind, range: 0..0 })
    }

    fn place(&mut self, all: &Of<'_, Place>) -> Same<Place> {
        let width = all[0].1.width;
        equal(&all.iter().map(|(i, p)| (*i, p.width)).collect::<Vec<_>>())?;
        let kinds: Vec<(usize, &PlaceKind)> = all.iter().map(|(i, p)| (*i, &p.kind)).collect();
        let kind = match kinds[0].1 {
            PlaceKind::Var(_) => {
                let vars = each!(kinds, PlaceKind::Var(v) => *v);
                equal(&vars.iter().map(|(i, v)| (*i, self.bodies[*i].vars[*v])).collect::<Vec<_>>())?;
                PlaceKind::Var(self.var(&vars, Some(width))?)
            }
            PlaceKind::Register(_) => {
                let registers = each!(kinds, PlaceKind::Register(r) => r);
                PlaceKind::Register(self.register(&registers)?)
            }
            PlaceKind::Flags(_) => {
                let flags = each!(kinds, PlaceKind::Flags(f) => f);
                PlaceKind::Flags(self.flags(&flags)?)
            }
            PlaceKind::State(state) => {
                equal(&each!(kinds, PlaceKind::State(state) => *state))?;
                PlaceKind::State(*state)
            }
            PlaceKind::Slice { lo, .. } => {
                equal(&each!(kinds, PlaceKind::Slice { lo, .. } => *lo))?;
                let of = each!(kinds, PlaceKind::Slice { of, .. } => &**of);
                PlaceKind::Slice { of: Box::new(self.place(&of)?), lo: *lo }
            }
            PlaceKind::Part { .. } => {
                let of = each!(kinds, PlaceKind::Part { of, .. } => &**of);
                let at = each!(kinds, PlaceKind::Part { at, .. } => &**at);
                let of = Box::new(self.place(&of)?);
                PlaceKind::Part { of, at: Box::new(self.expr(&at)?) }
            }
            PlaceKind::Concat(parts) => {
                let alls = each!(kinds, PlaceKind::Concat(parts) => parts);
                equal(&alls.iter().map(|(i, parts)| (*i, parts.len())).collect::<Vec<_>>())?;
                let part = |at: usize| alls.iter().map(|(i, parts)| (*i, &parts[at])).collect::<Vec<_>>();
                let parts: Vec<_> = (0..parts.len()).map(part).collect();
                PlaceKind::Concat(parts.iter().map(|part| self.place(part)).collect::<Same<_>>()?)
            }
        };
        Ok(Place { kind, width, range: 0..0 })
    }

    fn register(&mut self, all: &Of<'_, Register>) -> Same<Register> {
        let (file, plus) = (all[0].1.file, all[0].1.plus);
        equal(&all.iter().map(|(i, r)| (*i, (r.file, r.plus))).collect::<Vec<_>>())?;
        let index: Vec<_> = all.iter().map(|(i, r)| (*i, &*r.index)).collect();
        Ok(Register { file, index: Box::new(self.index(&index)?), plus })
    }

    fn flags(&mut self, all: &Of<'_, Flags>) -> Same<Flags> {
        let file = all[0].1.file;
        equal(&all.iter().map(|(i, f)| (*i, f.file)).collect::<Vec<_>>())?;
        let index: Vec<_> = all.iter().map(|(i, f)| (*i, &*f.index)).collect();
        Ok(Flags { file, index: Box::new(self.index(&index)?) })
    }

    /// The number of a register, whose bits don't matter.
    fn index(&mut self, all: &Of<'_, Expr>) -> Same<Expr> {
        let width = all.iter().map(|(_, e)| e.width).max().unwrap_or(1);
        if all.iter().all(|(_, e)| e.width == width) || !all.iter().all(|(_, e)| is_of_word(e)) || width > 32 {
            return self.with(true, false, |merge| merge.expr(all));
        }
        let mut values = vec![None; self.bodies.len()];
        all.iter().for_each(|(i, e)| values[*i] = Some(Closed { lets: Body::default(), value: (*e).clone() }));
        Ok(self.add(width, true, values))
    }

    fn access(&mut self, all: &Of<'_, Access>) -> Same<Access> {
        let space = all[0].1.space;
        equal(&all.iter().map(|(i, at)| (*i, at.space)).collect::<Vec<_>>())?;
        let bank = match &all[0].1.bank {
            None => {
                each!(all, Access { bank: None, .. } => ());
                None
            }
            Some(_) => {
                let banks = each!(all, Access { bank: Some(bank), .. } => &**bank);
                Some(Box::new(self.expr(&banks)?))
            }
        };
        let address: Vec<_> = all.iter().map(|(i, at)| (*i, &*at.address)).collect();
        Ok(Access { space, bank, address: Box::new(self.expr(&address)?) })
    }

    fn list(&mut self, all: &[(usize, &[Expr])]) -> Same<Vec<Expr>> {
        equal(&all.iter().map(|(i, list)| (*i, list.len())).collect::<Vec<_>>())?;
        (0..all[0].1.len()).map(|at| self.expr(&all.iter().map(|(i, list)| (*i, &list[at])).collect::<Vec<_>>())).collect()
    }

    fn boxed(&mut self, all: &Of<'_, Box<Expr>>) -> Same<Box<Expr>> {
        Ok(Box::new(self.expr(&all.iter().map(|(i, e)| (*i, &***e)).collect::<Vec<_>>())?))
    }

    /// What some expressions have in common; a parameter where that is nothing.
    fn expr(&mut self, all: &Of<'_, Expr>) -> Same<Expr> {
        let width = all[0].1.width;
        equal(&all.iter().map(|(i, e)| (*i, e.width)).collect::<Vec<_>>())?;
        let before = (self.vars.len(), self.known.len(), self.params.len(), self.certain.len());
        match self.kind(all) {
            Ok(kind) => Ok(Expr { kind, width, range: 0..0 }),
            Err(Apart) => {
                self.vars.truncate(before.0);
                self.known.truncate(before.1);
                self.params.truncate(before.2);
                self.certain.truncate(before.3);
                self.param(all)
            }
        }
    }

    fn kind(&mut self, all: &Of<'_, Expr>) -> Same<ExprKind> {
        use ExprKind::*;
        let kinds: Vec<(usize, &ExprKind)> = all.iter().map(|(i, e)| (*i, &e.kind)).collect();
        Ok(match kinds[0].1 {
            Const(_) | Field(_) | Condition(_) | State(_) | Lane | Pc | Next | Variant(_) => {
                equal(&kinds)?;
                kinds[0].1.clone()
            }
            Var(_) => Var(self.var(&each!(kinds, Var(v) => *v), None)?),
            Register(_) => Register(self.register(&each!(kinds, Register(r) => r))?),
            Flags(_) => Flags(self.flags(&each!(kinds, Flags(f) => f))?),
            Slice { lo, .. } => {
                equal(&each!(kinds, Slice { lo, .. } => *lo))?;
                Slice { of: self.boxed(&each!(kinds, Slice { of, .. } => of))?, lo: *lo }
            }
            Part { .. } => {
                let of = self.boxed(&each!(kinds, Part { of, .. } => of))?;
                Part { of, at: self.boxed(&each!(kinds, Part { at, .. } => at))? }
            }
            Concat(_) => Concat(self.list(&each!(kinds, Concat(parts) => &parts[..]))?),
            Unary(op, _) => {
                equal(&each!(kinds, Unary(op, _) => *op))?;
                Unary(*op, self.boxed(&each!(kinds, Unary(_, of) => of))?)
            }
            Binary(op, ..) => {
                equal(&each!(kinds, Binary(op, ..) => *op))?;
                let a = self.boxed(&each!(kinds, Binary(_, a, _) => a))?;
                Binary(*op, a, self.boxed(&each!(kinds, Binary(_, _, b) => b))?)
            }
            If { arms, .. } => {
                let alls = each!(kinds, If { arms, .. } => arms);
                equal(&alls.iter().map(|(i, arms)| (*i, arms.len())).collect::<Vec<_>>())?;
                let mut made = Vec::new();
                for arm in 0..arms.len() {
                    let conds: Vec<_> = alls.iter().map(|(i, arms)| (*i, &arms[arm].0)).collect();
                    let values: Vec<_> = alls.iter().map(|(i, arms)| (*i, &arms[arm].1)).collect();
                    let cond = self.with(false, arm > 0, |merge| merge.expr(&conds))?;
                    made.push((cond, self.with(false, true, |merge| merge.expr(&values))?));
                }
                let otherwise = each!(kinds, If { otherwise, .. } => otherwise);
                If { arms: made, otherwise: self.with(false, true, |merge| merge.boxed(&otherwise))? }
            }
            Match { arms, .. } => {
                let alls = each!(kinds, Match { arms, .. } => arms);
                equal(&alls.iter().map(|(i, arms)| (*i, arms.iter().map(|a| &a.0).collect::<Vec<_>>())).collect::<Vec<_>>())?;
                let on = self.boxed(&each!(kinds, Match { on, .. } => on))?;
                let mut made = Vec::new();
                for (arm, (labels, _)) in arms.iter().enumerate() {
                    let values: Vec<_> = alls.iter().map(|(i, arms)| (*i, &arms[arm].1)).collect();
                    made.push((labels.clone(), self.with(false, true, |merge| merge.expr(&values))?));
                }
                let otherwise = each!(kinds, Match { otherwise, .. } => otherwise);
                Match { on, arms: made, otherwise: self.with(false, true, |merge| merge.boxed(&otherwise))? }
            }
            Load(_) => Load(self.access(&each!(kinds, Load(at) => at))?),
            Call { function, modes, .. } => {
                equal(&each!(kinds, Call { function, modes, .. } => (*function, *modes)))?;
                let args = self.list(&each!(kinds, Call { args, .. } => &args[..]))?;
                Call { function: *function, args, modes: *modes }
            }
            Block(..) => {
                let stmts = self.stmts(&each!(kinds, Block(stmts, _) => &stmts[..]))?;
                Block(stmts, self.boxed(&each!(kinds, Block(_, value) => value))?)
            }
        })
    }

    /// A parameter for expressions that have nothing in common.
    fn param(&mut self, all: &Of<'_, Expr>) -> Same<Expr> {
        let width = all[0].1.width;
        let mut values = vec![None; self.bodies.len()];
        for (i, e) in all {
            let uses = Uses::of_expr(self.bodies[*i].vars.len(), e);
            if uses.reads.iter().zip(&uses.sets).any(|(reads, sets)| *reads > 0 && *sets == 0) {
                return Err(Apart);
            }
            values[*i] = Some(Closed::of(&self.bodies[*i].vars, e));
        }
        let some = || values.iter().flatten();
        if width <= 64 && some().all(|v| v.is_plain() && is_of_word(&v.value)) {
            return Ok(self.add(width, true, values));
        }
        let loads = all.iter().any(|(_, e)| loads(e));
        if self.needs_uniform || self.may_skip && loads && !self.may_be_skipped || some().any(|v| v.sources() > 1) {
            return Err(Apart);
        }
        match width {
            0..=32 => Ok(self.add(width, false, values)),
            // A load that is two rows would be two loads.
            33..=64 if !loads => {
                let half = |lo: u32, width: u32| {
                    let half = |v: &Closed| Closed { lets: v.lets.clone(), value: part(&v.value, lo, width) };
                    values.iter().map(|v| v.as_ref().map(half)).collect()
                };
                let low = self.add(32, false, half(0, 32));
                let high = self.add(width - 32, false, half(32, width - 32));
                Ok(Expr { kind: ExprKind::Concat(vec![high, low]), width, range: 0..0 })
            }
            _ => Err(Apart),
        }
    }

    fn add(&mut self, width: u32, is_uniform: bool, values: Vec<Option<Closed>>) -> Expr {
        let same = self.params.iter().find(|p| p.is_uniform == is_uniform && p.width == width && p.values == values);
        let var = match same {
            Some(known) => known.var,
            None => {
                let var = self.new_var(width);
                self.params.push(Param { var, is_uniform, width, values });
                var
            }
        };
        if !self.may_skip {
            self.certain.push(var);
        }
        Expr { kind: ExprKind::Var(var), width, range: 0..0 }
    }
}

fn flag(value: bool) -> Closed {
    let value = Expr { kind: ExprKind::Const(Int::from(u128::from(value))), width: 1, range: 0..0 };
    Closed { lets: Body::default(), value }
}

/// The shortest list of statements in which both lists are, in their order.
fn together<'s>(a: Vec<&'s Stmt>, b: &'s [Stmt]) -> Vec<&'s Stmt> {
    // How many statements of the rests are alike.
    let mut alike = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            let apart = alike[i + 1][j].max(alike[i][j + 1]);
            alike[i][j] = if is_alike(a[i], &b[j]) { apart.max(alike[i + 1][j + 1] + 1) } else { apart };
        }
    }
    let (mut i, mut j, mut made) = (0, 0, Vec::new());
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && is_alike(a[i], &b[j]) && alike[i][j] == alike[i + 1][j + 1] + 1 {
            made.push(a[i]);
            (i, j) = (i + 1, j + 1);
        } else if j == b.len() || i < a.len() && alike[i + 1][j] >= alike[i][j + 1] {
            made.push(a[i]);
            i += 1;
        } else {
            made.push(&b[j]);
            j += 1;
        }
    }
    made
}

/// Whether statements may be the same one of two bodies.
fn is_alike(a: &Stmt, b: &Stmt) -> bool {
    match (&a.kind, &b.kind) {
        (StmtKind::Set(a, _), StmtKind::Set(b, _)) => a.width == b.width && root(a) == root(b),
        (StmtKind::If { arms: a, .. }, StmtKind::If { arms: b, .. }) => a.len() == b.len(),
        (StmtKind::Match { .. }, StmtKind::Match { .. }) | (StmtKind::Atomic { .. }, StmtKind::Atomic { .. }) => true,
        (StmtKind::Store(_, a), StmtKind::Store(_, b)) => a.width == b.width,
        (StmtKind::Action(a, _), StmtKind::Action(b, _)) => a == b,
        _ => false,
    }
}

/// What a place is part of: its kind, and which file.
fn root(place: &Place) -> (u8, usize) {
    match &place.kind {
        PlaceKind::Var(_) => (0, 0),
        PlaceKind::Register(r) => (1, r.file),
        PlaceKind::Flags(f) => (2, f.file),
        PlaceKind::State(s) => (3, *s),
        PlaceKind::Slice { of, .. } | PlaceKind::Part { of, .. } => root(of),
        PlaceKind::Concat(parts) => parts.first().map_or((4, 0), root),
    }
}

/// Some bits of an expression, found in it where they stand alone.
fn part(e: &Expr, lo: u32, width: u32) -> Expr {
    if (lo, width) == (0, e.width) {
        return e.clone();
    }
    match &e.kind {
        ExprKind::Const(value) => {
            Expr { kind: ExprKind::Const(Int::from(value.low_u128() >> lo).truncated(width)), width, range: 0..0 }
        }
        ExprKind::Concat(parts) => {
            let mut start = e.width;
            for p in parts {
                start -= p.width;
                if start <= lo && lo + width <= start + p.width {
                    return part(p, lo - start, width);
                }
            }
            slice(e, lo, width)
        }
        ExprKind::Call { function: Function::Zext, args, .. } => match &args[0] {
            x if lo >= x.width => Expr { kind: ExprKind::Const(Int::from(0u128)), width, range: 0..0 },
            x if lo + width <= x.width => part(x, lo, width),
            _ => slice(e, lo, width),
        },
        _ => slice(e, lo, width),
    }
}

fn slice(e: &Expr, lo: u32, width: u32) -> Expr {
    Expr { kind: ExprKind::Slice { of: Box::new(e.clone()), lo }, width, range: 0..0 }
}
