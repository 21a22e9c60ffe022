//! The machine that instructions run on: what the `machine:` section of a specification says.
//! Register files are not here: they are taken from `registers`.

use super::ast::Function;
use super::floats::{Direction, Rules};
use super::{Expression, Semantics};
use crate::describe::described;
use crate::span::{Span, Text};
use isa_runtime::machine as info;
pub use isa_runtime::machine::{Divergence, Routine, Sharing};
use isa_runtime::word::Units;

described! {
    /// The parts of a machine besides registers. The default has none: enough for instructions that compute.
    #[derive(Clone, Debug)]
    pub struct Machine {
        /// Lanes of a warp; a machine with one lane is a core.
        pub lanes: u32,
        /// Bits of an address of code: of `pc` and `next`, and of what `branch`, `call` and `sync` take.
        pub pc: u32,
        /// Memory spaces.
        pub spaces: Vec<Space>,
        /// Registers of flags.
        pub flags: Vec<Flags>,
        /// Register files that are parts of another one's registers.
        pub views: Vec<View>,
        /// Named values of a lane.
        pub state: Vec<State>,
        /// Differences in behaviour that the simulator can be told to use.
        pub variants: Vec<Variant>,
        /// The way in which lanes of a warp diverge and reconverge.
        pub divergence: Divergence,
        /// The condition on which a lane takes part in an instruction: one bit, of the fields of each form.
        pub guard: Option<Expression>,
        /// Statements that every instruction executes after its own semantics, whatever the guard says.
        pub after: Option<Semantics>,
        /// Its behaviour outside instructions.
        pub routines: Vec<(Routine, Semantics)>,
        /// Lines of devices.
        pub lines: Vec<Line>,
        /// The place of the parameters of a kernel, which are stored before it starts.
        pub params: Option<Params>,
        /// The rules of floats.
        pub floats: Rules,
        /// The directions of rounding that values select, a power of two in number; empty for the numbers of
        /// [`Round`](super::floats::Round).
        pub rounding: Vec<Direction>,
        /// The calling convention of Linux.
        pub linux: Option<Linux>,
        /// The registers as GDB sees them.
        pub debugger: Option<Debugger>,
        /// Register files that functions read and write.
        pub accessors: Vec<Accessors>,
        /// Functions that all semantics can call.
        pub functions: Vec<Function>,
        /// Their text.
        pub functions_source: String,
        /// The texts that they are of, as they are in the specification.
        pub function_texts: Vec<Text>,
        /// The place of the section.
        pub span: Span,
    }
}

impl State {
    /// A value of each lane.
    pub fn new(name: &str, width: u32, kind: StateKind, span: Span) -> Self {
        Self { name: name.to_owned(), width, kind, of_warp: false, summary: String::new(), span }
    }
}

impl Default for Machine {
    fn default() -> Self {
        Self {
            lanes: 1,
            pc: 32,
            spaces: Vec::new(),
            flags: Vec::new(),
            views: Vec::new(),
            state: Vec::new(),
            variants: Vec::new(),
            divergence: Divergence::Stack,
            guard: None,
            after: None,
            routines: Vec::new(),
            lines: Vec::new(),
            params: None,
            floats: Rules::default(),
            rounding: Vec::new(),
            linux: None,
            debugger: None,
            accessors: Vec::new(),
            functions: Vec::new(),
            functions_source: String::new(),
            function_texts: Vec::new(),
            span: Span::default(),
        }
    }
}

/// The most bits that are loaded or stored at once.
pub const MAX_ACCESS: u32 = 128;
/// The most bits of an address of code.
pub const MAX_PC: u32 = 64;
/// The most bits of a register that instructions with semantics have, and of a named value.
pub const MAX_STATE: u32 = 128;
/// The most registers of a file where instructions have semantics.
pub const MAX_REGISTERS: u32 = 1 << 16;
/// The most flags of a register.
pub const MAX_FLAGS: usize = 64;

described! {
    /// A memory space.
    #[derive(Clone, Debug)]
    pub struct Space {
        /// Its name: `load.NAME`, `store.NAME`.
        pub name: String,
        /// Bits of an address. An address counts bytes.
        pub address: u32,
        /// The smallest access, in bits: a multiple of 8. Every access is a multiple of it.
        pub unit: u32,
        /// Number of banks, for a space in which an access names one: `load.const(bank, address, 32)`.
        pub banks: Option<u32>,
        /// Its size in bytes (of each bank), if the machine sets it; otherwise the launch does.
        pub size: Option<u64>,
        /// Instructions only read it.
        pub read_only: bool,
        /// Instructions are fetched from it.
        pub program: bool,
        /// Stores into code take effect at once, without `refetch()`.
        pub coherent: bool,
        /// An address need not be a multiple of the size of the access.
        pub unaligned: bool,
        /// The high byte of a number comes first.
        pub big_endian: bool,
        /// The owner of an instance of the space: the grid, a block or a lane.
        pub owner: Sharing,
        /// The contents of ranges of addresses; without any, there is memory everywhere.
        pub regions: Vec<Region>,
        /// Other spaces at some of its addresses.
        pub windows: Vec<Window>,
        /// The space at all others, where this one is not a memory itself.
        pub elsewhere: Option<Text>,
        /// A description in one line.
        pub summary: String,
        /// The place of its declaration.
        pub span: Span,
    }

    /// Addresses of a memory space at which another one is, from 0 on.
    #[derive(Clone, Debug)]
    pub struct Window {
        /// The other one.
        pub space: Text,
        /// The first address.
        pub at: u64,
        /// Bytes, at least one.
        pub size: u64,
    }

    /// Addresses of a memory space, and what is there.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Region {
        /// Its name.
        pub name: String,
        /// The first address.
        pub at: u64,
        /// Bytes; `None` for as many as its device has.
        pub size: Option<u64>,
        /// It is memory that instructions do not write.
        pub read_only: bool,
        /// The kind of the device that is there, in the place of memory.
        pub device: Option<String>,
        /// The line that the device drives.
        pub line: Option<String>,
        /// The number of instructions per step of the device's time.
        pub every: u64,
        /// A description in one line.
        pub summary: String,
        /// The place of the declaration.
        pub span: Span,
    }
}

