//! The tree that a source text is: names are names still, numbers may lack a width, every node has its span.
//!
//! The meaning of a node in one form of an instruction (which field, how many bits) is in [`super::typed`], which
//! `isa_semantics::elaborate` makes of this tree.

use super::int::Int;
use std::ops::Range;

/// A word of the source, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The word; a path such as `tid.x` or `load.global` is one word.
    pub text: String,
    /// Its bytes in the source.
    pub range: Range<usize>,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// Its kind, with its parts.
    pub kind: ExprKind,
    /// Its bytes in the source.
    pub range: Range<usize>,
}

/// A kind of expression, with its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// `31`, `0x1f:32`. Without a width it takes that of its context.
    Int {
        /// The number.
        value: Int,
        /// Bits, if stated.
        width: Option<u32>,
    },
    /// `".WIDE"`: a text of an enumeration, or the name of a register, to compare a field with.
    Text(String),
    /// `a`, `b.imm`, `tid.x`, `neg?`.
    Name {
        /// The name with its dots.
        path: String,
        /// Written with `?`: it reads 0 where the form lacks it.
        optional: bool,
    },
    /// `bc is rr | ri`: which alternative was picked.
    Is {
        /// The slot.
        slot: Ident,
        /// One of these; with a `?`, the choice may lack it.
        alternatives: Vec<(Ident, bool)>,
    },
    /// `R[r]`, `C[0]`, `s[32]`: a register, a register of flags, or one bit.
    Index {
        /// The indexed registers or number.
        of: Box<Expr>,
        /// The index.
        at: Box<Expr>,
    },
    /// `s[31..0]`: bits, both ends included.
    Slice {
        /// The sliced number.
        of: Box<Expr>,
        /// The most significant bit.
        hi: Box<Expr>,
        /// The least significant bit.
        lo: Box<Expr>,
    },
    /// `s[8 * i +: 8]`: `count` bits from a bit upwards; `R[d +: 2]`: `count` registers, the first of which is the low part.
    Part {
        /// The number or register file.
        of: Box<Expr>,
        /// The lowest bit, or the first register.
        at: Box<Expr>,
        /// The number of bits or registers.
        count: Box<Expr>,
    },
    /// `C[i].z`: one flag.
    Member {
        /// The register of flags.
        of: Box<Expr>,
        /// The flag.
        name: Ident,
    },
    /// `~x`
    Unary {
        /// The operator.
        op: UnaryOp,
        /// On what.
        of: Box<Expr>,
    },
    /// `x + y`
    Binary {
        /// The operator.
        op: BinaryOp,
        /// The bytes of the operator in the source.
        at: Range<usize>,
        /// The left operand.
        left: Box<Expr>,
        /// The right operand.
        right: Box<Expr>,
    },
    /// `if c { x } else if d { y } else { z }`
    If {
        /// Conditions and values; the first that holds counts.
        arms: Vec<(Expr, Expr)>,
        /// The value if none holds.
        otherwise: Box<Expr>,
    },
    /// `match size { 0, 1 => x, ".WIDE" => y, else => z }`
    Match {
        /// The value that is compared with the labels.
        on: Box<Expr>,
        /// Labels and values.
        arms: Vec<(Vec<Expr>, Expr)>,
        /// The value if no label fits.
        otherwise: Box<Expr>,
    },
    /// `old => old + x`: a value made of another one; an argument of `atomic`.
    Change {
        /// The name of the other one.
        old: Ident,
        /// The value.
        new: Box<Expr>,
    },
    /// `zext(x, 64)`, `load.global(a, 32)`
    Call {
        /// The function.
        name: Ident,
        /// Its arguments.
        args: Vec<Expr>,
    },
}

/// An operator in front of its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-`: two's complement.
    Neg,
    /// `~`: every bit.
    Not,
    /// `!`: of one bit.
    LogicNot,
}

