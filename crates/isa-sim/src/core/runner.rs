//! Executes instructions, compiled for each engine.

use super::code::{Code, NONE, Words};
use super::{MOST_CALLS, Register, Traced};
use crate::engine::{Engine, Flow, State, Step, Supplied};
use crate::fault::{FaultKind, NotExecutable};
use crate::memory::{Access, CoreSpace, Memories, Trouble, TroubleKind};
use isa_runtime::U256;
use isa_runtime::action::Action;
use isa_runtime::machine::{MachineInfo, Routine};
use isa_runtime::word::ones;
use std::collections::BTreeSet;

/// The surroundings of a run besides registers and instructions.
pub struct World<'m> {
    pub(super) info: &'m MachineInfo,
    pub(super) spaces: &'m mut [CoreSpace],
    pub(super) words: &'m Words,
    pub(super) pc: &'m mut u64,
    pub(super) steps: &'m mut u64,
    pub(super) variants: &'m [usize],
    pub(super) supplied: Supplied,
    pub(super) calls: &'m mut Vec<u64>,
    pub(super) breakpoints: &'m BTreeSet<u64>,
    /// The limit of instructions.
    pub(super) most: u64,
    /// A breakpoint at the first instruction is ignored.
    pub(super) skips: bool,
}

/// The event that ends a sequence of instructions.
#[derive(Debug)]
pub enum Event {
    /// The limit of instructions is reached.
    Budget,
    /// The next one has a breakpoint.
    Breakpoint,
    /// An instruction can't be executed.
    Fault(Box<FaultKind>),
    /// `exit`
    Exit,
    /// `host`; the program continues at an address.
    Host { next: u64 },
    /// `raise`, in the place of an instruction, which is followed by the one at an address.
    Raise { cause: u64, value: u64, next: u64 },
    /// `raise` between two instructions.
    Interrupt { cause: u64, value: u64 },
    /// The conditions of interrupts may have changed.
    Ask,
    /// Watched memory was accessed.
    Hit,
}

impl From<FaultKind> for Event {
    fn from(kind: FaultKind) -> Self {
        Self::Fault(Box::new(kind))
    }
}

