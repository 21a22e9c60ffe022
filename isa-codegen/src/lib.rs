//! The back ends: each is a pure function of the model ([`isa_spec::model::Isa`]), and none depends on the name of an instruction set.
//! [`backends`] lists them.
//!
//! - [`rust`]: a module of typed instructions, decoder, encoder, disassembler and assembler;
//! - [`docs`]: documentation tables, as Markdown and HTML;
//! - [`json`]: the model itself, for tools that are not written in Rust;
//! - [`Image`]: the image of its tables, which `isa_tables` makes.

mod backend;
mod backends;
#[cfg(feature = "docs")]
pub mod docs;
mod image;
#[cfg(feature = "docs")]
pub mod json;
pub mod rust;
mod visible;

pub use backend::{Backend, File};
pub use backends::backends;
pub use image::Image;

/// The example of docs/backends.md is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../docs/backends.md")]
struct HowToAddABackend;
