//! The rules of floats of four machines, on both engines: the lines of the documentation, cases that the machines' manuals are known
//! for, and every function on random operands against `isa_sim::soft`.

use crate::engines::{floats_aarch64, floats_nvidia, floats_riscv, floats_sse};
use harness::load;
use isa_reference::codec::Codec;
use isa_reference::eval::Reference;
use isa_reference::samples::Random;
use isa_sim::soft::{self, DIVISION_BY_ZERO, Format, INEXACT, INVALID, MinKind, OVERFLOW, Raised, Round, Rules, UNDERFLOW};
use isa_sim::{AnyEngine, Machine, Stopped};
use isa_spec::model::Isa;
use std::path::{Path, PathBuf};

const BASE: u64 = 0x1000;
/// The machines as the documentation calls them, with their specs.
const MACHINES: [(&str, &str); 4] = [("RISC-V", "riscv"), ("SSE", "sse"), ("AArch64", "aarch64"), ("NVIDIA", "nvidia")];

fn file(spec: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("specs/programs/floats-{spec}.yaml"))
}

/// Does something with each machine: its number, its spec, and both engines of it.
fn on_each(mut f: impl FnMut(usize, &Isa, [&dyn AnyEngine; 2])) {
    let compiled: [&dyn AnyEngine; 4] = [
        &floats_riscv::sim::Compiled::new(),
        &floats_sse::sim::Compiled::new(),
        &floats_aarch64::sim::Compiled::new(),
        &floats_nvidia::sim::Compiled::new(),
    ];
    for (i, ((_, spec), compiled)) in MACHINES.into_iter().zip(compiled).enumerate() {
        let isa = load(&file(spec));
        f(i, isa, [&Reference::new(isa).expect("it can be simulated"), compiled]);
    }
}

/// The result and the flags of the instruction at an address, which must be executed.
fn execute(machine: &mut Machine<'_>, at: u64, operands: [u64; 3]) -> (u64, Raised) {
    for (name, value) in ["d1", "d2", "d3"].into_iter().zip(operands) {
        machine.set(name, value.into()).expect("a register");
    }
    machine.set_pc(at);
    assert_eq!(machine.step(), Stopped::Budget);
    let value = |name| machine.get(name).expect("a register");
    (value("d0") as u64, value("flags") as Raised)
}

#[test]
fn the_documentation_has_the_rules_of_these_specs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let page = std::fs::read_to_string(root.join("docs/semantics.md")).expect("the documentation");
    let documented =
        page.lines().filter_map(|line| line.split_once(": ").filter(|(_, rules)| rules.trim().starts_with("floats: {")));
    let documented: Vec<(&str, &str)> = documented.map(|(machine, rules)| (machine, rules.trim())).collect();
    let text = |path: &Path| std::fs::read_to_string(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let rules = |text: &str| text.lines().find(|line| line.trim().starts_with("floats: ")).map(|line| line.trim().to_owned());
    let specs = MACHINES.map(|(machine, spec)| (machine, rules(&text(&file(spec))).expect("a line of rules")));
    let specs: Vec<(&str, &str)> = specs.iter().map(|(machine, rules)| (*machine, rules.as_str())).collect();
    assert_eq!(documented, specs);
    // One of these is shipped, with directions of its own.
    let shipped = rules(&text(&root.join("specs/riscv/f.yaml"))).expect("a line of rules");
    let same = documented[0].1.trim_end_matches(" }");
    assert!(shipped.starts_with(same), "{shipped}");
}

const INF: u64 = 0x7f80_0000;
const ONE: u64 = 0x3f80_0000;
const MINUS: u64 = 1 << 31;
const QUIET: u64 = 0x0040_0000;
/// Two quiet NaNs and two signalling ones.
const Q1: u64 = 0x7fc0_0003;
const Q2: u64 = 0xffc0_0004;
const S1: u64 = 0x7f80_0001;
const S2: u64 = 0xff80_0002;
/// The least normal number.
const LEAST: u64 = 0x0080_0000;
/// 3 · 10^9.
const BIG: u64 = 0x4f32_d05e;

