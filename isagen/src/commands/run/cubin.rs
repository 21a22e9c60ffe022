//! Kernels of cubins, by launch files.

use super::kernel::{COMPILED_LIMIT, EVALUATOR_LIMIT, with_progress};
use super::options::Args;
use crate::engine::EngineKind;
use crate::kernels::{Difference, Expected, Given, KernelFile, Of, compare};
use crate::object::{self, demangled};
use crate::output::{Reporter, Status, count, share};
use crate::spec;
use isa_host::kernel::{Argument, CubinError, Device, Grid, Kernel, Module, Output};
use isa_object::EntryKind;
use isa_reference::eval::Reference;
use isa_sim::simt::{Control, RunError, Statistics, Traced};
use isa_sim::{AnyEngine, Fault, FaultKind, MachineInfo};
use isa_spec::diag::nearest;
use isa_stream::{Escaped, Stop};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The number of differences shown for one expectation.
const SHOWN: usize = 4;

/// Runs a launch file.
pub(super) fn run(args: &Args, path: &Path, reporter: &Reporter) -> Result<Status, Stop> {
    refuse(args)?;
    let Some(file) = KernelFile::read(path, reporter)? else { return Ok(Status::CouldNotRun) };
    let (named, program) = given(args, &file)?;
    let bytes = object::read(&program)?;
    let contents = isa_object::contents(&bytes);
    if object::files::report(&program.display().to_string(), &contents, reporter) {
        return Ok(Status::CouldNotRun);
    }
    let cubin = cubin(&program, &contents, file.arch.as_deref())?;
    let name = match named {
        Some(name) => name,
        None => spec::shipped_for(isa_object_machine(&contents), &cubin.0)
            .map(str::to_owned)
            .ok_or_else(|| Stop::new(format!("{}: no shipped instruction set is that of {}", program.display(), cubin.0)))?,
    };
    let kind = EngineKind::choose(args.engine, &name)?;
    let compiled = match kind {
        EngineKind::Reference => None,
        EngineKind::Compiled => generated::engine(isa_specs::own_name(&name).unwrap_or(&name)),
    };
    let job = Job { args, file: &file, program: &program, is_compiled: compiled.is_some(), reporter };
    // Compiled code needs no specification.
    if let Some(engine) = compiled {
        return job.run(&*engine, &cubin.1);
    }
    if args.engine == Some(EngineKind::Compiled) {
        let message = format!("there is no compiled engine of {name}");
        return Err(Stop::with_help(message, "`--engine reference` is the evaluator"));
    }
    match spec::model_with_words(&name, reporter)? {
        Ok(isa) => job.run(&Reference::new(&isa).map_err(|why| Stop::new(why.to_string()))?, &cubin.1),
        Err(_) => Ok(Status::CouldNotRun),
    }
}

/// Refuses options that do not apply to the launch of a cubin.
fn refuse(args: &Args) -> Result<(), Stop> {
    let kernel = [
        ("--param", !args.kernel.params.is_empty()),
        ("--const", !args.kernel.constants.is_empty()),
        ("--global", args.kernel.global.is_some()),
        ("--size", !args.kernel.size.is_empty()),
        ("--memory", !args.memory.is_empty()),
        ("--dump", !args.dump.is_empty()),
    ];
    let other = kernel.into_iter().find(|option| option.1).map(|option| option.0);
    match args.core.first().or(other) {
        Some(option) => {
            Err(Stop::with_help(format!("{option} is not for cubins"), "the launch file says what memory has: `buffers`"))
        }
        None => Ok(()),
    }
}

/// The specification, if one is named, and the file of the program.
fn given(args: &Args, file: &KernelFile) -> Result<(Option<String>, PathBuf), Stop> {
    let missing = || Stop::with_help("there is no program", "the launch file names none: give it as PROGRAM");
    match (&args.spec, &args.program) {
        (Some(spec), Some(program)) => Ok((Some(spec.clone()), program.clone())),
        (Some(spec), None) if !spec::is_shipped(spec) && object::is_object(Path::new(spec)) => Ok((None, spec.into())),
        (spec, None) => Ok((spec.clone(), file.program.clone().ok_or_else(missing)?)),
        (None, Some(program)) => Ok((None, program.clone())),
    }
}

/// The machine of the cubins in a file.
fn isa_object_machine(contents: &isa_object::Contents<'_>) -> u16 {
    contents.entries.iter().find_map(|entry| entry.machine).unwrap_or(0)
}

