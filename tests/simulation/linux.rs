//! Programs of Linux on both engines: tests of RISC-V's processors, whose status says whether they pass, and a program that prints.

use isa_host::linux::{self, Options, Stream};
use isa_object::Executable;
use isa_reference::eval::Reference;
use isa_sim::{AnyEngine, Exit, Machine, Stopped};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs")
}

/// The output of a program.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("one thread").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The end of a program, its output, and how many instructions it has executed.
fn run(engine: &dyn AnyEngine, program: &Path, arguments: &[&str]) -> (Stopped, String, u64) {
    let file = std::fs::read(program).unwrap_or_else(|why| panic!("{}: {why}", program.display()));
    let executable = Executable::parse(&file).unwrap_or_else(|why| panic!("{}: {why}", program.display()));
    let written = Written::default();
    let options = Options {
        arguments: arguments.iter().map(|text| text.as_bytes().to_vec()).collect(),
        output: Stream { io: Box::new(written.clone()), is_terminal: false, file: None },
        ..Options::default()
    };
    let mut machine = Machine::new(engine).expect("one lane");
    linux::start(&mut machine, &executable, options).unwrap_or_else(|why| panic!("{}: {why}", program.display()));
    let stopped = machine.run(100_000_000);
    let text = String::from_utf8_lossy(&written.0.lock().expect("one thread")).into_owned();
    (stopped, text, machine.steps())
}

/// The same on both engines of each instruction set that runs the programs of this name.
fn on_all(program: &Path, arguments: &[&str]) -> (Stopped, String) {
    let name = program.file_name().expect("a file").to_string_lossy();
    let shipped: &[&str] = match name.as_bytes() {
        // With floats.
        [b'r', b'v', b'3', b'2', b'u', b'f' | b'd', ..] => &["rv32gc"],
        [b'r', b'v', b'3', b'2', ..] => &["rv32gc", "rv32imac"],
        _ => &["rv64gc"],
    };
    let mut all = shipped.iter().map(|shipped| {
        let isa = harness::shipped_isa(shipped);
        let reference = Reference::new(isa).expect("it can be simulated");
        let compiled = generated::engine(shipped).expect("it has a simulator");
        let (one, other) = (run(&reference, program, arguments), run(&*compiled, program, arguments));
        assert_eq!(one, other, "{name}: the evaluator and compiled code of {shipped}");
        (one.0, one.1)
    });
    let first = all.next().expect("one of them");
    assert!(all.all(|other| other == first), "{name}: {shipped:?}");
    first
}

fn passes(program: &Path) {
    let name = program.file_name().expect("a file").to_string_lossy();
    let status = if name.ends_with("control-fail") { 3 } else { 0 };
    let (stopped, _) = on_all(program, &[&name]);
    assert_eq!(stopped, Stopped::Exit(Exit::Status(status)), "{name}: {stopped}");
}

#[test]
fn tests_of_processors_pass() {
    let all = std::fs::read_dir(folder().join("riscv-tests")).expect("the folder");
    let programs = all.map(|entry| entry.expect("an entry").path()).filter(|path| path.extension().is_none());
    let programs: Vec<PathBuf> = programs.filter(|path| path.file_name().is_some_and(|name| name != "LICENSE")).collect();
    assert_eq!(programs.len(), 14);
    programs.iter().for_each(|program| passes(program));
}

/// All of them, where they were built.
#[test]
#[ignore = "needs programs that test processors, in the folder that ISA_PROGRAMS names"]
fn all_tests_of_processors_pass() {
    let folder = std::env::var_os("ISA_PROGRAMS").expect("ISA_PROGRAMS names a folder of programs");
    let folders = ["riscv-tests", "riscv-tests/alt"].map(|name| Path::new(&folder).join(name));
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("the folder"));
    let mut count = 0;
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        let name = path.file_name().expect("a file").to_string_lossy();
        if name.starts_with("rv") && name.contains('-') && path.extension().is_none() {
            passes(&path);
            count += 1;
        }
    }
    assert!(count > 300, "{count} tests");
}

#[test]
fn a_program_prints() {
    let program = folder().join("collatz");
    let (stopped, text) = on_all(&program, &["collatz", "300"]);
    assert_eq!((stopped, text.as_str()), (Stopped::Exit(Exit::Status(0)), "231 takes 127 steps\n"));
    let (stopped, text) = on_all(&program, &["collatz"]);
    assert_eq!((stopped, text.as_str()), (Stopped::Exit(Exit::Status(2)), "a limit is missing\n"));
}
