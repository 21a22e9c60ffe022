//! What an instruction reads and writes, and where it goes on: what its lists say.

use crate::list::{Id, Known, List, Memory, Op, Place};
use isa_model::model::{Behaviour, Isa};
use isa_model::semantics::arith;
use isa_model::semantics::ast::BinaryOp;
use isa_model::semantics::builtins::{Action, Supplied};
use isa_model::semantics::int::Int;
use isa_runtime::machine::{Which, Write};

/// The lists of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lists {
    /// Computes the condition on which a lane takes part; all do without one.
    pub guard: Option<List>,
    /// The body, for each lane that takes part.
    pub body: List,
    /// The operations of each active lane afterwards.
    pub after: List,
}

/// The reads and writes of an instruction, and its requests to the flow of control.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// The registers, flags and named values that it may read, sorted. A register that is a constant is none.
    pub reads: Vec<Access>,
    /// Those that it may write.
    pub writes: Vec<Access>,
    /// Its accesses to memory, in order.
    pub memory: Vec<MemoryAccess>,
    /// Its possible requests to the flow of control, in order.
    pub flow: Vec<Flow>,
}

/// A register, a register of flags or a named value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// A register: the file, and which of its registers.
    Register(usize, Which),
    /// A register of flags: index into the flags of the machine, and which of the registers.
    Flags(usize, Which),
    /// A named value: index into the state of the machine.
    State(usize),
}

/// An access to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryAccess {
    /// The kind of access.
    pub kind: MemoryKind,
    /// Index into the spaces of the machine.
    pub space: usize,
    /// The number of bytes.
    pub bytes: u32,
    /// The address.
    pub address: Address,
    /// True if it depends on values that it happens.
    pub is_conditional: bool,
}

/// A kind of access to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryKind {
    /// It reads.
    Load,
    /// It writes.
    Store,
    /// It reads and writes at once.
    Atomic,
}

/// A request to the flow of control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The request.
    pub action: Action,
    /// Its target, if it has one.
    pub target: Option<Address>,
    /// True if it depends on values that it happens.
    pub is_conditional: bool,
}

/// An address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// The beginning.
    pub base: Base,
    /// The number that is added to it, and wraps; none if it depends on values that are not known.
    pub displacement: Option<Int>,
}

/// The beginning of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// Nothing: the displacement is the address.
    Zero,
    /// The address of the instruction.
    Pc,
    /// The address of the instruction that follows.
    Next,
    /// A register, or consecutive ones, the first with the low bits: the file, the first, the number of registers.
    Registers(usize, Which, u32),
    /// Something that is computed in another way.
    Computed,
}

impl Lists {
    /// The lists of a form.
    pub fn of(isa: &Isa, behaviour: &Behaviour) -> Self {
        Self {
            guard: behaviour.guard.as_ref().map(|guard| List::of_value(isa, guard)),
            body: List::of_body(isa, &behaviour.body),
            after: List::of_body(isa, &behaviour.after),
        }
    }

    /// The lists of a word of the form, or of what is known of one.
    #[must_use]
    pub fn with(&self, isa: &Isa, known: &dyn Known) -> Self {
        let with = |list: &List| list.with(isa, known);
        let guard = self.guard.as_ref().map(with);
        let decided = guard.as_ref().and_then(|guard| guard.number(guard.result?));
        Self {
            body: if decided == Some(Int::default()) { List::default() } else { with(&self.body) },
            guard: guard.filter(|_| decided.is_none()),
            after: with(&self.after),
        }
    }

    /// Their reads, writes and requests.
    pub fn effects(&self) -> Effects {
        let mut effects = Effects::default();
        let is_guarded = self.guard.is_some();
        for (list, is_conditional) in
            self.guard.iter().map(|guard| (guard, false)).chain([(&self.body, is_guarded), (&self.after, false)])
        {
            effects.add(list, is_conditional);
        }
        for all in [&mut effects.reads, &mut effects.writes] {
            all.sort_unstable();
            all.dedup();
        }
        effects
    }
}

impl Effects {
    /// True if the instruction may be a fault: by a request for one, or by an access to memory.
    pub fn can_fault(&self) -> bool {
        !self.memory.is_empty() || self.flow.iter().any(|flow| flow.action.is_fault())
    }

    /// The writes, as machines know them: sorted, named values by their place among those that instructions write.
    pub fn register_writes(&self, isa: &Isa) -> Vec<Write> {
        let write = |access: &Access| match *access {
            Access::Register(file, which) => Write::Register(file as u32, which),
            Access::Flags(file, which) => Write::Flags(file as u32, which),
            Access::State(state) => Write::Value(isa.machine.state_place(state) as u32),
        };
        self.writes.iter().map(write).collect()
    }

