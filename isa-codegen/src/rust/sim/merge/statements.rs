//! Merges statements, and the places that they write.

use super::alike::{is_alike, together};
use super::{Apart, Merge, Of, Same, equal};
use crate::rust::sim::closed::Closed;
use crate::rust::sim::uniform::is_of_word;
use isa_spec::semantics::Int;
use isa_spec::semantics::typed::{Body, Expr, ExprKind, Flags, Place, PlaceKind, Register, Stmt, StmtKind};

impl Merge<'_> {
    pub(super) fn stmts(&mut self, all: &[(usize, &[Stmt])]) -> Same<Vec<Stmt>> {
        let every = all.iter().fold(Vec::new(), |every, (_, stmts)| together(every, stmts));
        let mut rest: Vec<(usize, &[Stmt])> = all.to_vec();
        let taken = |stmt: &Stmt| {
            let mut here: Vec<(usize, &Stmt)> = Vec::new();
            for (i, stmts) in &mut rest {
                if let [first, more @ ..] = stmts
                    && is_alike(first, stmt)
                {
                    here.push((*i, first));
                    *stmts = more;
                }
            }
            here
        };
        let every: Vec<Vec<(usize, &Stmt)>> = every.into_iter().map(taken).collect();
        // The statements that only some have must be few, compared with the shared ones.
        let shared = every.iter().filter(|here| here.len() == all.len()).count();
        let skipped = every.len() - shared;
        let is_little = skipped == 0 || !self.is_one && shared > 0 && skipped <= shared + 2;
        if !is_little || rest.iter().any(|(_, stmts)| !stmts.is_empty()) {
            return Err(Apart);
        }
        every.iter().map(|here| if here.len() == all.len() { self.stmt(here) } else { self.optional(all, here) }).collect()
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
                // Values are read before places are written.
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
            StmtKind::Atomic { new, .. } => {
                let width = new.width;
                let at = each!(kinds, StmtKind::Atomic { at, .. } => at);
                let olds = each!(kinds, StmtKind::Atomic { old, .. } => *old);
                let news = each!(kinds, StmtKind::Atomic { new, .. } => new);
                equal(&news.iter().map(|(i, new)| (*i, new.width)).collect::<Vec<_>>())?;
                let at = self.access(&at)?;
                let old = self.var(&olds, Some(width))?;
                StmtKind::Atomic { at, old, new: self.expr(&news)? }
            }
            StmtKind::Action(action, _) => {
                equal(&each!(kinds, StmtKind::Action(action, _) => action))?;
                let args = each!(kinds, StmtKind::Action(_, args) => &args[..]);
                StmtKind::Action(*action, self.list(&args)?)
            }
        };
        Ok(Stmt { kind, range: 0..0 })
    }

    pub(super) fn place(&mut self, all: &Of<'_, Place>) -> Same<Place> {
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

    pub(super) fn register(&mut self, all: &Of<'_, Register>) -> Same<Register> {
        let (file, plus) = (all[0].1.file, all[0].1.plus);
        equal(&all.iter().map(|(i, r)| (*i, (r.file, r.plus))).collect::<Vec<_>>())?;
        let index: Vec<_> = all.iter().map(|(i, r)| (*i, &*r.index)).collect();
        Ok(Register { file, index: Box::new(self.index(&index)?), plus })
    }

    pub(super) fn flags(&mut self, all: &Of<'_, Flags>) -> Same<Flags> {
        let file = all[0].1.file;
        equal(&all.iter().map(|(i, f)| (*i, f.file)).collect::<Vec<_>>())?;
        let index: Vec<_> = all.iter().map(|(i, f)| (*i, &*f.index)).collect();
        Ok(Flags { file, index: Box::new(self.index(&index)?) })
    }
}

fn flag(value: bool) -> Closed {
    let value = Expr { kind: ExprKind::Const(Int::from(u128::from(value))), width: 1, range: 0..0 };
    Closed { lets: Body::default(), value }
}
