//! Marks of the assembler: a comment that begins as a text does.
isa_macros::define_isa!("assembly.yaml");

fn main() {}
