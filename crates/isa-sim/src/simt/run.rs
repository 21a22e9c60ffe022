//! Running a kernel: blocks of warps, in their order or several at once.

use super::barrier;
use super::host::Call;
use super::lanes::{self, Kernel, Lanes};
use super::launch::{BadLaunch, Launch};
use super::prepared::{Prepared, banks, memories, param_bytes};
use super::program::{BadProgram, Places, Program, Ready};
use super::schedule::{Order, Random};
use super::threads::first_fault;
use super::values::Known;
use super::warp::Paths;
use crate::engine::{Engine, Flow, MAX_LANES, State, Step, Supplied};
use crate::fault::{BadBarrier, Fault, FaultKind, Place};
use crate::masks;
use crate::memory::{Memories, Memory, Space};
use crate::placed::Placed;
use isa_runtime::U256;
use isa_runtime::action::Action;
use isa_runtime::machine::{Divergence, Routine, Sharing};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Instructions per turn; a warp that waits for another in a loop yields to it.
const QUANTUM: u64 = 1 << 12;
/// The statistics of a run.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Instructions of warps.
    pub warp_instructions: u64,
    /// Instructions of lanes: those that were active, whatever their guards.
    pub thread_instructions: u64,
    /// The duration of the run.
    pub time: Duration,
    /// The number of executions of each executed instruction, by address, if requested.
    pub counts: Vec<Count>,
}

/// The number of executions of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The instruction.
    pub placed: Placed,
    /// By warps.
    pub warps: u64,
    /// By lanes.
    pub threads: u64,
}

/// The result of a completed run.
#[derive(Debug)]
pub struct Finished {
    /// The memories of the grid, by space and bank; those of other spaces are gone.
    pub memory: Vec<Vec<Memory>>,
    /// Its statistics.
    pub statistics: Statistics,
}

/// A reason why a run did not start, or was not completed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunError {
    /// The words are no program.
    Program(BadProgram),
    /// The launch is impossible.
    Launch(BadLaunch),
    /// A fault of the program.
    Fault(Box<Fault>),
    /// [`Control::stop`](super::Control) has ended it.
    Stopped,
}

impl std::fmt::Display for RunError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Program(why) => why.fmt(f),
            Self::Launch(why) => why.fmt(f),
            Self::Fault(fault) => fault.fmt(f),
            Self::Stopped => f.write_str("the run has been stopped"),
        }
    }
}

impl std::error::Error for RunError {}

/// An instruction that a warp has executed.
pub struct Traced<'a> {
    /// The block.
    pub block: [u32; 3],
    /// The warp in the block.
    pub warp: u32,
    /// Its address.
    pub pc: u64,
    /// Its word.
    pub word: U256,
    /// Bits of the word.
    pub bits: u32,
    /// The lanes that were active.
    pub active: u64,
    /// Registers before it.
    pub before: &'a dyn State,
    /// Registers after it.
    pub after: &'a dyn State,
}

