//! The macros that declare the types of generated modules. A module has its own `TABLES`, `Word`, `Isa`, `Form`, `Insn` and
//! `Builder`, which the macros name.
//!
//! Functions that are not generic are `#[inline]` here: a module has thousands, but a program calls few, and only those are
//! compiled, in the crates that call them.

mod handler;
mod insns;
mod instruction;
mod isa;
mod named;
mod operands;
