//! `fmt SPEC [FILE]`: rewrites texts in canonical form.

use super::asm::{EachLine, Files, Print};
use crate::codec::{self, CodecKind};
use crate::output::{Reporter, Status};
use isa_asm::Options;
use isa_engine::Style;
use isa_stream::Stop;
use std::path::PathBuf;

/// Print the canonical text of a program.
///
/// Reads what `asm` reads and prints each instruction as `disasm` does, or `!` and the reason. Labels, directives, comments and
/// operands that name symbols are kept. For a text-only instruction set, it is both encoder and decoder.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A path, the name of a shipped instruction set, or an image (NAME.isat).
    spec: String,
    /// The file; standard input if omitted.
    file: Option<PathBuf>,
    /// Add everything that the text omits.
    #[arg(long)]
    full: bool,
    /// Print texts without aliases.
    #[arg(long)]
    no_aliases: bool,
    /// The implementation that reads and prints.
    #[arg(long, value_enum, default_value_t = CodecKind::Tables)]
    engine: CodecKind,
    /// The number of threads for a large input; by default, one for each processor.
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
