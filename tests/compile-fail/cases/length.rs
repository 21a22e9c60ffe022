//! Lengths: two for the same first unit.
isa_macros::define_isa!("length.yaml");

fn main() {}
