//! Running another program: its input, its output, and files for it.

use crate::output::Stop;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// What a program printed.
pub(super) struct Run {
    pub(super) out: String,
    pub(super) err: String,
    /// It ended with status 0.
    pub(super) is_clean: bool,
}

/// A command line, as the system's shell reads it.
pub(super) fn shell(line: &str) -> Command {
    let (program, option) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut command = Command::new(program);
    command.args([option, line]);
    command
}

/// Exit statuses with which a shell says that it can't run, or find, a program.
const NOT_RUN: [i32; 2] = [126, 127];

/// Runs a program to its end. `name` is what it is called in messages.
pub(super) fn run(mut command: Command, name: &str, input: Vec<u8>) -> Result<Run, Stop> {
    let stopped = |what: &dyn std::fmt::Display| Stop::new(format!("`{name}` could not be run: {what}"));
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.map_err(|error| match error.kind() {
        ErrorKind::NotFound => Stop::with_help(
            format!("there is no program `{name}` in the search path"),
            "--program PATH says where the program of `nvdisasm:ARCH` or `objdump:MACHINE` is",
        ),
        _ => stopped(&error),
    })?;
    let stdin = child.stdin.take();
    let output = thread::scope(|scope| {
        // A program that does not read its input may be gone before all is written.
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(&input)));
        child.wait_with_output()
    });
    let output = output.map_err(|error| stopped(&error))?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let (out, err) = (text(output.stdout), text(output.stderr));
    if output.status.code().is_some_and(|code| NOT_RUN.contains(&code)) {
        return Err(Stop::new(format!("`{name}` could not be run{}", first_line(&err))));
    }
    Ok(Run { out, err, is_clean: output.status.success() })
}

/// `: the first line of what was said`, nothing if nothing was.
pub(super) fn first_line(err: &str) -> String {
    err.lines().find(|line| !line.trim().is_empty()).map_or(String::new(), |line| format!(": {}", line.trim()))
}

/// A temporary file, which is gone when this is.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// A file with these bytes, whose name ends in `.bin`.
    pub(super) fn new(bytes: &[u8]) -> Result<Self, Stop> {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        loop {
            let name = format!("isagen-{}-{}.bin", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
            let path = std::env::temp_dir().join(name);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(mut file) => {
                    let scratch = Self(path);
                    return file.write_all(bytes).map(|()| scratch).map_err(|e| Stop::file(&std::env::temp_dir(), &e));
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(Stop::file(&path, &error)),
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// Its path as one word of a shell.
    pub(super) fn quoted(&self) -> String {
        let path = self.0.display().to_string();
        if cfg!(windows) { format!("\"{path}\"") } else { format!("'{}'", path.replace('\'', r"'\''")) }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A file that stays behind in the folder for such files does no harm.
        let _ = fs::remove_file(&self.0);
    }
}
