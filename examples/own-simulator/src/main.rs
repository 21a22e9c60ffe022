//! A simulator of one's own: `define_isa!` makes the types, the decoder and the trait `Handler`, which has a method for each
//! instruction; this program has the state, and the effects of instructions.
//!
//! `cargo run -p own-simulator`

#[cfg(test)]
mod tests;

isa_macros::define_isa!(
    r#"
isa: counter
summary: A machine with four registers that counts
word: 16
registers: { R: { index: 2, width: 16, text: "r{n}" } }
formats: { word: { fields: { op: 15..12, d: 11..10 R } } }
instructions:
  set: { extends: word, fix: { op: 1 }, fields: { n: 9..0 }, text: "set {d}, {n}" }
  add:
    extends: word
    fix: { op: 2 }
    choose:
      b:
        reg: { fix: { 0: 0 }, fields: { r: 9..8 R }, reserved: 7..1, text: "{r}" }
        num: { fix: { 0: 1 }, fields: { n: 9..1 signed }, text: "{n}" }
    text: "add {d}, {b}"
  again: { extends: word, fix: { op: 3 }, fields: { to: 9..0 signed *2 target(2) }, text: "again {d}, {to}" }
  stop: { fix: { 15..12: 4 }, reserved: 11..0, text: stop }
"#
);

use counter::{Add, AddB, Again, Dispatch, Handler, Insn, R, Set, Stop};

#[derive(Debug, Default)]
struct Cpu {
    registers: [u16; 4],
    pc: u64,
}

impl Cpu {
    fn register(&mut self, r: R) -> &mut u16 {
        &mut self.registers[usize::from(r.index())]
    }
}

/// The address of the next instruction; none at the end of the program.
type Next = Result<Option<u64>, String>;

impl Handler for Cpu {
    type Output = Next;

    /// Handles instructions without a method of their own: none now, but one may be added to the specification.
    fn other(&mut self, insn: Insn) -> Next {
        Err(format!("{insn} is not supported"))
    }

    fn set(&mut self, insn: Set) -> Next {
        *self.register(insn.d()) = insn.n();
        Ok(Some(self.pc + 2))
    }

    fn add(&mut self, insn: Add) -> Next {
        let b = match insn.b() {
            AddB::Reg { r } => *self.register(r),
            AddB::Num { n } => n as u16,
        };
        let d = self.register(insn.d());
        *d = d.wrapping_add(b);
        Ok(Some(self.pc + 2))
    }

    fn again(&mut self, insn: Again) -> Next {
        Ok(Some(if *self.register(insn.d()) == 0 { self.pc + 2 } else { insn.to().target(self.pc) }))
    }

    fn stop(&mut self, _: Stop) -> Next {
        Ok(None)
    }
}

/// Runs a program from its first instruction until it stops, for at most `most` steps.
fn run(program: &str, most: usize) -> Result<Cpu, String> {
    let lines = program.lines().zip((0..).step_by(2)).map(|(line, address)| Insn::parse_at(line, address));
    let program: Vec<Insn> = lines.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
    let mut cpu = Cpu::default();
    for _ in 0..most {
        let insn = *program.get(cpu.pc as usize / 2).ok_or_else(|| format!("no instruction at {:#x}", cpu.pc))?;
        match Dispatch::<Cpu>::run(&mut cpu, insn)? {
            Some(next) => cpu.pc = next,
            None => return Ok(cpu),
        }
    }
    Err(format!("no end after {most} steps"))
}

/// Adds 10 + 9 + … + 1 in `r1`.
const SUM: &str = "set r0, 10\nadd r1, r0\nadd r0, -1\nagain r0, 0x2\nstop";

fn main() {
    println!("{:?}", run(SUM, 1000));
}
