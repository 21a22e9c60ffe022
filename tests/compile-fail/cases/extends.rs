//! Other instruction sets: a field of a changed instruction lies beyond the word.
isa_macros::define_isa!("extends.yaml");

fn main() {}
