//! What a kernel starts with, and whether it can.

use super::memory::Memory;
use super::values::{Known, check_values};
use super::{MAX_LANES, MachineInfo, Sharing};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The size of a memory that the machine and the launch leave open.
pub const DEFAULT_SIZE: u64 = 1 << 16;
/// How many lanes a block may have.
const MAX_BLOCK: u64 = 1 << 20;
/// How many blocks run at once at most.
const MAX_THREADS: u64 = 256;
/// How many bytes all memories together may have.
const MAX_MEMORY: u64 = 1 << 33;

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
    /// Watches the run from outside, and ends it before its time.
    pub control: Arc<Control>,
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

    /// Ends the run soon, with [`RunError::Stopped`](crate::RunError::Stopped).
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
            sizes: Vec::new(),
            variants: Vec::new(),
            entry: None,
            limit: 1 << 36,
            threads: 1,
            control: Arc::default(),
        }
    }
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

/// What is the same for all blocks.
pub(super) struct Prepared {
    /// For each space its size, of each bank.
    pub(super) sizes: Vec<u64>,
    pub(super) variants: Vec<usize>,
    /// What each launch value is.
    pub(super) values: Vec<Known>,
    /// The grid's memories, by space and bank; none for other spaces.
    pub(super) grid: Vec<Vec<Memory>>,
    /// Lanes and warps of a block.
    pub(super) lanes: u32,
    pub(super) warps: u32,
}

pub(super) fn banks(machine: &MachineInfo, space: usize) -> u32 {
    machine.spaces[space].banks.unwrap_or(1).max(1)
}

impl Prepared {
    pub(super) fn new(machine: &MachineInfo, launch: &Launch) -> Result<Self, BadLaunch> {
        let [grid, block] = [launch.grid, launch.block].map(|d| d.iter().try_fold(1u64, |n, d| n.checked_mul((*d).into())));
        let lanes = match (grid, block) {
            (Some(0), _) | (_, Some(0)) => return Err(BadLaunch::Empty),
            (Some(_), Some(lanes)) if lanes <= MAX_BLOCK => lanes as u32,
            (None, _) => return Err(BadLaunch::Blocks),
            (_, _) => return Err(BadLaunch::Block(MAX_BLOCK)),
        };
        if machine.lanes == 0 || machine.lanes as usize > MAX_LANES {
            return Err(BadLaunch::Lanes(machine.lanes));
        }
        let values = check_values(machine, launch, lanes)?;
        let mut sizes: Vec<u64> = Vec::new();
        for (i, space) in machine.spaces.iter().enumerate() {
            let asked = launch.sizes.iter().rev().find(|s| s.0 == i).map(|s| s.1);
            let images = launch.images.iter().filter(|m| m.space == i);
            let needed = images.map(|m| m.address.saturating_add(m.bytes.len() as u64)).max().unwrap_or(0);
            let room = if space.address >= 63 { u64::MAX } else { 1 << space.address };
            let size = match (asked, space.size) {
                (Some(asked), Some(size)) if asked > size => {
                    return Err(BadLaunch::Size { space: space.name.clone(), size, asked });
                }
                (Some(asked), _) => asked,
                (None, Some(size)) => size,
                (None, None) => needed.next_multiple_of(4).max(DEFAULT_SIZE.min(room)),
            };
            if needed > size {
                return Err(BadLaunch::Image { space: space.name.clone(), size, end: needed });
            }
            sizes.push(size);
        }
        let warps = lanes.div_ceil(machine.lanes);
        let prepared_bytes = |i: usize| {
            let count = match machine.spaces[i].owner {
                Sharing::Grid => 1,
                Sharing::Block => launch.at_once(),
                Sharing::Lane => u64::from(lanes) * launch.at_once(),
            };
            sizes[i].saturating_mul(banks(machine, i).into()).saturating_mul(count)
        };
        let bytes = (0..sizes.len()).fold(0u64, |n, i| n.saturating_add(prepared_bytes(i)));
        if bytes > MAX_MEMORY {
            return Err(BadLaunch::Memory(bytes));
        }
        let grid = (0..machine.spaces.len()).map(|i| memories(machine, launch, &sizes, i, Sharing::Grid));
        let prepared = Self {
            grid: grid.collect(),
            variants: (0..machine.variants.len())
                .map(|i| launch.variants.iter().rev().find(|v| v.0 == i).map_or(0, |v| v.1))
                .collect(),
            sizes,
            values,
            lanes,
            warps,
        };
        for image in &launch.images {
            let Some(space) = machine.spaces.get(image.space) else { return Err(BadLaunch::NoSpace) };
            if image.bank >= banks(machine, image.space) {
                return Err(BadLaunch::NoBank { space: space.name.clone(), bank: image.bank });
            }
            match space.owner {
                Sharing::Grid => {
                    prepared.grid[image.space][image.bank as usize].set_bytes(image.address, &image.bytes);
                }
                Sharing::Block => {}
                Sharing::Lane => {
                    return Err(BadLaunch::OfLanes(space.name.clone()));
                }
            }
        }
        match &machine.params {
            None if !launch.params.is_empty() => Err(BadLaunch::NoParams),
            Some(params) => {
                let (space, size) = (&machine.spaces[params.space], prepared.sizes[params.space]);
                let end = params.at.saturating_add(4 * launch.params.len() as u64);
                if !launch.params.is_empty() && end > size {
                    return Err(BadLaunch::Params { count: launch.params.len(), end, space: space.name.clone(), size });
                }
                if space.owner == Sharing::Grid && !launch.params.is_empty() {
                    prepared.grid[params.space][params.bank as usize].set_bytes(params.at, &param_bytes(launch));
                }
                Ok(prepared)
            }
            None => Ok(prepared),
        }
    }
}

/// The memories of a space that belong to one owner, one for each bank; none if the space belongs to another.
pub(super) fn memories(machine: &MachineInfo, launch: &Launch, sizes: &[u64], space: usize, owner: Sharing) -> Vec<Memory> {
    let count = if machine.spaces[space].owner == owner { banks(machine, space) } else { 0 };
    let mut memories: Vec<Memory> = (0..count).map(|_| Memory::new(sizes[space])).collect();
    if let Some((bank, bytes)) = missing_params(machine, launch, sizes, space)
        && let Some(memory) = memories.get_mut(bank as usize)
    {
        memory.set_missing(bytes);
    }
    memories
}

/// The bytes of a space, and their bank, where a kernel would look for parameters that the launch does not have: the first one, or up
/// to the end where instructions write nothing.
fn missing_params(machine: &MachineInfo, launch: &Launch, sizes: &[u64], space: usize) -> Option<(u32, Range<u64>)> {
    let params = machine.params.as_ref().filter(|p| p.space == space)?;
    let first = params.at + 4 * launch.params.len() as u64;
    let images = || launch.images.iter().filter(|m| (m.space, m.bank) == (space, params.bank));
    if images().any(|m| (m.address..m.address + m.bytes.len() as u64).contains(&first)) {
        return None;
    }
    let most = if machine.spaces[space].read_only { u64::MAX } else { first + 4 };
    let next = images().map(|m| m.address).filter(|at| *at > first).min().unwrap_or(u64::MAX);
    let end = most.min(next).min(sizes[space]);
    (first < end).then_some((params.bank, first..end))
}

pub(super) fn param_bytes(launch: &Launch) -> Vec<u8> {
    launch.params.iter().flat_map(|p| p.to_le_bytes()).collect()
}
