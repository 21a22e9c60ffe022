isa_macros::define_isa!(
    r#"
isa: tiny
word: 8
instructions:
  A: { fix: { 7..0: 1 }
  B: { fix: { 7..0: 2 } }
"#
);

fn main() {}
