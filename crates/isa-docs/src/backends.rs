//! The list of back ends.

use isa_codegen::{Backend, Image, rust};

/// Every back end, in the order in which files are written.
pub fn backends() -> &'static [&'static dyn Backend] {
    &[&rust::Rust, &crate::pages::Markdown, &crate::pages::Html, &crate::json::Model, &Image]
}
