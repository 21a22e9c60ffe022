//! `fmt SPEC [FILE]`: text to its canonical text.

use super::asm::each_line;
use crate::assembly::Assembler;
use crate::input::Input;
use crate::output::{Reporter, Status, Stop};
use crate::spec;
use isa_spec::codec::Codec;
use std::io::Write;
use std::path::PathBuf;

/// Print the canonical text of a text.
///
/// Reads what `asm` reads and prints each instruction as `disasm` does, or `!` and the reason. For an instruction set
/// of text alone this is encoder and decoder in one.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A path, or the name of a shipped instruction set.
    spec: String,
    /// Standard input without it.
    file: Option<PathBuf>,
    /// Print what the text leaves out, too.
    #[arg(long)]
    full: bool,
}

pub(crate) fn run(args: &Args, reporter: &Reporter) -> Result<Status, Stop> {
    let isa = match spec::model(&args.spec, reporter)? {
        Ok(isa) => isa,
        Err(status) => return Ok(status),
    };
    let codec = Codec::new(&isa);
    let mut text = String::new();
    each_line(Assembler::new(&isa, &codec, Input::open(args.file.as_deref())?), reporter, |line, statement, out| {
        text.clear();
        // Text alone says all there is.
        if args.full && !isa.is_text() {
            codec.print_full(statement.form, statement.word, line.address, &mut text);
        } else {
            codec.print_statement(statement, line.address, &mut text);
        }
        writeln!(out, "{text}")?;
        Ok(())
    })
}
