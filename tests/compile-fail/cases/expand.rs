//! Families of instructions: a column that is shorter than another.
isa_macros::define_isa!("expand.yaml");

fn main() {}
