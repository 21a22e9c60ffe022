//! A small linter for machine code of NVIDIA's SM 8.0: it finds registers that nothing writes, and instructions that do not wait
//! for the scoreboard of a value that they use. Both rules follow from the registers that each instruction reads and writes, and
//! from the control code in its word; neither is about one instruction.
//!
//! `cargo run -p sass-lint -- tests/kernels/ampere-saxpy-like.hex`

#[cfg(test)]
mod tests;

use generated::ampere::{Barrier, Insn, P, R, UP, UR, decode};
use isa_runtime::typed::{Register, RegisterUse};
use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

/// Registers that are constants: writes to them have no effect.
const CONSTANTS: [Register; 4] = [R::RZ.register(), UR::URZ.register(), P::PT.register(), UP::UPT.register()];

/// An instruction with its address.
type Line = (u64, Insn);

/// The words of a file, as `isagen disasm` reads them: one a line in hexadecimal, perhaps after its address; `#` begins a
/// comment.
fn read(text: &str) -> Result<Vec<Line>, String> {
    let hex = |digits: &str| u128::from_str_radix(digits.trim().trim_start_matches("0x"), 16);
    let (mut program, mut next) = (Vec::new(), 0);
    for line in text.lines().map(|line| line.split('#').next().unwrap_or_default().trim()).filter(|line| !line.is_empty()) {
        let (address, word) = line.rsplit_once(':').unwrap_or(("", line));
        let address = if address.is_empty() { Ok(next) } else { hex(address) }.map_err(|e| format!("{line}: {e}"))?;
        let word = hex(word).map_err(|e| format!("{line}: {e}"))?;
        program.push((address as u64, decode(word).map_err(|e| format!("{line}: {e}"))?));
        next = address + 16;
    }
    Ok(program)
}

/// The registers of accesses, without constants.
fn registers(uses: impl Iterator<Item = RegisterUse<u128>>) -> impl Iterator<Item = Register> {
    let is_constant = |access: &RegisterUse<u128>| access.field.register().is_some_and(|first| CONSTANTS.contains(&first));
    uses.filter(move |access| !is_constant(access)).flat_map(|access| access.registers())
}

/// The findings of both rules, in the order of the program.
fn lint(program: &[Line]) -> Vec<String> {
    let targets = |(at, insn): &Line| insn.operands().filter_map(|operand| operand.target(*at)).collect::<Vec<_>>();
    let targets: BTreeSet<u64> = program.iter().flat_map(targets).collect();
    // A launch sets R1, the stack pointer.
    let mut known = BTreeSet::from([R::R1.register()]);
    known.extend(program.iter().flat_map(|(_, insn)| registers(insn.writes())));
    // The registers that wait for each scoreboard, and the addresses of the instructions that set it.
    let mut pending: BTreeMap<Barrier, Vec<(Register, u64)>> = BTreeMap::new();
    let mut findings = Vec::new();
    for (address, insn) in program {
        let mut find = |message: String| findings.push(format!("{address:#06x}: {}: {message}", insn.at(*address)));
        registers(insn.reads()).filter(|read| known.insert(*read)).for_each(|read| find(format!("nothing writes {read}")));

        // Code that jumps here may have waited.
        pending.retain(|scoreboard, _| !targets.contains(address) && insn.wait() >> scoreboard.get() & 1 == 0);
        for used in registers(insn.reads()).chain(registers(insn.writes())).collect::<BTreeSet<_>>() {
            let set = pending.iter().find_map(|(scoreboard, set)| Some((scoreboard, set.iter().find(|set| set.0 == used)?.1)));
            if let Some((scoreboard, since)) = set {
                find(format!("uses {used} without waiting for scoreboard {}, set at {since:#06x}", scoreboard.get()));
            }
        }
        // A scoreboard counts: it is released when all instructions that set it are done.
        if insn.write() <= Barrier::Sb5 {
            pending.entry(insn.write()).or_default().extend(registers(insn.writes()).map(|written| (written, *address)));
        }
        if matches!(insn, Insn::Bra(_) | Insn::Brx(_) | Insn::Brxu(_) | Insn::Ret(_)) {
            pending.clear();
        }
    }
    findings
}

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: sass-lint FILE");
        return ExitCode::from(2);
    };
    match std::fs::read_to_string(&path).map_err(|e| e.to_string()).and_then(|text| read(&text)) {
        Ok(program) => {
            let findings = lint(&program);
            findings.iter().for_each(|finding| println!("{finding}"));
            ExitCode::from(u8::from(!findings.is_empty()))
        }
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::from(2)
        }
    }
}
