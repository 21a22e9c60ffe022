//! Linux for one program: its system calls, by the convention of the specification.
//!
//! A program has one process, one thread, and no signals except those that it sends itself, which end it or are ignored: handlers
//! never run. It sees no file of the host unless [`Options::root`] names a directory, and then none outside of it. Structures and
//! flags are those of asm-generic, which newer architectures share.

mod abi;
mod calls;
mod errno;
mod files;
mod free;
mod memory;
mod options;
mod process;
mod random;
mod signals;
mod stack;
mod time;

use crate::load::{self, LoadError};
use abi::Abi;
use calls::Call;
pub use calls::markdown;
use errno::Stop;
use files::{Files, Root};
use free::Free;
use isa_object::Executable;
use isa_sim::{Answer, FaultKind, Guest, Host, Machine, PAGE, Rights, Routine, TroubleKind};
use memory::{Layout, Mappings};
pub use options::{Input, Options, Output, StartError, Stream, Trace};
use random::Random;
use signals::Signals;
pub(crate) use signals::name as signal_name;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::rc::Rc;
use std::time::Instant;

/// The ends of the addresses of programs, of 64 bits and of 32, if the memory extends as far.
const END_64: u64 = 1 << 38;
const END_32: u64 = 0xc000_0000;
/// The lowest address of allocated memory.
const LOW: u64 = 0x1_0000;
/// Bytes that stay free below the stack.
const GAP: u64 = 1 << 20;

/// The arguments of a call.
struct Arguments {
    values: [u64; 6],
    /// The name ends with 64: numbers that were words of 32 bits are wider.
    is_wide: bool,
    /// The name ends with 2: there are flags.
    is_second: bool,
}

/// A register: file and number.
type Register = (usize, usize);

/// The operating system of a program, a [`Host`].
pub struct Linux<'h> {
    abi: Abi,
    number: Register,
    arguments: Vec<Register>,
    result: Register,
    /// The name that `uname` returns.
    machine: String,
    calls: HashMap<u32, Call>,
    unsupported: Unsupported,
    layout: Layout,
    mappings: Mappings<'h>,
    /// Bytes of the stack.
    stack: u64,
    files: Files<'h>,
    signals: Signals,
    random: Random,
    start: Instant,
    trace: Option<Trace<'h>>,
}

/// The calls of a program that were answered with `ENOSYS`, shared with its host. It is shown as
/// `unsupported system calls: clone (220) 1 time, socket (198) 2 times`.
#[derive(Clone, Debug, Default)]
pub struct Unsupported(Rc<RefCell<BTreeMap<(String, u64), u64>>>);

impl Unsupported {
    /// True if there were none.
    pub fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }

    fn add(&self, call: &Call, number: u64) {
        *self.0.borrow_mut().entry((call.name.to_string(), number)).or_default() += 1;
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unsupported system calls: ")?;
        for (i, ((name, number), times)) in self.0.borrow().iter().enumerate() {
            let (comma, plural) = (if i > 0 { ", " } else { "" }, if *times == 1 { "" } else { "s" });
            write!(f, "{comma}{name} ({number}) {times} time{plural}")?;
        }
        Ok(())
    }
}

