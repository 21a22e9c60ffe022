//! Events between instructions: faults and the machine's reactions to them, interrupts, devices, and answers of hosts.

use super::runner::{Event, fetch, way};
use super::{Answer, Exit, Guest, Host, Machine, Stopped};
use crate::device::Device;
use crate::engine::{Flow, Step, Supplied};
use crate::fault::{Fault, FaultKind, NotExecutable};
use crate::memory::{Access, Hit, Memories, Pages, Rights, TroubleKind};
use isa_runtime::action::Action;
use isa_runtime::machine::Routine;
use isa_runtime::word::ones;
use std::fmt;
use std::ops::RangeInclusive;

/// A reason why a device can't be at its addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadRegion {
    /// The machine has no such memory space, or it has banks.
    NoSpace,
    /// The addresses are not all within the space, which ends at this one.
    Outside(u64),
    /// Another device is at this address.
    Overlap(u64),
    /// The machine has no such line.
    NoLine,
}

impl fmt::Display for BadRegion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSpace => f.write_str("there is no such memory space, or it has banks"),
            Self::Outside(last) => write!(f, "the memory space ends at {last:#x}"),
            Self::Overlap(at) => write!(f, "another device is at {at:#x}"),
            Self::NoLine => f.write_str("the machine has no such line"),
        }
    }
}

impl std::error::Error for BadRegion {}

impl<'e> Machine<'e> {
    /// Attaches a device at addresses of a space, from `at` up, in the place of memory. It can drive a line, and its time
    /// advances by one every `every` instructions.
    ///
    /// # Errors
    /// When it can't be there.
    pub fn attach(
        &mut self,
        space: usize,
        at: u64,
        device: Box<dyn Device>,
        line: Option<usize>,
        every: u64,
    ) -> Result<(), BadRegion> {
        let lines = self.info.lines.len();
        let of = self.spaces.get_mut(space).filter(|space| space.banks.len() == 1).ok_or(BadRegion::NoSpace)?;
        let reach = of.banks[0].last();
        let last = at.checked_add(device.size().max(1) - 1).filter(|last| *last <= reach).ok_or(BadRegion::Outside(reach))?;
        if let Some(other) = of.devices().find(|other| *other.start() <= last && at <= *other.end()) {
            return Err(BadRegion::Overlap(at.max(*other.start())));
        }
        if line.is_some_and(|line| line >= lines) {
            return Err(BadRegion::NoLine);
        }
        of.attach(at..=last, device, line, every);
        self.interrupts.deadline = Some(0);
        Ok(())
    }

    /// Restricts the memory of a space to these addresses, to those given by earlier calls, and to those of devices.
    pub fn give_memory(&mut self, space: usize, at: RangeInclusive<u64>, rights: Rights) {
        if let Some(pages) = self.memory(space, 0) {
            pages.give(at, rights);
        }
    }

    /// Performs a routine of the specification; nothing if there is none.
    ///
    /// # Errors
    /// When an access to memory faults, which ends it.
    pub fn perform(&mut self, routine: Routine) -> Result<(), FaultKind> {
        self.interrupts.is_asked = true;
        self.routine(routine, Supplied::default(), self.pc).map(|_| ())
    }

    fn has_routine(&self, routine: Routine) -> bool {
        self.core.has(routine)
    }

    /// Runs a routine of the machine.
    pub(super) fn routine(&mut self, routine: Routine, supplied: Supplied, next: u64) -> Result<Flow, FaultKind> {
        let supplied = Supplied { hart: self.hart, lines: self.interrupts.lines, ..supplied };
        let mut step = Step {
            active: 1,
            pc: self.pc,
            next,
            memory: Memories::of_core(&mut self.spaces),
            launch_values: &[],
            variants: &self.variants,
            supplied,
            flow: Flow::default(),
        };
        step.memory.now = self.steps;
        self.core.routine(routine, &mut step);
        if step.memory.take_hit() {
            // It may have accessed a device.
            self.interrupts.deadline = Some(0);
        }
        match step.memory.take_trouble() {
            Some(trouble) => Err(FaultKind::memory(trouble, &self.info)),
            None => Ok(step.flow),
        }
    }

