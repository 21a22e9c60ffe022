//! Syntax of semantics: a bracket that is not closed, in the first line of a block.
isa_macros::define_isa!("semantics_syntax.yaml");

fn main() {}
