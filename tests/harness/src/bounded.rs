//! Work in a process of its own, with limits of time and memory: what breaks them ends that process, and not the tests.

use std::io::Read;
use std::ops::Range;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Limits of time and memory.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Seconds of the processor, of optimised code. Code that is not optimised has [`UNOPTIMISED`] times as many.
    pub seconds: u64,
    /// Address space, in MiB.
    pub mebibytes: u64,
}

/// The factor by which code that is not optimised is slower.
pub const UNOPTIMISED: u64 = if cfg!(is_optimised) { 1 } else { 4 };

/// The end of a process.
#[derive(Clone, Debug)]
pub struct Ended {
    /// It did all its work.
    pub well: bool,
    /// The lines that it has written with [`tell`].
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

/// The limits of a process with many inputs. One input has [`PER_INPUT`].
const OF_A_BATCH: Limits = Limits { seconds: 60, mebibytes: 400 };

/// Seconds of optimised code.
const PER_INPUT: u64 = 2;

/// Examines inputs in child processes of a batch each, on all cores; returns the number of good ones. A child examines them with
/// [`each_input`], and notes them in a folder.
///
/// # Panics
/// When a child panics, or takes too long, with the input.
pub fn in_batches(child: &str, notes: &str, inputs: u64, batch: u64) -> u64 {
    let (next, good, faults) = (AtomicU64::new(0), AtomicU64::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let from = next.fetch_add(batch, Ordering::Relaxed);
                    if from >= inputs {
                        break;
                    }
                    let note = Path::new(notes).join(format!("{child}-{from}.txt"));
                    let range = format!("{from}..{}", inputs.min(from + batch));
                    let variables = [("INPUTS", range.as_str()), ("NOTE", note.to_str().expect("a path of the build"))];
                    let ended = alone(child, &variables, OF_A_BATCH);
                    let told = ended.told.first().and_then(|n| n.parse::<u64>().ok());
                    match told.filter(|_| ended.well) {
                        Some(n) => drop(good.fetch_add(n, Ordering::Relaxed)),
                        None => {
                            let input = std::fs::read_to_string(&note).unwrap_or_default();
                            faults
                                .lock()
                                .expect("no other thread panics")
                                .push(format!("{}\non this input:\n{input}", ended.story));
                        }
                    }
                    let _ = std::fs::remove_file(note);
                }
            });
        }
    });
    let faults = faults.into_inner().expect("no other thread panics");
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    good.into_inner()
}

/// Runs the inputs of a child of [`in_batches`]: each is noted, so that the parent can name it, and is timed. Tells the number of
/// good ones.
///
/// # Panics
/// If the inputs are no range of numbers, or can't be noted.
pub fn each_input(examine: impl Fn(u64, &dyn Fn(&str)) -> bool) {
    let [range, note] = ["INPUTS", "NOTE"].map(|name| std::env::var(name).unwrap_or_else(|_| panic!("a parent sets {name}")));
    let (from, to) = range.split_once("..").expect("from..to");
    let range: Range<u64> = from.parse().expect("a number")..to.parse().expect("a number");
    let begun: &'static Mutex<Instant> = Box::leak(Box::new(Mutex::new(Instant::now())));
    std::thread::spawn(move || {
        // Other processes may have the processor for most of the time.
        let patience = Duration::from_secs(PER_INPUT * UNOPTIMISED * 4);
        while begun.lock().expect("it is only set").elapsed() < patience {
            std::thread::sleep(Duration::from_millis(100));
        }
        eprintln!("no answer within {patience:?}");
        std::process::abort();
    });
    let mut good = 0;
    for input in range {
        *begun.lock().expect("it is only set") = Instant::now();
        let noted = |text: &str| std::fs::write(&note, format!("{input}:\n{text}")).expect("a file of the build can be written");
        good += u64::from(examine(input, &noted));
    }
    tell(&good.to_string());
}
