//! A program on warps of lanes.

use super::Job;
use super::program::{Program, Words};
use crate::output::{Progress, Status, count};
use isa_host::launch::{self, Dump, variants};
use isa_sim::simt::{Finished, Image, Launch, RunError, Traced};
use isa_sim::{AnyEngine, FaultKind, MachineInfo, Memory, Placed, Register};
use isa_stream::{Escaped, Stop, out};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// The default limit of warp instructions for compiled code: an endless loop ends within a minute.
pub(super) const COMPILED_LIMIT: u64 = 1 << 28;
/// The default limit of instructions of lanes for the evaluator, whose time is proportional to the lanes.
pub(super) const EVALUATOR_LIMIT: u64 = 1 << 25;

/// Runs a kernel.
pub(super) fn run(job: &Job<'_>, engine: &dyn AnyEngine) -> Result<Status, Stop> {
    if let Some(option) = job.args.core.first() {
        let lanes = engine.machine().lanes;
        return Err(Stop::new(format!("{option} is for machines with one lane, and {} has {lanes}", job.isa.name)));
    }
    let Program::Words(Words { words, .. }) = job.program else {
        let message = format!("{}: kernels of object files are started by a launch file", job.path.display());
        return Err(Stop::with_help(
            message,
            "`--launch FILE.json` names the kernel, its buffers and its arguments: docs/kernels.md",
        ));
    };
    Kernel { job, words }.run(engine)
}

/// A run of a kernel.
struct Kernel<'a> {
    job: &'a Job<'a>,
    words: &'a [Placed],
}

impl Kernel<'_> {
    fn run(&self, engine: &dyn AnyEngine) -> Result<Status, Stop> {
        let machine = engine.machine();
        let launch = self.launch(machine)?;
        let finished = if self.job.args.trace {
            let mut to = Escaped(BufWriter::new(io::stderr()));
            let mut trace = |t: &Traced<'_>| {
                // The trace was requested: without a reader the run has no use.
                if writeln!(to, "{}", trace_line(engine, t)).is_err() {
                    launch.control.stop();
                }
            };
            let finished = engine.run(self.words, &launch, Some(&mut trace));
            if to.flush().is_err() {
                return Err(Stop::BrokenPipe);
            }
            finished
        } else {
            let done = || launch.control.warp_instructions();
            with_progress(&done, "warp instructions", launch.limit, || engine.run(self.words, &launch, None))
        };
        match finished {
            Ok(finished) => self.finish(machine, &finished),
            Err(RunError::Program(why)) => Err(Stop::new(why.to_string())),
            Err(RunError::Launch(why)) => Err(Stop::new(why.to_string())),
            Err(RunError::Stopped) => Err(Stop::BrokenPipe),
            Err(RunError::Fault(fault)) => {
                let help = matches!(fault.kind, FaultKind::StepLimit(_)).then_some("`--limit N` allows more");
                self.job.reporter.fault("fault", &fault.to_string(), help);
                Ok(Status::Findings)
            }
        }
    }
}

/// Does some work, and shows the number of executed instructions on a terminal.
pub(super) fn with_progress<T>(done: &(dyn Fn() -> u64 + Sync), what: &str, limit: u64, work: impl FnOnce() -> T) -> T {
    let mut progress = Progress::before_results();
    if !progress.is_visible() {
        return work();
    }
    let limit = count(usize::try_from(limit).unwrap_or(usize::MAX), "");
    let (has_ended, end) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while end.recv_timeout(Duration::from_millis(100)) == Err(RecvTimeoutError::Timeout) {
                progress.show(|| format!("{} {what} of at most {limit}", count(done() as usize, "")));
            }
        });
        let result = work();
        drop(has_ended);
        result
    })
}

