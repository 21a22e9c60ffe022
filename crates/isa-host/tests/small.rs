//! Linux on a machine of 32 bits that is not RISC-V, with either byte order: its only instruction calls.

#[allow(dead_code, reason = "other tests use the rest")]
mod support;

use isa_host::linux::{self, Options, Stream};
use isa_host::tohost;
use isa_object::Executable;
use isa_runtime::U256;
use isa_runtime::word::Units;
use isa_sim::{
    Action, Divergence, Engine, LinuxInfo, Machine, MachineInfo, NotExecutable, RegistersInfo, Sharing, SpaceInfo, State, Step,
    Stopped,
};
use std::fs;
use std::io::Write;
use support::{CODE, DATA, Kept, executable_of};

const HERE: u32 = -100_i32 as u32;
/// Calls, from 7 on.
const CALLS: [&str; 20] = [
    "write",
    "writev",
    "mmap2",
    "llseek",
    "pread64",
    "pwritev",
    "openat",
    "fstat64",
    "statx",
    "statfs64",
    "ftruncate64",
    "clock_gettime64",
    "clock_gettime",
    "sysinfo",
    "rt_sigaction",
    "rt_sigprocmask",
    "prlimit64",
    "getrusage",
    "ppoll_time64",
    "sigaltstack",
];

#[derive(Clone)]
struct Registers([u32; 9]);

impl State for Registers {
    fn register(&self, _: usize, index: usize, _: usize) -> u128 {
        self.0[index].into()
    }
    fn set_register(&mut self, _: usize, index: usize, _: usize, value: u128) {
        self.0[index] = u32::try_from(value).expect("32 bits");
    }
    fn flags(&self, _: usize, _: usize, _: usize) -> u64 {
        0
    }
    fn set_flags(&mut self, _: usize, _: usize, _: usize, _: u64) {}
    fn value(&self, _: usize, _: usize) -> u128 {
        0
    }
    fn set_value(&mut self, _: usize, _: usize, _: u128) {}
}

/// An instruction 0 calls; one with another number stores the register of that number at the address in register 0.
struct Small(MachineInfo);

impl Engine for Small {
    type State = Registers;
    type Op = usize;

    fn machine(&self) -> &MachineInfo {
        &self.0
    }

    fn prepare(&self, word: U256, _: u32) -> Result<usize, NotExecutable> {
        Ok(word.low() as usize)
    }

    fn length_of(&self, _: U256) -> Option<u32> {
        Some(32)
    }

    fn text(&self, _: U256, _: u32, _: u64) -> String {
        "host".to_owned()
    }

    fn state(&self) -> Registers {
        Registers([0; 9])
    }

    fn execute(&self, op: &usize, state: &mut Registers, step: &mut Step<'_>) {
        match op {
            0 => step.flow.request(Action::Host, 1, []),
            number => step.memory.store32(0, 0, 0, state.0[0].into(), state.0[*number]),
        }
    }
}

fn small(is_big: bool) -> Small {
    let arguments = (1..7).map(|number| format!("R{number}")).collect();
    Small(MachineInfo {
        lanes: 1,
        pc: 32,
        units: Units { bits: 32, low_first: true, little_endian: !is_big },
        registers: vec![RegistersInfo {
            name: "R".into(),
            width: 32,
            count: 9,
            zero: None,
            one: None,
            is_view: false,
            prefix: String::new(),
            suffix: String::new(),
            names: Vec::new(),
        }],
        flags: Vec::new(),
        launch_values: Vec::new(),
        values: Vec::new(),
        spaces: vec![SpaceInfo {
            name: "memory".into(),
            address: 32,
            banks: None,
            size: None,
            read_only: false,
            program: true,
            coherent: false,
            regions: Vec::new(),
            unaligned: true,
            big_endian: is_big,
            owner: Sharing::Grid,
        }],
        lines: Vec::new(),
        variants: Vec::new(),
        divergence: Divergence::Stack,
        params: None,
        linux: Some(LinuxInfo {
            machine: "small".into(),
            number: "R7".into(),
            arguments,
            result: "R0".into(),
            stack: "R8".into(),
            features: 0,
            calls: (7..).zip(CALLS).map(|(number, name)| (number, name.to_owned())).collect(),
        }),
        debugger: None,
    })
}

struct Process<'e> {
    machine: Machine<'e>,
    is_big: bool,
}

