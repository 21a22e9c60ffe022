//! Instructions with the same members are one type, with a kind for each.

use std::any::TypeId;

isa_macros::define_isa!(
    r#"
isa: twins
word: 8
registers: { R: { index: 2, text: "r{n}" } }
instructions:
  add: { fix: { 7..4: 0 }, fields: { d: 3..2 R, a: 1..0 R }, text: "add {d}, {a}" }
  jump: { fix: { 7..4: 1 }, fields: { to: 3..0 }, text: "jump {to}" }
  sub: { fix: { 7..4: 2 }, fields: { d: 3..2 R, a: 1..0 R }, text: "sub {d}, {a}" }
"#
);

use twins::{Add, AddLike, Insn, Jump, R, Sub, add_like};

/// The first operand of an instruction of any of these kinds.
fn destination<K: add_like::Kind>(insn: AddLike<K>) -> R {
    insn.d()
}

#[test]
fn kinds_are_types_of_their_own() {
    assert_ne!(TypeId::of::<Add>(), TypeId::of::<Sub>());
    let add = Add::new(R::R1, R::R2).expect("an add");
    let sub = Sub::new(R::R1, R::R2).expect("a sub");
    assert_eq!((add.word(), sub.word()), (0x06, 0x26));
    assert_eq!((add.to_string(), sub.to_string()), ("add r1, r2".to_owned(), "sub r1, r2".to_owned()));
    assert_eq!((destination(add), destination(sub)), (R::R1, R::R1));
    assert!(format!("{sub:?}").starts_with("Sub"), "{sub:?}");
    let edited = sub.edit().d(R::R3).build().expect("a sub");
    assert_eq!(edited.to_string(), "sub r3, r2");
}

#[test]
fn kinds_are_told_apart() {
    for word in 0..=u8::MAX {
        let Ok(insn) = twins::decode(word.into()) else { continue };
        let kind = word >> 4;
        assert_eq!(Add::try_from(insn).is_ok(), kind == 0, "{insn}");
        assert_eq!(Jump::try_from(insn).is_ok(), kind == 1, "{insn}");
        assert_eq!(Sub::try_from(insn).is_ok(), kind == 2, "{insn}");
        let again = match insn {
            Insn::Add(add) => Insn::from(add),
            Insn::Jump(jump) => jump.into(),
            Insn::Sub(sub) => sub.into(),
        };
        assert_eq!(again, insn);
    }
    let sub = Insn::from(Sub::new(R::R0, R::R0).expect("a sub"));
    assert_eq!(Add::try_from(sub), Err(sub));
}