/// The architecture and the bytes of the cubin that is run.
fn cubin<'c>(path: &Path, contents: &'c isa_object::Contents<'_>, arch: Option<&str>) -> Result<(String, Cow<'c, [u8]>), Stop> {
    let file = path.display();
    let elfs: Vec<_> = contents.entries.iter().filter(|entry| entry.kind == EntryKind::Elf).collect();
    let known: Vec<&str> = elfs.iter().map(|entry| entry.arch.as_str()).collect();
    let found = match arch {
        None => elfs.first(),
        Some(arch) => elfs.iter().find(|entry| entry.arch == arch),
    };
    let Some(entry) = found else {
        let message = format!("{file}: it holds no cubin{}", arch.map_or_else(String::new, |arch| format!(" of {arch}")));
        return Err(if known.is_empty() {
            Stop::new(message)
        } else {
            Stop::with_help(message, format!("it has {}", known.join(", ")))
        });
    };
    let data = entry.data().map_err(|why| Stop::new(format!("{file}: {why}")))?;
    Ok((entry.arch.clone(), data))
}

/// The values of variants that are set, by their numbers.
fn variants(machine: &MachineInfo, set: &[String]) -> Result<Vec<(usize, usize)>, Stop> {
    let one = |setting: &String| {
        let usage = || Stop::with_help(format!("`--set {setting}`"), "it is written `--set NAME=VALUE`");
        let (name, value) = setting.split_once('=').ok_or_else(usage)?;
        let variant = machine.variants.iter().position(|variant| variant.name == name);
        let variant = variant.ok_or_else(|| Stop::new(format!("the machine has no variant `{name}`")))?;
        let values = &machine.variants[variant].values;
        let value = values.iter().position(|known| known == value);
        Ok((variant, value.ok_or_else(|| Stop::new(format!("`{name}` can be {}", values.join(", "))))?))
    };
    set.iter().map(one).collect()
}

/// `IMAD` of `@!P0 IMAD.WIDE R2, R4, R5, R6`.
fn mnemonic(text: &str) -> String {
    let body = if text.starts_with('@') { text.split_once(' ').map_or("", |(_, body)| body) } else { text };
    body.split([' ', '.']).next().unwrap_or_default().to_owned()
}

struct Job<'a> {
    args: &'a Args,
    file: &'a KernelFile,
    program: &'a Path,
    is_compiled: bool,
    reporter: &'a Reporter,
}

