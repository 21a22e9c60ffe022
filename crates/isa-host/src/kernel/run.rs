//! Running a launch file.

use super::compare::{Difference, compare};
use super::file::{Expected, File, Given, Launch, Of};
use super::{Argument, BufferId, CubinError, Device, Grid, Kernel, Module, Output, Variable};
use crate::launch::variants;
use isa_sim::simt::{RunError, Statistics};
use isa_sim::{AnyEngine, Fault, FaultKind};
use isa_spec::diag::nearest;
use isa_stream::Stop;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// The parameters of a run besides its launch file.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// The name of the cubin in messages.
    pub name: &'a str,
    /// Variants of the machine, `NAME=VALUE`, after those of the file.
    pub set: &'a [String],
    /// Blocks in the place of those of the file.
    pub grid: Option<[u32; 3]>,
    /// Threads of a block in the place of those of the file.
    pub block: Option<[u32; 3]>,
    /// The limit of warp instructions of all launches.
    pub limit: u64,
    /// The number of blocks that run at the same time.
    pub threads: usize,
    /// The seed of another order of blocks and warps.
    pub schedule: Option<u64>,
    /// True if the executions of each mnemonic are counted.
    pub counts: bool,
    /// True if a kernel of the cubin is the one with the name in the file.
    pub is_named: fn(known: &str, asked: &str) -> bool,
}

/// The end of a run.
#[derive(Clone, Debug)]
pub enum Outcome<'f> {
    /// All launches have ended.
    Ended(Ended<'f>),
    /// A kernel has faulted.
    Fault(KernelFault),
    /// The run was stopped from outside.
    Stopped,
}

/// The result of all launches.
#[derive(Clone, Debug)]
pub struct Ended<'f> {
    /// The sums of all launches, without counts.
    pub statistics: Statistics,
    /// The mnemonics that were counted: executions by warps and by lanes, the most frequent first.
    pub mnemonics: Vec<(String, u64, u64)>,
    /// What the file expects, and what differs from it.
    pub compared: Vec<Compared<'f>>,
    /// The bytes of the buffers.
    pub buffers: Vec<Vec<u8>>,
}

/// A comparison with expected contents.
#[derive(Clone, Debug)]
pub struct Compared<'f> {
    /// What is expected.
    pub expected: &'f Expected,
    /// The numbers that differ.
    pub differences: Vec<Difference>,
}

/// A fault of a kernel.
#[derive(Clone, Debug)]
pub struct KernelFault {
    /// The fault.
    pub fault: Box<Fault>,
    /// The name of the kernel.
    pub kernel: String,
    /// The file and the line of the source.
    pub source: Option<(String, u64)>,
    /// The buffer that an access missed.
    pub near: Option<String>,
    /// The function of the host that the kernel calls.
    pub host: Option<String>,
}

impl fmt::Display for KernelFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  in kernel `{}`", self.fault, self.kernel)?;
        if let Some((file, line)) = &self.source {
            write!(f, "\n  at {file}:{line}")?;
        }
        if let Some(near) = &self.near {
            write!(f, "\n  {near}")?;
        }
        match &self.host {
            Some(name) => write!(f, "\n  it calls `{name}`, a function of the host, which there is not here"),
            None => Ok(()),
        }
    }
}

impl KernelFault {
    fn new(fault: Box<Fault>, module: &Module, kernel: &Kernel<'_>, device: &Device) -> Self {
        let lines = module.lines();
        let source = lines.at(kernel.section(), fault.pc).map(|at| (lines.file(at.file).to_string(), at.line));
        let near = match &fault.kind {
            FaultKind::Memory { trouble, space, .. } if space == "global" => {
                device.nearest(trouble.address, trouble.bytes.into())
            }
            _ => None,
        };
        let host = match fault.kind {
            FaultKind::NoInstruction => module.host_function_at(fault.pc).map(str::to_owned),
            _ => None,
        };
        Self { kernel: kernel.name().to_owned(), source, near, host, fault }
    }
}

