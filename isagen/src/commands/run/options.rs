//! The command line of `run`.

use super::board::DeviceOption;
use crate::engine::EngineKind;
use isa_host::launch::{self, Dump, MemoryFile};
use std::ffi::OsString;
use std::path::PathBuf;

/// Run a program.
///
/// PROGRAM is an ELF file, whose header determines its instruction set; or words as `disasm` reads them (one a line, or one unit
/// of the stream a line; a raw stream if the name ends in `.bin`, see `--base`), or instructions as `asm` reads them if it ends in
/// `.asm` or `.s`: these begin at their lowest address.
///
/// A program of a machine with one lane can have a host. Under `linux` it is a Linux program: the words after `--` are its
/// arguments, it has the environment of isagen, and its standard input and outputs are those of isagen; no file is reachable
/// without `--root`.
///
/// The output of `--dump` and `--state`, and the comparison with a launch file's expectations, are printed when the run has
/// ended.
///
/// Exit status under `linux` and `tohost`: the program's own; 128 plus the number of the signal that ends it; 125 if it can't
/// continue for another reason, reaches the limit, or can't be started. Otherwise: 0 the program has ended; 1 it has faulted, or
/// its words are not as expected; 2 it could not be started.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A path, or the name of a shipped instruction set; or an ELF file or a cubin, which names its own. With a launch file that
    /// names a cubin, neither it nor PROGRAM is needed.
    #[arg(value_name = "SPEC", required_unless_present = "launch")]
    pub(super) spec: Option<String>,
    /// The program; with `--launch` the launch file may name it.
    pub(super) program: Option<PathBuf>,
    /// Arguments of the program, under `--host linux`.
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub(super) arguments: Vec<OsString>,
    /// The contents of a memory from an address on: words of 32 bits, one a line in hexadecimal, or bytes if the name ends in
    /// `.bin`.
    #[arg(long, value_name = "SPACE@ADDRESS=FILE", value_parser = launch::parse_memory)]
    pub(super) memory: Vec<MemoryFile>,
    /// Memory to print afterwards: SPACE@ADDRESS+BYTES, as bytes, 16 a line; or ADDRESS+WORDS, words of `global`, one a line.
    #[arg(long, value_name = "SPACE@ADDRESS+BYTES", value_parser = launch::parse_dump)]
    pub(super) dump: Vec<Dump>,
    /// A launch file, which contains all this and more; options on the command line take precedence.
    #[arg(long, value_name = "FILE.json")]
    pub(super) launch: Option<PathBuf>,
    /// Each instruction on standard error: its address, its text, and the registers it changed; on several lanes also block, warp
    /// and active lanes. Under `linux`, the system calls too.
    #[arg(long)]
    pub(super) trace: bool,
    /// Instructions and seconds, on standard error.
    #[arg(long)]
    pub(super) stats: bool,
    /// A variant of the machine: one of those that the specification declares.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(super) set: Vec<String>,
    /// The address of the first byte of a raw stream, a `.bin` file, where the run begins; by default, that of the section `.text`
    /// in the specification, or 0.
    #[arg(long, value_name = "ADDRESS", value_parser = launch::parse_number)]
    pub(super) base: Option<u64>,
    /// The limit of executed instructions, of warps if there are several lanes. By default there is no limit under a host; else
    /// 2^28, and 2^25 divided by the lanes of a warp on the evaluator.
    #[arg(long, value_name = "N", value_parser = launch::parse_number)]
    pub(super) limit: Option<u64>,
    /// The engine; by default, the compiled one for shipped instruction sets, the evaluator for others.
    #[arg(long, value_enum)]
    pub(super) engine: Option<EngineKind>,
    #[command(flatten)]
    pub(super) core: CoreArgs,
    #[command(flatten)]
    pub(super) kernel: KernelArgs,
}

/// Options of machines with one lane.
#[derive(clap::Args)]
#[command(next_help_heading = "Machines with one lane")]
pub(crate) struct CoreArgs {
    /// The host; by default, `tohost` if the ELF file has that symbol, else `linux` if the specification has its convention and
    /// the program is an ELF file, else `none`.
    #[arg(long, value_enum)]
    pub(super) host: Option<HostKind>,
    /// The memory and the devices of the computer, in the place of those of the specification: a file, see docs/computer.md.
    #[arg(long, value_name = "FILE")]
    pub(super) machine: Option<PathBuf>,
    /// A device: `uart16550`, `timer`, `clock` or `latch`.
    #[arg(long, value_name = "KIND@ADDRESS[,line=NAME][,every=N]", value_parser = super::board::parse_device)]
    pub(super) device: Vec<DeviceOption>,
    /// The number of the core, which programs read as `hart`.
    #[arg(long, value_name = "NUMBER", value_parser = launch::parse_number, default_value_t = 0)]
    pub(super) hart: u64,
    /// The folder that a Linux program sees as `/`; by default, it sees no files.
    #[arg(long, value_name = "DIR")]
    pub(super) root: Option<PathBuf>,
    /// A Linux program may write below its root.
    #[arg(long, requires = "root")]
    pub(super) write: bool,
    /// A variable of a Linux program's environment; it replaces the one of isagen.
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_env)]
    pub(super) env: Vec<(String, String)>,
    /// A Linux program has only the variables of `--env`.
    #[arg(long)]
    pub(super) clear_env: bool,
    /// The initial value of a register, a flag, a value, or memory: `memory[0x10]=0x0006`, where the digits determine the number
    /// of bytes.
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_reg)]
    pub(super) reg: Vec<(String, String)>,
    /// The address of the first instruction, or a symbol: of an ELF file, or a label of a program in assembly.
    #[arg(long, value_name = "ADDRESS|SYMBOL")]
    pub(super) entry: Option<String>,
    /// Bytes of a Linux program's stack.
    #[arg(long, value_name = "BYTES", value_parser = launch::parse_number, default_value_t = 8 << 20)]
    pub(super) stack: u64,
    /// The run ends before the instruction at this address, or at a symbol: of an ELF file, or a label of a program in assembly.
    #[arg(long, value_name = "ADDRESS|SYMBOL")]
    pub(super) until: Option<String>,
    /// The registers at the end.
    #[arg(long)]
    pub(super) state: bool,
    /// With `--state`: as a JSON object.
    #[arg(long, requires = "state")]
    pub(super) json: bool,
    /// Wait for GDB on this port of this computer (0: any), and let it control the program.
    #[arg(long, value_name = "PORT")]
    pub(super) gdb: Option<u16>,
}

