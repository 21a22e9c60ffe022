//! The pages with code in Rust, which is compiled and run; the suites are in folders beside this file.

/// The tour of generated modules, whose code is run.
#[cfg(doctest)]
#[doc = include_str!("../docs/api.md")]
pub struct Api;

/// The page about object files, with its piece of Rust.
#[cfg(doctest)]
#[doc = include_str!("../docs/cubins.md")]
pub struct Cubins;

/// The first page, with its piece of Rust.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
