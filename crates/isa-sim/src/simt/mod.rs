//! The machine of several lanes: a kernel is a grid of blocks of warps, whose lanes execute one instruction at a time under a
//! mask.
//!
//! A machine with one lane runs here too; [`Machine`](crate::Machine) has the features that programs of cores need.

mod barrier;
mod fair;
mod groups;
mod host;
mod lanes;
mod launch;
mod prepared;
mod program;
mod run;
mod schedule;
mod threads;
mod values;
mod warp;

pub use host::{Call, Host};
pub use launch::{BadLaunch, Control, DEFAULT_SIZE, Image, Launch, Part};
pub use program::{BadProgram, Program};
pub use run::{Count, Finished, RunError, Statistics, Trace, Traced, run};