/// An observer of each instruction.
pub(super) type Watcher<'t> = &'t mut dyn FnMut(&Traced<'_>);

/// A core with the registers and instructions of some engine.
pub trait Core {
    /// Registers.
    fn state(&self) -> &dyn State;
    /// Registers, for writing.
    fn state_mut(&mut self) -> &mut dyn State;
    /// True if the machine has this routine.
    fn has(&self, routine: Routine) -> bool;
    /// Runs a routine of the machine.
    fn routine(&mut self, routine: Routine, step: &mut Step<'_>);
    /// Executes instructions.
    fn run(&mut self, world: &mut World<'_>, trace: Option<Watcher<'_>>) -> Event;
    /// Drops the prepared instructions.
    fn forget(&mut self);
    /// Bits of the word that begins with this unit.
    fn length_of(&self, unit: U256) -> Option<u32>;
    /// The word of the prepared instruction at an address, and its bits.
    fn word_at(&self, address: u64) -> Option<(U256, u32)>;
    /// The text of a word of `bits` bits.
    fn text(&self, word: U256, bits: u32, address: u64) -> String;
}

/// The word at an address: from memory, or from a program that is not in memory.
pub(super) fn fetch(
    info: &MachineInfo,
    spaces: &mut [CoreSpace],
    words: &Words,
    length_of: &dyn Fn(U256) -> Option<u32>,
    address: u64,
) -> Result<(U256, u32), FaultKind> {
    let Some(space) = info.program_space() else { return words.at(address).ok_or(FaultKind::NoInstruction) };
    let mut bytes = [0; 32];
    let unit = info.units.bytes().clamp(1, bytes.len());
    let mut read = |at: u64, bytes: &mut [u8]| {
        let pages = &mut spaces[space].banks[0];
        pages.read(at, bytes, Access::Fetch).map_err(|denied| {
            let kind = TroubleKind::of(denied, pages.last());
            let (bytes, size) = (bytes.len() as u32, pages.last().saturating_add(1));
            FaultKind::memory(Trouble { kind, space, bank: 0, address: at, bytes, size, access: Access::Fetch, lanes: 1 }, info)
        })
    };
    read(address, &mut bytes[..unit])?;
    let first = info.units.read(&bytes[..unit]);
    let Some(bits) = length_of(first) else {
        let why = format!("no word begins with {first:#x}");
        return Err(FaultKind::NotExecutable(NotExecutable::Illegal(why)));
    };
    let length = (bits.div_ceil(8) as usize).min(bytes.len());
    if length > unit {
        read(address.wrapping_add(unit as u64), &mut bytes[unit..length])?;
    }
    Ok((info.units.read(&bytes[..length]), bits))
}

/// The registers of a core, and its prepared instructions.
pub(crate) struct Runner<'e, E: Engine> {
    engine: &'e E,
    state: E::State,
    code: Code<E::Op>,
}

impl<'e, E: Engine> Runner<'e, E> {
    pub(crate) fn new(engine: &'e E) -> Self {
        Self { engine, state: engine.state(), code: Code::new() }
    }
}

impl<E: Engine> Core for Runner<'_, E> {
    fn state(&self) -> &dyn State {
        &self.state
    }

    fn state_mut(&mut self) -> &mut dyn State {
        &mut self.state
    }

    fn has(&self, routine: Routine) -> bool {
        self.engine.has(routine)
    }

    fn routine(&mut self, routine: Routine, step: &mut Step<'_>) {
        self.engine.routine(routine, &mut self.state, step);
    }

    fn forget(&mut self) {
        self.code.forget();
    }

    fn length_of(&self, unit: U256) -> Option<u32> {
        self.engine.length_of(unit)
    }

    fn word_at(&self, address: u64) -> Option<(U256, u32)> {
        self.code.word_at(address)
    }

    fn text(&self, word: U256, bits: u32, address: u64) -> String {
        self.engine.text(word, bits, address)
    }

    fn run(&mut self, world: &mut World<'_>, mut trace: Option<Watcher<'_>>) -> Event {
        let World { info, spaces, words, pc: at, steps: done, variants, supplied, calls, breakpoints, most, skips } = world;
        let Self { engine, state, code } = self;
        let reach = ones(info.pc);
        let coherent = info.program_space().filter(|space| info.spaces[*space].coherent);
        let mut step = Step {
            active: 1,
            pc: **at,
            next: **at,
            memory: Memories::of_core(spaces),
            launch_values: &[],
            variants,
            supplied: *supplied,
            flow: Flow::default(),
        };
        let (begun, end) = (**done, done.saturating_add(*most));
        let (mut steps, mut pc) = (begun, **at);
        // The number of the previous instruction.
        let mut before = NONE;
        let mut changed: Vec<(Register, u128)> = Vec::new();
        let event = loop {
            if steps >= end {
                break Event::Budget;
            }
            let has_breakpoint = !breakpoints.is_empty() && breakpoints.contains(&pc);
            if has_breakpoint && !(*skips && steps == begun) {
                break Event::Breakpoint;
            }
            let first = match code.linked(before, pc) {
                Some(first) => first,
                None => {
                    let fetch = || {
                        let word = fetch(info, step.memory.core(), words, &|unit| engine.length_of(unit), pc)?;
                        if let Some(space) = coherent {
                            step.memory.core()[space].banks[0].note_code(pc, word.1.div_ceil(8).into());
                        }
                        Ok(word)
                    };
                    match code.link(before, *engine, pc, has_breakpoint, fetch) {
                        Ok(first) => first,
                        Err(kind) => break kind.into(),
                    }
                }
            };
            if trace.is_some() {
                code.show(first, *engine);
            }
            let straight = code.straight(first, end - steps);
            let from = steps;
            match &mut trace {
                None => {
                    for here in straight {
                        (step.pc, step.next, step.memory.now) = (here.address, here.next, steps);
                        engine.execute(&here.op, state, &mut step);
                        steps += 1;
                        if step.has_news() {
                            break;
                        }
                    }
                }
                Some(trace) => {
                    let here = &straight[0];
                    (step.pc, step.next, step.memory.now) = (here.address, here.next, steps);
                    let ((word, bits), shown) = code.shown(first).expect("it was just kept");
                    let written = || shown.writes.iter().flat_map(|write| Register::of_write(*write, info));
                    changed.clear();
                    changed.extend(written().map(|register| (register, register.get(state))));
                    engine.execute(&here.op, state, &mut step);
                    changed.retain_mut(|(register, value)| std::mem::replace(value, register.get(state)) != *value);
                    let (pc, text) = (here.address, &shown.text);
                    let is_interrupted = step.memory.has_news() || step.flow.is_rare();
                    trace(&Traced { info, pc, word, bits, text, changed: &changed, after: state, is_interrupted });
                    steps += 1;
                }
            }
            let executed = (steps - from) as usize;
            before = first + executed as u32 - 1;
            if !step.memory.has_news() {
                if step.flow.is_plain() {
                    pc = straight[executed - 1].next & reach;
                    continue;
                }
                if let Some(target) = step.flow.take_branch_of_all(1) {
                    pc = target & reach;
                    continue;
                }
            }
            let settled = settle(&mut step, info, calls);
            pc = settled.pc;
            steps -= u64::from(!settled.was_executed);
            if settled.has_new_code {
                code.forget();
            }
            if let Some(event) = settled.event {
                break event;
            }
        };
        **at = pc;
        **done = steps;
        event
    }
}

