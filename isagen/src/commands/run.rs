//! `run SPEC PROGRAM …`: simulation.

use crate::assembly::Assembler;
use crate::codec;
use crate::commands::eval::variants;
use crate::engine::EngineKind;
use crate::input::{Input, WordReader};
use crate::launch::{self, Dump, Expect, LaunchFile};
use crate::output::{Escaped, Progress, Reporter, Status, Stop, count, out};
use crate::spec;
use isa_reference::codec::Codec;
use isa_reference::eval::Reference;
use isa_sim::{AnyEngine, Control, FaultKind, Finished, Image, Launch, MachineInfo, Memory, Placed, RunError, State, Traced};
use isa_spec::model::Isa;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// The words of the longest program.
const MAX_PROGRAM: usize = 1 << 21;
/// How many warp instructions compiled code executes without a limit that is given: a loop without an end ends within a minute.
const COMPILED_LIMIT: u64 = 1 << 28;
/// How many instructions of lanes the evaluator executes, which takes a time for each lane.
const EVALUATOR_LIMIT: u64 = 1 << 25;

/// Run a program.
///
/// PROGRAM is words as `disasm` reads them (one a line, or one unit of the stream a line; a raw stream if the name ends in `.bin`),
/// or instructions as `asm` reads them if it ends in `.asm` or `.s`. It begins at its lowest address.
///
/// Words asked for with `--dump`, and those that a launch file expects, are printed when the run has ended, one a line. A fault
/// ends the run, says where, and prints no words; so do words that are not as expected, after they are printed.
///
/// Exit status: 0 the program has ended; 1 it has a fault while it runs, or its words are not as expected; 2 it could not be started.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A path, or the name of a shipped instruction set.
    spec: String,
    /// What to run; with `--launch` the launch file may say it.
    #[arg(required_unless_present = "launch")]
    program: Option<PathBuf>,
    /// Threads of a block: X, or X,Y, or X,Y,Z.
    #[arg(long, value_name = "X,Y,Z", value_parser = launch::parse_size)]
    block: Option<[u32; 3]>,
    /// Blocks: X, or X,Y, or X,Y,Z.
    #[arg(long, value_name = "X,Y,Z", value_parser = launch::parse_size)]
    grid: Option<[u32; 3]>,
    /// A parameter of the kernel, 32 bits; as many as there are, in their order.
    #[arg(long = "param", value_name = "NUMBER", value_parser = launch::parse_param, allow_hyphen_values = true)]
    params: Vec<u32>,
    /// What stands in a bank of the memory `const`.
    #[arg(long = "const", value_name = "BANK=HEXBYTES", value_parser = launch::parse_constant)]
    constants: Vec<(u32, Vec<u8>)>,
    /// What stands in the memory `global`: 32-bit words, one a line, or bytes if the name ends in `.bin`.
    #[arg(long, value_name = "FILE")]
    global: Option<PathBuf>,
    /// Words of `global` to print afterwards; LEN counts words.
    #[arg(long, value_name = "ADDR+LEN", value_parser = launch::parse_dump)]
    dump: Vec<Dump>,
    /// A launch file, which says all this and more; what stands here goes before it.
    #[arg(long, value_name = "FILE.json")]
    launch: Option<PathBuf>,
    /// Each instruction of each warp on standard error: block, warp, pc, active lanes, text, and the registers it changed.
    #[arg(long)]
    trace: bool,
    /// Instructions and seconds, on standard error.
    #[arg(long)]
    stats: bool,
    /// What the machine does differently: one of the variants that the specification declares.
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// How many blocks run at once.
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// How many warp instructions may be executed; without it 2^28, and 2^25 divided by the lanes of a warp on the evaluator.
    #[arg(long, value_name = "N", value_parser = launch::parse_number)]
    limit: Option<u64>,
    /// The size of a memory; without it, what the machine says, or else 64 KiB or what stands in it or is expected there.
    #[arg(long, value_name = "SPACE=BYTES", value_parser = launch::parse_memory_size)]
    size: Vec<(String, u64)>,
    /// Who runs it; without it, the compiled engine for shipped instruction sets, the evaluator for others.
    #[arg(long, value_enum)]
    engine: Option<EngineKind>,
}

