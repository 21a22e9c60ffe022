//! The effects of a body: whether it only computes, and the state that it writes.

use super::uniform::Uniform;
use isa_spec::semantics::typed::{Expr, ExprKind, Flags, Place, PlaceKind, Register, Stmt, StmtKind};

/// Something that a lane has of its own, and that instructions write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum File {
    Registers(usize),
    Flags(usize),
    Value(usize),
}

/// A register, a register of flags, or a named value: what it is of, its number there, and what is added to that.
#[derive(Clone, Copy)]
pub(super) struct Held<'e> {
    pub(super) file: File,
    pub(super) index: Option<&'e Expr>,
    pub(super) plus: u32,
}

impl<'e> Held<'e> {
    pub(super) fn register(r: &'e Register) -> Self {
        Self { file: File::Registers(r.file), index: Some(&r.index), plus: r.plus }
    }

    pub(super) fn flags(f: &'e Flags) -> Self {
        Self { file: File::Flags(f.file), index: Some(&f.index), plus: 0 }
    }

    pub(super) fn state(state: usize) -> Self {
        Self { file: File::Value(state), index: None, plus: 0 }
    }

    pub(super) fn of_place(place: &'e Place) -> Option<Self> {
        match &place.kind {
            PlaceKind::Register(r) => Some(Self::register(r)),
            PlaceKind::Flags(f) => Some(Self::flags(f)),
            PlaceKind::State(s) => Some(Self::state(*s)),
            _ => None,
        }
    }

    pub(super) fn key(self) -> Key {
        (self.file, self.index.map(|index| index.kind.clone()), self.plus)
    }
}

/// What equal registers, flags and values have in common.
pub(super) type Key = (File, Option<ExprKind>, u32);

/// A row that is written.
#[derive(Clone, Debug)]
pub(super) struct Write {
    key: Key,
    pub(super) file: File,
    pub(super) index: Option<Expr>,
    pub(super) plus: u32,
    /// Not all bits, or not in all lanes.
    is_part: bool,
    /// Only if this holds, which is the same for all lanes.
    pub(super) when: Option<Expr>,
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
            let other = |b: &&Write| a.file == b.file && a.key != b.key;
            self.writes[..i].iter().filter(other).any(|b| a.is_part || b.is_part || a.when != b.when)
        };
        !self.is_loose && !self.writes.iter().enumerate().any(clash)
    }

    /// True if lanes only compute.
    pub(super) fn is_straight(&self) -> bool {
        !self.is_ordered && self.has_rows()
    }

    /// Decides whether a row that is written keeps something of what it was; and the condition if it is not written always.
    pub(super) fn keeps(&self, key: &Key) -> (bool, Option<&Expr>) {
        let all: Vec<&Write> = self.writes.iter().filter(|w| w.key == *key).collect();
        let Some(first) = all.first() else { return (true, None) };
        let is_one = all.iter().all(|w| w.when == first.when);
        (!is_one || all.iter().any(|w| w.is_part), first.when.as_ref().filter(|_| is_one))
    }

    fn stmts(&mut self, stmts: &[Stmt], uniform: &Uniform, some: bool) {
        for stmt in stmts {
            stmt.exprs().into_iter().for_each(|e| self.expr(e, uniform));
            match &stmt.kind {
                StmtKind::Set(place, _) => self.place(place, uniform, some),
                StmtKind::If { .. } | StmtKind::Match { .. } => {
                    stmt.ways().into_iter().for_each(|body| self.stmts(body, uniform, true));
                }
                StmtKind::Atomic { old, .. } => {
                    self.is_ordered = true;
                    self.sets_vars.push(*old);
                }
                StmtKind::Store(..) | StmtKind::Action(..) => self.is_ordered = true,
            }
        }
    }

    fn place(&mut self, place: &Place, uniform: &Uniform, is_part: bool) {
        if let Some(held) = Held::of_place(place) {
            let Held { file, index, plus } = held;
            let (key, when) = (held.key(), self.when.clone());
            self.writes.push(Write { key, file, index: index.cloned(), plus, is_part, when });
            self.is_loose |= index.is_some_and(|index| !uniform.is(index));
        }
        match &place.kind {
            PlaceKind::Var(v) => self.sets_vars.push(*v),
            // The other bits stay, as if none of them were written.
            PlaceKind::Slice { of, .. } | PlaceKind::Part { of, .. } => self.place(of, uniform, true),
            PlaceKind::Concat(parts) => parts.iter().for_each(|p| self.place(p, uniform, is_part)),
            PlaceKind::Register(_) | PlaceKind::Flags(_) | PlaceKind::State(_) => {}
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
