//! The macros by which generated modules declare their types. A module has `TABLES`, `Word`, `Isa`, `Form`, `Insn` and `Builder` of its
//! own, which the macros name.
//!
//! Functions that are not generic are `#[inline]` here: a module has thousands, of which a program calls a few, and those alone are
//! compiled, where they are called.

mod handler;
mod insns;
mod instruction;
mod isa;
mod named;
mod operands;
