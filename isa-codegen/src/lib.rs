//! Rust and images of an instruction set. A back end is a pure function of the model ([`isa_spec::model::Isa`]), and none depends on
//! the name of an instruction set.
//!
//! - [`rust`]: a module of typed instructions, decoder, encoder, disassembler and assembler, and a simulator; as tokens for a macro, and
//!   with the feature `files` as files, which prettyplease formats;
//! - [`Image`]: the image of its tables, which `isa_tables` makes.
//!
//! The back ends of documentation are in `isa-docs`, with the list of all.

mod backend;
mod image;
pub mod rust;
mod visible;

pub use backend::{Backend, File};
pub use image::Image;
pub use visible::visible;