    /// Polls devices whose time has come, and returns an interrupt before the next instruction if there is one.
    pub(super) fn before(&mut self) -> Option<Event> {
        if let Ok(pages) = self.program()
            && pages.take_new_code()
        {
            self.core.forget();
        }
        if self.interrupts.deadline.is_some_and(|deadline| deadline <= self.steps) {
            let (old, mut lines, mut again) = (self.interrupts.lines, 0, None::<u64>);
            for space in &mut self.spaces {
                let (active, next) = space.signals(self.steps);
                lines |= active;
                again = again.into_iter().chain(next).min();
            }
            (self.interrupts.lines, self.interrupts.deadline) = (lines, again);
            self.interrupts.is_asked |= lines != old;
        }
        if !self.interrupts.is_asked || self.interrupts.interrupted_at == Some(self.steps) {
            return None;
        }
        self.interrupts.is_asked = false;
        if !self.has_routine(Routine::Interrupts) {
            return None;
        }
        match self.routine(Routine::Interrupts, Supplied::default(), self.pc) {
            Err(kind) => Some(kind.into()),
            Ok(flow) => {
                let (cause, value) = flow.raised()?;
                // One instruction is executed between two interrupts.
                self.interrupts.interrupted_at = Some(self.steps);
                Some(Event::Interrupt { cause, value })
            }
        }
    }

    /// Raises a cause in the place of the current instruction, which is followed by `next`. If the machine then ends by a trap,
    /// as without a handler, `why` is the reason of the end.
    fn raise(&mut self, (cause, value): (u64, u64), next: u64, why: FaultKind) -> Option<Stopped> {
        if !self.host_leaves_faults() {
            return Some(self.fault(why));
        }
        if self.interrupts.raised_at.replace(self.steps) == Some(self.steps) {
            return Some(self.fault(FaultKind::RaisedAgain(cause, value)));
        }
        self.enter(cause, value, next, why)
    }

    /// Takes an interrupt before the next instruction.
    fn interrupt(&mut self, cause: u64, value: u64) -> Option<Stopped> {
        if !self.host_leaves_faults() {
            return Some(self.fault(FaultKind::Raised(cause, value)));
        }
        // The first instruction of the handler can raise.
        self.interrupts.raised_at = None;
        self.enter(cause, value, self.pc, FaultKind::Raised(cause, value))
    }

    /// Runs the machine's handler for a cause; the reason of a trap is `why`.
    fn enter(&mut self, cause: u64, value: u64, next: u64, why: FaultKind) -> Option<Stopped> {
        match self.routine(Routine::Raise, Supplied { cause, value, ..Supplied::default() }, next) {
            Err(kind) => Some(self.fault(kind)),
            Ok(flow) => self.follow(&flow, next, why),
        }
    }

    /// Executes the control-flow requests of a routine; the reason of a trap is `why`.
    fn follow(&mut self, flow: &Flow, next: u64, why: FaultKind) -> Option<Stopped> {
        self.interrupts.is_asked = true;
        if flow.wanted()[Action::Refetch] != 0 {
            self.core.forget();
        }
        match way(flow, next, &self.info, &mut self.calls) {
            Ok(pc) => {
                self.pc = pc;
                None
            }
            Err(Event::Raise { cause, value, next }) => self.raise((cause, value), next, why),
            Err(Event::Fault(kind)) => Some(self.fault(if *kind == FaultKind::Trap { why } else { *kind })),
            Err(event) => self.event(event),
        }
    }

    fn host_leaves_faults(&self) -> bool {
        self.host.as_ref().is_none_or(|host| host.leaves_faults())
    }

    /// Handles a fault: by the machine's routine, or by the end of the run.
    fn meet(&mut self, kind: FaultKind) -> Option<Stopped> {
        if !self.host_leaves_faults() {
            return Some(self.fault(kind));
        }
        let (routine, supplied) = match &kind {
            FaultKind::Memory { trouble, .. } => {
                let routine = match trouble.kind {
                    _ if trouble.access == Access::Fetch => Routine::Fetch,
                    TroubleKind::Misaligned => Routine::Misaligned,
                    // The limit of the simulator's memory is reached.
                    TroubleKind::Full(_) => return Some(self.fault(kind)),
                    _ => Routine::Access,
                };
                let at = match trouble.kind {
                    TroubleKind::Unmapped(at) | TroubleKind::Protected(at) if routine == Routine::Fetch => at,
                    _ => trouble.address,
                };
                (routine, Supplied { address: at, write: trouble.access == Access::Write, ..Supplied::default() })
            }
            FaultKind::NotExecutable(NotExecutable::Illegal(_)) => {
                (Routine::Illegal, Supplied { word: self.word_at(self.pc), ..Supplied::default() })
            }
            FaultKind::NoInstruction => (Routine::Fetch, Supplied { address: self.pc, ..Supplied::default() }),
            FaultKind::Trap => (Routine::Trap, Supplied::default()),
            FaultKind::NoHost => (Routine::Host, Supplied::default()),
            _ => return Some(self.fault(kind)),
        };
        if !self.has_routine(routine) {
            return Some(self.fault(kind));
        }
        let steps = self.steps;
        if matches!(routine, Routine::Trap | Routine::Host) {
            // Something is raised in its place: it was not executed.
            self.steps = steps.saturating_sub(1);
        }
        let next = self.following();
        match self.routine(routine, supplied, next) {
            Err(kind) => Some(self.fault(kind)),
            // The routine raises nothing and jumps nowhere: the fault ends the run.
            Ok(flow) if flow.is_plain() => {
                self.steps = steps;
                Some(self.fault(kind))
            }
            Ok(flow) => self.follow(&flow, next, kind),
        }
    }

