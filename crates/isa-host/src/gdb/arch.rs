//! The static register types that `gdbstub` requires, for the registers of any specification.

use gdbstub::arch::{Arch, RegId, Registers};
use std::num::NonZeroUsize;

/// The architecture of any specification: addresses have at most 64 bits, and the description contains the registers.
pub(super) enum Described {}

impl Arch for Described {
    type Usize = u64;
    type Registers = Bytes;
    type BreakpointKind = usize;
    type RegId = Number;
}

/// The bytes of all registers, in the order of the description.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Bytes(pub(super) Vec<u8>);

impl Registers for Bytes {
    type ProgramCounter = u64;

    /// `gdbstub` does not call it.
    fn pc(&self) -> u64 {
        0
    }

    fn gdb_serialize(&self, mut write_byte: impl FnMut(Option<u8>)) {
        self.0.iter().for_each(|byte| write_byte(Some(*byte)));
    }

    fn gdb_deserialize(&mut self, bytes: &[u8]) -> Result<(), ()> {
        self.0 = bytes.to_vec();
        Ok(())
    }
}

/// The number of a register in the description.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number(pub(super) usize);

impl RegId for Number {
    fn from_raw_id(id: usize) -> Option<(Self, Option<NonZeroUsize>)> {
        Some((Self(id), None))
    }
}
