//! `define_isa!` in programs that compile and run.

mod alike;
mod in_place;
mod renamed;
mod text_alone;
