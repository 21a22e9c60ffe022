//! The instruction sets that ship with isagen, compiled from `specs/`.
//!
//! Each is a feature of this crate, named after its file; all are on by default. With the feature `typed`, each has a module of
//! typed instructions; with the feature `sim`, those that can be executed have a simulator in it, and without `typed` nothing
//! else. The image of its tables, for `isa_runtime::engine`, is always there:
//!
//! ```toml
//! generated = { version = "0.1", default-features = false, features = ["ampere"] }   # `image("ampere")`, and no module
//! ```
#![no_std]
// A spec's entry is quoted line by line; if a line ends like a statement, the printer inserts a blank line after it.
#![allow(clippy::empty_line_after_doc_comments)]

include!(concat!(env!("OUT_DIR"), "/all.rs"));
