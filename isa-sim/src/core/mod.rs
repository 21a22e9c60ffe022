//! A core: registers, memories, and an address. It runs a program, stops, and goes on.
//!
//! `code` has instructions made ready; `runner` executes them, compiled for each engine; `events` is what comes between instructions:
//! faults, interrupts and devices; `host` is what a program meets outside.

mod code;
mod events;
mod host;
mod registers;
mod runner;

use crate::any::AnyEngine;
use crate::engine::{State, Supplied};
use crate::fault::Fault;
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
pub(crate) use runner::Runner;
use runner::{World, fetch};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// A core of one lane with its memories. What a fault, a breakpoint or the end of a budget leaves is there to be seen, and
/// [`run`](Machine::run) goes on from it.
///
/// Instructions are fetched from the space that the specification says holds the program, or, where it says none, from words that are
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
    /// Where calls come back to.
    calls: Vec<u64>,
    breakpoints: BTreeSet<u64>,
    /// The address of the last stop that was no end of a budget: the next run passes its breakpoint.
    stopped_at: Option<u64>,
    host: Option<Box<dyn Host + 'e>>,
    ended: Option<Exit>,
    /// The number of the core.
    hart: u64,
    /// The lines of devices that are active.
    lines: u64,
    /// The number of instructions at which devices are to be asked again.
    deadline: Option<u64>,
    /// What interrupts depend on may have changed.
    is_asked: bool,
    /// The number of instructions when a cause was raised last, and at the last interrupt.
    raised_at: Option<u64>,
    interrupted_at: Option<u64>,
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// So many instructions have been executed, or the run was [interrupted](Machine::run_until).
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
    /// Registers before it.
    pub before: &'a dyn State,
    /// Registers after it.
    pub after: &'a dyn State,
}

impl Traced<'_> {
    /// The registers, flags and values that it has changed.
    pub fn changes(&self) -> Vec<Change> {
        let changed = Register::all(self.info).filter(|register| register.get(self.before) != register.get(self.after));
        changed.map(|register| Change { register: register.name(self.info), value: register.get(self.after) }).collect()
    }
}

/// A register that an instruction has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its name.
    pub register: String,
    /// What it is now.
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

/// There is no such memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoSpace {
    /// No space holds programs.
    Program,
    /// There is no memory at this address.
    At(u64),
    /// More bytes would be written than this.
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

/// How many calls may be open at once.
const MOST_CALLS: usize = 1 << 16;
/// How many instructions are executed before it is asked whether a run was interrupted.
const QUANTUM: u64 = 1 << 16;

