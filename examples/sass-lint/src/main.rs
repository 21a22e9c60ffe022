//! A small linter for machine code of NVIDIA's SM 8.0: it finds code that an assembler accepts and a GPU executes, but that is
//! probably wrong.
//!
//! It looks for registers that nothing writes, results that nothing reads before they are overwritten, and instructions that do
//! not wait for the scoreboard of a value that they use. All rules follow from the registers that each instruction reads and
//! writes, and from the control code in its word; none is about one instruction.
//!
//! `cargo run -p sass-lint -- tests/kernels/ampere-saxpy-like.hex`

mod lint;
#[cfg(test)]
mod tests;

use generated::ampere::{Insn, decode};
use std::process::ExitCode;

/// An instruction with its address.
type Line = (u64, Insn);

/// The words of a file, as `isagen disasm` reads them: one a line in hexadecimal, perhaps after its address; `#` begins a
/// comment.
fn read(text: &str) -> Result<Vec<Line>, String> {
    let mut lines = Vec::new();
    let mut next = 0;
    for (number, line) in text.lines().enumerate() {
        let content = line.split('#').next().unwrap_or_default().trim();
        if content.is_empty() {
            continue;
        }
        let hex = |digits: &str| digits.trim().trim_start_matches("0x").to_owned();
        let wrong = |what: &str| format!("line {}: {what}", number + 1);
        let (address, word) = content.rsplit_once(':').map_or((None, content), |(at, word)| (Some(at), word));
        let address = match address {
            Some(at) => u64::from_str_radix(&hex(at), 16).map_err(|_| wrong("an address is hexadecimal"))?,
            None => next,
        };
        let word = u128::from_str_radix(&hex(word), 16).map_err(|_| wrong("a word has up to 32 hexadecimal digits"))?;
        let insn = decode(word).map_err(|error| wrong(&error.to_string()))?;
        lines.push((address, insn));
        next = address + 16;
    }
    Ok(lines)
}

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: sass-lint FILE");
        return ExitCode::from(2);
    };
    let program = std::fs::read_to_string(&path).map_err(|e| e.to_string()).and_then(|text| read(&text));
    match program {
        Ok(program) => {
            let findings = lint::all(&program);
            for finding in &findings {
                println!("{finding}");
            }
            ExitCode::from(u8::from(!findings.is_empty()))
        }
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::from(2)
        }
    }
}
