//! The language of layouts: fewer letters than bits.
isa_macros::define_isa!("layout.yaml");

fn main() {}
