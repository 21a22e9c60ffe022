//! Clashes: a word of two forms.
isa_macros::define_isa!("clash.yaml");

fn main() {}
