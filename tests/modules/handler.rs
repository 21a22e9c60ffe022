//! Simulators of one's own: the methods that execute instructions, where few of them are overridden.

use generated::rv64gc::{self, Addi, Dispatch, Ebreak, Ecall, Handler, Insn};

isa_macros::define_isa!(
    r#"
isa: counted
word: 16
registers:
  R: { index: 2, width: 16, text: "r{n}" }
machine: { lanes: 1 }
formats:
  short: { fields: { op: 15..12, d: 11..10 R, n: 3..0 }, rest: ignored }
instructions:
  add: { fields: { op: 15..12 == 1, d: 11..10 R, a: 9..8 R, n: 7..0 signed *2 }, not: n == 0, text: "add {d}, {a}, {n}", semantics: "R[d] = R[a];" }
  inc: { extends: short, fix: { op: 2 }, text: "inc {d}, {n}", expands: { add: { a: d } } }
  dec: { extends: short, fix: { op: 3 }, text: "dec {d}, {n}", expands: { add: { a: d } }, semantics: "R[d] = 0;" }
  two: { extends: short, fix: { op: 4, d: 1 }, text: "two {n}", expands: { add: { a: r3 } } }
  other: { fields: { op: 15..12 == 5, expanded: 11..8 }, rest: ignored, text: "other {expanded}" }
"#
);

/// The methods that were called, with the texts of their instructions.
#[derive(Default)]
struct Seen(Vec<(&'static str, String)>);

impl Handler for Seen {
    type Output = ();

    fn other(&mut self, insn: Insn) {
        self.0.push(("other", insn.to_string()));
    }

    fn ecall(&mut self, insn: Ecall) {
        self.0.push(("ecall", insn.to_string()));
    }
}

/// The same, for three instructions.
#[derive(Default)]
struct Three(Seen);

impl Handler for Three {
    type Output = ();

    fn other(&mut self, insn: Insn) {
        self.0.other(insn);
    }

    fn addi(&mut self, insn: Addi) {
        self.0.0.push(("addi", insn.to_string()));
    }

    fn ebreak(&mut self, insn: Ebreak) {
        self.0.0.push(("ebreak", insn.to_string()));
    }
}

fn word(digits: &str) -> Insn {
    rv64gc::decode(u32::from_str_radix(digits, 16).expect("digits")).expect("an instruction")
}

fn called(seen: &Seen) -> Vec<(&'static str, &str)> {
    seen.0.iter().map(|(method, text)| (*method, text.as_str())).collect()
}

#[test]
fn one_method_is_overridden() {
    let mut seen = Seen::default();
    // ecall; addi; c.addi, c.ebreak and c.srli64, as they are.
    for digits in ["00000073", "00500513", "0089", "9002", "8001"] {
        Dispatch::run(&mut seen, word(digits));
        word(digits).visit(&mut seen);
    }
    let expected =
        [("ecall", "ecall"), ("other", "li a0,5"), ("other", "add ra,ra,2"), ("other", "ebreak"), ("other", "c.srli64 s0")];
    assert_eq!(called(&seen), expected.iter().flat_map(|one| [*one, *one]).collect::<Vec<_>>());
}

#[test]
fn every_other_instruction_is_other() {
    let mut random = harness::Random::new(1);
    let mut seen = 0;
    while seen < 1000 {
        let number = random.next_u64() as u32;
        if let Ok(insn) = rv64gc::decode(number | 3) {
            let mut handler = Seen::default();
            Dispatch::run(&mut handler, insn);
            let method = if insn.word() == 0x73 { "ecall" } else { "other" };
            assert_eq!(handler.0.iter().map(|seen| seen.0).collect::<Vec<_>>(), [method], "{insn}");
            seen += 1;
        }
    }
}

#[test]
fn compressed_instructions_are_executed_as_what_they_stand_for() {
    let mut seen = Three::default();
    // c.addi, c.li, c.addi4spn, c.ebreak, c.sub, ebreak.
    for digits in ["0089", "4515", "0020", "9002", "8c05", "00100073"] {
        Dispatch::run(&mut seen, word(digits));
    }
    let expected = [
        ("addi", "add ra,ra,2"),
        ("addi", "li a0,5"),
        ("addi", "add s0,sp,8"),
        ("ebreak", "ebreak"),
        ("other", "sub s0,s0,s1"),
        ("ebreak", "ebreak"),
    ];
    assert_eq!(called(&seen.0), expected);
    assert_eq!(word("0089").expanded().map(|insn| insn.word()), Some(0x0020_8093));
    assert_eq!(word("00208093").expanded(), None);
}

/// Adds, and nothing else.
#[derive(Default)]
struct Adds(Vec<String>);

impl counted::Handler for Adds {
    type Output = ();

    fn other(&mut self, insn: counted::Insn) {
        self.0.push(insn.mnemonic().to_owned());
    }

    fn add(&mut self, insn: counted::Add) {
        self.0.push(format!("as {insn}"));
    }

    fn other2(&mut self, insn: counted::Other) {
        self.0.push(format!("its own {}", insn.expanded_()));
    }
}

/// A word whose expansion is not an instruction, and an instruction with semantics of its own.
#[test]
fn instructions_that_are_not_executed_as_others() {
    let mut seen = Adds::default();
    for text in ["inc r1, 0x2", "inc r1, 0x3", "inc r1, 0x0", "dec r1, 0x2", "two 0x4", "other 0x7"] {
        counted::Dispatch::run(&mut seen, text.parse().expect("an instruction"));
    }
    let expected = ["as add r1, r1, 0x2", "inc", "inc", "dec", "as add r1, r3, 0x4", "its own 7"];
    assert_eq!(seen.0, expected);
    let dec = counted::decode(0x3402).expect("an instruction");
    assert_eq!(dec.expanded().map(|insn| insn.to_string()), Some("add r1, r1, 0x2".to_owned()));
}
