//! YAML: a bracket that is not closed.
isa_macros::define_isa!("yaml.yaml");

fn main() {}
