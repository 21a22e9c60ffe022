//! Runs a Linux program of RISC-V: `cargo run --release -p run-elf -- tests/programs/collatz 1000`

use isa_host::linux::{self, Options};
use isa_object::Executable;
use isa_sim::{Exit, Machine, Stopped};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<Vec<u8>> = std::env::args_os().skip(1).map(|text| text.into_encoded_bytes()).collect();
    let file = std::fs::read(std::env::args_os().nth(1).ok_or("run-elf PROGRAM ARGUMENTS")?)?;
    let engine = generated::rv64gc::sim::Compiled::new();
    let mut machine = Machine::new(&engine)?;
    linux::start(&mut machine, &Executable::parse(&file)?, Options { arguments, ..Options::default() })?;
    match machine.run(u64::MAX) {
        Stopped::Exit(Exit::Status(status)) => std::process::exit(status),
        other => Err(other.to_string().into()),
    }
}
