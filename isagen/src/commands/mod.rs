//! The commands, one file each.

pub(crate) mod asm;
mod build;
mod check;
#[cfg(feature = "arrow")]
mod columns;
mod completions;
mod diff;
mod disasm;
mod docs;
mod each;
mod eval;
mod explain;
mod explain_error;
mod fmt;
mod map;
mod new;
mod run;
mod schema;
mod stats;
mod verify;

use crate::output::{Reporter, Status};
use clap::Subcommand;
use isa_stream::Stop;

/// The commands. The help of a command is at its arguments.
#[derive(Subcommand)]
pub(crate) enum Command {
    Build(build::Args),
    Check(check::Args),
    Disasm(disasm::Args),
    Asm(asm::Args),
    Fmt(fmt::Args),
    Run(Box<run::Args>),
    Stats(stats::Args),
    Eval(eval::Args),
    Explain(explain::Args),
    ExplainError(explain_error::Args),
    Map(map::Args),
    Verify(Box<verify::Args>),
    Diff(diff::Args),
    Docs(docs::Args),
    New(new::Args),
    Schema(schema::Args),
    Completions(completions::Args),
}

impl Command {
    /// Runs the command; `cli` makes the whole command line.
    pub(crate) fn run(self, reporter: &Reporter, cli: fn() -> clap::Command) -> Result<Status, Stop> {
        match self {
            Self::Build(args) => build::run(&args, reporter),
            Self::Check(args) => check::run(&args, reporter),
            Self::Disasm(args) => disasm::run(&args, reporter),
            Self::Asm(args) => asm::run(&args, reporter),
            Self::Fmt(args) => fmt::run(&args, reporter),
            Self::Run(args) => run::run(&args, reporter),
            Self::Stats(args) => stats::run(&args, reporter),
            Self::Eval(args) => eval::run(&args, reporter),
            Self::Explain(args) => explain::run(&args, reporter),
            Self::ExplainError(args) => explain_error::run(&args),
            Self::Map(args) => map::run(&args, reporter),
            Self::Verify(args) => verify::run(&args, reporter),
            Self::Diff(args) => diff::run(&args, reporter),
            Self::Docs(args) => docs::run(&args, reporter),
            Self::New(args) => new::run(&args, reporter),
            Self::Schema(schema::Args {}) => schema::run(),
            Self::Completions(args) => completions::run(&args, cli()),
        }
    }
}
