//! Running a kernel: blocks of warps, in their order or several at once.

use super::engine::{Flow, MAX_LANES, Step};
use super::fault::{Fault, FaultKind};
use super::memory::{Memories, Memory, Space};
use super::program::{Placed, Program, Ready};
use super::warp::Paths;
use super::{Engine, MachineInfo, Sharing};
use crate::word::U256;
use core::ops::Range;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use core::time::Duration;
use rayon::prelude::*;
use std::format;
use std::string::{String, ToString};
use std::sync::Arc;
use std::time::Instant;
use std::vec::Vec;

/// How many instructions a warp executes before the next one of its block does: a warp that waits for another in a loop lets it.
const QUANTUM: u64 = 1 << 12;
/// The size of a memory of which nobody says how large it is.
pub const DEFAULT_SIZE: u64 = 1 << 16;
/// How many lanes a block may have.
const MAX_BLOCK: u64 = 1 << 20;
/// How many blocks run at once at most.
const MAX_THREADS: u64 = 256;
/// How many bytes all memories together may have.
const MAX_MEMORY: u64 = 1 << 33;

/// A kernel and what it starts with.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Blocks, in x, y and z.
    pub grid: [u32; 3],
    /// Lanes of a block, in x, y and z.
    pub block: [u32; 3],
    /// Parameters, 32 bits each.
    pub params: Vec<u32>,
    /// What stands in memory at the start.
    pub images: Vec<Image>,
    /// Sizes of memory spaces in bytes, by index; others have what the machine says, or what their images need.
    pub sizes: Vec<(usize, u64)>,
    /// Which value each variant has, by index; others have their first.
    pub variants: Vec<(usize, usize)>,
    /// Where to begin; without it, at the lowest address.
    pub entry: Option<u64>,
    /// How many warp instructions may be executed.
    pub limit: u64,
    /// How many threads run blocks at once: no more than there are blocks, and 256.
    pub threads: usize,
    /// Watches the run from outside, and ends it before its time.
    pub control: Arc<Control>,
}

/// A run seen from outside, by another thread or by its trace: how far it is, and the way to end it.
#[derive(Debug, Default)]
pub struct Control {
    steps: AtomicU64,
    stop: AtomicBool,
}

impl Control {
    /// Warp instructions that have been executed, but for the last few thousand.
    pub fn warp_instructions(&self) -> u64 {
        self.steps.load(Relaxed)
    }

    /// Ends the run soon, with [`RunError::Stopped`].
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }
}

impl Launch {
    /// How many blocks run at once.
    fn at_once(&self) -> u64 {
        let blocks = self.grid.iter().fold(1u64, |n, d| n.saturating_mul((*d).into()));
        (self.threads as u64).min(blocks).clamp(1, MAX_THREADS)
    }
}

impl Default for Launch {
    fn default() -> Self {
        Self {
            grid: [1; 3],
            block: [1; 3],
            params: Vec::new(),
            images: Vec::new(),
            sizes: Vec::new(),
            variants: Vec::new(),
            entry: None,
            limit: 1 << 36,
            threads: 1,
            control: Arc::default(),
        }
    }
}

/// Bytes that stand in memory at the start.
#[derive(Clone, Debug)]
pub struct Image {
    /// Index of the space: one that the grid or each block has.
    pub space: usize,
    /// The bank.
    pub bank: u32,
    /// Where the first byte stands.
    pub address: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// What a run did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    /// Instructions of warps.
    pub warp_instructions: u64,
    /// Instructions of lanes: those that were active, whatever their guards said.
    pub thread_instructions: u64,
    /// How long it took.
    pub time: Duration,
}

/// A run that has come to its end.
#[derive(Debug)]
pub struct Finished {
    /// The memories that the grid has, by space and bank; those of other spaces are gone.
    pub memory: Vec<Vec<Memory>>,
    /// What it did.
    pub statistics: Statistics,
}

/// Why there was no run, or it did not come to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunError {
    /// The launch is impossible.
    Launch(String),
    /// The program did something that cannot be.
    Fault(std::boxed::Box<Fault>),
    /// [`Control::stop`] has ended it.
    Stopped,
}

impl core::fmt::Display for RunError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Launch(why) => f.write_str(why),
            Self::Fault(fault) => fault.fmt(f),
            Self::Stopped => f.write_str("the run has been stopped"),
        }
    }
}

