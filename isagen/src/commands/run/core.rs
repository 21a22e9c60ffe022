//! A program on a core: under a host or without one, traced, controlled by a debugger.

use super::board::Board;
use super::kernel::{COMPILED_LIMIT, EVALUATOR_LIMIT, print, print_bytes, with_progress, words_in};
use super::options::HostKind;
use super::program::{Program, Words};
use super::state::{AfterTrace, Trace};
use super::{Job, state};
use crate::output::{Status, count};
use isa_host::devices::Console;
use isa_host::launch::{self, Dump, variants};
use isa_host::linux::{self, Unsupported};
use isa_host::{LoadError, gdb, tohost};
use isa_reference::case::Place;
use isa_sim::{AnyEngine, Exit, Fault, FaultKind, Machine, NoRegister, Pages, Register, Stopped, Traced};
use isa_spec::diag::nearest;
use isa_stream::{Stop, out};
use std::cell::RefCell;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The exit status of a program that can't continue, under a host.
const FAILED: u8 = 125;
/// A fatal signal adds its number to this.
const SIGNAL: u8 = 128;
/// SIGINT: the user has ended the run.
const INTERRUPT: u8 = 2;

/// Runs a program.
pub(super) fn run(job: &Job<'_>, engine: &dyn AnyEngine) -> Result<Status, Stop> {
    if let Some(option) = job.args.kernel.first() {
        return Err(Stop::new(format!("{option} is for machines with several lanes, and {} has one", job.isa.name)));
    }
    let host = host(job, engine)?;
    let core = &job.args.core;
    if host == HostKind::Linux
        && let Some(option) = core.first_of_computers()
    {
        return Err(Stop::new(format!("{option} is for programs that have the computer for themselves: --host none")));
    }
    if core.gdb.is_some()
        && let Err(why) = gdb::declared(engine.machine())
    {
        let help = "GDB debugs the architectures that it has, and expects the registers of each in certain features: \
                    `debugger: { architecture: \"riscv:rv64\", features: { org.gnu.gdb.riscv.cpu: [X, pc] } }`, in `machine`, \
                    says what they are called";
        return Err(Stop::with_help(format!("GDB can't debug {}: {why}", job.isa.name), help));
    }
    let boards = Board::read(engine.machine(), core.machine.as_deref(), &core.device, job.reporter)?;
    let trace = job.args.trace.then(Trace::new);
    let core = Core { job, engine, host, boards, trace, unsupported: RefCell::default() };
    match core.run() {
        Err(Stop::CannotRun { message, help }) if core.host != HostKind::None => {
            job.reporter.cannot_run(&message, help.as_deref());
            Ok(Status::Program(FAILED))
        }
        status => status,
    }
}

/// The host of the program.
fn host(job: &Job<'_>, engine: &dyn AnyEngine) -> Result<HostKind, Stop> {
    let (info, name) = (engine.machine(), &job.isa.name);
    let Program::Elf(program) = job.program else {
        return match job.args.core.host {
            None | Some(HostKind::None) => Ok(HostKind::None),
            Some(_) => Err(Stop::new(format!("{}: a program with a host is an ELF file", job.path.display()))),
        };
    };
    match job.args.core.host {
        None if program.symbol(tohost::SYMBOL).is_some() => Ok(HostKind::Tohost),
        None if info.linux.is_some() && !job.is_bare => Ok(HostKind::Linux),
        None => Ok(HostKind::None),
        Some(HostKind::Linux) if info.linux.is_none() => {
            let help = "`linux:` in its `machine:` says which registers a system call has";
            Err(Stop::with_help(format!("{name} does not say how programs call Linux"), help))
        }
        Some(HostKind::Tohost) if program.symbol(tohost::SYMBOL).is_none() => {
            Err(Stop::new(format!("{}: there is no symbol `{}`", job.path.display(), tohost::SYMBOL)))
        }
        Some(host) => Ok(host),
    }
}

