//! Semantics elaborated for one form: all names are resolved, all widths known, operands and functions inlined, loops unrolled,
//! and parts that this form can't reach removed.
//!
//! A body is executed by **one lane**. It runs from the top; assignments take effect at once, but no body reads state (registers,
//! flags, memory) that it has written, so that it can just as well be run statement by statement for all lanes of a warp.
//! Expressions change nothing. Values are unsigned integers of their width; nothing overflows, all wraps.

use super::ast::{BinaryOp, UnaryOp};
use super::builtins::{Action, Function, Supplied};
use super::floats::Exact;
use super::int::Int;
use std::ops::Range;

/// A body.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Body {
    /// The widths of its variables.
    pub vars: Vec<u32>,
    /// Its statements.
    pub stmts: Vec<Stmt>,
}

impl Body {
    /// The expressions whose values lanes ask of each other, those first that others are made of.
    pub fn asked_of_lanes(&self) -> Vec<&Expr> {
        fn look<'b>(e: &'b Expr, found: &mut Vec<&'b Expr>) {
            if let ExprKind::Block(stmts, _) = &e.kind {
                stmts.iter().for_each(|stmt| look_in(stmt, found));
            }
            e.children().into_iter().for_each(|e| look(e, found));
            match &e.kind {
                ExprKind::Other { value, .. } => found.push(value),
                ExprKind::Ballot(of) => found.push(of),
                _ => {}
            }
        }
        fn look_in<'b>(stmt: &'b Stmt, found: &mut Vec<&'b Expr>) {
            stmt.exprs().into_iter().for_each(|e| look(e, found));
            stmt.nested().into_iter().for_each(|stmt| look_in(stmt, found));
        }
        let mut found = Vec::new();
        self.stmts.iter().for_each(|stmt| look_in(stmt, &mut found));
        found
    }
}

/// A self-contained expression: the value of an operand, a guard.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    /// The widths of the variables of functions in it.
    pub vars: Vec<u32>,
    /// The expression.
    pub expr: Expr,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expr {
    /// Its kind, with its parts.
    pub kind: ExprKind,
    /// Its bits, 1 to 256.
    pub width: u32,
    /// Its bytes in the source; for what was put in from elsewhere, those of the name or call that brought it.
    pub range: Range<usize>,
}

impl Expr {
    /// The expressions in it, but for those in the statements of a block.
    pub fn children(&self) -> Vec<&Self> {
        let mut children = Vec::new();
        self.each_child(&mut |child| children.push(child));
        children
    }

    /// Calls `visit` with each of its [`children`](Self::children), in their order.
    pub fn each_child<'e>(&'e self, visit: &mut dyn FnMut(&'e Self)) {
        use ExprKind::*;
        match &self.kind {
            Const(_) | Var(_) | Field(_) | Condition(_) | State(_) | Supplied(_) | Variant(_) => {}
            Register(r) => visit(&r.index),
            Flags(f) => visit(&f.index),
            Slice { of, .. } | Unary(_, of) | Ballot(of) | Block(_, of) => visit(of),
            Part { of: a, at: b } | Binary(_, a, b) | Other { value: a, lane: b } => {
                visit(a);
                visit(b);
            }
            Concat(parts) | Call { args: parts, .. } => parts.iter().for_each(visit),
            If { arms, otherwise } => {
                for (condition, value) in arms {
                    visit(condition);
                    visit(value);
                }
                visit(otherwise);
            }
            Match { on, arms, otherwise } => {
                visit(on);
                arms.iter().for_each(|(_, value)| visit(value));
                visit(otherwise);
            }
            Load(access) => access.children().into_iter().for_each(visit),
        }
    }
}

impl Access {
    /// The expressions in it.
    pub fn children(&self) -> Vec<&Expr> {
        self.bank.iter().map(|bank| &**bank).chain([&*self.address]).collect()
    }
}

