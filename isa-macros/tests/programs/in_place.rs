//! An instruction set in place, decoded, read field by field, changed, printed and parsed.
isa_macros::define_isa!(
    r#"
isa: tiny
word: 16
registers: { R: { index: 4, width: 32, special: { 15: RZ }, zero: RZ } }
instructions:
  ADD: { fix: { 15..12: 1 }, fields: { rd: 11..8 R, ra: 7..4 R, rb: 3..0 R }, text: "ADD {rd}, {ra}, {rb}" }
  LDI: { fix: { 15..12: 2 }, fields: { rd: 11..8 R, n: 7..0 signed *4 }, text: "LDI {rd}, {n}" }
"#
);

#[test]
fn runs() {
    let insn = tiny::decode(0x123f).expect("an instruction");
    assert_eq!(insn.to_string(), "ADD R2, R3, RZ");
    let tiny::Insn::Add(add) = insn else { panic!("an ADD") };
    assert_eq!((add.rd().index(), add.ra().index(), add.rb().index()), (2, 3, 15));
    let insn: tiny::Insn = "LDI R1, -0x10".parse().expect("a text");
    assert_eq!(insn.word(), 0x21fc);
    assert!(tiny::decode(0x3000).is_err());
}
