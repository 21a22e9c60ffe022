//! Kernels of cubins, by launch files.

use super::kernel::{COMPILED_LIMIT, EVALUATOR_LIMIT, with_progress};
use super::options::Args;
use crate::engine::EngineKind;
use crate::object::{self, demangled};
use crate::output::{Reporter, Status, count, share};
use crate::spec;
use isa_host::kernel::{
    Argument, Compared, CubinError, Device, Difference, Ended, File, Grid, Kernel, KernelFault, Of, Options, Outcome,
};
use isa_object::EntryKind;
use isa_reference::eval::Reference;
use isa_sim::simt::{RunError, Statistics, Traced};
use isa_sim::{AnyEngine, FaultKind};
use isa_stream::{Escaped, Stop};
use std::borrow::Cow;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The number of differences shown for one expectation.
const SHOWN: usize = 4;

/// Runs a launch file.
pub(super) fn run(args: &Args, path: &Path, reporter: &Reporter) -> Result<Status, Stop> {
    refuse(args)?;
    let Some(file) = File::read(path, &mut |finding, files| reporter.finding(finding, files))? else {
        return Ok(Status::CouldNotRun);
    };
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
    let compiled = EngineKind::compiled(args.engine, &name, isa_specs::own_name(&name).unwrap_or(&name))?;
    let job = Job { args, file: &file, program: &program, is_compiled: compiled.is_some(), reporter };
    // Compiled code needs no specification.
    if let Some(engine) = compiled {
        return job.run(&*engine, &cubin.1);
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
fn given(args: &Args, file: &File) -> Result<(Option<String>, PathBuf), Stop> {
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

/// True if a kernel has a name in the cubin, or in the source without its parameters.
fn is_named(known: &str, asked: &str) -> bool {
    known == asked || demangled(known).is_some_and(|own| own.split('(').next() == Some(asked))
}

struct Job<'a> {
    args: &'a Args,
    file: &'a File,
    program: &'a Path,
    is_compiled: bool,
    reporter: &'a Reporter,
}

impl Job<'_> {
    fn run(&self, engine: &dyn AnyEngine, cubin: &[u8]) -> Result<Status, Stop> {
        let Self { args, file, .. } = self;
        let options = Options {
            name: &self.program.display().to_string(),
            set: &args.set,
            grid: args.kernel.grid,
            block: args.kernel.block,
            limit: args.limit.unwrap_or(if self.is_compiled { COMPILED_LIMIT } else { EVALUATOR_LIMIT }),
            threads: args.kernel.threads,
            schedule: args.kernel.schedule,
            counts: args.stats,
            is_named,
        };
        let mut execute = |kernel: &Kernel<'_>, device: &mut Device, grid: Grid, arguments: &[Argument]| {
            self.launch(engine, kernel, device, grid, arguments)
        };
        let ended = match file.run(engine, cubin, &options, &mut execute)? {
            Outcome::Ended(ended) => ended,
            Outcome::Fault(fault) => {
                self.fault(fault);
                return Ok(Status::Findings);
            }
            Outcome::Stopped => return Err(Stop::BrokenPipe),
        };
        ended.compared.iter().for_each(|compared| self.compared(compared));
        if file.expect.is_empty() {
            self.reporter.remark("nothing is compared: the launch file has no `expect`");
        }
        if args.stats {
            self.statistics(&ended, engine.machine().lanes);
        }
        Ok(Status::of(ended.compared.iter().any(|compared| !compared.differences.is_empty())))
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
        let control = Arc::clone(&grid.control);
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

    /// Reports a comparison.
    fn compared(&self, Compared { expected, differences }: &Compared<'_>) {
        let (Of::Buffer(name) | Of::Symbol(name)) = &expected.of;
        let (kind, total) = (expected.kind, expected.bytes.len() / expected.kind.bytes());
        if differences.is_empty() {
            self.reporter.remark(&format!("`{name}`: {} {} as expected", count(total, ""), kind.name()));
            return;
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
    }

    /// Shows how often mnemonics were executed, and what all of it has taken.
    fn statistics(&self, ended: &Ended<'_>, lanes: u32) {
        for (mnemonic, warps, threads) in &ended.mnemonics {
            let [warps, threads] = [warps, threads].map(|n| count(*n as usize, ""));
            self.reporter.remark(&format!("{mnemonic:12} {warps:>15} {threads:>18}"));
        }
        let total = &ended.statistics;
        let [warps, threads] = [total.warp_instructions, total.thread_instructions].map(|n| count(n as usize, ""));
        let launches = count(self.file.launches.len(), "launch");
        let seconds = total.time.as_secs_f64();
        let most = total.warp_instructions.saturating_mul(lanes.into()).max(1);
        let active = share(total.thread_instructions as f64 / most as f64);
        self.reporter.remark(&format!(
            "{launches}, {warps} warp instructions, {threads} thread instructions ({active} of the lanes), {seconds:.3} s"
        ));
    }

    fn fault(&self, fault: KernelFault) {
        let help = matches!(fault.fault.kind, FaultKind::StepLimit(_)).then_some("`--limit N` allows more");
        let kernel = demangled(&fault.kernel).unwrap_or(fault.kernel);
        self.reporter.fault("fault", &KernelFault { kernel, ..fault }.to_string(), help);
    }
}