impl Kernel<'_> {
    fn launch(&self, machine: &MachineInfo) -> Result<Launch, Stop> {
        let (args, file) = (self.job.args, self.job.file);
        let mut images: Vec<Image> = Vec::new();
        for (bank, bytes) in file.constants.iter().chain(&args.kernel.constants) {
            images.push(launch::image(machine, "const", *bank, bytes.clone())?);
        }
        let global = match &args.kernel.global {
            Some(path) => Some(launch::memory_file(path)?),
            None => file.global.clone(),
        };
        if let Some(bytes) = global {
            images.push(launch::image(machine, "global", 0, bytes)?);
        }
        for memory in &args.memory {
            let (space, bytes) = (launch::space(machine, &memory.space)?, launch::memory_file(&memory.file)?);
            images.push(Image { space, bank: 0, address: memory.address, bytes });
        }
        if let Some(expect) = &file.expect {
            // The expected words are not there yet, but the memory must reach as far.
            let end = expect.address.saturating_add(4 * expect.words.len() as u64).min(u64::MAX - 3);
            images.push(Image { space: launch::space(machine, "global")?, bank: 0, address: end, bytes: Vec::new() });
        }
        let set: Vec<String> = file.set.iter().chain(&args.set).cloned().collect();
        let sizes = args.kernel.size.iter().map(|(name, size)| Ok((launch::space(machine, name)?, *size)));
        let block = args.kernel.block.or(file.block).unwrap_or([1; 3]);
        Ok(Launch {
            grid: args.kernel.grid.or(file.grid).unwrap_or([1; 3]),
            block,
            params: if args.kernel.params.is_empty() { file.params.clone() } else { args.kernel.params.clone() },
            images,
            sizes: sizes.collect::<Result<_, Stop>>()?,
            variants: variants(&self.job.isa.name, machine, &set)?.into_iter().enumerate().collect(),
            limit: args.limit.unwrap_or_else(|| self.default_limit(machine, block)),
            threads: args.kernel.threads,
            schedule: args.kernel.schedule,
            ..Launch::default()
        })
    }

    /// Deterministic, so that a run gives the same on every machine.
    fn default_limit(&self, machine: &MachineInfo, block: [u32; 3]) -> u64 {
        if self.job.is_compiled {
            return COMPILED_LIMIT;
        }
        let lanes = block.iter().fold(1u64, |n, size| n.saturating_mul((*size).into()));
        EVALUATOR_LIMIT / lanes.clamp(1, u64::from(machine.lanes).max(1))
    }

    /// Prints the requested output, and compares it with the expected one.
    fn finish(&self, machine: &MachineInfo, finished: &Finished) -> Result<Status, Stop> {
        let mut out = out();
        let expect = self.job.file.expect.as_ref();
        for dump in &self.job.args.dump {
            match dump {
                Dump::Words { address, words } => print(&mut out, &words_of(global(machine, finished)?, *address, *words)?)?,
                Dump::Bytes { space, address, bytes } => {
                    let of = memory(machine, finished, space)?;
                    let found = of.bytes(*address, *bytes).ok_or_else(|| ends(space, of.size(), *address, *bytes))?;
                    print_bytes(&mut out, *address, &found)?;
                }
            }
        }
        let mut good = true;
        if let Some(expect) = expect {
            let words = words_of(global(machine, finished)?, expect.address, expect.words.len() as u64)?;
            if self.job.args.dump.is_empty() {
                print(&mut out, &words)?;
            }
            out.flush()?;
            good = self.job.compare(expect, &words);
        }
        out.flush()?;
        if self.job.args.stats {
            let s = &finished.statistics;
            let (warps, threads) = (count(s.warp_instructions as usize, ""), count(s.thread_instructions as usize, ""));
            self.job
                .reporter
                .remark(&format!("{warps} warp instructions, {threads} thread instructions, {:.3} s", s.time.as_secs_f64()));
        }
        Ok(Status::of(!good))
    }
}

fn memory<'f>(machine: &MachineInfo, finished: &'f Finished, name: &str) -> Result<&'f Memory, Stop> {
    let memory = finished.memory[launch::space(machine, name)?].first();
    memory.ok_or_else(|| Stop::new(format!("`{name}` is not a memory of the grid: it does not outlast the run")))
}

fn global<'f>(machine: &MachineInfo, finished: &'f Finished) -> Result<&'f Memory, Stop> {
    memory(machine, finished, "global")
}

fn words_of(memory: &Memory, address: u64, words: u64) -> Result<Vec<u32>, Stop> {
    let bytes = words.checked_mul(4).and_then(|bytes| memory.bytes(address, bytes));
    Ok(words_in(&bytes.ok_or_else(|| ends("global", memory.size(), address, words.saturating_mul(4)))?))
}

fn ends(space: &str, size: u64, address: u64, bytes: u64) -> Stop {
    let message = format!("{} from {address:#x} on: `{space}` ends at {size:#x}", count(bytes as usize, "byte"));
    Stop::with_help(message, format!("`--size {space}=BYTES` makes it larger"))
}

/// The words of some bytes, 32 bits each.
pub(super) fn words_in(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(|b| b.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte))).collect()
}

/// Prints words, one a line.
pub(super) fn print(out: &mut impl Write, words: &[u32]) -> Result<(), Stop> {
    words.iter().try_for_each(|word| writeln!(out, "{word:08x}")).map_err(Stop::from)
}

/// Prints bytes, 16 a line, each line with its address.
pub(super) fn print_bytes(out: &mut impl Write, address: u64, bytes: &[u8]) -> Result<(), Stop> {
    for (at, row) in (address..).step_by(16).zip(bytes.chunks(16)) {
        let row: Vec<String> = row.iter().map(|byte| format!("{byte:02x}")).collect();
        writeln!(out, "{at:#010x}: {}", row.join(" "))?;
    }
    Ok(())
}

/// `(0, 0, 0) 0  0x0008 ffffffff  IADD R1, R2, R3  R1=0x5`
pub(super) fn trace_line(engine: &dyn AnyEngine, t: &Traced<'_>) -> String {
    let machine = engine.machine();
    let [x, y, z] = t.block;
    let digits = machine.lanes.div_ceil(4) as usize;
    let (warp, pc, active, text) = (t.warp, t.pc, t.active, engine.text(t.word, t.bits, t.pc));
    let mut line = format!("({x}, {y}, {z}) {warp}  {pc:#06x} {active:0digits$x}  {text}");
    let lanes: Vec<usize> = (0..machine.lanes as usize).filter(|lane| active >> lane & 1 != 0).collect();
    for register in Register::all(machine) {
        if lanes.iter().any(|lane| register.get_in(t.before, *lane) != register.get_in(t.after, *lane)) {
            let values: Vec<u128> = lanes.iter().map(|lane| register.get_in(t.after, *lane)).collect();
            let _ = write!(line, "  {}={}", register.name(machine), values_text(&values));
        }
    }
    line
}

/// One value if all active lanes have it, else all of them, from the lowest lane up.
fn values_text(values: &[u128]) -> String {
    let different: BTreeSet<_> = values.iter().collect();
    match values {
        [value, ..] if different.len() == 1 => format!("{value:#x}"),
        _ => format!("[{}]", values.iter().map(|v| format!("{v:#x}")).collect::<Vec<_>>().join(" ")),
    }
}
