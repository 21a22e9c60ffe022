//! The macros by which generated modules declare their types. A module has `TABLES`, `Word`, `Isa`, `Form`, `Insn` and `Builder` of its
//! own, which the macros name.

mod handler;
mod insns;
mod instruction;
mod isa;
mod named;
mod operands;