/// An operator between its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `||`, of one bit.
    LogicOr,
    /// `&&`, of one bit.
    LogicAnd,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<u`
    LtU,
    /// `<s`
    LtS,
    /// `<=u`
    LeU,
    /// `<=s`
    LeS,
    /// `>u`
    GtU,
    /// `>s`
    GtS,
    /// `>=u`
    GeU,
    /// `>=s`
    GeS,
    /// `++`: the left operand is the high part.
    Concat,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `&`
    And,
    /// `<<`
    Shl,
    /// `>>`: zeros come in.
    ShrU,
    /// `>>s`: the sign comes in.
    ShrS,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/u`
    DivU,
    /// `/s`
    DivS,
    /// `%u`
    RemU,
    /// `%s`
    RemS,
}

impl BinaryOp {
    /// The operator as written.
    pub fn text(self) -> &'static str {
        use BinaryOp::*;
        match self {
            LogicOr => "||",
            LogicAnd => "&&",
            Eq => "==",
            Ne => "!=",
            LtU => "<u",
            LtS => "<s",
            LeU => "<=u",
            LeS => "<=s",
            GtU => ">u",
            GtS => ">s",
            GeU => ">=u",
            GeS => ">=s",
            Concat => "++",
            Or => "|",
            Xor => "^",
            And => "&",
            Shl => "<<",
            ShrU => ">>",
            ShrS => ">>s",
            Add => "+",
            Sub => "-",
            Mul => "*",
            DivU => "/u",
            DivS => "/s",
            RemU => "%u",
            RemS => "%s",
        }
    }

    /// True if it compares.
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Eq | Ne | LtU | LtS | LeU | LeS | GtU | GtS | GeU | GeS)
    }
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stmt {
    /// Its kind, with its parts.
    pub kind: StmtKind,
    /// Its bytes in the source.
    pub range: Range<usize>,
}

/// A kind of statement, with its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StmtKind {
    /// `let x = e;`, `let x:34 = e;`
    Let {
        /// The variable.
        name: Ident,
        /// Its bits, if stated.
        width: Option<u32>,
        /// Its first value.
        value: Expr,
    },
    /// `R[rd] = e;`
    Assign {
        /// The place.
        place: Expr,
        /// The value.
        value: Expr,
    },
    /// `store.shared(a, x);`, `exit();`
    Call {
        /// The action or function.
        name: Ident,
        /// Its arguments.
        args: Vec<Expr>,
    },
    /// `if c { … } else if d { … } else { … }`
    If {
        /// Conditions and what is done; the first that holds counts.
        arms: Vec<(Expr, Vec<Stmt>)>,
        /// The statements if no condition holds.
        otherwise: Vec<Stmt>,
    },
    /// `match op { 0 => { … } else => { … } }`
    Match {
        /// The value that is compared with the labels.
        on: Expr,
        /// Labels and what is done.
        arms: Vec<(Vec<Expr>, Vec<Stmt>)>,
        /// The statements if no label fits.
        otherwise: Vec<Stmt>,
    },
    /// `for i in 0..4 { … }`: unrolled; `i` is a number without a width.
    For {
        /// The name of the number.
        name: Ident,
        /// The first.
        from: Expr,
        /// One past the last.
        to: Expr,
        /// The statements for each number.
        body: Vec<Stmt>,
    },
}

/// The width of a parameter of a function, or of its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Width {
    /// This number of bits.
    Bits(u32),
    /// The width of the argument of the first parameter that has this name for its width.
    Named(Ident),
}

/// A function of the spec's own: `fn name(a:32, c:1) : 32 { let t = …; return t; }`.
///
/// It is expanded where it is called. Names that are not its own mean what they mean in the form that calls it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: Ident,
    /// Its parameters and their bits.
    pub params: Vec<(Ident, Width)>,
    /// Bits of its value, if it has one.
    pub width: Option<Width>,
    /// Its statements.
    pub body: Vec<Stmt>,
    /// The value that it returns.
    pub value: Option<Expr>,
    /// The number of the text that it is of, where a machine has several texts of functions.
    pub text: usize,
    /// Its bytes in the source.
    pub range: Range<usize>,
}
