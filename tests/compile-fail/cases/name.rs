//! Names: a register file that does not exist.
isa_macros::define_isa!("name.yaml");

fn main() {}
