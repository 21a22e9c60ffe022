//! Places and statements, in one lane of a machine.

use crate::load;
use isa_reference::eval::*;
use isa_sim::{Action, Engine as _, State as _, TroubleKind};
use isa_spec::semantics::int::Int;

/// A machine with one of everything, and an instruction for each kind of statement.
const EVERYTHING: &str = r#"
isa: everything
word: 16
registers:
  R: { index: 4, width: 32, count: 12, special: { 11: RZ }, zero: RZ }
  H: { index: 5, width: 16 }
  P: { index: 2, width: 1, special: { 3: PT }, one: PT }
machine:
  lanes: 4
  spaces:
    global: { of: grid }
    local: { of: lane, size: 64 }
    const: { of: grid, banks: 2, read-only: true }
  views: { H: R }
  flags:
    C: { count: 2, flags: [z, s] }
    CC: [x]
  launch-values: { tid.x: 16 }
  state: { mode: 2, wide: 100 }
  variants: { way: [one, two, three] }
  guard: P[g]
  after: |
    if f == 15 { exit(); }
  functions: |
    fn twice(x:32) : 32 { let y = x + x; return y; }
formats:
  all: { fields: { op: 15..10, g: 9..8 P = PT, f: 7..4, d: 3..0 R }, text: "{body} {d}, {f}, {g}" }
instructions:
  ADD:     { extends: all, fix: { op: 0 },  text: ADD,     semantics: "R[d] = twice(R[f]) + 1;" }
  SLICE:   { extends: all, fix: { op: 1 },  text: SLICE,   semantics: "R[d][15..8] = 0xab; H[zext(d, 5) << 1 | 1] = 0x1234;" }
  PART:    { extends: all, fix: { op: 2 },  text: PART,    semantics: "R[d][f +: 8] = 0xff; R[d +: 2][60:8 +: 8] = 0xaa;" }
  CONCAT:  { extends: all, fix: { op: 3 },  text: CONCAT,  semantics: "C[0].s ++ R[d] ++ CC.x ++ R[f] = 1:1 ++ 0x11111111:32 ++ 1:1 ++ 0x22222222:32;" }
  FLAGS:   { extends: all, fix: { op: 4 },  text: FLAGS,   semantics: "let old = C[1]; C[f] = 3; R[d] = zext(old, 32);" }
  STATE:   { extends: all, fix: { op: 5 },  text: STATE,   semantics: "R[d] = zext(tid.x, 32) + lane; mode = f[1..0]; wide = 1:100 << 99;" }
  VARIANT: { extends: all, fix: { op: 6 },  text: VARIANT, semantics: "R[d] = match variant(way) { one => 1, two => 2, else => 3 };" }
  LD:      { extends: all, fix: { op: 7 },  text: LD,      semantics: "R[d +: 2] = load.global(R[f], 64);" }
  ST:      { extends: all, fix: { op: 8 },  text: ST,      semantics: "store.global(R[f], R[d][15..0]);" }
  LOCAL:   { extends: all, fix: { op: 9 },  text: LOCAL,   semantics: "store.local(R[f], R[d +: 4]);" }
  CONST:   { extends: all, fix: { op: 10 }, text: CONST,   semantics: "R[d] = load.const(f, 4, 32);" }
  INC:     { extends: all, fix: { op: 11 }, text: INC,     semantics: "let old = atomic.global(R[f], 32, o => o + 1); R[d] = old;" }
  CAS:     { extends: all, fix: { op: 12 }, text: CAS,     semantics: "atomic.global(R[f], 32, o => if o == 5 { R[d] } else { o });" }
  CASM:    { extends: all, fix: { op: 16 }, text: CASM,    semantics: "atomic.global(0x20, 32, o => if any((if f[3] { cmp_s(o, R[1]) } else { cmp_u(o, R[1]) }) & f[2..0]) { R[d] } else { o });" }
  MATCH:   { extends: all, fix: { op: 13 }, text: MATCH,   semantics: "match f { 0, 1 => { R[d] = 1; } 2 => { R[d] = 2; } else => { if R[d] == 7 { P[1] = 1; } else if R[d] == 8 { P[3] = 0; } else { branch(next + R[d]); } } }" }
  NONE:    { extends: all, fix: { op: 14 }, text: NONE }
  FLOW:    { extends: all, fix: { op: 15 }, text: FLOW,    semantics: "match f { 0 => { call(R[d]); } 1 => { ret(); } 2 => { barrier(R[d]); } 3 => { sync(R[d]); } 4 => { join(); } 5 => { trap(); } else => { branch(pc); } }" }
"#;

/// All bits of a register of 32.
const WHOLE: u128 = 0xffff_ffff;

