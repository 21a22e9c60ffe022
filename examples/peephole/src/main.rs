//! A peephole optimiser for machine code of NVIDIA's SM 8.0: copies of a register without an effect become `NOP`s, which keep the
//! control codes of the instructions that they replace.
//!
//! A copy is a `MOV` of a register, or an `IADD3` of one register and zeros, in any form: the rule examines the operands in the
//! order of the text, their registers, and whether everything else is at its default.
//!
//! `cargo run -p peephole -- WORDS` reads consecutive words in hexadecimal, one a line, the first one perhaps after its address,
//! and writes them in the same way.

use generated::ampere::{Insn, Nop, R, decode};
use isa_runtime::typed::Register;
use std::collections::BTreeSet;
use std::process::ExitCode;

/// Bytes of an instruction.
const SIZE: u64 = 16;

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

/// The targets of the branches of a program.
fn targets(program: &[Insn], start: u64) -> BTreeSet<u64> {
    let all = program.iter().zip((start..).step_by(SIZE as usize));
    all.flat_map(|(insn, address)| insn.operands().filter_map(move |operand| operand.target(address))).collect()
}

/// Replaces copies without an effect in a program that starts at an address: a copy of a register to itself, and a copy back
/// after a copy. Returns their number.
fn optimise(program: &mut [Insn], start: u64) -> usize {
    let targets = targets(program, start);
    let copies: Vec<Option<(Register, Register)>> = program.iter().map(|insn| copy(*insn)).collect();
    let mut replaced = 0;
    for (i, insn) in program.iter_mut().enumerate() {
        let Some((to, from)) = copies[i] else { continue };
        // A jump to this place skips the copy before.
        let before = i.checked_sub(1).filter(|_| !targets.contains(&(start + i as u64 * SIZE))).and_then(|before| copies[before]);
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

fn run(text: &str) -> Result<String, String> {
    let (mut program, mut start) = (Vec::new(), 0);
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    for line in lines.filter(|line| !line.is_empty()) {
        let wrong = || format!("`{line}` is no word of up to 32 hexadecimal digits, perhaps after its address");
        let hex = |digits: &str| u128::from_str_radix(digits.trim().trim_start_matches("0x"), 16).map_err(|_| wrong());
        let (address, word) = line.split_once(':').map_or((None, line), |(address, word)| (Some(address), word));
        if let Some(address) = address.filter(|_| program.is_empty()) {
            start = hex(address)?.try_into().map_err(|_| wrong())?;
        }
        program.push(decode(hex(word)?).map_err(|error| format!("`{line}`: {error}"))?);
    }
    let replaced = optimise(&mut program, start);
    eprintln!("{replaced} of {} instructions replaced", program.len());
    let words = program.iter().zip((start..).step_by(SIZE as usize));
    Ok(words.map(|(insn, address)| format!("{address:#x}: {:032x}\n", insn.word())).collect())
}

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: peephole WORDS");
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

#[cfg(test)]
mod tests {
    use super::*;

    fn optimised(texts: &[&str]) -> Vec<String> {
        let at = |(text, address): (&&str, u64)| Insn::parse_at(text, address).expect("an instruction");
        let mut program: Vec<Insn> = texts.iter().zip((0..).step_by(SIZE as usize)).map(at).collect();
        optimise(&mut program, 0);
        program.iter().zip((0..).step_by(SIZE as usize)).map(|(insn, address)| insn.at(address).to_string()).collect()
    }

    #[test]
    fn what_does_nothing_is_replaced() {
        let found = optimised(&["MOV R2, R3", "MOV R3, R2", "IADD3 R4, RZ, R4, RZ", "IADD3 R3, RZ, RZ, R2"]);
        assert_eq!(found, ["MOV R2, R3", "NOP", "NOP", "IADD3 R3, RZ, RZ, R2"]);
    }

    #[test]
    fn all_else_stays() {
        let program = ["@P0 MOV R2, R3", "MOV R3, R2", "IADD3 R2, R3, -R2, RZ", "MOV R3, 0x1", "IADD3 R4, -R4, RZ, RZ"];
        assert_eq!(optimised(&program), program);
        let loops = ["MOV R2, R3", "MOV R3, R2", "BRA 0x10"];
        assert_eq!(optimised(&loops), loops);
    }

    #[test]
    fn control_codes_stay() {
        let insn = Insn::parse_at("MOV R2, R2", 0).expect("a move");
        let Insn::Mov(mov) = insn else { panic!("{insn} is no move") };
        let mut program = [mov.edit().stall(7).wait(3).build().expect("a move").into()];
        assert_eq!(optimise(&mut program, 0), 1);
        assert_eq!((program[0].stall(), program[0].wait(), program[0].mnemonic()), (7, 3, "NOP"));
    }
}
