//! The loop of a core: however a run is divided into parts, the same instructions are executed, and `steps` is the same before
//! each.

#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "other tests use the rest of it")]
mod support;

mod devices;

use isa_runtime::U256;
use isa_sim::{Action, Divergence, Engine, Machine, MachineInfo, NotExecutable, Placed, State, Step, Stopped, Which, Write};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

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
            1 => step.flow.request(Action::Refetch, 1, []),
            to if *number >> 16 & 1 != 0 => step.flow.request(Action::Branch, 1, [to & !3]),
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

/// Many registers, whose reads and copies are counted.
struct Wide(Vec<u128>, Arc<AtomicUsize>);

impl Wide {
    const COUNT: usize = 4096;
}

impl Clone for Wide {
    fn clone(&self) -> Self {
        self.1.fetch_add(Self::COUNT, Relaxed);
        Self(self.0.clone(), self.1.clone())
    }
}

impl State for Wide {
    fn register(&self, _: usize, index: usize, _: usize) -> u128 {
        self.1.fetch_add(1, Relaxed);
        self.0[index]
    }
    fn set_register(&mut self, _: usize, index: usize, _: usize, value: u128) {
        self.0[index] = value;
    }
    fn flags(&self, _: usize, _: usize, _: usize) -> u64 {
        0
    }
    fn set_flags(&mut self, _: usize, _: usize, _: usize, _: u64) {}
    fn value(&self, _: usize, _: usize) -> u128 {
        0
    }
    fn set_value(&mut self, _: usize, _: usize, _: u128) {}
}

/// A word counts up the register of its number; the engine has a list of what it writes, or has none.
struct Counting(MachineInfo, bool, Arc<AtomicUsize>);

impl Engine for Counting {
    type State = Wide;
    type Op = usize;

    fn machine(&self) -> &MachineInfo {
        &self.0
    }

    fn prepare(&self, word: U256, _: u32) -> Result<usize, NotExecutable> {
        Ok(word.low() as usize)
    }

    fn length_of(&self, _: U256) -> Option<u32> {
        Some(32)
    }

    fn text(&self, word: U256, _: u32, _: u64) -> String {
        format!("count {word}")
    }

    fn writes(&self, word: U256, _: u32) -> Option<Vec<Write>> {
        self.1.then(|| vec![Write::Register(0, Which::One(word.low() as u32)), Write::Register(0, Which::One(7))])
    }

    fn state(&self) -> Wide {
        Wide(vec![0; Wide::COUNT], self.2.clone())
    }

    fn execute(&self, number: &usize, state: &mut Wide, _: &mut Step<'_>) {
        state.0[*number] += 1;
    }
}

/// A trace compares the registers that an instruction may write, if that is known, and no others.
#[test]
fn a_trace_reads_few_registers() {
    for has_list in [true, false] {
        let mut info = support::machine::<1, 1>(Divergence::LowestPc);
        info.registers[0].count = Wide::COUNT;
        let reads = Arc::new(AtomicUsize::new(0));
        let engine = Counting(info, has_list, reads.clone());
        let numbers = [5_u64, 4000, 7, 5];
        let word = |(number, address)| Placed { address, word: U256::from(number), bits: 32 };
        let words: Vec<Placed> = numbers.into_iter().zip((0..).step_by(4)).map(word).collect();
        let mut machine = Machine::new(&engine).expect("one lane");
        machine.load_words(&words).expect("words one after the other");
        let mut lines = Vec::new();
        machine.run_traced(4, &mut |traced| {
            let changes = traced.changes().map(|change| format!(" {}={}", change.register, change.value));
            lines.push(format!("{}{}", traced.text, changes.collect::<String>()));
        });
        assert_eq!(lines, ["count 5 r5=1", "count 4000 r4000=1", "count 7 r7=1", "count 5 r5=2"]);
        assert_eq!(reads.load(Relaxed), if has_list { 2 * 7 } else { 2 * 4 * Wide::COUNT });
    }
}
