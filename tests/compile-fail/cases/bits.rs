//! Bits: some that nothing describes.
isa_macros::define_isa!("bits.yaml");

fn main() {}
