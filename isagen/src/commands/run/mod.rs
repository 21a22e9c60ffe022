//! `run [SPEC] PROGRAM …`: simulation.
//!
//! `program` reads a program, `core` runs it on a core, `kernel` on warps of lanes; `options` is the command line.

mod board;
mod core;
mod cubin;
mod kernel;
mod options;
mod program;
mod state;

use crate::engine::EngineKind;
use crate::object;
use crate::output::{Reporter, Status, count};
use crate::spec;
use isa_host::kernel::is_of_cubins;
use isa_host::launch::{Expect, LaunchFile};
use isa_reference::eval::Reference;
use isa_sim::AnyEngine;
use isa_spec::model::Isa;
use isa_stream::Stop;
pub(crate) use options::Args;
use program::Program;
use std::path::{Path, PathBuf};

/// A specification and a program, as they are given.
struct Given {
    spec: String,
    program: Option<PathBuf>,
}

impl Given {
    /// The specification and the program from one or two names: a file with code determines its instruction set, and a launch
    /// file may name the program.
    fn of(args: &Args) -> Result<Self, Stop> {
        let Some(spec) = &args.spec else {
            if let Some((path, error)) = args.launch.as_ref().and_then(|path| Some((path, path.metadata().err()?))) {
                return Err(Stop::file(path, &error));
            }
            return Err(Stop::with_help("the instruction set is not given", "`isagen run SPEC --launch FILE.json`"));
        };
        match (spec, &args.program) {
            (spec, Some(program)) => Ok(Self { spec: spec.clone(), program: Some(program.clone()) }),
            (spec, None) if args.launch.is_some() => Ok(Self { spec: spec.clone(), program: None }),
            (file, None) if !spec::is_shipped(file) && object::is_object(Path::new(file)) => {
                let file = PathBuf::from(file);
                let bytes = program::elf(&file)?.unwrap_or_default();
                Ok(Self { spec: program::spec_of(&file, &bytes)?, program: Some(file) })
            }
            (name, None) if !spec::is_shipped(name) && !Path::new(name).exists() => Err(spec::unknown(name)),
            (name, None) if spec::is_shipped(name) || name.ends_with(".yaml") => {
                Err(Stop::with_help("there is no program", format!("`isagen run {name} PROGRAM`")))
            }
            (file, None) => {
                let help = format!("`isagen run SPEC {file}`; only an ELF file says itself which one it has");
                Err(Stop::with_help(format!("{file}: the instruction set is not given"), help))
            }
        }
    }
}

pub(crate) fn run(args: &Args, reporter: &Reporter) -> Result<Status, Stop> {
    if let Some(path) = args.launch.as_ref().filter(|path| is_of_cubins(path)) {
        return cubin::run(args, path, reporter);
    }
    let given = Given::of(args)?;
    let isa = match spec::model_with_words(&given.spec, reporter)? {
        Ok(isa) => isa,
        Err(_) => return Ok(Status::CouldNotRun),
    };
    let file = match &args.launch {
        None => LaunchFile::default(),
        Some(path) => match LaunchFile::read(path, &mut |finding, files| reporter.finding(finding, files))? {
            Some(file) => file,
            None => return Ok(Status::CouldNotRun),
        },
    };
    let Some(path) = given.program.as_ref().or(file.program.as_ref()) else {
        return Err(Stop::with_help("there is no program", "the launch file names none: give it as PROGRAM"));
    };
    // Without a `_start`, assembly is code that starts at its beginning, without a host.
    let mut is_bare = false;
    let elf = if program::is_assembly(path) && program::has_code_in_memory(&isa) {
        match program::assembled(&isa, path, reporter)? {
            Some((bytes, has_start)) => {
                is_bare = !has_start;
                Some(bytes)
            }
            None => return Ok(Status::CouldNotRun),
        }
    } else {
        program::elf(path)?
    };
    let Some(program) = Program::read(&isa, path, elf.as_deref(), args.base, reporter)? else { return Ok(Status::CouldNotRun) };
    let kind = EngineKind::choose(args.engine, &given.spec)?;
    let compiled = match kind {
        EngineKind::Reference => None,
        EngineKind::Compiled => generated::engine(&isa.name),
    };
    let job = Job { isa: &isa, args, file: &file, path, program: &program, is_bare, is_compiled: compiled.is_some(), reporter };
    // There may be no compiled code of a shipped one.
    let is_evaluated = kind == EngineKind::Reference || args.engine.is_none() && isa_codegen::rust::is_simulated(&isa);
    match compiled {
        Some(engine) => job.run(&*engine),
        None if is_evaluated => job.run(&Reference::new(&isa).map_err(|why| Stop::new(why.to_string()))?),
        None if isa_codegen::rust::is_simulated(&isa) => {
            let message = format!("there is no compiled engine of {}", isa.name);
            Err(Stop::with_help(message, "`--engine reference` is the evaluator"))
        }
        None => Err(Stop::new(format!("{} does not say what its instructions do: nothing can be run", isa.name))),
    }
}

/// A run that any engine can do.
struct Job<'a> {
    isa: &'a Isa,
    args: &'a Args,
    file: &'a LaunchFile,
    /// The program's file.
    path: &'a Path,
    program: &'a Program<'a>,
    /// The program has no host unless one was requested.
    is_bare: bool,
    /// The engine is code generated from the specification.
    is_compiled: bool,
    reporter: &'a Reporter,
}

impl Job<'_> {
    fn run(self, engine: &dyn AnyEngine) -> Result<Status, Stop> {
        if engine.machine().lanes == 1 { core::run(&self, engine) } else { kernel::run(&self, engine) }
    }

    /// Compares words with those that a launch file expects; returns whether they are equal.
    fn compare(&self, expect: &Expect, words: &[u32]) -> bool {
        let mut wrong = words.iter().zip(&expect.words).enumerate().filter(|(_, (is, should))| is != should);
        let total = count(words.len(), "word");
        let Some((first, (is, should))) = wrong.next() else {
            self.reporter.remark(&format!("{total} as expected"));
            return true;
        };
        let (differ, at) = (count(1 + wrong.count(), ""), expect.address + 4 * first as u64);
        let message = format!("{differ} of {total} differ from {}: at {at:#x} is {is:08x}, not {should:08x}", expect.name);
        self.reporter.fault("expect", &message, None);
        false
    }
}
