//! Included files: an error is reported in its file.
isa_macros::define_isa!("include.yaml");

fn main() {}
