//! One interface for engines with any registers and instructions.

use super::core::runner::{Core, Runner};
use super::engine::{Engine, State, Step};
use super::fault::NotExecutable;
use super::placed::Placed;
use super::simt::{self, Finished, Launch, Program, RunError, Trace};
use isa_runtime::U256;
use isa_runtime::machine::MachineInfo;

/// An [`Engine`] of any instruction set. The machinery that runs programs is compiled for each engine that is converted to one of
/// these.
pub trait AnyEngine: Sync {
    /// The machine.
    fn machine(&self) -> &MachineInfo;

    /// The text of a word of `bits` bits at an address.
    fn text(&self, word: U256, bits: u32, address: u64) -> String;

    /// Runs a kernel of these words to its end; see [`simt::run`](crate::simt::run()).
    ///
    /// # Errors
    /// When the words are no program, when the launch is impossible, and when the program has a fault.
    fn run(&self, words: &[Placed], launch: &Launch, trace: Option<Trace<'_>>) -> Result<Finished, RunError>;

    /// A core of this engine, for [`Machine`](crate::Machine).
    #[doc(hidden)]
    fn core(&self) -> Box<dyn Core + '_>;

    /// Executes one word of `bits` bits in one lane, with registers of another engine of the same machine.
    ///
    /// # Errors
    /// The reason why the word is not an instruction, or not one that can be executed.
    fn execute(
        &self,
        word: (U256, u32),
        lane: usize,
        registers: &mut dyn State,
        step: &mut Step<'_>,
    ) -> Result<(), NotExecutable>;
}

impl<E: Engine> AnyEngine for E {
    fn machine(&self) -> &MachineInfo {
        self.machine()
    }

    fn text(&self, word: U256, bits: u32, address: u64) -> String {
        self.text(word, bits, address)
    }

    fn run(&self, words: &[Placed], launch: &Launch, trace: Option<Trace<'_>>) -> Result<Finished, RunError> {
        let program = Program::new(self, words).map_err(RunError::Program)?;
        simt::run(self, &program, launch, trace)
    }

    fn core(&self) -> Box<dyn Core + '_> {
        Box::new(Runner::new(self))
    }

    fn execute(
        &self,
        (word, bits): (U256, u32),
        lane: usize,
        registers: &mut dyn State,
        step: &mut Step<'_>,
    ) -> Result<(), NotExecutable> {
        let op = self.prepare(word, bits)?;
        let mut own = self.state();
        copy_lane(self.machine(), lane, registers, &mut own);
        self.execute(&op, &mut own, step);
        copy_lane(self.machine(), lane, &own, registers);
        Ok(())
    }
}

/// Copies registers, flags and values of one lane, between engines of the same machine.
pub fn copy_lane(info: &MachineInfo, lane: usize, from: &dyn State, to: &mut dyn State) {
    for (file, registers) in info.registers.iter().enumerate() {
        (0..registers.count).for_each(|i| to.set_register(file, i, lane, from.register(file, i, lane)));
    }
    for (file, flags) in info.flags.iter().enumerate() {
        (0..flags.count).for_each(|i| to.set_flags(file, i, lane, from.flags(file, i, lane)));
    }
    (0..info.values.len()).for_each(|i| to.set_value(i, lane, from.value(i, lane)));
}
