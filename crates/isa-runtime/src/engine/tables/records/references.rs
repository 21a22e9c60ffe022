//! References to strings, and to consecutive rows.

use crate::engine::record::record;
#[cfg(doc)]
use crate::engine::tables::*;

record! {
    /// A string: the index of its first byte in [`Common::bytes`], and its length.
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
        /// The number of rows.
        len: u32,
    }
}
