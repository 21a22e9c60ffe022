//! Running another program: its input, its output, its limits, and files for it.

use isa_stream::Stop;
use isa_stream::count;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The limits of one run of a program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The time limit.
    time: Duration,
    /// The number of words in the query.
    words: usize,
}

/// The limit of bytes that a program may print, for each word and for its headers. Standard error has the same limit.
const BYTES_A_WORD: usize = 1 << 10;
const BYTES_AROUND: usize = 64 << 10;

impl Limits {
    pub(super) fn new(time: Duration, words: usize) -> Self {
        Self { time, words }
    }

    fn bytes(self) -> usize {
        self.words.saturating_mul(BYTES_A_WORD).saturating_add(BYTES_AROUND)
    }
}

/// The output of a program.
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

/// Exit statuses of a shell that can't run, or find, a program.
const NOT_RUN: [i32; 2] = [126, 127];

/// Runs a program to its end. `name` is its name in messages.
pub(super) fn run(command: Command, name: &str, input: Vec<u8>, limits: Limits) -> Result<Run, Stop> {
    let stopped = |what: &dyn std::fmt::Display| Stop::new(format!("`{name}` could not be run: {what}"));
    let (mut program, ends) = Program::start(command, input, limits.bytes()).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Stop::with_help(
            format!("there is no program `{name}` in the search path"),
            "--program PATH says where the program of `nvdisasm:ARCH` or `objdump:MACHINE` is",
        ),
        _ => stopped(&error),
    })?;
    let end = Instant::now() + limits.time;
    let words = count(limits.words, "word");
    let too_long = || {
        let seconds = count(limits.time.as_secs() as usize, "second");
        Stop::with_help(
            format!("`{name}` did not end within {seconds}, for {words}"),
            "`--timeout SECONDS` gives it more time, `--count N` fewer words",
        )
    };
    let mut texts = [String::new(), String::new()];
    for _ in 0..texts.len() {
        let left = end.saturating_duration_since(Instant::now());
        let (stream, printed) = ends.recv_timeout(left).map_err(|_| too_long())?;
        let bytes = printed.map_err(|error| stopped(&error))?;
        if bytes.len() > limits.bytes() {
            let place = [" to standard output", " to standard error"][stream as usize];
            let begin = first_line(&String::from_utf8_lossy(&bytes[..bytes.len().min(1 << 10)]));
            let most = count(limits.bytes(), "byte");
            return Err(Stop::with_help(format!("`{name}` prints more than {most}{place} for {words}{begin}"), HELP));
        }
        texts[stream as usize] =
            String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    }
    let status = program.wait_until(end).map_err(|error| stopped(&error))?.ok_or_else(too_long)?;
    let [out, err] = texts;
    if status.code().is_some_and(|code| NOT_RUN.contains(&code)) {
        return Err(Stop::new(format!("`{name}` could not be run{}", first_line(&err))));
    }
    Ok(Run { out, err, is_clean: status.success() })
}

/// The output of a command line before it ended, or before its time was over.
pub(super) struct Printout {
    pub(super) out: Vec<u8>,
    pub(super) err: String,
}

/// Runs a command line for so many bytes, or for some time.
pub(super) fn printed(line: &str, bytes: usize, time: Duration) -> Result<Printout, Stop> {
    let stopped = |what: &dyn std::fmt::Display| Stop::new(format!("`{line}` could not be run: {what}"));
    let (program, ends) = Program::start(shell(line), Vec::new(), bytes).map_err(|error| stopped(&error))?;
    let end = Instant::now() + time;
    let mut program = Some(program);
    let mut printed = Printout { out: Vec::new(), err: String::new() };
    for _ in 0..2 {
        let (stream, text) = match ends.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(printed) => printed,
            Err(_) => {
                // What it has printed comes when its pipes are closed.
                drop(program.take());
                let Ok(printed) = ends.recv_timeout(GRACE) else { break };
                printed
            }
        };
        let text = text.map_err(|error| stopped(&error))?;
        match stream {
            Stream::Out => {
                printed.out = text;
                if printed.out.len() >= bytes {
                    break;
                }
            }
            Stream::Err => printed.err = String::from_utf8_lossy(&text).into_owned(),
        }
    }
    Ok(printed)
}

/// The time in which the pipes of a program that is killed are closed.
const GRACE: Duration = Duration::from_secs(5);

/// Help on the protocol of an oracle that is a command.
pub(super) const HELP: &str = "an oracle reads hexadecimal words from standard input, or the file of a raw stream, which takes the place of `{}`, \
                               and prints a line for each: the text, or `!` and a reason";

