//! Programs on cores: Linux programs of the repository, machines of one's own, and everything that can be wrong with either.

use crate::session::Session;
use std::fs;
use std::path::Path;

/// A program that overwrites an instruction that it has executed, in a space that is not coherent.
const STALE: &str = "isa: stale
word: 16
numbers: dec
registers: { R: { index: 2, width: 16, text: \"r{n}\" } }
machine: { pc: 16, spaces: { memory: { address: 16, program: true } } }
instructions:
  li: { fix: { 15..14: 0 }, fields: { d: 13..12 R, n: 11..0 }, text: \"li {d}, {n}\", semantics: \"R[d] = zext(n, 16);\" }
  st: { fix: { 15..14: 1 }, fields: { d: 13..12 R, n: 11..0 }, text: \"st {d}, {n}\", semantics: \"store.memory(zext(n, 16), R[d]);\" }
  j: { fix: { 15..14: 2 }, fields: { n: 11..0 }, rest: ignored, text: \"j {n}\", semantics: \"branch(zext(n, 16));\" }
  end: { fix: { 15..14: 3 }, rest: ignored, text: end, semantics: \"exit();\" }
";

/// A big-endian machine with a timer, a clock and a latch.
const BIG: &str = "isa: big
word: { unit: 16, bytes: big }
machine:
  pc: 16
  spaces:
    memory:
      address: 16
      program: true
      order: big
      regions:
        ram: { at: 0, size: 0x100 }
        timer: { at: 0xff00, device: timer, line: tick }
        clock: { at: 0xff20, device: clock }
        latch: { at: 0xff30, device: latch, line: software }
  lines: [tick, software]
  state: { a: 64, b: 64, c: 32, lines: 2 }
instructions:
  nop: { fix: { 15..0: 0 }, text: nop, semantics: \"\" }
  time: { fix: { 15..0: 1 }, text: time, semantics: \"a = load.memory(0xff08, 64); b = load.memory(0xff20, 64);\" }
  end: { fix: { 15..0: 2 }, text: end, semantics: \"exit();\" }
  set: { fix: { 15..8: 3 }, fields: { n: 7..0 }, text: \"set {n}\", semantics: \"store.memory(0xff00, zext(n, 64)); store.memory(0xff30, zext(n, 32));\" }
  lines: { fix: { 15..0: 4 }, text: lines, semantics: \"lines = software ++ tick; c = load.memory(0xff30, 32);\" }
";

/// What is executed is traced, and devices have the byte order of their space.
#[test]
fn memory_as_programs_see_it() {
    let mut s = Session::new("memory");
    s.file("stale.yaml", STALE);
    s.say("Instructions that are in memory no longer: what is executed is shown.");
    s.file("stale.s", "li r1, 7\nloop: li r0, 1\nst r1, 2\nj 2\n");
    s.run("isagen run stale.yaml stale.s --limit 5 --trace");
    s.say("Devices of a big-endian space.");
    s.file("big.yaml", BIG);
    s.file("big.s", "nop\nnop\ntime\nlines\nset 5\nlines\nend\n");
    s.run("isagen run big.yaml big.s --trace");
    s.end();
}

/// A machine that counts, whose memory holds its program.
const COUNT: &str = "isa: count
word: { unit: 16, bytes: little, lengths: { 16: \"prefix[15..0] != 0\" } }
registers: { R: { index: 2, width: 16, text: \"r{n}\", special: { 3: acc } } }
machine:
  pc: 16
  spaces: { memory: { address: 16, program: true, size: 0x1000 }, global: { address: 8, order: big } }
  flags: { F: [zero, carry] }
  state: { mode: 4 }
formats: { f: { fields: { op: 15..12, d: 11..10 R, n: 9..0 }, text: \"{body} {d}, {n}\" } }
instructions:
  set: { extends: f, fix: { op: 1 }, text: set, semantics: \"R[d] = zext(n, 16);\" }
  add: { extends: f, fix: { op: 2 }, text: add, semantics: \"let x = zext(R[d], 17) + sext(n, 17); R[d] = x[15..0]; F = x[16] ++ (x[15..0] == 0);\" }
  save: { extends: f, fix: { op: 3 }, text: save, semantics: \"store.global(n[7..0], R[d]); mode = 3;\" }
  load: { extends: f, fix: { op: 4 }, text: load, semantics: \"R[d] = load.memory(R[d] + zext(n, 16), 16);\" }
  loop: { extends: f, fix: { op: 5 }, text: loop, semantics: \"let x = R[d] - 1; R[d] = x; if x != 0 { branch(zext(n, 16)); }\" }
  stop: { fix: { 15..12: 6 }, rest: reserved, text: stop, semantics: \"exit();\" }
  ask: { fix: { 15..12: 7 }, rest: reserved, text: ask, semantics: \"host();\" }
  trap: { fix: { 15..12: 8 }, rest: reserved, text: trap, semantics: \"trap();\" }
";

const PROGRAM: &str = "set r0, 0\nset r1, 10\nadd r0, 7\nloop r1, 4\nsave r0, 0x20\nadd acc, 0\nstop\n";

/// Code and data in memories of their own, and a machine whose code is in none.
#[test]
fn two_memories() {
    let mut s = Session::new("two-memories");
    let spec = |code: &str| {
        format!(
            "isa: two\nword: 16\nmachine:\n  pc: 16\n  spaces:\n{code}    ram: {{ address: 16, size: 0x100, order: big }}\n  state: {{ a: 8 }}\n\
             instructions:\n  \
             load: {{ fix: {{ 15..8: 1 }}, fields: {{ n: 7..0 }}, text: \"load {{n}}\", semantics: \"a = load.ram(zext(n, 16), 8);\" }}\n  \
             stop: {{ fix: {{ 15..0: 4 }}, text: stop, semantics: \"exit();\" }}\n"
        )
    };
    s.file("beside.yaml", spec(""));
    s.file("harvard.yaml", spec("    rom: { address: 16, unit: 16, program: true, read-only: true }\n"));
    s.file("program.s", "        load 0\nhere:   load 1\nend:    stop\n");
    for set in ["beside", "harvard"] {
        s.say(&format!("Symbols and memory of {set}."));
        s.run(&format!("isagen run {set}.yaml program.s --until end --reg ram[0]=0x0607 --reg a=-1 --state"));
        s.run(&format!("isagen run {set}.yaml program.s --entry here --reg ram[1]=0x08 --state"));
        s.run(&format!("isagen run {set}.yaml program.s --until END"));
    }
    s.file("program.hex", "0101\n0004\n");
    s.run("isagen run beside.yaml program.hex --until end");
    s.say("Values that are not there or do not fit.");
    for reg in ["ram[0x100]=0x00", "ram[0xff]=0x0000", "ram=1", "rom[0]=1", "a=256", "a=x", "ram[x]=1"] {
        s.run(&format!("isagen run beside.yaml program.s --reg {reg}"));
    }
    s.run("isagen eval beside.yaml 'load 1' ram[0]=0x0607");
    s.end();
}

#[test]
fn machines_of_ones_own() {
    let mut s = Session::new("cores");
    s.file("count.yaml", COUNT);
    s.file("program.s", PROGRAM);
    s.run("isagen run count.yaml program.s --state");
    s.run("isagen run count.yaml program.s --state --json");
    s.run("isagen run count.yaml program.s --dump global@0x20+2 --dump memory@0x0+14 --dump 0x20+1");
    s.run("isagen run count.yaml program.s --until 0x8 --reg acc=0xffff --reg F.carry=1 --reg mode=9 --state");
    s.say("It begins elsewhere, with bytes in memory.");
    s.file("bytes.bin", "ABCDEF");
    s.file("load.s", "load r0, 0\nload r1, 1\nload r2, 0x200\nstop\n");
    s.run("isagen run count.yaml load.s --memory memory@0x100=bytes.bin --reg r0=0x100 --reg r1=0x103 --reg r2=0x104 --entry 0x2 --state");
    s.run("isagen run count.yaml load.s --memory memory@0x100=bytes.bin --reg r0=0x100 --reg r1=0x103 --reg r2=0xf00 --state --trace");
    s.say("A word that does not decode is an error when it is reached.");
    s.file("data.hex", "1005\n6000\nffff\n0000\n");
    s.run("isagen run count.yaml data.hex --state");
    s.file("reached.hex", "1005\nffff\n");
    s.run("isagen run count.yaml reached.hex");
    s.file("beyond.s", "set r0, 1\n");
    s.run("isagen run count.yaml beyond.s");
    s.say("Every end.");
    for (name, program) in [("ask", "ask\n"), ("trap", "set r0, 1\ntrap\n"), ("endless", "loop r0, 0\n")] {
        s.file(&format!("{name}.s"), program);
        s.run(&format!("isagen run count.yaml {name}.s --limit 100 --state"));
    }
    s.say("Options that ask for what is not there.");
    for options in [
        "--reg r9=1",
        "--reg r0",
        "--reg ac=1",
        "--entry main",
        "--until x",
        "--host linux",
        "--host tohost",
        "--block 3",
        "--size global=3",
        "--memory globl@0=bytes.bin",
        "--memory global@0xfe=bytes.bin",
        "--memory global=bytes.bin",
        "--dump global@0x0+0x101",
        "--json",
        "--write",
        "--env x",
        "--gdb 70000",
        "--gdb 1234",
    ] {
        s.run(&format!("isagen run count.yaml program.s {options}"));
    }
    s.run("isagen run program.s");
    s.run("isagen run count.yaml");
    s.run("isagen run");
    s.end();
}

/// A machine whose programs begin at 0x200, with a device and a memory that is only read; it sets up both.
const BOARD: &str = "isa: board
word: { unit: 16, bytes: big }
assembly: { word: 2, sections: { .text: 0x200 } }
registers: { R: { index: 2, width: 8, text: \"r{n}\" } }
machine:
  pc: 16
  spaces:
    memory:
      address: 16
      program: true
      order: big
      regions: { rom: { at: 0, size: 0x100, read-only: true }, ram: { at: 0x200, size: 0x800 } }
    io: { address: 3, regions: { bell: { at: 0, device: latch, line: asked } } }
  lines: [asked]
  launch: \"store.io(0, 1:32); store.memory(5, 0x55:8);\"
formats: { f: { fields: { op: 15..12, d: 11..10 R, n: 9..0 }, text: \"{body} {d}, {n:x}\" } }
instructions:
  get: { fix: { 15..12: 1 }, fields: { d: 11..10 R }, rest: reserved, text: \"get {d}\", semantics: \"R[d] = zext(asked, 8);\" }
  load: { extends: f, fix: { op: 2 }, text: load, semantics: \"R[d] = load.memory(zext(n, 16), 8);\" }
  save: { extends: f, fix: { op: 3 }, text: save, semantics: \"store.memory(zext(n, 16), R[d]);\" }
  jump: { fix: { 15..12: 4 }, fields: { to: 11..0 signed target }, text: \"jump {to:x}\", semantics: \"branch(pc + sext(to, 16));\" }
  stop: { fix: { 15..12: 5 }, rest: reserved, text: stop, semantics: \"exit();\" }
";

#[test]
fn boards_of_ones_own() {
    let mut s = Session::new("boards");
    s.file("board.yaml", BOARD);
    s.file("program.s", "get r0\nload r1, 5\njump end\n.byte 7, 8\nend: load r2, 0x206\nstop\n");
    s.say("What launch stores is there: in the device, and in memory that instructions only read.");
    s.run("isagen run board.yaml program.s --state");
    s.say("A device can be in such memory.");
    s.file("device.s", "save r0, 0xf0\nload r1, 0xf0\nsave r0, 0x10\nstop\n");
    s.run("isagen run board.yaml device.s --device latch@0xf0 --reg r0=1 --state");
    s.say("A raw stream is loaded where the section begins, and an executable has addresses that the machine has.");
    s.run("isagen asm board.yaml program.s -o program.bin");
    s.run("isagen run board.yaml program.bin --state");
    s.run("isagen disasm board.yaml program.bin");
    s.run("isagen disasm board.yaml program.bin --base 0x300");
    s.run("isagen run board.yaml program.bin --base 0x300 --state");
    s.run("isagen asm board.yaml program.s -o program.elf");
    s.run("isagen run board.yaml program.elf --state");
    s.file("wide.yaml", BOARD.replace("word: 2,", "word: 2, address: 64,"));
    s.run("isagen asm wide.yaml program.s -o wide.elf");
    s.run("isagen run wide.yaml wide.elf --host none");
    s.say("An address is for a raw stream.");
    s.run("isagen run board.yaml program.s --base 0x300");
    s.run("isagen run board.yaml program.elf --base 0x300");
    s.run("isagen disasm board.yaml program.elf --base 0x300");
    s.run_with("isagen disasm board.yaml --base 0x300", "5000\n");
    s.say("Data stay where they are behind a gap.");
    s.file("gap.s", "stop\n.space 3\n.byte 7\n.space 2\nstop\n");
    let words = s.run("isagen asm board.yaml gap.s");
    let texts = s.run_with("isagen disasm board.yaml", &words);
    assert_eq!(s.run_with("isagen asm board.yaml", texts), words);
    s.say("What launch can't store ends the run before it begins; so does a device that does not exist.");
    s.file("outside.yaml", BOARD.replace("store.memory(5,", "store.memory(0x150,"));
    s.run("isagen run outside.yaml program.s");
    s.file("keypad.yaml", BOARD.replace("device: latch", "device: keypad"));
    s.run("isagen run keypad.yaml program.s");
    s.end();
}

/// The Linux program of the repository, with some bytes changed.
fn patched(s: &Session, name: &str, at: usize, bytes: &[u8]) {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/programs/collatz");
    let mut file = fs::read(program).expect("the program");
    file.truncate(if bytes.is_empty() { at } else { file.len() });
    file[at - if bytes.is_empty() { at } else { 0 }..][..bytes.len()].copy_from_slice(bytes);
    fs::write(s.folder.join(name), file).expect("the folder can be written to");
}

#[test]
fn the_6502() {
    let mut s = Session::new("6502");
    s.file("6502.yaml", include_str!("../../../examples/6502/6502.yaml"));
    s.file("decimal.s", include_str!("../../../examples/6502/decimal.s"));
    s.file("print.s", include_str!("../../../examples/6502/print.s"));
    s.file("opcodes.s", include_str!("../../../examples/6502/opcodes.s"));
    s.run("isagen run 6502.yaml decimal.s --until 0x21b --dump mem@0x11+2 --state");
    s.run("isagen asm 6502.yaml print.s --format ihex");
    let words = s.run("isagen asm 6502.yaml opcodes.s");
    s.run_with("isagen disasm 6502.yaml -", words);
    s.end();
}

#[test]
fn linux_programs() {
    let mut s = Session::new("linux");
    patched(&s, "collatz", 0, &[0x7f]);
    s.run("isagen run collatz -- 300");
    s.run("isagen run rv64gc collatz --engine reference --root . -- 300");
    s.run("isagen run collatz");
    s.run("isagen run collatz --clear-env --env A=B --until main --reg a0=9 --dump memory@0x10000+20");
    s.run("isagen run collatz --limit 100 -- 300");
    s.run("isagen run collatz --host none");
    s.say("A host of 32 bits, another instruction set, a stack that holds nothing.");
    s.run("isagen run rv32imac collatz");
    s.run("isagen run ampere collatz");
    s.run("isagen run collatz --stack 0");
    s.run("isagen run collatz --stack 64 --clear-env -- 300");
    s.run("isagen run collatz --stack 0xffffffffffffffff");
    s.run("isagen run collatz --root nowhere");
    s.run("isagen run collatz --until nowhere -- 300");
    s.run("isagen run collatz --host tohost");
    s.run("isagen run collatz --entry 0xfffffffffffffffe");
    s.say("Bit manipulation, by the instruction set that has it: named, on the evaluator.");
    s.run("isagen run rv64gcb collatz -- 300");
    s.run("isagen run rv64gcb collatz --engine compiled");
    s.say("Of two instruction sets for a file of 32 bits, the one with floats runs it, and the other one where it is named.");
    let test = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/programs/riscv-tests/rv32ud-fcvt");
    fs::copy(test, s.folder.join("rv32ud-fcvt")).expect("the folder can be written to");
    s.run("isagen run rv32ud-fcvt");
    s.run("isagen run rv32imac rv32ud-fcvt");
    s.run("isagen disasm sm80 rv32ud-fcvt --function nothing");
    s.say("Damaged files: cut off, of another machine, segments that overlap, that reach beyond all addresses, that have more bytes than room.");
    for cut in [3, 20, 70, 1000] {
        patched(&s, "cut", cut, &[]);
        s.run("isagen run rv64gc cut");
    }
    for (at, bytes) in [
        (18, vec![62, 0]),
        (0xb0 + 16, 0x10000u64.to_le_bytes().to_vec()),
        (0x78 + 16, 0xffff_ffff_ffff_ff00u64.to_le_bytes().to_vec()),
        (0x78 + 40, 8u64.to_le_bytes().to_vec()),
        (0xb0 + 40, 0x7fff_ffff_ffff_ffffu64.to_le_bytes().to_vec()),
        (24, 1u64.to_le_bytes().to_vec()),
        (54, vec![0, 0]),
        (56, vec![0xff, 0xff]),
    ] {
        patched(&s, "patched", at, &bytes);
        s.run("isagen run rv64gc patched");
    }
    s.end();
}