impl<'e> Machine<'e> {
    /// A machine in the state in which it starts: registers and memories are zeros, and what the specification does before the first
    /// instruction is done.
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
            lines: 0,
            deadline: None,
            is_asked: true,
            raised_at: None,
            interrupted_at: None,
            info,
        };
        machine.reset();
        Ok(machine)
    }

    /// What each run begins with.
    fn reset(&mut self) {
        self.perform(Routine::Launch);
    }

    /// The machine of the specification.
    pub fn info(&self) -> &MachineInfo {
        &self.info
    }

    /// Has the variants of the specification be these, by index.
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

    /// Has a host answer what the program asks of it.
    pub fn set_host(&mut self, host: impl Host + 'e) {
        self.host = Some(Box::new(host));
    }

    /// Writes bytes into the memory that programs are in.
    ///
    /// # Errors
    /// When no memory holds programs, or it does not reach as far.
    pub fn load(&mut self, address: u64, bytes: &[u8]) -> Result<(), NoSpace> {
        self.program()?.poke(address, bytes)?;
        self.core.forget();
        Ok(())
    }

    /// Loads words: into the memory that programs are in, or, where there is none, as a program that instructions can't see.
    ///
    /// # Errors
    /// When words can't stand where they do.
    pub fn load_words(&mut self, words: &[Placed]) -> Result<(), BadCode> {
        match self.info.program_space() {
            Some(space) => code::store(self.info.units, words, &mut self.spaces[space].banks[0])?,
            None => self.words = Words::new(self.info.units, words)?,
        }
        self.core.forget();
        Ok(())
    }

    /// The memory that programs are in.
    ///
    /// # Errors
    /// When no memory is.
    pub fn program(&mut self) -> Result<&mut Pages, NoSpace> {
        let space = self.info.program_space().ok_or(NoSpace::Program)?;
        self.spaces.get_mut(space).and_then(|space| space.banks.first_mut()).ok_or(NoSpace::Program)
    }

    /// A bank of a memory space; 0 where it has none. Code that is written there is seen after [`refetch`](Machine::refetch).
    pub fn memory(&mut self, space: usize, bank: usize) -> Option<&mut Pages> {
        self.is_asked = true;
        self.spaces.get_mut(space)?.banks.get_mut(bank)
    }

    /// Forgets the instructions that were made ready: code has changed.
    pub fn refetch(&mut self) {
        self.core.forget();
    }

    /// The address of the next instruction.
    pub fn pc(&self) -> u64 {
        self.pc
    }

    /// Has the program go on at an address.
    pub fn set_pc(&mut self, address: u64) {
        self.pc = address & ones(self.info.pc);
        self.stopped_at = None;
        self.raised_at = None;
        self.ended = None;
    }

    /// How many instructions have been executed.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Registers, by file and number.
    pub fn state(&self) -> &dyn State {
        self.core.state()
    }

    /// Registers, by file and number, to be written.
    pub fn state_mut(&mut self) -> &mut dyn State {
        // Interrupts may depend on what is written.
        self.is_asked = true;
        self.core.state_mut()
    }

    /// The register, the flag or the value of a name, or `pc`.
    ///
    /// # Errors
    /// When there is none.
    pub fn get(&self, name: &str) -> Result<u128, NoRegister> {
        let register = Register::find(&self.info, name)?;
        Ok(register.map_or(self.pc.into(), |register| register.get(self.core.state())))
    }

    /// Writes the register, the flag or the value of a name, or `pc`. What does not fit is dropped; a constant stays.
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

    /// Has the run stop before the instruction at an address, be it the next one.
    pub fn add_breakpoint(&mut self, address: u64) {
        if self.breakpoints.insert(address) {
            self.stopped_at.take_if(|at| *at == address);
        }
        self.core.forget();
    }

    /// No longer stops there; whether it did.
    pub fn remove_breakpoint(&mut self, address: u64) -> bool {
        self.core.forget();
        self.breakpoints.remove(&address)
    }

    /// Has the run stop after an instruction that uses some memory of a space.
    pub fn watch(&mut self, space: usize, watch: Watch) {
        self.memory(space, 0).into_iter().for_each(|pages| pages.watch(watch.clone()));
    }

    /// No longer stops there.
    pub fn unwatch(&mut self, space: usize, watch: &Watch) {
        self.memory(space, 0).into_iter().for_each(|pages| pages.unwatch(watch));
    }

    /// The text of the instruction at an address; empty where there is none.
    pub fn text(&mut self, address: u64) -> String {
        let Self { core, info, spaces, words, .. } = self;
        let fetched = fetch(info, spaces, words, &|unit| core.length_of(unit), address);
        fetched.map_or_else(|_| String::new(), |(word, bits)| core.text(word, bits, address))
    }

    /// Executes one instruction, in spite of a breakpoint; the next run passes the one at the instruction behind it.
    pub fn step(&mut self) -> Stopped {
        self.stopped_at = Some(self.pc);
        let stopped = self.run(1);
        self.stopped_at = Some(self.pc);
        stopped
    }

    /// Executes so many instructions at most. A breakpoint stops it each time that the program comes there: a run that begins at the
    /// stop before it goes on, and one that begins where a budget ended stops.
    pub fn run(&mut self, budget: u64) -> Stopped {
        self.drive(budget, None, &mut |_| true)
    }

    /// The same, and has each instruction be seen after it.
    pub fn run_traced(&mut self, budget: u64, trace: &mut dyn FnMut(&Traced<'_>)) -> Stopped {
        self.drive(budget, Some(trace), &mut |_| true)
    }

    /// Executes so many instructions at most, as long as a flag says so that another thread may take away. `executed` has how many
    /// there were, from time to time.
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
            let deadline = self.deadline.unwrap_or(u64::MAX).saturating_sub(self.steps).max(1);
            // After an interrupt one instruction is executed before the next.
            let most = if self.is_asked { 1 } else { QUANTUM.min(deadline) }.min(end - self.steps);
            let skips = self.stopped_at.take() == Some(self.pc);
            let supplied = Supplied { hart: self.hart, lines: self.lines, ..Supplied::default() };
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
