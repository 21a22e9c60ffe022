//! From the tree of a text in the language of semantics to its meaning in one form: names, widths, types. The reference of the
//! language is `docs/semantics.md`; `isa-syntax` reads its texts, `isa-model` has both trees.

#[doc(hidden)]
pub mod affine;
#[doc(hidden)]
pub mod asks;
mod check;
#[doc(hidden)]
pub mod pure;
mod scope;

pub use check::lanes::check_warps;
pub use check::{check, elaborate, elaborate_value};
pub use scope::{Is, Referent, Scope};
