//! The shared code of the suites of tests, which are beside this crate, one for each subject:
//!
//! * `language`: the front end on specifications, good ones and faulty ones, with whole messages; that every key has an
//!   example that works, and every code of a finding a page;
//! * `bounds`: small specs that once hung, crashed or went wrong, thousands of damaged specs and texts, and damaged images, in
//!   bounded time and memory;
//! * `small`: small random specs, and pairs of versions of them, on which all implementations and brute force must agree;
//! * `words`: words to texts and back, by other tools, by documents, and by all implementations;
//! * `simulation`: instructions against models written in Rust, on both engines;
//! * `modules`: generated modules as a program has them;
//! * `site`: the pages in a browser, and the engine in JavaScript;
//! * `project`: the origin of data, and the terms of CONTRIBUTING.md.

mod agree;
mod agree_text;
mod bodies;
pub mod bounded;
mod codec;
mod damage;
mod effects;
mod effort;
mod engines;
mod json;
mod lists;
mod markers;
pub mod small;
mod specs;
mod vectors;
mod warp;

pub use agree::{Generated, Seen, agree, damaged};
pub use agree_text::{GeneratedText, SeenText, agree_text, same};
pub use bodies::random_bodies;
pub use codec::Codec;
pub use damage::damage;
pub use effects::effects_hold;
pub use effort::amount;
pub use engines::{engines_agree, engines_agree_on_every_word};
pub use isa_reference::samples::Random;
pub use json::json;
pub use lists::ListEngine;
pub use markers::{Marker, markers};
pub use specs::{beside_suites, load, project_files, shipped, shipped_codec, shipped_isa, shipped_with_modules, yaml_files};
pub use vectors::{TEXTS, Vector, all_right, ask, vectors, vectors_at};
pub use warp::{Fields, Ran, Warp, WarpEngine};
