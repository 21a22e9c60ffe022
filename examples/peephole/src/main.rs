//! A peephole optimiser for machine code of NVIDIA's SM 8.0: copies of a register without an effect become `NOP`s, which keep the
//! control codes of the instructions that they replace.
//!
//! A copy is a `MOV` of a register, or an `IADD3` of one register and zeros, in any form: the rule examines the operands in the
//! order of the text, their registers, and whether everything else is at its default.
//!
//! `cargo run -p peephole -- FILE` reads consecutive words in hexadecimal, one a line, perhaps after an address; and writes words.

#[cfg(test)]
mod tests;

use generated::ampere::{Insn, Nop, R, decode};
use isa_runtime::typed::Register;
use std::collections::BTreeSet;
use std::process::ExitCode;

/// Bytes of an instruction.
const SIZE: usize = 16;

/// The registers that an instruction copies to and from, if it always does that and nothing else.
fn copy(insn: Insn) -> Option<(Register, Register)> {
    if !matches!(insn, Insn::Mov(_) | Insn::Iadd3(_)) {
        return None;
    }
    let mut registers = Vec::new();
    for operand in insn.operands() {
        match operand.register() {
            Some(register) if register.file == R::RZ.register().file => registers.push(register),
            // A guard, a sign, a carry.
            _ if operand.is_default() => {}
            _ => return None,
        }
    }
    let (to, from) = registers.split_first()?;
    let mut sources = from.iter().filter(|register| **register != R::RZ.register());
    match (sources.next(), sources.next()) {
        (Some(from), None) => Some((*to, *from)),
        _ => None,
    }
}

/// Replaces copies without an effect: a copy of a register to itself, and a copy back after a copy. Returns their number.
fn optimise(program: &mut [Insn]) -> usize {
    let all = program.iter().zip((0..).step_by(SIZE));
    let targets: BTreeSet<u64> = all.flat_map(|(insn, at)| insn.operands().filter_map(move |field| field.target(at))).collect();
    let copies: Vec<Option<(Register, Register)>> = program.iter().map(|insn| copy(*insn)).collect();
    let mut replaced = 0;
    for (i, insn) in program.iter_mut().enumerate() {
        let Some((to, from)) = copies[i] else { continue };
        // A jump to this place skips the copy before.
        let before = i.checked_sub(1).filter(|_| !targets.contains(&((i * SIZE) as u64))).and_then(|before| copies[before]);
        if to == from || before == Some((from, to)) {
            let Ok(nop) = nop(*insn) else { continue };
            *insn = nop.into();
            replaced += 1;
        }
    }
    replaced
}

/// A `NOP` that waits and stalls like an instruction.
fn nop(insn: Insn) -> Result<Nop, isa_runtime::Illegal> {
    let nop = Nop::builder().stall(insn.stall()).yield_(insn.yield_());
    nop.wait(insn.wait()).read(insn.read()).write(insn.write()).build()
}

/// Optimises the words of a file, and returns them.
fn run(text: &str) -> Result<String, String> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let insn = |line: &str| {
        let digits = line.rsplit(':').next().unwrap_or_default().trim().trim_start_matches("0x");
        let word = u128::from_str_radix(digits, 16).map_err(|_| format!("`{line}` is no word of up to 32 hexadecimal digits"))?;
        decode(word).map_err(|error| format!("`{line}`: {error}"))
    };
    let mut program = lines.filter(|line| !line.is_empty()).map(insn).collect::<Result<Vec<_>, _>>()?;
    let replaced = optimise(&mut program);
    eprintln!("{replaced} of {} instructions replaced", program.len());
    Ok(program.iter().map(|insn| format!("{:032x}\n", insn.word())).collect())
}

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: peephole FILE");
        return ExitCode::from(2);
    };
    match std::fs::read_to_string(&path).map_err(|e| e.to_string()).and_then(|text| run(&text)) {
        Ok(words) => {
            print!("{words}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::from(2)
        }
    }
}