pub(crate) fn run(args: &Args, reporter: &Reporter) -> Result<Status, Stop> {
    let isa = match spec::model_with_words(&args.spec, reporter)? {
        Ok(isa) => isa,
        Err(_) => return Ok(Status::CouldNotRun),
    };
    let file = match &args.launch {
        None => LaunchFile::default(),
        Some(path) => match LaunchFile::read(path, reporter)? {
            Some(file) => file,
            None => return Ok(Status::CouldNotRun),
        },
    };
    let Some(path) = args.program.as_ref().or(file.program.as_ref()) else {
        return Err(Stop::with_help("there is no program", "the launch file names none: give it as PROGRAM"));
    };
    let Some(words) = program(&isa, path, reporter)? else { return Ok(Status::CouldNotRun) };
    let engine = EngineKind::choose(args.engine, &args.spec)?;
    let compiled = match engine {
        EngineKind::Reference => None,
        EngineKind::Compiled => generated::engine(&isa.name),
    };
    let job = Job { isa: &isa, args, file: &file, words: &words, is_compiled: compiled.is_some(), reporter };
    // A shipped one may have no code that was generated from it.
    let is_evaluated = engine == EngineKind::Reference || args.engine.is_none() && isa_codegen::rust::is_simulated(&isa);
    match compiled {
        Some(engine) => job.run(&*engine),
        None if is_evaluated => job.run(&Reference::new(&isa).map_err(|why| Stop::new(why.to_string()))?),
        None => Err(Stop::new(format!("{} does not say what its instructions do: nothing can be run", isa.name))),
    }
}

/// The words of a program; `None` if some are none, which has been reported then.
fn program(isa: &Isa, path: &Path, reporter: &Reporter) -> Result<Option<Vec<Placed>>, Stop> {
    let reference = Codec::new(isa);
    let codec = codec::Reference::new(&reference);
    let input = Input::open(Some(path))?;
    let name = input.name.clone();
    let mut words = Vec::new();
    let mut failed = false;
    let add = |words: &mut Vec<Placed>, placed: Placed| {
        words.push(placed);
        if words.len() > MAX_PROGRAM {
            let message = format!("{name}: more than {MAX_PROGRAM} words, the maximum of a program");
            return Err(Stop::new(message));
        }
        Ok(())
    };
    if path.extension().is_some_and(|e| ["asm", "s"].iter().any(|known| e.eq_ignore_ascii_case(known))) {
        let mut assembler = Assembler::new(Box::new(codec), input);
        while let Some(line) = assembler.next()? {
            match line.result {
                Ok(s) => add(&mut words, Placed { address: line.address, word: s.word, bits: isa.forms[s.form].length })?,
                Err(fault) => {
                    failed = true;
                    reporter.line_finding(assembler.name(), line.number, &line.whole, fault.at, &fault.message);
                }
            }
        }
    } else {
        let mut reader = WordReader::new(input, &codec)?;
        while let Some(item) = reader.next()? {
            match item.word {
                Ok(sized) => add(&mut words, Placed { address: item.address, word: sized.word, bits: sized.bits })?,
                Err(bad) => {
                    failed = true;
                    let (text, address, reason) = (bad.text, item.address, bad.reason);
                    reporter.fault("word", &format!("{name}: `{text}` at {address:#x}: {reason}"), None);
                }
            }
        }
    }
    Ok((!failed).then_some(words))
}

/// A run that any engine can do.
struct Job<'a> {
    isa: &'a Isa,
    args: &'a Args,
    file: &'a LaunchFile,
    words: &'a [Placed],
    /// Whether code runs it that was generated from the specification.
    is_compiled: bool,
    reporter: &'a Reporter,
}

