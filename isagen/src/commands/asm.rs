//! `asm SPEC [FILE]`: text to words.

use crate::assembly::{Line, assemble};
use crate::input::Input;
use crate::output::{Reporter, Status, Stop, out};
use crate::spec;
use isa_spec::codec::{Codec, Statement};
use std::io::Write;
use std::path::PathBuf;

/// Assemble: text to words.
///
/// Reads one instruction a line and prints its word in hexadecimal, or `!` and the reason; the place of the fault is shown
/// on standard error. Empty lines, comments (`#`, `//`, `;`, `/* */`) and labels (`name:`) print nothing. `0x100:` (it begins with a
/// digit) says where an instruction stands; without it, it follows the one before it, from 0 on. Reads what
/// `disasm --full` prints.
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
    let (name, text) = Input::open(args.file.as_deref())?.text()?;
    let mut out = out();
    let mut failed = false;
    for line in assemble(&isa, &codec, &text) {
        match &line.result {
            Ok(Statement { form, word, .. }) => {
                writeln!(out, "{word:0width$x}", width = isa.form(*form).length.div_ceil(4) as usize)?;
            }
            Err(_) => {
                failed = true;
                fault(&line, &name, reporter, &mut out)?;
            }
        }
    }
    out.flush()?;
    Ok(Status::of(failed))
}

/// `!` and the reason among the results, the place on standard error.
pub(crate) fn fault(line: &Line<'_>, file: &str, reporter: &Reporter, out: &mut impl Write) -> Result<(), Stop> {
    if let Err(fault) = &line.result {
        writeln!(out, "! {}", fault.message.replace('\n', " "))?;
        reporter.line_finding(file, line.number, line.whole, fault.at.clone(), &fault.message);
    }
    Ok(())
}
