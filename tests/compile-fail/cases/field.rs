//! The language of fields: a quote that is not closed.
isa_macros::define_isa!("field.yaml");

fn main() {}
