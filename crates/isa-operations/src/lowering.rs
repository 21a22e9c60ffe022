//! From a typed body to a list.

use crate::builder::Builder;
use crate::list::{Id, List, Memory, Op, Place};
use isa_model::model::Isa;
use isa_model::semantics::ast::{BinaryOp, UnaryOp};
use isa_model::semantics::builtins::{Function, IntFunction};
use isa_model::semantics::int::Int;
use isa_model::semantics::typed;
use isa_model::semantics::typed::{Access, Body, Expr, ExprKind, PlaceKind, Stmt, StmtKind, Value};
use rustc_hash::FxHashMap;

impl List {
    /// The list of a body.
    pub fn of_body(isa: &Isa, body: &Body) -> Self {
        let mut lowering = Lowering::new(isa, &body.vars);
        // The values that lanes request from each other are those from before the body.
        for asked in body.asked_of_lanes() {
            let value = lowering.expr(asked, None);
            lowering.asked.insert(std::ptr::from_ref(asked), value);
            lowering.clear(&body.vars);
        }
        lowering.stmts(&body.stmts, None);
        lowering.to.finish(None)
    }

    /// The list of an expression, with its value as the result.
    pub fn of_value(isa: &Isa, value: &Value) -> Self {
        let mut lowering = Lowering::new(isa, &value.vars);
        let result = lowering.expr(&value.expr, None);
        lowering.to.finish(Some(result))
    }
}

struct Lowering<'a> {
    to: Builder<'a>,
    /// The values of the variables.
    vars: Vec<Id>,
    /// The values that lanes request from each other, by the expression.
    asked: FxHashMap<*const Expr, Id>,
}

/// The condition on which something happens; `None` for always.
type When = Option<Id>;

/// A change of a place: the bits of a value that are 1 in a mask.
struct Change {
    to: Target,
    value: Id,
    mask: Id,
}

enum Target {
    Var(usize),
    Place(Place),
}

impl<'a> Lowering<'a> {
    fn new(isa: &'a Isa, vars: &[u32]) -> Self {
        let mut this = Self { to: Builder::new(isa), vars: Vec::new(), asked: FxHashMap::default() };
        this.clear(vars);
        this
    }

    fn clear(&mut self, vars: &[u32]) {
        self.vars = vars.iter().map(|width| self.to.zero(*width)).collect();
    }

    fn both(&mut self, when: When, condition: Id) -> Id {
        when.map_or(condition, |when| self.to.binary(BinaryOp::And, when, condition))
    }

    fn never(&self, when: When) -> bool {
        when.is_some_and(|when| self.to.known(when) == Some(Int::default()))
    }

    fn stmts(&mut self, stmts: &[Stmt], when: When) {
        stmts.iter().for_each(|stmt| self.stmt(stmt, when));
    }

    fn stmt(&mut self, stmt: &Stmt, when: When) {
        match &stmt.kind {
            StmtKind::Set(place, value) => {
                let value = self.expr(value, when);
                let mask = self.to.number(Int::ones(place.width), place.width);
                let mut changes = Vec::new();
                self.find(place, value, mask, when, &mut changes);
                changes.into_iter().for_each(|change| self.change(&change, when));
            }
            StmtKind::If { arms, otherwise } => {
                let ways = arms.iter().map(|arm| &arm.1);
                self.chosen(ways, otherwise, when, |this, at, rest| this.expr(&arms[at].0, rest));
            }
            StmtKind::Match { on, arms, otherwise } => {
                let on = self.expr(on, when);
                let ways = arms.iter().map(|arm| &arm.1);
                self.chosen(ways, otherwise, when, |this, at, _| this.is_one_of(on, &arms[at].0));
            }
            StmtKind::Store(access, value) => {
                let at = self.memory(access, when);
                let value = self.expr(value, when);
                let width = self.to.width(value);
                self.to.effect(Op::Store(at, value), width, when);
            }
            StmtKind::Atomic { at, old, new } => {
                let at = self.memory(at, when);
                let Some(taken) = self.to.effect(Op::Take(at), new.width, when) else { return };
                self.vars[*old] = taken;
                let value = self.expr(new, when);
                self.to.effect(Op::Replace(taken, value), new.width, when);
            }
            StmtKind::Action(action, args) => {
                let args = args.iter().map(|arg| self.expr(arg, when)).collect();
                self.to.effect(Op::Act(*action, args), 0, when);
            }
        }
    }

