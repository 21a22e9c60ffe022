//! A core: registers, memories, and an address. It runs a program, stops, and continues.
//!
//! `code` keeps prepared instructions; `runner` executes them, compiled for each engine; `events` handles faults, interrupts and
//! devices between instructions; `host` is the interface to a program's environment.

mod code;
mod events;
mod host;
mod registers;
pub(crate) mod runner;

use crate::any::AnyEngine;
use crate::engine::{State, Supplied};
use crate::fault::{Fault, FaultKind};
use crate::memory::{CoreSpace, Denied, Hit, Pages, Watch};
use crate::placed::Placed;
pub use code::BadCode;
use code::Words;
pub use events::BadRegion;
pub use host::{Answer, Exit, Guest, Host};
use isa_runtime::U256;
use isa_runtime::machine::{MachineInfo, Routine};
use isa_runtime::word::ones;
pub use registers::{NoRegister, Register};
pub use runner::Core;
use runner::{World, fetch};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// A core of one lane with its memories. Its state can be inspected after a fault, a breakpoint or the end of a budget, and
/// [`run`](Machine::run) continues from it.
///
/// Instructions are fetched from the specification's space for programs, or, if it has none, from words that are
/// [loaded](Machine::load_words) and that instructions can't see.
///
/// ```
/// # use isa_sim::{AnyEngine, Machine, Stopped};
/// fn run(engine: &dyn AnyEngine, program: &[u8]) -> Result<Stopped, Box<dyn std::error::Error>> {
///     let mut machine = Machine::new(engine)?;
///     machine.load(0x1000, program)?;
///     machine.set_pc(0x1000);
///     Ok(machine.run(1_000_000))
/// }
/// ```
pub struct Machine<'e> {
    core: Box<dyn Core + 'e>,
    info: MachineInfo,
    spaces: Vec<CoreSpace>,
    words: Words,
    pc: u64,
    steps: u64,
    variants: Vec<usize>,
    /// The return addresses of calls.
    calls: Vec<u64>,
    breakpoints: BTreeSet<u64>,
    /// The address of the last stop that was not the end of a budget: the next run passes its breakpoint.
    stopped_at: Option<u64>,
    host: Option<Box<dyn Host + 'e>>,
    ended: Option<Exit>,
    /// The number of the core.
    hart: u64,
    interrupts: Interrupts,
}

/// The state of devices and interrupts.
struct Interrupts {
    /// The lines of devices that are active.
    lines: u64,
    /// The number of instructions at which devices are polled again.
    deadline: Option<u64>,
    /// The conditions of interrupts may have changed.
    is_asked: bool,
    /// The number of instructions at the last raised cause, and at the last interrupt.
    raised_at: Option<u64>,
    interrupted_at: Option<u64>,
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The budget of instructions is used up, or the run was [interrupted](Machine::run_until).
    Budget,
    /// The program has ended.
    Exit(Exit),
    /// An instruction can't be executed; it is the next one.
    Fault(Box<Fault>),
    /// The instruction at the address has a breakpoint; it is the next one.
    Breakpoint(u64),
    /// Watched memory was used by the instruction before the next one.
    Watch(Hit),
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Budget => f.write_str("the run has not ended"),
            Self::Exit(exit) => exit.fmt(f),
            Self::Fault(fault) => fault.fmt(f),
            Self::Breakpoint(at) => write!(f, "breakpoint at {at:#x}"),
            Self::Watch(hit) => write!(f, "watched memory at {:#x} was used", hit.address),
        }
    }
}

/// An instruction that was executed.
pub struct Traced<'a> {
    pub(crate) info: &'a MachineInfo,
    /// Its address.
    pub pc: u64,
    /// Its word.
    pub word: U256,
    /// Bits of the word.
    pub bits: u32,
    /// Its text.
    pub text: &'a str,
    /// The registers that it has changed, with their new values.
    pub(crate) changed: &'a [(Register, u128)],
    /// Registers after it.
    pub after: &'a dyn State,
    /// Something comes between it and the next one: its host, a device, an exception.
    pub is_interrupted: bool,
}

