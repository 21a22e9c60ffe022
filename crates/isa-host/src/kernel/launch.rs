//! A kernel, its arguments, and its run.

use super::device::{BufferId, Device};
use super::error::{Arguments, CubinError};
use super::functions::{Functions, Output};
use super::module::Module;
use isa_object::{Code, FunctionKind, Resources};
use isa_sim::simt::{Control, Host, Image, Launch, Part, Statistics, Trace};
use isa_sim::{AnyEngine, MachineInfo, Placed};
use std::sync::Arc;

/// Bytes of the stack of a thread beyond the size in the file.
const STACK: u64 = 1 << 10;
/// The default space of parameters, and the first of the spaces that kernels need.
const SPACES: [&str; 4] = ["global", "shared", "local", "const"];

/// A kernel of a module.
#[derive(Clone, Copy, Debug)]
pub struct Kernel<'m> {
    module: &'m Module,
    name: &'m str,
    code: &'m Code<'static>,
    resources: &'m Resources,
    /// The offset of its first instruction in its section.
    entry: u64,
}

/// An argument of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// The address of a buffer, and bytes from there: 64 bits.
    Buffer(BufferId, u64),
    /// Bytes, the low one of a number first.
    Bytes(Vec<u8>),
}

/// The configuration of a launch.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Blocks, in x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block, in x, y and z.
    pub block: [u32; 3],
    /// Bytes of shared memory in addition to those in the file.
    pub shared: u64,
    /// The limit of warp instructions.
    pub limit: u64,
    /// The number of blocks that run at the same time.
    pub threads: usize,
    /// The seed of another order of blocks and warps.
    pub schedule: Option<u64>,
    /// Values of variants.
    pub variants: Vec<(usize, usize)>,
    /// True if the executions of each instruction are counted.
    pub counts: bool,
    /// Observes the run from outside, and can end it early.
    pub control: Arc<Control>,
    /// The output of `printf` in kernels.
    pub output: Output,
}

impl Default for Grid {
    fn default() -> Self {
        let Launch { grid, block, limit, threads, schedule, variants, counts, control, .. } = Launch::default();
        Self { grid, block, shared: 0, limit, threads, schedule, variants, counts, control, output: Output::default() }
    }
}

impl<'m> Kernel<'m> {
    /// The kernel of this name.
    ///
    /// # Errors
    /// If the module has none.
    pub fn from_cubin(module: &'m Module, name: &str) -> Result<Self, CubinError> {
        for code in &module.object.sections {
            let function = code.functions.iter().find(|f| f.kind == FunctionKind::Kernel && f.name == name);
            if let (Some(function), Some(resources)) = (function, &code.resources) {
                return Ok(Self { module, name: &function.name, code, resources, entry: function.offset });
            }
        }
        Err(CubinError::NoKernel(name.to_owned(), module.kernels()))
    }

