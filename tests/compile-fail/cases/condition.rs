//! The language of conditions: an operator that does not exist.
isa_macros::define_isa!("condition.yaml");

fn main() {}
