//! Programs that run: ELF files, and kernels of cubins.

use crate::errors::RunError;
use crate::isa::{Isa, loaded};
use isa_host::kernel::{File, Given as Argument, Grid, Kernel, Launch, Named, Options, Outcome};
use isa_host::linux::{self, Stream};
use isa_host::{load, tohost};
use isa_object::Executable;
use isa_reference::eval::Reference;
use isa_sim::{AnyEngine, Exit, Machine, Stopped};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::cell::RefCell;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The number of instructions executed between two checks for signals by Python.
const SLICE: u64 = 1 << 26;
/// The limit of bytes that a program may write to a stream.
const MOST_OUTPUT: usize = 1 << 28;

/// Bytes that a program has written.
#[derive(Clone, Default)]
struct Written(Rc<RefCell<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut own = self.0.borrow_mut();
        if own.len() + bytes.len() > MOST_OUTPUT {
            return Err(io::ErrorKind::StorageFull.into());
        }
        own.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The engine of an instruction set: the compiled one, or the evaluator of a specification.
fn with_engine<T>(isa: &Isa, work: impl FnOnce(&dyn AnyEngine) -> Result<T, String>) -> Result<T, String> {
    let shared = &isa.shared;
    if let Some(engine) = generated::engine(&shared.spec).filter(|_| shared.path.is_none()) {
        return work(&*engine);
    }
    if shared.path.is_none() && isa_specs::text(&shared.spec).is_none() {
        return Err(format!("{}: an image does not say what instructions do; load the specification", shared.spec));
    }
    let loaded = loaded(Path::new(&shared.spec))?;
    let model = loaded.isa.ok_or_else(|| format!("{}: the specification has errors", shared.spec))?;
    let engine = Reference::new(&model).map_err(|why| why.to_string())?;
    work(&engine)
}

/// The end of a program, and its output.
struct Ended {
    status: i32,
    signal: Option<&'static str>,
    steps: u64,
    output: Vec<u8>,
    error: Vec<u8>,
}

/// Runs an ELF file: a Linux program, a test with `tohost`, or bare.
#[pyfunction]
#[pyo3(signature = (isa, data, name, *, args, stdin, env, root, write, limit))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn program<'py>(
    py: Python<'py>,
    isa: &Isa,
    data: &Bound<'py, PyBytes>,
    name: &str,
    args: Vec<Vec<u8>>,
    stdin: Vec<u8>,
    env: Vec<Vec<u8>>,
    root: Option<PathBuf>,
    write: bool,
    limit: Option<u64>,
) -> PyResult<Bound<'py, PyDict>> {
    let data = data.as_bytes();
    let ended = py.detach(|| {
        let mut signalled = None;
        let ended = with_engine(isa, |engine| {
            let failed = |why: &dyn std::fmt::Display| format!("{name}: {why}");
            let program = Executable::parse(data).map_err(|why| failed(&why))?;
            let (output, error) = (Written::default(), Written::default());
            let mut machine = Machine::new(engine).map_err(|why| failed(&why))?;
            if program.symbol(tohost::SYMBOL).is_some() {
                load(&mut machine, &program).map_err(|why| failed(&why))?;
                tohost::start(&mut machine, &program, Box::new(output.clone())).map_err(|why| failed(&why))?;
            } else if engine.machine().linux.is_some() {
                let stream = |io: &Written| Stream { is_terminal: false, file: None, io: Box::new(io.clone()) as Box<dyn Write> };
                let options = linux::Options {
                    arguments: std::iter::once(name.as_bytes().to_vec()).chain(args).collect(),
                    environment: env,
                    root,
                    write,
                    input: Stream { is_terminal: false, file: None, io: Box::new(io::Cursor::new(stdin)) },
                    output: stream(&output),
                    error: stream(&error),
                    ..linux::Options::default()
                };
                linux::start(&mut machine, &program, options).map_err(|why| failed(&why))?;
            } else {
                load(&mut machine, &program).map_err(|why| failed(&why))?;
            }
            let limit = limit.unwrap_or(u64::MAX);
            let stopped = loop {
                let left = limit.saturating_sub(machine.steps());
                match machine.run(left.min(SLICE)) {
                    Stopped::Budget if machine.steps() >= limit => {
                        return Err(format!("{name}: the program has not ended after {limit} instructions"));
                    }
                    Stopped::Budget => {}
                    stopped => break stopped,
                }
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    signalled = Some(error);
                    return Err(String::new());
                }
            };
            let steps = machine.steps();
            drop(machine);
            let (status, signal) = match stopped {
                Stopped::Exit(Exit::Status(status)) => (status, None),
                Stopped::Exit(Exit::Signal(number, name)) => (128 + i32::from(number), Some(name)),
                Stopped::Fault(fault) => return Err(failed(&fault)),
                other => return Err(failed(&other)),
            };
            Ok(Ended { status, signal, steps, output: output.0.take(), error: error.0.take() })
        });
        signalled.map_or(Ok(ended), Err)
    })?;
    let ended = ended.map_err(RunError::new_err)?;
    let all = PyDict::new(py);
    all.set_item("status", ended.status)?;
    all.set_item("signal", ended.signal)?;
    all.set_item("instructions", ended.steps)?;
    all.set_item("stdout", PyBytes::new(py, &ended.output))?;
    all.set_item("stderr", PyBytes::new(py, &ended.error))?;
    Ok(all)
}

