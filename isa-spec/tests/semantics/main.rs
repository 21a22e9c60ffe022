//! The semantics language from outside.

mod examples;
mod fixture;
mod floats;
mod parse;
mod rules;