/// One lane of that machine.
struct One<'a> {
    reference: &'a Reference<'a>,
    state: State,
    scene: Scene,
}

impl<'a> One<'a> {
    fn new(reference: &'a Reference<'a>) -> Self {
        let mut scene = reference.scene();
        (scene.lane, scene.pc, scene.next) = (2, 0x100, 0x102);
        Self { reference, state: reference.state(), scene }
    }

    #[track_caller]
    fn run(&mut self, text: &str) -> Trace {
        let (form, word) = self.reference.codec().parse(text, 0, &|_| None).unwrap_or_else(|e| panic!("{text}: {e}"));
        let op = self.reference.op(form, word).unwrap_or_else(|e| panic!("{text}: {e}"));
        self.reference.trace(&op, &mut self.state, &mut self.scene)
    }

    fn r(&self, index: usize) -> u128 {
        self.state.register(0, index, 2)
    }

    fn set(&mut self, index: usize, value: u128) {
        self.state.set_register(0, index, 2, value);
    }

    fn at(&self, space: usize, address: u64) -> Address {
        Address { space, bank: 0, lane: 2, address }
    }
}

#[test]
fn places_are_written_and_told() {
    let isa = load(EVERYTHING);
    let reference = Reference::new(&isa).expect("it can be simulated");
    let mut one = One::new(&reference);
    one.set(3, 0x8000_0001);
    assert_eq!(one.run("ADD R1, 0x3, PT").written, [Written::Register(0, 1, WHOLE)]);
    assert_eq!(one.r(1), 3);
    // A register that is a constant, one beyond the end, a guard that does not hold.
    assert_eq!(one.run("ADD RZ, 0x3, PT").written, []);
    assert_eq!(one.run("ADD R1, 0xe, PT").written, [Written::Register(0, 1, WHOLE)]);
    assert_eq!((one.r(1), one.r(11), one.r(14)), (1, 0, 0));
    assert_eq!(one.run("ADD R1, 0x3, P0").written, []);
    // Bits of registers, and registers that are parts of others.
    one.set(4, 0xffff_ffff);
    assert_eq!(one.run("SLICE R4, 0x0, PT").written, [Written::Register(0, 4, 0xff00), Written::Register(0, 4, 0xffff_0000)]);
    assert_eq!((one.r(4), one.state.register(1, 8, 2), one.state.register(1, 9, 2)), (0x1234_abff, 0xabff, 0x1234));
    one.set(5, 0);
    one.set(6, 0);
    assert_eq!(
        one.run("PART R5, 0x4, PT").written,
        [(5, 0xff0), (6, 0xf000_0000)].map(|(n, mask)| Written::Register(0, n, mask))
    );
    assert_eq!((one.r(5), one.r(6)), (0xff0, 0xa000_0000));
    one.run("PART R5, 0xf, PT");
    assert_eq!(one.r(5), 0x7f_8ff0);
    let written = one.run("CONCAT R1, 0x2, PT").written;
    assert_eq!(
        written,
        [Written::Register(0, 2, WHOLE), Written::Flags(1, 0, 1), Written::Register(0, 1, WHOLE), Written::Flags(0, 0, 2)]
    );
    assert_eq!((one.r(1), one.r(2), one.state.flags(0, 0, 2), one.state.flags(1, 0, 2)), (0x1111_1111, 0x2222_2222, 2, 1));
    // Flags; those that don't exist read 0, and writing them does nothing.
    one.state.set_flags(0, 1, 2, 1);
    assert_eq!(one.run("FLAGS R7, 0x1, PT").written, [Written::Flags(0, 1, 3), Written::Register(0, 7, WHOLE)]);
    assert_eq!((one.r(7), one.state.flags(0, 1, 2)), (1, 3));
    assert_eq!(one.run("FLAGS R7, 0x2, PT").written, [Written::Register(0, 7, WHOLE)]);
    // Named values and variants.
    one.scene.launch_values[0][2] = 0x40;
    assert_eq!(
        one.run("STATE R7, 0x7, PT").written,
        [Written::Register(0, 7, WHOLE), Written::Value(0, 3), Written::Value(1, (1 << 100) - 1)]
    );
    assert_eq!((one.r(7), one.state.value(0, 2), one.state.value(1, 2)), (0x42, 3, 1 << 99));
    one.scene.variants[0] = 2;
    one.run("VARIANT R7, 0x0, PT");
    assert_eq!(one.r(7), 3);
    // Only the lane that ran has changed.
    assert_eq!((one.state.register(0, 7, 1), one.state.register(0, 7, 3)), (0, 0));
}