impl Traced<'_> {
    /// The registers, flags and values that it has changed.
    pub fn changes(&self) -> impl Iterator<Item = Change> + '_ {
        self.changed.iter().map(|(register, value)| Change { register: register.name(self.info), value: *value })
    }
}

/// A register that an instruction has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its name.
    pub register: String,
    /// Its new value.
    pub value: u128,
}

/// The machine has several lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeveralLanes(u32);

impl fmt::Display for SeveralLanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this machine has {} lanes: its programs are kernels, for `isa_sim::simt`", self.0)
    }
}

impl std::error::Error for SeveralLanes {}

/// An error for memory that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoSpace {
    /// No space contains programs.
    Program,
    /// There is no memory at this address.
    At(u64),
    /// The limit of bytes that may be written is exceeded.
    Full(u64),
}

impl fmt::Display for NoSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program => f.write_str("no memory of this machine holds programs: `program: true` says which one does"),
            Self::At(at) => write!(f, "there is no memory at {at:#x}"),
            Self::Full(most) => write!(f, "more than {most} bytes of memory would be written, the maximum"),
        }
    }
}

impl std::error::Error for NoSpace {}

impl From<Denied> for NoSpace {
    fn from(denied: Denied) -> Self {
        match denied {
            Denied::Unmapped(at) | Denied::Protected(at) => Self::At(at),
            Denied::Full(most) => Self::Full(most),
        }
    }
}

/// The limit of nested calls.
const MOST_CALLS: usize = 1 << 16;
/// The number of instructions executed between two checks for an interruption of the run.
const QUANTUM: u64 = 1 << 16;

impl<'e> Machine<'e> {
    /// A machine in the state in which it starts: registers and memories are zeros, and the specification's routine before the
    /// first instruction has run. Devices are [attached](Machine::attach) later; for a routine that uses them,
    /// [`perform`](Machine::perform) it again.
    ///
    /// # Errors
    /// When the machine of the specification has several lanes.
    pub fn new(engine: &'e dyn AnyEngine) -> Result<Self, SeveralLanes> {
        let info = engine.machine().clone();
        if info.lanes != 1 {
            return Err(SeveralLanes(info.lanes));
        }
        let mut machine = Self {
            core: engine.core(),
            spaces: info.spaces.iter().map(CoreSpace::new).collect(),
            words: Words::default(),
            pc: 0,
            steps: 0,
            variants: vec![0; info.variants.len()],
            calls: Vec::new(),
            breakpoints: BTreeSet::new(),
            stopped_at: None,
            host: None,
            ended: None,
            hart: 0,
            interrupts: Interrupts { lines: 0, deadline: None, is_asked: true, raised_at: None, interrupted_at: None },
            info,
        };
        machine.reset();
        Ok(machine)
    }

    /// Resets the state that each run begins with.
    fn reset(&mut self) {
        // What it lacks may be attached later, and the routine performed again.
        let _ = self.perform(Routine::Launch);
    }

    /// The machine of the specification.
    pub fn info(&self) -> &MachineInfo {
        &self.info
    }

    /// Sets the values of the variants of the specification, by index.
    pub fn set_variants(&mut self, variants: &[usize]) {
        for (known, variant) in self.variants.iter_mut().zip(variants) {
            *known = *variant;
        }
        self.reset();
    }

    /// The number of the core, which programs read as `hart`; 0 unless it is set.
    pub fn set_hart(&mut self, number: u64) {
        self.hart = number;
    }

    /// Sets the host, which answers the calls of the program.
    pub fn set_host(&mut self, host: impl Host + 'e) {
        self.host = Some(Box::new(host));
    }

    /// Writes bytes into the memory of programs.
    ///
    /// # Errors
    /// When no memory contains programs, or it does not reach as far.
    pub fn load(&mut self, address: u64, bytes: &[u8]) -> Result<(), NoSpace> {
        self.program()?.poke(address, bytes)?;
        self.core.forget();
        Ok(())
    }

