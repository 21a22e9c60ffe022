//! What is done with a model once all its forms are known. Neither the text of the specification nor the declarations in it are needed.
//!
//! 1. [`solve`]: conditions to sets of words;
//! 2. [`is_whole`]: every bit of each form is accounted for;
//! 3. [`resolve`]: which forms specialise which (two that share words otherwise clash), and what no form has;
//! 4. [`check`]: the rules that a model keeps, a file each: no words of the wrong length, texts that can be read back. It changes nothing.
//!
//! [`same_text`] decides for two forms whether they have a text in common, [`automaton`] has the texts of a form with the words that
//! print them, [`text_graph`] the ways to spell a value.

pub mod automaton;
mod check;
mod float_layout;
mod resolve;
pub mod same_text;
mod shapes;
mod solve;
pub mod text_graph;

pub use check::{check, is_whole};
pub use resolve::resolve;
pub use solve::solve;