/// Loads an executable into a machine as Linux does: its segments, a stack with arguments, environment and auxiliary vector, and
/// a host that answers its calls. Returns the calls that the host will not have supported.
///
/// # Errors
/// When the specification has no convention for Linux, or the program does not fit.
pub fn start<'e>(
    machine: &mut Machine<'e>,
    executable: &Executable<'_>,
    options: Options<'e>,
) -> Result<Unsupported, StartError> {
    let info = machine.info();
    let linux = info.linux.clone().ok_or(StartError::NoConvention)?;
    let find = |name: &str| info.register(name).ok_or_else(|| StartError::NoRegister(name.to_owned()));
    let number = find(&linux.number)?;
    let result = find(&linux.result)?;
    let pointer = find(&linux.stack)?;
    let arguments = linux.arguments.iter().map(|name| find(name)).collect::<Result<Vec<_>, _>>()?;

    let abi = Abi { is_64: executable.is_64, is_big: !executable.is_little_endian };
    let most = if abi.is_64 { END_64 } else { END_32 };
    let last = machine.program().map_err(LoadError::from)?.last();
    let end = most.min(last.saturating_add(1)) / PAGE * PAGE;
    load::map(machine, executable, end)?;

    let name = options.arguments.first().map_or(&b""[..], |name| name.as_slice());
    let root = Root::new(options.root.as_deref(), options.write, name);
    let root = root.map_err(|error| {
        let why = error.to_string();
        let plain = why.split(" (os error").next().unwrap_or_default();
        StartError::Root(options.root.clone().unwrap_or_default(), plain.to_owned())
    })?;
    let mut random = Random::new(options.seed);
    let size = options.stack.checked_next_multiple_of(PAGE).filter(|size| *size > 0 && *size < end);
    let size = size.ok_or(StartError::Stack { bytes: options.stack })?;
    let bottom = end - size;
    let heap = executable.segments.iter().map(|segment| segment.last() / PAGE * PAGE + PAGE).max().unwrap_or(LOW);
    if heap > bottom {
        return Err(StartError::Stack { bytes: options.stack });
    }
    let content = stack::Content { options: &options, executable, features: linux.features, seed: random.bytes() };
    let (at, bytes) = content.build(abi, end, size)?;
    let pages = machine.program().map_err(LoadError::from)?;
    pages.map(bottom..=end - 1, Rights { read: true, write: true, execute: false });
    pages.poke(at, &bytes).map_err(|denied| StartError::Load(LoadError::Memory(denied.into())))?;
    let mut free = Free::new(LOW, bottom.saturating_sub(GAP));
    pages.ranges().iter().for_each(|(range, _)| free.set(range, false));
    machine.state_mut().set_register(pointer.0, pointer.1, 0, at.into());
    let _ = machine.perform(Routine::Linux);

    let unsupported = Unsupported::default();
    let calls = linux.calls.iter().map(|(number, name)| (*number, Call::new(name))).collect();
    machine.set_host(Linux {
        abi,
        number,
        arguments,
        result,
        machine: linux.machine,
        calls,
        unsupported: unsupported.clone(),
        layout: Layout { heap: (heap, heap), low: LOW, free, end },
        mappings: Mappings::new(),
        stack: size,
        files: Files::new(root, options.input, options.output, options.error),
        signals: Signals::default(),
        random,
        start: Instant::now(),
        trace: options.trace,
    });
    Ok(unsupported)
}

impl Host for Linux<'_> {
    fn leaves_faults(&self) -> bool {
        false
    }

    fn call(&mut self, guest: &mut Guest<'_>) -> Answer {
        let mask = if self.abi.is_64 { u64::MAX } else { u32::MAX.into() };
        let number = guest.register(self.number) & mask;
        let mut values = [0; 6];
        for (value, register) in values.iter_mut().zip(&self.arguments) {
            *value = guest.register(*register) & mask;
        }
        let call = u32::try_from(number).ok().and_then(|number| self.calls.get(&number)).cloned();
        let call = call.unwrap_or_else(|| Call::unknown(number));
        let arguments = Arguments { values, is_wide: call.name.ends_with("64"), is_second: call.name.ends_with('2') };
        let text = self.trace.is_some().then(|| call.text(self.abi, guest, &values));
        if call.is_missing() {
            self.unsupported.add(&call, number);
        }
        let outcome = (call.handler)(self, guest, &arguments);
        if let Some((trace, text)) = self.trace.as_mut().zip(text) {
            trace(&calls::with_outcome(text, self.abi, &outcome));
        }
        let result = match outcome {
            Ok(value) => value,
            Err(Stop::Error(errno)) => u64::from(errno.0).wrapping_neg(),
            Err(Stop::Exit(exit)) => {
                self.write_mappings_back(guest);
                return Answer::Exit(exit);
            }
            Err(Stop::Fault(why)) => return Answer::Fault(why),
        };
        guest.set_register(self.result, result & mask);
        Answer::GoOn
    }
}

/// The signal, number and name, that Linux sends a program for a fault; `None` for a fault that is not the program's.
pub fn signal_of(fault: &FaultKind) -> Option<(u8, &'static str)> {
    let number = match fault {
        FaultKind::Memory { trouble, .. } => match trouble.kind {
            TroubleKind::Misaligned => 7,
            TroubleKind::Outside
            | TroubleKind::NoBank
            | TroubleKind::Unmapped(_)
            | TroubleKind::Protected(_)
            | TroubleKind::ReadOnly => 11,
            _ => return None,
        },
        // A machine without an instruction treats it as an invalid one, as processors do.
        FaultKind::NotExecutable(_) => 4,
        FaultKind::NoInstruction => 11,
        FaultKind::Trap => 5,
        _ => return None,
    };
    Some((number, signal_name(number.into())))
}
