//! An instruction set in place, decoded, read field by field, changed, printed and parsed.
isa_macros::define_isa!(
    r#"
isa: tiny
word: 16
registers: { R: { index: 4, width: 32, special: { 15: RZ }, zero: RZ } }
instructions:
  ADD: { fix: { 15..12: 1 }, fields: { rd: 11..8 R, ra: 7..4 R, rb: 3..0 R }, text: "ADD {rd}, {ra}, {rb}" }
  LDI: { fix: { 15..12: 2 }, fields: { rd: 11..8 R, n: 7..0 signed *4 }, text: "LDI {rd}, {n}" }
  SHL:
    fix: { 15..12: 3 }
    fields: { rd: 11..8 R, n: 7..4 }
    choose: { by: { n: { fix: { 3..0: 0 } }, one: { fix: { 3..0: 1, n: 1 } } } }
    text: "SHL {rd}<when by is n: , {n}>"
  FLD: { fix: { 15..12: 4 }, fields: { x: 11..0 f32 }, text: "FLD {x}" }
  FAD:
    fix: { 15..12: 5 }
    choose:
      b:
        r: { fix: { 11: 0 }, fields: { r: 3..0 R }, reserved: 10..4, text: "{r}" }
        x: { fix: { 11: 1 }, fields: { x: 10..0 f32 }, text: "{x}" }
    text: "FAD {b}"
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
    assert!(tiny::decode(0x6000).is_err());
}

#[test]
fn numbers_are_those_of_instructions_that_were_read() {
    let ldi = tiny::Ldi::new(tiny::R::R1, -0x10).expect("an LDI");
    let n: i16 = ldi.n();
    assert_eq!(ldi.edit().n(n - 4).build().map(|i| i.n()), Ok(-0x14));
    assert_eq!(ldi.edit().n(n - 2).build().map_err(|e| e.to_string()), Err("-18 is not one of -512, -508, …, 508".to_owned()));

    // Of two forms one has the number.
    let shl = |text: &str| tiny::Shl::try_from(text.parse::<tiny::Insn>().expect("a text")).expect("an SHL");
    let (by, one) = (shl("SHL R1, 0x5"), shl("SHL R1"));
    assert_eq!((by.n(), one.n()), (Some(5), None));
    assert_eq!(shl("SHL R1, 0x2").edit().n(by.n()).build(), Ok(by));
    assert_eq!(one.edit().n(one.n()).build(), Ok(one));
    assert!(one.edit().n(by.n()).build().is_err());
}

#[test]
fn floating_point_numbers_are_read_and_set_as_such() {
    let half = tiny::Fld::new(0.5).expect("an FLD");
    let x: f32 = half.x();
    assert_eq!((x, half.word(), half.to_string()), (0.5, 0x43f0, "FLD 0.5".to_owned()));
    assert_eq!(half.edit().x(x * -3.0).build().map(|i| i.x()), Ok(-1.5));
    let inexact = half.edit().x(0.1).build().map_err(|e| e.to_string());
    assert_eq!(inexact, Err("a floating-point number that needs more than the 12 high bits of its 32".to_owned()));

    // Operands compare and hash: they have the number by its bits.
    let fad = tiny::Fad::new(tiny::Fadb::X { x: 2.0.try_into().expect("it fits") }).expect("an FAD");
    assert_eq!(fad.to_string(), "FAD 2");
    assert!(matches!(fad.b(), tiny::Fadb::X { x } if x.get() == 2.0));
}

#[test]
fn a_text_that_names_no_register_is_shown_with_those_that_there_are() {
    let said = |text: &str| text.parse::<tiny::R>().map_err(|error| error.to_string());
    assert_eq!(said("RZ"), Ok(tiny::R::RZ));
    assert_eq!(said("R300"), Err("`R300` is not a name of R: there are `R0` to `R14`, `RZ`".to_owned()));
    assert_eq!(said(""), Err("an empty text is not a name of R: there are `R0` to `R14`, `RZ`".to_owned()));
}
