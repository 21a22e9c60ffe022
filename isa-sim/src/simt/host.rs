//! Functions that are not of the program: what is called at addresses where it has no instruction.

use crate::engine::State;
use crate::fault::FaultKind;
use crate::memory::Memories;
use std::fmt;

/// What a lane has called.
#[derive(Debug)]
pub struct Call<'a, 'm> {
    /// The address that it has called.
    pub address: u64,
    /// The block.
    pub block: [u32; 3],
    /// The warp in the block.
    pub warp: u32,
    /// The lane.
    pub lane: usize,
    /// The memory that the warp sees.
    pub memory: &'a mut Memories<'m>,
}

/// Functions at addresses where the program has no instruction.
pub trait Host: fmt::Debug + Send + Sync {
    /// Whether a function is there.
    fn is_at(&self, address: u64) -> bool;

    /// Does what a lane has called, and gives the address that it goes on at. Lanes call one after the other, the lowest first.
    ///
    /// # Errors
    /// Why the run does not go on.
    fn call(&self, call: &mut Call<'_, '_>, state: &mut dyn State) -> Result<u64, FaultKind>;
}
