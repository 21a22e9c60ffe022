//! The semantics language: what an instruction does, as a small typed language of bit vectors.
//! Its reference is `docs/semantics.md`.

pub(crate) mod affine;
pub(crate) mod asks;
mod check;
#[rustfmt::skip]
mod grammar;
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

use crate::span::Text;
pub(crate) use check::lanes::check_warps;
pub use check::{check, elaborate, elaborate_value};
pub use isa_model::semantics::*;
pub(crate) use machine_read::listings as machine_listings;
pub use machine_read::read_machine;
pub use parse::{MAX_DEPTH, parse, parse_expr, parse_functions};
pub use scope::{Is, Referent, Scope};

/// The semantics in a text.
///
/// # Errors
/// Where the text is not of the language.
pub fn read_semantics(text: &Text) -> Result<Semantics, Vec<MeaningFault>> {
    Ok(Semantics::new(text, parse(&text.value)?))
}

/// The expression in a text.
///
/// # Errors
/// Where the text is not of the language.
pub fn read_expression(text: &Text) -> Result<Expression, Vec<MeaningFault>> {
    Ok(Expression::new(text, parse_expr(&text.value)?))
}
