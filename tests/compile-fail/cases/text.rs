//! Texts: two numbers with nothing between them can't be read back.
isa_macros::define_isa!("text.yaml");

fn main() {}
