//! The command line of isagen, which turns a description of an instruction set into tools.
//!
//! Each command is a file of [`commands`]. Their common parts: [`spec`] finds and loads a specification, [`mod@codec`] decodes,
//! prints and reads, [`engine`] chooses the engine of a simulation, [`output`] reports findings and the exit status, [`object`]
//! handles object files, [`serve`] shows pages.

mod codec;
mod commands;
mod engine;
mod json;
mod object;
mod output;
mod serve;
mod spec;

use clap::{CommandFactory, Parser};
use commands::Command;
use isa_spec::escape::{escape, is_deceptive};
use isa_stream::Stop;
use output::{Format, Reporter, Status};
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

/// Turns a description of an instruction set into encoders, decoders, a disassembler, an assembler and documentation.
///
/// `isagen SPEC…` is `isagen build SPEC…`.
#[derive(Parser)]
#[command(name = "isagen", version, after_help = after_help(), arg_required_else_help = true)]
struct Cli {
    /// The format of findings on standard error.
    #[arg(long, global = true, value_enum, value_name = "FORMAT", default_value_t = Format::Human)]
    diagnostics: Format,
    /// Show all findings; by default only the first 100, and the number of the others.
    #[arg(long, global = true)]
    all: bool,
    #[command(subcommand)]
    command: Command,
}

fn after_help() -> String {
    format!(
        "SPEC is a path, or the name of a shipped instruction set: {}. A file of such a name is written with its folder: ./NAME.\n\
         disasm, asm, fmt, explain and stats also take an image, NAME.isat, which `isagen build` writes: no specification is read then.\n\n\
         Exit status: 0 clean; 1 findings: errors in the spec, words that don't decode, text that doesn't assemble; \
         2 could not run: no such file, bad usage.",
        spec::shipped_names().collect::<Vec<_>>().join(", ")
    )
}

fn main() -> ExitCode {
    let names: Vec<String> = Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let args = with_default_command(std::env::args_os().collect(), spec::COMMANDS.get_or_init(|| names));
    let cli = match Cli::try_parse_from(&args) {
        Ok(cli) => cli,
        Err(error) => return usage(&error, &args),
    };
    let reporter = Reporter::new(cli.diagnostics, cli.all);
    let status = cli.command.run(&reporter, Cli::command).unwrap_or_else(|stop| match stop {
        Stop::CannotRun { message, help } => {
            reporter.cannot_run(&message, help.as_deref());
            Status::CouldNotRun
        }
        // The reader of the output has seen enough.
        Stop::BrokenPipe => Status::Clean,
    });
    reporter.end();
    status.into()
}

/// `isagen SPEC…` is `isagen build SPEC…`: inserts the name of the command if it is missing.
fn with_default_command(mut args: Vec<OsString>, commands: &[String]) -> Vec<OsString> {
    let mut at = 1;
    while let Some(arg) = args.get(at).and_then(|a| a.to_str()) {
        match arg {
            "--diagnostics" => at += 2,
            a if a == "--all" || a.starts_with("--diagnostics=") => at += 1,
            _ => break,
        }
    }
    let is_complete = match args.get(at).map(|a| a.to_string_lossy()) {
        None => true,
        Some(a) => ["help", "-h", "--help", "-V", "--version"].contains(&&*a) || commands.iter().any(|name| *name == a),
    };
    if !is_complete {
        args.insert(at, "build".into());
    }
    args
}

/// Help on standard output is a success; bad usage is not, and its message is JSON on request.
fn usage(error: &clap::Error, args: &[OsString]) -> ExitCode {
    let text: Vec<_> = args.iter().map(|a| a.to_string_lossy()).collect();
    let json = text.iter().any(|a| a == "--diagnostics=json") || text.windows(2).any(|w| w == ["--diagnostics", "json"]);
    if error.use_stderr() && json {
        let message = error.to_string();
        let message = message.strip_prefix("error: ").unwrap_or(&message).trim_end();
        Reporter::new(Format::Json, false).cannot_run(message, None);
    } else if text.iter().any(|a| a.chars().any(is_deceptive)) {
        // The message quotes the arguments.
        let _ = writeln!(std::io::stderr(), "{}", escape(error.to_string().trim_end()));
    } else {
        // Nothing is left to do if the help can't be written.
        let _ = error.print();
    }
    if error.use_stderr() { Status::CouldNotRun.into() } else { Status::Clean.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completed(args: &str) -> String {
        let args = args.split(' ').map(OsString::from).collect();
        with_default_command(args, &["build".to_owned(), "check".to_owned()])
            .iter()
            .map(|a| a.to_string_lossy())
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn usage_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn build_is_the_default_command() {
        assert_eq!(completed("isagen a.yaml b.yaml"), "isagen build a.yaml b.yaml");
        assert_eq!(completed("isagen -o out a.yaml"), "isagen build -o out a.yaml");
        assert_eq!(completed("isagen --diagnostics json a.yaml"), "isagen --diagnostics json build a.yaml");
        assert_eq!(completed("isagen --diagnostics=json check a.yaml"), "isagen --diagnostics=json check a.yaml");
        assert_eq!(completed("isagen --all a.yaml"), "isagen --all build a.yaml");
        assert_eq!(completed("isagen check a.yaml"), "isagen check a.yaml");
        assert_eq!(completed("isagen --help"), "isagen --help");
        assert_eq!(completed("isagen"), "isagen");
    }
}
