//! The machine of an instruction set, as it is read from an image.

use crate::engine::tables::Common;
use crate::stored::{Stored, named, stored};
use crate::word::Units;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

stored! {
    /// A machine: register files, memories, and, if it has several lanes, the divergence of its warps.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct MachineInfo {
        /// Lanes of a warp, 1 to 64; with one lane it is a core.
        pub lanes: u32,
        /// Bits of an address of code.
        pub pc: u32,
        /// The way that bytes form programs.
        pub units: Units,
        /// Register files, in the order of the specification.
        pub registers: Vec<RegistersInfo>,
        /// Registers of flags.
        pub flags: Vec<FlagsInfo>,
        /// Values of a lane that the launch sets.
        pub launch_values: Vec<LaunchValue>,
        /// Values of a lane that instructions write: name and bits.
        pub values: Vec<(String, u32)>,
        /// Memory spaces.
        pub spaces: Vec<SpaceInfo>,
        /// The lines of devices.
        pub lines: Vec<String>,
        /// The variants that `--set` chooses among.
        pub variants: Vec<VariantInfo>,
        /// Divergence and reconvergence of lanes.
        pub divergence: Divergence,
        /// The place of the parameters of a kernel.
        pub params: Option<ParamsInfo>,
        /// The convention of Linux system calls.
        pub linux: Option<LinuxInfo>,
        /// The registers as GDB sees them.
        pub debugger: Option<DebuggerInfo>,
    }

    /// The convention of Linux system calls. Registers are named as [`MachineInfo::register`] finds them.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct LinuxInfo {
        /// The name of the machine, as `uname` prints it.
        pub machine: String,
        /// The register that holds the number of a call.
        pub number: String,
        /// The registers of the arguments.
        pub arguments: Vec<String>,
        /// The register that takes the result: the negative number of the error if a call fails.
        pub result: String,
        /// The stack pointer.
        pub stack: String,
        /// The features of the machine, as in the auxiliary vector (`AT_HWCAP`).
        pub features: u64,
        /// The names of calls by their numbers, ascending.
        pub calls: Vec<(u32, String)>,
    }

    /// The registers as GDB sees them.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct DebuggerInfo {
        /// The architecture by its name in GDB; empty if it has none.
        pub architecture: String,
        /// Features by their names in GDB, each with its register files; `pc` is the address of the instruction.
        pub features: Vec<(String, Vec<String>)>,
    }

    /// A register file.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct RegistersInfo {
        /// Its name in the specification.
        pub name: String,
        /// Bits of a register, at most 128 where instructions have semantics.
        pub width: u32,
        /// The number of registers; `u32::MAX` for this many and more.
        pub count: usize,
        /// The register that reads as zero.
        pub zero: Option<usize>,
        /// The register that reads as all ones.
        pub one: Option<usize>,
        /// Its registers are some of those of another file, or parts of them.
        pub is_view: bool,
        /// The text before the number of a register that has no name of its own; empty, as the text after it, where programs name
        /// registers.
        pub prefix: String,
        /// The text after it.
        pub suffix: String,
        /// The names of the registers that have names of their own.
        pub names: Vec<RegisterName>,
    }

    /// A name of a register.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct RegisterName {
        /// The name.
        pub text: String,
        /// The number of the register.
        pub number: u32,
        /// It is read and never printed.
        pub also: bool,
    }
}

impl RegistersInfo {
    /// The name of a register in texts; if it has none, the name of the file and the number.
    pub fn name_of(&self, number: usize) -> String {
        match self.names.iter().find(|name| !name.also && name.number as usize == number) {
            Some(name) => name.text.clone(),
            None if self.prefix.is_empty() => format!("{}{number}", self.name),
            None => format!("{}{number}{}", self.prefix, self.suffix),
        }
    }

    /// The number of a register by its name: the name in texts, or the name of the file and the number, perhaps in brackets.
    pub fn find(&self, name: &str) -> Option<usize> {
        if let Some(known) = self.names.iter().find(|known| known.text == name) {
            return Some(known.number as usize);
        }
        let numbered = |before: &str, after: &str| {
            let digits = name.strip_prefix(before)?.strip_suffix(after)?;
            let is_number =
                !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
            digits.parse().ok().filter(|number| is_number && *number < self.count)
        };
        let printed = (!self.prefix.is_empty()).then(|| numbered(&self.prefix, &self.suffix)).flatten();
        printed.or_else(|| numbered(&self.name, "")).or_else(|| numbered(&format!("{}[", self.name), "]"))
    }
}

