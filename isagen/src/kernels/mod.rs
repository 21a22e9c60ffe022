//! Launch files of cubins.
//!
//! ```json
//! { "program": "saxpy.sm_80.cubin", "kernel": "saxpy", "grid": [4, 1, 1], "block": [256, 1, 1],
//!   "buffers": { "x": { "file": "x.bin" }, "y": { "file": "y.bin", "save": "y.out.bin" } },
//!   "arguments": [ { "u32": 1000 }, { "f32": 2.0 }, { "buffer": "x" }, { "buffer": "y" } ],
//!   "expect": [ { "buffer": "y", "file": "y.expect.bin", "as": "f32", "ulp": 0 } ] }
//! ```
//!
//! [`mod@file`] reads one, [`values`] parses its numbers, [`mod@compare`] compares results with expectations.

mod compare;
mod file;
mod values;

pub(crate) use compare::{Difference, compare};
pub(crate) use file::{Expected, Given, KernelFile, Of, is_of_cubins};
