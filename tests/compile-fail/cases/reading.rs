//! Readings: a sum of a field that does not exist.
isa_macros::define_isa!("reading.yaml");

fn main() {}
