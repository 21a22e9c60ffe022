//! Programs of a folder named by `ISA_PROGRAMS`, with their outputs on other systems (`-- --ignored`). `ISA_CASE` selects one, and
//! `ISA_TRACE` shows its calls.

#[path = "support/kept.rs"]
mod kept;

use isa_host::linux::{self, Options, Stream};
use isa_object::Executable;
use isa_sim::{Exit, Machine, Stopped};
use kept::Kept;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Cases without handlers of signals.
const CASES: [&str; 15] = [
    "ints",
    "libc",
    "cxx",
    "cxx-uncaught",
    "lua-test",
    "minigzip-c",
    "minigzip-d",
    "syscalls",
    "more",
    "floats",
    "sig-abrt",
    "sig-ill",
    "sig-jump0",
    "sig-segv",
    "sig-term",
];
const BENCHES: [&str; 5] = ["crc32", "matmul", "qsort", "records", "sieve"];

fn run(file: &Path, root: &Path, arguments: Vec<Vec<u8>>, input: Vec<u8>) -> (i32, Vec<u8>, Vec<u8>) {
    let data = fs::read(file).expect("a program");
    let executable = Executable::parse(&data).expect("an executable");
    let engine = generated::rv64gc::sim::Compiled::new();
    let mut machine = Machine::new(&engine).expect("a core");
    let (output, error) = (Kept::default(), Kept::default());
    let stream = |kept: &Kept| Stream { io: Box::new(kept.clone()) as Box<dyn Write>, is_terminal: false, file: None };
    let options = Options {
        arguments,
        environment: vec![b"ISA_TEST=yes".to_vec()],
        root: Some(root.to_owned()),
        write: true,
        input: Stream { io: Box::new(std::io::Cursor::new(input)) as Box<dyn Read>, is_terminal: false, file: None },
        output: stream(&output),
        error: stream(&error),
        trace: std::env::var_os("ISA_TRACE").map(|_| Box::new(|line: &str| eprintln!("{line}")) as Box<dyn FnMut(&str)>),
        ..Options::default()
    };
    linux::start(&mut machine, &executable, options).expect("a process");
    let status = match machine.run(20_000_000_000) {
        Stopped::Exit(Exit::Status(status)) => status,
        Stopped::Exit(Exit::Signal(signal, _)) => 128 + i32::from(signal),
        Stopped::Fault(fault) => {
            eprintln!("{}: {fault}", file.display());
            linux::signal_of(&fault.kind).map_or(125, |(signal, _)| 128 + i32::from(signal))
        }
        other => panic!("{other}"),
    };
    (status, output.0.take(), error.0.take())
}

/// Runs a case; its directory is the root of its files, or below the root of the host.
fn case(folder: &Path, name: &str, is_root: bool) -> Result<(), String> {
    let read = |suffix: &str| fs::read(folder.join(format!("{name}.{suffix}"))).ok();
    let lines = |bytes: Vec<u8>| String::from_utf8(bytes).expect("a text").lines().map(str::to_owned).collect::<Vec<_>>();
    let program = read("prog").map_or(name.to_owned(), |text| lines(text)[0].clone());
    let file = folder.join(program);
    let temporary = std::env::temp_dir().join(format!("isa-host-{}-{name}", std::process::id()));
    fs::create_dir(&temporary).expect("a directory");
    let inside = if is_root { "/".to_owned() } else { temporary.display().to_string() };
    let root = if is_root { &temporary } else { Path::new("/") };
    let mut arguments = vec![file.display().to_string().into_bytes()];
    for line in read("args").map(lines).unwrap_or_default() {
        let line = line.replace("@TMP@", &inside).replace("@DIR@", &folder.display().to_string());
        arguments.push(line.into_bytes());
    }
    let (status, output, error) = run(&file, root, arguments, read("stdin").unwrap_or_default());
    let left = fs::read_dir(&temporary).expect("a directory").count();
    fs::remove_dir_all(&temporary).expect("a directory");
    let wanted: i32 = lines(read("status").expect("a status"))[0].parse().expect("a number");
    let mut wrong = String::new();
    let differs = |name: &str, found: &[u8], wanted: &[u8]| {
        let (found, wanted) = (String::from_utf8_lossy(found), String::from_utf8_lossy(wanted));
        let pairs = found.lines().zip(wanted.lines()).filter(|(found, wanted)| found != wanted).take(9);
        let pairs: Vec<String> = pairs.map(|(found, wanted)| format!("\n  {found}\n  not {wanted}")).collect();
        format!(" {name} has {} bytes, not {}{}", found.len(), wanted.len(), pairs.concat())
    };
    if status != wanted {
        wrong += &format!(" status {status}, not {wanted}");
    }
    let (known_output, known_error) = (read("out").unwrap_or_default(), read("err").unwrap_or_default());
    if output != known_output {
        wrong += &differs("output", &output, &known_output);
    }
    // The shell's message about a signal is not the program's.
    if status < 128 && error != known_error {
        wrong += &differs("standard error", &error, &known_error);
    }
    if left > 0 {
        wrong += " files are left";
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("{name}:{wrong}")) }
}

#[test]
#[ignore = "needs programs, in the folder that ISA_PROGRAMS names"]
fn programs() {
    let lab = PathBuf::from(std::env::var_os("ISA_PROGRAMS").expect("ISA_PROGRAMS names a folder of programs"));
    let only = std::env::var("ISA_CASE").ok();
    let mut wrong = Vec::new();
    for (folder, names) in [("programs", &CASES[..]), ("bench", &BENCHES[..])] {
        for name in names.iter().filter(|name| only.as_deref().is_none_or(|only| only == **name)) {
            let start = std::time::Instant::now();
            let result = case(&lab.join(folder), name, false);
            println!("{name}: {} ms", start.elapsed().as_millis());
            wrong.extend(result.err());
            if ["syscalls", "minigzip-c"].contains(name) {
                wrong.extend(case(&lab.join(folder), name, true).err());
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
