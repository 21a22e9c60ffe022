//! The semantics language: what an instruction does, as a small typed language of bit vectors.
//! Its reference is `docs/semantics.md`.

pub(crate) mod affine;
pub mod arith;
pub(crate) mod asks;
pub mod ast;
pub mod builtins;
mod check;
mod exchange;
mod fault;
pub mod floats;
#[rustfmt::skip]
mod grammar;
pub mod int;
pub mod machine;
pub mod machine_events;
mod machine_floats;
mod machine_host;
mod machine_pieces;
mod machine_read;
mod machine_spaces;
mod machine_state;
mod machine_windows;
mod messages;
mod parse;
mod precedence;
pub(crate) mod pure;
mod scope;
pub mod typed;
pub mod value;
mod writes;

use crate::span::Span;
use crate::yaml::Text;
pub use ast::{Expr, ExprKind, Function, Ident, Stmt, StmtKind, Width};
pub(crate) use check::lanes::check_warps;
pub use check::{check, elaborate, elaborate_value};
pub use fault::{InFunction, MeaningFault};
pub use int::{Int, MAX_WIDTH};
pub use machine::Machine;
pub(crate) use machine_read::listings as machine_listings;
pub use parse::{MAX_DEPTH, parse, parse_expr, parse_functions};
pub use scope::{Is, Referent, Scope};
use std::ops::Range;
pub use writes::writes;

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
    /// Reads a body.
    pub fn read(text: &Text) -> Result<Self, Vec<MeaningFault>> {
        Ok(Self { source: text.value.clone(), span: text.span, body: parse(&text.value)?, text: text.clone() })
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
    /// Reads an expression.
    pub fn read(text: &Text) -> Result<Self, Vec<MeaningFault>> {
        Ok(Self { source: text.value.clone(), span: text.span, expr: parse_expr(&text.value)?, text: text.clone() })
    }

    /// The place of a range of the source in the specification.
    pub fn at(&self, range: Range<usize>) -> Span {
        self.text.at(range)
    }
}
