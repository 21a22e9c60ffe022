//! A warning about the specification is one of the compiler.
#![deny(deprecated)]
isa_macros::define_isa!(
    r#"
isa: tiny
word: 8
enums: { E: { 0: a } }
instructions:
  A: { fix: { 7..0: 1 } }
"#
);

fn main() {}
