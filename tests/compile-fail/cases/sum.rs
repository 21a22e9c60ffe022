//! Sums of parameters: an operand is missing.
isa_macros::define_isa!("sum.yaml");

fn main() {}
