//! The 6502 of `examples/` on both engines: interrupts, code that changes itself, and programs that were written to test processors.

use crate::engines::mos6502;
use isa_reference::codec::Codec;
use isa_reference::eval::Reference;
use isa_sim::{AnyEngine, Device, Machine, Refused, Signal, Stopped};
use isa_spec::model::Isa;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::{env, fs};

/// The only memory space, and the lines.
const MEM: usize = 0;
const IRQ: usize = 0;
const NMI: usize = 1;
/// Bits of what is pushed: I, B, and the one that is always set.
const I: u8 = 0x04;
const B: u8 = 0x10;
const U: u8 = 0x20;

fn isa() -> &'static Isa {
    harness::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/6502/6502.yaml"))
}

/// Loads instructions, one a line; `0x300:` in front of one is its address.
fn load(machine: &mut Machine<'_>, isa: &Isa, text: &str) {
    let codec = Codec::new(isa);
    let mut at = 0;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (address, line) = line.split_once(':').map_or((None, line), |(address, line)| (Some(address), line.trim()));
        if let Some(address) = address {
            at = u64::from_str_radix(address.trim_start_matches("0x"), 16).expect("an address");
        }
        let (form, word) = codec.parse(line, at, &|_| None).unwrap_or_else(|why| panic!("{line}: {why}"));
        let length = u64::from(isa.form(form).length / 8);
        machine.load(at, &word.limbs()[0].to_le_bytes()[..length as usize]).expect("memory");
        at += length;
    }
}

