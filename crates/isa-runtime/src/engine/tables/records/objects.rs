//! Object files.

use super::Str;
use crate::engine::record::record;

record! {
    /// An architecture of the object files that hold code of the instruction set.
    Object {
        /// The machine's number in ELF.
        machine: u16,
        /// The architecture: `sm_80`.
        architecture: Str,
        /// The name of the register file whose registers per kernel are recorded in such files; empty if none is.
        registers: Str,
    }
}