impl Job<'_> {
    fn run(self, engine: &dyn AnyEngine) -> Result<Status, Stop> {
        let machine = engine.machine();
        let launch = self.launch(machine)?;
        let finished = if self.args.trace {
            let mut to = Escaped(BufWriter::new(io::stderr()));
            let mut trace = |t: &Traced<'_>| {
                // The trace is what was asked for: without a reader the run has no use.
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
            with_progress(&launch.control, launch.limit, || engine.run(self.words, &launch, None))
        };
        match finished {
            Ok(finished) => self.finish(machine, &finished),
            Err(RunError::Program(why)) => Err(Stop::new(why.to_string())),
            Err(RunError::Launch(why)) => Err(Stop::new(why.to_string())),
            Err(RunError::Stopped) => Err(Stop::BrokenPipe),
            Err(RunError::Fault(fault)) => {
                let help = matches!(fault.kind, FaultKind::StepLimit(_)).then_some("`--limit N` allows more");
                self.reporter.fault("fault", &fault.to_string(), help);
                Ok(Status::Findings)
            }
        }
    }
}

/// Does some work, and says on a terminal how many instructions have been executed.
fn with_progress<T>(control: &Arc<Control>, limit: u64, work: impl FnOnce() -> T) -> T {
    let mut progress = Progress::before_results();
    if !progress.is_visible() {
        return work();
    }
    let limit = count(usize::try_from(limit).unwrap_or(usize::MAX), "");
    let (has_ended, end) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while end.recv_timeout(Duration::from_millis(100)) == Err(RecvTimeoutError::Timeout) {
                let done = control.warp_instructions() as usize;
                progress.show(|| format!("{} warp instructions of at most {limit}", count(done, "")));
            }
        });
        let result = work();
        drop(has_ended);
        result
    })
}

impl Job<'_> {
    fn launch(&self, machine: &MachineInfo) -> Result<Launch, Stop> {
        let (args, file) = (self.args, self.file);
        let mut images: Vec<Image> = Vec::new();
        for (bank, bytes) in file.constants.iter().chain(&args.constants) {
            images.push(launch::image(machine, "const", *bank, bytes.clone())?);
        }
        let global = match &args.global {
            Some(path) => Some(launch::memory_file(path)?),
            None => file.global.clone(),
        };
        if let Some(bytes) = global {
            images.push(launch::image(machine, "global", 0, bytes)?);
        }
        if let Some(expect) = &file.expect {
            // Nothing stands there yet, but the memory reaches as far.
            let end = expect.address.saturating_add(4 * expect.words.len() as u64).min(u64::MAX - 3);
            images.push(Image { space: launch::space(machine, "global")?, bank: 0, address: end, bytes: Vec::new() });
        }
        let set: Vec<String> = file.set.iter().chain(&args.set).cloned().collect();
        let sizes = args.size.iter().map(|(name, size)| Ok((launch::space(machine, name)?, *size)));
        let block = args.block.or(file.block).unwrap_or([1; 3]);
        Ok(Launch {
            grid: args.grid.or(file.grid).unwrap_or([1; 3]),
            block,
            params: if args.params.is_empty() { file.params.clone() } else { args.params.clone() },
            images,
            sizes: sizes.collect::<Result<_, Stop>>()?,
            variants: variants(self.isa, &set)?.into_iter().enumerate().collect(),
            limit: args.limit.unwrap_or_else(|| self.default_limit(machine, block)),
            threads: args.threads,
            ..Launch::default()
        })
    }

    /// Deterministic, so that a run gives the same on every machine.
    fn default_limit(&self, machine: &MachineInfo, block: [u32; 3]) -> u64 {
        if self.is_compiled {
            return COMPILED_LIMIT;
        }
        let lanes = block.iter().fold(1u64, |n, size| n.saturating_mul((*size).into()));
        EVALUATOR_LIMIT / lanes.clamp(1, u64::from(machine.lanes).max(1))
    }

    /// Prints what was asked for, and compares it with what was expected.
    fn finish(&self, machine: &MachineInfo, finished: &Finished) -> Result<Status, Stop> {
        let mut out = out();
        let expect = self.file.expect.as_ref();
        for dump in &self.args.dump {
            print(&mut out, &words_of(global(machine, finished)?, *dump)?)?;
        }
        let mut good = true;
        if let Some(expect) = expect {
            let dump = Dump { address: expect.address, words: expect.words.len() as u64 };
            let words = words_of(global(machine, finished)?, dump)?;
            if self.args.dump.is_empty() {
                print(&mut out, &words)?;
            }
            out.flush()?;
            good = self.compare(expect, &words);
        }
        out.flush()?;
        if self.args.stats {
            let s = finished.statistics;
            let (warps, threads) = (count(s.warp_instructions as usize, ""), count(s.thread_instructions as usize, ""));
            self.reporter
                .remark(&format!("{warps} warp instructions, {threads} thread instructions, {:.3} s", s.time.as_secs_f64()));
        }
        Ok(Status::of(!good))
    }

    fn compare(&self, expect: &Expect, words: &[u32]) -> bool {
        let mut wrong = words.iter().zip(&expect.words).enumerate().filter(|(_, (is, should))| is != should);
        let total = count(words.len(), "word");
        let Some((first, (is, should))) = wrong.next() else {
            self.reporter.remark(&format!("{total} as expected"));
            return true;
        };
        let (differ, at) = (count(1 + wrong.count(), ""), expect.address + 4 * first as u64);
        let message = format!("{differ} of {total} differ from {}: at {at:#x} stands {is:08x}, not {should:08x}", expect.name);
        self.reporter.fault("expect", &message, None);
        false
    }
}

