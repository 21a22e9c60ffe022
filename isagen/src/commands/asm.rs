//! `asm SPEC [FILE]`: text to words.

use crate::assembly::{Assembler, Line};
use crate::input::Input;
use crate::output::{Out, Reporter, Status, Stop, out};
use crate::spec;
use isa_spec::codec::{Codec, Statement};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;

/// Assemble: text to words.
///
/// Reads one instruction a line and prints its word in hexadecimal, or `!` and the reason; the place of the fault is shown
/// on standard error. Empty lines, comments (`#`, `//`, `;`, `/* */`) and labels (`name:`) print nothing. `0x100:` (it begins with a
/// digit) says where an instruction stands; without it, it follows the one before it, from 0 on. Reads what
/// `disasm --full` prints. A line has at most 1 MiB; there is no limit for all of them together.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A path, or the name of a shipped instruction set.
    spec: String,
    /// Standard input without it.
    file: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, reporter: &Reporter) -> Result<Status, Stop> {
    let isa = match spec::model_with_words(&args.spec, reporter)? {
        Ok(isa) => isa,
        Err(status) => return Ok(status),
    };
    let codec = Codec::new(&isa);
    let assembler = Assembler::new(&isa, &codec, Input::open(args.file.as_deref())?);
    each_line(assembler, reporter, |_, statement, out| {
        let Statement { form, word, .. } = statement;
        writeln!(out, "{word:0width$x}", width = isa.form(*form).length.div_ceil(4) as usize)?;
        Ok(())
    })
}

/// Prints something for each instruction, and for each fault `!` and the reason.
pub(crate) fn each_line(
    mut assembler: Assembler<'_>,
    reporter: &Reporter,
    mut print: impl FnMut(&Line, &Statement, &mut Out) -> Result<(), Stop>,
) -> Result<Status, Stop> {
    let mut out = out();
    let to_terminal = std::io::stdout().is_terminal();
    let mut failed = false;
    loop {
        let line = match assembler.next() {
            Ok(Some(line)) => line,
            Ok(None) => break,
            // Lines that have been read are answered before anything else is said.
            Err(stop) => return out.flush().map_err(Stop::from).and(Err(stop)),
        };
        match &line.result {
            Ok(statement) => print(&line, statement, &mut out)?,
            Err(_) => {
                failed = true;
                fault(&line, assembler.name(), reporter, &mut out)?;
            }
        }
        if to_terminal || assembler.may_wait() {
            out.flush()?;
        }
    }
    out.flush()?;
    Ok(Status::of(failed))
}

/// `!` and the reason among the results, the place on standard error.
fn fault(line: &Line, file: &str, reporter: &Reporter, out: &mut impl Write) -> Result<(), Stop> {
    if let Err(fault) = &line.result {
        writeln!(out, "! {}", fault.message.replace('\n', " "))?;
        reporter.line_finding(file, line.number, &line.whole, fault.at.clone(), &fault.message);
    }
    Ok(())
}
