//! Hosts: the environment of a program outside of its machine.

use crate::engine::State;
use crate::memory::{Access, Denied, Hit, Pages};
use isa_runtime::machine::MachineInfo;
use std::fmt;

/// Answers the calls of a program by the action `host()`: an operating system, or a replacement of it.
pub trait Host {
    /// Handles a call of the program; the program's address is that of the instruction after the call, where it continues.
    fn call(&mut self, guest: &mut Guest<'_>) -> Answer;

    /// True if the machine runs its own routines for faults, as for a program without an operating system. An operating system
    /// handles them itself: then they end the run.
    fn leaves_faults(&self) -> bool {
        true
    }

    /// Handles an access of the program to watched memory.
    fn used(&mut self, _guest: &mut Guest<'_>, _hit: Hit) -> Answer {
        Answer::Nothing
    }
}

impl<H: Host + ?Sized> Host for Box<H> {
    fn call(&mut self, guest: &mut Guest<'_>) -> Answer {
        (**self).call(guest)
    }

    fn leaves_faults(&self) -> bool {
        (**self).leaves_faults()
    }

    fn used(&mut self, guest: &mut Guest<'_>, hit: Hit) -> Answer {
        (**self).used(guest, hit)
    }
}

/// An answer of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The program continues.
    GoOn,
    /// It has ended.
    Exit(Exit),
    /// It can't continue, for this reason.
    Fault(String),
    /// The host does not handle it.
    Nothing,
}

/// The end of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It has ended by itself, with this status.
    Status(i32),
    /// A signal has ended it, of this number and name.
    Signal(u8, &'static str),
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(status) => write!(f, "the program has ended with status {status}"),
            Self::Signal(_, name) => write!(f, "the program was ended by {name}"),
        }
    }
}

/// The machine as a host sees it: its registers, and the memory with the program.
pub struct Guest<'m> {
    info: &'m MachineInfo,
    state: &'m mut dyn State,
    memory: Option<&'m mut Pages>,
    pc: &'m mut u64,
    steps: u64,
    has_changed: bool,
}

impl<'m> Guest<'m> {
    pub(super) fn new(
        info: &'m MachineInfo,
        state: &'m mut dyn State,
        memory: Option<&'m mut Pages>,
        pc: &'m mut u64,
        steps: u64,
    ) -> Self {
        Self { info, state, memory, pc, steps, has_changed: false }
    }

    /// The machine of the specification.
    pub fn info(&self) -> &MachineInfo {
        self.info
    }

    /// The address at which the program continues.
    pub fn pc(&self) -> u64 {
        *self.pc
    }

    /// Sets the address at which the program continues.
    pub fn set_pc(&mut self, address: u64) {
        *self.pc = address;
    }

    /// The number of instructions that have been executed.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// A register, by file and number.
    pub fn register(&self, (file, number): (usize, usize)) -> u64 {
        self.state.register(file, number, 0) as u64
    }

    /// Writes a register.
    pub fn set_register(&mut self, (file, number): (usize, usize), value: u64) {
        self.state.set_register(file, number, 0, value.into());
    }

    /// Reads memory as the program can.
    ///
    /// # Errors
    /// When some of it does not exist, or can't be read.
    pub fn read(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), Denied> {
        let memory = self.memory.as_mut().ok_or(Denied::Unmapped(address))?;
        memory.read(address, bytes, Access::Read)
    }

    /// Writes memory as the program can: all of it or nothing.
    ///
    /// # Errors
    /// When some of it does not exist, or can't be written.
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Denied> {
        let memory = self.memory.as_mut().ok_or(Denied::Unmapped(address))?;
        memory.write(address, bytes)
    }

    /// The memory, for changes of its map outside of code: fetched instructions are kept.
    pub fn pages(&mut self) -> Option<&mut Pages> {
        self.memory.as_deref_mut()
    }

    /// The memory, for changes of its map. Instructions are fetched again after that.
    pub fn memory(&mut self) -> Option<&mut Pages> {
        self.has_changed = true;
        self.memory.as_deref_mut()
    }

    pub(super) fn code_has_changed(&self) -> bool {
        self.has_changed
    }
}