/// The outcome of an instruction.
struct Settled {
    /// The address where the program continues, or that of the instruction itself.
    pc: u64,
    event: Option<Event>,
    was_executed: bool,
    /// Stores into code take effect from now on.
    has_new_code: bool,
}

/// Handles all requests of an instruction except the next one and branches, and accesses that need special treatment.
#[cold]
#[inline(never)]
fn settle(step: &mut Step<'_>, info: &MachineInfo, calls: &mut Vec<u64>) -> Settled {
    let (here, next) = (step.pc, step.next & ones(info.pc));
    let stays = |event: Event| Settled { pc: here, event: Some(event), was_executed: true, has_new_code: false };
    let is_not_executed = |event: Event| Settled { was_executed: false, ..stays(event) };
    if let Some(trouble) = step.memory.take_trouble() {
        return is_not_executed(FaultKind::memory(trouble, info).into());
    }
    let hit = step.memory.take_hit().then_some(Event::Hit);
    let (way, wanted) = (way(&step.flow, next, info, calls), *step.flow.wanted());
    step.flow.clear();
    let pc = match way {
        Ok(pc) => pc,
        Err(event) if wanted[Action::Raise] | wanted[Action::Illegal] | wanted[Action::Undescribed] != 0 => {
            return is_not_executed(event);
        }
        Err(event) => return stays(event),
    };
    let event = hit.or((wanted[Action::Ask] != 0).then_some(Event::Ask));
    Settled { pc, event, was_executed: true, has_new_code: wanted[Action::Refetch] != 0 }
}

/// The address at which a program continues after these control-flow requests, `next` by default; or the event that comes first.
pub(super) fn way(flow: &Flow, next: u64, info: &MachineInfo, calls: &mut Vec<u64>) -> Result<u64, Event> {
    let (wanted, target) = (flow.wanted(), flow.target(0) & ones(info.pc));
    if let Some((cause, value)) = flow.raised() {
        Err(Event::Raise { cause, value, next })
    } else if wanted[Action::Trap] != 0 {
        Err(FaultKind::Trap.into())
    } else if wanted[Action::Illegal] != 0 {
        Err(FaultKind::NotExecutable(NotExecutable::defined()).into())
    } else if wanted[Action::Undescribed] != 0 {
        Err(FaultKind::NotExecutable(NotExecutable::Unsaid).into())
    } else if wanted[Action::Exit] != 0 {
        Err(Event::Exit)
    } else if wanted[Action::Host] != 0 {
        Err(Event::Host { next })
    } else if wanted[Action::Call] != 0 {
        if calls.len() >= MOST_CALLS {
            return Err(FaultKind::CallOverflow(MOST_CALLS).into());
        }
        calls.push(next);
        Ok(target)
    } else if wanted[Action::Ret] != 0 {
        calls.pop().ok_or(Event::Exit)
    } else if wanted[Action::Branch] != 0 {
        Ok(target)
    } else {
        Ok(next & ones(info.pc))
    }
}
