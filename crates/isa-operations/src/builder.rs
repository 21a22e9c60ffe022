//! Makes operations: folds what is known, leaves out what changes nothing, and gives equal values one operation.

use crate::list::{Id, Known, List, Node, Op, Place};
use isa_model::model::Isa;
use isa_model::semantics::arith;
use isa_model::semantics::ast::{BinaryOp, UnaryOp};
use isa_model::semantics::builtins::IntFunction;
use isa_model::semantics::int::Int;
use rustc_hash::FxHashMap;

pub(crate) struct Builder<'a> {
    isa: &'a Isa,
    nodes: Vec<Node>,
    /// The operations without effects.
    known: FxHashMap<(Op, u32), Id>,
    /// The number of writes so far.
    writes: u32,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(isa: &'a Isa) -> Self {
        Self { isa, nodes: Vec::new(), known: FxHashMap::default(), writes: 0 }
    }

    /// The list of the operations that an effect or the result needs.
    pub(crate) fn finish(self, result: Option<Id>) -> List {
        let mut needed = vec![false; self.nodes.len()];
        result.into_iter().for_each(|id| needed[id.0 as usize] = true);
        for at in (0..self.nodes.len()).rev() {
            needed[at] |= self.nodes[at].op.has_effect();
            if needed[at] {
                self.nodes[at].parts().into_iter().for_each(|part| needed[part.0 as usize] = true);
            }
        }
        let mut list = List::default();
        let mut new = vec![Id(0); self.nodes.len()];
        for (at, node) in self.nodes.into_iter().enumerate().filter(|(at, _)| needed[*at]) {
            let moved = |id: Id| new[id.0 as usize];
            let node = Node { op: node.op.map(&mut |id| moved(id)), width: node.width, when: node.when.map(moved) };
            new[at] = Id(list.nodes.len() as u32);
            list.nodes.push(node);
        }
        list.result = result.map(|id| new[id.0 as usize]);
        list
    }

    pub(crate) fn width(&self, id: Id) -> u32 {
        self.nodes[id.0 as usize].width
    }

    fn op(&self, id: Id) -> &Op {
        &self.nodes[id.0 as usize].op
    }

    /// The number that a value is, if it is one.
    pub(crate) fn known(&self, id: Id) -> Option<Int> {
        match self.op(id) {
            Op::Const(value) => Some(*value),
            _ => None,
        }
    }

    fn small(&self, id: Id) -> Option<u32> {
        self.known(id).map(|value| u32::try_from(arith::saturating_u64(value)).unwrap_or(u32::MAX))
    }

    pub(crate) fn number(&mut self, value: Int, width: u32) -> Id {
        self.intern(Op::Const(value), width)
    }

    pub(crate) fn zero(&mut self, width: u32) -> Id {
        self.number(Int::default(), width)
    }

    fn ones(&mut self, width: u32) -> Id {
        self.number(Int::ones(width), width)
    }

    fn is(&self, id: Id, value: Int) -> bool {
        self.known(id) == Some(value)
    }

    fn is_zero(&self, id: Id) -> bool {
        self.is(id, Int::default())
    }

    fn is_ones(&self, id: Id) -> bool {
        self.is(id, Int::ones(self.width(id)))
    }

    fn intern(&mut self, op: Op, width: u32) -> Id {
        let nodes = &mut self.nodes;
        *self.known.entry((op, width)).or_insert_with_key(|(op, width)| {
            nodes.push(Node { op: op.clone(), width: *width, when: None });
            Id(nodes.len() as u32 - 1)
        })
    }

    /// An operation with an effect, which happens if `when` is 1.
    pub(crate) fn effect(&mut self, op: Op, width: u32, when: Option<Id>) -> Option<Id> {
        let when = when.filter(|when| !self.is_ones(*when));
        if when.is_some_and(|when| self.is_zero(when)) {
            return None;
        }
        if let Op::Write(place, value, mask) = op {
            if mask.is_some_and(|mask| self.is_zero(mask)) || self.constant(place).is_some() {
                return None;
            }
            self.writes += 1;
            let mask = mask.filter(|mask| !self.is_ones(*mask));
            self.nodes.push(Node { op: Op::Write(place, value, mask), width, when });
        } else {
            self.nodes.push(Node { op, width, when });
        }
        Some(Id(self.nodes.len() as u32 - 1))
    }

    /// The number that a place always holds: a register that is a constant, or does not exist.
    fn constant(&self, place: Place) -> Option<Int> {
        let Place::Register { file, index, plus } = place else { return None };
        let registers = &self.isa.registers[file];
        if self.isa.machine.views.iter().any(|view| view.name == registers.name) {
            return None;
        }
        let number = self.known(index)?.low_u128().checked_add(plus.into())?;
        let is = |constant: Option<u128>| constant == Some(number);
        match () {
            () if is(registers.zero) || number >= registers.end() => Some(Int::default()),
            () if is(registers.one) => Some(Int::ones(registers.width)),
            () => None,
        }
    }

    pub(crate) fn read(&mut self, place: Place, width: u32) -> Id {
        match self.constant(place) {
            Some(value) => self.number(value, width),
            None => self.intern(Op::Read(place, self.writes), width),
        }
    }

    pub(crate) fn not(&mut self, of: Id) -> Id {
        self.make(Op::Unary(UnaryOp::Not, of), self.width(of))
    }

    pub(crate) fn binary(&mut self, op: BinaryOp, a: Id, b: Id) -> Id {
        use BinaryOp::{Eq, GeS, GeU, GtS, GtU, LeS, LeU, LtS, LtU, Ne};
        let is_test = matches!(op, Eq | Ne | LtU | LtS | LeU | LeS | GtU | GtS | GeU | GeS);
        let width = if is_test { 1 } else { self.width(a) };
        self.make(Op::Binary(op, a, b), width)
    }

    pub(crate) fn slice(&mut self, of: Id, lo: u32, width: u32) -> Id {
        self.make(Op::Slice(of, lo), width)
    }

    pub(crate) fn join(&mut self, high: Id, low: Id) -> Id {
        let width = self.width(high) + self.width(low);
        self.make(Op::Join(high, low), width)
    }

    pub(crate) fn zext(&mut self, of: Id, width: u32) -> Id {
        self.make(Op::Zext(of), width)
    }

    pub(crate) fn select(&mut self, when: Id, yes: Id, no: Id) -> Id {
        self.make(Op::Select(when, yes, no), self.width(yes))
    }

    /// A value without an effect.
    pub(crate) fn make(&mut self, op: Op, width: u32) -> Id {
        if let Op::Read(place, _) = op {
            return self.read(place, width);
        }
        if let Some(value) = self.folded(&op, width) {
            return self.number(value, width);
        }
        self.simpler(&op, width).unwrap_or_else(|| self.intern(op, width))
    }

    /// The value of an operation whose parts are numbers.
    fn folded(&self, op: &Op, width: u32) -> Option<Int> {
        let known = |id: Id| self.known(id);
        Some(match op {
            Op::Const(value) => *value,
            Op::Unary(op, a) => arith::unary(*op, known(*a)?, width),
            Op::Binary(op, a, b) => arith::binary(*op, known(*a)?, known(*b)?, self.width(*a)),
            Op::Slice(of, lo) => arith::shr(known(*of)?, (*lo).into()).truncated(width),
            Op::Join(high, low) => arith::or(arith::shl(known(*high)?, self.width(*low).into()), known(*low)?),
            Op::Zext(of) => known(*of)?,
            Op::Sext(of) => known(*of)?.sign_extended(self.width(*of)).truncated(width),
            Op::Int(function, args) => {
                let values: Option<Vec<Int>> = args.iter().map(|arg| known(*arg)).collect();
                arith::function(*function, &values?, self.width(args[0]), width)
            }
            _ => return None,
        })
    }

    /// An equal value that is computed with less.
    fn simpler(&mut self, op: &Op, width: u32) -> Option<Id> {
        match *op {
            Op::Unary(op, of) => self.simpler_unary(op, of),
            Op::Binary(op, a, b) => self.simpler_binary(op, a, b),
            Op::Select(when, yes, no) => self.simpler_select(when, yes, no),
            Op::Slice(of, lo) => self.simpler_slice(of, lo, width),
            Op::Join(high, low) => match (self.op(high).clone(), self.op(low).clone()) {
                _ if self.is_zero(high) => Some(self.zext(low, width)),
                // Adjacent bits of one value.
                (Op::Slice(a, above), Op::Slice(b, lo)) if a == b && above == lo + self.width(low) => {
                    Some(self.slice(a, lo, width))
                }
                (Op::Zext(inner), _) => {
                    let joined = self.join(inner, low);
                    Some(self.zext(joined, width))
                }
                _ => None,
            },
            Op::Zext(of) => match *self.op(of) {
                _ if self.width(of) == width => Some(of),
                Op::Zext(inner) => Some(self.zext(inner, width)),
                _ => None,
            },
            Op::Sext(of) => match *self.op(of) {
                _ if self.width(of) == width => Some(of),
                Op::Zext(inner) => Some(self.zext(inner, width)),
                Op::Sext(inner) => Some(self.make(Op::Sext(inner), width)),
                _ => None,
            },
            Op::Int(function, ref args) => self.simpler_function(function, args, width),
            _ => None,
        }
    }

    fn simpler_unary(&mut self, op: UnaryOp, of: Id) -> Option<Id> {
        if op == UnaryOp::Neg {
            return (self.width(of) == 1).then_some(of);
        }
        if op == UnaryOp::LogicNot {
            return Some(self.not(of));
        }
        match *self.op(of) {
            Op::Unary(UnaryOp::Not, inner) => Some(inner),
            Op::Binary(op, a, b) => opposite(op).map(|op| self.binary(op, a, b)),
            _ => None,
        }
    }

    fn simpler_binary(&mut self, op: BinaryOp, a: Id, b: Id) -> Option<Id> {
        use BinaryOp::{
            Add, And, DivU, Eq, GeS, GeU, GtS, GtU, LeS, LeU, LogicAnd, LogicOr, Mul, Ne, Or, Shl, ShrS, ShrU, Sub, Xor,
        };
        let width = self.width(a);
        let is_number = |builder: &Self, id: Id| builder.known(id).is_some();
        match op {
            LogicAnd => Some(self.binary(And, a, b)),
            LogicOr => Some(self.binary(Or, a, b)),
            // Numbers are on the right, and there are no two ways to compare.
            Add | Mul | And | Or | Xor | Eq | Ne if is_number(self, a) => Some(self.binary(op, b, a)),
            GtU => Some(self.binary(BinaryOp::LtU, b, a)),
            GtS => Some(self.binary(BinaryOp::LtS, b, a)),
            GeU => Some(self.binary(LeU, b, a)),
            GeS => Some(self.binary(LeS, b, a)),
            Add | Sub | Or | Xor | Shl | ShrU | ShrS if self.is_zero(b) => Some(a),
            And | Mul if self.is_zero(b) => Some(b),
            Mul | DivU if self.is(b, Int::from(1)) => Some(a),
            And if self.is_ones(b) => Some(a),
            Or if self.is_ones(b) => Some(b),
            Xor if self.is_ones(b) => Some(self.not(a)),
            And | Or if a == b => Some(a),
            Xor | Sub if a == b => Some(self.zero(width)),
            Eq | LeU | LeS if a == b => Some(self.ones(1)),
            Ne | BinaryOp::LtU | BinaryOp::LtS if a == b => Some(self.zero(1)),
            And => {
                let low = self.known(b).filter(|mask| Int::ones(mask.bits()) == *mask)?.bits();
                let low = self.slice(a, 0, low);
                Some(self.zext(low, width))
            }
            Eq | Ne if width == 1 && is_number(self, b) => Some(if self.is_ones(b) == (op == Eq) { a } else { self.not(a) }),
            Eq | Ne => {
                let (Op::Zext(inner), Some(number)) = (self.op(a).clone(), self.known(b)) else { return None };
                let inner_width = self.width(inner);
                if number.bits() > inner_width {
                    return Some(self.number(arith::bit(op == Ne), 1));
                }
                let number = self.number(number, inner_width);
                Some(self.binary(op, inner, number))
            }
            Shl | ShrU | ShrS => {
                let count = self.small(b)?;
                Some(match op {
                    Shl if count >= width => self.zero(width),
                    Shl => {
                        let (high, low) = (self.slice(a, 0, width - count), self.zero(count));
                        self.join(high, low)
                    }
                    ShrU if count >= width => self.zero(width),
                    ShrU => {
                        let high = self.slice(a, count, width - count);
                        self.zext(high, width)
                    }
                    _ => {
                        let count = count.min(width - 1);
                        let high = self.slice(a, count, width - count);
                        self.make(Op::Sext(high), width)
                    }
                })
            }
            _ => None,
        }
    }

    fn simpler_select(&mut self, when: Id, yes: Id, no: Id) -> Option<Id> {
        match *self.op(when) {
            Op::Const(value) => return Some(if value.bit(0) { yes } else { no }),
            Op::Unary(UnaryOp::Not, opposite) => return Some(self.select(opposite, no, yes)),
            _ if yes == no => return Some(yes),
            _ => {}
        }
        if self.width(yes) != 1 {
            return None;
        }
        if self.is_zero(no) {
            return Some(self.binary(BinaryOp::And, when, yes));
        }
        if self.is_ones(yes) {
            return Some(self.binary(BinaryOp::Or, when, no));
        }
        let otherwise = self.not(when);
        match () {
            () if self.is_zero(yes) => Some(self.binary(BinaryOp::And, otherwise, no)),
            () if self.is_ones(no) => Some(self.binary(BinaryOp::Or, otherwise, yes)),
            () => None,
        }
    }

    fn simpler_slice(&mut self, of: Id, lo: u32, width: u32) -> Option<Id> {
        use BinaryOp::{Add, And, Mul, Or, Sub, Xor};
        if self.width(of) == width {
            return Some(of);
        }
        match self.op(of).clone() {
            Op::Slice(inner, below) => Some(self.slice(inner, below + lo, width)),
            Op::Zext(inner) => {
                let inner_width = self.width(inner);
                if lo >= inner_width {
                    return Some(self.zero(width));
                }
                let low = self.slice(inner, lo, width.min(inner_width - lo));
                Some(self.zext(low, width))
            }
            Op::Sext(inner) => {
                let inner_width = self.width(inner);
                let lo = lo.min(inner_width - 1);
                let low = self.slice(inner, lo, width.min(inner_width - lo));
                Some(self.make(Op::Sext(low), width))
            }
            Op::Join(high, low) => {
                let low_width = self.width(low);
                if lo >= low_width {
                    return Some(self.slice(high, lo - low_width, width));
                }
                if lo + width <= low_width {
                    return Some(self.slice(low, lo, width));
                }
                let low = self.slice(low, lo, low_width - lo);
                let high = self.slice(high, 0, width - (low_width - lo));
                Some(self.join(high, low))
            }
            Op::Select(when, yes, no) => {
                let (yes, no) = (self.slice(yes, lo, width), self.slice(no, lo, width));
                Some(self.select(when, yes, no))
            }
            // No bit of the result depends on bits above it; of some, on none below it either.
            Op::Binary(op, a, b) if matches!(op, And | Or | Xor) || lo == 0 && matches!(op, Add | Sub | Mul) => {
                let (a, b) = (self.slice(a, lo, width), self.slice(b, lo, width));
                Some(self.binary(op, a, b))
            }
            Op::Unary(op, of) if op == UnaryOp::Not || lo == 0 => {
                let of = self.slice(of, lo, width);
                Some(self.make(Op::Unary(op, of), width))
            }
            _ => None,
        }
    }

    fn simpler_function(&mut self, function: IntFunction, args: &[Id], width: u32) -> Option<Id> {
        let of = args[0];
        match function {
            IntFunction::Zext => Some(self.zext(of, width)),
            IntFunction::Trunc => Some(self.slice(of, 0, width)),
            IntFunction::Sext | IntFunction::Fill => Some(self.make(Op::Sext(of), width)),
            IntFunction::Any => {
                let zero = self.zero(self.width(of));
                Some(self.binary(BinaryOp::Ne, of, zero))
            }
            IntFunction::All => {
                let ones = self.ones(self.width(of));
                Some(self.binary(BinaryOp::Eq, of, ones))
            }
            _ => None,
        }
    }
}

