//! The machine: a space with windows, but none for all other addresses.
isa_macros::define_isa!("machine.yaml");

fn main() {}