/// An observer of every instruction.
pub type Trace<'a> = &'a mut (dyn FnMut(&Traced<'_>) + Send);

/// Runs a kernel to its end. With a trace, blocks run one after the other.
///
/// # Errors
/// When the launch is impossible, and when the program has a fault.
pub fn run<E: Engine>(
    engine: &E,
    program: &Program<E::Op>,
    launch: &Launch,
    trace: Option<Trace<'_>>,
) -> Result<Finished, RunError> {
    run_kernel(&lanes::Prepared { engine, program }, &program.places, launch, trace)
}

fn run_kernel(kernel: &dyn Kernel, program: &Places, launch: &Launch, trace: Option<Trace<'_>>) -> Result<Finished, RunError> {
    let start = Instant::now();
    let machine = kernel.machine();
    let prepared = Prepared::new(machine, launch).map_err(RunError::Launch)?;
    let run = Run {
        kernel,
        program,
        launch,
        prepared: &prepared,
        steps: AtomicU64::new(0),
        threads: AtomicU64::new(0),
        stop: AtomicBool::new(false),
        counts: if launch.counts { (0..=program.len()).map(|_| Default::default()).collect() } else { Vec::new() },
    };
    let [x, y, z] = launch.grid.map(u64::from);
    let blocks = x * y * z;
    let place = |i: u64| [(i % x) as u32, (i / x % y) as u32, (i / x / y) as u32];
    let order = Order::of(launch.schedule, blocks);
    let place = |i: u64| place(order.at(i));
    let done = match trace {
        Some(trace) => (0..blocks).try_for_each(|i| run.block(place(i), Some(&mut *trace))),
        None if launch.at_once() == 1 => (0..blocks).try_for_each(|i| run.block(place(i), None)),
        None => {
            let count = launch.at_once();
            let done = first_fault(count, blocks, |i| run.block(place(i), None));
            done.map_err(|why| RunError::Launch(BadLaunch::Threads { count, why: why.to_string() }))?
        }
    };
    done.map_err(RunError::Fault)?;
    if launch.control.is_stopped() {
        return Err(RunError::Stopped);
    }
    let statistics = Statistics {
        warp_instructions: run.steps.load(Relaxed),
        thread_instructions: run.threads.load(Relaxed),
        time: start.elapsed(),
        counts: run.counted(),
    };
    Ok(Finished { memory: prepared.grid, statistics })
}

struct Run<'a> {
    kernel: &'a dyn Kernel,
    program: &'a Places,
    launch: &'a Launch,
    prepared: &'a Prepared,
    /// Warp instructions, and those of threads, of completed blocks and turns.
    steps: AtomicU64,
    threads: AtomicU64,
    /// Some block has a fault: the blocks after it need not continue.
    stop: AtomicBool,
    /// For each instruction, its executions minus those of the one before it, by warps and by lanes; empty if not counted.
    counts: Vec<[AtomicU64; 2]>,
}

struct Warp<'a> {
    lanes: Box<dyn Lanes + 'a>,
    paths: Paths,
    number: u32,
    /// The number of its instructions so far.
    steps: u64,
    values: Vec<[u32; MAX_LANES]>,
    /// The memories of each space of lanes.
    memories: Vec<Vec<Memory>>,
    /// The number of lanes that came with a value of 1 to the barrier that it left last.
    reduced: u64,
}

impl<'a> Run<'a> {
    /// The number of executions of instructions.
    fn counted(&self) -> Vec<Count> {
        let (mut warps, mut threads, mut all) = (0u64, 0u64, Vec::new());
        for (number, [more, more_threads]) in self.counts.iter().enumerate() {
            warps = warps.wrapping_add(more.load(Relaxed));
            threads = threads.wrapping_add(more_threads.load(Relaxed));
            if let Some(placed) = self.program.nth(number).filter(|_| warps != 0) {
                all.push(Count { placed, warps, threads });
            }
        }
        all
    }

    /// Counts consecutive instructions, from a number up to another one, in `lanes` lanes.
    fn count(&self, from: usize, to: usize, lanes: u64) {
        for (at, sign) in [(from, 1u64), (to, u64::MAX)] {
            if let Some([warps, threads]) = self.counts.get(at) {
                warps.fetch_add(sign, Relaxed);
                threads.fetch_add(sign.wrapping_mul(lanes), Relaxed);
            }
        }
    }