/// Options of machines with several lanes.
#[derive(clap::Args)]
#[command(next_help_heading = "Machines with several lanes")]
pub(crate) struct KernelArgs {
    /// Threads of a block: X, or X,Y, or X,Y,Z.
    #[arg(long, value_name = "X,Y,Z", value_parser = launch::parse_size)]
    pub(super) block: Option<[u32; 3]>,
    /// Blocks: X, or X,Y, or X,Y,Z.
    #[arg(long, value_name = "X,Y,Z", value_parser = launch::parse_size)]
    pub(super) grid: Option<[u32; 3]>,
    /// A parameter of the kernel, 32 bits; repeated for each one, in order.
    #[arg(long = "param", value_name = "NUMBER", value_parser = launch::parse_param, allow_hyphen_values = true)]
    pub(super) params: Vec<u32>,
    /// The contents of a bank of the memory `const`.
    #[arg(long = "const", value_name = "BANK=HEXBYTES", value_parser = launch::parse_constant)]
    pub(super) constants: Vec<(u32, Vec<u8>)>,
    /// The contents of the memory `global`: 32-bit words, one a line, or bytes if the name ends in `.bin`.
    #[arg(long, value_name = "FILE")]
    pub(super) global: Option<PathBuf>,
    /// The number of blocks that run at the same time.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) threads: usize,
    /// The seed of another order of blocks, warps and groups of lanes.
    #[arg(long, value_name = "SEED", value_parser = launch::parse_number)]
    pub(super) schedule: Option<u64>,
    /// The size of a memory; by default, that of the machine, or else 64 KiB, or more if its contents or the expected words need
    /// it.
    #[arg(long, value_name = "SPACE=BYTES", value_parser = launch::parse_memory_size)]
    pub(super) size: Vec<(String, u64)>,
}

impl CoreArgs {
    /// The first option given that only cores have.
    pub(super) fn first(&self) -> Option<&'static str> {
        let given = [
            ("--host", self.host.is_some()),
            ("--machine", self.machine.is_some()),
            ("--device", !self.device.is_empty()),
            ("--hart", self.hart != 0),
            ("--root", self.root.is_some()),
            ("--env", !self.env.is_empty()),
            ("--clear-env", self.clear_env),
            ("--reg", !self.reg.is_empty()),
            ("--entry", self.entry.is_some()),
            ("--until", self.until.is_some()),
            ("--state", self.state),
            ("--gdb", self.gdb.is_some()),
        ];
        given.into_iter().find(|option| option.1).map(|option| option.0)
    }
}

impl CoreArgs {
    /// The first option given about the computer around the processor.
    pub(super) fn first_of_computers(&self) -> Option<&'static str> {
        let given = [("--machine", self.machine.is_some()), ("--device", !self.device.is_empty())];
        given.into_iter().find(|option| option.1).map(|option| option.0)
    }
}

impl KernelArgs {
    /// The first option given that only machines with several lanes have.
    pub(super) fn first(&self) -> Option<&'static str> {
        let given = [
            ("--block", self.block.is_some()),
            ("--grid", self.grid.is_some()),
            ("--param", !self.params.is_empty()),
            ("--threads", self.threads != 1),
            ("--schedule", self.schedule.is_some()),
            ("--size", !self.size.is_empty()),
        ];
        given.into_iter().find(|option| option.1).map(|option| option.0)
    }
}

/// The host of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum HostKind {
    /// Linux, for one program.
    Linux,
    /// Ends the program that writes to its symbol `tohost`, as tests of processors do.
    Tohost,
    /// No host.
    None,
}

fn split(text: &str) -> Result<(&str, &str), &'static str> {
    text.split_once('=').ok_or("it is written NAME=VALUE")
}

/// `a0=0x10`, `C.z=1`, `a0=-1`: what the number can be depends on the machine.
fn parse_reg(text: &str) -> Result<(String, String), String> {
    let (name, number) = split(text)?;
    Ok((name.trim().to_owned(), number.trim().to_owned()))
}

fn parse_env(text: &str) -> Result<(String, String), String> {
    let (name, value) = split(text)?;
    if name.is_empty() { Err("the variable has no name".into()) } else { Ok((name.to_owned(), value.to_owned())) }
}