    /// Its name.
    pub fn name(&self) -> &'m str {
        self.name
    }

    /// The number of its section in the file, for lines of the source.
    pub fn section(&self) -> usize {
        self.code.index
    }

    /// The words of its section, by address.
    fn words(&self, machine: &MachineInfo) -> Vec<Placed> {
        let unit = machine.units.bytes().max(1);
        let words = self.code.data.chunks_exact(unit).zip((0..).step_by(unit));
        words.map(|(bytes, address)| Placed { address, word: machine.units.read(bytes), bits: machine.units.bits }).collect()
    }

    /// The bytes of parameters as the kernel finds them in memory.
    fn parameters(&self, device: &Device, arguments: &[Argument]) -> Result<Vec<u8>, CubinError> {
        let mut params = self.resources.params.clone();
        params.sort_by_key(|param| param.ordinal);
        if params.len() != arguments.len() {
            let (wanted, given) = (params.len(), arguments.len());
            return Err(CubinError::Arguments(Arguments::Count { wanted, given }));
        }
        let mut all = vec![0; self.resources.param_size as usize];
        for (at, (param, argument)) in params.iter().zip(arguments).enumerate() {
            let bytes = match argument {
                Argument::Buffer(buffer, offset) => device.address(*buffer).wrapping_add(*offset).to_le_bytes().to_vec(),
                Argument::Bytes(bytes) => bytes.clone(),
            };
            let (wanted, given) = (param.size.into(), bytes.len() as u64);
            if wanted != given {
                return Err(CubinError::Arguments(Arguments::Size { at, wanted, given }));
            }
            let from = param.offset as usize;
            if all.len() < from + bytes.len() {
                all.resize(from + bytes.len(), 0);
            }
            all[from..from + bytes.len()].copy_from_slice(&bytes);
        }
        Ok(all)
    }

    /// Checks that the arguments match the kernel's parameters.
    ///
    /// # Errors
    /// The first mismatch.
    pub fn check(&self, device: &Device, arguments: &[Argument]) -> Result<(), CubinError> {
        self.parameters(device, arguments).map(drop)
    }

    /// Runs it to its end; its results are in the buffers of the device then.
    ///
    /// # Errors
    /// If the launch is not possible, or the kernel faults.
    pub fn launch(
        &self,
        engine: &dyn AnyEngine,
        device: &mut Device,
        grid: Grid,
        arguments: &[Argument],
    ) -> Result<Statistics, CubinError> {
        self.launch_traced(engine, device, grid, arguments, None)
    }

    /// The same with an observer of every instruction.
    ///
    /// # Errors
    /// The same as those of [`Kernel::launch`].
    pub fn launch_traced(
        &self,
        engine: &dyn AnyEngine,
        device: &mut Device,
        grid: Grid,
        arguments: &[Argument],
        trace: Option<Trace<'_>>,
    ) -> Result<Statistics, CubinError> {
        let machine = engine.machine();
        let space = |name: &'static str| {
            let found = machine.spaces.iter().position(|space| space.name == name);
            found.ok_or(CubinError::NoSpace(name))
        };
        let [global, shared, local, constant] = SPACES.map(space);
        let (global, shared, local, constant) = (global?, shared?, local?, constant?);
        self.check_block(grid.block)?;
        let functions = Functions::new(self.module, device, machine, grid.output).map(Arc::new);
        let mut images = Vec::new();
        for (kernel, bank, bytes) in &self.module.banks {
            if kernel.as_ref().is_none_or(|kernel| kernel == self.name) {
                images.push(Image { space: constant, bank: *bank, address: 0, bytes: bytes.clone() });
            }
        }
        let bytes = self.parameters(device, arguments)?;
        let address = self.resources.param_base.into();
        images.push(Image { space: constant, bank: machine.params.as_ref().map_or(0, |params| params.bank), address, bytes });
        for buffer in &device.buffers {
            images.push(Image { space: global, bank: 0, address: buffer.address, bytes: buffer.bytes.clone() });
        }
        let parts = device.buffers.iter().filter(|buffer| !buffer.bytes.is_empty());
        let mut parts: Vec<Part> =
            parts.map(|buffer| Part { space: global, address: buffer.address, bytes: buffer.bytes.len() as u64 }).collect();
        if parts.is_empty() {
            // Without any part, the whole memory would exist.
            parts.push(Part { space: global, address: 0, bytes: 0 });
        }
        images.retain(|image| !image.bytes.is_empty());
        let own = self.resources.shared.saturating_add(grid.shared);
        let frame = u64::from(self.resources.frame.max(self.resources.min_stack.unwrap_or(0)));
        let launch = Launch {
            grid: grid.grid,
            block: grid.block,
            images,
            parts,
            sizes: vec![
                // Compilers read up to the end of a load of 16 bytes.
                (shared, own.checked_next_multiple_of(16).unwrap_or(own)),
                (local, (frame + STACK).next_multiple_of(16)),
            ],
            entry: Some(self.entry),
            limit: grid.limit,
            threads: grid.threads,
            schedule: grid.schedule,
            variants: grid.variants,
            counts: grid.counts,
            control: grid.control,
            host: functions.clone().map(|functions| functions as Arc<dyn Host>),
            ..Launch::default()
        };
        let finished = engine.run(&self.words(machine), &launch, trace)?;
        if let Some(functions) = functions {
            functions.finish(device);
        }
        if let Some(memory) = finished.memory.get(global).and_then(|memories| memories.first()) {
            for buffer in &mut device.buffers {
                if let Some(bytes) = memory.bytes(buffer.address, buffer.bytes.len() as u64) {
                    buffer.bytes = bytes;
                }
            }
        }
        Ok(finished.statistics)
    }

    /// Checks that the kernel can have such blocks.
    fn check_block(&self, block: [u32; 3]) -> Result<(), CubinError> {
        let threads = block.iter().fold(1u64, |n, size| n.saturating_mul((*size).into()));
        if let Some(wanted) = self.resources.required_threads.filter(|wanted| *wanted != block) {
            let [x, y, z] = wanted;
            return Err(CubinError::Block(format!("the kernel is for blocks of {x} x {y} x {z} threads")));
        }
        let most = self.resources.max_threads.map(|most| most.iter().fold(1u64, |n, size| n.saturating_mul((*size).into())));
        match most.unwrap_or(1024).min(1024) {
            most if threads > most => {
                Err(CubinError::Block(format!("a block of this kernel has at most {most} threads, not {threads}")))
            }
            _ => Ok(()),
        }
    }
}
