//! Codes: two values of a field have the same number.
isa_macros::define_isa!("code.yaml");

fn main() {}
