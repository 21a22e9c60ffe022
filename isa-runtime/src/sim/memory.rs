//! Memory: spaces that lanes, blocks or the whole grid have, all of it checked.

use std::boxed::Box;
use std::sync::atomic::{AtomicU32, Ordering};
use std::vec::Vec;

/// A piece of memory, in bytes from 0 up, the low byte first. Several threads may use it.
#[derive(Debug, Default)]
pub struct Memory {
    words: Box<[AtomicU32]>,
    size: u64,
}

/// An access that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// What is wrong.
    pub kind: TroubleKind,
    /// The space: index into [`MachineInfo::spaces`](super::MachineInfo::spaces).
    pub space: usize,
    /// The bank.
    pub bank: u64,
    /// The address.
    pub address: u64,
    /// Bytes of the access.
    pub bytes: u32,
    /// The size of the memory.
    pub size: u64,
    /// It was a write.
    pub write: bool,
    /// The lanes that did something like it: a bit for each.
    pub lanes: u64,
}

/// What is wrong with an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TroubleKind {
    /// It is not all inside of the memory.
    Outside,
    /// The address is not a multiple of the access.
    Misaligned,
    /// There is no such bank.
    NoBank,
    /// Nobody writes to this memory.
    ReadOnly,
}

/// The memory that a warp sees. An access that cannot be reads 0, writes nothing, and is noted.
#[derive(Debug)]
pub struct Memories<'m> {
    /// For each space its memories: one, one for each bank, or one for each lane.
    spaces: &'m [&'m [Memory]],
    /// What cannot be, of all lanes of this instruction.
    trouble: Option<Trouble>,
}
