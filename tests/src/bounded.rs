//! Work in a process of its own, with limits of time and memory: what breaks them ends that process, and not the tests.

use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How much time and memory something may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Seconds of the processor, of optimised code. Code that is not optimised has [`UNOPTIMISED`] times as many.
    pub seconds: u64,
    /// Address space, in MiB.
    pub mebibytes: u64,
}

/// How much slower code is that is not optimised.
pub const UNOPTIMISED: u64 = if cfg!(debug_assertions) { 4 } else { 1 };

/// How a process came to its end.
#[derive(Clone, Debug)]
pub struct Ended {
    /// It did all its work.
    pub well: bool,
    /// What it has written with [`tell`], line by line.
    pub told: Vec<String>,
    /// The rest of its output, and how it ended: for messages.
    pub story: String,
}

/// A line that the process which waits gets to see.
pub fn tell(line: &str) {
    println!("\n@@{}", line.replace('\n', " "));
}

/// Runs one test of this test program, which is `#[ignore]`d so that it does not run by itself, in a process with limits.
///
/// # Panics
/// When there is no shell to set the limits.
pub fn alone(test: &str, variables: &[(&str, &str)], limits: Limits) -> Ended {
    let program = std::env::current_exe().expect("the test program has a path");
    let seconds = limits.seconds * UNOPTIMISED;
    let shell = format!("ulimit -v {} 2> /dev/null; ulimit -t {seconds}; exec \"$0\" \"$@\"", limits.mebibytes << 10);
    let mut child = Command::new("sh")
        .args(["-c", &shell])
        .arg(program)
        .args([test, "--exact", "--ignored", "--nocapture", "--test-threads=1"])
        // Arenas of memory for each thread are address space that nothing uses.
        .env("MALLOC_ARENA_MAX", "1")
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell sets the limits");
    let read = |mut from: Box<dyn Read + Send>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = from.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        })
    };
    let out = read(Box::new(child.stdout.take().expect("it is piped")));
    let err = read(Box::new(child.stderr.take().expect("it is piped")));
    // A process that waits takes no time of the processor; others may have the processor for most of the time.
    let patience = Duration::from_secs(20 * seconds);
    let begun = Instant::now();
    let status = loop {
        match child.try_wait().expect("it was spawned") {
            Some(status) => break status.to_string(),
            None if begun.elapsed() > patience => {
                let _ = child.kill();
                let _ = child.wait();
                break format!("no end after {patience:?}");
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let out = out.join().expect("reading does not panic");
    let told = out.lines().filter_map(|l| l.strip_prefix("@@")).map(ToString::to_string).collect();
    let rest: Vec<&str> = out.lines().filter(|l| !l.starts_with("@@") && !l.is_empty()).collect();
    let err = err.join().expect("reading does not panic");
    Ended { well: out.contains("test result: ok. 1 passed"), told, story: format!("{status}\n{}\n{err}", rest.join("\n")) }
}