fn opposite(op: BinaryOp) -> Option<BinaryOp> {
    use BinaryOp::{Eq, GeS, GeU, GtS, GtU, LeS, LeU, LtS, LtU, Ne};
    Some(match op {
        Eq => Ne,
        Ne => Eq,
        LtU => GeU,
        LeU => GtU,
        GtU => LeU,
        GeU => LtU,
        LtS => GeS,
        LeS => GtS,
        GtS => LeS,
        GeS => LtS,
        _ => return None,
    })
}

impl List {
    /// The list of a word of the form, or of what is known of one.
    #[must_use]
    pub fn with(&self, isa: &Isa, known: &dyn Known) -> Self {
        let mut builder = Builder::new(isa);
        let mut new: Vec<Id> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let moved = |id: Id| new[id.0 as usize];
            let number = match &node.op {
                Op::Field(field) => known.field(*field),
                Op::Condition(condition) => known.condition(*condition).map(arith::bit),
                _ => None,
            };
            let op = node.op.map(&mut |id| moved(id));
            let id = match number {
                Some(number) => builder.number(number, node.width),
                // What does not happen is never replaced, and reads 0.
                None if op.has_effect() => {
                    builder.effect(op, node.width, node.when.map(moved)).unwrap_or_else(|| builder.zero(node.width))
                }
                None => builder.make(op, node.width),
            };
            new.push(id);
        }
        builder.finish(self.result.map(|id| new[id.0 as usize]))
    }
}
