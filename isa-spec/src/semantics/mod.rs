//! The semantics language: what an instruction does, as a small typed language of bit vectors.
//! Its reference is `docs/semantics.md`.

pub(crate) mod affine;
pub(crate) mod asks;
mod check;
pub(crate) mod pure;
mod scope;

pub(crate) use check::lanes::check_warps;
pub use check::{check, elaborate, elaborate_value};
pub use isa_model::semantics::*;
pub use isa_syntax::lang::semantics::*;
pub use scope::{Is, Referent, Scope};