fn global<'f>(machine: &MachineInfo, finished: &'f Finished) -> Result<&'f Memory, Stop> {
    let memory = finished.memory[launch::space(machine, "global")?].first();
    memory.ok_or_else(|| Stop::new("`global` is not a memory of the grid: it does not outlast the run"))
}

fn words_of(memory: &Memory, dump: Dump) -> Result<Vec<u32>, Stop> {
    let bytes = dump.words.checked_mul(4).and_then(|bytes| memory.bytes(dump.address, bytes));
    let bytes = bytes.ok_or_else(|| {
        let (address, words, size) = (dump.address, count(dump.words as usize, "word"), memory.size());
        Stop::with_help(
            format!("{words} from {address:#x} on: `global` ends at {size:#x}"),
            "`--size global=BYTES` makes it larger",
        )
    })?;
    Ok(bytes.chunks(4).map(|b| b.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte))).collect())
}

fn print(out: &mut impl Write, words: &[u32]) -> Result<(), Stop> {
    words.iter().try_for_each(|word| writeln!(out, "{word:08x}")).map_err(Stop::from)
}

/// `(0, 0, 0) 0  0x0008 ffffffff  IADD R1, R2, R3  R1=0x5`
fn trace_line(engine: &dyn AnyEngine, t: &Traced<'_>) -> String {
    let machine = engine.machine();
    let [x, y, z] = t.block;
    let digits = machine.lanes.div_ceil(4) as usize;
    let (warp, pc, active, text) = (t.warp, t.pc, t.active, engine.text(t.word, t.bits, t.pc));
    let mut line = format!("({x}, {y}, {z}) {warp}  {pc:#06x} {active:0digits$x}  {text}");
    let lanes: Vec<usize> = (0..machine.lanes as usize).filter(|lane| active >> lane & 1 != 0).collect();
    let mut show = |name: &dyn Fn() -> String, get: &dyn Fn(&dyn State, usize) -> u128| {
        if lanes.iter().any(|lane| get(t.before, *lane) != get(t.after, *lane)) {
            let values: Vec<u128> = lanes.iter().map(|lane| get(t.after, *lane)).collect();
            let _ = write!(line, "  {}={}", name(), values_text(&values));
        }
    };
    for (f, file) in machine.registers.iter().enumerate().filter(|(_, file)| !file.is_view) {
        for i in 0..file.count {
            show(&|| format!("{}{i}", file.name), &|state, lane| state.register(f, i, lane));
        }
    }
    for (f, file) in machine.flags.iter().enumerate() {
        for i in 0..file.count {
            let name = || if file.count == 1 { file.name.clone() } else { format!("{}{i}", file.name) };
            show(&name, &|state, lane| state.flags(f, i, lane).into());
        }
    }
    for (i, (name, _)) in machine.values.iter().enumerate() {
        show(&|| name.clone(), &|state, lane| state.value(i, lane));
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
