//! The machine that programs run on: warps of lanes that execute one instruction at a time under a mask.
//!
//! What an instruction does is an [`Engine`]'s: the functions that are generated from a specification, or an evaluator that walks it.
//! All the rest is here, and is the same for every instruction set: [`Memories`], the divergence of a warp, barriers,
//! the order of warps and blocks, faults, and the launch of a kernel.
//!
//! Nothing panics and nothing hangs: whatever a program does wrong is a fault that says where.

mod any;
pub mod bits;
mod code;
pub mod compiled;
mod engine;
mod fault;
pub mod float;
mod launch;
mod masks;
mod memory;
pub mod plain;
mod prepared;
mod program;
mod run;
mod values;
mod warp;

pub use any::AnyEngine;
pub use engine::{Engine, Flow, MAX_LANES, State, Step, Wanted};
pub use fault::{BadBarrier, Fault, FaultKind, NotExecutable};
pub use isa_runtime::machine::{
    Divergence, FlagsInfo, LaunchValue, MachineInfo, ParamsInfo, RegistersInfo, Sharing, SpaceInfo, VariantInfo, unit_bytes,
};
pub use launch::{BadLaunch, Control, DEFAULT_SIZE, Image, Launch};
pub use memory::{Memories, Memory, Opened, Space, Trouble, TroubleKind};
pub use program::{BadProgram, Placed, Program};
pub use run::{Finished, RunError, Statistics, Trace, Traced, run};

/// What generated code uses of the standard library, which its crate need not link.
pub mod prelude {
    pub use std::boxed::Box;
    pub use std::string::{String, ToString};
    pub use std::{format, vec};
}