    /// Loads words: into the memory of programs, or, if there is none, as a program that instructions can't see.
    ///
    /// # Errors
    /// When words can't be at their addresses.
    pub fn load_words(&mut self, words: &[Placed]) -> Result<(), BadCode> {
        match self.info.program_space() {
            Some(space) => code::store(self.info.units, words, &mut self.spaces[space].banks[0])?,
            None => self.words = Words::new(self.info.units, words)?,
        }
        self.core.forget();
        Ok(())
    }

    /// The memory of programs.
    ///
    /// # Errors
    /// When there is none.
    pub fn program(&mut self) -> Result<&mut Pages, NoSpace> {
        let space = self.info.program_space().ok_or(NoSpace::Program)?;
        self.spaces.get_mut(space).and_then(|space| space.banks.first_mut()).ok_or(NoSpace::Program)
    }

    /// A bank of a memory space; bank 0 if it has no banks. Code that is written there takes effect after
    /// [`refetch`](Machine::refetch).
    pub fn memory(&mut self, space: usize, bank: usize) -> Option<&mut Pages> {
        self.interrupts.is_asked = true;
        self.spaces.get_mut(space)?.banks.get_mut(bank)
    }

    /// Drops the prepared instructions: code has changed.
    pub fn refetch(&mut self) {
        self.core.forget();
    }

    /// The address of the next instruction.
    pub fn pc(&self) -> u64 {
        self.pc
    }

    /// Sets the address of the next instruction.
    pub fn set_pc(&mut self, address: u64) {
        self.pc = address & ones(self.info.pc);
        self.stopped_at = None;
        self.interrupts.raised_at = None;
        self.ended = None;
    }

    /// The number of instructions that have been executed.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Registers, by file and number.
    pub fn state(&self) -> &dyn State {
        self.core.state()
    }

    /// Registers, by file and number, for writing.
    pub fn state_mut(&mut self) -> &mut dyn State {
        // Interrupts may depend on the written registers.
        self.interrupts.is_asked = true;
        self.core.state_mut()
    }

    /// The value of a register, a flag or a value by its name, or of `pc`.
    ///
    /// # Errors
    /// When there is none.
    pub fn get(&self, name: &str) -> Result<u128, NoRegister> {
        let register = Register::find(&self.info, name)?;
        Ok(register.map_or(self.pc.into(), |register| register.get(self.core.state())))
    }

    /// Writes a register, a flag or a value by its name, or `pc`. Excess bits are dropped; a constant stays.
    ///
    /// # Errors
    /// When there is none.
    pub fn set(&mut self, name: &str, value: u128) -> Result<(), NoRegister> {
        match Register::find(&self.info, name)? {
            Some(register) => register.set(self.state_mut(), value),
            None => self.set_pc(value as u64),
        }
        Ok(())
    }

    /// Adds a breakpoint: the run stops before the instruction at an address, even if it is the next one.
    pub fn add_breakpoint(&mut self, address: u64) {
        if self.breakpoints.insert(address) {
            self.stopped_at.take_if(|at| *at == address);
        }
        self.core.forget();
    }

    /// Removes a breakpoint; returns whether there was one.
    pub fn remove_breakpoint(&mut self, address: u64) -> bool {
        self.core.forget();
        self.breakpoints.remove(&address)
    }

    /// Watches some memory of a space: the run stops after an instruction that accesses it.
    pub fn watch(&mut self, space: usize, watch: Watch) {
        self.memory(space, 0).into_iter().for_each(|pages| pages.watch(watch.clone()));
    }

    /// Stops watching this memory.
    pub fn unwatch(&mut self, space: usize, watch: &Watch) {
        self.memory(space, 0).into_iter().for_each(|pages| pages.unwatch(watch));
    }

