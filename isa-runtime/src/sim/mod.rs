//! The machine that programs run on: warps of lanes that execute one instruction at a time under a mask.
//!
//! What an instruction does is an [`Engine`]'s: the functions that are generated from a specification, or an evaluator that walks it.
//! All the rest is here, and is the same for every instruction set: [`Memories`], the divergence of a warp, barriers,
//! the order of warps and blocks, faults, and the launch of a kernel.
//!
//! Nothing panics and nothing hangs: whatever a program does wrong is a fault that says where.

pub mod bits;
pub mod compiled;
mod engine;
mod fault;
pub mod float;
mod info;
mod memory;
mod program;
mod run;
mod warp;

pub use engine::{Engine, Flow, MAX_LANES, State, Step, Wanted};
pub use fault::{Fault, FaultKind};
pub use info::{
    Divergence, FlagsInfo, LaunchValue, MachineInfo, ParamsInfo, RegistersInfo, Sharing, SpaceInfo, VariantInfo, unit_bytes,
};
pub use memory::{Memories, Memory, Space, Trouble, TroubleKind};
pub use program::{BadProgram, Placed, Program};
pub use run::{Control, DEFAULT_SIZE, Finished, Image, Launch, RunError, Statistics, Trace, Traced, run};

/// What generated code uses of the standard library.
pub mod prelude {
    pub use std::boxed::Box;
    pub use std::string::{String, ToString};
    pub use std::{format, vec};
}
