//! `fmt SPEC [FILE]`: text to its canonical text.

use super::asm::{EachLine, Files, Print};
use crate::codec::{self, CodecKind};
use crate::output::{Reporter, Status, Stop};
use isa_asm::Options;
use isa_engine::Style;
use std::path::PathBuf;

/// Print the canonical text of a program.
///
/// Reads what `asm` reads and prints each instruction as `disasm` does, or `!` and the reason. Labels, directives and comments stay, and so does
/// what names a symbol. For a text-only instruction set this is encoder and decoder in one.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A path, the name of a shipped instruction set, or an image (NAME.isat).
    spec: String,
    /// Standard input without it.
    file: Option<PathBuf>,
    /// Print what the text leaves out, too.
    #[arg(long)]
    full: bool,
    /// Print texts without aliases.
    #[arg(long)]
    no_aliases: bool,
    /// What reads and prints.
    #[arg(long, value_enum, default_value_t = CodecKind::Tables)]
    engine: CodecKind,
    /// How many threads work on a large input; without it, as many as there are processors.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

pub(crate) fn run(args: &Args, reporter: &Reporter) -> Result<Status, Stop> {
    let print = if args.full { Print::Full } else { Print::Text };
    let style = Style { aliases: !args.no_aliases, ..Style::default() };
    let options = Options { style, ..Options::default() };
    let job = EachLine { file: args.file.as_deref(), print, threads: args.threads, reporter, options, files: Files::none() };
    codec::with(&args.spec, (args.engine, style), false, reporter, job)
}