stored! {
    /// Registers of flags.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct FlagsInfo {
        /// Their name.
        pub name: String,
        /// The number of registers.
        pub count: usize,
        /// The flags of each; the first is bit 0.
        pub flags: Vec<String>,
    }
}

stored! {
    /// The object files with code of an instruction set.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ObjectFiles {
        /// The machine's number in ELF (`e_machine`).
        pub elf_machine: u16,
        /// The architectures by their names: `sm_80`, `riscv64`.
        pub architectures: Vec<String>,
        /// The register file whose registers per kernel are recorded in the files.
        pub registers: Option<String>,
    }
}

impl ObjectFiles {
    /// Those in tables.
    pub fn of(tables: &Common<'_>) -> Option<Self> {
        Self::of_all(tables.objects.bytes())
    }

    /// Its bytes in an image.
    pub fn bytes(&self) -> Vec<u8> {
        self.stored()
    }
}

/// A register, a register of flags, or a value that an instruction may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Write {
    /// Registers of a file that is not a view: its index in [`MachineInfo::registers`].
    Register(u32, Which),
    /// Registers of flags: their index in [`MachineInfo::flags`].
    Flags(u32, Which),
    /// A value: its index in [`MachineInfo::values`].
    Value(u32),
}

/// The numbers of registers that an instruction may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Which {
    /// The number is computed.
    All,
    /// This one.
    One(u32),
    /// The number that a field gives.
    Field {
        /// The field: index into those of the form.
        field: u16,
        /// The number added to its value.
        plus: u32,
        /// The number of parts of a register, if the field numbers parts; else 1.
        parts: u32,
    },
}

impl Write {
    /// The same for a word, by the values of its fields.
    #[must_use]
    pub fn of_word(self, value: impl Fn(u16) -> u64) -> Self {
        let of_word = |which| match which {
            Which::Field { field, plus, parts } => {
                let number = value(field).saturating_add(plus.into()) / u64::from(parts.max(1));
                Which::One(u32::try_from(number).unwrap_or(u32::MAX))
            }
            which => which,
        };
        match self {
            Self::Register(file, which) => Self::Register(file, of_word(which)),
            Self::Flags(of, which) => Self::Flags(of, of_word(which)),
            Self::Value(_) => self,
        }
    }
}

stored! {
    /// A value that the launch sets.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct LaunchValue {
        /// One of `tid ntid ctaid nctaid` with `.x .y .z`, `laneid`, `warpid`, `smid`. The machine has no multiprocessors: it refuses
        /// a launch that uses `smid`.
        pub name: String,
        /// Its bits: a larger number makes a launch impossible.
        pub width: u32,
    }

    /// A memory space.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct SpaceInfo {
        /// Its name.
        pub name: String,
        /// Bits of an address; addresses count bytes.
        pub address: u32,
        /// Number of banks, if it has banks.
        pub banks: Option<u32>,
        /// Its size in bytes (of each bank), if the machine sets it.
        pub size: Option<u64>,
        /// Instructions only read it.
        pub read_only: bool,
        /// Instructions are fetched from it.
        pub program: bool,
        /// Stores into code take effect at once.
        pub coherent: bool,
        /// An address need not be a multiple of the size of the access.
        pub unaligned: bool,
        /// The high byte of a number comes first.
        pub big_endian: bool,
        /// The owner of an instance of it.
        pub owner: Sharing,
        /// Address ranges with their contents; if there are none, all addresses are memory.
        pub regions: Vec<RegionInfo>,
    }

    /// A range of addresses of a memory space, with its contents.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct RegionInfo {
        /// Its name.
        pub name: String,
        /// The first address.
        pub at: u64,
        /// Bytes; `None` for as many as its device has.
        pub size: Option<u64>,
        /// It is memory that instructions can't write.
        pub read_only: bool,
        /// The kind of the device at these addresses, in the place of memory.
        pub device: Option<String>,
        /// The line that the device drives: index into [`MachineInfo::lines`].
        pub line: Option<usize>,
        /// The number of instructions per tick of the device.
        pub every: u64,
    }
}