impl Region {
    /// The region as programs are run with it, on a machine with these lines.
    pub fn info<'l>(&self, mut lines: impl Iterator<Item = &'l str>) -> info::RegionInfo {
        info::RegionInfo {
            name: self.name.clone(),
            at: self.at,
            size: self.size,
            read_only: self.read_only,
            device: self.device.clone(),
            line: self.line.as_ref().and_then(|name| lines.position(|line| line == name)),
            every: self.every,
        }
    }
}

described! {
    /// The functions that read and write the registers of a file, in the place of the registers themselves. Within them the registers
    /// are what they are.
    #[derive(Clone, Debug)]
    pub struct Accessors {
        /// The register file.
        pub file: Text,
        /// The function that reads: of the number of a register.
        pub read: Option<Text>,
        /// The function that writes: of the number of a register, and the value.
        pub write: Option<Text>,
    }

    /// Registers of flags, of each lane.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Flags {
        /// The name: `C[i].z`; where there is one only, also `C.z`.
        pub name: String,
        /// The number of registers.
        pub count: u32,
        /// The flags of each; the first is bit 0.
        pub flags: Vec<String>,
        /// A description in one line.
        pub summary: String,
        /// The place of the declaration.
        pub span: Span,
    }

    /// A register file whose registers are parts of another one's: register `n` is part `n % k` of register `n / k`, where `k`
    /// parts make a register and part 0 is the low one. Reading and writing it leaves the other parts alone.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct View {
        /// The register file (of `registers`) that is a view.
        pub name: String,
        /// The register file that holds the bits; its width is a multiple of the view's.
        pub of: String,
        /// The place of the declaration.
        pub span: Span,
    }

    /// A named value of a lane, or of a warp.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct State {
        /// Its name, perhaps with dots: `tid.x`.
        pub name: String,
        /// Its bits.
        pub width: u32,
        /// The source of its value.
        pub kind: StateKind,
        /// True if a warp has it once, and its lanes none of their own.
        pub of_warp: bool,
        /// A description in one line.
        pub summary: String,
        /// The place of the declaration.
        pub span: Span,
    }

    /// The line of a device: one bit, which instructions only read.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Line {
        /// Its name.
        pub name: String,
        /// The place of the declaration.
        pub span: Span,
    }
}

/// The source of a named value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StateKind {
    /// The launch, for good: one of [`LAUNCH_VALUES`].
    Launch,
    /// Instructions; it starts as 0.
    Written,
}

/// The launch values of a lane. `tid.x` to `ntid.z` count lanes in a block, `ctaid.x` to `nctaid.z` blocks in a grid.
pub const LAUNCH_VALUES: [&str; 15] = [
    "tid.x", "tid.y", "tid.z", "ntid.x", "ntid.y", "ntid.z", "ctaid.x", "ctaid.y", "ctaid.z", "nctaid.x", "nctaid.y", "nctaid.z",
    "laneid", "warpid", "smid",
];

described! {
    /// Something that machines of one instruction set do differently, chosen with `--set NAME=VALUE`.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Variant {
        /// Its name.
        pub name: String,
        /// Its values; the first is the default.
        pub values: Vec<String>,
        /// One line.
        pub summary: String,
        /// The place of the declaration.
        pub span: Span,
    }

    /// The place of the parameters of a kernel.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Params {
        /// The memory space.
        pub space: String,
        /// The bank, for a space that has banks.
        pub bank: u32,
        /// The address of the first, in bytes; each takes 32 bits.
        pub at: u64,
        /// The place of the declaration.
        pub span: Span,
    }

    /// The calling convention of Linux, for the action `host()`. Registers are named as programs name them.
    #[derive(Clone, Debug)]
    pub struct Linux {
        /// The name of the machine, as `uname` has it.
        pub machine: Text,
        /// The register that holds the number of a call.
        pub number: Text,
        /// The registers of the arguments.
        pub arguments: Vec<Text>,
        /// The register that takes the result.
        pub result: Text,
        /// The stack pointer.
        pub stack: Text,
        /// The features of the machine (`AT_HWCAP`).
        pub features: u64,
        /// The names of calls by their numbers, ascending.
        pub calls: Vec<(u32, Text)>,
    }

    /// The registers as GDB sees them.
    #[derive(Clone, Debug)]
    pub struct Debugger {
        /// The architecture as GDB calls it.
        pub architecture: Option<Text>,
        /// The features of GDB, each with its register files; `pc` is the address of the instruction.
        pub features: Vec<(Text, Vec<Text>)>,
    }
}

