//! Merges expressions, statements and places: nodes that are equal without their children, and then these.

use super::{Apart, Merge, Of, Same, equal};
use crate::rust::sim::closed::Closed;
use crate::rust::sim::tree::{
    Child, Pass, children_of_expr, children_of_place, children_of_stmt, inside, inside_place, inside_stmt,
};
use crate::rust::sim::uniform::is_of_word;
use isa_spec::semantics::Int;
use isa_spec::semantics::typed::{Body, Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind};

/// Takes the children out of a node.
struct Hollow;

impl Pass for Hollow {
    fn expr(&mut self, _: &Expr) -> Expr {
        Expr { kind: ExprKind::Const(Int::from(0u128)), width: 0, range: 0..0 }
    }

    fn place(&mut self, _: &Place) -> Place {
        Place { kind: PlaceKind::Var(0), width: 0, range: 0..0 }
    }

    fn variable(&mut self, _: usize) -> usize {
        0
    }

    fn stmts(&mut self, _: &[Stmt]) -> Vec<Stmt> {
        Vec::new()
    }
}

/// The meaning of the children of a node.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    /// All of them are asked for.
    Parts,
    /// The first one is asked for, and some of the others.
    Choice,
    /// It is the number of a register.
    Index,
}

/// Puts the common forms of children in the place of those of the first node.
struct Zip<'m, 'b, 'e> {
    merge: &'m mut Merge<'b>,
    /// The children of each node that are still to come.
    children: Vec<std::vec::IntoIter<Child<'e>>>,
    role: Role,
    is_first: bool,
    /// Some children have no common form.
    is_apart: bool,
}

impl<'e> Zip<'_, '_, 'e> {
    /// The common form of the next children.
    fn next<T, U>(
        &mut self,
        as_kind: impl Fn(Child<'e>) -> Option<T>,
        merged: impl FnOnce(&mut Merge<'_>, &[T]) -> Same<U>,
    ) -> Option<U> {
        let all: Option<Vec<T>> = self.children.iter_mut().map(|children| as_kind(children.next()?)).collect();
        let may_skip = self.role == Role::Choice && !self.is_first;
        self.is_first = false;
        let made = all.filter(|_| !self.is_apart).and_then(|all| self.merge.with(false, may_skip, |m| merged(m, &all)).ok());
        self.is_apart |= made.is_none();
        made
    }
}

impl Pass for Zip<'_, '_, '_> {
    fn expr(&mut self, e: &Expr) -> Expr {
        let as_expr = |child| if let Child::Expr(e) = child { Some(e) } else { None };
        let is_index = self.role == Role::Index;
        self.next(as_expr, |merge, all| if is_index { merge.index(all) } else { merge.expr(all) }).unwrap_or_else(|| e.clone())
    }

    fn place(&mut self, place: &Place) -> Place {
        let as_place = |child| if let Child::Place(place) = child { Some(place) } else { None };
        self.next(as_place, |merge, all| merge.place(all)).unwrap_or_else(|| place.clone())
    }

    fn variable(&mut self, v: usize) -> usize {
        let as_variable = |child| if let Child::Variable(v) = child { Some(v) } else { None };
        self.next(as_variable, |merge, all| merge.set_variable(all)).unwrap_or(v)
    }

    fn stmts(&mut self, _: &[Stmt]) -> Vec<Stmt> {
        let as_stmts = |child| if let Child::Stmts(stmts) = child { Some(stmts) } else { None };
        self.next(as_stmts, |merge, all| merge.stmts(all)).unwrap_or_default()
    }
}

impl Merge<'_> {
    /// The common form of some nodes: of the first one with the common forms of all children.
    fn zip<'e, T>(
        &mut self,
        children: impl Iterator<Item = Vec<Child<'e>>>,
        role: Role,
        rebuilt: impl FnOnce(&mut Zip<'_, '_, 'e>) -> T,
    ) -> Same<T> {
        let children = children.map(Vec::into_iter).collect();
        let mut zip = Zip { merge: self, children, role, is_first: true, is_apart: false };
        let made = rebuilt(&mut zip);
        if zip.is_apart { Err(Apart) } else { Ok(made) }
    }

