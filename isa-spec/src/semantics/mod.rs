//! The semantics language: what an instruction does, as a small typed language of bit vectors.
//! Its reference is `docs/semantics.md`.

pub mod ast;
pub mod builtins;
mod check;
mod climb;
pub mod int;
pub mod machine;
mod parse;
#[cfg(test)]
mod parse_tests;
mod scope;
pub mod typed;

use crate::span::Span;
pub use ast::{Expr, ExprKind, Function, Ident, Stmt, StmtKind};
pub use check::{check, elaborate, elaborate_value};
pub use int::{Int, MAX_WIDTH};
pub use machine::Machine;
pub use parse::{MAX_DEPTH, parse, parse_expr, parse_functions};
pub use scope::{Is, Name, Scope};
use std::ops::Range;

/// What an instruction does.
#[derive(Clone, Debug)]
pub struct Semantics {
    /// The text.
    pub source: String,
    /// Where the text stands.
    pub span: Span,
    /// The text as a tree; its ranges are bytes of `source`.
    pub body: Vec<Stmt>,
}

/// Something wrong in a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where, in bytes of the source.
    pub range: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What would be right, if there is something to say.
    pub help: Option<String>,
}

fn fault(range: Range<usize>, message: impl Into<String>) -> Fault {
    Fault { range, message: message.into(), help: None }
}