impl Machine {
    /// The machine as programs are run with it.
    pub fn info(&self, units: Units, registers: Vec<info::RegistersInfo>) -> info::MachineInfo {
        let named = |kind| self.state.iter().filter(move |s| s.kind == kind);
        info::MachineInfo {
            lanes: self.lanes,
            pc: self.pc,
            units,
            registers,
            flags: self
                .flags
                .iter()
                .map(|f| info::FlagsInfo { name: f.name.clone(), count: f.count as usize, flags: f.flags.clone() })
                .collect(),
            launch_values: named(StateKind::Launch).map(|s| info::LaunchValue { name: s.name.clone(), width: s.width }).collect(),
            values: named(StateKind::Written).map(|s| (s.name.clone(), s.width)).collect(),
            spaces: self
                .spaces
                .iter()
                .map(|s| info::SpaceInfo {
                    name: s.name.clone(),
                    address: s.address,
                    banks: s.banks,
                    // A space that shows others is no memory: it gets the least one.
                    size: if s.elsewhere.is_some() { Some(1) } else { s.size },
                    read_only: s.read_only,
                    program: s.program,
                    coherent: s.coherent,
                    unaligned: s.unaligned,
                    big_endian: s.big_endian,
                    owner: s.owner,
                    regions: s
                        .regions
                        .iter()
                        .map(|region| region.info(self.lines.iter().map(|line| line.name.as_str())))
                        .collect(),
                })
                .collect(),
            lines: self.lines.iter().map(|line| line.name.clone()).collect(),
            variants: self
                .variants
                .iter()
                .map(|v| info::VariantInfo { name: v.name.clone(), values: v.values.clone() })
                .collect(),
            divergence: self.divergence,
            params: self.params.as_ref().and_then(|p| {
                let space = self.spaces.iter().position(|s| s.name == p.space)?;
                Some(info::ParamsInfo { space, bank: p.bank, at: p.at })
            }),
            linux: self.linux.as_ref().map(linux),
            debugger: self.debugger.as_ref().map(|debugger| info::DebuggerInfo {
                architecture: debugger.architecture.as_ref().map_or_else(String::new, |name| name.value.clone()),
                features: debugger.features.iter().map(|(name, files)| (name.value.clone(), values(files))).collect(),
            }),
        }
    }
}

fn linux(linux: &Linux) -> info::LinuxInfo {
    info::LinuxInfo {
        machine: linux.machine.value.clone(),
        number: linux.number.value.clone(),
        arguments: values(&linux.arguments),
        result: linux.result.value.clone(),
        stack: linux.stack.value.clone(),
        features: linux.features,
        calls: linux.calls.iter().map(|(number, name)| (*number, name.value.clone())).collect(),
    }
}

fn values(texts: &[Text]) -> Vec<String> {
    texts.iter().map(|text| text.value.clone()).collect()
}

impl Machine {
    /// Returns true if a space shows others, and is no memory itself.
    pub fn shows_others(&self, space: usize) -> bool {
        self.spaces[space].elsewhere.is_some()
    }

    /// The place of a named value among those of its kind.
    pub fn state_place(&self, state: usize) -> usize {
        self.state[..state].iter().filter(|other| other.kind == self.state[state].kind).count()
    }

    /// The spaces that a space shows: windows with their first and last addresses, and the one at all other addresses.
    pub fn windows(&self, space: usize) -> (Vec<(u64, u64, usize)>, Option<usize>) {
        let find = |name: &Text| self.spaces.iter().position(|of| of.name == name.value);
        let space = &self.spaces[space];
        let windows = space.windows.iter().filter_map(|w| Some((w.at, w.last(), find(&w.space)?)));
        (windows.collect(), space.elsewhere.as_ref().and_then(find))
    }

    /// The memory that an address of a space is in, and the address there.
    pub fn memory_at(&self, space: usize, address: u64) -> (usize, u64) {
        let (windows, elsewhere) = self.windows(space);
        let window = windows.into_iter().find(|(first, last, _)| (*first..=*last).contains(&address));
        window.map_or((elsewhere.unwrap_or(space), address), |(first, _, of)| (of, address - first))
    }

    /// The memories that an access to a space can go to.
    pub fn reached(&self, space: usize) -> Vec<usize> {
        if !self.shows_others(space) {
            return vec![space];
        }
        let (windows, elsewhere) = self.windows(space);
        windows.into_iter().map(|window| window.2).chain(elsewhere).collect()
    }
}

impl Window {
    /// The last address.
    pub fn last(&self) -> u64 {
        self.at.saturating_add(self.size - 1)
    }
}