/// Instructions, operands, and results with flags in the order of [`MACHINES`].
type Case = (&'static str, [u64; 3], [(u64, Raised); 4]);

const fn all(flags: Raised, results: [u64; 4]) -> [(u64, Raised); 4] {
    let [a, b, c, d] = results;
    [(a, flags), (b, flags), (c, flags), (d, flags)]
}

const I: Raised = INVALID;
const CASES: [Case; 25] = [
    // The NaN that is made.
    ("fsub.rn.32", [INF, INF, 0], all(I, [0x7fc0_0000, 0xffc0_0000, 0x7fc0_0000, 0x7fff_ffff])),
    ("fsqrt.rm.32", [ONE | MINUS, 0, 0], all(I, [0x7fc0_0000, 0xffc0_0000, 0x7fc0_0000, 0x7fff_ffff])),
    ("fdiv.rn.16", [0, 0x8000, 0], all(I, [0x7e00, 0xfe00, 0x7e00, 0x7fff])),
    ("fmul.rn.64", [0x7ff0 << 48, 0, 0], all(I, [0x7ff8 << 48, 0xfff8 << 48, 0x7ff8 << 48, u64::MAX >> 1])),
    // The NaN of two: the first one, or the signalling one.
    ("fadd.rn.32", [Q2, S1, 0], all(I, [0x7fc0_0000, Q2, S1 | QUIET, 0x7fff_ffff])),
    ("fadd.rm.32", [S2, Q1, 0], all(I, [0x7fc0_0000, S2 | QUIET, S2 | QUIET, 0x7fff_ffff])),
    ("fmul.rn.32", [Q2, Q1, 0], all(0, [0x7fc0_0000, Q2, Q2, 0x7fff_ffff])),
    // The sign of a NaN is not changed by subtracting it.
    ("fsub.rn.32", [ONE, Q1, 0], all(0, [0x7fc0_0000, Q1, Q1, 0x7fff_ffff])),
    // The NaN of three: on ARM, the addend comes first.
    ("ffma.rn.32", [Q1, ONE, Q2], all(0, [0x7fc0_0000, Q1, Q2, 0x7fff_ffff])),
    ("ffma.rn.32", [Q1, S2, Q2], all(I, [0x7fc0_0000, Q1, S2 | QUIET, 0x7fff_ffff])),
    ("ffma.rm.32", [S1, ONE, S2], all(I, [0x7fc0_0000, S1 | QUIET, S2 | QUIET, 0x7fff_ffff])),
    // ∞ · 0 and a NaN: on x86 not invalid, on ARM the NaN that is made.
    ("ffma.rn.32", [INF, 0, Q2], [(0x7fc0_0000, I), (Q2, 0), (0x7fc0_0000, I), (0x7fff_ffff, I)]),
    ("ffma.rm.32", [0, INF, S2], all(I, [0x7fc0_0000, S2 | QUIET, S2 | QUIET, 0x7fff_ffff])),
    ("ffma.rn.32", [INF, 0, ONE], all(I, [0x7fc0_0000, 0xffc0_0000, 0x7fc0_0000, 0x7fff_ffff])),
    // A NaN in another format keeps the sign and the high bits of its fraction.
    ("f2f.32.64", [0xfff8_0000_2000_0001, 0, 0], all(0, [0x7fc0_0000, 0xffc0_0001, 0xffc0_0001, 0x7fff_ffff])),
    ("f2f.64.32", [S1, 0, 0], all(I, [0x7ff8 << 48, 0x7ff8_0000_2000_0000, 0x7ff8_0000_2000_0000, u64::MAX >> 1])),
    ("fmax.nan.32", [ONE, Q2, 0], all(0, [0x7fc0_0000, Q2, Q2, 0x7fff_ffff])),
    // Integers of a NaN, and of what is beyond them.
    ("f2i_s.32.32", [Q1, 0, 0], all(I, [0x7fff_ffff, 0x8000_0000, 0, 0])),
    ("f2i_u.32.32", [Q2, 0, 0], all(I, [0xffff_ffff, 0x8000_0000, 0, 0])),
    ("f2i_s.64.32", [S1, 0, 0], all(I, [u64::MAX >> 1, 1 << 63, 0, 0])),
    ("f2i_s.32.32", [BIG, 0, 0], all(I, [0x7fff_ffff, 0x8000_0000, 0x7fff_ffff, 0x7fff_ffff])),
    ("f2i_s.32.32", [BIG | MINUS, 0, 0], all(I, [0x8000_0000; 4])),
    ("f2i_u.32.32", [ONE | MINUS, 0, 0], all(I, [0, 0x8000_0000, 0, 0])),
    // 2^-126 - 2^-152 is tiny before it is rounded to 2^-126, and not after.
    (
        "ffma.rm.32",
        [MINUS | 1, 0x3e00_0000, LEAST],
        [(LEAST, INEXACT), (LEAST, INEXACT), (LEAST, INEXACT | UNDERFLOW), (LEAST, INEXACT)],
    ),
    // (1 - 2^-24) · 2^-126 has 24 digits, and is tiny either way.
    ("fmul.rn.32", [0x3f7f_ffff, LEAST, 0], all(INEXACT | UNDERFLOW, [LEAST; 4])),
];

#[test]
fn machines_differ_as_their_manuals_say() {
    on_each(|i, isa, engines| {
        let codec = Codec::new(isa);
        for engine in engines {
            let mut machine = Machine::new(engine).expect("one lane");
            for (instruction, operands, expected) in CASES {
                let text = format!("{instruction} 0, d0, d1, d2, d3");
                let (_, word) = codec.parse(&text, BASE, &|_| None).unwrap_or_else(|why| panic!("{text}: {why}"));
                machine.load(BASE, &word.limbs()[0].to_le_bytes()[..4]).expect("memory");
                let found = execute(&mut machine, BASE, operands);
                assert_eq!(found, expected[i], "{}: {instruction} {operands:x?}", MACHINES[i].0);
            }
        }
    });
}

/// The results of the instructions, by the fields `op` and `w`.
fn by_soft(op: u32, f: Format, rules: &Rules, [a, b, c]: [u64; 3], round: Round) -> (u64, Raised) {
    match op {
        0 => soft::add(f, rules, a, b, round),
        1 => soft::sub(f, rules, a, b, round),
        2 => soft::mul(f, rules, a, b, round),
        3 => soft::div(f, rules, a, b, round),
        4 => soft::fma(f, rules, a, b, c, round),
        5 => soft::sqrt(f, rules, a, round),
        6 => soft::min(f, rules, MinKind::Number, a, b),
        7 => soft::max(f, rules, MinKind::Nan, a, b),
        8 => soft::min(f, rules, MinKind::Second, a, b),
        9 => soft::max(f, rules, MinKind::Number, a, b),
        10 => soft::to_integer(f, rules, a, 32, true, round),
        11 => soft::to_integer(f, rules, a, 32, false, round),
        12 => soft::to_integer(f, rules, a, 64, true, round),
        13 => soft::to_integer(f, rules, a, 64, false, round),
        14 => soft::convert(f, Format::F16, rules, a, round),
        15 => soft::convert(f, Format::F32, rules, a, round),
        16 => soft::convert(f, Format::F64, rules, a, round),
        _ => unreachable!("no such operation"),
    }
}

/// A float of any kind, with the same sign and exponent as others often.
fn operand(random: &mut Random, f: Format) -> u64 {
    let (x, top) = (random.next_u64(), (1u64 << f.exponent) - 1);
    let exponent = match x % 8 {
        0 | 1 => top,
        2 => random.next_u64() % 3,
        3 | 4 => top / 2 + (x >> 8) % 5 - 2,
        5 => top / 2 + (x >> 8) % 66,
        _ => random.next_u64(),
    };
    let fraction = match x >> 4 & 7 {
        0 => 0,
        1 => 1 << (f.fraction - 1),
        2 => (x >> 16) % 4,
        _ => random.next_u64(),
    };
    (x >> 63) << (f.width() - 1) | (exponent.min(top) << f.fraction) | fraction & ((1 << f.fraction) - 1)
}

#[test]
fn engines_compute_by_the_rules() {
    const TURNS: u64 = 200;
    const OF_MACHINES: [Rules; 4] = [Rules::RISCV, Rules::X86, Rules::ARM, Rules::NVIDIA];
    let mut seen: Raised = 0;
    on_each(|i, _, engines| {
        let rules = &OF_MACHINES[i];
        let mut machines = engines.map(|engine| Machine::new(engine).expect("one lane"));
        let mut random = Random::new(0x5eed + i as u64);
        let words = (0..17).flat_map(|op| (0..if op < 6 { 2 } else { 1 }).map(move |way| (op, way)));
        for (op, way, w) in words.flat_map(|(op, way)| (0..3).map(move |w| (op, way, w))) {
            let f = [Format::F16, Format::F32, Format::F64][w as usize];
            let word = |rm: u32| op << 27 | way << 26 | w << 24 | rm << 21 | 1 << 15 | 2 << 12 | 3 << 9;
            let code: Vec<u8> = (0..5).flat_map(|rm| word(rm).to_le_bytes()).collect();
            machines.iter_mut().for_each(|machine| machine.load(BASE, &code).expect("memory"));
            for turn in 0..TURNS {
                let rm = turn as u32 % 5;
                let round = if way == 1 { Round::Nearest } else { Round::from_number(rm).expect("a direction") };
                let operands = [0; 3].map(|_| operand(&mut random, f));
                let expected = by_soft(op, f, rules, operands, round);
                seen |= expected.1;
                for machine in &mut machines {
                    let found = execute(machine, BASE + 4 * u64::from(rm), operands);
                    assert_eq!(found, expected, "{}: operation {op}, {f:?}, {round:?}, {operands:#x?}", MACHINES[i].0);
                }
            }
        }
    });
    assert_eq!(seen, INEXACT | UNDERFLOW | OVERFLOW | DIVISION_BY_ZERO | INVALID);
}
