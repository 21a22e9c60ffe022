//! The list: its operations, and what they name.

use isa_model::semantics::ast::{BinaryOp, UnaryOp};
use isa_model::semantics::builtins::{Action, FloatFunction, IntFunction, Supplied};
use isa_model::semantics::floats::Exact;
use isa_model::semantics::int::Int;

/// The value of an operation, or the operation itself: its index in [`List::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(pub u32);

/// Operations in the order in which they happen. The parts of each are before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List {
    /// The operations.
    pub nodes: Vec<Node>,
    /// The value that the list computes, if it is made of an expression.
    pub result: Option<Id>,
}

/// An operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// The operation.
    pub op: Op,
    /// Bits of its value; of the value that it writes, if it has none.
    pub width: u32,
    /// It happens only if this bit is 1; only an operation with an effect has one. The value of a load that does not happen is 0.
    pub when: Option<Id>,
}

/// Something that instructions read and write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A register: the file, the number, and what is added to it without wrapping. One that does not exist reads 0.
    Register {
        /// The file.
        file: usize,
        /// The number.
        index: Id,
        /// The number added to it.
        plus: u32,
    },
    /// A register of flags.
    Flags {
        /// Index into the flags of the machine.
        file: usize,
        /// The number of the register.
        index: Id,
    },
    /// A named value: index into the state of the machine.
    State(usize),
}

/// The kind of an operation, with its parts. Values are unsigned numbers of their width; all wraps. Where the members have no other meaning, they are those
/// of [`isa_model::semantics::typed::ExprKind`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A number.
    Const(Int),
    /// A field of the form.
    Field(usize),
    /// A condition of the instruction.
    Condition(usize),
    /// The value of a variant of the machine.
    Variant(usize),
    /// A value that the machine supplies.
    Supplied(Supplied),
    /// The contents of a place. The number counts the writes before that may have changed it.
    Read(Place, u32),
    /// An operator.
    Unary(UnaryOp, Id),
    /// An operator between values; `Shl`, `ShrU` and `ShrS` take a count of any width.
    Binary(BinaryOp, Id, Id),
    /// The second value if the first is 1, else the third.
    Select(Id, Id, Id),
    /// The bits from the number up.
    Slice(Id, u32),
    /// The first value above the second.
    Join(Id, Id),
    /// Zeros come in above.
    Zext(Id),
    /// Copies of the top bit come in above.
    Sext(Id),
    /// A function of integers.
    Int(IntFunction, Vec<Id>),
    /// A function of floats, with its modes.
    Float(FloatFunction, Vec<Id>, Exact),
    /// The first value as it is in the lane with the second as its number; 0 where that lane takes no part.
    Other(Id, Id),
    /// A bit for each lane that takes part: the value there.
    Ballot(Id),
    /// The number in memory.
    Load(Memory),
    /// The number in memory, to be replaced by [`Self::Replace`]: no other lane comes between.
    Take(Memory),
    /// Memory takes the second value where the operation with the first, a [`Self::Take`], found its own. What is between them computes
    /// the second value, and happens again if memory has changed.
    Replace(Id, Id),
    /// A place takes the bits of the first value that are 1 in the second.
    Write(Place, Id, Option<Id>),
    /// Memory takes the value.
    Store(Memory, Id),
    /// A request to the flow of control.
    Act(Action, Vec<Id>),
}

/// A place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Memory {
    /// Index into the spaces of the machine.
    pub space: usize,
    /// The bank, in a space that has banks.
    pub bank: Option<Id>,
    /// The address in bytes.
    pub address: Id,
    /// An address that is not a multiple of the size is a fault in any space.
    pub aligned: bool,
}

/// The facts about a word from which its list is made of that of its form.
pub trait Known {
    /// The value of a field.
    fn field(&self, field: usize) -> Option<Int>;
    /// True if a condition holds, false if it does not.
    fn condition(&self, condition: usize) -> Option<bool>;
}

impl Place {
    fn map(self, to: &mut dyn FnMut(Id) -> Id) -> Self {
        match self {
            Self::Register { file, index, plus } => Self::Register { file, index: to(index), plus },
            Self::Flags { file, index } => Self::Flags { file, index: to(index) },
            Self::State(state) => Self::State(state),
        }
    }
}

impl Memory {
    fn map(self, to: &mut dyn FnMut(Id) -> Id) -> Self {
        Self { bank: self.bank.map(&mut *to), address: to(self.address), ..self }
    }
}

impl Op {
    /// The operation with other parts; each part is asked for once, in order.
    #[must_use]
    pub fn map(&self, to: &mut dyn FnMut(Id) -> Id) -> Self {
        let all = |ids: &[Id], to: &mut dyn FnMut(Id) -> Id| ids.iter().map(|id| to(*id)).collect();
        match self {
            Self::Const(_) | Self::Field(_) | Self::Condition(_) | Self::Variant(_) | Self::Supplied(_) => self.clone(),
            Self::Read(place, before) => Self::Read(place.map(to), *before),
            Self::Unary(op, a) => Self::Unary(*op, to(*a)),
            Self::Binary(op, a, b) => Self::Binary(*op, to(*a), to(*b)),
            Self::Select(c, a, b) => Self::Select(to(*c), to(*a), to(*b)),
            Self::Slice(of, lo) => Self::Slice(to(*of), *lo),
            Self::Join(high, low) => Self::Join(to(*high), to(*low)),
            Self::Zext(of) => Self::Zext(to(*of)),
            Self::Sext(of) => Self::Sext(to(*of)),
            Self::Int(function, args) => Self::Int(*function, all(args, to)),
            Self::Float(function, args, exact) => Self::Float(*function, all(args, to), *exact),
            Self::Other(value, lane) => Self::Other(to(*value), to(*lane)),
            Self::Ballot(of) => Self::Ballot(to(*of)),
            Self::Load(at) => Self::Load(at.map(to)),
            Self::Take(at) => Self::Take(at.map(to)),
            Self::Replace(taken, new) => Self::Replace(to(*taken), to(*new)),
            Self::Write(place, value, mask) => Self::Write(place.map(to), to(*value), mask.map(&mut *to)),
            Self::Store(at, value) => Self::Store(at.map(to), to(*value)),
            Self::Act(action, args) => Self::Act(*action, all(args, to)),
        }
    }

    /// True for an operation that is more than its value: it stays where it is, and may have a condition.
    pub fn has_effect(&self) -> bool {
        matches!(self, Self::Load(_) | Self::Take(_) | Self::Replace(..) | Self::Write(..) | Self::Store(..) | Self::Act(..))
    }
}

impl Node {
    /// The values that it is made of.
    pub fn parts(&self) -> Vec<Id> {
        let mut parts: Vec<Id> = self.when.into_iter().collect();
        let _ = self.op.map(&mut |id| {
            parts.push(id);
            id
        });
        parts
    }
}

impl List {
    /// An operation.
    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// The number that a value is, if it is one.
    pub fn number(&self, id: Id) -> Option<Int> {
        match self.node(id).op {
            Op::Const(value) => Some(value),
            _ => None,
        }
    }
}
