//! An instruction set that runs, its instructions, and what one of them writes.

use super::error::NotSimulated;
use super::memory::{Address, Scratch};
use crate::codec::{Codec, Lengths, Why};
use isa_sim::{Flow, MAX_LANES, MachineInfo};
use isa_spec::machine_info;
use isa_spec::model::{FormId, Isa, Word};
use isa_spec::semantics::int::Int;
use isa_spec::semantics::machine::{MAX_REGISTERS, MAX_STATE};

/// An instruction set that runs.
#[derive(Debug)]
pub struct Reference<'a> {
    pub(super) isa: &'a Isa,
    pub(super) codec: Codec<'a>,
    pub(super) info: MachineInfo,
    /// For each named value of the machine, its index among those that the launch sets, or among those that instructions write.
    pub(super) named: Vec<usize>,
}

/// An instruction, made ready.
#[derive(Clone, Debug)]
pub struct Op {
    pub(super) form: FormId,
    pub(super) fields: Vec<Int>,
    pub(super) conditions: Vec<bool>,
}

impl Op {
    /// Its form.
    pub fn form(&self) -> FormId {
        self.form
    }
}

/// Something that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// A register: file, number, and the bits that were written.
    Register(usize, usize, u128),
    /// Flags: which, the number of the register, and a bit for each flag that was written.
    Flags(usize, usize, u64),
    /// A named value, and the bits that were written.
    Value(usize, u128),
    /// Bytes of memory: the address and the number.
    Memory(Address, u32),
}

/// One instruction in one lane.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The writes, in order, except those to constant registers.
    pub written: Vec<Written>,
    /// The lane's requests to the flow of control.
    pub flow: Flow,
}

/// The surroundings of a single traced instruction.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The number of the lane.
    pub lane: usize,
    /// The address of the instruction.
    pub pc: u64,
    /// The address of the one that follows it.
    pub next: u64,
    /// The values set by the launch: for each of [`MachineInfo::launch_values`] those of the lanes.
    pub launch_values: Vec<[u32; MAX_LANES]>,
    /// The value of each of [`MachineInfo::variants`].
    pub variants: Vec<usize>,
    /// Memory.
    pub memory: Scratch,
}

impl<'a> Reference<'a> {
    /// Prepares an instruction set.
    ///
    /// # Errors
    /// When it has something that can't be simulated: registers of more than 128 bits, or too many registers. Where instructions have
    /// semantics, a specification that has them is refused already.
    pub fn new(isa: &'a Isa) -> Result<Self, NotSimulated> {
        for file in &isa.registers {
            let name = || file.name.clone();
            if file.width > MAX_STATE {
                return Err(NotSimulated::Registers { name: name(), width: file.width });
            }
            if file.end() > u128::from(MAX_REGISTERS) {
                return Err(NotSimulated::File { name: name(), count: usize::try_from(file.end()).unwrap_or(usize::MAX) });
            }
        }
        let named = (0..isa.machine.state.len()).map(|state| isa.machine.state_place(state)).collect();
        Ok(Self { isa, codec: Codec::new(isa), info: machine_info(isa), named })
    }

    /// The instruction set.
    pub fn isa(&self) -> &'a Isa {
        self.isa
    }

    /// The same, but texts are read as words of these lengths.
    #[must_use]
    pub fn with_lengths(self, lengths: Lengths) -> Self {
        Self { codec: self.codec.with_lengths(lengths), ..self }
    }

    /// The form of a word as the machine executes it, and the word of that form.
    ///
    /// # Errors
    /// When the machine does not execute the word: the reason why it is not an instruction.
    pub fn decode(&self, word: Word, bits: u32) -> Result<(FormId, Word), Why<'a>> {
        match self.codec.decode(word, bits) {
            Ok(form) => Ok((form, word)),
            Err(why) => self.isa.executed(word, bits).ok_or(why),
        }
    }

    /// Its decoder and parser.
    pub fn codec(&self) -> &Codec<'a> {
        &self.codec
    }
}