    /// The text of the instruction at an address, as it would be executed; empty if there is none.
    pub fn text(&mut self, address: u64) -> String {
        self.word(address).map_or_else(|_| String::new(), |(word, bits)| self.core.text(word, bits, address))
    }

    /// The word of the instruction at an address, and its bits. Stores into code that is prepared have no effect yet.
    fn word(&mut self, address: u64) -> Result<(U256, u32), FaultKind> {
        let Self { core, info, spaces, words, .. } = self;
        let prepared = core.word_at(address);
        prepared.map_or_else(|| fetch(info, spaces, words, &|unit| core.length_of(unit), address), Ok)
    }

    /// Executes one instruction, ignoring its breakpoint; the next run also ignores the breakpoint of the instruction that
    /// follows.
    pub fn step(&mut self) -> Stopped {
        self.stopped_at = Some(self.pc);
        let stopped = self.run(1);
        self.stopped_at = Some(self.pc);
        stopped
    }

    /// Executes at most `budget` instructions. A breakpoint stops the program each time it is reached: a run that begins at a
    /// breakpoint's stop continues, and one that begins at the end of a budget stops.
    pub fn run(&mut self, budget: u64) -> Stopped {
        self.drive(budget, None, &mut |_| true)
    }

    /// The same, with a callback after each instruction.
    pub fn run_traced(&mut self, budget: u64, trace: &mut dyn FnMut(&Traced<'_>)) -> Stopped {
        self.drive(budget, Some(trace), &mut |_| true)
    }

    /// Executes at most `budget` instructions, while a flag is set that another thread may clear. `executed` is updated with
    /// their number from time to time.
    pub fn run_until(
        &mut self,
        budget: u64,
        trace: Option<&mut dyn FnMut(&Traced<'_>)>,
        interrupt: &AtomicBool,
        executed: &AtomicU64,
    ) -> Stopped {
        self.drive(budget, trace, &mut |steps| {
            executed.store(steps, Relaxed);
            !interrupt.load(Relaxed)
        })
    }

    fn drive(
        &mut self,
        budget: u64,
        mut trace: Option<&mut dyn FnMut(&Traced<'_>)>,
        goes_on: &mut dyn FnMut(u64) -> bool,
    ) -> Stopped {
        if let Some(exit) = &self.ended {
            return Stopped::Exit(exit.clone());
        }
        let end = self.steps.saturating_add(budget);
        while self.steps < end {
            if !goes_on(self.steps) {
                return Stopped::Budget;
            }
            let event = self.before();
            if let Some(stopped) = event.and_then(|event| self.event(event)) {
                self.stopped_at = Some(self.pc);
                return stopped;
            }
            let deadline = self.interrupts.deadline.unwrap_or(u64::MAX).saturating_sub(self.steps).max(1);
            // One instruction is executed between two interrupts.
            let most = if self.interrupts.is_asked { 1 } else { QUANTUM.min(deadline) }.min(end - self.steps);
            let skips = self.stopped_at.take() == Some(self.pc);
            let supplied = Supplied { hart: self.hart, lines: self.interrupts.lines, ..Supplied::default() };
            let Self { core, info, spaces, words, pc, steps, variants, calls, breakpoints, .. } = self;
            let mut world = World { info, spaces, words, pc, steps, variants, supplied, calls, breakpoints, most, skips };
            let event = core.run(&mut world, trace.as_mut().map(|trace| &mut **trace as &mut dyn FnMut(&Traced<'_>)));
            if let Some(stopped) = self.event(event) {
                self.stopped_at = Some(self.pc);
                return stopped;
            }
        }
        goes_on(self.steps);
        Stopped::Budget
    }

    /// The machine as hosts see it.
    pub fn guest(&mut self) -> Guest<'_> {
        let space = self.info.program_space().unwrap_or(0);
        let memory = self.spaces.get_mut(space).and_then(|space| space.banks.first_mut());
        Guest::new(&self.info, self.core.state_mut(), memory, &mut self.pc, self.steps)
    }
}
