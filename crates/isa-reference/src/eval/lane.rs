//! One lane that runs a body, by walking it.

// A kind of expression, statement or function that is new must be handled here.
#![warn(clippy::wildcard_enum_match_arm)]

use super::float;
use super::memory::{Address, Memory};
use super::reference::{Op, Reference, Written};
use super::state::{State, Target};
use isa_sim::{Flow, MAX_LANES, State as _};
use isa_spec::semantics::arith::{self, and, bit, not, ones, or, saturating_u64, shl, shr};
use isa_spec::semantics::builtins::{Function, Supplied};
use isa_spec::semantics::int::Int;
use isa_spec::semantics::machine::StateKind;
use isa_spec::semantics::typed::{Access, Body, Expr, ExprKind, Flags, Place, PlaceKind, Register, Stmt, StmtKind};
use std::cell::Cell;

/// The surroundings of a lane: everything but its state.
pub(super) struct World<'w> {
    pub(super) pc: u64,
    pub(super) next: u64,
    pub(super) launch_values: &'w [[u32; MAX_LANES]],
    pub(super) variants: &'w [usize],
    pub(super) memory: &'w mut dyn Memory,
    pub(super) supplied: isa_sim::Supplied,
    pub(super) steps: u64,
    /// The lanes that are at the instruction.
    pub(super) executing: u64,
    /// The executing lanes that take part.
    pub(super) on: u64,
    /// The values that lanes request from each other, from before the body: expressions, and their values by lane.
    pub(super) asked: &'w [(&'w Expr, Vec<Int>)],
    /// The writes to what the warp has once, made when all lanes have ended.
    pub(super) of_warp: Vec<(Target, u128)>,
    pub(super) flow: &'w mut Flow,
    /// The writes, in order, if they are recorded.
    pub(super) written: Option<&'w mut Vec<Written>>,
}

impl World<'_> {
    /// The same for a shorter time.
    pub(super) fn reborrow(&mut self) -> World<'_> {
        World {
            pc: self.pc,
            next: self.next,
            launch_values: self.launch_values,
            variants: self.variants,
            memory: &mut *self.memory,
            supplied: self.supplied,
            steps: self.steps,
            executing: self.executing,
            on: self.on,
            asked: self.asked,
            of_warp: std::mem::take(&mut self.of_warp),
            flow: &mut *self.flow,
            written: self.written.as_deref_mut(),
        }
    }
}

pub(super) struct Lane<'l, 'w> {
    pub(super) reference: &'l Reference<'l>,
    /// `None` before the first instruction.
    pub(super) op: Option<&'l Op>,
    pub(super) lane: usize,
    pub(super) state: &'l mut State,
    pub(super) world: &'l mut World<'w>,
    pub(super) vars: Vec<Int>,
    /// It has ended with a fault.
    pub(super) has_fault: bool,
}

/// Bits of something that can be assigned: which, and what they become.
struct Change {
    target: Target,
    mask: Int,
    value: Int,
}

impl Change {
    fn after(&self, before: Int) -> Int {
        or(and(before, not(self.mask)), and(self.value, self.mask))
    }
}

