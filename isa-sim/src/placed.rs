//! A word of a program, and where it stands.

use isa_runtime::U256;

/// A word of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Its address in bytes.
    pub address: u64,
    /// The word.
    pub word: U256,
    /// Bits of the word.
    pub bits: u32,
}
