//! What a body needs: whether it only computes, and what it writes.

use super::uniform::Uniform;
use isa_spec::semantics::typed::{Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind};

/// Something that a lane has of its own, and that instructions write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum File {
    Registers(usize),
    Flags(usize),
    Value(usize),
}

/// What the statements do besides computing.
#[derive(Default)]
pub(super) struct Scan {
    /// Memory, actions, registers that a lane chooses.
    pub(super) is_loose: bool,
    /// It sets variables.
    pub(super) sets_vars: Vec<usize>,
    /// Files written, with their index, and whether only some bits, or only if some condition holds.
    pub(super) writes: Vec<(File, Option<Expr>, u32, bool)>,
}

impl Scan {
    pub(super) fn of(stmts: &[Stmt], uniform: &Uniform) -> Self {
        let mut scan = Self::default();
        scan.stmts(stmts, uniform, false);
        scan
    }

    pub(super) fn of_expr(e: &Expr, uniform: &Uniform) -> Self {
        let mut scan = Self::default();
        scan.expr(e, uniform);
        scan
    }

    /// Whether what is written can be put back after all lanes have been computed: not if one of two registers of a file is written
    /// in part or by some lanes only, since both may be the same register.
    pub(super) fn is_straight(&self) -> bool {
        let same = |a: &(File, Option<Expr>, u32, bool), b: &(File, Option<Expr>, u32, bool)| {
            a.0 == b.0 && a.2 == b.2 && a.1.as_ref().map(|e| &e.kind) == b.1.as_ref().map(|e| &e.kind)
        };
        let clash = |(i, a): (usize, &(File, Option<Expr>, u32, bool))| {
            self.writes[..i].iter().any(|b| a.0 == b.0 && !same(a, b) && (a.3 || b.3))
        };
        !self.is_loose && !self.writes.iter().enumerate().any(clash)
    }

    fn stmts(&mut self, stmts: &[Stmt], uniform: &Uniform, some: bool) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Set(place, value) => {
                    self.expr(value, uniform);
                    self.place(place, uniform, some);
                }
                StmtKind::If { arms, otherwise } => {
                    for (cond, body) in arms {
                        self.expr(cond, uniform);
                        self.stmts(body, uniform, true);
                    }
                    self.stmts(otherwise, uniform, true);
                }
                StmtKind::Match { on, arms, otherwise } => {
                    self.expr(on, uniform);
                    arms.iter().for_each(|(_, body)| self.stmts(body, uniform, true));
                    self.stmts(otherwise, uniform, true);
                }
                StmtKind::Atomic { old, at, args, .. } => {
                    self.is_loose = true;
                    self.sets_vars.extend(old);
                    at.children().into_iter().chain(args).for_each(|e| self.expr(e, uniform));
                }
                StmtKind::Store(at, value) => {
                    self.is_loose = true;
                    at.children().into_iter().chain([value]).for_each(|e| self.expr(e, uniform));
                }
                StmtKind::Action(_, args) => {
                    self.is_loose = true;
                    args.iter().for_each(|e| self.expr(e, uniform));
                }
            }
        }
    }

    fn place(&mut self, place: &Place, uniform: &Uniform, some: bool) {
        match &place.kind {
            PlaceKind::Var(v) => self.sets_vars.push(*v),
            PlaceKind::Register(r) => {
                self.is_loose |= !uniform.is(&r.index);
                self.expr(&r.index, uniform);
                self.writes.push((File::Registers(r.file), Some((*r.index).clone()), r.plus, some));
            }
            PlaceKind::Flags(f) => {
                self.is_loose |= !uniform.is(&f.index);
                self.expr(&f.index, uniform);
                self.writes.push((File::Flags(f.file), Some((*f.index).clone()), 0, some));
            }
            PlaceKind::State(s) => self.writes.push((File::Value(*s), None, 0, some)),
            // The other bits stay, as if none of them were written.
            PlaceKind::Slice { of, .. } => self.place(of, uniform, true),
            PlaceKind::Part { of, at } => {
                self.expr(at, uniform);
                self.place(of, uniform, true);
            }
            PlaceKind::Concat(parts) => parts.iter().for_each(|p| self.place(p, uniform, some)),
        }
    }

    fn expr(&mut self, e: &Expr, uniform: &Uniform) {
        match &e.kind {
            ExprKind::Load(_) => self.is_loose = true,
            ExprKind::Register(r) => self.is_loose |= !uniform.is(&r.index),
            ExprKind::Flags(f) => self.is_loose |= !uniform.is(&f.index),
            ExprKind::Block(stmts, _) => self.stmts(stmts, uniform, false),
            _ => {}
        }
        e.children().into_iter().for_each(|c| self.expr(c, uniform));
    }
}
