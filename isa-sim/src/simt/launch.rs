//! What a kernel starts with, and why it can't.

use super::host::Host;
use crate::engine::MAX_LANES;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The size of a memory that the machine and the launch leave open.
pub const DEFAULT_SIZE: u64 = 1 << 16;
/// How many lanes a block may have.
pub(super) const MAX_BLOCK: u64 = 1 << 20;
/// How many blocks run at once at most.
const MAX_THREADS: u64 = 256;
/// How many bytes all memories together may have.
pub(super) const MAX_MEMORY: u64 = 1 << 33;

/// A kernel and what it starts with.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Blocks, in x, y and z.
    pub grid: [u32; 3],
    /// Lanes of a block, in x, y and z.
    pub block: [u32; 3],
    /// Parameters, 32 bits each.
    pub params: Vec<u32>,
    /// What stands in memory at the start.
    pub images: Vec<Image>,
    /// The parts that there are of memories of the grid; a space that has some has nothing between them.
    pub parts: Vec<Part>,
    /// Sizes of memory spaces in bytes, by index; others have what the machine says, or what their images need.
    pub sizes: Vec<(usize, u64)>,
    /// Which value each variant has, by index; others have their first.
    pub variants: Vec<(usize, usize)>,
    /// Where to begin; without it, at the lowest address.
    pub entry: Option<u64>,
    /// How many warp instructions may be executed.
    pub limit: u64,
    /// How many threads run blocks at once: no more than there are blocks, and 256.
    pub threads: usize,
    /// A number that chooses another order of blocks, warps and groups of lanes; without it, they run in their order.
    pub schedule: Option<u64>,
    /// Counts how often each instruction is executed.
    pub counts: bool,
    /// Watches the run from outside, and ends it before its time.
    pub control: Arc<Control>,
    /// What is called at addresses where the program has no instruction.
    pub host: Option<Arc<dyn Host>>,
}

/// A run seen from outside, by another thread or by its trace: how far it is, and the way to end it.
#[derive(Debug, Default)]
pub struct Control {
    pub(super) steps: AtomicU64,
    stop: AtomicBool,
}

impl Control {
    /// Warp instructions that have been executed, but for the last few thousand.
    pub fn warp_instructions(&self) -> u64 {
        self.steps.load(Relaxed)
    }

    /// Ends the run soon, with [`RunError::Stopped`](super::RunError::Stopped).
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }
}

impl Launch {
    /// How many blocks run at once.
    pub(super) fn at_once(&self) -> u64 {
        let blocks = self.grid.iter().fold(1u64, |n, d| n.saturating_mul((*d).into()));
        (self.threads as u64).min(blocks).clamp(1, MAX_THREADS)
    }
}

impl Default for Launch {
    fn default() -> Self {
        Self {
            grid: [1; 3],
            block: [1; 3],
            params: Vec::new(),
            images: Vec::new(),
            parts: Vec::new(),
            sizes: Vec::new(),
            variants: Vec::new(),
            entry: None,
            limit: 1 << 36,
            threads: 1,
            schedule: None,
            counts: false,
            control: Arc::default(),
            host: None,
        }
    }
}

/// A part of a memory of the grid that is there; without any, memory is there from 0 to its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Index of the space.
    pub space: usize,
    /// The address of its first byte, a multiple of 16.
    pub address: u64,
    /// Its bytes.
    pub bytes: u64,
}

/// Bytes that stand in memory at the start.
#[derive(Clone, Debug)]
pub struct Image {
    /// Index of the space: one that the grid or each block has.
    pub space: usize,
    /// The bank.
    pub bank: u32,
    /// Where the first byte stands.
    pub address: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// Why a launch is not possible.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadLaunch {
    /// The grid or the block has nothing in some direction.
    Empty,
    /// The grid has more than 2^64 blocks.
    Blocks,
    /// The block has more lanes than this.
    Block(u64),
    /// A warp of the machine has so many lanes.
    Lanes(u32),
    /// The simulated machine has no such launch value.
    NoValue(String),
    /// A launch value would be too large.
    Value {
        /// What makes it so large: the grid, the block or the warp.
        of: &'static str,
        /// Its name.
        name: String,
        /// The largest that there would be.
        largest: u32,
        /// Its bits.
        width: u32,
    },
    /// A memory is smaller than what is asked for.
    Size {
        /// Its name.
        space: String,
        /// Its bytes.
        size: u64,
        /// What was asked for.
        asked: u64,
    },
    /// An image ends outside of its memory.
    Image {
        /// The name of the memory.
        space: String,
        /// Its bytes.
        size: u64,
        /// Where the image ends.
        end: u64,
    },
    /// The memories together have more bytes than are allowed.
    Memory(u64),
    /// Parts of a memory overlap, do not begin at a multiple of 16, or are of a space that can't have them.
    Part {
        /// The name of the memory.
        space: String,
        /// Where the part begins.
        address: u64,
    },
    /// An image is of a memory space that the machine does not have.
    NoSpace,
    /// A memory space has no such bank.
    NoBank {
        /// Its name.
        space: String,
        /// The bank.
        bank: u32,
    },
    /// Every lane has a memory of its own there, which starts empty.
    OfLanes(String),
    /// The machine does not say where parameters are put.
    NoParams,
    /// Parameters end outside of their memory.
    Params {
        /// How many there are.
        count: usize,
        /// Where they end.
        end: u64,
        /// The name of the memory.
        space: String,
        /// Its bytes.
        size: u64,
    },
    /// The threads for several blocks at once could not be started.
    Threads {
        /// How many were asked for.
        count: u64,
        /// What the system says.
        why: String,
    },
}

impl fmt::Display for BadLaunch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("a grid and a block have at least 1 in each direction"),
            Self::Blocks => f.write_str("the grid has more than 2^64 blocks"),
            Self::Block(most) => write!(f, "a block has at most {most} lanes"),
            Self::Lanes(lanes) => write!(f, "a warp has 1 to {MAX_LANES} lanes, not {lanes}"),
            Self::NoValue(name) => write!(f, "the simulated machine has no `{name}`: a program that reads it can't be run"),
            Self::Value { of, name, largest, width } => {
                let s = if *width == 1 { "" } else { "s" };
                write!(f, "the {of} is too large: `{name}` would be up to {largest}, and has {width} bit{s}")
            }
            Self::Size { space, size, asked } => write!(f, "`{space}` has {size} bytes in this machine, not {asked}"),
            Self::Image { space, size, end } => {
                write!(f, "`{space}` has {size} bytes: its initial contents end at {end:#x}")
            }
            Self::Memory(bytes) => {
                write!(f, "the memories of this launch have {bytes} bytes together; the maximum is {MAX_MEMORY}")
            }
            Self::Part { space, address } => write!(f, "the part of `{space}` at {address:#x} is not possible"),
            Self::NoSpace => f.write_str("an image names no memory space"),
            Self::NoBank { space, bank } => write!(f, "`{space}` has no bank {bank}"),
            Self::OfLanes(space) => write!(f, "each lane has its own `{space}`: it can't have initial contents"),
            Self::NoParams => f.write_str("the machine has no `params`: there is no place for the parameters of a kernel"),
            Self::Params { count, end, space, size } => {
                write!(f, "{count} parameters end at {end:#x} of `{space}`, which has {size} bytes")
            }
            Self::Threads { count, why } => write!(f, "{count} threads: {why}"),
        }
    }
}

impl std::error::Error for BadLaunch {}
