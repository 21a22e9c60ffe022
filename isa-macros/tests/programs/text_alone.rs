//! A text-only instruction set in place, without names and with them.
isa_macros::define_isa!(
    r#"
isa: no-names
word: none
instructions:
  wait: { fields: { n: (5) dec, quick: '".now"' }, text: "wait{quick} {n}" }
"#
);

isa_macros::define_isa!(
    r#"
isa: calls
word: none
registers: { F: { names: "[a-z_]+[0-9]*", text: "f{n}", width: 32 } }
instructions:
  call: { fields: { to: F, back: F }, text: "call {to} for {back}" }
"#
);

#[test]
fn runs() {
    let insn: no_names::Insn = "wait.now 17".parse().expect("a text");
    let no_names::Insn::Wait(wait) = insn;
    assert_eq!((wait.n(), wait.quick(), insn.to_string()), (17, true, "wait.now 17".to_string()));
    assert!("wait 32".parse::<no_names::Insn>().is_err());
}
