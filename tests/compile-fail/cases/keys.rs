//! Keys: one that does not exist, near one that does.
isa_macros::define_isa!("keys.yaml");

fn main() {}
