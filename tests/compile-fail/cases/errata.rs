//! Errata: one of an unknown kind.
isa_macros::define_isa!("errata.yaml");

fn main() {}
