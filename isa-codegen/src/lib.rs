//! The back ends: each is a pure function of the model ([`isa_spec::model::Isa`]), and none depends on the name of an instruction set.
//! [`backends`] lists them.
//!
//! - [`rust`]: a module of typed instructions, decoder, encoder, disassembler and assembler;
//! - [`docs`]: documentation tables, as Markdown and HTML;
//! - [`json`]: the model itself, for tools that are not written in Rust;
//! - [`tables`]: tables for `isa_runtime::engine`, and their image.

mod backend;
mod backends;
#[cfg(feature = "docs")]
pub mod docs;
#[cfg(feature = "docs")]
pub mod json;
pub mod rust;
pub mod tables;
mod visible;

pub use backend::{Backend, File};
pub use backends::backends;

/// The example of docs/backends.md is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../docs/backends.md")]
struct HowToAddABackend;
