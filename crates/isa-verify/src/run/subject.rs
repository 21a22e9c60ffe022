//! Programs on an engine, each on a machine of its own.

use super::harness::{Harness, Outcome};
use super::programs::Program;
use isa_reference::eval::Reference;
use isa_sim::{AnyEngine, Fault, Machine, Rights, Stopped, Watch};
use isa_stream::Stop;

/// An engine that runs programs.
pub(super) struct Subject<'a> {
    pub(super) reference: &'a Reference<'a>,
    pub(super) engine: &'a dyn AnyEngine,
    pub(super) harness: &'a Harness,
}

/// The instructions of the harness around a program, and those of a program with its traps.
const AROUND: u64 = 1 << 20;
const PROGRAM: u64 = 3000;
/// The bytes of the first instruction of a handler, and more: an instruction that raises does not count, so a step may execute it.
const ENTRY: u64 = 8;

impl Subject<'_> {
    /// The outcome of a program; `None` if it uses memory or code that is not its own, or does not end.
    pub(super) fn run(&self, program: &Program) -> Result<Option<Outcome>, Stop> {
        let failed = |why: &dyn std::fmt::Display| Stop::new(why.to_string());
        let harness = self.harness;
        let mut machine = Machine::new(self.engine).map_err(|why| failed(&why))?;
        let space = machine.info().program_space().ok_or_else(|| Stop::new("no memory of this machine holds programs"))?;
        let (enter, finish, send) = (harness.at("enter"), harness.at("finish"), harness.at("send"));
        machine.give_memory(space, harness.base..=harness.base + (harness.memory - 1), Rights::ALL);
        harness.avoid.iter().for_each(|at| machine.give_memory(space, at.clone(), Rights::ALL));
        let image = harness.image(&[&program.bytes(self.reference.isa(), harness.code)]);
        machine.load(harness.base, &image).map_err(|why| failed(&why))?;
        machine.set_pc(harness.base);
        machine.add_breakpoint(enter);
        machine.add_breakpoint(send);
        let unexpected = |stopped: &Stopped| Stop::new(format!("the harness does not come to `enter` and `send`: {stopped}"));
        match machine.run(AROUND) {
            Stopped::Breakpoint(at) if at == enter => {}
            other => return Err(unexpected(&other)),
        }
        let watches = self.watches();
        watches.iter().for_each(|watch| machine.watch(space, watch.clone()));
        let (slot, handler) = (harness.at("slot")..harness.at("slot_end"), harness.at("handler"));
        let (mut left, mut is_own) = (PROGRAM, false);
        while machine.pc() != finish {
            // A program leaves its code by a trap, and the harness returns to it.
            let pc = machine.pc();
            let may_be = slot.contains(&pc)
                || (handler..handler + ENTRY).contains(&pc)
                || self.is_absent(pc)
                || !is_own && (enter..send).contains(&pc);
            if left == 0 || !may_be {
                return Ok(None);
            }
            left -= 1;
            is_own = slot.contains(&pc);
            match machine.step() {
                Stopped::Budget => {}
                Stopped::Fault(fault) => return Ok(Some(Outcome::Fault(first_line(&fault)))),
                _ => return Ok(None),
            }
        }
        watches.iter().for_each(|watch| machine.unwatch(space, watch));
        match machine.run(AROUND) {
            Stopped::Breakpoint(at) if at == send => {}
            other => return Err(unexpected(&other)),
        }
        let mut record = vec![0; harness.record_size()];
        let pages = machine.memory(space, 0).ok_or_else(|| Stop::new("no memory"))?;
        pages.peek(harness.at("record"), &mut record).map_err(|why| failed(&why))?;
        Ok(Some(Outcome::Record(record)))
    }

    /// The accesses that are not a program's: its own code can be read, as a handler does, and not written.
    fn watches(&self) -> Vec<Watch> {
        let harness = self.harness;
        let last = harness.base + (harness.memory - 1);
        let (slot, end) = (harness.at("slot"), harness.at("slot_end"));
        let others = [harness.base..=slot - 1, end..=harness.at("left") - 1, harness.at("data_end")..=last];
        let others = others.into_iter().filter(|range| !range.is_empty()).chain(harness.avoid.iter().cloned());
        let code = Watch { at: slot..=end - 1, reads: false, writes: true };
        others.map(|at| Watch { at, reads: true, writes: true }).chain([code]).collect()
    }

    /// True if there is no memory at an address: to go there is a fault that the harness sees.
    fn is_absent(&self, at: u64) -> bool {
        let own = self.harness.base..=self.harness.base + (self.harness.memory - 1);
        !own.contains(&at) && !self.harness.avoid.iter().any(|range| range.contains(&at))
    }
}

fn first_line(fault: &Fault) -> String {
    fault.to_string().lines().next().unwrap_or_default().to_owned()
}