#[test]
fn memory_is_read_and_written() {
    let isa = load(EVERYTHING);
    let reference = Reference::new(&isa).expect("it can be simulated");
    let mut one = One::new(&reference);
    one.scene.memory.set(one.at(0, 0x10), 8, Int::from(0x1122_3344_5566_7788));
    one.set(1, 0x10);
    one.run("LD R2, 0x1, PT");
    assert_eq!((one.r(2), one.r(3)), (0x5566_7788, 0x1122_3344));
    assert_eq!(one.run("ST R2, 0x1, PT").written, [Written::Memory(one.at(0, 0x10), 2)]);
    one.set(1, 0x12);
    one.run("ST R3, 0x1, PT");
    assert_eq!(one.scene.memory.get(one.at(0, 0x10), 4), Int::from(0x3344_7788));
    // 128 bits, in memory of the lane.
    one.set(1, 0x20);
    one.run("LOCAL R2, 0x1, PT");
    assert_eq!(one.scene.memory.get(one.at(1, 0x20), 8), Int::from(0x1122_3344_5566_7788));
    assert_eq!(one.scene.memory.get(Address { lane: 1, ..one.at(1, 0x20) }, 8), Int::default());
    one.scene.memory.set(Address { bank: 1, ..one.at(2, 4) }, 4, Int::from(9));
    one.run("CONST R7, 0x1, PT");
    assert_eq!(one.r(7), 9);
    // Atomic.
    one.run("INC R7, 0x1, PT");
    one.run("INC R7, 0x1, PT");
    assert_eq!((one.r(7), one.scene.memory.get(one.at(0, 0x20), 4)), (1, Int::from(2)));
    one.scene.memory.set(one.at(0, 0x20), 4, Int::from(5));
    one.run("CAS R7, 0x1, PT");
    one.set(7, 9);
    one.run("CAS R7, 0x1, PT");
    assert_eq!(one.scene.memory.get(one.at(0, 0x20), 4), Int::from(1));
    // By comparisons of 1 with -1: signed it is greater, unsigned it is less.
    let mut after = |mask: u32, start: u128| {
        one.scene.memory.set(one.at(0, 0x20), 4, Int::from(start));
        one.set(1, 0xffff_ffff);
        one.set(7, 9);
        one.run(&format!("CASM R7, {mask:#x}, PT"));
        one.scene.memory.get(one.at(0, 0x20), 4).low()
    };
    assert_eq!([0x8 | 4, 0x8 | 3, 1, 6].map(|mask| after(mask, 1)), [9, 1, 9, 1]);
    assert_eq!([0x8 | 2, 0x8 | 5, 2, 5].map(|mask| after(mask, 0xffff_ffff)), [9, 0xffff_ffff, 9, 0xffff_ffff]);
    assert_eq!(one.scene.memory.faults, []);
}

#[test]
fn accesses_that_cannot_be_are_told() {
    let isa = load(EVERYTHING);
    let reference = Reference::new(&isa).expect("it can be simulated");
    let mut one = One::new(&reference);
    let mut fault = |address: u128, text: &str| {
        one.set(1, address);
        one.set(2, 0x55);
        one.run(text);
        one.scene.memory.faults.pop().map(|f| (f.kind, f.at.address, f.bytes))
    };
    assert_eq!(fault(0x14, "LD R2, 0x1, PT"), Some((TroubleKind::Misaligned, 0x14, 8)));
    assert_eq!(fault(0xffff_fff8, "LD R2, 0x1, PT"), None);
    assert_eq!(fault(0x11, "ST R2, 0x1, PT"), Some((TroubleKind::Misaligned, 0x11, 2)));
    assert_eq!(fault(0x38, "LOCAL R2, 0x1, PT"), Some((TroubleKind::Misaligned, 0x38, 16)));
    assert_eq!(fault(0x40, "LOCAL R2, 0x1, PT"), Some((TroubleKind::Outside, 0x40, 16)));
    assert_eq!(fault(0, "CONST R2, 0x2, PT"), Some((TroubleKind::NoBank, 4, 4)));
    assert_eq!((one.r(2), one.r(1)), (0, 0));
}

