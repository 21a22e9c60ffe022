//! A custom simulator: `define_isa!` makes the types, the decoder, the trait `Handler` with a method for each instruction, and
//! its dispatch table; this program has the state and the effects of instructions.
//!
//! `cargo run -p own-simulator`

isa_macros::define_isa!(
    r#"
isa: counter
summary: A machine with four registers that counts
word: 16
registers:
  R: { index: 2, width: 16, text: "r{n}" }
formats:
  word:
    fields: { op: 15..12 }
instructions:
  set:
    summary: Writes a number to a register.
    extends: word
    fix: { op: 1 }
    fields: { d: 11..10 R, n: 9..0 }
    text: "set {d}, {n}"
  add:
    summary: Adds a register, or a number.
    extends: word
    fix: { op: 2 }
    choose:
      b:
        reg: { fix: { 0: 0 }, fields: { r: 9..8 R }, reserved: 7..1, text: "{r}" }
        num: { fix: { 0: 1 }, fields: { n: 9..1 signed }, text: "{n}" }
    fields: { d: 11..10 R }
    text: "add {d}, {b}"
  again:
    summary: Jumps, unless a register is zero.
    extends: word
    fix: { op: 3 }
    fields: { a: 11..10 R, to: 9..0 signed *2 target(2) }
    text: "again {a}, {to}"
  stop:
    summary: Ends the program.
    extends: word
    fix: { op: 4 }
    reserved: 11..0
    text: stop
"#
);

use counter::{Add, AddB, Again, Dispatch, Handler, Insn, R, Set, Stop};

/// The state of the processor.
#[derive(Debug, Default)]
struct Cpu {
    registers: [u16; 4],
    /// The address of the instruction.
    pc: u64,
}

impl Cpu {
    fn register(&mut self, r: R) -> &mut u16 {
        &mut self.registers[usize::from(r.index())]
    }
}

/// The continuation after an instruction.
#[derive(Debug)]
enum Next {
    Go,
    Jump(u64),
    Stop,
    /// This processor does not have the instruction.
    Unsupported(Insn),
}

/// A reason why a program did not stop by itself.
#[derive(Debug, PartialEq, Eq)]
enum Fault {
    /// There is no instruction at this address.
    NoInstruction(u64),
    /// The processor does not have this instruction.
    Unsupported(Insn),
    /// It takes too many steps.
    TooLong,
}

impl Handler for Cpu {
    type Output = Next;

    /// Refuses an instruction without a method of its own: there is none now, but one may be added to the specification.
    fn other(&mut self, insn: Insn) -> Next {
        Next::Unsupported(insn)
    }

    fn set(&mut self, insn: Set) -> Next {
        *self.register(insn.d()) = insn.n();
        Next::Go
    }

    fn add(&mut self, insn: Add) -> Next {
        let b = match insn.b() {
            AddB::Reg { r } => *self.register(r),
            AddB::Num { n } => n as u16,
        };
        let d = self.register(insn.d());
        *d = d.wrapping_add(b);
        Next::Go
    }

    fn again(&mut self, insn: Again) -> Next {
        match *self.register(insn.a()) {
            0 => Next::Go,
            _ => Next::Jump(insn.to().target(self.pc)),
        }
    }

    fn stop(&mut self, _: Stop) -> Next {
        Next::Stop
    }
}

/// Runs a program from its first instruction until it stops, for at most `most` steps.
fn run(program: &[Insn], most: usize) -> Result<Cpu, Fault> {
    let mut cpu = Cpu::default();
    for _ in 0..most {
        let insn = *program.get(cpu.pc as usize / 2).ok_or(Fault::NoInstruction(cpu.pc))?;
        // The same as `Dispatch::<Cpu>::run(&mut cpu, insn)`.
        match Dispatch::<Cpu>::TABLE[insn.form() as usize](&mut cpu, insn) {
            Next::Go => cpu.pc += 2,
            Next::Jump(to) => cpu.pc = to,
            Next::Stop => return Ok(cpu),
            Next::Unsupported(insn) => return Err(Fault::Unsupported(insn)),
        }
    }
    Err(Fault::TooLong)
}

fn assembled(text: &str) -> Vec<Insn> {
    let at = |i: usize| 2 * i as u64;
    text.lines().enumerate().map(|(i, line)| Insn::parse_at(line, at(i)).expect("an instruction")).collect()
}

/// r1 = 1 + 2 + … + r0
const SUM: &str = "set r0, 10\nadd r1, r0\nadd r0, -1\nagain r0, 0x2\nstop";

fn main() {
    let program = assembled(SUM);
    program.iter().enumerate().for_each(|(i, insn)| println!("{}", insn.at(2 * i as u64)));
    println!("{:?}", run(&program, 1000));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_counts() {
        let cpu = run(&assembled(SUM), 1000).expect("it stops");
        assert_eq!(cpu.registers, [0, 55, 0, 0]);
    }

    #[test]
    fn it_does_not_run_for_ever() {
        assert_eq!(run(&assembled("set r0, 1\nagain r0, 0x2"), 1000).err(), Some(Fault::TooLong));
        assert_eq!(run(&assembled("set r0, 1"), 1000).err(), Some(Fault::NoInstruction(2)));
    }

    #[test]
    fn what_has_no_method_is_reported() {
        let stop = assembled("stop")[0];
        assert!(matches!(Cpu::default().other(stop), Next::Unsupported(insn) if insn == stop));
    }
}
