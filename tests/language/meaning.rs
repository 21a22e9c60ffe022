//! The behaviour of instructions of the shipped specs, one by one, with values worked out by hand from the documents of the
//! machines.
//!
//! A case is a text, what there is before it, and what is different after it: registers (`R1=5`), flags (`C0=0b1010`, the first
//! flag lowest), values of the machine (`mask=1`), memory (`shared[0x10]:4=7`, with a bank `const[1:0x8]:4=7`), and where the
//! lane wants to go (`branch=0x10`, `call=0x10`, `sync=0x10`, `barrier=0`, `ret`, `exit`, `join`, `trap`, `illegal`, `host`,
//! `refetch`, `raise=4,0x10` with the cause and the value). The instruction is at 0x100. State that a case does not name is 0
//! before.

use harness::shipped_isa;
use isa_reference::eval::{Address, Reference, Scene, State, Written};
use isa_sim::{Engine, State as _};
use isa_spec::lang::number;
use isa_spec::semantics::Int;
use std::collections::BTreeSet;

/// A thing that a case names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Register(usize, usize),
    Flags(usize, usize),
    Value(usize),
    Launched(usize),
    Memory { space: usize, bank: u64, address: u64, bytes: u32 },
}

struct Lane<'a> {
    reference: &'a Reference<'a>,
    state: State,
    scene: Scene,
}

const LANE: usize = 0;

impl Lane<'_> {
    /// The place on the left of the `=`.
    fn place(&self, name: &str) -> Place {
        let info = self.reference.machine();
        let no = || -> ! { panic!("what is `{name}`?") };
        let value = |text: &str| number(text).unwrap_or_else(|| no()) as u64;
        if let Some((space, rest)) = name.split_once('[') {
            let (inside, bytes) = rest.split_once("]:").unwrap_or_else(|| no());
            let (bank, address) = inside.split_once(':').unwrap_or(("0", inside));
            let space = info.spaces.iter().position(|s| s.name == space).unwrap_or_else(|| no());
            return Place::Memory { space, bank: value(bank), address: value(address), bytes: value(bytes) as u32 };
        }
        if let Some(i) = info.values.iter().position(|v| v.0 == name) {
            return Place::Value(i);
        }
        if let Some(i) = info.launch_values.iter().position(|v| v.name == name) {
            return Place::Launched(i);
        }
        let digits = name.find(|c: char| c.is_ascii_digit()).unwrap_or_else(|| no());
        let (file, index) = (&name[..digits], value(&name[digits..]) as usize);
        let register = info.registers.iter().position(|r| r.name == file).map(|f| Place::Register(f, index));
        let flags = || info.flags.iter().position(|f| f.name == file).map(|f| Place::Flags(f, index));
        register.or_else(flags).unwrap_or_else(|| no())
    }

    fn get(&self, place: Place) -> u128 {
        match place {
            Place::Register(file, index) => self.state.register(file, index, LANE),
            Place::Flags(file, index) => self.state.flags(file, index, LANE).into(),
            Place::Value(index) => self.state.value(index, LANE),
            Place::Launched(index) => self.scene.launch_values[index][LANE].into(),
            Place::Memory { space, bank, address, bytes } => {
                let value = self.scene.memory.get(Address { space, bank, lane: LANE, address }, bytes);
                value.low_u128()
            }
        }
    }

    fn set(&mut self, place: Place, value: u128) {
        match place {
            Place::Register(file, index) => self.state.set_register(file, index, LANE, value),
            Place::Flags(file, index) => self.state.set_flags(file, index, LANE, value as u64),
            Place::Value(index) => self.state.set_value(index, LANE, value),
            Place::Launched(index) => self.scene.launch_values[index][LANE] = value as u32,
            Place::Memory { space, bank, address, bytes } => {
                self.scene.memory.set(Address { space, bank, lane: LANE, address }, bytes, Int::from(value));
            }
        }
    }
}

