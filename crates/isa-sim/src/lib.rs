//! Machines that programs run on.
//!
//! An [`Engine`] executes the instructions, by functions that are generated from a specification, or by an evaluator that walks
//! it. Everything else is the same for every instruction set:
//!
//! - [`Machine`], a core with its memories: it loads a program, runs, stops and continues, under a [`Host`] or alone;
//! - [`simt`], warps of lanes that diverge and reconverge, barriers, blocks and launches;
//! - [`soft`], IEEE 754 arithmetic with all of its formats, roundings and flags.
//!
//! Nothing panics and nothing hangs: an error of a program is a fault with its place.

mod any;
pub mod bits;
mod code;
pub mod compiled;
mod core;
mod device;
mod engine;
mod fault;
pub mod float;
mod masks;
mod memory;
mod placed;
pub mod plain;
pub mod simt;
pub mod soft;

pub use any::{AnyEngine, copy_lane};
#[doc(hidden)]
pub use core::Core;
pub use core::{
    Answer, BadCode, BadRegion, Change, Exit, Guest, Host, Machine, NoRegister, NoSpace, Register, SeveralLanes, Stopped, Traced,
};
pub use device::{Device, Refused, Signal};
pub use engine::{Engine, Flow, MAX_LANES, State, Step, Supplied, Wanted};
pub use fault::{BadBarrier, Fault, FaultKind, NotExecutable, Place};
pub use isa_runtime::action::Action;
pub use isa_runtime::machine::{
    Divergence, FlagsInfo, LaunchValue, LinuxInfo, MachineInfo, ParamsInfo, RegionInfo, RegistersInfo, Routine, Sharing,
    SpaceInfo, VariantInfo, Which, Write,
};
pub use memory::{
    Access, CoreSpace, Denied, Hit, Memories, Memory, Opened, PAGE, Pages, Rights, Rules, Space, Trouble, TroubleKind, Watch,
};
pub use placed::{Misplaced, Placed};

/// Items of the standard library for generated code, whose crate need not link it.
pub mod prelude {
    pub use std::boxed::Box;
    pub use std::string::{String, ToString};
    pub use std::vec::Vec;
    pub use std::{format, vec};
}
