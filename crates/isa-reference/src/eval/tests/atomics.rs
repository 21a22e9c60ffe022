//! Atomics while other threads change the same memory.

use super::super::*;
use super::load;
use crate::eval::memory::Memory;

/// Memory that another thread increases by 0x100 after some of the updates.
struct Contended {
    memory: Scratch,
    /// The updates after which it does.
    disturbed: u32,
    updates: u32,
}

impl Memory for Contended {
    fn is_aligned(&mut self, at: Address, bytes: u32, write: bool) -> bool {
        self.memory.is_aligned(at, bytes, write)
    }

    fn load(&mut self, at: Address, bytes: u32) -> Int {
        self.memory.load(at, bytes)
    }

    fn store(&mut self, at: Address, bytes: u32, value: Int) {
        self.memory.store(at, bytes, value);
    }

    fn update(&mut self, at: Address, bytes: u32, change: &dyn Fn(Int) -> Int) -> Int {
        let old = self.memory.update(at, bytes, change);
        self.updates += 1;
        if self.updates <= self.disturbed {
            let now = self.memory.get(at, bytes);
            self.memory.set(at, bytes, now.wrapping_add(Int::from(0x100)));
        }
        old
    }

    fn has_trouble(&self) -> bool {
        self.memory.has_trouble()
    }
}

#[test]
fn an_atomic_that_was_overtaken_begins_again() {
    let isa = load(
        "isa: one\nword: 8\nregisters: { R: { index: 2, width: 32 } }\nmachine: { spaces: { m: { address: 16 } } }\n\
         instructions: { INC: { fields: { n: 7..0 }, semantics: \"let old = atomic.m(8, 32, o => o + 1); R[1] = old;\" } }\n",
    );
    let reference = Reference::new(&isa).expect("it can be simulated");
    let op = reference.prepare(Word::default(), 8).expect("an instruction");
    for disturbed in 0..4 {
        let mut memory = Contended { memory: Scratch::new(&reference.info), disturbed, updates: 0 };
        let (mut state, mut flow) = (reference.state(), Flow::default());
        let mut world = World {
            pc: 0,
            next: 1,
            launch_values: &[],
            variants: &[],
            supplied: isa_sim::Supplied::default(),
            steps: 0,
            memory: &mut memory,
            executing: 1,
            on: 0,
            asked: &[],
            of_warp: Vec::new(),
            flow: &mut flow,
            written: None,
        };
        reference.run(&op, &mut state, 1, &mut world);
        let at = Address { space: 0, bank: 0, lane: 0, address: 8 };
        // What the other thread wrote is neither lost nor counted twice.
        let (now, old) = (memory.memory.get(at, 4).low(), isa_sim::State::register(&state, 0, 1, 0));
        assert_eq!((now, old, memory.updates), (u64::from(disturbed) * 0x100 + 1, u128::from(disturbed) * 0x100, disturbed + 2));
    }
}
