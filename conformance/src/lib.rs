//! What the conformance tests share: the folders they read, and a source of random words that is the same on every run.
//!
//! The tests themselves are in `tests/`, one file for each question:
//!
//! * `refused`: does every faulty spec give its whole message, at the right characters?
//! * `small_specs`: do front end, reference codec and engine say of small random specs what trying all their words says?
//! * `small_diffs`: is what is said of two versions of a small random spec what trying all their words says?
//! * `tables`: do engine and reference codec say the same of words made from every form, and of damaged texts?
//! * `images`: are damaged images answered, in bounded time and memory?
//! * `machines`: is the machine that an image has the machine of its specification?
//! * `explorer`: does the engine in JavaScript say what the reference codec says?
//! * `site`: do the pages work in a browser?
//! * `accepted`: do small good specs decode, print, parse and count as a reader would by hand?
//! * `cases`: are small specs that once hung, crashed or went wrong answered rightly, in bounded time and memory?
//! * `mutated`: are damaged specs and texts, by thousands?
//! * `vectors`: do the shipped specs agree with other tools?
//! * `properties`: do decode and encode, print and parse, interpreter and generated code agree on random words?
//! * `shipped`: the same of the specs that isagen ships.
//! * `arithmetic`: do instructions compute what documents say, by models written in Rust, on both engines?
//! * `codes`: does each code of a finding have a page?
//! * `every_key`: has every key of the language an example that works?
//! * `data`: has every data file an origin and a licence?
//! * `terms`: is everything written in the terms of CONTRIBUTING.md?
//! * `ui`: what does `define_isa!` accept, and what does it say when it does not?

mod agree;
mod agree_text;
pub mod bounded;
mod codec;
mod damage;
mod engines;
mod json;
mod markers;
pub mod small;
mod specs;
mod vectors;
mod warp;

pub use agree::{Generated, Seen, agree, damaged};
pub use agree_text::{GeneratedText, SeenText, agree_text, same};
pub use codec::Codec;
pub use damage::damage;
pub use engines::{engines_agree, engines_agree_on_every_word};
pub use isa_spec::samples::Random;
pub use json::json;
pub use markers::{Marker, markers};
pub use specs::{load, project_files, shipped, shipped_isa, shipped_with_modules, yaml_files};
pub use vectors::{TEXTS, Vector, all_right, ask, vectors, vectors_at};
pub use warp::{Fields, Ran, Warp};

/// The tour of generated modules, whose code is run.
#[cfg(doctest)]
#[doc = include_str!("../../docs/api.md")]
pub struct Api;