    /// The number of a register, whose bits don't matter.
    fn index(&mut self, all: &Of<'_, Expr>) -> Same<Expr> {
        let width = all.iter().map(|e| e.width).max().unwrap_or(1);
        if all.iter().all(|e| e.width == width) || !all.iter().all(|e| is_of_word(e)) || width > 32 {
            return self.with(true, false, |merge| merge.expr(all));
        }
        let value = |e: &&Expr| Closed { lets: Body::default(), value: (*e).clone() };
        Ok(self.add(width, true, all.iter().map(value).collect()))
    }

    /// The common form of some expressions; a parameter where they have nothing in common.
    pub(super) fn expr(&mut self, all: &Of<'_, Expr>) -> Same<Expr> {
        let width = all[0].width;
        equal(all.iter().map(|e| e.width))?;
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
        let first = all[0];
        if let ExprKind::Var(_) = first.kind {
            let variable = |e: &&Expr| if let ExprKind::Var(v) = e.kind { Ok(v) } else { Err(Apart) };
            let all: Vec<usize> = all.iter().map(variable).collect::<Same<_>>()?;
            return Ok(ExprKind::Var(self.var(&all, None)?));
        }
        equal(all.iter().map(|e| inside(&mut Hollow, e).kind))?;
        let role = match first.kind {
            ExprKind::If { .. } | ExprKind::Match { .. } => Role::Choice,
            ExprKind::Register(_) | ExprKind::Flags(_) => Role::Index,
            _ => Role::Parts,
        };
        let children = all.iter().map(|e| children_of_expr(e));
        Ok(self.zip(children, role, |zip| inside(zip, first))?.kind)
    }

    /// The common form of lists of statements.
    pub(super) fn stmts(&mut self, all: &[&[Stmt]]) -> Same<Vec<Stmt>> {
        equal(all.iter().map(|stmts| stmts.len()))?;
        (0..all[0].len()).map(|at| self.stmt(&all.iter().map(|stmts| &stmts[at]).collect::<Vec<_>>())).collect()
    }

    fn stmt(&mut self, all: &Of<'_, Stmt>) -> Same<Stmt> {
        let first = all[0];
        equal(all.iter().map(|stmt| inside_stmt(&mut Hollow, stmt)))?;
        let is_choice = matches!(first.kind, StmtKind::If { .. } | StmtKind::Match { .. });
        let children = all.iter().map(|stmt| children_of_stmt(stmt));
        self.zip(children, if is_choice { Role::Choice } else { Role::Parts }, |zip| inside_stmt(zip, first))
    }

    fn place(&mut self, all: &Of<'_, Place>) -> Same<Place> {
        let first = all[0];
        if let PlaceKind::Var(_) = first.kind {
            let variable = |p: &&Place| if let PlaceKind::Var(v) = p.kind { Ok(v) } else { Err(Apart) };
            let all: Vec<usize> = all.iter().map(variable).collect::<Same<_>>()?;
            return Ok(Place { kind: PlaceKind::Var(self.set_variable(&all)?), width: first.width, range: 0..0 });
        }
        equal(all.iter().map(|place| inside_place(&mut Hollow, place)))?;
        let is_index = matches!(first.kind, PlaceKind::Register(_) | PlaceKind::Flags(_));
        let children = all.iter().map(|place| children_of_place(place));
        self.zip(children, if is_index { Role::Index } else { Role::Parts }, |zip| inside_place(zip, first))
    }

    /// The common variable for these, which are set.
    fn set_variable(&mut self, all: &[usize]) -> Same<usize> {
        equal(self.bodies.iter().zip(all).map(|(body, v)| body.vars[*v]))?;
        self.var(all, Some(self.bodies[0].vars[all[0]]))
    }
}
