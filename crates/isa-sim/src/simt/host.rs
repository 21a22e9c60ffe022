//! Functions outside the program: calls of addresses where it has no instruction.

use crate::engine::State;
use crate::fault::FaultKind;
use crate::memory::Memories;
use std::fmt;

/// A call by a lane.
#[derive(Debug)]
pub struct Call<'a, 'm> {
    /// The called address.
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
    /// True if there is a function at an address.
    fn is_at(&self, address: u64) -> bool;

    /// Runs the called function for a lane, and returns the address where it continues. Lanes call one after the other, the
    /// lowest first.
    ///
    /// # Errors
    /// The reason why the run can't continue.
    fn call(&self, call: &mut Call<'_, '_>, state: &mut dyn State) -> Result<u64, FaultKind>;
}