    fn block(&self, block: [u32; 3], mut trace: Option<Trace<'_>>) -> Result<(), Box<Fault>> {
        if self.launch.control.is_stopped() || self.stop.load(Relaxed) && self.launch.at_once() == 1 {
            return Ok(());
        }
        let machine = self.kernel.machine();
        let shared: Vec<Vec<Memory>> =
            (0..machine.spaces.len()).map(|i| memories(machine, self.launch, &self.prepared.sizes, i, Sharing::Block)).collect();
        for image in self.launch.images.iter().filter(|m| machine.spaces[m.space].owner == Sharing::Block) {
            shared[image.space][image.bank as usize].set_bytes(image.address, &image.bytes);
        }
        if let Some(params) = machine.params.as_ref().filter(|p| machine.spaces[p.space].owner == Sharing::Block) {
            shared[params.space][params.bank as usize].set_bytes(params.at, &param_bytes(self.launch));
        }
        let mut warps: Vec<Warp<'_>> = (0..self.prepared.warps).map(|n| self.warp(block, n)).collect();
        for warp in &mut warps {
            self.start(warp, &shared);
        }
        let number = block.iter().rev().fold(0u64, |n, at| n.wrapping_mul(0x1_0001).wrapping_add((*at).into()));
        let mut random = self.launch.schedule.map(|seed| Random::of(seed, number));
        loop {
            let mut ran = false;
            let mut order: Vec<usize> = (0..warps.len()).collect();
            if let Some(random) = &mut random {
                random.shuffle(&mut order);
            }
            for at in order {
                let warp = &mut warps[at];
                if warp.paths.has_ended() || warp.paths.waits() {
                    continue;
                }
                ran = true;
                let trace = trace.as_mut().map(|t| &mut **t as Trace<'_>);
                self.quantum(block, warp, &shared, (trace, random.as_mut())).inspect_err(|_| self.stop.store(true, Relaxed))?;
                if self.launch.control.is_stopped() {
                    return Ok(());
                }
            }
            let has_opened = if machine.divergence == Divergence::Fair {
                self.open_fair(&mut warps)
            } else {
                !ran && self.open(block, &mut warps)?
            };
            if !ran && !has_opened {
                return if machine.divergence == Divergence::Fair { self.ended(block, &warps) } else { Ok(()) };
            }
        }
    }

    /// Opens the barriers at which all lanes have arrived.
    fn open_fair(&self, warps: &mut [Warp<'_>]) -> bool {
        let open = barrier::open(warps.iter().map(|warp| &warp.paths), self.kernel.machine().lanes.into());
        for (number, ones) in &open {
            for warp in warps.iter_mut().filter(|warp| warp.paths.groups.held.iter().any(|held| held.barrier == *number)) {
                warp.paths.open(*number);
                warp.reduced = *ones;
            }
        }
        !open.is_empty()
    }

    /// The end of a block in which no warp can continue: all have ended, or it is a fault.
    fn ended(&self, block: [u32; 3], warps: &[Warp<'_>]) -> Result<(), Box<Fault>> {
        let all = warps.iter().map(|warp| &warp.paths);
        if all.clone().all(Paths::has_ended) {
            return Ok(());
        }
        let stuck = barrier::stuck(all, self.kernel.machine().lanes.into());
        let (kind, pc, warp, lanes) = stuck.unwrap_or((FaultKind::Meeting, 0, 0, 0));
        self.stop.store(true, Relaxed);
        let place = Some(Place { block, warp: warp as u32, lanes });
        Err(Box::new(Fault { kind, pc, text: self.text(pc), place }))
    }

    fn warp(&self, block: [u32; 3], number: u32) -> Warp<'a> {
        let machine = self.kernel.machine();
        let first = number * machine.lanes;
        let count = (self.prepared.lanes - first).min(machine.lanes);
        let lanes = masks::all(count as usize);
        let of_lanes = |known: &Known| {
            let mut values = [0; MAX_LANES];
            for (lane, value) in (0..count).zip(&mut values) {
                *value = known.value((self.launch, &self.prepared.sizes), block, first + lane, lane, number);
            }
            values
        };
        let values = self.prepared.values.iter().map(of_lanes).collect();
        let entry = self.launch.entry.unwrap_or_else(|| self.program.base());
        Warp {
            lanes: self.kernel.lanes(),
            paths: Paths::new(machine.divergence, lanes, entry),
            number,
            steps: 0,
            values,
            memories: (0..machine.spaces.len()).map(|i| self.lane_memories(i)).collect(),
            reduced: 0,
        }
    }

    /// The memories of each lane in a space.
    fn lane_memories(&self, space: usize) -> Vec<Memory> {
        let machine = self.kernel.machine();
        let count = if machine.spaces[space].owner == Sharing::Lane { banks(machine, space) * machine.lanes } else { 0 };
        (0..count).map(|_| Memory::new(self.prepared.sizes[space])).collect()
    }

    fn spaces<'m>(&'m self, shared: &'m [Vec<Memory>], own: &'m [Vec<Memory>]) -> Vec<Space<'m>> {
        let machine = self.kernel.machine();
        let spaces = machine.spaces.iter().enumerate().map(|(i, space)| {
            let memories = match space.owner {
                Sharing::Grid => &self.prepared.grid[i],
                Sharing::Block => &shared[i],
                Sharing::Lane => &own[i],
            };
            Space::of(space, memories)
        });
        spaces.collect()
    }

