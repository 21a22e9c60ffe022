//! The language of semantics, from text to tree. Names and types are checked later, for each form.

#[rustfmt::skip]
mod grammar;
mod messages;
mod parse;
mod precedence;

use isa_model::semantics::{Expression, MeaningFault, Semantics};
use isa_model::span::Text;
pub use parse::{MAX_DEPTH, parse, parse_expr, parse_functions};

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