impl Lane<'_, '_> {
    pub(super) fn body(&mut self, body: &Body) {
        self.vars = vec![Int::default(); body.vars.len()];
        self.stmts(&body.stmts);
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
            if self.has_ended() {
                break;
            }
        }
    }

    /// A fault, and an access to memory that can't be, end the instruction of a core; other lanes go on.
    fn has_ended(&self) -> bool {
        self.reference.info.lanes == 1 && (self.has_fault || self.world.memory.has_trouble())
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Set(place, value) => {
                let value = self.expr(value);
                let mut changes = Vec::new();
                self.find(place, value, ones(place.width), &mut changes);
                if self.has_ended() {
                    return;
                }
                changes.into_iter().for_each(|c| self.change(&c));
            }
            StmtKind::If { arms, otherwise } => {
                let holds = arms.iter().find(|a| self.holds(&a.0));
                if self.has_ended() {
                    return;
                }
                self.stmts(holds.map_or(otherwise, |a| &a.1));
            }
            StmtKind::Match { on, arms, otherwise } => {
                let on = self.expr(on);
                if self.has_ended() {
                    return;
                }
                self.stmts(arms.iter().find(|a| a.0.contains(&on)).map_or(otherwise, |a| &a.1));
            }
            StmtKind::Store(access, value) => {
                let (at, bytes) = (self.address(access), value.width / 8);
                let value = self.expr(value);
                if self.has_ended() {
                    return;
                }
                if access.aligned && !self.world.memory.is_aligned(at, bytes, true) {
                    return;
                }
                self.world.memory.store(at, bytes, value);
                self.note(Written::Memory(at, bytes));
            }
            StmtKind::Atomic { at, old, new } => {
                let (at, bytes) = (self.address(at), new.width / 8);
                if self.has_ended() {
                    return;
                }
                let can_be = Cell::new(false);
                let mut was = self.world.memory.update(at, bytes, &|was| {
                    can_be.set(true);
                    was
                });
                // Another thread may come between: then what memory takes is made of what is there now.
                while can_be.get() {
                    self.vars[*old] = was;
                    let new = self.expr(new);
                    let now = self.world.memory.update(at, bytes, &|now| if now == was { new } else { now });
                    if now == was {
                        break;
                    }
                    was = now;
                }
                self.note(Written::Memory(at, bytes));
            }
            StmtKind::Action(action, args) => {
                let mut numbers = [0; 3];
                for (number, arg) in numbers.iter_mut().zip(args) {
                    *number = saturating_u64(self.expr(arg));
                }
                if self.has_ended() {
                    return;
                }
                self.has_fault |= action.is_fault();
                self.world.flow.request(*action, 1 << self.lane, numbers);
            }
        }
    }

    fn note(&mut self, written: Written) {
        if let Some(list) = &mut self.world.written {
            list.push(written);
        }
    }

    fn holds(&mut self, e: &Expr) -> bool {
        self.expr(e).bit(0)
    }

    pub(super) fn expr(&mut self, e: &Expr) -> Int {
        let number = |n: u64| Int::from(u128::from(n)).truncated(e.width);
        match &e.kind {
            ExprKind::Const(value) => *value,
            ExprKind::Var(var) => self.vars[*var],
            ExprKind::Field(field) => self.op.expect("a body with fields is that of a form").fields[*field],
            ExprKind::Condition(index) => bit(self.op.expect("a body with conditions is that of a form").conditions[*index]),
            ExprKind::Register(r) => {
                let (file, index) = self.register(r);
                Int::from(self.state.register(file, index, self.lane))
            }
            ExprKind::Flags(flags) => {
                let (file, index) = self.flags(flags);
                Int::from(u128::from(self.state.flags(file, index, self.lane)))
            }
            ExprKind::State(state) => {
                let kind = self.reference.isa.machine.state[*state].kind;
                let index = self.reference.named[*state];
                match kind {
                    StateKind::Launch => number(self.world.launch_values[index][self.lane].into()),
                    StateKind::Written => Int::from(self.state.value(index, self.lane)),
                }
            }
            ExprKind::Supplied(what) => number(match what {
                Supplied::Lane => self.lane as u64,
                Supplied::Active => self.world.on,
                Supplied::Executing => self.world.executing,
                Supplied::Reduced => self.world.supplied.reduced,
                Supplied::Pc => self.world.pc,
                Supplied::Next => self.world.next,
                Supplied::Steps => self.world.steps,
                Supplied::Hart => self.world.supplied.hart,
                Supplied::Line(line) => self.world.supplied.lines >> line & 1,
                Supplied::Cause => self.world.supplied.cause,
                Supplied::Value => self.world.supplied.value,
                Supplied::Word => self.world.supplied.word,
                Supplied::Address => self.world.supplied.address,
                Supplied::Write => self.world.supplied.write.into(),
            }),
            ExprKind::Variant(variant) => number(self.world.variants[*variant] as u64),
            ExprKind::Slice { of, lo } => shr(self.expr(of), (*lo).into()).truncated(e.width),
            ExprKind::Part { of, at } => {
                let at = self.expr(at);
                shr(self.expr(of), saturating_u64(at)).truncated(e.width)
            }
            ExprKind::Concat(parts) => {
                parts.iter().fold(Int::default(), |high, part| or(shl(high, part.width.into()), self.expr(part)))
            }
            ExprKind::Unary(op, of) => arith::unary(*op, self.expr(of), e.width),
            ExprKind::Binary(op, a, b) => {
                let left = self.expr(a);
                let right = self.expr(b);
                arith::binary(*op, left, right, a.width)
            }
            ExprKind::If { arms, otherwise } => {
                let chosen = arms.iter().find(|a| self.holds(&a.0)).map_or(&**otherwise, |a| &a.1);
                self.expr(chosen)
            }
            ExprKind::Match { on, arms, otherwise } => {
                let on = self.expr(on);
                self.expr(arms.iter().find(|a| a.0.contains(&on)).map_or(&**otherwise, |a| &a.1))
            }
            ExprKind::Other { value, lane } => {
                let lane = saturating_u64(self.expr(lane));
                if lane < 64 && self.world.on >> lane & 1 != 0 { self.asked(value, lane as usize) } else { Int::default() }
            }
            ExprKind::Ballot(of) => {
                let lanes = (0..64).filter(|lane| self.world.on >> lane & 1 != 0);
                let holds = lanes.filter(|lane| self.asked(of, *lane).bit(0));
                number(holds.fold(0, |mask, lane| mask | 1 << lane))
            }
            ExprKind::Load(access) => {
                let at = self.address(access);
                if self.has_ended() {
                    return Int::default();
                }
                let bytes = e.width / 8;
                if access.aligned && !self.world.memory.is_aligned(at, bytes, false) {
                    return Int::default();
                }
                self.world.memory.load(at, bytes)
            }
            ExprKind::Call { function, args, exact } => {
                let from = args[0].width;
                let args: Vec<Int> = args.iter().map(|a| self.expr(a)).collect();
                match (*function, exact) {
                    (Function::Int(function), _) => arith::function(function, &args, from, e.width),
                    (Function::Float(function), Some(exact)) => {
                        float::function(function, &args, from, *exact, &self.reference.isa.machine.floats)
                    }
                    (Function::Float(_), None) => unreachable!("a call of a function of floats has modes"),
                    (Function::Own(_), _) => unreachable!("only back ends take functions out of bodies"),
                }
            }
            ExprKind::Block(stmts, value) => {
                self.stmts(stmts);
                self.expr(value)
            }
        }
    }

    /// The value of an expression in a lane before the body.
    fn asked(&self, e: &Expr, lane: usize) -> Int {
        let found = self.world.asked.iter().find(|asked| std::ptr::eq(asked.0, e));
        found.and_then(|asked| asked.1.get(lane)).copied().unwrap_or_default()
    }

    /// File and number; one beyond the end of every file if the number is too large.
    fn register(&mut self, r: &Register) -> (usize, usize) {
        let index = saturating_u64(self.expr(&r.index));
        (r.file, usize::try_from(index).unwrap_or(usize::MAX).saturating_add(r.plus as usize))
    }

    fn flags(&mut self, flags: &Flags) -> (usize, usize) {
        let index = saturating_u64(self.expr(&flags.index));
        (flags.file, usize::try_from(index).unwrap_or(usize::MAX))
    }

    fn address(&mut self, access: &Access) -> Address {
        let bank = access.bank.as_ref().map_or(0, |b| saturating_u64(self.expr(b)));
        let address = saturating_u64(self.expr(&access.address));
        let (space, address) = self.reference.isa.machine.memory_at(access.space, address);
        Address { space, bank, lane: self.lane, address }
    }

    /// Adds the changes that put the bits of `value` selected by `mask` into a place: all of them are found before anything is
    /// written.
    fn find(&mut self, place: &Place, value: Int, mask: Int, changes: &mut Vec<Change>) {
        let target = match &place.kind {
            PlaceKind::Slice { of, lo } => {
                return self.find(of, shl(value, (*lo).into()), shl(mask, (*lo).into()), changes);
            }
            PlaceKind::Part { of, at } => {
                let at = saturating_u64(self.expr(at));
                return self.find(of, shl(value, at).truncated(of.width), shl(mask, at).truncated(of.width), changes);
            }
            PlaceKind::Concat(parts) => {
                let mut lo = 0;
                for part in parts.iter().rev() {
                    self.find(part, shr(value, lo).truncated(part.width), shr(mask, lo).truncated(part.width), changes);
                    lo += u64::from(part.width);
                }
                return;
            }
            PlaceKind::Var(var) => Target::Var(*var),
            PlaceKind::Register(r) => {
                let (file, index) = self.register(r);
                Target::Register(file, index)
            }
            PlaceKind::Flags(flags) => {
                let (file, index) = self.flags(flags);
                Target::Flags(file, index)
            }
            PlaceKind::State(state) => Target::Value(self.reference.named[*state]),
        };
        if mask != Int::default() {
            changes.push(Change { target, mask, value });
        }
    }

    /// A change of what the warp has once, which was `before` ahead of the body.
    fn change_of_warp(&mut self, change: &Change, before: Int) {
        let known = self.world.of_warp.iter().position(|(target, _)| *target == change.target);
        // What was partly written keeps that part.
        let before = known.map_or(before, |at| Int::from(self.world.of_warp.remove(at).1));
        self.world.of_warp.push((change.target, change.after(before).low_u128()));
    }

    fn change(&mut self, change: &Change) {
        let lane = self.lane;
        let after = |before: Int| change.after(before);
        match change.target {
            Target::Var(var) => self.vars[var] = after(self.vars[var]),
            Target::Register(file, index) => {
                let before = Int::from(self.state.register(file, index, lane));
                if self.reference.isa.registers[file].of_warp {
                    self.change_of_warp(change, before);
                } else {
                    self.state.set_register(file, index, lane, after(before).low_u128());
                }
                if self.state.is_writable(file, index) {
                    self.note(Written::Register(file, index, change.mask.low_u128()));
                }
            }
            Target::Flags(file, index) => {
                let value = after(Int::from(u128::from(self.state.flags(file, index, lane))));
                self.state.set_flags(file, index, lane, value.low());
                if index < self.reference.info.flags[file].count {
                    self.note(Written::Flags(file, index, change.mask.low()));
                }
            }
            Target::Value(value) => {
                let before = Int::from(self.state.value(value, lane));
                if self.state.is_value_of_warp(value) {
                    self.change_of_warp(change, before);
                } else {
                    self.state.set_value(value, lane, after(before).low_u128());
                }
                self.note(Written::Value(value, change.mask.low_u128()));
            }
        }
    }
}