impl Process<'_> {
    fn call(&mut self, name: &str, values: &[u32]) -> i32 {
        let number = 7 + CALLS.iter().position(|call| *call == name).expect("a call") as u128;
        self.machine.set("R7", number).expect("a register");
        for (i, value) in (1..).zip(values) {
            self.machine.set(&format!("R{i}"), (*value).into()).expect("a register");
        }
        let pc = self.machine.pc();
        assert_eq!(self.machine.step(), Stopped::Budget, "{name}");
        self.machine.set_pc(pc);
        (self.machine.get("R0").expect("a register") as u32).cast_signed()
    }

    fn put(&mut self, at: u32, values: &[u32]) {
        let bytes: Vec<u8> =
            values.iter().flat_map(|value| if self.is_big { value.to_be_bytes() } else { value.to_le_bytes() }).collect();
        self.machine.program().expect("memory").poke(at.into(), &bytes).expect("memory");
    }

    fn number(&mut self, at: u32, size: usize) -> u64 {
        let mut bytes = vec![0; size];
        self.machine.program().expect("memory").peek(at.into(), &mut bytes).expect("memory");
        if !self.is_big {
            bytes.reverse();
        }
        bytes.iter().fold(0, |value, byte| value << 8 | u64::from(*byte))
    }

    /// A 64-bit offset as two arguments.
    fn pair(&self, value: u64) -> [u32; 2] {
        let (low, high) = (value as u32, (value >> 32) as u32);
        if self.is_big { [high, low] } else { [low, high] }
    }
}

fn with_process(is_big: bool, options: Options<'_>, act: impl FnOnce(&mut Process<'_>)) {
    let data = executable_of(false, is_big, &[0], &[]);
    let executable = Executable::parse(&data).expect("an executable");
    let engine = small(is_big);
    let mut machine = Machine::new(&engine).expect("a core");
    linux::start(&mut machine, &executable, options).expect("a process");
    act(&mut Process { machine, is_big });
}

const AT: u32 = DATA as u32;

#[test]
fn stack_and_streams() {
    for is_big in [false, true] {
        let output = Kept::default();
        let stream = Stream { io: Box::new(output.clone()) as Box<dyn Write>, is_terminal: false, file: None };
        let options = Options { arguments: vec![b"small".to_vec()], output: stream, ..Options::default() };
        with_process(is_big, options, |process| {
            let sp = process.machine.get("R8").expect("a register") as u32;
            assert!(sp.is_multiple_of(16) && sp < 0xc000_0000, "{sp:#x}");
            let words = [0, 4, 8, 12, 16].map(|offset| process.number(sp + offset, 4));
            assert_eq!((words[0], words[2], words[3]), (1, 0, 0));
            assert_eq!((words[4], process.number(sp + 20, 4)), (3, CODE + 52));
            assert_eq!(process.number(words[1] as u32, 1), u64::from(b's'));
            process.put(AT, &[AT + 64, 2, AT + 65, 1]);
            process.machine.program().expect("memory").poke(DATA + 64, b"ab").expect("memory");
            assert_eq!(process.call("writev", &[1, AT, 2]), 3);
            assert_eq!(*output.0.borrow(), b"abb");
            assert_eq!(process.call("write", &[1, 0, 1]), -14);
            assert_eq!(process.call("writev", &[1, u32::MAX - 3, 1]), -14);
        });
    }
}

#[test]
fn structures() {
    for is_big in [false, true] {
        with_process(is_big, Options::default(), |process| {
            assert_eq!(process.call("clock_gettime64", &[0, AT]), 0);
            let wide = process.number(AT, 8);
            assert_eq!(process.call("clock_gettime", &[0, AT + 32]), 0);
            assert!(wide > 1_577_836_800 && process.number(AT + 32, 4).abs_diff(wide) < 2);
            assert!(process.number(AT + 36, 4) < 1_000_000_000);
            assert_eq!(process.call("sysinfo", &[AT]), 0);
            assert_eq!((process.number(AT + 40, 2), process.number(AT + 52, 4)), (1, 4096));
            assert_eq!(process.call("prlimit64", &[0, 7, 0, AT]), 0);
            assert_eq!(process.number(AT, 8), 1024);
            assert_eq!(process.call("getrusage", &[0, AT]), 0);
            assert_eq!(process.number(AT + 68, 4), 0);
            process.put(AT, &[1, 0x1000_0000, 0x11, 0x22]);
            assert_eq!(process.call("rt_sigaction", &[34, AT, 0, 8]), 0);
            assert_eq!(process.call("rt_sigaction", &[34, 0, AT + 64, 8]), 0);
            assert_eq!([64, 68, 72, 76].map(|offset| process.number(AT + offset, 4)), [1, 0x1000_0000, 0x11, 0x22]);
            assert_eq!(process.call("rt_sigprocmask", &[2, AT + 72, 0, 8]), 0);
            assert_eq!(process.call("rt_sigprocmask", &[0, 0, AT, 8]), 0);
            assert_eq!([0, 4].map(|offset| process.number(AT + offset, 4)), [0x11, 0x22]);
            assert_eq!(process.call("sigaltstack", &[0, AT]), 0);
            assert_eq!([0, 4, 8].map(|offset| process.number(AT + offset, 4)), [0, 2, 0]);
            // The upper half of wide nanoseconds is padding. A closed file is ready at once.
            process.put(AT, &[99, 0, 0, 0]);
            process.put(AT + 16, if is_big { &[0, 1, 7, 5] } else { &[1, 0, 5, 7] });
            assert_eq!(process.call("ppoll_time64", &[AT, 1, AT + 16, 0, 8]), 1);
            assert_eq!(process.number(AT + 6, 2), 32);
        });
    }
}