named! {
    /// The owner of an instance of a memory space.
    pub enum Sharing {
        /// `lane`: each lane has one.
        Lane "lane",
        /// `block`: each block of a grid has one.
        Block "block",
        /// `grid`: the grid has one.
        Grid "grid",
    }
}

stored! {
    /// A difference between machines of one instruction set.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct VariantInfo {
        /// Its name.
        pub name: String,
        /// Its values; the first is the default.
        pub values: Vec<String>,
    }
}

named! {
    /// The model of divergence and reconvergence of the lanes of a warp.
    pub enum Divergence {
        /// `stack`: a stack of masks for each warp, which `sync`, `branch` and `call` push on and `join` and `ret` pop off.
        Stack "stack",
        /// `lowest-pc`: every lane has a pc of its own, and those at the lowest one run; `sync` and `join` do nothing.
        LowestPc "lowest-pc",
        /// `fair`: lanes with one pc are a group; groups take turns, and wait for each other at `meet`.
        Fair "fair",
    }
}

stored! {
    /// The place of the parameters of a kernel, 32 bits each.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ParamsInfo {
        /// Index of the memory space.
        pub space: usize,
        /// The bank, in a space that has banks.
        pub bank: u32,
        /// The address of the first, in bytes.
        pub at: u64,
    }
}

named! {
    /// Actions of a machine besides instructions: each has a body of statements.
    pub enum Routine {
        /// `launch`: before the first instruction.
        Launch "launch",
        /// `linux.start`: before the first instruction of a program of Linux.
        Linux "linux.start",
        /// `raise`: in the place of the rest of an instruction that raises.
        Raise "raise",
        /// `faults.illegal`: at a word that is not an instruction.
        Illegal "faults.illegal",
        /// `faults.misaligned`: at an access whose address is not a multiple of its size.
        Misaligned "faults.misaligned",
        /// `faults.access`: at an access to memory that does not exist, or does not allow it.
        Access "faults.access",
        /// `faults.fetch`: at an instruction that can't be fetched.
        Fetch "faults.fetch",
        /// `faults.trap`: at `trap()`.
        Trap "faults.trap",
        /// `faults.host`: at `host()` if no host answers.
        Host "faults.host",
        /// `interrupts`: after a change of a value that it reads.
        Interrupts "interrupts",
    }
}

impl MachineInfo {
    /// The machine described by tables. It is within the limits of specifications if they come from an image that was
    /// [checked](crate::engine::image::read).
    pub fn of(tables: &Common<'_>) -> Self {
        Self::read(&mut tables.machine.bytes()).unwrap_or_default()
    }

    /// Its bytes in an image.
    pub fn bytes(&self) -> Vec<u8> {
        self.stored()
    }

    /// Returns true if its numbers are within the limits of specifications.
    pub(crate) fn is_bounded(&self) -> bool {
        let has = |bits: u32, most| (1..=most).contains(&bits);
        let is_line = |line: usize| line < self.lines.len();
        let mut regions = self.spaces.iter().flat_map(|space| &space.regions);
        has(self.lanes, 64)
            && has(self.pc, 64)
            && self.registers.iter().all(|file| file.width <= 4096 && file.names.len() <= 1 << 16)
            && self.flags.iter().all(|flags| (1..=64).contains(&flags.flags.len()))
            && self
                .launch_values
                .iter()
                .map(|value| value.width)
                .chain(self.values.iter().map(|value| value.1))
                .all(|w| has(w, 128))
            && self.spaces.iter().all(|space| has(space.address, 64) && space.banks.is_none_or(|banks| has(banks, 1 << 16)))
            && regions.all(|region| region.every > 0 && region.line.is_none_or(is_line))
            && self
                .params
                .as_ref()
                .is_none_or(|params| self.spaces.get(params.space).is_some_and(|space| params.bank < space.banks.unwrap_or(1)))
    }

    /// The register with a name, as a file and a number: `a0`, `X10`, `X[10]`.
    pub fn register(&self, name: &str) -> Option<(usize, usize)> {
        self.registers.iter().enumerate().find_map(|(file, registers)| registers.find(name).map(|number| (file, number)))
    }

    /// The memory space that instructions are fetched from, if programs are in memory.
    pub fn program_space(&self) -> Option<usize> {
        self.spaces.iter().position(|space| space.program)
    }
}
