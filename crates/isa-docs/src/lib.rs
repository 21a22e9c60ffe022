//! Documentation of an instruction set, made of its model.
//!
//! - [`pages`]: documentation tables as Markdown, and a site in HTML;
//! - [`json`]: the model itself, for tools that are not written in Rust.
//!
//! [`backends`] lists all back ends, those of `isa-codegen` included.

mod backends;
pub mod json;
pub mod pages;

pub use backends::backends;

/// The example of docs/backends.md is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/backends.md")]
struct HowToAddABackend;