impl core::error::Error for RunError {}

/// An instruction that a warp has executed.
#[derive(Debug)]
pub struct Traced<'a, S> {
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
    pub before: &'a S,
    /// Registers after it.
    pub after: &'a S,
}

/// Somebody who looks at every instruction.
pub type Trace<'a, S> = &'a mut (dyn FnMut(&Traced<'_, S>) + Send);

/// Runs a kernel to its end. With a trace, blocks run one after the other.
///
/// # Errors
/// When the launch is impossible, and when the program does what cannot be.
pub fn run<E: Engine>(
    engine: &E,
    program: &Program<E::Op>,
    launch: &Launch,
    trace: Option<Trace<'_, E::State>>,
) -> Result<Finished, RunError> {
    let start = Instant::now();
    let machine = engine.machine();
    let prepared = Prepared::new(machine, launch).map_err(RunError::Launch)?;
    let run = Run {
        engine,
        program,
        launch,
        prepared: &prepared,
        steps: AtomicU64::new(0),
        threads: AtomicU64::new(0),
        stop: AtomicBool::new(false),
    };
    let [x, y, z] = launch.grid.map(u64::from);
    let blocks = x * y * z;
    let place = |i: u64| [(i % x) as u32, (i / x % y) as u32, (i / x / y) as u32];
    let done = match trace {
        Some(trace) => (0..blocks).try_for_each(|i| run.block(place(i), Some(&mut *trace))),
        None if launch.at_once() == 1 => (0..blocks).try_for_each(|i| run.block(place(i), None)),
        None => {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(launch.at_once() as usize).build();
            let pool = pool.map_err(|e| RunError::Launch(format!("{} threads: {e}", launch.at_once())))?;
            // Of several faults the first block's is told, whichever came first; blocks before it are run to their ends.
            let results: Vec<(u64, Fault)> = pool.install(|| {
                (0..blocks).into_par_iter().filter_map(|i| run.block(place(i), None).err().map(|f| (i, *f))).collect()
            });
            results.into_iter().min_by_key(|r| r.0).map_or(Ok(()), |r| Err(r.1.into()))
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
    };
    Ok(Finished { memory: prepared.grid, statistics })
}

/// What is the same for all blocks.
struct Prepared {
    /// For each space its size, of each bank.
    sizes: Vec<u64>,
    variants: Vec<usize>,
    /// The grid's memories, by space and bank; none for other spaces.
    grid: Vec<Vec<Memory>>,
    lanes: u32,
    warps: u32,
}

fn banks(machine: &MachineInfo, space: usize) -> u32 {
    machine.spaces[space].banks.unwrap_or(1).max(1)
}

impl Prepared {
    fn new(machine: &MachineInfo, launch: &Launch) -> Result<Self, String> {
        let [grid, block] = [launch.grid, launch.block].map(|d| d.iter().try_fold(1u64, |n, d| n.checked_mul((*d).into())));
        let lanes = match (grid, block) {
            (Some(0), _) | (_, Some(0)) => return Err("a grid and a block have at least one of each direction".to_string()),
            (Some(_), Some(lanes)) if lanes <= MAX_BLOCK => lanes as u32,
            (None, _) => return Err("the grid has more than 2^64 blocks".to_string()),
            (_, _) => return Err(format!("a block has at most {MAX_BLOCK} lanes")),
        };
        if machine.lanes == 0 || machine.lanes as usize > MAX_LANES {
            return Err(format!("a warp has 1 to {MAX_LANES} lanes, not {}", machine.lanes));
        }
        check_values(machine, launch, lanes)?;
        let mut sizes: Vec<u64> = Vec::new();
        for (i, space) in machine.spaces.iter().enumerate() {
            let asked = launch.sizes.iter().rev().find(|s| s.0 == i).map(|s| s.1);
            let images = launch.images.iter().filter(|m| m.space == i);
            let needed = images.map(|m| m.address.saturating_add(m.bytes.len() as u64)).max().unwrap_or(0);
            let room = if space.address >= 63 { u64::MAX } else { 1 << space.address };
            let size = match (asked, space.size) {
                (Some(asked), Some(size)) if asked > size => {
                    return Err(format!("`{}` has {size} bytes in this machine, not {asked}", space.name));
                }
                (Some(asked), _) => asked,
                (None, Some(size)) => size,
                (None, None) => needed.next_multiple_of(4).max(DEFAULT_SIZE.min(room)),
            };
            if needed > size {
                return Err(format!("`{}` has {size} bytes: what is to stand there ends at {needed:#x}", space.name));
            }
            sizes.push(size);
        }
        let warps = lanes.div_ceil(machine.lanes);
        let prepared_bytes = |i: usize| {
            let count = match machine.spaces[i].owner {
                Sharing::Grid => 1,
                Sharing::Block => launch.at_once(),
                Sharing::Lane => u64::from(lanes) * launch.at_once(),
            };
            sizes[i].saturating_mul(banks(machine, i).into()).saturating_mul(count)
        };
        let bytes = (0..sizes.len()).fold(0u64, |n, i| n.saturating_add(prepared_bytes(i)));
        if bytes > MAX_MEMORY {
            return Err(format!("the memories of this launch have {bytes} bytes together; {MAX_MEMORY} is the most"));
        }
        let grid = (0..machine.spaces.len()).map(|i| memories(machine, launch, &sizes, i, Sharing::Grid));
        let prepared = Self {
            grid: grid.collect(),
            variants: (0..machine.variants.len())
                .map(|i| launch.variants.iter().rev().find(|v| v.0 == i).map_or(0, |v| v.1))
                .collect(),
            sizes,
            lanes,
            warps,
        };
        for image in &launch.images {
            let Some(space) = machine.spaces.get(image.space) else { return Err("an image is of no memory space".to_string()) };
            if image.bank >= banks(machine, image.space) {
                return Err(format!("`{}` has no bank {}", space.name, image.bank));
            }
            match space.owner {
                Sharing::Grid => {
                    prepared.grid[image.space][image.bank as usize].set_bytes(image.address, &image.bytes);
                }
                Sharing::Block => {}
                Sharing::Lane => {
                    return Err(format!("every lane has a `{}` of its own: nothing can stand there at the start", space.name));
                }
            }
        }
        match &machine.params {
            None if !launch.params.is_empty() => {
                Err("the machine does not say where the parameters of a kernel are put".to_string())
            }
            Some(params) => {
                let (space, size) = (&machine.spaces[params.space], prepared.sizes[params.space]);
                let end = params.at.saturating_add(4 * launch.params.len() as u64);
                if !launch.params.is_empty() && end > size {
                    return Err(format!(
                        "{} parameters end at {end:#x} of `{}`, which has {size} bytes",
                        launch.params.len(),
                        space.name
                    ));
                }
                if space.owner == Sharing::Grid && !launch.params.is_empty() {
                    prepared.grid[params.space][params.bank as usize].set_bytes(params.at, &param_bytes(launch));
                }
                Ok(prepared)
            }
            None => Ok(prepared),
        }
    }
}

/// The memories of a space that somebody has, one for each bank; none if it is others who have them.
fn memories(machine: &MachineInfo, launch: &Launch, sizes: &[u64], space: usize, owner: Sharing) -> Vec<Memory> {
    let count = if machine.spaces[space].owner == owner { banks(machine, space) } else { 0 };
    let mut memories: Vec<Memory> = (0..count).map(|_| Memory::new(sizes[space])).collect();
    if let Some((bank, bytes)) = missing_params(machine, launch, sizes, space)
        && let Some(memory) = memories.get_mut(bank as usize)
    {
        memory.set_missing(bytes);
    }
    memories
}

/// The bytes of a space, and their bank, where a kernel would look for parameters that the launch does not have: the first one, or up
/// to the end where instructions write nothing.
fn missing_params(machine: &MachineInfo, launch: &Launch, sizes: &[u64], space: usize) -> Option<(u32, Range<u64>)> {
    let params = machine.params.as_ref().filter(|p| p.space == space)?;
    let first = params.at + 4 * launch.params.len() as u64;
    let images = || launch.images.iter().filter(|m| (m.space, m.bank) == (space, params.bank));
    if images().any(|m| (m.address..m.address + m.bytes.len() as u64).contains(&first)) {
        return None;
    }
    let most = if machine.spaces[space].read_only { u64::MAX } else { first + 4 };
    let next = images().map(|m| m.address).filter(|at| *at > first).min().unwrap_or(u64::MAX);
    let end = most.min(next).min(sizes[space]);
    (first < end).then_some((params.bank, first..end))
}

fn param_bytes(launch: &Launch) -> Vec<u8> {
    launch.params.iter().flat_map(|p| p.to_le_bytes()).collect()
}

/// Something that a launch knows of a lane.
#[derive(Clone, Copy)]
enum Known {
    Tid(usize),
    Ntid(usize),
    Ctaid(usize),
    Nctaid(usize),
    Lane,
    Warp,
}

impl Known {
    /// What a launch value of this name is; none if the machine doesn't know it.
    fn of(name: &str) -> Option<Self> {
        let axis = |name: &str| ["x", "y", "z"].iter().position(|axis| *axis == name);
        match name.split_once('.') {
            None if name == "laneid" => Some(Self::Lane),
            None if name == "warpid" => Some(Self::Warp),
            Some(("tid", n)) => axis(n).map(Self::Tid),
            Some(("ntid", n)) => axis(n).map(Self::Ntid),
            Some(("ctaid", n)) => axis(n).map(Self::Ctaid),
            Some(("nctaid", n)) => axis(n).map(Self::Nctaid),
            _ => None,
        }
    }

    /// Its value for a thread of a block, counted in x first, that is a lane of a warp.
    fn value(self, launch: &Launch, block: [u32; 3], thread: u32, lane: u32, warp: u32) -> u32 {
        let [x, y, _] = launch.block;
        match self {
            Self::Tid(axis) => [thread % x, thread / x % y, thread / x / y][axis],
            Self::Ntid(axis) => launch.block[axis],
            Self::Ctaid(axis) => block[axis],
            Self::Nctaid(axis) => launch.grid[axis],
            Self::Lane => lane,
            Self::Warp => warp,
        }
    }

    /// The largest that there is, and what makes it so large.
    fn largest(self, launch: &Launch, lanes: u32, warps: u32) -> (u32, &'static str) {
        match self {
            Self::Tid(axis) => (launch.block[axis] - 1, "block"),
            Self::Ntid(axis) => (launch.block[axis], "block"),
            Self::Ctaid(axis) => (launch.grid[axis] - 1, "grid"),
            Self::Nctaid(axis) => (launch.grid[axis], "grid"),
            Self::Lane => (lanes - 1, "warp"),
            Self::Warp => (warps - 1, "block"),
        }
    }
}

/// The values that the launch sets are known, and the largest of each fits. `lanes` are those of a block.
fn check_values(machine: &MachineInfo, launch: &Launch, lanes: u32) -> Result<(), String> {
    for value in &machine.launch_values {
        let (name, width) = (&value.name, value.width);
        let Some(known) = Known::of(name) else {
            return Err(format!("the simulated machine has no `{name}`: a program that reads it can't be run"));
        };
        let (largest, what) = known.largest(launch, lanes.min(machine.lanes), lanes.div_ceil(machine.lanes));
        if width < 32 && largest >> width != 0 {
            let s = if width == 1 { "" } else { "s" };
            return Err(format!("the {what} is too large: `{name}` would be up to {largest}, and has {width} bit{s}"));
        }
    }
    Ok(())
}

struct Run<'a, E: Engine> {
    engine: &'a E,
    program: &'a Program<E::Op>,
    launch: &'a Launch,
    prepared: &'a Prepared,
    /// Warp instructions, and those of threads, of blocks that have ended and quanta that are over.
    steps: AtomicU64,
    threads: AtomicU64,
    /// Some block has a fault: those after it need not go on.
    stop: AtomicBool,
}

struct Warp<S> {
    state: S,
    paths: Paths,
    number: u32,
    values: Vec<[u32; MAX_LANES]>,
    /// For each space of lanes its memories.
    memories: Vec<Vec<Memory>>,
}

impl<E: Engine> Run<'_, E> {
    fn block(&self, block: [u32; 3], mut trace: Option<Trace<'_, E::State>>) -> Result<(), std::boxed::Box<Fault>> {
        if self.launch.control.is_stopped() || self.stop.load(Relaxed) && self.launch.at_once() == 1 {
            return Ok(());
        }
        let machine = self.engine.machine();
        let shared: Vec<Vec<Memory>> =
            (0..machine.spaces.len()).map(|i| memories(machine, self.launch, &self.prepared.sizes, i, Sharing::Block)).collect();
        for image in self.launch.images.iter().filter(|m| machine.spaces[m.space].owner == Sharing::Block) {
            shared[image.space][image.bank as usize].set_bytes(image.address, &image.bytes);
        }
        if let Some(params) = machine.params.as_ref().filter(|p| machine.spaces[p.space].owner == Sharing::Block) {
            shared[params.space][params.bank as usize].set_bytes(params.at, &param_bytes(self.launch));
        }
        let mut warps: Vec<Warp<E::State>> = (0..self.prepared.warps).map(|n| self.warp(block, n)).collect();
        for warp in &mut warps {
            self.start(warp, &shared);
        }
        loop {
            let mut ran = false;
            for warp in warps.iter_mut().filter(|w| !w.paths.has_ended() && !w.paths.waits()) {
                ran = true;
                let trace = trace.as_mut().map(|t| &mut **t as Trace<'_, E::State>);
                self.quantum(block, warp, &shared, trace).inspect_err(|_| self.stop.store(true, Relaxed))?;
                if self.launch.control.is_stopped() {
                    return Ok(());
                }
            }
            if !ran && !self.open(block, &mut warps)? {
                return Ok(());
            }
        }
    }

    fn warp(&self, block: [u32; 3], number: u32) -> Warp<E::State> {
        let machine = self.engine.machine();
        let first = number * machine.lanes;
        let count = (self.prepared.lanes - first).min(machine.lanes);
        let lanes = super::compiled::all(count as usize);
        let known: Vec<Option<Known>> = machine.launch_values.iter().map(|v| Known::of(&v.name)).collect();
        // Launches without a value that is wanted are refused.
        let value =
            |known: Option<Known>, lane: u32| known.map_or(0, |k| k.value(self.launch, block, first + lane, lane, number));
        let values = known.into_iter().map(|known| core::array::from_fn(|lane| value(known, lane as u32))).collect();
        let entry = self.launch.entry.unwrap_or_else(|| self.program.base());
        Warp {
            state: self.engine.state(),
            paths: Paths::new(machine.divergence, lanes, entry),
            number,
            values,
            memories: (0..machine.spaces.len()).map(|i| self.lane_memories(i)).collect(),
        }
    }

    /// The memories of a space that each lane has.
    fn lane_memories(&self, space: usize) -> Vec<Memory> {
        let machine = self.engine.machine();
        let count = if machine.spaces[space].owner == Sharing::Lane { banks(machine, space) * machine.lanes } else { 0 };
        (0..count).map(|_| Memory::new(self.prepared.sizes[space])).collect()
    }

    fn spaces<'m>(&'m self, shared: &'m [Vec<Memory>], own: &'m [Vec<Memory>]) -> Vec<Space<'m>> {
        let machine = self.engine.machine();
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

    /// What each lane does before the first instruction.
    fn start(&self, warp: &mut Warp<E::State>, shared: &[Vec<Memory>]) {
        let spaces = self.spaces(shared, &warp.memories);
        let mut step = Step {
            active: warp.paths.active,
            pc: warp.paths.pc,
            next: warp.paths.pc,
            memory: Memories::new(&spaces),
            launch_values: &warp.values,
            variants: &self.prepared.variants,
            flow: Flow::default(),
        };
        self.engine.launch(&mut warp.state, &mut step);
    }

    /// The text of the instruction at an address; empty where there is none.
    fn text(&self, pc: u64) -> String {
        let ready = self.program.at(pc);
        ready.map_or_else(String::new, |r| self.engine.text(r.placed.word, r.placed.bits, pc))
    }

    /// Executes some instructions of a warp.
    fn quantum(
        &self,
        block: [u32; 3],
        warp: &mut Warp<E::State>,
        shared: &[Vec<Memory>],
        mut trace: Option<Trace<'_, E::State>>,
    ) -> Result<(), std::boxed::Box<Fault>> {
        let Warp { state, paths, number: warp_number, values, memories } = warp;
        let spaces = self.spaces(shared, memories);
        let mut step = Step {
            active: 0,
            pc: 0,
            next: 0,
            memory: Memories::new(&spaces),
            launch_values: values,
            variants: &self.prepared.variants,
            flow: Flow::default(),
        };
        let left = self.launch.limit.saturating_sub(self.steps.load(Relaxed));
        let budget = left.min(QUANTUM);
        let (mut steps, mut threads) = (0, 0);
        let fault = |kind: FaultKind, pc: u64, lanes: u64| {
            std::boxed::Box::new(Fault { kind, pc, text: self.text(pc), block, warp: *warp_number, lanes })
        };
        while steps < budget && !paths.has_ended() && !paths.waits() {
            let active = paths.active;
            step.active = active;
            let (before, together) = (steps, paths.is_together());
            let first = self.program.number(paths.pc) as usize;
            let mut last = None;
            // As long as instructions want nothing, those that follow are executed by the same lanes.
            for ready in self.program.instructions.get(first..).unwrap_or_default() {
                let op = match &ready.op {
                    Ok(op) => op,
                    Err(why) => return Err(fault(FaultKind::NotExecutable(why.clone()), ready.placed.address, active)),
                };
                (step.pc, step.next) = (ready.placed.address, ready.next);
                match &mut trace {
                    None => self.engine.execute(op, state, &mut step),
                    Some(trace) => {
                        self.traced(block, *warp_number, ready, op, state, &mut step, trace);
                        if self.launch.control.is_stopped() {
                            return Ok(());
                        }
                    }
                }
                steps += 1;
                last = Some(ready);
                let is_plain = step.flow.is_plain() && !step.memory.has_trouble();
                if !is_plain || !ready.goes_on || steps == budget || !together {
                    break;
                }
            }
            let Some(ready) = last else {
                return Err(fault(FaultKind::NoInstruction, paths.pc, active));
            };
            threads += (steps - before) * u64::from(active.count_ones());
            let pc = ready.placed.address;
            paths.pc = pc;
            if let Some(trouble) = step.memory.take_trouble() {
                return Err(fault(FaultKind::memory(trouble, self.engine.machine()), pc, trouble.lanes));
            }
            if step.flow.is_plain() {
                paths.step(ready.next);
            } else if let Some(target) = step.flow.branch_of_all(active) {
                paths.step(target);
                step.flow.clear();
            } else {
                let lanes = if step.flow.wanted().trap != 0 { step.flow.wanted().trap } else { active };
                paths.flow(ready.next, &step.flow).map_err(|kind| fault(kind, pc, lanes))?;
                step.flow.clear();
            }
        }
        let before = self.steps.fetch_add(steps, Relaxed);
        self.launch.control.steps.store(before + steps, Relaxed);
        self.threads.fetch_add(threads, Relaxed);
        if steps == left && !paths.has_ended() {
            return Err(fault(FaultKind::StepLimit(self.launch.limit), paths.pc, paths.active));
        }
        Ok(())
    }

    /// Executes an instruction while somebody looks.
    #[cold]
    #[inline(never)]
    #[allow(clippy::too_many_arguments)]
    fn traced(
        &self,
        block: [u32; 3],
        warp: u32,
        ready: &Ready<E::Op>,
        op: &E::Op,
        state: &mut E::State,
        step: &mut Step<'_>,
        trace: &mut Trace<'_, E::State>,
    ) {
        let before = state.clone();
        self.engine.execute(op, state, step);
        let Placed { word, bits, .. } = ready.placed;
        trace(&Traced { block, warp, pc: step.pc, word, bits, active: step.active, before: &before, after: state });
    }

    /// No warp can go on: a barrier opens, or the block has ended.
    fn open(&self, block: [u32; 3], warps: &mut [Warp<E::State>]) -> Result<bool, std::boxed::Box<Fault>> {
        let mut waiting = warps.iter_mut().filter(|w| w.paths.waits());
        let Some(first) = waiting.next() else { return Ok(false) };
        let (number, pc, warp, lanes) = (first.paths.barrier, first.paths.barrier_at, first.number, first.paths.waiting);
        if let Some(other) = waiting.find(|w| w.paths.barrier != number) {
            let (other, there) = (other.number, other.paths.barrier);
            let why =
                format!("warp {warp} waits at barrier {number}, warp {other} at barrier {there}, and nobody else can go on");
            return Err(std::boxed::Box::new(Fault {
                kind: FaultKind::Barrier(why),
                pc,
                text: self.text(pc),
                block,
                warp,
                lanes,
            }));
        }
        warps.iter_mut().filter(|w| w.paths.waits()).for_each(|w| w.paths.go_on());
        Ok(true)
    }
}
