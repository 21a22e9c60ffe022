//! Files: one that does not exist.
isa_macros::define_isa!("missing.yaml");

fn main() {}
