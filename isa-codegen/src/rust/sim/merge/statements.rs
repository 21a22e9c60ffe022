//! Merges lists of statements.

use super::alike::{is_alike, together};
use super::{Apart, Merge, Of, Same};
use crate::rust::sim::closed::Closed;
use crate::rust::sim::uniform::is_of_word;
use isa_spec::semantics::Int;
use isa_spec::semantics::typed::{Body, Expr, ExprKind, Stmt, StmtKind};

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
}

fn flag(value: bool) -> Closed {
    let kind = ExprKind::Const(Int::from(u128::from(value)));
    Closed { lets: Body::default(), value: Expr { kind, width: 1, range: 0..0 } }
}