impl Job<'_> {
    fn run(&self, engine: &dyn AnyEngine, cubin: &[u8]) -> Result<Status, Stop> {
        let failed = |why: &CubinError| Stop::new(format!("{}: {why}", self.program.display()));
        let mut device = Device::default();
        let mut buffers = Vec::new();
        for (name, bytes, _) in &self.file.buffers {
            buffers.push((name.as_str(), device.buffer(name, bytes.clone())));
        }
        let mut module = Module::load(cubin, &mut device).map_err(|why| failed(&why))?;
        for (name, bytes, _) in &self.file.symbols {
            let variable = module.variable(name).ok_or_else(|| self.no_variable(name))?;
            if let Some(bytes) = bytes
                && !module.write(&mut device, variable, bytes)
            {
                return Err(Stop::new(format!("variable `{name}` has {} bytes, and {} are given", variable.size, bytes.len())));
            }
        }
        // All errors of the launches are found before anything runs.
        let mut launches = Vec::new();
        for launch in &self.file.launches {
            let name = launch.kernel.as_ref().map_or("", |name| &name.value);
            let kernel = module
                .kernels()
                .into_iter()
                .find(|known| known == name || demangled(known).is_some_and(|own| own.split('(').next() == Some(name)));
            let name = kernel.ok_or_else(|| self.no_kernel(name, &module.kernels()))?;
            let arguments: Vec<Argument> = launch
                .arguments
                .iter()
                .map(|given| match given {
                    Given::Bytes(bytes) => Argument::Bytes(bytes.clone()),
                    Given::Buffer(name, offset) => {
                        let id = buffers.iter().find(|buffer| buffer.0 == name.value).map(|buffer| buffer.1);
                        id.map_or_else(|| Argument::Bytes(Vec::new()), |id| Argument::Buffer(id, *offset))
                    }
                })
                .collect();
            let kernel = Kernel::from_cubin(&module, &name).map_err(|why| failed(&why))?;
            kernel.check(&device, &arguments).map_err(|why| Stop::new(format!("kernel `{name}`: {why}")))?;
            launches.push((name, launch, arguments));
        }
        let set: Vec<String> = self.file.set.iter().chain(&self.args.set).cloned().collect();
        let variants = variants(engine.machine(), &set)?;
        let mut total = Statistics::default();
        let mut mnemonics: BTreeMap<String, (u64, u64)> = BTreeMap::new();
        let mut left = self.args.limit.unwrap_or(if self.is_compiled { COMPILED_LIMIT } else { EVALUATOR_LIMIT });
        for (name, launch, arguments) in &launches {
            let kernel = Kernel::from_cubin(&module, name).map_err(|why| failed(&why))?;
            let grid = Grid {
                grid: self.args.kernel.grid.or(launch.grid).unwrap_or([1; 3]),
                block: self.args.kernel.block.or(launch.block).unwrap_or([1; 3]),
                shared: launch.shared,
                limit: left,
                threads: self.args.kernel.threads,
                schedule: self.args.kernel.schedule,
                variants: variants.clone(),
                counts: self.args.stats,
                control: Arc::default(),
                output: Output::default(),
            };
            match self.launch(engine, &kernel, &mut device, grid, arguments) {
                Ok(done) => {
                    left = left.saturating_sub(done.warp_instructions);
                    total.warp_instructions += done.warp_instructions;
                    total.thread_instructions += done.thread_instructions;
                    total.time += done.time;
                    for count in &done.counts {
                        let mnemonic = mnemonic(&engine.text(count.placed.word, count.placed.bits, count.placed.address));
                        let known: &mut (u64, u64) = mnemonics.entry(mnemonic).or_default();
                        *known = (known.0 + count.warps, known.1 + count.threads);
                    }
                }
                Err(CubinError::Run(RunError::Fault(fault))) => {
                    self.fault(&module, &kernel, &device, &fault);
                    return Ok(Status::Findings);
                }
                Err(CubinError::Run(RunError::Stopped)) => return Err(Stop::BrokenPipe),
                Err(why) => return Err(Stop::new(format!("kernel `{name}`: {why}"))),
            }
        }
        let save = |path: &Option<PathBuf>, bytes: &[u8]| match path {
            Some(path) => std::fs::write(path, bytes).map_err(|e| Stop::file(path, &e)),
            None => Ok(()),
        };
        for ((_, id), (_, _, path)) in buffers.iter().zip(&self.file.buffers) {
            save(path, device.bytes(*id))?;
        }
        for (name, _, path) in &self.file.symbols {
            let variable = module.variable(name).ok_or_else(|| self.no_variable(name))?;
            save(path, module.bytes(&device, variable))?;
        }
        let mut good = true;
        for expected in &self.file.expect {
            let found = match &expected.of {
                Of::Buffer(name) => buffers.iter().find(|b| b.0 == name).map_or(&[][..], |b| device.bytes(b.1)),
                Of::Symbol(name) => {
                    let variable = module.variable(name).ok_or_else(|| self.no_variable(name))?;
                    module.bytes(&device, variable)
                }
            };
            good &= self.compare(expected, found)?;
        }
        if self.file.expect.is_empty() {
            self.reporter.remark("nothing is compared: the launch file has no `expect`");
        }
        if self.args.stats {
            let mut all: Vec<_> = mnemonics.iter().collect();
            all.sort_by_key(|(_, (warps, _))| std::cmp::Reverse(*warps));
            for (mnemonic, (warps, threads)) in all {
                let [warps, threads] = [warps, threads].map(|n| count(*n as usize, ""));
                self.reporter.remark(&format!("{mnemonic:12} {warps:>15} {threads:>18}"));
            }
            let [warps, threads] = [total.warp_instructions, total.thread_instructions].map(|n| count(n as usize, ""));
            let launches = count(launches.len(), "launch");
            let seconds = total.time.as_secs_f64();
            let most = total.warp_instructions.saturating_mul(engine.machine().lanes.into()).max(1);
            let active = share(total.thread_instructions as f64 / most as f64);
            self.reporter.remark(&format!(
                "{launches}, {warps} warp instructions, {threads} thread instructions ({active} of the lanes), {seconds:.3} s"
            ));
        }
        Ok(Status::of(!good))
    }

    /// Launches a kernel, with a trace if one was requested.
    fn launch(
        &self,
        engine: &dyn AnyEngine,
        kernel: &Kernel<'_>,
        device: &mut Device,
        grid: Grid,
        arguments: &[Argument],
    ) -> Result<Statistics, CubinError> {
        let control: Arc<Control> = Arc::clone(&grid.control);
        if self.args.trace {
            let mut to = Escaped(BufWriter::new(io::stderr()));
            let mut trace = |t: &Traced<'_>| {
                // The trace was requested: without a reader the run has no use.
                if writeln!(to, "{}", super::kernel::trace_line(engine, t)).is_err() {
                    control.stop();
                }
            };
            let done = kernel.launch_traced(engine, device, grid, arguments, Some(&mut trace));
            return if to.flush().is_err() { Err(CubinError::Run(RunError::Stopped)) } else { done };
        }
        let (done, limit) = (|| control.warp_instructions(), grid.limit);
        with_progress(&done, "warp instructions", limit, || kernel.launch(engine, device, grid, arguments))
    }

    /// Compares a buffer or a variable; returns whether it is as expected.
    fn compare(&self, expected: &Expected, found: &[u8]) -> Result<bool, Stop> {
        let name = match &expected.of {
            Of::Buffer(name) | Of::Symbol(name) => name,
        };
        let from = usize::try_from(expected.at).unwrap_or(usize::MAX);
        let end = from.checked_add(expected.bytes.len()).filter(|end| *end <= found.len());
        let Some(found) = end.and_then(|end| found.get(from..end)) else {
            let message = format!("{}: {} bytes from {from} on are more than `{name}` has", expected.name, expected.bytes.len());
            return Err(Stop::new(message));
        };
        let differences = compare(expected, found);
        let (kind, total) = (expected.kind, expected.bytes.len() / expected.kind.bytes());
        if differences.is_empty() {
            self.reporter.remark(&format!("`{name}`: {} {} as expected", count(total, ""), kind.name()));
            return Ok(true);
        }
        let line = |of: &Difference| {
            let digits = 2 + kind.bits() as usize / 4;
            let (found, wanted) = (kind.show(of.found), kind.show(of.expected));
            format!(
                "\n  at {}: found {found} ({:#0digits$x}), expected {wanted} ({:#0digits$x})",
                of.index, of.found, of.expected
            )
        };
        let lines: String = differences.iter().take(SHOWN).map(line).collect();
        let message = format!(
            "`{name}`: {} of {} {} differ from {}{lines}",
            count(differences.len(), ""),
            count(total, ""),
            kind.name(),
            expected.name
        );
        self.reporter.fault("expect", &message, None);
        Ok(false)
    }

    /// Reports a fault of a kernel: with its name, the line of its source, and the buffer that an access missed.
    fn fault(&self, module: &Module, kernel: &Kernel<'_>, device: &Device, fault: &Fault) {
        let mut message = fault.to_string();
        message.push_str(&format!("\n  in kernel `{}`", demangled(kernel.name()).unwrap_or_else(|| kernel.name().to_owned())));
        let lines = module.lines();
        if let Some(place) = lines.at(kernel.section(), fault.pc) {
            message.push_str(&format!("\n  at {}:{}", lines.file(place.file), place.line));
        }
        let mut help = None;
        match &fault.kind {
            FaultKind::Memory { trouble, space, .. } if space == "global" => {
                if let Some(near) = device.nearest(trouble.address, trouble.bytes.into()) {
                    message.push_str(&format!("\n  {near}"));
                }
            }
            FaultKind::NoInstruction => {
                if let Some(name) = module.host_function_at(fault.pc) {
                    message.push_str(&format!("\n  it calls `{name}`, a function of the host, which there is not here"));
                }
            }
            FaultKind::StepLimit(_) => help = Some("`--limit N` allows more"),
            _ => {}
        }
        self.reporter.fault("fault", &message, help);
    }

    fn no_kernel(&self, name: &str, known: &[String]) -> Stop {
        let message = format!("{}: there is no kernel `{name}`", self.program.display());
        let help = match nearest(name, known.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => "it has none".to_owned(),
            None => format!("it has {}", known.join(", ")),
        };
        Stop::with_help(message, help)
    }

    fn no_variable(&self, name: &str) -> Stop {
        Stop::new(format!("{}: there is no variable `{name}` in global or constant memory", self.program.display()))
    }
}
