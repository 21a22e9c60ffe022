//! Instructions that may change what interrupts depend on: after them it is asked whether there is one.

use isa_model::model::Isa;
use isa_model::semantics::builtins::{Action, Routine};
use isa_model::semantics::typed::{Body, Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind};

/// Registers, flags, values and memories that a body reads or writes.
#[derive(Default)]
struct Touched {
    registers: Vec<usize>,
    /// The bits of each register of flags.
    flags: Vec<(usize, u64)>,
    state: Vec<usize>,
    spaces: Vec<usize>,
}

/// Adds the question to a body that writes what the interrupts of the machine read.
pub fn complete(body: &mut Body, isa: &Isa) {
    let Some(interrupts) = isa.routine(Routine::Interrupts) else { return };
    let (mut read, mut written) = (Touched::default(), Touched::default());
    interrupts.stmts.iter().for_each(|stmt| read.read_by(stmt));
    body.stmts.iter().for_each(|stmt| written.written_by(stmt));
    if read.meets(&written) {
        let range = body.stmts.last().map_or(0..0, |stmt| stmt.range.clone());
        body.stmts.push(Stmt { kind: StmtKind::Action(Action::Ask, Vec::new()), range });
    }
}

impl Touched {
    fn meets(&self, other: &Self) -> bool {
        self.registers.iter().any(|file| other.registers.contains(file))
            || self.state.iter().any(|state| other.state.contains(state))
            || self.spaces.iter().any(|space| other.spaces.contains(space))
            || self.flags.iter().any(|(file, bits)| other.flags.iter().any(|(of, written)| of == file && written & bits != 0))
    }

    fn read_by(&mut self, stmt: &Stmt) {
        if let StmtKind::Atomic { at, .. } = &stmt.kind {
            self.spaces.push(at.space);
        }
        stmt.exprs().into_iter().for_each(|e| self.read(e));
        stmt.nested().into_iter().for_each(|stmt| self.read_by(stmt));
    }

    fn read(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Register(register) => self.registers.push(register.file),
            ExprKind::Flags(flags) => self.flags.push((flags.file, u64::MAX)),
            ExprKind::Slice { of, lo } if let ExprKind::Flags(flags) = &of.kind => {
                self.flags.push((flags.file, mask(*lo, e.width)));
                return self.read(&flags.index);
            }
            ExprKind::State(state) => self.state.push(*state),
            ExprKind::Load(access) => self.spaces.push(access.space),
            ExprKind::Block(stmts, _) => stmts.iter().for_each(|stmt| self.read_by(stmt)),
            _ => {}
        }
        e.children().into_iter().for_each(|e| self.read(e));
    }

    fn written_by(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Set(place, _) => self.written(place, u64::MAX),
            StmtKind::Store(at, _) | StmtKind::Atomic { at, .. } => self.spaces.push(at.space),
            StmtKind::If { .. } | StmtKind::Match { .. } | StmtKind::Action(..) => {}
        }
        stmt.nested().into_iter().for_each(|stmt| self.written_by(stmt));
    }

    /// A place that is written; of flags these bits.
    fn written(&mut self, place: &Place, bits: u64) {
        match &place.kind {
            PlaceKind::Var(_) => {}
            PlaceKind::Register(register) => self.registers.push(register.file),
            PlaceKind::Flags(flags) => self.flags.push((flags.file, bits)),
            PlaceKind::State(state) => self.state.push(*state),
            PlaceKind::Slice { of, lo } => self.written(of, mask(*lo, place.width)),
            PlaceKind::Part { of, .. } => self.written(of, u64::MAX),
            PlaceKind::Concat(parts) => parts.iter().for_each(|part| self.written(part, u64::MAX)),
        }
    }
}

fn mask(lo: u32, width: u32) -> u64 {
    isa_runtime::word::ones(width.min(64)).checked_shl(lo).unwrap_or(0)
}