    /// The first statements whose condition holds, or the last; then a variable is what these made of it.
    fn chosen<'s>(
        &mut self,
        ways: impl Iterator<Item = &'s Vec<Stmt>>,
        otherwise: &[Stmt],
        when: When,
        condition: impl FnMut(&mut Self, usize, When) -> Id,
    ) {
        let (made, rest) = self.ways(ways, when, condition, |this, stmts, taken| {
            let before = this.vars.clone();
            this.stmts(stmts, taken);
            std::mem::replace(&mut this.vars, before)
        });
        if !self.never(rest) {
            self.stmts(otherwise, rest);
        }
        for (condition, vars) in made.into_iter().rev() {
            for (at, value) in vars.into_iter().enumerate() {
                self.vars[at] = self.to.select(condition, value, self.vars[at]);
            }
        }
    }

    /// Lowers each way that can be taken, under its condition and none before it. Gives the conditions with what was made, and the
    /// condition on which no way is taken.
    fn ways<W, T>(
        &mut self,
        ways: impl Iterator<Item = W>,
        when: When,
        mut condition: impl FnMut(&mut Self, usize, When) -> Id,
        mut lower: impl FnMut(&mut Self, W, When) -> T,
    ) -> (Vec<(Id, T)>, When) {
        let (mut made, mut rest) = (Vec::new(), when);
        for (at, way) in ways.enumerate() {
            let condition = condition(self, at, rest);
            let taken = Some(self.both(rest, condition));
            if !self.never(taken) {
                made.push((condition, lower(self, way, taken)));
            }
            let not = self.to.not(condition);
            rest = Some(self.both(rest, not));
        }
        (made, rest)
    }

    fn is_one_of(&mut self, on: Id, labels: &[Int]) -> Id {
        let none = self.to.zero(1);
        labels.iter().fold(none, |any, label| {
            let label = self.to.number(*label, self.to.width(on));
            let equal = self.to.binary(BinaryOp::Eq, on, label);
            self.to.binary(BinaryOp::Or, any, equal)
        })
    }

    /// The first value whose condition holds, or the last.
    fn choice<'e>(
        &mut self,
        arms: impl Iterator<Item = &'e Expr>,
        otherwise: &'e Expr,
        when: When,
        condition: impl FnMut(&mut Self, usize, When) -> Id,
    ) -> Id {
        let (values, rest) = self.ways(arms, when, condition, |this, value, taken| this.expr(value, taken));
        let last = if self.never(rest) { self.to.zero(otherwise.width) } else { self.expr(otherwise, rest) };
        values.into_iter().rev().fold(last, |last, (condition, value)| self.to.select(condition, value, last))
    }

    fn expr(&mut self, e: &Expr, when: When) -> Id {
        let width = e.width;
        match &e.kind {
            ExprKind::Const(value) => self.to.number(*value, width),
            ExprKind::Var(var) => self.vars[*var],
            ExprKind::Field(field) => self.to.make(Op::Field(*field), width),
            ExprKind::Condition(condition) => self.to.make(Op::Condition(*condition), width),
            ExprKind::Register(register) => {
                let place = self.register(register, when);
                self.to.read(place, width)
            }
            ExprKind::Flags(flags) => {
                let place = self.flags(flags, when);
                self.to.read(place, width)
            }
            ExprKind::State(state) => self.to.read(Place::State(*state), width),
            ExprKind::Supplied(what) => self.to.make(Op::Supplied(*what), width),
            ExprKind::Variant(variant) => self.to.make(Op::Variant(*variant), width),
            ExprKind::Slice { of, lo } => {
                let of = self.expr(of, when);
                self.to.slice(of, *lo, width)
            }
            ExprKind::Part { of, at } => {
                let at = self.expr(at, when);
                let of = self.expr(of, when);
                let shifted = self.to.binary(BinaryOp::ShrU, of, at);
                self.resized(shifted, width)
            }
            ExprKind::Concat(parts) => {
                let parts: Vec<Id> = parts.iter().map(|part| self.expr(part, when)).collect();
                let joined = parts.into_iter().reduce(|high, low| self.to.join(high, low));
                joined.unwrap_or_else(|| self.to.zero(width))
            }
            ExprKind::Unary(op, of) => {
                let of = self.expr(of, when);
                self.to.make(Op::Unary(if *op == UnaryOp::LogicNot { UnaryOp::Not } else { *op }, of), width)
            }
            ExprKind::Binary(op, a, b) => {
                let a = self.expr(a, when);
                let b = self.expr(b, when);
                self.to.binary(*op, a, b)
            }
            ExprKind::If { arms, otherwise } => {
                self.choice(arms.iter().map(|arm| &arm.1), otherwise, when, |this, at, rest| this.expr(&arms[at].0, rest))
            }
            ExprKind::Match { on, arms, otherwise } => {
                let on = self.expr(on, when);
                self.choice(arms.iter().map(|arm| &arm.1), otherwise, when, |this, at, _| this.is_one_of(on, &arms[at].0))
            }
            ExprKind::Load(access) => {
                let at = self.memory(access, when);
                self.to.effect(Op::Load(at), width, when).unwrap_or_else(|| self.to.zero(width))
            }
            ExprKind::Other { value, lane } => {
                let value = self.asked[&std::ptr::from_ref(&**value)];
                let lane = self.expr(lane, when);
                self.to.make(Op::Other(value, lane), width)
            }
            ExprKind::Ballot(of) => {
                let of = self.asked[&std::ptr::from_ref(&**of)];
                self.to.make(Op::Ballot(of), width)
            }
            ExprKind::Call { function, args, exact } => {
                let args: Vec<Id> = args.iter().map(|arg| self.expr(arg, when)).collect();
                match (*function, exact) {
                    (Function::Int(function), _) => self.to.make(Op::Int(function, args), width),
                    (Function::Float(function), Some(exact)) => self.to.make(Op::Float(function, args, *exact), width),
                    (Function::Float(_), None) => unreachable!("a call of a function of floats has modes"),
                    (Function::Own(_), _) => unreachable!("only back ends take functions out of bodies"),
                }
            }
            ExprKind::Block(stmts, value) => {
                self.stmts(stmts, when);
                self.expr(value, when)
            }
        }
    }

    /// The value in another width: without its high bits, or with zeros above.
    fn resized(&mut self, of: Id, width: u32) -> Id {
        if self.to.width(of) < width { self.to.zext(of, width) } else { self.to.slice(of, 0, width) }
    }

    fn register(&mut self, register: &typed::Register, when: When) -> Place {
        Place::Register { file: register.file, index: self.expr(&register.index, when), plus: register.plus }
    }

    fn flags(&mut self, flags: &typed::Flags, when: When) -> Place {
        Place::Flags { file: flags.file, index: self.expr(&flags.index, when) }
    }

    fn memory(&mut self, access: &Access, when: When) -> Memory {
        let bank = access.bank.as_ref().map(|bank| self.expr(bank, when));
        Memory { space: access.space, bank, address: self.expr(&access.address, when), aligned: access.aligned }
    }

    /// Adds the changes that put the bits of a value that are 1 in a mask into a place.
    fn find(&mut self, place: &typed::Place, value: Id, mask: Id, when: When, changes: &mut Vec<Change>) {
        let to = match &place.kind {
            PlaceKind::Slice { of, lo } => {
                let [value, mask] = [value, mask].map(|bits| {
                    let low = self.to.zero(*lo);
                    let bits = if *lo == 0 { bits } else { self.to.join(bits, low) };
                    self.to.zext(bits, of.width)
                });
                return self.find(of, value, mask, when, changes);
            }
            PlaceKind::Part { of, at } => {
                let at = self.expr(at, when);
                let [value, mask] = [value, mask].map(|bits| {
                    let bits = self.resized(bits, of.width);
                    self.to.binary(BinaryOp::Shl, bits, at)
                });
                return self.find(of, value, mask, when, changes);
            }
            PlaceKind::Concat(parts) => {
                let mut lo = 0;
                for part in parts.iter().rev() {
                    let [value, mask] = [value, mask].map(|bits| self.to.slice(bits, lo, part.width));
                    self.find(part, value, mask, when, changes);
                    lo += part.width;
                }
                return;
            }
            PlaceKind::Var(var) => Target::Var(*var),
            PlaceKind::Register(register) => Target::Place(self.register(register, when)),
            PlaceKind::Flags(flags) => Target::Place(self.flags(flags, when)),
            PlaceKind::State(state) => Target::Place(Place::State(*state)),
        };
        changes.push(Change { to, value, mask });
    }

    fn change(&mut self, change: &Change, when: When) {
        let width = self.to.width(change.value);
        match change.to {
            Target::Var(var) => self.vars[var] = self.merged(self.vars[var], change.value, change.mask),
            Target::Place(place) => {
                self.to.effect(Op::Write(place, change.value, Some(change.mask)), width, when);
            }
        }
    }

    /// The first value with the bits of the second that are 1 in the mask.
    fn merged(&mut self, before: Id, value: Id, mask: Id) -> Id {
        let width = self.to.width(before);
        let run = self.to.known(mask).and_then(run);
        let Some((lo, bits)) = run else {
            let not = self.to.not(mask);
            let kept = self.to.binary(BinaryOp::And, before, not);
            let new = self.to.binary(BinaryOp::And, value, mask);
            return self.to.binary(BinaryOp::Or, kept, new);
        };
        let mut merged = self.to.slice(value, lo, bits);
        if lo > 0 {
            let low = self.to.slice(before, 0, lo);
            merged = self.to.join(merged, low);
        }
        if lo + bits < width {
            let high = self.to.slice(before, lo + bits, width - lo - bits);
            merged = self.to.join(high, merged);
        }
        merged
    }
}

/// The place and the number of the ones, if there are some, without zeros between them.
fn run(mask: Int) -> Option<(u32, u32)> {
    let lo = isa_model::semantics::arith::function(IntFunction::Ctz, &[mask], 256, 32).low() as u32;
    let above = isa_model::semantics::arith::shr(mask, lo.into());
    (lo < 256 && above == Int::ones(above.bits())).then(|| (lo, above.bits()))
}
