//! References to strings, and to consecutive rows.

use crate::engine::record::record;
#[cfg(doc)]
use crate::engine::tables::*;

record! {
    /// A string: where it begins in [`Tables::bytes`], and how many bytes it has.
    Str {
        /// First byte.
        at: u32,
        /// Bytes.
        len: u32,
    }

    /// Consecutive rows of a table.
    Rows {
        /// The first row.
        at: u32,
        /// How many.
        len: u32,
    }
}
