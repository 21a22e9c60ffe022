//! A machine as `gdbstub` sees it.

use super::arch::{Bytes, Described, Number};
use super::layout::Layout;
use super::stop::{exit_by, numbered, signal_of};
use gdbstub::common::Signal;
use gdbstub::stub::SingleThreadStopReason as Reason;
use gdbstub::target::ext::base::BaseOps;
use gdbstub::target::ext::base::single_register_access::{SingleRegisterAccess, SingleRegisterAccessOps};
use gdbstub::target::ext::base::singlethread::{
    SingleThreadBase, SingleThreadResume, SingleThreadResumeOps, SingleThreadSingleStep, SingleThreadSingleStepOps,
};
use gdbstub::target::ext::breakpoints::{
    Breakpoints, BreakpointsOps, HwBreakpoint, HwBreakpointOps, HwWatchpoint, HwWatchpointOps, SwBreakpoint, SwBreakpointOps,
    WatchKind,
};
use gdbstub::target::ext::target_description_xml_override::{TargetDescriptionXmlOverride, TargetDescriptionXmlOverrideOps};
use gdbstub::target::{Target, TargetError, TargetResult};
use isa_sim::{Denied, Exit, Hit, Machine, Pages, Stopped, Watch};
use std::collections::BTreeSet;
use std::convert::Infallible;

/// The limit of breakpoints and watchpoints: each is checked separately.
const MOST_POINTS: usize = 1024;
/// The number of instructions executed between checks for packets of GDB.
const SLICE: u64 = 100_000;
/// The error numbers of Linux.
const EFAULT: u8 = 14;
const EINVAL: u8 = 22;
const ENOSPC: u8 = 28;

/// The pace at which the program runs.
#[derive(Clone, Copy, Debug)]
enum Pace {
    Step,
    Run,
}

/// A stop, and a text for GDB's console.
pub(super) type Stop = (Reason<u64>, Option<String>);

/// A machine with the breakpoints and watchpoints of GDB, which are removed when this is dropped.
pub(super) struct Debugged<'m, 'e> {
    machine: &'m mut Machine<'e>,
    layout: Layout,
    /// The space that GDB sees.
    space: Option<usize>,
    /// Address, and whether it is a hardware breakpoint.
    breakpoints: BTreeSet<(u64, bool)>,
    watches: Vec<(Watch, WatchKind)>,
    pace: Pace,
    /// The last stop, if it was a fault: its address and signal.
    fault: Option<(u64, Signal)>,
    pending: Option<Stop>,
    exit: Option<Exit>,
}

impl<'m, 'e> Debugged<'m, 'e> {
    pub(super) fn new(machine: &'m mut Machine<'e>, isa: &str) -> Self {
        let layout = Layout::new(machine.info(), isa);
        let space = machine.info().program_space().or((!machine.info().spaces.is_empty()).then_some(0));
        let (breakpoints, watches) = (BTreeSet::new(), Vec::new());
        Self { machine, layout, space, breakpoints, watches, pace: Pace::Run, fault: None, pending: None, exit: None }
    }

    /// Bytes of all registers.
    pub(super) fn register_bytes(&self) -> usize {
        self.layout.bytes()
    }

    /// The end of the program, after it was reported.
    pub(super) fn exit(&self) -> Option<Exit> {
        self.exit.clone()
    }

    /// Returns true if packets of GDB are to be handled before the next instruction.
    pub(super) fn listens(&self) -> bool {
        matches!(self.pace, Pace::Run) && self.pending.is_none()
    }

    /// Executes some instructions; `None` if the program continues.
    pub(super) fn go(&mut self) -> Option<Stop> {
        self.pending.take().or_else(|| self.execute())
    }

    fn execute(&mut self) -> Option<Stop> {
        self.fault = None;
        let stopped = match self.pace {
            Pace::Step => self.machine.step(),
            Pace::Run => self.machine.run(SLICE),
        };
        let text = matches!(stopped, Stopped::Fault(_)).then(|| format!("{stopped}\n"));
        let reason = match stopped {
            Stopped::Budget => match self.pace {
                Pace::Step => Reason::DoneStep,
                Pace::Run => return None,
            },
            Stopped::Breakpoint(at) => match self.breakpoints.range((at, false)..=(at, true)).next() {
                Some((_, true)) => Reason::HwBreak(()),
                _ => Reason::SwBreak(()),
            },
            Stopped::Watch(hit) => self.watched(hit),
            Stopped::Exit(exit) => {
                let reason = match &exit {
                    Exit::Status(status) => Reason::Exited(*status as u8),
                    Exit::Signal(number, _) => Reason::Terminated(numbered(*number)),
                };
                self.exit = Some(exit);
                reason
            }
            Stopped::Fault(fault) => {
                let signal = signal_of(&fault.kind);
                self.fault = Some((fault.pc, signal));
                Reason::SignalWithThread { tid: (), signal }
            }
        };
        Some((reason, text))
    }

