isa_macros::define_isa!(
    r#"
isa: calls
word: none
registers: { F: { names: "[a-z_]+", width: 32 } }
instructions:
  call: { layout: lsb0 "ffff", fields: { to: F, back: 7..4 F, n: unsigned }, text: "call {to}, {n}" }
"#
);

fn main() {}
