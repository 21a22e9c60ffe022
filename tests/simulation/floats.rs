//! Every function of floats on both engines: results and flags, on operands at the borders and random ones.

use crate::engines::floats;
use harness::{amount, load};
use isa_reference::eval::Reference;
use isa_reference::samples::Random;
use isa_sim::{AnyEngine, FaultKind, Machine, NotExecutable, Stopped};
use std::path::Path;

const BASE: u64 = 0x1000;
/// Groups, operations and widths of the words, and directions of rounding.
const WORDS: [u32; 3] = [9, 10, 3];
const DIRECTIONS: u32 = 8;
/// Operands for each word.
const TURNS: u32 = 160;

/// The word of an operation on d1, d2 and d3 into d0.
fn word(group: u32, op: u32, w: u32, rm: u32) -> u32 {
    group << 28 | op << 24 | w << 22 | rm << 19 | 1 << 13 | 2 << 10 | 3 << 7
}

/// Floats of 8 to 64 bits at the borders of their formats.
fn hard() -> Vec<u64> {
    let mut hard = Vec::new();
    for (exponent, fraction) in [(5, 10), (8, 23), (11, 52), (8, 7), (8, 10), (4, 3), (5, 2)] {
        let unit = 1u64 << fraction;
        let infinity = ((1 << exponent) - 1) * unit;
        let one = ((1 << (exponent - 1)) - 1) * unit;
        let borders =
            [0, unit, 2 * unit, one, one + unit / 2, one + unit, one + fraction * unit, one + (fraction + 1) * unit, infinity];
        let near = borders.into_iter().flat_map(|x| [x, x + 1, x.saturating_sub(1)]);
        let near = near.chain([infinity + unit / 2, infinity + unit - 1, one - fraction * unit, unit / 2]);
        hard.extend(near.flat_map(|x| [x, x | 1 << (exponent + fraction)]));
    }
    hard
}

#[test]
fn engines_agree() {
    let isa = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/programs/floats.yaml"));
    let (reference, compiled) = (Reference::new(isa).expect("it can be simulated"), floats::sim::Compiled::new());
    let turns = amount(TURNS, TURNS / 4);
    let executed = agree([&reference, &compiled], WORDS, turns, &[]);
    // 7 functions in 4 ways, 10 with kinds, 6 and 2 / 3 of conversions, 8 and 8 of integers, 4 that raise nothing.
    assert_eq!(executed, turns * (3 * (7 * 4 + 10 + 6 + 8 + 8 + 4) + 2));
}

/// Executes words on both engines `turns` times, with values of the machine besides the operands; counts those that were
/// executed.
pub(super) fn agree(engines: [&dyn AnyEngine; 2], words: [u32; 3], turns: u32, values: &[(&str, u128)]) -> u32 {
    let mut machines = engines.map(|engine| Machine::new(engine).expect("one lane"));
    let (hard, mut random) = (hard(), Random::new(0x000f_1075));
    let mut executed = 0;
    let [groups, ops, widths] = words;
    let words = (0..groups).flat_map(|group| (0..ops).flat_map(move |op| (0..widths).map(move |w| (group, op, w))));
    for (group, op, w) in words {
        let code: Vec<u8> = (0..DIRECTIONS).flat_map(|rm| word(group, op, w, rm).to_le_bytes()).collect();
        machines.iter_mut().for_each(|machine| machine.load(BASE, &code).expect("memory"));
        for turn in 0..turns {
            let mut operand = || match random.next_u64() % 3 {
                0 => random.next_u64(),
                1 => hard[random.next_u64() as usize % hard.len()],
                _ => hard[random.next_u64() as usize % hard.len()] ^ 1 << (random.next_u64() % 64),
            };
            let operands = [operand(), operand(), operand()];
            let rm = u64::from(turn % DIRECTIONS);
            let results = machines.each_mut().map(|machine| {
                for (name, value) in ["d1", "d2", "d3"].into_iter().zip(operands) {
                    machine.set(name, value.into()).expect("a register");
                }
                machine.set("flags", 0).expect("a state");
                for (name, value) in values {
                    machine.set(name, *value).expect("a state");
                }
                machine.set_pc(BASE + 4 * rm);
                (machine.step(), machine.get("d0"), machine.get("flags"))
            });
            let [one, other] = results;
            assert_eq!(one, other, "group {group}, operation {op}, width {w}, direction {rm}, {operands:#x?}");
            executed += u32::from(one.0 == Stopped::Budget);
        }
    }
    executed
}

#[test]
fn what_is_reserved_is_illegal() {
    let isa = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/programs/floats.yaml"));
    let (reference, compiled) = (Reference::new(isa).expect("it can be simulated"), floats::sim::Compiled::new());
    for engine in [&reference as &dyn AnyEngine, &compiled] {
        let mut machine = Machine::new(engine).expect("one lane");
        machine.load(BASE, &[word(9, 0, 0, 4).to_le_bytes(), word(9, 0, 0, 5).to_le_bytes()].concat()).expect("memory");
        machine.set_pc(BASE);
        assert_eq!((machine.step(), machine.get("d0")), (Stopped::Budget, Ok(4)));
        let Stopped::Fault(fault) = machine.step() else { panic!("it goes on") };
        assert_eq!(fault.kind, FaultKind::NotExecutable(NotExecutable::Illegal("it is defined to be illegal".into())));
        assert_eq!((machine.pc(), machine.steps(), machine.get("d0")), (BASE + 4, 1, Ok(4)));
    }
}