#[test]
fn an_access_that_cannot_be_ends_the_instruction_of_a_core() {
    let spec = |lanes: u32| {
        let instruction = "semantics: \"let at = R[n]; R[1] = 1; store.m(at, 5:32); R[2] = 1;\"";
        let of = if lanes > 1 { "of: grid, " } else { "" };
        load(&format!(
            "isa: ends\nword: 8\nregisters: {{ R: {{ index: 4, width: 32 }} }}\nmachine: {{ lanes: {lanes}, spaces: {{ m: {{ {of}size: 64 }} }} }}\n\
             instructions: {{ ST: {{ fix: {{ 7..4: 1 }}, fields: {{ n: 3..0 }}, text: \"ST {{n}}\", {instruction} }} }}\n"
        ))
    };
    let written = |lanes: u32, address: u128| {
        let isa = spec(lanes);
        let reference = Reference::new(&isa).expect("it can be simulated");
        let mut one = One::new(&reference);
        one.scene.lane = 0;
        one.state.set_register(0, 4, 0, address);
        one.run("ST 4");
        [1, 2].map(|index| one.state.register(0, index, 0))
    };
    assert_eq!((written(1, 0x10), written(2, 0x10)), ([1, 1], [1, 1]));
    // Misaligned, and outside.
    assert_eq!((written(1, 0x11), written(2, 0x11)), ([1, 0], [1, 1]));
    assert_eq!((written(1, 0x40), written(2, 0x40)), ([1, 0], [1, 1]));
}

#[test]
fn ways_part() {
    let isa = load(EVERYTHING);
    let reference = Reference::new(&isa).expect("it can be simulated");
    let mut one = One::new(&reference);
    one.run("MATCH R1, 0x1, PT");
    one.run("MATCH R2, 0x2, PT");
    one.set(3, 7);
    one.set(4, 8);
    assert_eq!(one.run("MATCH R3, 0x3, PT").written, [Written::Register(2, 1, 1)]);
    assert_eq!(one.run("MATCH R4, 0x3, PT").written, []);
    assert_eq!((one.r(1), one.r(2), one.state.register(2, 1, 2), one.state.register(2, 3, 2)), (1, 2, 1, 1));
    let flow = one.run("MATCH R1, 0x3, PT").flow;
    assert_eq!((flow.wanted()[Action::Branch], flow.target(2), flow.wanted()[Action::Exit]), (4, 0x103, 0));
    // `after` is for lanes that the guard keeps out, too.
    let flow = one.run("MATCH R1, 0xf, P0").flow;
    assert_eq!((flow.wanted()[Action::Branch], flow.wanted()[Action::Exit]), (0, 4));
    let mut of = |n: u32| one.run(&format!("FLOW R2, {n:#x}, PT")).flow;
    assert_eq!((of(0).wanted()[Action::Call], of(0).target(2)), (4, 2));
    assert_eq!((of(1).wanted()[Action::Ret], of(4).wanted()[Action::Join], of(5).wanted()[Action::Trap]), (4, 4, 4));
    assert_eq!((of(2).wanted()[Action::Barrier], of(2).target(2)), (4, 2));
    assert_eq!((of(3).wanted()[Action::Sync], of(3).target(2)), (4, 2));
    assert_eq!((of(6).wanted()[Action::Branch], of(6).target(2)), (4, 0x100));
}

#[test]
fn what_cannot_be_simulated_is_told() {
    let isa = load(EVERYTHING);
    let reference = Reference::new(&isa).expect("it can be simulated");
    let (form, word) = reference.codec().parse("NONE R1, 0x0, PT", 0, &|_| None).expect("an instruction");
    assert_eq!(
        reference.op(form, word).err().map(|why| why.to_string()).as_deref(),
        Some("NONE has no semantics in this specification")
    );
    let refused = |text: &str| {
        let isa = load(&format!("isa: odd\nword: 64\n{text}\n"));
        Reference::new(&isa).map(|_| ()).expect_err("it is refused").to_string()
    };
    let use_r = "instructions: { X: { fields: { r: 31..0 R, n: 63..32 } } }";
    assert_eq!(
        refused(&format!("registers: {{ R: {{ index: 32, width: 256 }} }}\n{use_r}")),
        "registers of `R` have 256 bits: 128 are the most that can be simulated"
    );
    assert_eq!(
        refused(&format!("registers: {{ R: {{ index: 32, width: 32 }} }}\n{use_r}")),
        "`R` has 4294967296 registers: 65536 are the most that can be simulated"
    );
}

/// The value of a field is the number that its code gives, and has the width of that.
#[test]
fn fields_have_the_numbers_of_their_codes() {
    let coded =
        EVERYTHING.replace("formats:", "codes: { Power: { number: \"fn number(x:4) : 32 { return 3:32 << x; }\" } }\nformats:");
    let coded = coded.replace("f: 7..4, d", "f: 7..4 Power, d").replace("f == 15", "f == 3 << 15");
    let only = coded.split("instructions:").next().unwrap_or_default();
    let isa = load(&format!(
        "{only}instructions:\n  SET: {{ extends: all, fix: {{ op: 0 }}, text: SET, semantics: \"R[d] = f + 1;\" }}\n"
    ));
    let reference = Reference::new(&isa).expect("it can be simulated");
    let mut one = One::new(&reference);
    one.run("SET R1, 0x18, PT");
    assert_eq!(one.r(1), 25);
}
