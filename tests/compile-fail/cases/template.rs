//! The language of texts: a place that is not closed.
isa_macros::define_isa!("template.yaml");

fn main() {}