/// Executes a launch that is prepared.
pub type Launcher<'a> = &'a mut dyn FnMut(&Kernel<'_>, &mut Device, Grid, &[Argument]) -> Result<Statistics, CubinError>;

impl File {
    /// Runs the launches on a cubin, saves memory in the files that are named, and compares it with what is expected. `execute`
    /// executes each launch, as [`Kernel::launch`] does.
    ///
    /// # Errors
    /// When the file does not fit the cubin or the machine, a launch can't begin, or memory can't be saved.
    pub fn run(
        &self,
        engine: &dyn AnyEngine,
        cubin: &[u8],
        options: &Options<'_>,
        execute: Launcher<'_>,
    ) -> Result<Outcome<'_>, Stop> {
        let failed = |why: CubinError| Stop::new(format!("{}: {why}", options.name));
        let mut device = Device::default();
        let buffer = |of: &super::Named| (of.name.clone(), device.buffer(&of.name, of.bytes.clone().unwrap_or_default()));
        let buffers: Vec<(String, BufferId)> = self.buffers.iter().map(buffer).collect();
        let mut module = Module::load(cubin, &mut device).map_err(failed)?;
        let mut symbols = Vec::new();
        for of in &self.symbols {
            let variable = variable(&module, &of.name, options)?;
            if let Some(bytes) = &of.bytes
                && !module.write(&mut device, variable, bytes)
            {
                let (name, size) = (&of.name, variable.size);
                return Err(Stop::new(format!("variable `{name}` has {size} bytes, and {} are given", bytes.len())));
            }
            symbols.push(variable);
        }
        // All errors of the launches are found before anything runs.
        let mut launches = Vec::new();
        for launch in &self.launches {
            let kernel = Kernel::from_cubin(&module, &kernel_name(&module, &launch.kernel, options)?).map_err(failed)?;
            let arguments = arguments(launch, &buffers);
            kernel.check(&device, &arguments).map_err(|why| Stop::new(format!("kernel `{}`: {why}", kernel.name())))?;
            launches.push((kernel, launch, arguments));
        }
        let set: Vec<String> = self.set.iter().chain(options.set).cloned().collect();
        let variants: Vec<(usize, usize)> = variants("the machine", engine.machine(), &set)?.into_iter().enumerate().collect();
        let mut total = Statistics::default();
        let mut counts: BTreeMap<String, (u64, u64)> = BTreeMap::new();
        for (kernel, launch, arguments) in &launches {
            let grid = Grid {
                grid: options.grid.or(launch.grid).unwrap_or([1; 3]),
                block: options.block.or(launch.block).unwrap_or([1; 3]),
                shared: launch.shared,
                limit: options.limit.saturating_sub(total.warp_instructions),
                threads: options.threads,
                schedule: options.schedule,
                variants: variants.clone(),
                counts: options.counts,
                control: Arc::default(),
                output: Output::default(),
            };
            match execute(kernel, &mut device, grid, arguments) {
                Ok(done) => {
                    total.warp_instructions += done.warp_instructions;
                    total.thread_instructions += done.thread_instructions;
                    total.time += done.time;
                    for count in &done.counts {
                        let text = engine.text(count.placed.word, count.placed.bits, count.placed.address);
                        let (warps, threads) = counts.entry(mnemonic(&text)).or_default();
                        (*warps, *threads) = (*warps + count.warps, *threads + count.threads);
                    }
                }
                Err(CubinError::Run(RunError::Fault(fault))) => {
                    return Ok(Outcome::Fault(KernelFault::new(fault, &module, kernel, &device)));
                }
                Err(CubinError::Run(RunError::Stopped)) => return Ok(Outcome::Stopped),
                Err(why) => return Err(Stop::new(format!("kernel `{}`: {why}", kernel.name()))),
            }
        }
        for (of, (_, id)) in self.buffers.iter().zip(&buffers) {
            save(&of.save, device.bytes(*id))?;
        }
        for (of, variable) in self.symbols.iter().zip(&symbols) {
            save(&of.save, module.bytes(&device, *variable))?;
        }
        let mut compared = Vec::new();
        for expected in &self.expect {
            let found = match &expected.of {
                Of::Buffer(name) => buffers.iter().find(|b| b.0 == *name).map_or(&[][..], |b| device.bytes(b.1)),
                Of::Symbol(name) => module.bytes(&device, variable(&module, name, options)?),
            };
            compared.push(Compared { expected, differences: compare(expected, part(expected, found)?) });
        }
        let mut mnemonics: Vec<_> = counts.into_iter().map(|(name, (warps, threads))| (name, warps, threads)).collect();
        mnemonics.sort_by_key(|(_, warps, _)| std::cmp::Reverse(*warps));
        let buffers = buffers.iter().map(|(_, id)| device.bytes(*id).to_vec()).collect();
        Ok(Outcome::Ended(Ended { statistics: total, mnemonics, compared, buffers }))
    }
}

/// The arguments of a launch.
fn arguments(launch: &Launch, buffers: &[(String, BufferId)]) -> Vec<Argument> {
    let argument = |given: &Given| match given {
        Given::Bytes(bytes) => Argument::Bytes(bytes.clone()),
        Given::Buffer(name, offset) => {
            let id = buffers.iter().find(|buffer| buffer.0 == *name).map(|buffer| buffer.1);
            id.map_or_else(|| Argument::Bytes(Vec::new()), |id| Argument::Buffer(id, *offset))
        }
    };
    launch.arguments.iter().map(argument).collect()
}

/// The name of a kernel in its cubin.
fn kernel_name(module: &Module, name: &str, options: &Options<'_>) -> Result<String, Stop> {
    let kernels = module.kernels();
    if let Some(known) = kernels.iter().find(|known| *known == name || (options.is_named)(known, name)) {
        return Ok(known.clone());
    }
    let message = format!("{}: there is no kernel `{name}`", options.name);
    let help = match nearest(name, kernels.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None if kernels.is_empty() => "it has none".to_owned(),
        None => format!("it has {}", kernels.join(", ")),
    };
    Err(Stop::with_help(message, help))
}

fn variable(module: &Module, name: &str, options: &Options<'_>) -> Result<Variable, Stop> {
    let missing = || Stop::new(format!("{}: there is no variable `{name}` in global or constant memory", options.name));
    module.variable(name).ok_or_else(missing)
}

/// The bytes of memory that are compared.
fn part<'m>(expected: &Expected, memory: &'m [u8]) -> Result<&'m [u8], Stop> {
    let from = usize::try_from(expected.at).unwrap_or(usize::MAX);
    let end = from.checked_add(expected.bytes.len());
    end.and_then(|end| memory.get(from..end)).ok_or_else(|| {
        let (Of::Buffer(name) | Of::Symbol(name)) = &expected.of;
        Stop::new(format!("{}: {} bytes from {from} on are more than `{name}` has", expected.name, expected.bytes.len()))
    })
}

fn save(path: &Option<PathBuf>, bytes: &[u8]) -> Result<(), Stop> {
    match path {
        Some(path) => std::fs::write(path, bytes).map_err(|e| Stop::file(path, &e)),
        None => Ok(()),
    }
}

/// `IMAD` of `@!P0 IMAD.WIDE R2, R4, R5, R6`.
fn mnemonic(text: &str) -> String {
    let body = if text.starts_with('@') { text.split_once(' ').map_or("", |(_, body)| body) } else { text };
    body.split([' ', '.']).next().unwrap_or_default().to_owned()
}