/// An argument of a kernel: the bytes of a buffer, or those of a number.
type Given = (bool, Vec<u8>);

/// Runs a kernel of a cubin. Returns counts, and the bytes of buffers afterwards, in the order of the arguments.
#[pyfunction]
#[pyo3(signature = (isa, data, name, kernel, *, grid, block, shared, args, limit, threads))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn kernel<'py>(
    py: Python<'py>,
    isa: &Isa,
    data: &Bound<'py, PyBytes>,
    name: &str,
    kernel: &str,
    grid: [u32; 3],
    block: [u32; 3],
    shared: u64,
    args: Vec<Given>,
    limit: Option<u64>,
    threads: usize,
) -> PyResult<(Bound<'py, PyDict>, Vec<Bound<'py, PyBytes>>)> {
    let data = data.as_bytes();
    let (statistics, buffers) = py
        .detach(|| {
            with_engine(isa, |engine| {
                let mut file = File::default();
                let mut launch = Launch { kernel: kernel.to_owned(), shared, ..Launch::default() };
                for (place, (is_buffer, bytes)) in args.into_iter().enumerate() {
                    launch.arguments.push(if is_buffer {
                        let name = format!("argument {place}");
                        file.buffers.push(Named { name: name.clone(), bytes: Some(bytes), save: None });
                        Argument::Buffer(name, 0)
                    } else {
                        Argument::Bytes(bytes)
                    });
                }
                file.launches.push(launch);
                let options = Options {
                    name,
                    set: &[],
                    grid: Some(grid),
                    block: Some(block),
                    limit: limit.unwrap_or_else(|| Grid::default().limit),
                    threads,
                    schedule: None,
                    counts: false,
                    is_named: |known, asked| known == asked,
                };
                let mut execute =
                    |kernel: &Kernel<'_>, device: &mut _, grid, given: &[_]| kernel.launch(engine, device, grid, given);
                match file.run(engine, data, &options, &mut execute).map_err(|why| why.to_string())? {
                    Outcome::Ended(ended) => Ok((ended.statistics, ended.buffers)),
                    Outcome::Fault(fault) => Err(format!("{name}: {fault}")),
                    Outcome::Stopped => Err(format!("{name}: the run was stopped")),
                }
            })
        })
        .map_err(RunError::new_err)?;
    let all = PyDict::new(py);
    all.set_item("warp_instructions", statistics.warp_instructions)?;
    all.set_item("thread_instructions", statistics.thread_instructions)?;
    all.set_item("seconds", statistics.time.as_secs_f64())?;
    Ok((all, buffers.iter().map(|bytes| PyBytes::new(py, bytes)).collect()))
}
