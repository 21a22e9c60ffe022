//! One instruction in one lane on another engine, for those who want to see what that makes of it.

use super::error::NotComparable;
use super::memory::Scratch;
use super::reference::{Scene, Written};
use super::state::State;
use isa_sim::{AnyEngine, CoreSpace, Flow, Memories, Memory, Sharing, Space, Step};
use isa_spec::bits::Word;
use isa_spec::semantics::int::Int;

/// The most bytes of memory that are made for one instruction.
const MOST: u64 = 1 << 24;

impl Scratch {
    /// True if what was used lies low enough for another engine, which needs all memory below it.
    pub fn is_low(&self) -> bool {
        self.reaches().fold(0u64, u64::saturating_add) <= MOST
    }
}

impl Scene {
    /// Runs a word of `bits` bits on an engine of the same machine. The evaluator has run it before and produced `written` and
    /// `after`: they say where in memory the instruction reads and writes.
    ///
    /// # Errors
    /// If the engine can't execute it, or not all memory is low.
    pub fn run_on(
        &mut self,
        engine: &dyn AnyEngine,
        (word, bits): (Word, u32),
        state: &mut State,
        written: &[Written],
        after: &Scratch,
    ) -> Result<Flow, NotComparable> {
        let info = engine.machine();
        if info.lanes == 1 {
            return self.run_on_core(engine, (word, bits), state, written);
        }
        if !after.is_low() {
            return Err(NotComparable::FarMemory);
        }
        let memories = self.memories(info, after);
        let spaces: Vec<Space<'_>> =
            memories.iter().zip(&info.spaces).map(|(memories, space)| Space::of(space, memories)).collect();
        let mut step = Step {
            active: 1 << self.lane,
            pc: self.pc,
            next: self.next,
            memory: Memories::new(&spaces),
            launch_values: &self.launch_values,
            variants: &self.variants,
            supplied: isa_sim::Supplied::default(),
            flow: Flow::default(),
        };
        engine.execute((word, bits), self.lane, state, &mut step).map_err(NotComparable::NotExecutable)?;
        if let Some(trouble) = step.memory.take_trouble() {
            return Err(NotComparable::Trouble(trouble));
        }
        let flow = step.flow;
        for written in written {
            let Written::Memory(at, bytes) = *written else { continue };
            let banks = info.spaces[at.space].banks.unwrap_or(1) as usize;
            let lane = if info.spaces[at.space].owner == Sharing::Lane { at.lane } else { 0 };
            let memory = &memories[at.space][lane * banks + at.bank as usize];
            self.put(at, &memory.bytes(at.address, bytes.into()).unwrap_or_default());
        }
        Ok(flow)
    }

    /// The same where a machine has one lane, and pages of memory.
    fn run_on_core(
        &mut self,
        engine: &dyn AnyEngine,
        (word, bits): (Word, u32),
        state: &mut State,
        written: &[Written],
    ) -> Result<Flow, NotComparable> {
        let mut spaces: Vec<CoreSpace> = engine.machine().spaces.iter().map(CoreSpace::new).collect();
        for (at, byte) in self.memory.all() {
            // Bytes out of reach are dropped.
            let _ = spaces[at.space].banks[at.bank as usize].poke(at.address, &[byte]);
        }
        let mut step = Step {
            active: 1,
            pc: self.pc,
            next: self.next,
            memory: Memories::of_core(&mut spaces),
            launch_values: &self.launch_values,
            variants: &self.variants,
            supplied: isa_sim::Supplied::default(),
            flow: Flow::default(),
        };
        engine.execute((word, bits), 0, state, &mut step).map_err(NotComparable::NotExecutable)?;
        if let Some(trouble) = step.memory.take_trouble() {
            return Err(NotComparable::Trouble(trouble));
        }
        let flow = step.flow;
        for written in written {
            let Written::Memory(at, count) = *written else { continue };
            let mut bytes = vec![0; count as usize];
            if spaces[at.space].banks[at.bank as usize].peek(at.address, &mut bytes).is_ok() {
                self.put(at, &bytes);
            }
        }
        Ok(flow)
    }

    fn put(&mut self, at: super::Address, bytes: &[u8]) {
        for (i, byte) in bytes.iter().enumerate() {
            self.memory.set(super::Address { address: at.address + i as u64, ..at }, 1, Int::from(u128::from(*byte)));
        }
    }

    /// The memories that the instruction needs, with their contents.
    fn memories(&self, info: &isa_sim::MachineInfo, after: &Scratch) -> Vec<Vec<Memory>> {
        let all = info.spaces.iter().enumerate().map(|(index, space)| {
            let lanes = if space.owner == Sharing::Lane { info.lanes as usize } else { 1 };
            let banks = space.banks.unwrap_or(1).into();
            let places = (0..lanes).flat_map(|lane| (0..banks).map(move |bank| (lane, bank)));
            places.map(|(lane, bank)| Memory::new(after.reach(index, bank, lane))).collect()
        });
        let all: Vec<Vec<Memory>> = all.collect();
        for (at, byte) in self.memory.all() {
            let banks = info.spaces[at.space].banks.unwrap_or(1) as usize;
            // Bytes out of reach are dropped.
            let _ = all[at.space][at.lane * banks + at.bank as usize].set_bytes(at.address, &[byte]);
        }
        all
    }
}
