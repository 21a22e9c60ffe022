//! The effects of a body: whether it only computes, and the state that it writes.

use super::uniform::Uniform;
use isa_spec::semantics::typed::{Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind};

/// Something that a lane has of its own, and that instructions write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum File {
    Registers(usize),
    Flags(usize),
    Value(usize),
}

/// A row that is written.
#[derive(Clone, Debug)]
pub(super) struct Write {
    pub(super) file: File,
    pub(super) index: Option<Expr>,
    pub(super) plus: u32,
    /// Not all bits, or not in all lanes.
    is_part: bool,
    /// Only if this holds, which is the same for all lanes.
    pub(super) when: Option<Expr>,
}

impl Write {
    fn is_same(&self, file: File, index: Option<&Expr>, plus: u32) -> bool {
        self.file == file && self.plus == plus && self.index.as_ref().map(|e| &e.kind) == index.map(|e| &e.kind)
    }
}

/// The effects of statements besides computing.
#[derive(Default)]
pub(super) struct Scan {
    /// Memory and actions: one lane comes after the other.
    pub(super) is_ordered: bool,
    /// Registers that a lane chooses.
    pub(super) is_loose: bool,
    /// It sets variables.
    pub(super) sets_vars: Vec<usize>,
    /// Rows written.
    pub(super) writes: Vec<Write>,
    /// The condition of the statements at hand.
    when: Option<Expr>,
}

impl Scan {
    pub(super) fn of(stmts: &[Stmt], uniform: &Uniform) -> Self {
        let mut scan = Self::default();
        for stmt in stmts {
            match &stmt.kind {
                // The rows it writes are stored only if the condition holds.
                StmtKind::If { arms, otherwise } if arms.len() == 1 && otherwise.is_empty() && uniform.is(&arms[0].0) => {
                    let (cond, body) = &arms[0];
                    scan.expr(cond, uniform);
                    scan.when = Some(cond.clone());
                    scan.stmts(body, uniform, false);
                    scan.when = None;
                }
                _ => scan.stmts(std::slice::from_ref(stmt), uniform, false),
            }
        }
        scan
    }

    /// True if what is written can be put back after all lanes have been computed: not if one of two registers of a file is written
    /// in part or by some lanes only, since both may be the same register.
    pub(super) fn has_rows(&self) -> bool {
        let clash = |(i, a): (usize, &Write)| {
            let other = |b: &&Write| a.file == b.file && !b.is_same(a.file, a.index.as_ref(), a.plus);
            self.writes[..i].iter().filter(other).any(|b| a.is_part || b.is_part || a.when != b.when)
        };
        !self.is_loose && !self.writes.iter().enumerate().any(clash)
    }

    /// True if lanes only compute.
    pub(super) fn is_straight(&self) -> bool {
        !self.is_ordered && self.has_rows()
    }

    /// Decides whether a row that is written keeps something of what it was; and the condition if it is not written always.
    pub(super) fn keeps(&self, file: File, index: Option<&Expr>, plus: u32) -> (bool, Option<&Expr>) {
        let mut all = self.writes.iter().filter(|w| w.is_same(file, index, plus));
        let Some(first) = all.next() else { return (true, None) };
        let is_one = all.all(|w| w.when == first.when);
        let is_part = self.writes.iter().filter(|w| w.is_same(file, index, plus)).any(|w| w.is_part);
        (is_part || !is_one, first.when.as_ref().filter(|_| is_one))
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
                StmtKind::Atomic { at, old, new } => {
                    self.is_ordered = true;
                    self.sets_vars.push(*old);
                    at.children().into_iter().chain([new]).for_each(|e| self.expr(e, uniform));
                }
                StmtKind::Store(at, value) => {
                    self.is_ordered = true;
                    at.children().into_iter().chain([value]).for_each(|e| self.expr(e, uniform));
                }
                StmtKind::Action(_, args) => {
                    self.is_ordered = true;
                    args.iter().for_each(|e| self.expr(e, uniform));
                }
            }
        }
    }

    fn place(&mut self, place: &Place, uniform: &Uniform, is_part: bool) {
        let mut write = |file: File, index: Option<&Expr>, plus: u32| {
            self.writes.push(Write { file, index: index.cloned(), plus, is_part, when: self.when.clone() });
        };
        match &place.kind {
            PlaceKind::Var(v) => self.sets_vars.push(*v),
            PlaceKind::Register(r) => {
                write(File::Registers(r.file), Some(&r.index), r.plus);
                self.is_loose |= !uniform.is(&r.index);
                self.expr(&r.index, uniform);
            }
            PlaceKind::Flags(f) => {
                write(File::Flags(f.file), Some(&f.index), 0);
                self.is_loose |= !uniform.is(&f.index);
                self.expr(&f.index, uniform);
            }
            PlaceKind::State(s) => write(File::Value(*s), None, 0),
            // The other bits stay, as if none of them were written.
            PlaceKind::Slice { of, .. } => self.place(of, uniform, true),
            PlaceKind::Part { of, at } => {
                self.expr(at, uniform);
                self.place(of, uniform, true);
            }
            PlaceKind::Concat(parts) => parts.iter().for_each(|p| self.place(p, uniform, is_part)),
        }
    }

    pub(super) fn expr(&mut self, e: &Expr, uniform: &Uniform) {
        match &e.kind {
            ExprKind::Load(_) => self.is_ordered = true,
            ExprKind::Register(r) => self.is_loose |= !uniform.is(&r.index),
            ExprKind::Flags(f) => self.is_loose |= !uniform.is(&f.index),
            ExprKind::Block(stmts, _) => self.stmts(stmts, uniform, false),
            _ => {}
        }
        e.children().into_iter().for_each(|c| self.expr(c, uniform));
    }
}
