//! `completions SHELL`.

use crate::output::Status;
use isa_stream::{Stop, out};
use std::io::Write;

/// Print completions for a shell, to be stored where the shell finds them.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The shell.
    shell: clap_complete::Shell,
}

pub(crate) fn run(args: &Args, mut cli: clap::Command) -> Result<Status, Stop> {
    // The generator panics if it can't write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut cli, "isagen", &mut script);
    let mut out = out();
    out.write_all(&script)?;
    out.flush()?;
    Ok(Status::Clean)
}
