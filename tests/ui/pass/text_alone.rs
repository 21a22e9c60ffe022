//! Text alone: an instruction set in place, without names and with them, and PTX's vop4 as types.
use generated::ptx_vop4::{Byte, Guard, Insn, Mask, P, R, Secondary, Selector, Statement, Type, Vadd4};

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

fn main() {
    let insn: no_names::Insn = "wait.now 17".parse().expect("a text");
    let no_names::Insn::Wait(wait) = insn;
    assert_eq!((wait.n().get(), wait.quick(), insn.to_string()), (17, true, "wait.now 17".to_string()));
    assert!("wait 32".parse::<no_names::Insn>().is_err());

    // One name is one register.
    let text = "@!p1 vadd4.s32.u32.s32.sat r1.b0, r2, r3.b0123, r1;";
    let read: Statement = text.parse().expect("a statement");
    assert_eq!(read.to_string(), text);
    let Insn::Vadd4(add) = read.insn() else { panic!("a vadd4") };
    assert_eq!((add.dtype(), add.mask(), add.secondary()), (Type::S32, Mask::B0, Secondary::Merge { sat: true }));
    assert_eq!(add.d(), add.c());
    let Guard::Predicate { not: true, p } = add.guard() else { panic!("a guard") };
    assert_eq!([read.name(add.d()), read.name(add.a()), read.name(p)], ["r1", "r2", "p1"]);

    // Changed, and with other names.
    let add = add.edit().secondary(Secondary::Add).mask(Mask::B3210).build().expect("a form");
    let (_, names) = read.into_parts();
    let changed = Statement::new(add.into(), &names).expect("names for all registers");
    assert_eq!(changed.to_string(), "@!p1 vadd4.s32.u32.s32.add r1, r2, r3.b0123, r1;");

    // Made from its parts.
    let [d, a, b, c] = [0, 1, 2, 3].map(|n| R::new(n).expect("a number"));
    let usual = Selector { x: Byte::A3, y: Byte::A2, z: Byte::A1, w: Byte::A0 };
    let made = |asel| Vadd4::new(Guard::Always, Secondary::Merge { sat: false }, d, a, asel, b, usual, c);
    let insn: Insn = made(usual).expect("an instruction").into();
    assert_eq!(insn.to_string(), "vadd4.u32.u32.u32 r0, r1, r2.b3210, r3;");
    let statement = Statement::new(insn, &["%a", "%b", "%c", "%a"]).expect("names for all registers");
    assert_eq!(Ok(statement), "vadd4.u32.u32.u32 %a, %b, %c.b3210, %a;".parse::<Statement>());

    // What can't be written can't be made.
    assert!(made(Selector { x: Byte::A1, y: Byte::A0, z: Byte::A2, w: Byte::B0 }).is_err());
    let error = Statement::new(insn, &["a", "b", "c", "4d", ""]).expect_err("no name");
    assert_eq!(error.to_string(), "the name of register 3 is none that registers R can have");
    let error = Statement::new(insn, &["a", "b", "c"]).expect_err("no name");
    assert_eq!(error.to_string(), "there is no name for register 3");
    assert!(P::new(16).is_err());
}