/// A kind of expression, with its parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ExprKind {
    /// A number.
    Const(Int),
    /// A variable: index into [`Body::vars`].
    Var(usize),
    /// A field: index into the fields of the form. The same for all lanes.
    Field(usize),
    /// A condition of the instruction. The same for all lanes.
    Condition(usize),
    /// A register.
    Register(Register),
    /// A register of flags: `C[i]`; the first flag is bit 0.
    Flags(Flags),
    /// A named value: index into the state of the machine.
    State(usize),
    /// A value that the machine supplies.
    Supplied(Supplied),
    /// The value of a variant: index into the machine's variants. The same for all lanes, and throughout a run.
    Variant(usize),
    /// The bits from `lo` up; they are inside.
    Slice {
        /// The sliced expression.
        of: Box<Expr>,
        /// The lowest.
        lo: u32,
    },
    /// The bits from `at` up; those beyond the top read 0.
    Part {
        /// The expression that the bits are taken from.
        of: Box<Expr>,
        /// The lowest, of any width.
        at: Box<Expr>,
    },
    /// Parts, the high one first.
    Concat(Vec<Expr>),
    /// An operator in front.
    Unary(UnaryOp, Box<Expr>),
    /// An operator between. Shifts take a count of any width, other operators operands of one width; a count that is not less
    /// than the width gives 0, or all sign bits. Division by 0 gives all ones, and the remainder is the left operand.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// The value of the first condition that holds. Other values are not evaluated, and load nothing.
    If {
        /// Conditions and values.
        arms: Vec<(Expr, Expr)>,
        /// The value if none holds.
        otherwise: Box<Expr>,
    },
    /// The value with the label that equals `on`. No label occurs twice.
    Match {
        /// The value that is compared with the labels.
        on: Box<Expr>,
        /// Labels and values.
        arms: Vec<(Vec<Int>, Expr)>,
        /// The value if no label fits.
        otherwise: Box<Expr>,
    },
    /// The number in memory, the low byte first.
    Load(Access),
    /// The value that an expression had in another lane before the body; 0 where that lane takes no part. The expression reads no
    /// variables but those that it sets.
    Other {
        /// The expression.
        value: Box<Expr>,
        /// The number of the lane.
        lane: Box<Expr>,
    },
    /// A bit for each lane that takes part: whether a condition held in it before the body. It reads no variables but those that it sets.
    Ballot(Box<Expr>),
    /// A function of the language.
    Call {
        /// The function.
        function: Function,
        /// Its arguments, without those that only say a width.
        args: Vec<Expr>,
        /// The modes of a function of floats.
        exact: Option<Exact>,
    },
    /// The body of a function of the spec: statements that set variables only, and its value.
    Block(Vec<Stmt>, Box<Expr>),
}

/// A register.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Register {
    /// The file.
    pub file: usize,
    /// The number, in the file's own width.
    pub index: Box<Expr>,
    /// The number added to `index`, without wrapping: registers beyond the end read 0, and writing them does nothing.
    pub plus: u32,
}

/// A register of flags.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Flags {
    /// The flags: index into the flags of the machine.
    pub file: usize,
    /// The number of the register, of any width; those that don't exist read 0, and writing them does nothing.
    pub index: Box<Expr>,
}

/// A place in memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// The space: index into the spaces of the machine.
    pub space: usize,
    /// The bank, in a space that has banks.
    pub bank: Option<Box<Expr>>,
    /// The address in bytes, in the space's own width. One that is not a multiple of the size of the access is a fault, unless the
    /// space allows it and the access is not `aligned`.
    pub address: Box<Expr>,
    /// An address that is not a multiple of the size is a fault in any space.
    pub aligned: bool,
}

/// A place that can be assigned.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Its kind, with its parts.
    pub kind: PlaceKind,
    /// Its bits.
    pub width: u32,
    /// Its bytes in the source.
    pub range: Range<usize>,
}