#[test]
fn files() {
    for is_big in [false, true] {
        let root = std::env::temp_dir().join(format!("isa-host-{}-small-{is_big}", std::process::id()));
        fs::create_dir(&root).expect("a directory");
        with_process(is_big, Options { root: Some(root.clone()), write: true, ..Options::default() }, |process| {
            process.machine.program().expect("memory").poke(DATA + 0x800, b"file\0.\0").expect("memory");
            let file = process.call("openat", &[HERE, AT + 0x800, 0o102, 0o640]).cast_unsigned();
            assert_eq!(file, 3);
            let [first, second] = process.pair(0x1_0000_0003);
            assert_eq!(process.call("ftruncate64", &[file, first, second]), 0);
            assert_eq!(process.call("llseek", &[file, 1, 2, AT, 0]), 0);
            assert_eq!(process.number(AT, 8), 0x1_0000_0002);
            process.put(AT, &[AT + 64, 4]);
            process.put(AT + 64, &[0x0102_0304]);
            // The low half of this offset comes first in either byte order.
            assert_eq!(process.call("pwritev", &[file, AT, 1, 0x10, 1]), 4);
            let [first, second] = process.pair(0x1_0000_0010);
            assert_eq!(process.call("pread64", &[file, AT + 128, 100, first, second]), 4);
            assert_eq!(process.number(AT + 128, 4), 0x0102_0304);
            assert_eq!(process.call("fstat64", &[file, AT]), 0);
            assert_eq!((process.number(AT + 16, 4), process.number(AT + 48, 8)), (0o100_640, 0x1_0000_0014));
            process.put(AT + 104, &[0x5555_5555]);
            assert_eq!(process.call("fstat64", &[file, AT]), 0);
            assert_eq!(process.number(AT + 104, 4), 0x5555_5555);
            assert_eq!(process.call("statx", &[HERE, AT + 0x800, 0, 0x7ff, AT]), 0);
            assert_eq!((process.number(AT + 28, 2), process.number(AT + 40, 8)), (0o100_640, 0x1_0000_0014));
            assert_eq!(process.call("statfs64", &[AT + 0x805, 84, AT]), 0);
            assert_eq!((process.number(AT + 4, 4), process.number(AT + 56, 4)), (4096, 255));
            let at = process.call("mmap2", &[0, 4096, 1, 2, file, 0x10_0000]).cast_unsigned();
            assert_eq!(process.number(at + 0x10, 4), 0x0102_0304);
        });
        fs::remove_dir_all(&root).expect("a directory");
    }
}

#[test]
fn programs_that_do_not_fit() {
    let start = |is_64: bool, is_big: bool| {
        let data = executable_of(is_64, is_big, &[0], &[]);
        let executable = Executable::parse(&data).expect("an executable");
        let engine = small(false);
        let mut machine = Machine::new(&engine).expect("a core");
        linux::start(&mut machine, &executable, Options::default()).map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(start(false, false), Ok(()));
    let width = "the program is a 64-bit one, and addresses of this machine have 32 bits";
    assert_eq!(start(true, false), Err(width.to_owned()));
    assert_eq!(start(false, true), Err("the program is big-endian, and the memory of this machine is not".to_owned()));
}

#[test]
fn halves_of_tohost() {
    for (is_big, low, high) in [(false, 0, 4), (true, 4, 0)] {
        // Stores of registers 1 and 2.
        let data = executable_of(false, is_big, &[1, 2], &[("tohost", DATA)]);
        let executable = Executable::parse(&data).expect("an executable");
        let engine = small(is_big);
        let mut machine = Machine::new(&engine).expect("a core");
        isa_host::load(&mut machine, &executable).expect("a program");
        let output = Kept::default();
        assert_eq!(tohost::start(&mut machine, &executable, Box::new(output.clone())), Ok(true));
        let set = |machine: &mut Machine<'_>, name: &str, value: u128| machine.set(name, value).expect("a register");
        set(&mut machine, "R0", u128::from(DATA + low));
        set(&mut machine, "R1", 0x42);
        set(&mut machine, "R2", 0x0101_0000);
        assert_eq!(machine.step(), Stopped::Budget);
        assert_eq!(*output.0.borrow(), b"");
        set(&mut machine, "R0", u128::from(DATA + high));
        assert_eq!(machine.step(), Stopped::Budget);
        assert_eq!(*output.0.borrow(), b"B");
    }
}
