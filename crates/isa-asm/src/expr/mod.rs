//! Expressions: numbers, symbols, operators and modifiers.

mod declared;
mod parse;
mod syntax;
mod value;

pub(crate) use parse::{Parser, character, is_operator, string};
pub(crate) use syntax::Syntax;
pub(crate) use value::{Base, Origin, Problem, Scope, Value, evaluate};

use std::ops::Range;

/// An expression, with its place in the text that it was read from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Expr {
    pub(crate) kind: Kind,
    pub(crate) at: Range<usize>,
}

impl Expr {
    /// The place of a symbol in it.
    pub(crate) fn place_of(&self, symbol: &str) -> Option<Range<usize>> {
        match &self.kind {
            Kind::Symbol(name) => (name == symbol).then(|| self.at.clone()),
            Kind::Unary(_, inner) | Kind::Modified(_, inner) => inner.place_of(symbol),
            Kind::Chain(first, rest) => {
                first.place_of(symbol).or_else(|| rest.iter().find_map(|(_, right)| right.place_of(symbol)))
            }
            Kind::Call(_, arguments) => arguments.iter().find_map(|argument| argument.place_of(symbol)),
            Kind::Number(_) | Kind::Here => None,
        }
    }
}

/// The kind of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Number(i128),
    Symbol(String),
    /// The address of the statement.
    Here,
    Unary(Unary, Box<Expr>),
    /// A value, and operators of one precedence with their right operands: `a - b + c`. Trees are as deep as precedences and brackets
    /// nest, and not as long as sums are.
    Chain(Box<Expr>, Vec<(Binary, Expr)>),
    /// A modifier of the instruction set, by its place, and its operand.
    Modified(usize, Box<Expr>),
    /// A function of the language, and its arguments.
    Call(Function, Vec<Expr>),
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unary {
    Minus,
    Plus,
    Complement,
    Not,
}

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    Or,
    And,
    Xor,
    OrNot,
    Add,
    Sub,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    AndAlso,
    OrElse,
}

/// A function, which the values of modifiers and pseudo-instructions can use as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    /// `sext(x, bits)`: the low bits as a signed number.
    Sext,
    /// `zext(x, bits)`: the low bits as an unsigned number.
    Zext,
    /// `ctz(x)`: the number of zeros below the lowest one; 64 for 0.
    Ctz,
}

impl Function {
    /// All functions: name, number of arguments, and description.
    pub(crate) const ALL: [(&str, Self, usize, &str); 3] = [
        ("sext", Self::Sext, 2, "`sext(x, n)`: the low `n` bits of `x`, read with a sign"),
        ("zext", Self::Zext, 2, "`zext(x, n)`: the low `n` bits of `x`, read without a sign"),
        ("ctz", Self::Ctz, 1, "`ctz(x)`: how many zeros are below the lowest one of `x`; 64 if there is no one"),
    ];
}

/// The operators with two operands: the sign, the operator, its precedence in GNU as, and in C. The longer of two with a common
/// prefix comes first.
pub(crate) const OPERATORS: [(&str, Binary, u8, u8); 20] = [
    ("<<", Binary::Shl, 6, 8),
    (">>", Binary::Shr, 6, 8),
    ("<=", Binary::Le, 3, 7),
    (">=", Binary::Ge, 3, 7),
    ("<>", Binary::Ne, 3, 6),
    ("==", Binary::Eq, 3, 6),
    ("!=", Binary::Ne, 3, 6),
    ("&&", Binary::AndAlso, 2, 2),
    ("||", Binary::OrElse, 1, 1),
    ("*", Binary::Mul, 6, 10),
    ("/", Binary::Div, 6, 10),
    ("%", Binary::Rem, 6, 10),
    ("|", Binary::Or, 5, 3),
    ("&", Binary::And, 5, 5),
    ("^", Binary::Xor, 5, 4),
    ("!", Binary::OrNot, 5, 0),
    ("+", Binary::Add, 4, 9),
    ("-", Binary::Sub, 4, 9),
    ("<", Binary::Lt, 3, 7),
    (">", Binary::Gt, 3, 7),
];