    /// The stop after an access; its address is a watched one.
    fn watched(&self, hit: Hit) -> Reason<u64> {
        match self.watches.iter().find(|(watch, _)| watch.sees(&hit)) {
            Some((watch, kind)) => Reason::Watch { tid: (), kind: *kind, addr: hit.address.max(*watch.at.start()) },
            None => Reason::SignalWithThread { tid: (), signal: Signal::SIGTRAP },
        }
    }

    fn start(&mut self, pace: Pace, signal: Option<Signal>) {
        self.pace = pace;
        self.pending = None;
        if let Some((at, fault)) = self.fault
            && signal == Some(fault)
            && at == self.machine.pc()
        {
            // The program receives the signal of its fault, and has no handler for it.
            self.exit = Some(exit_by(fault));
            self.pending = Some((Reason::Terminated(fault), None));
        }
    }

    fn memory(&mut self) -> Option<&mut Pages> {
        self.machine.memory(self.space?, 0)
    }

    fn add_breakpoint(&mut self, at: u64, is_hard: bool) -> TargetResult<bool, Self> {
        if self.breakpoints.len() >= MOST_POINTS {
            return Err(TargetError::Errno(ENOSPC));
        }
        self.breakpoints.insert((at, is_hard));
        self.machine.add_breakpoint(at);
        Ok(true)
    }

    fn remove_breakpoint(&mut self, at: u64, is_hard: bool) -> bool {
        let had = self.breakpoints.remove(&(at, is_hard));
        if had && !self.breakpoints.contains(&(at, !is_hard)) {
            self.machine.remove_breakpoint(at);
        }
        had
    }

    fn write(&mut self, number: usize, bytes: &[u8]) -> TargetResult<(), Self> {
        let slot = self.layout.slots.get(number).filter(|slot| slot.bytes == bytes.len()).ok_or(TargetError::Errno(EINVAL))?;
        let value = self.layout.value(bytes);
        match slot.register {
            Some(register) => register.set(self.machine.state_mut(), value),
            None if value as u64 != self.machine.pc() => self.machine.set_pc(value as u64),
            None => {}
        }
        Ok(())
    }
}

impl Drop for Debugged<'_, '_> {
    fn drop(&mut self) {
        for (at, _) in &self.breakpoints {
            self.machine.remove_breakpoint(*at);
        }
        for (watch, _) in &self.watches {
            self.machine.unwatch(self.space.unwrap_or(0), watch);
        }
    }
}

impl Target for Debugged<'_, '_> {
    type Arch = Described;
    type Error = Infallible;

    fn base_ops(&mut self) -> BaseOps<'_, Described, Infallible> {
        BaseOps::SingleThread(self)
    }

    fn support_breakpoints(&mut self) -> Option<BreakpointsOps<'_, Self>> {
        Some(self)
    }

    fn support_target_description_xml_override(&mut self) -> Option<TargetDescriptionXmlOverrideOps<'_, Self>> {
        Some(self)
    }
}

impl TargetDescriptionXmlOverride for Debugged<'_, '_> {
    fn target_description_xml(&self, annex: &[u8], offset: u64, length: usize, buf: &mut [u8]) -> TargetResult<usize, Self> {
        if annex != b"target.xml" {
            return Err(TargetError::NonFatal);
        }
        let from = usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = self.layout.xml.as_bytes().get(from..).unwrap_or_default();
        let count = rest.len().min(length).min(buf.len());
        buf[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

impl SingleThreadBase for Debugged<'_, '_> {
    fn read_registers(&mut self, to: &mut Bytes) -> TargetResult<(), Self> {
        let (state, pc) = (self.machine.state(), self.machine.pc());
        to.0 = self.layout.slots.iter().flat_map(|slot| self.layout.read(slot, state, pc)).collect();
        Ok(())
    }

    fn write_registers(&mut self, from: &Bytes) -> TargetResult<(), Self> {
        if from.0.len() != self.layout.bytes() {
            return Err(TargetError::Errno(EINVAL));
        }
        let mut rest = from.0.as_slice();
        for number in 0..self.layout.slots.len() {
            let (bytes, behind) = rest.split_at(self.layout.slots[number].bytes);
            self.write(number, bytes)?;
            rest = behind;
        }
        Ok(())
    }

    fn support_single_register_access(&mut self) -> Option<SingleRegisterAccessOps<'_, (), Self>> {
        Some(self)
    }

    fn read_addrs(&mut self, at: u64, data: &mut [u8]) -> TargetResult<usize, Self> {
        let memory = self.memory().ok_or(TargetError::Errno(EFAULT))?;
        let there = match memory.peek(at, data) {
            Ok(()) => return Ok(data.len()),
            Err(Denied::Unmapped(end)) if end > at => ((end - at) as usize).min(data.len()),
            Err(_) => return Err(TargetError::Errno(EFAULT)),
        };
        memory.peek(at, &mut data[..there]).map_err(|_| TargetError::Errno(EFAULT))?;
        Ok(there)
    }

    fn write_addrs(&mut self, at: u64, data: &[u8]) -> TargetResult<(), Self> {
        let memory = self.memory().ok_or(TargetError::Errno(EFAULT))?;
        memory.poke(at, data).map_err(|_| TargetError::Errno(EFAULT))?;
        self.machine.refetch();
        Ok(())
    }

    fn support_resume(&mut self) -> Option<SingleThreadResumeOps<'_, Self>> {
        Some(self)
    }
}

impl SingleRegisterAccess<()> for Debugged<'_, '_> {
    fn read_register(&mut self, (): (), Number(number): Number, buf: &mut [u8]) -> TargetResult<usize, Self> {
        let slot = self.layout.slots.get(number).ok_or(TargetError::Errno(EINVAL))?;
        let bytes = self.layout.read(slot, self.machine.state(), self.machine.pc());
        buf.get_mut(..bytes.len()).ok_or(TargetError::NonFatal)?.copy_from_slice(&bytes);
        Ok(bytes.len())
    }

