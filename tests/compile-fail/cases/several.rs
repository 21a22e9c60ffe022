//! All findings are reported at once.
isa_macros::define_isa!(
    r#"
isa: tiny
word: 8
instructions:
  A: { fixed: { 7..0: 1 } }
  B: { fields: { x: 7..0 (7) }, text: "B {x} > {y}" }
"#
);

fn main() {}
