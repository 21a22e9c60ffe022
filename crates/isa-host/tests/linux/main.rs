//! Calls of a process, one by one.

#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod support;

mod files;
mod hostile;
mod memory;
mod page;
mod signals;
mod start;

use generated::rv64gc::sim::Compiled;
use isa_host::linux::{self, Options, Output, StartError, Stream, Unsupported};
use isa_object::Executable;
use isa_sim::{Exit, Machine, Stopped};
use std::cell::RefCell;
use std::fs::File;
use std::io::{Cursor, Read, Write};
use std::rc::Rc;
use support::{DATA, Kept, executable};

const ECALL: u32 = 0x73;
/// The address of the first path.
const PATHS: u64 = DATA + 0x8000;

/// A process whose only instruction is a call.
struct Process {
    machine: Machine<'static>,
    output: Kept,
    trace: Rc<RefCell<Vec<String>>>,
    paths: u64,
    unsupported: Unsupported,
}

impl Process {
    fn new() -> Self {
        Self::with(Options::default())
    }

    fn with(options: Options<'static>) -> Self {
        Self::try_with(options).expect("a process")
    }

    fn try_with(options: Options<'static>) -> Result<Self, StartError> {
        Self::try_on(options, [None, None])
    }

    /// A process whose standard input and output may be files.
    fn try_on(options: Options<'static>, [input, written]: [Option<File>; 2]) -> Result<Self, StartError> {
        let data = executable(&[ECALL], &[]);
        let executable = Executable::parse(&data).expect("an executable");
        let engine: &'static Compiled = Box::leak(Box::new(Compiled::new()));
        let mut machine = Machine::new(engine).expect("a core");
        let output = Kept::default();
        let trace = Rc::new(RefCell::new(Vec::new()));
        let lines = trace.clone();
        let stream =
            |file| -> Output<'static> { Stream { io: Box::new(output.clone()) as Box<dyn Write>, is_terminal: false, file } };
        let options = Options {
            input: Stream { io: Box::new(Cursor::new(b"some input".to_vec())) as Box<dyn Read>, is_terminal: false, file: input },
            output: stream(written),
            error: stream(None),
            trace: Some(Box::new(move |line| lines.borrow_mut().push(line.to_owned()))),
            ..options
        };
        let unsupported = linux::start(&mut machine, &executable, options)?;
        Ok(Self { machine, output, trace, paths: PATHS, unsupported })
    }

    fn set(&mut self, register: &str, value: u64) {
        self.machine.set(register, value.into()).expect("a register");
    }

    fn get(&self, register: &str) -> u64 {
        self.machine.get(register).expect("a register") as u64
    }

    /// Makes a call by its name, and returns the stop.
    fn ask(&mut self, name: &str, values: &[u64]) -> Stopped {
        let linux = self.machine.info().linux.clone().expect("a convention");
        let (number, _) = linux.calls.iter().find(|call| call.1 == name).expect("a call");
        self.set(&linux.number, u64::from(*number));
        for (register, value) in linux.arguments.iter().zip(values) {
            self.set(register, *value);
        }
        let pc = self.machine.pc();
        let stopped = self.machine.step();
        if stopped == Stopped::Budget {
            self.machine.set_pc(pc);
        }
        stopped
    }

    /// The result of a call.
    fn call(&mut self, name: &str, values: &[u64]) -> i64 {
        assert_eq!(self.ask(name, values), Stopped::Budget, "{name}");
        self.get("a0").cast_signed()
    }

    /// The name of the error of a call.
    fn error(&mut self, name: &str, values: &[u64]) -> String {
        let result = self.call(name, values);
        let line = self.trace.borrow().last().cloned().unwrap_or_default();
        assert!((-4095..0).contains(&result), "{line}");
        line.rsplit(' ').next().unwrap_or_default().to_owned()
    }

    /// The address of a path, which stays there.
    fn path(&mut self, path: &str) -> u64 {
        let at = self.paths;
        self.put(at, path.as_bytes());
        self.put(at + path.len() as u64, &[0]);
        self.paths += path.len() as u64 + 1;
        at
    }

    fn put(&mut self, at: u64, bytes: &[u8]) {
        self.machine.program().expect("memory").poke(at, bytes).expect("memory");
    }

    fn bytes(&mut self, at: u64, size: usize) -> Vec<u8> {
        let mut bytes = vec![0; size];
        self.machine.program().expect("memory").peek(at, &mut bytes).expect("memory");
        bytes
    }

    fn word(&mut self, at: u64) -> u64 {
        u64::from_le_bytes(self.bytes(at, 8).try_into().expect("8 bytes"))
    }
}

/// The end of a process by a signal.
fn killed(number: u8, name: &'static str) -> Stopped {
    Stopped::Exit(Exit::Signal(number, name))
}