    /// Runs the routine of each lane before the first instruction.
    fn start(&self, warp: &mut Warp<'_>, shared: &[Vec<Memory>]) {
        let mut spaces = self.spaces(shared, &warp.memories);
        // Memory that instructions can only read is written here.
        spaces.iter_mut().for_each(|space| space.rules.read_only = false);
        let mut step = Step {
            active: warp.paths.active,
            pc: warp.paths.pc,
            next: warp.paths.pc,
            memory: Memories::new(&spaces),
            launch_values: &warp.values,
            variants: &self.prepared.variants,
            supplied: Supplied::default(),
            flow: Flow::default(),
        };
        warp.lanes.routine(Routine::Launch, &mut step);
    }

    /// The text of the instruction at an address; empty if there is none.
    fn text(&self, pc: u64) -> String {
        let placed = self.program.placed(pc);
        placed.map_or_else(String::new, |placed| self.kernel.text(placed.word, placed.bits, pc))
    }

    /// Executes some instructions of a warp.
    fn quantum(
        &self,
        block: [u32; 3],
        warp: &mut Warp<'_>,
        shared: &[Vec<Memory>],
        (mut trace, mut random): (Option<Trace<'_>>, Option<&mut Random>),
    ) -> Result<(), Box<Fault>> {
        let Warp { lanes, paths, number: warp_number, steps: warp_steps, values, memories, reduced } = warp;
        let spaces = self.spaces(shared, memories);
        let mut step = Step {
            active: 0,
            pc: 0,
            next: 0,
            memory: Memories::new(&spaces),
            launch_values: values,
            variants: &self.prepared.variants,
            supplied: Supplied { reduced: *reduced, ..Supplied::default() },
            flow: Flow::default(),
        };
        step.memory.now = *warp_steps;
        let left = self.launch.limit.saturating_sub(self.steps.load(Relaxed));
        let budget = left.min(random.as_mut().map_or(QUANTUM, |random| 1 + random.below(QUANTUM)));
        let (mut steps, mut threads) = (0, 0);
        let fault = |kind: FaultKind, pc: u64, lanes: u64| {
            Box::new(Fault { kind, pc, text: self.text(pc), place: Some(Place { block, warp: *warp_number, lanes }) })
        };
        while steps < budget && !paths.has_ended() && !paths.waits() {
            let active = paths.active;
            step.active = active;
            let (before, mut pc) = (steps, paths.pc);
            let until = if paths.is_together() { budget } else { steps + 1 };
            // These lanes stay together while they have no requests, or all the same branch.
            let last = loop {
                let (from, straight) = self.program.straight(pc, until - steps);
                let count = match (&mut trace, straight.first()) {
                    (Some(trace), Some(ready)) => {
                        self.traced((block, *warp_number), from, ready, lanes.as_mut(), &mut step, trace);
                        if self.launch.control.is_stopped() {
                            return Ok(());
                        }
                        1
                    }
                    _ => lanes.execute(from, straight, &mut step),
                };
                let executed = &straight[..count];
                if !self.counts.is_empty() {
                    self.count(from, from + executed.len(), active.count_ones().into());
                }
                steps += executed.len() as u64;
                if steps == until || step.memory.has_trouble() {
                    break executed.last();
                }
                let Some(target) = step.flow.take_branch_of_all(active) else { break executed.last() };
                pc = target;
            };
            let Some(ready) = last else {
                if let Some(host) = self.launch.host.as_ref().filter(|host| host.is_at(pc)) {
                    threads += (steps - before) * u64::from(active.count_ones());
                    paths.pc = pc;
                    // A call counts, so that endless calls end at the limit too.
                    steps += 1;
                    step.flow.clear();
                    for lane in masks::lanes(active) {
                        let mut call = Call { address: pc, block, warp: *warp_number, lane, memory: &mut step.memory };
                        let back = host.call(&mut call, lanes.state()).map_err(|kind| fault(kind, pc, 1 << lane))?;
                        if let Some(trouble) = step.memory.take_trouble() {
                            return Err(fault(FaultKind::memory(trouble, self.kernel.machine()), pc, 1 << lane));
                        }
                        step.flow.request(Action::Branch, 1 << lane, [back]);
                    }
                    paths.flow(pc, &step.flow).map_err(|kind| fault(kind, pc, active))?;
                    step.flow.clear();
                    continue;
                }
                let why = self.program.not_executable(pc).cloned();
                return Err(fault(why.map_or(FaultKind::NoInstruction, FaultKind::NotExecutable), pc, active));
            };
            threads += (steps - before) * u64::from(active.count_ones());
            let pc = ready.placed.address;
            paths.pc = pc;
            if let Some(trouble) = step.memory.take_trouble() {
                return Err(fault(FaultKind::memory(trouble, self.kernel.machine()), pc, trouble.lanes));
            }
            if step.flow.is_plain() {
                paths.step(ready.next);
            } else if let Some(target) = step.flow.take_branch_of_all(active) {
                paths.step(target);
            } else {
                let wanted = step.flow.wanted();
                let lanes = [wanted[Action::Trap], wanted[Action::Illegal], wanted[Action::Undescribed]]
                    .into_iter()
                    .find(|lanes| *lanes != 0)
                    .unwrap_or(active);
                paths.flow(ready.next, &step.flow).map_err(|kind| fault(kind, pc, lanes))?;
                step.flow.clear();
            }
        }
        *warp_steps = step.memory.now;
        let before = self.steps.fetch_add(steps, Relaxed);
        self.launch.control.steps.store(before + steps, Relaxed);
        self.threads.fetch_add(threads, Relaxed);
        if paths.is_fair() {
            paths.end_turn(random);
        }
        if steps == left && !paths.has_ended() {
            return Err(fault(FaultKind::StepLimit(self.launch.limit), paths.pc, paths.active));
        }
        Ok(())
    }

    /// Executes an instruction and reports it to the observer.
    #[cold]
    #[inline(never)]
    fn traced(
        &self,
        (block, warp): ([u32; 3], u32),
        number: usize,
        ready: &Ready,
        lanes: &mut dyn Lanes,
        step: &mut Step<'_>,
        trace: &mut Trace<'_>,
    ) {
        (step.pc, step.next) = (ready.placed.address, ready.next);
        let Placed { word, bits, .. } = ready.placed;
        lanes.traced(number, step, &mut |step, before, after| {
            trace(&Traced { block, warp, pc: step.pc, word, bits, active: step.active, before, after });
        });
    }

    /// No warp can continue: opens a barrier, or ends the block.
    fn open(&self, block: [u32; 3], warps: &mut [Warp<'_>]) -> Result<bool, Box<Fault>> {
        let mut waiting = warps.iter_mut().filter(|w| w.paths.waits());
        let Some(first) = waiting.next() else { return Ok(false) };
        let (number, pc, warp, lanes) = (first.paths.barrier, first.paths.barrier_at, first.number, first.paths.waiting);
        if let Some(other) = waiting.find(|w| w.paths.barrier != number) {
            let why = BadBarrier::Warps { warp, barrier: number, other: other.number, there: other.paths.barrier };
            return Err(Box::new(Fault {
                kind: FaultKind::Barrier(why),
                pc,
                text: self.text(pc),
                place: Some(Place { block, warp, lanes }),
            }));
        }
        warps.iter_mut().filter(|w| w.paths.waits()).for_each(|w| w.paths.go_on());
        Ok(true)
    }
}
