//! The part of a run that is compiled for each engine: its prepared instructions, and the registers of a warp that they change.

use super::program::{Program, Ready};
use crate::engine::{Engine, State, Step};
use isa_runtime::U256;
use isa_runtime::machine::{MachineInfo, Routine};

/// An engine, with the instructions of a program.
pub(super) trait Kernel: Sync {
    /// The machine.
    fn machine(&self) -> &MachineInfo;
    /// The text of a word of `bits` bits at an address.
    fn text(&self, word: U256, bits: u32, address: u64) -> String;
    /// The initial registers of a warp.
    fn lanes(&self) -> Box<dyn Lanes + '_>;
}

/// The registers of a warp.
pub(super) trait Lanes {
    /// The registers, for the host.
    fn state(&mut self) -> &mut dyn State;
    /// Runs a routine of the machine.
    fn routine(&mut self, routine: Routine, step: &mut Step<'_>);
    /// Executes consecutive instructions, the first of which has this number, until one has a request or a fault. Returns the
    /// number of executed ones.
    fn execute(&mut self, first: usize, straight: &[Ready], step: &mut Step<'_>) -> usize;
    /// Executes the instruction with this number, and reports the registers before and after it.
    fn traced(&mut self, number: usize, step: &mut Step<'_>, report: &mut dyn FnMut(&Step<'_>, &dyn State, &dyn State));
}

/// The [`Kernel`] of an engine.
pub(super) struct Prepared<'e, E: Engine> {
    pub(super) engine: &'e E,
    pub(super) program: &'e Program<E::Op>,
}

impl<E: Engine> Kernel for Prepared<'_, E> {
    fn machine(&self) -> &MachineInfo {
        self.engine.machine()
    }

    fn text(&self, word: U256, bits: u32, address: u64) -> String {
        self.engine.text(word, bits, address)
    }

    fn lanes(&self) -> Box<dyn Lanes + '_> {
        Box::new(Registers { engine: self.engine, ops: &self.program.ops, state: self.engine.state() })
    }
}

struct Registers<'e, E: Engine> {
    engine: &'e E,
    ops: &'e [E::Op],
    state: E::State,
}

impl<E: Engine> Lanes for Registers<'_, E> {
    fn state(&mut self) -> &mut dyn State {
        &mut self.state
    }

    fn routine(&mut self, routine: Routine, step: &mut Step<'_>) {
        self.engine.routine(routine, &mut self.state, step);
    }

    fn execute(&mut self, first: usize, straight: &[Ready], step: &mut Step<'_>) -> usize {
        let mut rest = straight.iter().zip(self.ops.get(first..).unwrap_or_default());
        for (ready, op) in rest.by_ref() {
            (step.pc, step.next) = (ready.placed.address, ready.next);
            self.engine.execute(op, &mut self.state, step);
            step.memory.now += 1;
            if step.memory.has_trouble() || !step.flow.is_plain() {
                break;
            }
        }
        straight.len() - rest.len()
    }

    fn traced(&mut self, number: usize, step: &mut Step<'_>, report: &mut dyn FnMut(&Step<'_>, &dyn State, &dyn State)) {
        let Some(op) = self.ops.get(number) else { return };
        let before = self.state.clone();
        self.engine.execute(op, &mut self.state, step);
        step.memory.now += 1;
        report(step, &before, &self.state);
    }
}
