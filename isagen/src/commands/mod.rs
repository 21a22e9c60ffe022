//! The commands, one file each.

mod asm;
mod build;
mod check;
mod completions;
mod diff;
mod disasm;
mod docs;
mod eval;
mod explain;
mod explain_error;
mod fmt;
mod map;
mod new;
mod run;
mod stats;
mod verify;

use crate::output::{Reporter, Status, Stop};
use clap::{CommandFactory, Subcommand};

/// What there is to do. A command's help stands at its arguments.
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
    Completions(completions::Args),
}

impl Command {
    /// Does it.
    pub(crate) fn run(self, reporter: &Reporter) -> Result<Status, Stop> {
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
            Self::Completions(args) => completions::run(&args),
        }
    }
}

/// The names of all commands.
pub(crate) fn names() -> Vec<String> {
    crate::Cli::command().get_subcommands().map(|c| c.get_name().to_owned()).collect()
}

/// Does the same for each spec: one that can't run doesn't keep the others from it.
pub(crate) fn each<'a>(
    specs: &'a [String],
    reporter: &Reporter,
    mut one: impl FnMut(&'a str) -> Result<Status, Stop>,
) -> Result<Status, Stop> {
    let mut worst = Status::Clean;
    for spec in specs {
        let status = match one(spec) {
            Err(Stop::CannotRun { message, help }) => {
                reporter.cannot_run(&message, help.as_deref());
                Status::CouldNotRun
            }
            other => other?,
        };
        worst = worst.max(status);
    }
    Ok(worst)
}