/// A run on a core.
struct Core<'a> {
    job: &'a Job<'a>,
    engine: &'a dyn AnyEngine,
    host: HostKind,
    /// The boards beside the processor; `None` if they have errors.
    boards: Option<Vec<Board>>,
    /// The lines of `--trace`.
    trace: Option<Trace>,
    /// The system calls that were not supported.
    unsupported: RefCell<Unsupported>,
}

/// The end of a run.
enum End {
    /// The machine has stopped.
    Stopped(Stopped),
    /// The user has interrupted it.
    Interrupted,
    /// The debugger has ended it.
    Killed,
}

impl Core<'_> {
    fn run(&self) -> Result<Status, Stop> {
        let cannot = |why: &dyn std::fmt::Display| Stop::new(why.to_string());
        let mut machine = Machine::new(self.engine).map_err(|why| cannot(&why))?;
        let set: Vec<String> = self.job.file.set.iter().chain(&self.job.args.set).cloned().collect();
        machine.set_variants(&variants(&self.job.isa.name, machine.info(), &set)?);
        machine.set_hart(self.job.args.core.hart);
        if self.host != HostKind::Linux {
            let Some(boards) = &self.boards else { return Ok(Status::Findings) };
            let console = match &self.trace {
                Some(trace) => Console::with_output(AfterTrace(trace.clone())),
                None => Console::of_process(),
            };
            Board::furnish(boards, &mut machine, &console)?;
        }
        self.load(&mut machine)?;
        self.fill(&mut machine)?;
        if let Some(entry) = &self.job.args.core.entry {
            machine.set_pc(self.address(entry)?);
        }
        for (name, number) in &self.job.args.core.reg {
            self.set(&mut machine, name, number)?;
        }
        let until = self.job.args.core.until.as_ref().map(|until| self.address(until)).transpose()?;
        let start = Instant::now();
        let end = self.drive(&mut machine, until)?;
        self.finish(&mut machine, &end, start.elapsed())
    }

    /// Loads the program into memory.
    fn load(&self, machine: &mut Machine<'_>) -> Result<(), Stop> {
        let failed = |why: &dyn std::fmt::Display| Stop::new(format!("{}: {why}", self.job.path.display()));
        let program = match self.job.program {
            Program::Words(Words { words, data, .. }) => {
                machine.load_words(words).map_err(|why| failed(&why))?;
                data.iter().try_for_each(|(at, bytes)| machine.load(*at, bytes)).map_err(|why| failed(&why))?;
                machine.set_pc(words.iter().map(|word| word.address).min().unwrap_or(0));
                return Ok(());
            }
            Program::Image(base, bytes) => {
                machine.load(*base, bytes).map_err(|why| failed(&why))?;
                machine.set_pc(*base);
                return Ok(());
            }
            Program::Elf(program) => program,
        };
        match self.host {
            HostKind::None => isa_host::load(machine, program).map_err(|why| self.cannot_load(&why)),
            HostKind::Tohost => {
                isa_host::load(machine, program).map_err(|why| self.cannot_load(&why))?;
                tohost::start(machine, program, Box::new(io::stdout())).map(|_| ()).map_err(|why| failed(&why))
            }
            HostKind::Linux => {
                let unsupported = linux::start(machine, program, self.linux()).map_err(|why| failed(&why))?;
                self.unsupported.replace(unsupported);
                Ok(())
            }
        }
    }

    /// The end of a run whose program does not fit the machine.
    fn cannot_load(&self, why: &LoadError) -> Stop {
        let message = format!("{}: {why}", self.job.path.display());
        let (own, machine) = (self.job.isa.assembly.address, self.job.isa.machine.pc);
        match why {
            LoadError::Width { .. } if (own > 32) != (machine > 32) => {
                let help = format!("`asm` writes such files: `assembly.address` is {own}, and `machine.pc` is {machine}");
                Stop::with_help(message, help)
            }
            _ => Stop::new(message),
        }
    }

    /// The environment of a Linux program.
    fn linux(&self) -> linux::Options<'static> {
        let args = &self.job.args.core;
        let mut environment: Vec<Vec<u8>> = if args.clear_env { Vec::new() } else { environment() };
        for (name, value) in &args.env {
            let begins = format!("{name}=").into_bytes();
            environment.retain(|known| !known.starts_with(&begins));
            environment.push([begins, value.clone().into_bytes()].concat());
        }
        let own = self.job.path.as_os_str();
        let arguments = std::iter::once(own).chain(self.job.args.arguments.iter().map(|argument| argument.as_os_str()));
        linux::Options {
            arguments: arguments.map(|argument| argument.as_encoded_bytes().to_vec()).collect(),
            environment,
            root: args.root.clone(),
            write: args.write,
            stack: args.stack,
            trace: self.job.args.trace.then(|| Box::new(|call: &str| eprintln!("{call}")) as Box<dyn FnMut(&str)>),
            ..linux::Options::default()
        }
    }

    /// The initial contents of memories.
    fn fill(&self, machine: &mut Machine<'_>) -> Result<(), Stop> {
        let (args, file) = (self.job.args, self.job.file);
        let constants = file.constants.iter().chain(&args.kernel.constants);
        let mut all: Vec<(&str, usize, u64, Vec<u8>)> =
            constants.map(|(bank, bytes)| ("const", *bank as usize, 0, bytes.clone())).collect();
        let global = match &args.kernel.global {
            Some(path) => Some(launch::memory_file(path)?),
            None => file.global.clone(),
        };
        all.extend(global.map(|bytes| ("global", 0, 0, bytes)));
        for memory in &args.memory {
            all.push((&memory.space, 0, memory.address, launch::memory_file(&memory.file)?));
        }
        for (name, bank, address, bytes) in all {
            let pages = memory(machine, name, bank)?;
            pages.poke(address, &bytes).map_err(|_| ends(name, pages, address, bytes.len() as u64))?;
        }
        machine.refetch();
        Ok(())
    }

    /// Sets a register, a flag, a value, or bytes of memory.
    fn set(&self, machine: &mut Machine<'_>, name: &str, number: &str) -> Result<(), Stop> {
        let isa = self.job.isa;
        let value = |place: Place| place.value(isa, name, number).map_err(Stop::new);
        let why = match Register::find(machine.info(), name) {
            Ok(register) => {
                let place = register.map_or(Place::Pc, Place::Register);
                let value = value(place)?.0.low_u128();
                return machine.set(name, value).map_err(|why| no_register(&why));
            }
            Err(why) => why,
        };
        let space = name.split_once('[').and_then(|(of, _)| isa.machine.spaces.iter().find(|space| space.name == of));
        let Some(space) = space else { return Err(no_register(&why)) };
        let place = Place::find(isa, machine.info(), name).map_err(Stop::new)?;
        let Place::Memory(_, bank, address) = place else { return Err(no_register(&why)) };
        let (value, bits) = value(place)?;
        let mut bytes: Vec<u8> = value.limbs().into_iter().flat_map(u64::to_le_bytes).take(bits as usize / 8).collect();
        if space.big_endian {
            bytes.reverse();
        }
        let pages = memory(machine, &space.name, bank as usize)?;
        pages.poke(address, &bytes).map_err(|_| ends(&space.name, pages, address, bytes.len() as u64))?;
        machine.refetch();
        Ok(())
    }

    /// An address, or the address of a symbol of the program.
    fn address(&self, text: &str) -> Result<u64, Stop> {
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            return launch::parse_number(text).map_err(Stop::new);
        }
        if let Program::Elf(program) = self.job.program
            && let Some(symbol) = program.symbol(text)
        {
            return Ok(symbol.address);
        }
        let symbols = self.job.program.symbols();
        if let Some((_, value)) = symbols.iter().find(|(name, _)| *name == text) {
            return Ok(*value);
        }
        if symbols.is_empty() {
            return Err(Stop::new(format!("`{text}` is not an address, and this program has no symbols")));
        }
        let message = format!("{}: there is no symbol `{text}`", self.job.path.display());
        Err(match nearest(text, symbols.iter().map(|(name, _)| *name)) {
            Some(near) => Stop::with_help(message, format!("did you mean `{near}`?")),
            None => Stop::new(message),
        })
    }

    fn limit(&self) -> u64 {
        let default = match (self.host, self.job.is_compiled) {
            (HostKind::Linux | HostKind::Tohost, _) => u64::MAX,
            (HostKind::None, true) => COMPILED_LIMIT,
            (HostKind::None, false) => EVALUATOR_LIMIT,
        };
        self.job.args.limit.unwrap_or(if self.job.args.core.gdb.is_some() { u64::MAX } else { default })
    }

    /// Runs the program to its end.
    fn drive(&self, machine: &mut Machine<'_>, until: Option<u64>) -> Result<End, Stop> {
        let interrupt = Arc::new(AtomicBool::new(false));
        // A second interrupt ends isagen as by default.
        let handled = signal_hook::flag::register_conditional_default(INTERRUPT.into(), Arc::clone(&interrupt));
        handled
            .and_then(|_| signal_hook::flag::register(INTERRUPT.into(), Arc::clone(&interrupt)))
            .map_err(|error| Stop::new(error.to_string()))?;
        if let Some(port) = self.job.args.core.gdb {
            let reporter = self.job.reporter;
            let mut connection = gdb::listen(port, |at| reporter.remark(&format!("waiting for GDB: target remote {at}")))
                .map_err(|error| Stop::new(format!("port {port}: {error}")))?;
            match gdb::serve(machine, &self.job.isa.name, &mut connection, &interrupt) {
                gdb::End::Exited(exit) => return Ok(End::Stopped(Stopped::Exit(exit))),
                gdb::End::Killed => return Ok(End::Killed),
                gdb::End::Interrupted => return Ok(End::Interrupted),
                gdb::End::Lost(error) => return Err(Stop::new(format!("the connection to GDB: {error}"))),
                gdb::End::Detached => {}
            }
        }
        until.into_iter().for_each(|at| machine.add_breakpoint(at));
        let (limit, executed) = (self.limit(), AtomicU64::new(0));
        let stopped = if let Some(lines) = &self.trace {
            let mut trace = |t: &Traced<'_>| {
                // The trace was requested: without a reader the run has no use.
                if lines.add(t).is_err() {
                    interrupt.store(true, Relaxed);
                }
            };
            let stopped = machine.run_until(limit, Some(&mut trace), &interrupt, &executed);
            if lines.flush().is_err() {
                return Err(Stop::BrokenPipe);
            }
            stopped
        } else if self.host == HostKind::None {
            let done = || executed.load(Relaxed);
            with_progress(&done, "instructions", limit, || machine.run_until(limit, None, &interrupt, &executed))
        } else {
            machine.run_until(limit, None, &interrupt, &executed)
        };
        let is_interrupted = interrupt.load(Relaxed) && stopped == Stopped::Budget;
        Ok(if is_interrupted { End::Interrupted } else { End::Stopped(stopped) })
    }

    /// Reports the end of the run, and prints the requested output.
    fn finish(&self, machine: &mut Machine<'_>, end: &End, time: Duration) -> Result<Status, Stop> {
        let reporter = self.job.reporter;
        let has_host = self.host != HostKind::None;
        let mut status = match end {
            End::Stopped(Stopped::Exit(Exit::Status(own))) if has_host => Status::Program(*own as u8),
            End::Stopped(Stopped::Exit(Exit::Signal(number, name))) => {
                reporter.fault("fault", &format!("the program was ended by {name}"), None);
                Status::Program(SIGNAL + number)
            }
            End::Stopped(Stopped::Exit(_) | Stopped::Breakpoint(_) | Stopped::Watch(_)) => Status::Clean,
            End::Stopped(Stopped::Fault(fault)) => {
                reporter.fault("fault", &fault.to_string(), None);
                let signal = linux::signal_of(&fault.kind).filter(|_| self.host == HostKind::Linux);
                match signal {
                    Some((number, _)) => Status::Program(SIGNAL + number),
                    None if has_host => Status::Program(FAILED),
                    None => Status::Findings,
                }
            }
            End::Stopped(Stopped::Budget) => {
                let pc = machine.pc();
                let fault = Fault { kind: FaultKind::Limit(self.limit()), pc, text: machine.text(pc), place: None };
                reporter.fault("fault", &fault.to_string(), Some("`--limit N` allows more"));
                if has_host { Status::Program(FAILED) } else { Status::Findings }
            }
            End::Interrupted => {
                let pc = machine.pc();
                reporter.remark(&format!("interrupted at {pc:#x}: {}", machine.text(pc)));
                Status::Program(SIGNAL + INTERRUPT)
            }
            End::Killed => Status::Program(SIGNAL + 9),
        };
        let has_ended = matches!(end, End::Stopped(Stopped::Exit(_) | Stopped::Breakpoint(_)));
        let mut out = out();
        for dump in &self.job.args.dump {
            self.dump(&mut out, machine, dump)?;
        }
        if let Some(expect) = self.job.file.expect.as_ref().filter(|_| has_ended) {
            let words = words_of(machine, expect.address, expect.words.len() as u64)?;
            if self.job.args.dump.is_empty() {
                print(&mut out, &words)?;
            }
            out.flush()?;
            if !self.job.compare(expect, &words) {
                status = Status::Findings;
            }
        }
        if self.job.args.core.state {
            let text = if self.job.args.core.json { state::json(machine) + "\n" } else { state::text(machine) };
            out.write_all(text.as_bytes())?;
        } else if matches!(end, End::Interrupted) {
            eprint!("{}", state::text(machine));
        }
        out.flush()?;
        if self.job.args.stats {
            let instructions = count(machine.steps() as usize, "instruction");
            reporter.remark(&format!("{instructions}, {:.3} s", time.as_secs_f64()));
        }
        let unsupported = self.unsupported.borrow();
        if !unsupported.is_empty() {
            reporter.remark(&unsupported.to_string());
        }
        Ok(status)
    }

    fn dump(&self, out: &mut impl Write, machine: &mut Machine<'_>, dump: &Dump) -> Result<(), Stop> {
        match dump {
            Dump::Words { address, words } => print(out, &words_of(machine, *address, *words)?),
            Dump::Bytes { space, address, bytes } => print_bytes(out, *address, &bytes_of(machine, space, *address, *bytes)?),
        }
    }
}

