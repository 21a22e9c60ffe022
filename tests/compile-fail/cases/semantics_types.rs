//! Types of semantics: a value that is wider than the register.
isa_macros::define_isa!("semantics_types.yaml");

fn main() {}
