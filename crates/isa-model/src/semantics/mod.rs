//! What instructions do: the tree of a text in the language of semantics, the machine that it names, and the typed tree that both
//! become for a form. The reference of the language is `docs/semantics.md`.

pub mod arith;
pub mod ast;
pub mod builtins;
mod exchange;
mod fault;
pub mod floats;
pub mod int;
pub mod machine;
pub mod pass;
pub mod typed;
pub mod value;

use crate::span::{Span, Text};
pub use ast::{Expr, ExprKind, Function, Ident, Stmt, StmtKind, Width};
pub use fault::{InFunction, MeaningFault};
pub use int::{Int, MAX_WIDTH};
pub use machine::Machine;
use std::ops::Range;

/// The semantics of an instruction.
#[derive(Clone, Debug)]
pub struct Semantics {
    /// The text.
    pub source: String,
    /// The place of the text.
    pub span: Span,
    /// The text as a tree; its ranges are bytes of `source`.
    pub body: Vec<Stmt>,
    text: Text,
}

impl Semantics {
    /// A text with its tree.
    pub fn new(text: &Text, body: Vec<Stmt>) -> Self {
        Self { source: text.value.clone(), span: text.span, body, text: text.clone() }
    }

    /// The place of a range of the source in the specification.
    pub fn at(&self, range: Range<usize>) -> Span {
        self.text.at(range)
    }
}

/// An expression of a specification: the value of an operand, a guard.
#[derive(Clone, Debug)]
pub struct Expression {
    /// The text.
    pub source: String,
    /// The place of the text.
    pub span: Span,
    /// The text as a tree; its ranges are bytes of `source`.
    pub expr: Expr,
    text: Text,
}

impl Expression {
    /// A text with its tree.
    pub fn new(text: &Text, expr: Expr) -> Self {
        Self { source: text.value.clone(), span: text.span, expr, text: text.clone() }
    }

    /// The place of a range of the source in the specification.
    pub fn at(&self, range: Range<usize>) -> Span {
        self.text.at(range)
    }
}