    fn write_register(&mut self, (): (), Number(number): Number, bytes: &[u8]) -> TargetResult<(), Self> {
        self.write(number, bytes)
    }
}

impl SingleThreadResume for Debugged<'_, '_> {
    fn resume(&mut self, signal: Option<Signal>) -> Result<(), Infallible> {
        self.start(Pace::Run, signal);
        Ok(())
    }

    fn support_single_step(&mut self) -> Option<SingleThreadSingleStepOps<'_, Self>> {
        Some(self)
    }
}

impl SingleThreadSingleStep for Debugged<'_, '_> {
    fn step(&mut self, signal: Option<Signal>) -> Result<(), Infallible> {
        self.start(Pace::Step, signal);
        Ok(())
    }
}

impl Breakpoints for Debugged<'_, '_> {
    fn support_sw_breakpoint(&mut self) -> Option<SwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_breakpoint(&mut self) -> Option<HwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_watchpoint(&mut self) -> Option<HwWatchpointOps<'_, Self>> {
        Some(self)
    }
}

impl SwBreakpoint for Debugged<'_, '_> {
    fn add_sw_breakpoint(&mut self, at: u64, _kind: usize) -> TargetResult<bool, Self> {
        self.add_breakpoint(at, false)
    }

    fn remove_sw_breakpoint(&mut self, at: u64, _kind: usize) -> TargetResult<bool, Self> {
        Ok(self.remove_breakpoint(at, false))
    }
}

impl HwBreakpoint for Debugged<'_, '_> {
    fn add_hw_breakpoint(&mut self, at: u64, _kind: usize) -> TargetResult<bool, Self> {
        self.add_breakpoint(at, true)
    }

    fn remove_hw_breakpoint(&mut self, at: u64, _kind: usize) -> TargetResult<bool, Self> {
        Ok(self.remove_breakpoint(at, true))
    }
}

/// The memory that a watchpoint watches; `None` if it has no bytes.
fn watch_of(at: u64, bytes: u64, kind: WatchKind) -> Option<Watch> {
    let last = at.saturating_add(bytes.checked_sub(1)?);
    Some(Watch { at: at..=last, reads: kind != WatchKind::Write, writes: kind != WatchKind::Read })
}

impl HwWatchpoint for Debugged<'_, '_> {
    fn add_hw_watchpoint(&mut self, at: u64, bytes: u64, kind: WatchKind) -> TargetResult<bool, Self> {
        let (Some(watch), Some(space)) = (watch_of(at, bytes, kind), self.space) else { return Ok(false) };
        if self.watches.iter().any(|known| *known == (watch.clone(), kind)) {
            return Ok(true);
        }
        if self.watches.len() >= MOST_POINTS {
            return Err(TargetError::Errno(ENOSPC));
        }
        self.machine.watch(space, watch.clone());
        self.watches.push((watch, kind));
        Ok(true)
    }

    fn remove_hw_watchpoint(&mut self, at: u64, bytes: u64, kind: WatchKind) -> TargetResult<bool, Self> {
        let (Some(watch), Some(space)) = (watch_of(at, bytes, kind), self.space) else { return Ok(false) };
        let known = self.watches.iter().position(|known| *known == (watch.clone(), kind));
        if let Some(known) = known {
            self.watches.remove(known);
            self.machine.unwatch(space, &watch);
        }
        Ok(known.is_some())
    }
}