/// Runs each case, and says what is not as it should be.
fn check(name: &str, cases: &[(&str, &str, &str)]) {
    let isa = shipped_isa(name);
    let reference = Reference::new(isa).expect("it can be simulated");
    let mut wrong = Vec::new();
    for (text, before, after) in cases {
        let mut scene = reference.scene();
        (scene.pc, scene.next) = (0x100, 0x108);
        let mut lane = Lane { reference: &reference, state: reference.state(), scene };
        // A text, or a word where the text does not say all of it.
        let (form, word) =
            match text.strip_prefix("word ").map(|w| (w.len() as u32 * 4, isa_spec::model::Word::from_str_radix(w, 16))) {
                Some((bits, word)) => {
                    let word = word.expect("a word");
                    (reference.codec().decode(word, bits).unwrap_or_else(|e| panic!("{text}: {e}")), word)
                }
                None => reference.codec().parse(text, 0x100, &|_| None).unwrap_or_else(|e| panic!("{text}: {e}")),
            };
        let op = reference.op(form, word).unwrap_or_else(|e| panic!("{text}: {e}"));
        let entry = |entry: &str| -> Option<(String, u128)> {
            let (name, value) = entry.split_once('=')?;
            Some((name.to_string(), number(value).unwrap_or_else(|| panic!("{entry}")) as u128))
        };
        for (name, value) in before.split_whitespace().filter_map(entry) {
            lane.set(lane.place(&name), value);
        }
        let trace = reference.trace(&op, &mut lane.state, &mut lane.scene);
        let mut wants = trace.flow.shown(LANE);
        let mut named = BTreeSet::new();
        for part in after.split_whitespace() {
            if let Some(at) = wants.iter().position(|w| w == part) {
                wants.remove(at);
                continue;
            }
            let Some((name, value)) =
                entry(part).filter(|(n, _)| !["branch", "call", "sync", "barrier", "raise"].contains(&n.as_str()))
            else {
                wrong.push(format!("`{text}` with {before}: no {part}"));
                continue;
            };
            let place = lane.place(&name);
            named.insert(place);
            let found = lane.get(place);
            if found != value {
                wrong.push(format!("`{text}` with {before}: {name} is {found:#x}, not {value:#x}"));
            }
        }
        for want in wants {
            wrong.push(format!("`{text}` with {before}: {want}"));
        }
        for written in &trace.written {
            let place = match *written {
                Written::Register(file, index, _) => Place::Register(file, index),
                Written::Flags(file, index, _) => Place::Flags(file, index),
                Written::Value(index, _) => Place::Value(index),
                Written::Memory(at, bytes) => Place::Memory { space: at.space, bank: at.bank, address: at.address, bytes },
            };
            if !named.contains(&place) {
                wrong.push(format!("`{text}` with {before}: {place:?} is written: {:#x}", lane.get(place)));
            }
        }
        if let Some(fault) = lane.scene.memory.faults.first() {
            wrong.push(format!("`{text}` with {before}: {fault:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// Flags are Z S C O from the lowest bit on. The rules: envytools' description of the instructions, and FlexGripPlus.
#[test]
fn sm_1_0() {
    check(
        "flexgrip",
        &[
            // Addition: carries and overflow, subtraction both ways, saturation, halves.
            ("IADD.C0 R1, R2, R3", "R2=0x7fffffff R3=1", "R1=0x80000000 C0=0b1010"),
            ("IADD.C1 R1, R2, -R3", "R2=5 R3=5", "R1=0 C1=0b0101"),
            ("IADD.C0 R1, -R2, R3", "R2=1", "R1=0xffffffff C0=0b0010"),
            ("IADD.CARRY1.C0 R1, R2, R3", "R2=0xffffffff C1=0b0100", "R1=0 C0=0b0101"),
            ("IADD.CARRY1 R1, R2, R3", "R2=0xffffffff C1=0b1011", "R1=0xffffffff"),
            ("IADD.SAT R1, R2, R3", "R2=0x7fffffff R3=1", "R1=0x7fffffff"),
            ("IADD.SAT R1, R2, R3", "R2=0x80000000 R3=0xffffffff", "R1=0x80000000"),
            ("IADD.SAT.U16 R1L, R2L, R3H", "R2=0x7fff R3=0x10000 R1=0x12345678", "R1=0x12347fff"),
            ("IADD.U16.C2 R1H, R2L, R3H", "R2=0xffff R3=0x20000 R1=0x1234", "R1=0x11234 C2=0b0100"),
            ("IADD32I R9, R4, 0x40c", "R4=0xffffffff", "R9=0x40b"),
            ("IADD32 R1, R2, -R3", "R2=7 R3=9", "R1=0xfffffffe"),
            ("IADD R2, g[0x4], R3", "shared[0x10]:4=7 R3=1", "R2=8"),
            ("IADD R3, R3, c[0xe][0x2]", "const[14:8]:4=0x100 R3=1", "R3=0x101"),
            // Products of halves, and of 24 bits.
            ("IMUL.U16.S16 R2, R1L, R1H", "R1=0xfffe0003", "R2=0xfffffffa"),
            ("IMUL.U24.U24 R2, R1, R3", "R1=0xff000010 R3=0x11", "R2=0x110"),
            ("IMUL.S24.S24.HI R2, R1, R3", "R1=0x800000 R3=0x800000", "R2=0x40000000"),
            ("IMUL32I.U16.U16 R0, R0L, 0x10", "R0=0xffff0002", "R0=0x20"),
            ("IMAD.S24 R4, R1, R2, -R3", "R1=3 R2=4 R3=5", "R4=7"),
            ("IMAD.SAT.S16 R4, R1L, R2L, R3", "R1=0x7fff R2=0x7fff R3=0x7fffffff", "R4=0x7fffffff"),
            ("IMAD.U16.CARRY1 R4, R1L, R1H, R4", "R1=0x20003 R4=1 C1=0b0100", "R4=8"),
            ("IMAD32.U16 R1, R3L, R5L, R1", "R3=0x10003 R5=0x10005 R1=1", "R1=16"),
            // Shifts: the count is not masked; carry is the last bit out, if the count is less than the width.
            ("SHL.C0 R1, R2, 0x1", "R2=0xc0000000", "R1=0x80000000 C0=0b0110"),
            ("SHL.C0 R1, R2, 0x1", "R2=0x40000000", "R1=0x80000000 C0=0b1010"),
            ("SHL.C0 R1, R2, 0x1f", "R2=2", "R1=0 C0=0b0101"),
            ("SHL.C0 R1, R2, 0x20", "R2=1", "R1=0 C0=0b0001"),
            ("SHL R1, R2, R3", "R2=1 R3=0xffffffff", "R1=0"),
            ("SHR.S32.C0 R1, R2, 0x1", "R2=0x80000001", "R1=0xc0000000 C0=0b0110"),
            ("SHR.C0 R1, R2, 0x1", "R2=0x80000000", "R1=0x40000000 C0=0b1000"),
            ("SHR.S32.C0 R1, R2, 0x40", "R2=0x80000000", "R1=0xffffffff C0=0b0010"),
            ("SHR.U16 R1L, R2H, 0x4", "R2=0xabcd0000", "R1=0xabc"),
            // Bits and comparisons.
            ("LOP.XOR R1, R2, ~R3", "R2=0xff R3=0xffffff00", "R1=0"),
            ("LOP.PASS_B R0, R0, ~R4", "R4=0xf", "R0=0xfffffff0"),
            ("ISET.S32.C0 o[0x7f], R0, R124, GT", "R0=5", "C0=0b0010"),
            ("ISET.S32.C0 o[0x7f], R0, R124, GT", "R0=0xffffffff", "C0=0b0001"),
            ("ISET R1, R0, R2, NE", "R0=0xffffffff", "R1=0xffffffff"),
            // Conversions limit to the destination's range.
            ("I2I.U32.S32 R1, |R2|", "R2=0xfffffffb", "R1=5"),
            ("I2I.S8.S32 R1, R2", "R2=300", "R1=127"),
            ("I2I.U8.S32 R1, R2", "R2=0xfffffffd", "R1=0"),
            ("I2I.S32.S16 R1, R2H", "R2=0x80000000", "R1=0xffff8000"),
            ("I2I.S32.S32 R1, -R1", "R1=1", "R1=0xffffffff"),
            ("I2F.F32.S32 R2, R4", "R4=0xfffffffd", "R2=0xc0400000"),
            ("I2F.F32.U32.TRUNC R3, R2", "R2=0xffffffff", "R3=0x4f7fffff"),
            ("F2I.S32.F32.TRUNC R1, R2", "R2=0xc0200000", "R1=0xfffffffe"),
            ("F2I.S32.F32 R1, R2", "R2=0x40200000", "R1=2"),
            ("F2I.S32.F32.CEIL R1, R2", "R2=0x40200000", "R1=3"),
            ("F2I.U32.F32 R1, R2", "R2=0xc0200000", "R1=0"),
            ("F2I.S32.F32 R1, R2", "R2=0x4f800000", "R1=0x7fffffff"),
            ("F2I.S32.F32 R1, R2", "R2=0x7fc00000", "R1=0"),
            ("F2F.F32.F32.IR.FLOOR R1, R2", "R2=0xbf000000", "R1=0xbf800000"),
            // Floats: subnormals are zero, two roundings, a comparison is a set of less, equal, greater, unordered.
            ("FADD R1, R2, -R3", "R2=0x40400000 R3=0x3f800000", "R1=0x40000000"),
            ("FADD R1, R2, R3", "R2=1 R3=1", "R1=0"),
            ("FADD.TRUNC R1, R2, R3", "R2=0x3f800000 R3=0x33ffffff", "R1=0x3f800000"),
            ("FADD R1, R2, R3", "R2=0x3f800000 R3=0x33ffffff", "R1=0x3f800001"),
            ("FADD.C0 R1, R2, R3", "R2=0x7fc00000", "R1=0x7fffffff C0=0b0011"),
            ("FADD32.SAT R1, R2, R3", "R2=0x40000000", "R1=0x3f800000"),
            ("FADD32I R2, R2, -0x41000000", "R2=0x3f800000", "R2=0x3f000000"),
            ("FMUL R1, R2, R3", "R2=0x40400000 R3=0xc0000000", "R1=0xc0c00000"),
            ("FMAD R1, R2, R3, -R4", "R2=0x40400000 R3=0x40000000 R4=0x3f800000", "R1=0x40a00000"),
            ("FSET.C0 R1, R2, R3, LT", "R2=0x3f800000 R3=0x40000000", "R1=0xffffffff C0=0b0010"),
            ("FSET R1, R2, R3, GEU", "R2=0x7fc00000", "R1=0xffffffff"),
            ("FSET R1, R2, R3, NUM", "R2=0x7fc00000", "R1=0"),
            ("FSET R1, |R2|, R3, GT", "R2=0xc0000000 R3=0x3f800000", "R1=0xffffffff"),
            ("RCP R1, -R2", "R2=0x40000000", "R1=0xbf000000"),
            ("RSQ R1, R2", "R2=0x40800000", "R1=0x3f000000"),
            ("LG2 R1, R2", "R2=0x41000000", "R1=0x40400000"),
            // RRO: a sign, and 23 bits after the point. A quarter of a turn, 3 π / 2, and values without such a number.
            ("RRO R1, R2, EX2", "R2=0xc0200000", "R1=0x81400000"),
            ("RRO R1, R2, EX2", "R2=0x7fc00000", "R1=0x40000000"),
            ("RRO R1, R2, EX2", "R2=0xff800000", "R1=0xc0800000"),
            ("RRO R1, R2, SIN", "R2=0x3fc90fdb", "R1=0x800000"),
            ("RRO R1, R2, SIN", "R2=0x7f000000", "R1=0"),
            ("EX2 R1, R2", "R2=0x81400000", "R1=0x3e3504f3"),
            ("EX2 R1, R2", "R2=0x40800000", "R1=0x7f800000"),
            ("EX2 R1, R2", "R2=0xc0800000", "R1=0"),
            ("SIN R1, R2", "R2=0x800000", "R1=0x3f800000"),
            ("COS R1, R2", "R2=0x1000000", "R1=0xbf800000"),
            ("SIN R1, R2", "R2=0x40000000", "R1=0x7fffffff"),
            // Memory: offsets count accesses, `+++` moves the address afterwards.
            ("MOV R1, g[A1+0x2]", "A1=0x20 shared[0x28]:4=0x12345678", "R1=0x12345678"),
            ("MOV.U16 R0H, g[0x3].U16", "shared[6]:2=0xbeef", "R0=0xbeef0000"),
            ("I2I.U32.U16 R1, g[0x1].S16", "shared[2]:2=0x8000", "R1=0x8000"),
            ("FMAD R3, g[A1+++0x1], R6, R3", "A1=0x20 shared[0x20]:4=0x3f800000 R6=0x40000000", "R3=0x40000000 A1=0x24"),
            ("R2G.U32.U32 g[A1+0xc], R11", "A1=0x100 R11=7", "shared[0x130]:4=7"),
            ("R2G.U16.U8 g[0x3], R1H", "R1=0x12340000", "shared[3]:1=0x34"),
            ("MVC R1, c[0x1][A1+0x2]", "A1=4 const[1:12]:4=9", "R1=9"),
            ("MVC R1, c[0x1][A1+++0x2].S16", "A1=4 const[1:4]:2=0xffff", "R1=0xffffffff A1=8"),
            ("GLD.S16 R1, global14[R2]", "R2=0x40 global[0x40]:2=0x8001", "R1=0xffff8001"),
            ("GLD.U64 R2, global14[R4]", "R4=8 global[8]:8=0x0123456789abcdef", "R2=0x89abcdef R3=0x1234567"),
            ("GST.U8 global14[R0], R10", "R0=3 R10=0x1ff", "global[3]:1=0xff"),
            ("GST.U128 global14[R0], R4", "R4=1 R5=2 R6=3 R7=4", "global[0]:16=0x4000000030000000200000001"),
            ("R2A A1, R10, 0x2", "R10=0x5001", "A1=0x4004"),
            ("A2R R3, A1", "A1=0xffff", "R3=0xffff"),
            ("ADA A2, A1, 0xfff0", "A1=0x20", "A2=0x10"),
            // Guards, by the table of conditions; markers act whatever the guard says.
            ("IADD R1 (C0.EQ), R2, R3", "R2=1 C0=0b0011", ""),
            ("IADD R1 (C0.EQU), R2, R3", "R2=1 C0=0b0011", "R1=1"),
            ("IADD R1 (C3.CARRY), R2, R3", "R2=1 C3=0b0100", "R1=1"),
            ("BRA C0.NE, 0xe8", "", "branch=0xe8"),
            ("BRA C0.NE, 0xe8", "C0=1", ""),
            ("BRA 0xe8", "", "branch=0xe8"),
            ("RET C2.LT", "C2=0b1000", "ret"),
            ("SSY 0xd88", "", "sync=0xd88"),
            ("CAL 0xf0", "", "call=0xf0"),
            ("BAR.ARV.WAIT b1, 0xfff", "", "barrier=0x1"),
            ("TRAP", "", "trap"),
            ("NOP", "", ""),
            ("NOP.S", "", "join"),
            ("word e0000001f0000001", "", "exit"),
            ("word a0c00781d00e0029", "R0=4 R10=7", "global[4]:4=7 exit"),
        ],
    );
}

/// The conditions of SM 1.0, as FlexGripPlus' look-up table and envytools have them.
#[test]
fn conditions_of_sm_1_0() {
    type Condition = fn(z: bool, s: bool, c: bool, o: bool) -> bool;
    let conditions: [(&str, Condition); 24] = [
        ("FALSE", |_, _, _, _| false),
        ("LT", |z, s, _, o| (s && !z) != o),
        ("EQ", |z, s, _, _| z && !s),
        ("LE", |z, s, _, o| s != (z || o)),
        ("GT", |z, s, _, o| !z && s == o),
        ("NE", |z, _, _, _| !z),
        ("GE", |_, s, _, o| s == o),
        ("NUM", |z, s, _, _| !z || !s),
        ("NAN", |z, s, _, _| z && s),
        ("LTU", |_, s, _, o| s != o),
        ("EQU", |z, _, _, _| z),
        ("LEU", |z, s, _, o| z || s != o),
        ("GTU", |z, s, _, o| s == (z || o)),
        ("NEU", |z, s, _, _| !z || s),
        ("GEU", |z, s, _, o| (!s || z) != o),
        ("TRUE", |_, _, _, _| true),
        ("OVERFLOW", |_, _, _, o| o),
        ("CARRY", |_, _, c, _| c),
        ("ABOVE", |z, _, c, _| !z && c),
        ("SIGN", |_, s, _, _| s),
        ("NOT_SIGN", |_, s, _, _| !s),
        ("NOT_ABOVE", |z, _, c, _| z || !c),
        ("NOT_CARRY", |_, _, c, _| !c),
        ("NOT_OVERFLOW", |_, _, _, o| !o),
    ];
    let mut cases = Vec::new();
    for (name, holds) in conditions {
        for flags in 0..16u32 {
            let bit = |i: u32| flags >> i & 1 != 0;
            let text = if name == "TRUE" { "RET".to_string() } else { format!("RET C2.{name}") };
            let after = if holds(bit(0), bit(1), bit(2), bit(3)) { "ret" } else { "" };
            cases.push((text, format!("C2={flags} C1={}", flags ^ 15), after));
        }
    }
    let cases: Vec<(&str, &str, &str)> = cases.iter().map(|(t, b, a)| (t.as_str(), b.as_str(), *a)).collect();
    check("flexgrip", &cases);
}

#[test]
fn fermi() {
    check(
        "fermi",
        &[
            ("S2R R1, SR_Tid_X", "tid.x=5", "R1=5"),
            ("S2R R1, SR_LtMask", "", "R1=0"),
            ("S2R R1, SR_GeMask", "", "R1=0xffffffff"),
            ("S2R R1, SR_ClockLo", "", "trap"),
            ("LEPC R3", "", "R3=0x100"),
            ("LEPC.S R3", "", "R3=0x100 join"),
            ("@P0 LEPC R3", "", ""),
            ("@!P0 LEPC R3", "", "R3=0x100"),
            ("CCTL.E.C.PR2 R37, [R32+0x3cd8]", "", ""),
            // (p4 Mainop p3) Logicop p2; the second predicate has the complement of the first part.
            ("PSETP.OR.AND P0, P1, P2, P3", "P2=1", "P0=1 P1=0"),
            ("PSETP.OR.AND P0, P1, P2, P3", "P3=1", "P0=0 P1=0"),
            ("PSETP.AND.OR P1, P2, !P5, !P2, !P6", "P5=1 P6=1", "P1=0 P2=1"),
            ("PSETP.XOR.XOR P0, P1, P2, P3, P4", "P2=1 P3=1", "P0=0 P1=1"),
        ],
    );
}

#[test]
fn compact() {
    check(
        "compact",
        &[
            // reg[RB] + reg[RC] * reg[RD], and what becomes of the base.
            ("RIMLD.16 R1, R2, R3, R4", "R2=0x100 R3=2 R4=8 mem[0x110]:2=0xbeef", "R1=0xbeef"),
            ("RIMLD.16.postinc R1, R2, R3, R4", "R2=0x100 R3=2 R4=8 mem[0x110]:2=0xbeef", "R1=0xbeef R2=0x102"),
            ("RIMLD.64.postdec R1, R2, R3, R4", "R2=0x100 mem[0x100]:8=0xfedcba9876543210", "R1=0xfedcba9876543210 R2=0xf8"),
            ("RIMST.32.predec R1, R2, R3, R4", "R1=0x123456789 R2=0x104", "mem[0x100]:4=0x23456789 R2=0x100"),
            ("IMLD.8 R1, R2, R3, -0x2", "R2=0x100 R3=4 mem[0xf8]:1=0xff", "R1=0xff"),
            ("LIMST.64.postinc R1, R2, R3, 0x8", "R1=7 R2=0x100 R3=2", "mem[0x110]:8=7 R2=0x108"),
            ("MST.8 R1, R2, -0x1", "R1=0x1ff R2=0x10", "mem[0xf]:1=0xff"),
            ("LMLD.32.predec R1, R2, 0x4", "R2=0x20 mem[0x20]:4=5", "R1=5 R2=0x1c"),
            // A condition, on numbers of the type's width with their signs.
            ("BEQ.8 R1, R2, 0x10", "R1=0x101 R2=0x201", "branch=0x110"),
            ("BEQ.16 R1, R2, 0x10", "R1=0x101 R2=0x201", ""),
            ("BNE.16 R1, R2, -0x100", "R1=0x101 R2=0x201", "branch=0x0"),
            ("BLT.32 R1, R2, 0x4", "R1=0xffffffff", "branch=0x104"),
            ("BLT.64 R1, R2, 0x4", "R1=0xffffffff", ""),
            ("BLE.32 R1, R2, 0x4", "R1=3 R2=3", "branch=0x104"),
            ("BLT.32.f R1, R2, 0x4", "R1=0xbf800000 R2=0x3f800000", "branch=0x104"),
            ("BEQ.16.f R1, R2, 0x4", "R1=0x8000", "branch=0x104"),
            ("BNE.32.f R1, R2, 0x4", "R1=0x7fc00000 R2=0x7fc00000", "branch=0x104"),
            ("BEQ.64.f R1, R2, 0x4", "", "trap"),
            ("BTST.8.LTZ R1, 0x20", "R1=0x80", "branch=0x120"),
            ("LFBTST.32.LEZ R1, -0x20", "R1=0x80000000", "branch=0xe0"),
            // Masks.
            ("ISMSKC.32.LE R1, R2", "R1=1 R2=2", "mask=1"),
            ("ISMSKT.32.NEZ R1, 0x0", "", "mask=0"),
            ("MLD.32.m R1, R2, 0x0", "mem[0]:4=9 mask=1", ""),
            ("MLD.32.m R1, R2, 0x0", "mem[0]:4=9", "R1=9"),
            ("MLD.32 R1, R2, 0x0", "mem[0]:4=9 mask=1", "R1=9"),
            // Compare and swap: RA gets what was there.
            ("CAS.64.EQ R1, R2, R3", "R1=5 R2=8 R3=7 mem[8]:8=5", "R1=5 mem[8]:8=7"),
            ("CAS.64.EQ R1, R2, R3", "R1=5 R2=8 R3=7 mem[8]:8=6", "R1=6 mem[8]:8=6"),
            ("CAS.32.NE R1, R2, R3", "R1=5 R2=8 R3=7 mem[8]:4=6", "R1=6 mem[8]:4=7"),
            ("CAS.16.LT R1, R2, R3", "R1=5 R2=8 R3=7 mem[8]:2=0xffff", "R1=0xffff mem[8]:2=7"),
            ("CAS.16.LT R1, R2, R3", "R1=5 R2=8 R3=7 mem[8]:2=5", "R1=5 mem[8]:2=5"),
            ("CAS.8.LE R1, R2, R3", "R1=5 R2=8 R3=0x107 mem[8]:1=5", "R1=5 mem[8]:1=7"),
        ],
    );
}

/// Signs and modifiers of NVIDIA's instructions, most of which are on several architectures.
#[test]
fn sm90() {
    check(
        "sm90",
        &[
            ("VIADDMNMX R1, R2, R4, R3, !PT", "R2=5 R4=3 R3=0", "R1=8"),
            ("VIADDMNMX R1, R2, -R4, R3, !PT", "R2=5 R4=3 R3=0", "R1=2"),
            ("VIADDMNMX.RELU R1, R2, -R4, R3, PT", "R2=3 R4=5 R3=7", "R1=0"),
            // The sign of .xorsign.abs is that of the product; PTX has it with two absolute values alone, and a NaN has no such sign.
            ("FMNMX.XORSIGN R1, |R2|, |R3|, PT", "R2=0xbf800000 R3=0x40000000", "R1=0xbf800000"),
            ("FMNMX.XORSIGN R1, |R2|, |R3|, !PT", "R2=0xbf800000 R3=0xc0000000", "R1=0x40000000"),
            ("FMNMX.NAN.XORSIGN R1, |R2|, |R3|, PT", "R2=0xffc00000 R3=0x40000000", "R1=0x7fffffff"),
            ("FMNMX.XORSIGN R1, R2, |R3|, PT", "", "undescribed"),
            ("F2F.F32.F16 R0, R1", "R1=0x3e00", "R0=0x3fc00000"),
            ("F2F.BF16.F16 R0, R1", "R1=0x3e00", "R0=0x3fc0"),
            ("I2IP.U8.S32.SAT R0, R1, R2, R3", "R1=300 R2=1 R3=0x12345678", "R0=0x5678ff01"),
            ("I2IP.U8.S32 R0, R1, R2, R3", "R3=0x12345678", "R0=0x56780000 undescribed"),
            ("HMMA.16816.F32 R0, -R4, R8, R12", "", "undescribed"),
            ("HFMA2 R0, R1, R2, R3", "R1=0x3c003c00 R2=0x40004000 R3=0", "R0=0x40004000"),
            ("HFMA2 R0, R1, R2.H0_NH1, R3", "R1=0x3c003c00 R2=0x40004000 R3=0", "R0=0xc0004000"),
            ("HFMA2 R0, R1, |R2|.H0_NH1, R3", "", "undescribed"),
            ("I2F.F64.U64 R0, R2", "R2=1", "R0=0 R1=0x3ff00000"),
            ("I2F.BF16.U64 R0, R2", "", "undescribed"),
            // Compare and swap, of which `.CAST` reports whether it has exchanged, in as many bits as the type has.
            ("ATOMS.CAST.SPIN R10, [RZ], R8, R9", "R8=5 R9=7 shared[0]:4=5", "R10=1 shared[0]:4=7"),
            (
                "ATOMS.CAST.SPIN.64 R10, [RZ], R8, R6",
                "R8=5 R9=1 R6=7 R7=8 R11=9 shared[0]:8=0x100000005",
                "R10=1 R11=0 shared[0]:8=0x800000007",
            ),
            (
                "ATOMS.CAST.SPIN.64 R10, [RZ], R8, R6",
                "R8=5 R6=7 R7=8 R11=9 shared[0]:8=0x100000005",
                "R10=0 R11=0 shared[0]:8=0x100000005",
            ),
            ("ATOMS.CAS.64 R10, [RZ], R8, R6", "R8=5 R6=7 shared[0]:8=0x100000005", "R10=5 R11=1 shared[0]:8=0x100000005"),
            ("NANOSLEEP R1", "R1=100", "pause"),
        ],
    );
}

/// RISC-V; `next` is 0x108. A compressed instruction behaves like the one that it expands to. Floats are on, in machine mode.
#[test]
fn rv64gc() {
    check(
        "rv64gc",
        &[
            ("add t0,t1,t2", "X6=0xffffffffffffffff X7=2", "X5=1"),
            ("add zero,t1,t2", "X6=1 X7=2", "X0=0"),
            ("addi t0,t1,-1", "X6=0", "X5=0xffffffffffffffff"),
            ("sltiu t0,t1,-1", "X6=5", "X5=1"),
            ("sraiw t0,t1,4", "X6=0x80000000", "X5=0xfffffffff8000000"),
            ("sra t0,t1,t2", "X6=0x8000000000000000 X7=0x43", "X5=0xf000000000000000"),
            ("subw t0,t1,t2", "X6=0 X7=1", "X5=0xffffffffffffffff"),
            ("lui t0,0xfffff", "", "X5=0xfffffffffffff000"),
            ("auipc t0,0x1", "", "X5=0x1100"),
            ("jal t0,0x200", "", "X5=0x108 branch=0x200"),
            ("jalr t0,3(t0)", "X5=0x300", "X5=0x108 branch=0x302"),
            ("bltu t0,t1,0x80", "X5=1 X6=0xffffffffffffffff", "branch=0x80"),
            ("blt t0,t1,0x80", "X5=1 X6=0xffffffffffffffff", ""),
            ("lb t0,-1(t1)", "X6=0x11 memory[0x10]:1=0x80", "X5=0xffffffffffffff80"),
            ("lwu t0,0(t1)", "X6=0x10 memory[0x10]:4=0x80000000", "X5=0x80000000"),
            ("sh t0,2(t1)", "X5=0x12345 X6=0x10", "memory[0x12]:2=0x2345"),
            ("mulh t0,t1,t2", "X6=0xffffffffffffffff X7=2", "X5=0xffffffffffffffff"),
            ("mulhu t0,t1,t2", "X6=0xffffffffffffffff X7=2", "X5=1"),
            ("mulhsu t0,t1,t2", "X6=0xffffffffffffffff X7=0xffffffffffffffff", "X5=0xffffffffffffffff"),
            ("div t0,t1,t2", "X6=7 X7=0", "X5=0xffffffffffffffff"),
            ("rem t0,t1,t2", "X6=0xfffffffffffffff9 X7=2", "X5=0xffffffffffffffff"),
            ("div t0,t1,t2", "X6=0x8000000000000000 X7=0xffffffffffffffff", "X5=0x8000000000000000"),
            ("remuw t0,t1,t2", "X6=0x180000005 X7=0", "X5=0xffffffff80000005"),
            ("amomax.w t0,t1,(t2)", "X6=1 X7=0x10 memory[0x10]:4=0xffffffff", "X5=0xffffffffffffffff memory[0x10]:4=1"),
            ("lr.d t0,(t1)", "X6=0x10 memory[0x10]:8=9", "X5=9 reserved=1 reservation=0x10"),
            ("sc.d t0,t1,(t2)", "X6=5 X7=0x10 reserved=1 reservation=0x10", "X5=0 memory[0x10]:8=5 reserved=0"),
            ("sc.d t0,t1,(t2)", "X6=5 X7=0x10 reserved=1 reservation=0x18", "X5=1 reserved=0"),
            ("csrrs t0,mscratch,t1", "X6=4 CSR832=1", "X5=1 CSR832=5"),
            ("csrrs t0,mepc,zero", "mepc=0x1234", "X5=0x1234"),
            ("csrrw t0,mstatus,t1", "X6=0x22088", "X5=0x8000000200006000 mstatus=0x20088 floats_off=0x0"),
            ("csrrs t0,mscratch,t1", "user=1", "illegal"),
            ("csrrw t0,mhartid,t1", "", "illegal"),
            ("csrrs t0,sscratch,t1", "", "illegal"),
            ("mret", "mstatus=0x1880 mepc=0x200", "user=0x0 mstatus=0x88 branch=0x200"),
            ("mret", "mstatus=0x20080 mepc=0x200", "user=0x1 mstatus=0x88 branch=0x200"),
            ("mret", "user=1", "illegal"),
            ("wfi", "", ""),
            ("fadd.s ft0,ft1,ft2,rne", "floats_off=1", "illegal"),
            ("csrrs t0,frm,t1", "X6=4 frm=1", "X5=1 frm=5"),
            ("csrrci t0,frm,1", "frm=5", "X5=5 frm=4"),
            ("csrrw t0,fcsr,t1", "X6=0xfff frm=1 fflags=2", "X5=0x22 frm=7 fflags=31"),
            ("csrrwi t0,fflags,3", "fflags=0x10 frm=4", "X5=0x10 fflags=3"),
            ("ecall", "", "host"),
            ("ebreak", "", "trap"),
            ("fence.i", "", "refetch"),
            ("fence", "", ""),
            ("flw ft0,0(t1)", "X6=0x10 memory[0x10]:4=0x3f800000", "F0=0xffffffff3f800000"),
            ("fneg.s ft0,ft1", "F1=0xffffffff3f800000", "F0=0xffffffffbf800000"),
            ("fabs.s ft0,ft1", "F1=0x3f800000", "F0=0xffffffff7fc00000"),
            ("fsgnjx.d ft0,ft1,ft2", "F1=0xbff0000000000000 F2=0x8000000000000000", "F0=0x3ff0000000000000"),
            // One third, up and down; what was raised stays.
            ("fdiv.s ft0,ft1,ft2,rup", "F1=0xffffffff3f800000 F2=0xffffffff40400000 fflags=8", "F0=0xffffffff3eaaaaab fflags=9"),
            ("fdiv.d ft0,ft1,ft2", "F1=0x3ff0000000000000 F2=0x4008000000000000 frm=2", "F0=0x3fd5555555555555 fflags=1"),
            ("fdiv.d ft0,ft1,ft2", "F1=0x3ff0000000000000 frm=5", "illegal"),
            ("fdiv.d ft0,ft1,ft2,rne", "F1=0x3ff0000000000000 frm=5", "F0=0x7ff0000000000000 fflags=8"),
            // -2.5 to the nearest integer, away from zero; and what is not boxed, which is NaN.
            ("fcvt.w.d t0,ft1,rmm", "F1=0xc004000000000000", "X5=0xfffffffffffffffd fflags=1"),
            ("fcvt.wu.s t0,ft1", "F1=0x3f800000", "X5=0xffffffffffffffff fflags=16"),
            ("fmin.s ft0,ft1,ft2", "F1=0xffffffff7f800001 F2=0xffffffff3f800000", "F0=0xffffffff3f800000 fflags=16"),
            ("feq.d t0,ft1,ft2", "F1=0x7ff8000000000000 F2=0x7ff8000000000000", "X5=0 fflags=0"),
            ("fle.d t0,ft1,ft2", "F1=0x7ff8000000000000", "X5=0 fflags=16"),
            ("fle.d t0,ft1,ft2", "F1=0x8000000000000000", "X5=1 fflags=0"),
            (
                "fnmsub.d ft0,ft1,ft2,ft3",
                "F1=0x3ff0000000000000 F2=0x3ff0000000000000 F3=0x4000000000000000",
                "F0=0x3ff0000000000000 fflags=0",
            ),
            ("fmv.x.w t0,ft1", "F1=0xffffffff80000000", "X5=0xffffffff80000000"),
            ("c.addi t0,-1", "X5=0", "X5=0xffffffffffffffff"),
            ("c.addi4spn a0,sp,1020", "X2=4", "X10=0x400"),
            ("c.sub s0,a5", "X8=5 X15=7", "X8=0xfffffffffffffffe"),
            ("c.lui t0,0xfffe1", "", "X5=0xfffffffffffe1000"),
            ("c.lw s1,124(a0)", "X10=4 memory[0x80]:4=7", "X9=7"),
            ("c.fsdsp ft1,8(sp)", "X2=8 F1=3", "memory[0x10]:8=3"),
            ("c.jr t0", "X5=0x40", "branch=0x40"),
            ("c.jalr t0", "X5=0x40", "X1=0x108 branch=0x40"),
            ("c.beqz a0,0x80", "", "branch=0x80"),
            ("c.unimp", "", "illegal"),
            ("c.srai s0,1", "X8=0x8000000000000000", "X8=0xc000000000000000"),
        ],
    );
}

/// The flags are C Z I D from the lowest on, and V and N are the highest two of eight.
#[test]
fn mos6502() {
    check(
        "../examples/6502/6502",
        &[
            ("lda #0x80", "P0=2", "A=0x80 P0=0x80"),
            ("ldx 0x12,y", "Y=0xff mem[0x11]:1=0", "X=0 P0=2"),
            ("ldy a:0x12,x", "X=0xff mem[0x111]:1=7", "Y=7 P0=0"),
            ("sta (0xff,x)", "A=5 X=0 mem[0xff]:1=0x34 mem[0x0]:1=0x12", "mem[0x1234]:1=5"),
            ("lda (0x20),y", "Y=2 mem[0x20]:2=0x12ff mem[0x1301]:1=9", "A=9 P0=0"),
            // Binary sums and differences: a carry, an overflow.
            ("adc #0x01", "A=0xff P0=0", "A=0 P0=3"),
            ("adc #0x7f", "A=0 P0=1", "A=0x80 P0=0xc0"),
            ("sbc #0x01", "A=0 P0=1", "A=0xff P0=0x80"),
            ("sbc #0x80", "A=0x7f P0=1", "A=0xff P0=0xc0"),
            // 58 + 46 + 1, 81 + 92, 12 - 21; Z is that of the binary sum, N and V those before the correction.
            ("adc #0x46", "A=0x58 P0=9", "A=0x05 P0=0xc9"),
            ("adc #0x92", "A=0x81 P0=8", "A=0x73 P0=0x49"),
            ("adc #0x01", "A=0x99 P0=8", "A=0 P0=0x89"),
            ("sbc #0x21", "A=0x12 P0=9", "A=0x91 P0=0x88"),
            ("sbc #0x00", "A=0 P0=8", "A=0x99 P0=0x88"),
            ("cmp #0x80", "A=0x7f P0=1", "P0=0x80"),
            ("cpx 0x10", "X=7 mem[0x10]:1=7", "P0=3"),
            ("bit 0x10", "A=0x3f mem[0x10]:1=0xc0", "P0=0xc2"),
            ("rol a", "A=0x80 P0=1", "A=1 P0=1"),
            ("ror 0x10,x", "X=0xf8 P0=1 mem[0x8]:1=0x01", "mem[0x8]:1=0x80 P0=0x81"),
            ("lsr a:0x10", "mem[0x10]:1=1", "mem[0x10]:1=0 P0=3"),
            ("dec 0x10", "mem[0x10]:1=0", "mem[0x10]:1=0xff P0=0x80"),
            ("inx", "X=0xff", "X=0 P0=2"),
            ("txs", "X=0 P0=0x80", "S=0"),
            ("tsx", "S=0", "X=0 P0=2"),
            ("pha", "A=7 S=0", "mem[0x100]:1=7 S=0xff"),
            ("php", "P0=0xcf S=1", "mem[0x101]:1=0xff S=0"),
            ("plp", "S=0xff mem[0x100]:1=0xff", "P0=0xcf S=0"),
            ("beq 0x150", "P0=2", "branch=0x150"),
            ("beq 0x180", "P0=0", ""),
            ("jmp (0x12ff)", "mem[0x12ff]:1=0x34 mem[0x1200]:1=0x56 mem[0x1300]:1=0x78", "branch=0x5634"),
            ("jsr 0x1234", "S=0", "mem[0x100]:1=1 mem[0x1ff]:1=2 S=0xfe branch=0x1234"),
            ("rts", "S=0xfe mem[0x1ff]:1=2 mem[0x100]:1=1", "S=0 branch=0x103"),
            ("brk", "S=0xff P0=0x81 mem[0xfffe]:2=0x1234", "raise=0xfffe,0x30"),
            ("rti", "S=0xfc mem[0x1fd]:1=0xb1 mem[0x1fe]:1=2 mem[0x1ff]:1=1", "S=0xff P0=0x81 branch=0x102"),
        ],
    );
}

/// The results of QEMU 7.2, which has no Zicond.
#[test]
fn rv64gcb() {
    check(
        "rv64gcb",
        &[
            ("sh3add t0,t1,t2", "X6=0x2000000000000001 X7=5", "X5=13"),
            ("sh1add.uw t0,t1,t2", "X6=0xffffffff80000000 X7=1", "X5=0x100000001"),
            ("zext.w t0,t1", "X6=0xfedcba9876543210", "X5=0x76543210"),
            ("slli.uw t0,t1,0x3f", "X6=0xffffffffffffffff", "X5=0x8000000000000000"),
            ("andn t0,t1,t2", "X6=0xff X7=0x0f", "X5=0xf0"),
            ("orn t0,t1,t2", "X6=1 X7=0xffffffffffffff0f", "X5=0xf1"),
            ("xnor t0,t1,t2", "X6=0xff X7=0x0f", "X5=0xffffffffffffff0f"),
            ("clz t0,t1", "", "X5=64"),
            ("ctz t0,t1", "X6=0x8000000000000000", "X5=63"),
            ("clzw t0,t1", "X6=0xffffffff00000001", "X5=31"),
            ("ctzw t0,t1", "", "X5=32"),
            ("cpop t0,t1", "X6=0xffffffffffffffff", "X5=64"),
            ("cpopw t0,t1", "X6=0xffffffff80000001", "X5=2"),
            ("min t0,t1,t2", "X6=0xffffffffffffffff X7=1", "X5=0xffffffffffffffff"),
            ("maxu t0,t1,t2", "X6=0xffffffffffffffff X7=1", "X5=0xffffffffffffffff"),
            ("sext.b t0,t1", "X6=0x180", "X5=0xffffffffffffff80"),
            ("zext.h t0,t1", "X6=0xfffffffffffff0f0", "X5=0xf0f0"),
            ("rol t0,t1,t2", "X6=0x8000000000000001 X7=0x41", "X5=3"),
            ("rol t0,t1,t2", "X6=0x8000000000000001 X7=0x40", "X5=0x8000000000000001"),
            ("rorw t0,t1,t2", "X6=0x100000001 X7=0x21", "X5=0xffffffff80000000"),
            ("ror t0,t1,0x3f", "X6=0x8000000000000001", "X5=3"),
            ("rorw t0,t1,0x0", "X6=0x80000001", "X5=0xffffffff80000001"),
            ("rev8 t0,t1", "X6=0x0123456789abcdef", "X5=0xefcdab8967452301"),
            ("orc.b t0,t1", "X6=0x0080ff0100007f00", "X5=0x00ffffff0000ff00"),
            ("bclr t0,t1,t2", "X6=0xffffffffffffffff X7=0x7f", "X5=0x7fffffffffffffff"),
            ("binv t0,t1,0x3f", "X6=1", "X5=0x8000000000000001"),
            ("bset t0,t1,t2", "X6=1 X7=0x44", "X5=0x11"),
            ("bext t0,t1,t2", "X6=0x8000000000000000 X7=0x3f", "X5=1"),
            ("bext t0,t1,0x3e", "X6=0x8000000000000000", "X5=0"),
            ("czero.eqz t0,t1,t2", "X6=5", "X5=0"),
            ("czero.eqz t0,t1,t2", "X6=5 X7=0x8000000000000000", "X5=5"),
            ("czero.nez t0,t1,t2", "X6=5", "X5=5"),
            ("czero.nez t0,t1,t1", "X6=5", "X5=0"),
        ],
    );
}
