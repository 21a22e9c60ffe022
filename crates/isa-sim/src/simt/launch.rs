//! Launch parameters, and the errors that make a launch invalid.

use super::host::Host;
use crate::engine::MAX_LANES;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The size of a memory if neither the machine nor the launch determines it.
pub const DEFAULT_SIZE: u64 = 1 << 16;
/// The limit of lanes of a block.
pub(super) const MAX_BLOCK: u64 = 1 << 20;
/// The limit of blocks that run at the same time.
const MAX_THREADS: u64 = 256;
/// The limit of bytes of all memories together.
pub(super) const MAX_MEMORY: u64 = 1 << 33;

/// A launch of a kernel.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Blocks, in x, y and z.
    pub grid: [u32; 3],
    /// Lanes of a block, in x, y and z.
    pub block: [u32; 3],
    /// Parameters, 32 bits each.
    pub params: Vec<u32>,
    /// The initial contents of memory.
    pub images: Vec<Image>,
    /// The parts of the grid's memories; a space with parts has no memory between them.
    pub parts: Vec<Part>,
    /// Sizes of memory spaces in bytes, by index; others have the machine's size, or the size that their images need.
    pub sizes: Vec<(usize, u64)>,
    /// The value of each variant, by index; others have their first value.
    pub variants: Vec<(usize, usize)>,
    /// The address of the first instruction; by default, the lowest address.
    pub entry: Option<u64>,
    /// The limit of warp instructions.
    pub limit: u64,
    /// The number of threads that run blocks; at most the number of blocks, and 256.
    pub threads: usize,
    /// The seed of another order of blocks, warps and groups of lanes; without it, they run in their order.
    pub schedule: Option<u64>,
    /// True if the executions of each instruction are counted.
    pub counts: bool,
    /// Observes the run from outside, and can end it early.
    pub control: Arc<Control>,
    /// The functions called at addresses where the program has no instruction.
    pub host: Option<Arc<dyn Host>>,
}

/// The view of a run from another thread or from its trace: its progress, and a way to end it.
#[derive(Debug, Default)]
pub struct Control {
    pub(super) steps: AtomicU64,
    stop: AtomicBool,
}

impl Control {
    /// Executed warp instructions, except the last few thousand.
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
    /// The number of blocks that run at the same time.
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

/// A part of a memory of the grid; without any, the memory extends from 0 to its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Index of the space.
    pub space: usize,
    /// The address of its first byte, a multiple of 16.
    pub address: u64,
    /// Its bytes.
    pub bytes: u64,
}

/// Initial bytes of memory.
#[derive(Clone, Debug)]
pub struct Image {
    /// Index of the space: one of the grid or of each block.
    pub space: usize,
    /// The bank.
    pub bank: u32,
    /// The address of the first byte.
    pub address: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// A reason why a launch is not possible.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadLaunch {
    /// The grid or the block is empty in some direction.
    Empty,
    /// The grid has more than 2^64 blocks.
    Blocks,
    /// The block has too many lanes: this number.
    Block(u64),
    /// A warp of the machine has too many lanes: this number.
    Lanes(u32),
    /// The simulated machine has no such launch value.
    NoValue(String),
    /// A launch value would be too large.
    Value {
        /// The reason why it is so large: the grid, the block or the warp.
        of: &'static str,
        /// Its name.
        name: String,
        /// The largest value that would occur.
        largest: u32,
        /// Its bits.
        width: u32,
    },
    /// A memory is smaller than requested.
    Size {
        /// Its name.
        space: String,
        /// Its bytes.
        size: u64,
        /// The requested size.
        asked: u64,
    },
    /// An image ends outside its memory.
    Image {
        /// The name of the memory.
        space: String,
        /// Its bytes.
        size: u64,
        /// The end of the image.
        end: u64,
    },
    /// The memories together have more bytes than allowed: this number.
    Memory(u64),
    /// Parts of a memory overlap, do not begin at a multiple of 16, or belong to a space that can't have them.
    Part {
        /// The name of the memory.
        space: String,
        /// The address of the part.
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
    /// Every lane has a memory of its own in this space, which starts empty.
    OfLanes(String),
    /// The machine has no place for parameters.
    NoParams,
    /// Parameters end outside their memory.
    Params {
        /// Their number.
        count: usize,
        /// Their end.
        end: u64,
        /// The name of the memory.
        space: String,
        /// Its bytes.
        size: u64,
    },
    /// The threads for several blocks could not be started.
    Threads {
        /// The number requested.
        count: u64,
        /// The system's message.
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