    fn add(&mut self, list: &List, is_guarded: bool) {
        let mut may_end = false;
        for node in &list.nodes {
            let is_conditional = is_guarded || node.when.is_some();
            let mut memory = |kind, at: &Memory| {
                let address = list.address(at.address);
                self.memory.push(MemoryAccess { kind, space: at.space, bytes: node.width / 8, address, is_conditional });
            };
            match &node.op {
                Op::Read(place, _) => self.reads.push(list.access(place)),
                Op::Write(place, ..) => self.writes.push(list.access(place)),
                Op::Load(at) => memory(MemoryKind::Load, at),
                Op::Store(at, _) => memory(MemoryKind::Store, at),
                Op::Take(at) => memory(MemoryKind::Atomic, at),
                Op::Act(action, args) => {
                    let has_target = action.args().first() == Some(&isa_runtime::action::ActionArg::Target);
                    let target = args.first().filter(|_| has_target).map(|target| list.address(*target));
                    // A fault keeps later requests of the same instruction from happening.
                    self.flow.push(Flow { action: *action, target, is_conditional: is_conditional || may_end });
                    may_end |= action.is_fault();
                }
                _ => {}
            }
        }
    }
}

impl List {
    fn access(&self, place: &Place) -> Access {
        match *place {
            Place::Register { file, index, plus } => Access::Register(file, self.which(index, plus)),
            Place::Flags { file, index } => Access::Flags(file, self.which(index, 0)),
            Place::State(state) => Access::State(state),
        }
    }

    /// The registers with a number.
    fn which(&self, index: Id, plus: u32) -> Which {
        match self.node(index).op {
            Op::Const(number) => {
                let number = arith::saturating_u64(number).saturating_add(plus.into());
                Which::One(u32::try_from(number).unwrap_or(u32::MAX))
            }
            Op::Zext(of) => self.which(of, plus),
            Op::Field(field) => Which::Field { field: field as u16, plus, parts: 1 },
            // The number of a view's register, without the bits that number the parts.
            Op::Slice(of, lo) if plus == 0 && lo < u32::BITS && lo + self.node(index).width == self.node(of).width => {
                match self.node(of).op {
                    Op::Field(field) => Which::Field { field: field as u16, plus, parts: 1 << lo },
                    _ => Which::All,
                }
            }
            _ => Which::All,
        }
    }

    /// A value as something to begin with and a displacement.
    fn address(&self, id: Id) -> Address {
        let at = |base| Address { base, displacement: Some(Int::default()) };
        let width = self.node(id).width;
        let computed = Address { base: Base::Computed, displacement: None };
        match self.node(id).op {
            Op::Const(value) => Address { base: Base::Zero, displacement: Some(value) },
            Op::Field(_) => Address { base: Base::Zero, displacement: None },
            Op::Supplied(Supplied::Pc) => at(Base::Pc),
            Op::Supplied(Supplied::Next) => at(Base::Next),
            Op::Read(Place::Register { file, index, plus }, _) => at(Base::Registers(file, self.which(index, plus), 1)),
            Op::Join(high, low) => match (self.address(high), self.address(low)) {
                (
                    Address { base: Base::Registers(file, next, 1), displacement: Some(_) },
                    low @ Address { base: Base::Registers(of, first, count), displacement: Some(_) },
                ) if file == of && follows(first, count) == Some(next) => {
                    Address { base: Base::Registers(file, first, count + 1), ..low }
                }
                _ => computed,
            },
            Op::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let (base, displacement) = match (self.address(a), self.address(b)) {
                    (address, Address { base: Base::Zero, displacement }) => (address, displacement),
                    (Address { base: Base::Zero, displacement }, address) if op == BinaryOp::Add => (address, displacement),
                    _ => return computed,
                };
                let both = base.displacement.zip(displacement);
                Address { displacement: both.map(|(a, b)| arith::binary(op, a, b, width)), ..base }
            }
            // Numbers that depend on fields.
            Op::Sext(of) | Op::Zext(of) | Op::Slice(of, _) if self.is_of_fields(of) => {
                Address { base: Base::Zero, displacement: None }
            }
            _ => computed,
        }
    }

    /// True for a value that only fields decide.
    fn is_of_fields(&self, id: Id) -> bool {
        match self.node(id).op {
            Op::Const(_) | Op::Field(_) | Op::Condition(_) => true,
            Op::Sext(of) | Op::Zext(of) | Op::Slice(of, _) | Op::Unary(_, of) => self.is_of_fields(of),
            Op::Join(a, b) | Op::Binary(_, a, b) => self.is_of_fields(a) && self.is_of_fields(b),
            _ => false,
        }
    }
}

/// The register after `count` ones.
fn follows(first: Which, count: u32) -> Option<Which> {
    match first {
        Which::One(number) => number.checked_add(count).map(Which::One),
        Which::Field { field, plus, parts: 1 } => Some(Which::Field { field, plus: plus + count, parts: 1 }),
        Which::Field { .. } | Which::All => None,
    }
}
