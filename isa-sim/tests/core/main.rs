//! The loop of a core: however a run is divided into parts, the same instructions are executed, and `steps` is the same before
//! each.

#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "other tests use the rest of it")]
mod support;

mod devices;

use isa_runtime::U256;
use isa_sim::{Divergence, Engine, Machine, MachineInfo, NotExecutable, Placed, Step, Stopped};
use std::sync::Mutex;

type Registers = support::Registers<1, 1>;

/// Instructions that continue, or jump to an address in their word while a number that each of them changes is odd.
struct Toy {
    machine: MachineInfo,
    /// The executed instructions: the number of those before, and the address.
    seen: Mutex<Vec<(u64, u64)>>,
}

impl Engine for Toy {
    type State = Registers;
    type Op = U256;

    fn machine(&self) -> &MachineInfo {
        &self.machine
    }

    fn prepare(&self, word: U256, _: u32) -> Result<U256, NotExecutable> {
        Ok(word)
    }

    fn length_of(&self, _: U256) -> Option<u32> {
        Some(32)
    }

    fn text(&self, word: U256, _: u32, _: u64) -> String {
        word.to_string()
    }

    fn state(&self) -> Registers {
        Registers::new()
    }

    fn execute(&self, word: &U256, support::Registers([[number]]): &mut Registers, step: &mut Step<'_>) {
        self.seen.lock().expect("one thread").push((step.steps(), step.pc));
        *number = number.wrapping_mul(0x915f_77f5).wrapping_add(step.pc as u32 + 1);
        match word.low() as u64 {
            0 => {}
            1 => step.flow.refetch(1),
            to if *number >> 16 & 1 != 0 => step.flow.branch(1, to & !3),
            _ => {}
        }
    }
}

/// Words at addresses from 0 up.
const WORDS: u64 = 200;

/// The instructions that a way to run a program executes, after a check of their number.
fn seen(seed: u64, run: &dyn Fn(&mut Machine<'_>) -> u64) -> Vec<(u64, u64)> {
    let toy = Toy { machine: support::machine::<1, 1>(Divergence::LowestPc), seen: Mutex::default() };
    let mut random = seed;
    let word = |address: u64| {
        random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let word = match random >> 60 {
            0..10 => 0,
            10 => 1,
            // A target other than the end, where the program would leave.
            _ => 4 * (1 + (random >> 32) % (WORDS - 1)),
        };
        Placed { address, word: U256::from(word), bits: 32 }
    };
    let mut words: Vec<Placed> = (0..WORDS).map(|i| 4 * i).map(word).collect();
    words.push(Placed { address: 4 * WORDS, word: U256::from(4u64), bits: 32 });
    let mut machine = Machine::new(&toy).expect("one lane");
    machine.load_words(&words).expect("words one after the other");
    let executed = run(&mut machine);
    assert_eq!(machine.steps(), executed);
    drop(machine);
    toy.seen.into_inner().expect("one thread")
}

#[test]
fn a_program_in_parts() {
    const ALL: u64 = 3000;
    for seed in 1..50 {
        let whole = seen(seed, &|machine| {
            machine.run(ALL);
            machine.steps()
        });
        assert!(whole.iter().zip(0..).all(|((before, _), number)| *before == number), "{seed}");
        let in_parts = |parts: u64| {
            seen(seed, &move |machine| {
                while machine.steps() < ALL && machine.run(parts.min(ALL - machine.steps())) == Stopped::Budget {}
                machine.steps()
            })
        };
        for parts in [1, 2, 7, 64, 65] {
            assert_eq!(in_parts(parts), whole, "program {seed} in parts of {parts}");
        }
        let traced = seen(seed, &|machine| {
            machine.run_traced(ALL, &mut |_| {});
            machine.steps()
        });
        assert_eq!(traced, whole, "program {seed}, traced");
        let with_breakpoints = seen(seed, &|machine| {
            machine.run(100);
            (0..WORDS).step_by(3).for_each(|i| machine.add_breakpoint(4 * i));
            while machine.steps() < ALL && matches!(machine.run(ALL - machine.steps()), Stopped::Breakpoint(_)) {}
            machine.steps()
        });
        assert_eq!(with_breakpoints, whole, "program {seed}, stopped at breakpoints");
    }
}