/// Does the same on a machine of each engine with a program at 0x200 and a port at 0xf000, and compares what comes of it. NMI goes to
/// 0x380, IRQ and BRK to 0x300.
fn on_both<T: PartialEq + Debug>(text: &str, act: impl Fn(&mut Machine<'_>) -> T) -> T {
    let isa = isa();
    let reference = Reference::new(isa).expect("it can be simulated");
    let compiled = mos6502::sim::Compiled::new();
    let results = [&reference as &dyn AnyEngine, &compiled].map(|engine| {
        let mut machine = Machine::new(engine).expect("one lane");
        load(&mut machine, isa, text);
        machine.load(0xfffa, &[0x80, 0x03, 0x00, 0x02, 0x00, 0x03]).expect("memory");
        attach_port(&mut machine, 0xf000);
        machine.set_pc(0x200);
        let result = act(&mut machine);
        let registers = ["A", "X", "Y", "S", "P"].map(|name| r(&machine, name));
        (result, registers, machine.pc(), machine.steps())
    });
    let [one, other] = results;
    assert_eq!(one, other, "the evaluator and compiled code: {text}");
    one.0
}

/// Executes `steps` instructions, and lists their addresses.
fn path(machine: &mut Machine<'_>, steps: u64) -> Vec<u64> {
    let mut path = Vec::new();
    assert_eq!(machine.run_traced(steps, &mut |traced| path.push(traced.pc)), Stopped::Budget);
    path
}

/// The bytes at the top of the stack, the one that was pushed last in front.
fn pushed<const N: usize>(machine: &mut Machine<'_>) -> [u8; N] {
    let top = 0x100 + u64::from(r(machine, "S"));
    let mut bytes = [0; N];
    machine.memory(MEM, 0).expect("memory").peek(top + 1, &mut bytes).expect("memory");
    bytes
}

/// A register, or the flags, `P`.
fn r(machine: &Machine<'_>, name: &str) -> u8 {
    machine.get(name).expect("a register") as u8
}

fn p(machine: &Machine<'_>) -> u8 {
    r(machine, "P")
}

#[test]
fn irq_waits_for_cli() {
    let program = "0x200: lda #0x81
        sta 0xf000
        nop
        sec
        cli
        nop
        nop
        0x300: lda #0
        sta 0xf000
        rti";
    on_both(program, |m| {
        assert_eq!(path(m, 5), [0x200, 0x202, 0x205, 0x206, 0x207]);
        // N and C are flags of the program. The address is that of the instruction that was not executed yet.
        assert_eq!((path(m, 1), p(m), pushed(m)), (vec![0x300], 0x03 | I, [0x81 | U, 0x08, 0x02]));
        assert_eq!(path(m, 4), [0x302, 0x305, 0x208, 0x209]);
        assert_eq!((p(m), r(m, "S")), (0x81, 0xfd));
    });
}

#[test]
fn irq_is_taken_as_long_as_its_line_is_active() {
    let program = "0x200: lda #1
        sta 0xf000
        cli
        nop
        0x300: inx
        rti";
    on_both(program, |m| assert_eq!(path(m, 9), [0x200, 0x202, 0x205, 0x300, 0x301, 0x300, 0x301, 0x300, 0x301]));
    // PLP and RTI let it in as CLI does.
    let program = "0x200: lda #1
        sta 0xf000
        lda #0
        pha
        plp
        nop
        0x300: lda #0
        sta 0xf000
        rti";
    on_both(program, |m| assert_eq!(path(m, 9)[4..], [0x208, 0x300, 0x302, 0x305, 0x209]));
}

#[test]
fn nmi_is_taken_when_its_line_becomes_active() {
    let program = "0x200: lda #2
        sta 0xf000
        sta 0xf000
        nop
        ldx #0
        stx 0xf000
        sta 0xf000
        nop
        0x380: iny
        rti";
    on_both(program, |m| {
        // In spite of I.
        assert_eq!(path(m, 3), [0x200, 0x202, 0x380]);
        assert_eq!((p(m), pushed(m)), (I, [I | U, 0x05, 0x02]));
        assert_eq!(path(m, 9), [0x381, 0x205, 0x208, 0x209, 0x20b, 0x20e, 0x380, 0x381, 0x211]);
        assert_eq!(r(m, "Y"), 2);
    });
}

#[test]
fn nmi_comes_before_irq() {
    let program = "0x200: cli
        lda #3
        sta 0xf000
        nop
        0x300: ldx #0
        stx 0xf000
        rti
        0x380: iny
        nop
        rti";
    // Both become active by one instruction. IRQ waits for the end of the handler of NMI.
    on_both(program, |m| {
        assert_eq!(path(m, 10), [0x200, 0x201, 0x203, 0x380, 0x381, 0x382, 0x300, 0x302, 0x305, 0x206]);
    });
}

#[test]
fn brk_pushes_b_and_skips_a_byte() {
    let program = "0x200: cli
        sed
        sec
        brk
        nop
        inx
        0x300: php
        pla
        rti";
    on_both(program, |m| {
        assert_eq!(path(m, 3), [0x200, 0x201, 0x202]);
        assert_eq!(m.step(), Stopped::Budget);
        // D stays, and I is set.
        assert_eq!((p(m), m.pc()), (0x09 | I, 0x301));
        let pushed: [u8; 4] = pushed(m);
        assert_eq!(pushed, [0x09 | I | B | U, 0x09 | B | U, 0x05, 0x02]);
        assert_eq!(path(m, 3), [0x301, 0x302, 0x205]);
        assert_eq!((p(m), r(m, "X"), r(m, "S")), (0x09, 1, 0xfd));
    });
}

#[test]
fn the_stack_wraps_at_an_interrupt() {
    let program = "0x200: ldx #1
        txs
        brk
        0x300: rti";
    on_both(program, |m| {
        // `brk` raises in its place, and is not counted.
        assert_eq!(path(m, 3), [0x200, 0x202, 0x203, 0x300]);
        let mut bytes = [0; 2];
        m.memory(MEM, 0).expect("memory").peek(0x100, &mut bytes).expect("memory");
        assert_eq!((bytes, m.pc(), r(m, "S")), ([0x05, 0x02], 0x205, 1));
    });
}

#[test]
fn jmp_through_a_pointer_at_the_end_of_a_page() {
    on_both("0x200: jmp (0x2ff)\n0x300: nop\n0x34c: nop", |m| {
        // The high byte is at 0x200: the opcode of the jump.
        m.load(0x2ff, &[0x10, 0x03]).expect("memory");
        assert_eq!((m.step(), m.pc()), (Stopped::Budget, 0x6c10));
    });
}

#[test]
fn code_changes_the_instruction_behind_it() {
    // The operand of `ldx #1`, and then its opcode, which becomes that of `ldy`.
    on_both("0x200: inc 0x204\nldx #1\ndec 0x203\ndec 0x203\njmp 0x200", |m| {
        assert_eq!((path(m, 2), r(m, "X")), (vec![0x200, 0x203], 2));
        assert_eq!(path(m, 5), [0x205, 0x208, 0x20b, 0x200, 0x203]);
        assert_eq!((r(m, "X"), r(m, "Y")), (2, 3));
    });
}

/// A line driven by a bit of the value that a program has stored at a port: bit 0 is IRQ, and bit 1 NMI.
struct Pin {
    stored: Arc<AtomicU8>,
    line: usize,
}

impl Device for Pin {
    fn size(&self) -> u64 {
        1
    }

    fn load(&mut self, _: u64, _: u32, _: u64) -> Result<u64, Refused> {
        Ok(self.stored.load(Relaxed).into())
    }

    fn store(&mut self, _: u64, _: u32, value: u64, _: u64) -> Result<(), Refused> {
        self.stored.store(value as u8, Relaxed);
        Ok(())
    }

    fn signal(&mut self, _: u64) -> Signal {
        Signal { line: self.stored.load(Relaxed) >> self.line & 1 != 0, again: None }
    }
}

/// Has a machine have a port. A device drives one line, so there are two, which share a byte; programs use the first.
fn attach_port(machine: &mut Machine<'_>, at: u64) {
    let stored = Arc::new(AtomicU8::new(0));
    for line in [IRQ, NMI] {
        let pin = Pin { stored: stored.clone(), line };
        machine.attach(MEM, at + line as u64, Box::new(pin), Some(line), 1).expect("a device");
    }
}

/// The bytes of a file of the folder that `ISA_6502` names (`programs/README.md`), by address: of Intel's hexadecimal format, or all
/// of memory.
fn image(folder: &Path, name: &str) -> Vec<(u64, Vec<u8>)> {
    let path = folder.join(name);
    let file = fs::read(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    if !name.ends_with(".hex") {
        return vec![(0, file)];
    }
    let text = String::from_utf8(file).expect("a text");
    let records = text.lines().filter_map(|line| line.trim().strip_prefix(':')).map(|digits| {
        let digit = |i: usize| u8::from_str_radix(&digits[i..i + 2], 16).expect("hexadecimal digits");
        (0..digits.len() / 2).map(|i| digit(2 * i)).collect::<Vec<u8>>()
    });
    // Length, address, kind (0 is data), data, checksum.
    let data = records.filter(|record| record[3] == 0);
    data.map(|record| (u64::from(record[1]) << 8 | u64::from(record[2]), record[4..record.len() - 1].to_vec())).collect()
}

/// Programs that test processors, those of them that were fetched: each comes to its end, and not to a loop that says what is wrong.
#[test]
#[ignore = "needs programs that test processors, in the folder that ISA_6502 names"]
fn tests_of_processors_pass() {
    let folder = PathBuf::from(env::var_os("ISA_6502").expect("ISA_6502 names a folder of programs"));
    let isa = isa();
    let reference = Reference::new(isa).expect("it can be simulated");
    let compiled = mos6502::sim::Compiled::new();
    // The file, where it begins and ends, and how many instructions it takes.
    let programs = [
        ("6502_functional_test.bin", 0x400, 0x3469, 30_646_174),
        ("6502_interrupt_test.hex", 0x400, 0x6f5, 1_032),
        ("6502_decimal_test.hex", 0x200, 0x24b, 17_609_915),
    ];
    assert!(folder.join(programs[0].0).exists(), "{}: no {}", folder.display(), programs[0].0);
    for (name, start, end, steps) in programs.into_iter().filter(|(name, ..)| folder.join(name).exists()) {
        let image = image(&folder, name);
        for engine in [&reference as &dyn AnyEngine, &compiled] {
            let mut machine = Machine::new(engine).expect("one lane");
            image.iter().for_each(|(at, bytes)| machine.load(*at, bytes).expect("memory"));
            if name.contains("interrupt") {
                attach_port(&mut machine, 0xbffc);
            }
            machine.set_pc(start);
            machine.add_breakpoint(end);
            let stopped = machine.run(100_000_000);
            assert_eq!((stopped, machine.steps()), (Stopped::Breakpoint(end), steps), "{name}: {:#x}", machine.pc());
            if name.contains("decimal") {
                let mut error = [0xff];
                machine.memory(MEM, 0).expect("memory").peek(0xb, &mut error).expect("memory");
                assert_eq!(error, [0], "{name}");
            }
        }
    }
}
