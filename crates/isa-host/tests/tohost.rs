//! Programs that store to `tohost`.

#[allow(dead_code, reason = "other tests use the rest")]
mod support;

use isa_host::{load, tohost};
use isa_object::Executable;
use isa_sim::{Exit, Machine, Stopped};
use support::{DATA, Kept, executable};

/// `lui t0, 0x20`: the address of the data.
const LUI_T0: u32 = 0x0002_02b7;
/// `li t1, value`
const fn li_t1(value: u32) -> u32 {
    value << 20 | 6 << 7 | 0x13
}
/// `slli t1, t1, 8`
const SLLI_T1_8: u32 = 8 << 20 | 6 << 15 | 1 << 12 | 6 << 7 | 0x13;
/// `sd t1, 0(t0)`
const SD: u32 = 6 << 20 | 5 << 15 | 3 << 12 | 0x23;
/// `sw t1, 0(t0)`
const SW: u32 = 6 << 20 | 5 << 15 | 2 << 12 | 0x23;

fn run(words: &[u32]) -> (Stopped, Vec<u8>, u64, u64) {
    let data = executable(words, &[("tohost", DATA), ("fromhost", DATA + 64)]);
    let executable = Executable::parse(&data).expect("an executable");
    let engine = generated::rv64gc::sim::Compiled::new();
    let mut machine = Machine::new(&engine).expect("a core");
    let output = Kept::default();
    load(&mut machine, &executable).expect("a program");
    assert_eq!(tohost::start(&mut machine, &executable, Box::new(output.clone())), Ok(true));
    let stopped = machine.run(1000);
    let mut number = |at: u64| {
        let mut bytes = [0; 8];
        machine.program().expect("memory").peek(at, &mut bytes).expect("memory");
        u64::from_le_bytes(bytes)
    };
    let (there, answer) = (number(DATA), number(DATA + 64));
    (stopped, output.0.take(), there, answer)
}

#[test]
fn ends() {
    let (stopped, ..) = run(&[LUI_T0, li_t1(1), SD]);
    assert_eq!(stopped, Stopped::Exit(Exit::Status(0)));
    let (stopped, ..) = run(&[LUI_T0, li_t1(7), SW]);
    assert_eq!(stopped, Stopped::Exit(Exit::Status(3)));
}

#[test]
fn console() {
    // 0x0101_0000_0000_0041, made by shifts.
    let mut words = vec![LUI_T0, li_t1(0x101)];
    words.extend([SLLI_T1_8; 6]);
    // `addi t1, t1, 0x41`
    words.extend([0x41 << 20 | 6 << 15 | 6 << 7 | 0x13, SD, li_t1(1), SD]);
    let (stopped, output, there, answer) = run(&words);
    assert_eq!((stopped, output), (Stopped::Exit(Exit::Status(0)), b"A".to_vec()));
    assert_eq!((there, answer), (1, 0x0101 << 48));
}

#[test]
fn other_commands() {
    let (stopped, ..) = run(&[LUI_T0, li_t1(0x40), SD]);
    let Stopped::Fault(fault) = stopped else { panic!("{stopped}") };
    assert!(fault.to_string().starts_with("the program asks command 0 of device 0, which is not there"), "{fault}");
}

#[test]
fn programs_without_the_symbol() {
    let data = executable(&[LUI_T0], &[]);
    let executable = Executable::parse(&data).expect("an executable");
    let engine = generated::rv64gc::sim::Compiled::new();
    let mut machine = Machine::new(&engine).expect("a core");
    assert_eq!(tohost::start(&mut machine, &executable, Box::new(std::io::sink())), Ok(false));
}