/// An output stream of a program.
#[derive(Clone, Copy)]
enum Stream {
    Out,
    Err,
}

/// The bytes that were printed, at most one more than the limit.
type Printed = (Stream, std::io::Result<Vec<u8>>);

/// A running program. If this is dropped before it has ended, it is killed, with all processes that it has started.
struct Program {
    child: Child,
    is_over: bool,
}

impl Program {
    fn start(mut command: Command, input: Vec<u8>, most: usize) -> std::io::Result<(Self, Receiver<Printed>)> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let mut program = Self { child, is_over: false };
        let child = &mut program.child;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (send, ends) = channel();
        // The threads are not waited for: a process that it has started can keep its pipes open.
        thread::Builder::new().spawn(move || {
            // A program that does not read its input may end before all is written.
            let _ = stdin.map(|mut stdin| stdin.write_all(&input));
        })?;
        read_on_thread(Stream::Out, stdout, most, send.clone())?;
        read_on_thread(Stream::Err, stderr, most, send)?;
        Ok((program, ends))
    }

    /// Its exit status, if it ends before `end`.
    fn wait_until(&mut self, end: Instant) -> std::io::Result<Option<ExitStatus>> {
        let mut pause = Duration::from_micros(100);
        loop {
            if let Some(status) = self.child.try_wait()? {
                self.is_over = true;
                return Ok(Some(status));
            }
            if Instant::now() >= end {
                return Ok(None);
            }
            thread::sleep(pause);
            pause = (2 * pause).min(Duration::from_millis(20));
        }
    }
}

fn read_on_thread(
    stream: Stream,
    from: Option<impl Read + Send + 'static>,
    most: usize,
    to: Sender<Printed>,
) -> std::io::Result<()> {
    let read = move || {
        let mut bytes = Vec::new();
        let end = from.map_or(Ok(0), |from| from.take(most as u64 + 1).read_to_end(&mut bytes));
        // The receiver may be gone.
        let _ = to.send((stream, end.map(|_| bytes)));
    };
    thread::Builder::new().spawn(read).map(|_| ())
}

impl Drop for Program {
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        // The processes that it has started are in its group.
        if cfg!(unix) {
            let line = format!("kill -s KILL -- -{}", self.child.id());
            let _ = shell(&line).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The number of characters shown of a line.
const MOST_SHOWN: usize = 200;

/// `: ` and the first line of an output, or nothing if it is empty.
pub(super) fn first_line(said: &str) -> String {
    let Some(line) = said.lines().map(str::trim).find(|line| !line.is_empty()) else { return String::new() };
    match line.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!(": {}…", &line[..end]),
        None => format!(": {line}"),
    }
}

/// A temporary file, which is removed when this is dropped.
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
        // A file left behind in the folder for temporary files does no harm.
        let _ = fs::remove_file(&self.0);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn failure(line: &str, seconds: u64) -> String {
        match run(shell(line), line, vec![b'x'; 1 << 20], Limits::new(Duration::from_secs(seconds), 1)) {
            Ok(run) => panic!("{}", run.out),
            Err(Stop::CannotRun { message, .. }) => message,
            Err(Stop::BrokenPipe) => panic!("a broken pipe"),
        }
    }

    #[test]
    fn runs_have_limits() {
        let begun = Instant::now();
        assert_eq!(failure("yes", 60), "`yes` prints more than 66,560 bytes to standard output for 1 word: y");
        assert_eq!(failure("yes no >&2", 60), "`yes no >&2` prints more than 66,560 bytes to standard error for 1 word: no");
        assert!(failure("tr '\\0' a < /dev/zero", 60).ends_with(&format!(": {}…", "a".repeat(MOST_SHOWN))));
        // Processes in the background, and a program that has closed its output.
        for line in ["sleep 100", "sleep 100 & true", "sleep 100; true", "exec >&- 2>&-; while :; do :; done"] {
            assert_eq!(failure(line, 0), format!("`{line}` did not end within 0 seconds, for 1 word"));
        }
        assert!(begun.elapsed() < Duration::from_secs(30));
        let run = run(shell("echo a; echo b >&2"), "", Vec::new(), Limits::new(Duration::from_secs(60), 1));
        let run = run.unwrap_or_else(|stop| panic!("{stop:?}"));
        assert_eq!((run.out.as_str(), run.err.as_str(), run.is_clean), ("a\n", "b\n", true));
    }
}
