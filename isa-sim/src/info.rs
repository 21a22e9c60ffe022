//! What a specification says of its machine.

/// A machine: register files, memories, and how its warps part and meet.
#[derive(Clone, Debug)]
pub struct MachineInfo {
    /// Lanes of a warp, 1 to 64.
    pub lanes: u32,
    /// Bits of an address of code.
    pub pc: u32,
    /// Bytes of the unit that programs are made of.
    pub unit: u32,
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
    /// What can be chosen with `--set`.
    pub variants: Vec<VariantInfo>,
    /// How lanes part and meet.
    pub divergence: Divergence,
    /// Where a launch puts the parameters of a kernel.
    pub params: Option<ParamsInfo>,
}

/// Bytes of a unit of so many bits: a unit that is not of whole bytes leaves the highest bits of its last one out.
pub const fn unit_bytes(bits: u32) -> u32 {
    bits.div_ceil(8)
}

/// A register file.
#[derive(Clone, Debug)]
pub struct RegistersInfo {
    /// Its name in the specification.
    pub name: String,
    /// Bits of a register, at most 128.
    pub width: u32,
    /// How many there are.
    pub count: usize,
    /// The register that reads as zero.
    pub zero: Option<usize>,
    /// The register that reads as all ones.
    pub one: Option<usize>,
    /// Its registers are parts of those of another file.
    pub is_view: bool,
}

/// Registers of flags.
#[derive(Clone, Debug)]
pub struct FlagsInfo {
    /// Their name.
    pub name: String,
    /// How many there are.
    pub count: usize,
    /// The flags of each; the first is bit 0.
    pub flags: Vec<String>,
}

/// A value that the launch sets.
#[derive(Clone, Debug)]
pub struct LaunchValue {
    /// One of `tid ntid ctaid nctaid` with `.x .y .z`, `laneid`, `warpid`, `smid`. The machine has no multiprocessors: it refuses
    /// to launch where `smid` is wanted.
    pub name: String,
    /// Its bits: a larger number makes a launch impossible.
    pub width: u32,
}

/// A memory space.
#[derive(Clone, Debug)]
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
    /// What each has one: the grid, a block or a lane.
    pub owner: Sharing,
}

/// What each has a memory of its own: the grid, a block or a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// Every lane.
    Lane,
    /// Every block of a grid.
    Block,
    /// There is one.
    Grid,
}

/// Something that machines of one instruction set do differently.
#[derive(Clone, Debug)]
pub struct VariantInfo {
    /// Its name.
    pub name: String,
    /// What it can be; the first is the default.
    pub values: Vec<String>,
}

/// How lanes of a warp diverge and reconverge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Divergence {
    /// A stack of masks, which `sync`, `branch` and `call` push on and `join` and `ret` pop off.
    Stack,
    /// Every lane has a pc of its own, and those at the lowest one run.
    LowestPc,
}

/// Where the parameters of a kernel are put, 32 bits each.
#[derive(Clone, Debug)]
pub struct ParamsInfo {
    /// Index of the memory space.
    pub space: usize,
    /// The bank, in a space that has banks.
    pub bank: u32,
    /// The address of the first, in bytes.
    pub at: u64,
}