/// The environment of this process.
fn environment() -> Vec<Vec<u8>> {
    std::env::vars_os().map(|(name, value)| [name.as_encoded_bytes(), b"=", value.as_encoded_bytes()].concat()).collect()
}

fn no_register(why: &NoRegister) -> Stop {
    match nearest(&why.name, why.known.iter().map(String::as_str)) {
        Some(near) => Stop::with_help(why.to_string(), format!("did you mean `{near}`?")),
        None => Stop::new(why.to_string()),
    }
}

fn memory<'m>(machine: &'m mut Machine<'_>, name: &str, bank: usize) -> Result<&'m mut Pages, Stop> {
    let space = launch::space(machine.info(), name)?;
    machine.memory(space, bank).ok_or_else(|| Stop::new(format!("`{name}` has no bank {bank}")))
}

/// The greatest number of bytes that are printed.
const MOST: u64 = 1 << 28;

fn bytes_of(machine: &mut Machine<'_>, name: &str, address: u64, count: u64) -> Result<Vec<u8>, Stop> {
    let pages = memory(machine, name, 0)?;
    if count > MOST {
        return Err(Stop::new(format!("{count} bytes of `{name}`: {MOST} are the most that are printed")));
    }
    let mut bytes = vec![0; count as usize];
    pages.peek(address, &mut bytes).map_err(|_| ends(name, pages, address, count))?;
    Ok(bytes)
}

fn words_of(machine: &mut Machine<'_>, address: u64, words: u64) -> Result<Vec<u32>, Stop> {
    Ok(words_in(&bytes_of(machine, "global", address, words.saturating_mul(4))?))
}

fn ends(name: &str, pages: &Pages, address: u64, bytes: u64) -> Stop {
    let what = format!("{} from {address:#x} on", count(bytes as usize, "byte"));
    match pages.ranges().as_slice() {
        [(range, _)] if *range.start() == 0 => Stop::new(format!("{what}: `{name}` ends with {:#x}", range.end())),
        _ => Stop::new(format!("{what}: `{name}` has no memory at all of these addresses")),
    }
}