    /// The address after the current instruction; its own address if it can't be fetched.
    fn following(&mut self) -> u64 {
        let bits = self.word(self.pc).map_or(0, |(_, bits)| bits);
        self.pc.wrapping_add(u64::from(bits.div_ceil(8))) & ones(self.info.pc)
    }

    /// The low bits of the word at an address, or of the existing part of it.
    fn word_at(&mut self, address: u64) -> u64 {
        let word = self.word(address);
        let Self { info, spaces, words, .. } = self;
        let part = |_| fetch(info, spaces, words, &|_| Some(info.units.bits), address);
        word.or_else(part).map_or(0, |(word, _)| word.limbs()[0])
    }

    /// Handles an event; `None` if the run continues.
    pub(super) fn event(&mut self, event: Event) -> Option<Stopped> {
        if matches!(event, Event::Raise { .. } | Event::Fault(_) | Event::Host { .. } | Event::Hit) {
            // The instruction may have accessed a device before.
            self.interrupts.deadline = Some(0);
        }
        match event {
            Event::Budget => None,
            Event::Ask => {
                self.interrupts.is_asked = true;
                None
            }
            Event::Interrupt { cause, value } => self.interrupt(cause, value).or_else(|| self.used()),
            Event::Raise { cause, value, next } => {
                let raised = self.raise((cause, value), next, FaultKind::Raised(cause, value));
                raised.or_else(|| self.used())
            }
            Event::Breakpoint => Some(Stopped::Breakpoint(self.pc)),
            Event::Fault(kind) => self.meet(*kind).or_else(|| self.used()),
            Event::Exit => Some(self.exit(Exit::Status(0))),
            Event::Hit => {
                self.interrupts.is_asked = true;
                self.used()
            }
            Event::Host { next } => {
                let at = self.pc;
                self.pc = next;
                self.interrupts.is_asked = true;
                match self.ask(|host, guest| host.call(guest)) {
                    Some(Answer::Nothing) | None => {
                        self.pc = at;
                        self.meet(FaultKind::NoHost)
                    }
                    Some(Answer::Fault(why)) => {
                        self.pc = at;
                        Some(self.fault(FaultKind::Host(why)))
                    }
                    Some(answer) => {
                        let stopped = self.answer(answer);
                        // The host may have accessed watched memory for the program.
                        stopped.or_else(|| self.take_hit().map(Stopped::Watch))
                    }
                }
            }
        }
    }

    /// Handles an access to watched memory.
    fn used(&mut self) -> Option<Stopped> {
        let hit = self.take_hit()?;
        match self.ask(|host, guest| host.used(guest, hit)) {
            Some(Answer::Nothing) | None => Some(Stopped::Watch(hit)),
            Some(answer) => self.answer(answer),
        }
    }

    fn take_hit(&mut self) -> Option<Hit> {
        self.spaces.iter_mut().flat_map(|space| &mut space.banks).find_map(Pages::take_hit)
    }

    fn answer(&mut self, answer: Answer) -> Option<Stopped> {
        match answer {
            Answer::GoOn | Answer::Nothing => None,
            Answer::Exit(exit) => Some(self.exit(exit)),
            Answer::Fault(why) => Some(self.fault(FaultKind::Host(why))),
        }
    }

    /// The answer of the host; `None` without one.
    fn ask(&mut self, ask: impl FnOnce(&mut dyn Host, &mut Guest<'_>) -> Answer) -> Option<Answer> {
        let mut host = self.host.take()?;
        let mut guest = self.guest();
        let answer = ask(&mut *host, &mut guest);
        let changed = guest.code_has_changed();
        if changed {
            self.core.forget();
        }
        self.host = Some(host);
        Some(answer)
    }

    fn exit(&mut self, exit: Exit) -> Stopped {
        self.ended = Some(exit.clone());
        Stopped::Exit(exit)
    }

    fn fault(&mut self, kind: FaultKind) -> Stopped {
        // The fault itself contains the reason why a word is not an instruction.
        let text =
            if matches!(kind, FaultKind::NotExecutable(NotExecutable::Illegal(_))) { String::new() } else { self.text(self.pc) };
        Stopped::Fault(Box::new(Fault { kind, pc: self.pc, text, place: None }))
    }
}
