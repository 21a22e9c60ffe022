//! The machine of an instruction set, as it is read from an image.

use crate::engine::tables::{
    BIG_ENDIAN, COHERENT, Common, HAS_ONE, HAS_ZERO, LAUNCH, LINE, PROGRAM, READ_ONLY, UNALIGNED, VIEW, WRITTEN,
};
use crate::word::Units;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A machine: register files, memories, and, if it has several lanes, the divergence of its warps.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// The owner of an instance of a memory space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sharing {
    /// `lane`: each lane has one.
    Lane,
    /// `block`: each block of a grid has one.
    Block,
    /// `grid`: the grid has one.
    Grid,
}

/// A difference between machines of one instruction set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantInfo {
    /// Its name.
    pub name: String,
    /// Its values; the first is the default.
    pub values: Vec<String>,
}

/// The model of divergence and reconvergence of the lanes of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Divergence {
    /// `stack`: a stack of masks for each warp, which `sync`, `branch` and `call` push on and `join` and `ret` pop off.
    Stack,
    /// `lowest-pc`: every lane has a pc of its own, and those at the lowest one run; `sync` and `join` do nothing.
    LowestPc,
    /// `fair`: lanes with one pc are a group; groups take turns, and wait for each other at `meet`.
    Fair,
}

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

/// Actions of a machine besides instructions: each has a body of statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Routine {
    /// `launch`: before the first instruction.
    Launch,
    /// `linux.start`: before the first instruction of a program of Linux.
    Linux,
    /// `raise`: in the place of the rest of an instruction that raises.
    Raise,
    /// `faults.illegal`: at a word that is not an instruction.
    Illegal,
    /// `faults.misaligned`: at an access whose address is not a multiple of its size.
    Misaligned,
    /// `faults.access`: at an access to memory that does not exist, or does not allow it.
    Access,
    /// `faults.fetch`: at an instruction that can't be fetched.
    Fetch,
    /// `faults.trap`: at `trap()`.
    Trap,
    /// `faults.host`: at `host()` if no host answers.
    Host,
    /// `interrupts`: after a change of a value that it reads.
    Interrupts,
}

impl Routine {
    /// All routines.
    pub const ALL: [Self; 10] = [
        Self::Launch,
        Self::Linux,
        Self::Raise,
        Self::Illegal,
        Self::Misaligned,
        Self::Access,
        Self::Fetch,
        Self::Trap,
        Self::Host,
        Self::Interrupts,
    ];

    /// Its key in specifications.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Launch => "launch",
            Self::Linux => "linux.start",
            Self::Raise => "raise",
            Self::Illegal => "faults.illegal",
            Self::Misaligned => "faults.misaligned",
            Self::Access => "faults.access",
            Self::Fetch => "faults.fetch",
            Self::Trap => "faults.trap",
            Self::Host => "faults.host",
            Self::Interrupts => "interrupts",
        }
    }
}

impl Sharing {
    /// All owners, by their numbers in images.
    pub const ALL: [Self; 3] = [Self::Lane, Self::Block, Self::Grid];
}

impl Divergence {
    /// All models, by their numbers in images.
    pub const ALL: [Self; 3] = [Self::Stack, Self::LowestPc, Self::Fair];
}

impl MachineInfo {
    /// The machine described by tables. It is within the limits of specifications if they come from an image that was
    /// [checked](crate::engine::image::read).
    pub fn of(tables: &Common<'_>) -> Self {
        let machine = tables.machine.get(0).unwrap_or_default();
        let text = |text| String::from(tables.text(text));
        let texts = |rows| tables.machine_texts.slice(rows).iter().map(text).collect();
        let registers = tables.files.iter().map(|file| RegistersInfo {
            name: text(file.name),
            width: file.width,
            count: file.count as usize,
            zero: (file.flags & HAS_ZERO != 0).then_some(file.zero as usize),
            one: (file.flags & HAS_ONE != 0).then_some(file.one as usize),
            is_view: file.flags & VIEW != 0,
            prefix: text(file.prefix),
            suffix: text(file.suffix),
            names: tables
                .register_names
                .slice(file.names)
                .iter()
                .map(|name| RegisterName { text: text(name.text), number: name.number, also: name.also != 0 })
                .collect(),
        });
        let flags = tables.flags.iter();
        let flags = flags.map(|row| FlagsInfo { name: text(row.name), count: row.count as usize, flags: texts(row.flags) });
        let states = |kind: u8| tables.states.iter().filter(move |state| state.kind == kind);
        let regions = |space: usize| {
            let own = tables.address_ranges.iter().filter(|region| usize::from(region.space) == space);
            let regions = own.map(|region| RegionInfo {
                name: text(region.name),
                at: region.at,
                size: Some(region.size).filter(|size| *size > 0),
                read_only: region.flags & READ_ONLY != 0,
                device: Some(text(region.device)).filter(|device| !device.is_empty()),
                line: usize::from(region.line).checked_sub(1),
                every: region.every,
            });
            regions.collect()
        };
        let spaces = tables.spaces.iter().enumerate().map(|(number, space)| SpaceInfo {
            name: text(space.name),
            address: space.address.into(),
            banks: Some(space.banks).filter(|banks| *banks > 0),
            size: Some(space.size).filter(|size| *size > 0),
            read_only: space.flags & READ_ONLY != 0,
            program: space.flags & PROGRAM != 0,
            coherent: space.flags & COHERENT != 0,
            unaligned: space.flags & UNALIGNED != 0,
            big_endian: space.flags & BIG_ENDIAN != 0,
            owner: Sharing::ALL.get(usize::from(space.owner)).copied().unwrap_or(Sharing::Grid),
            regions: regions(number),
        });
        let variants = tables.variants.iter();
        let params = ParamsInfo { space: machine.params as usize, bank: machine.bank, at: machine.at };
        let has_params = machine.has_params != 0 && params.space < tables.spaces.len();
        Self {
            lanes: machine.lanes.into(),
            pc: machine.pc.into(),
            units: tables.units(),
            registers: registers.collect(),
            flags: flags.collect(),
            launch_values: states(LAUNCH).map(|s| LaunchValue { name: text(s.name), width: s.width.into() }).collect(),
            values: states(WRITTEN).map(|s| (text(s.name), s.width.into())).collect(),
            spaces: spaces.collect(),
            lines: states(LINE).map(|s| text(s.name)).collect(),
            variants: variants.map(|row| VariantInfo { name: text(row.name), values: texts(row.values) }).collect(),
            divergence: Divergence::ALL.get(usize::from(machine.divergence)).copied().unwrap_or(Divergence::Stack),
            params: has_params.then_some(params),
            linux: tables.linux.get(0).map(|linux| LinuxInfo {
                machine: text(linux.machine),
                number: text(linux.number),
                arguments: texts(linux.arguments),
                result: text(linux.result),
                stack: text(linux.stack),
                features: linux.features,
                calls: tables.calls.iter().map(|call| (call.number, text(call.name))).collect(),
            }),
            debugger: tables.debugger.get(0).map(|debugger| DebuggerInfo {
                architecture: text(debugger.architecture),
                features: tables.features.iter().map(|feature| (text(feature.name), texts(feature.files))).collect(),
            }),
        }
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