impl Place {
    /// The expressions that say which place it is: numbers of registers, and of bits.
    pub fn exprs(&self) -> Vec<&Expr> {
        match &self.kind {
            PlaceKind::Var(_) | PlaceKind::State(_) => Vec::new(),
            PlaceKind::Register(r) => vec![&*r.index],
            PlaceKind::Flags(f) => vec![&*f.index],
            PlaceKind::Slice { of, .. } => of.exprs(),
            PlaceKind::Part { of, at } => std::iter::once(&**at).chain(of.exprs()).collect(),
            PlaceKind::Concat(parts) => parts.iter().flat_map(Self::exprs).collect(),
        }
    }
}

/// A kind of place, with its parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PlaceKind {
    /// A variable.
    Var(usize),
    /// A register.
    Register(Register),
    /// A register of flags.
    Flags(Flags),
    /// A named value.
    State(usize),
    /// The bits from `lo` up; the others stay.
    Slice {
        /// The place that the bits belong to.
        of: Box<Place>,
        /// The lowest.
        lo: u32,
    },
    /// The bits from `at` up; those beyond the top are dropped, the others stay.
    Part {
        /// The place that the bits belong to.
        of: Box<Place>,
        /// The lowest, of any width.
        at: Box<Expr>,
    },
    /// Parts, the high one first.
    Concat(Vec<Place>),
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stmt {
    /// Its kind, with its parts.
    pub kind: StmtKind,
    /// Its bytes in the source; for what was put in from elsewhere, those of the call that brought it.
    pub range: Range<usize>,
}

impl Stmt {
    /// The statements in it, of all of its ways.
    pub fn nested(&self) -> Vec<&Self> {
        self.ways().into_iter().flatten().collect()
    }

    /// The lists of statements that a choice is made among.
    pub fn ways(&self) -> Vec<&[Self]> {
        match &self.kind {
            StmtKind::If { arms, otherwise } => arms.iter().map(|arm| &arm.1[..]).chain([&otherwise[..]]).collect(),
            StmtKind::Match { arms, otherwise, .. } => arms.iter().map(|arm| &arm.1[..]).chain([&otherwise[..]]).collect(),
            StmtKind::Set(..) | StmtKind::Store(..) | StmtKind::Atomic { .. } | StmtKind::Action(..) => Vec::new(),
        }
    }

    /// The expressions in it, but for those of statements in it.
    pub fn exprs(&self) -> Vec<&Expr> {
        match &self.kind {
            StmtKind::Set(place, value) => place.exprs().into_iter().chain([value]).collect(),
            StmtKind::If { arms, .. } => arms.iter().map(|arm| &arm.0).collect(),
            StmtKind::Match { on, .. } => vec![on],
            StmtKind::Store(at, value) | StmtKind::Atomic { at, new: value, .. } => {
                at.children().into_iter().chain([value]).collect()
            }
            StmtKind::Action(_, args) => args.iter().collect(),
        }
    }
}

/// A kind of statement, with its parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StmtKind {
    /// The place takes the value, of its own width.
    Set(Place, Expr),
    /// The first whose condition holds, or the last.
    If {
        /// Conditions and what is done.
        arms: Vec<(Expr, Vec<Stmt>)>,
        /// The statements if no condition holds.
        otherwise: Vec<Stmt>,
    },
    /// The one with the label that equals `on`, or the last. No label occurs twice.
    Match {
        /// The value that is compared with the labels.
        on: Expr,
        /// Labels and what is done.
        arms: Vec<(Vec<Int>, Vec<Stmt>)>,
        /// The statements if no label fits.
        otherwise: Vec<Stmt>,
    },
    /// Memory takes the value, the low byte first.
    Store(Access, Expr),
    /// Memory takes a value made of what it had, and no other lane comes between; lanes do it in ascending order.
    Atomic {
        /// The place in memory.
        at: Access,
        /// The variable that takes what was there; set by nothing else.
        old: usize,
        /// The new value, of the width of the old one. It reads no memory; it may be computed more than once.
        new: Expr,
    },
    /// Something that happens to the flow of control, when the body has ended.
    Action(Action, Vec<Expr>),
}
