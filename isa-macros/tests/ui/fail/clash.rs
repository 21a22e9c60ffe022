isa_macros::define_isa!(
    r#"
isa: tiny
word: 3
instructions:
  A: { fix: { 2..1: 3 }, ignored: 0 }
  B: { fix: { 0: 1 }, ignored: 2..1 }
"#
);

fn main() {}
