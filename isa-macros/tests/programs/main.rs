//! `define_isa!` in programs that compile and run.

mod in_place;
mod renamed;
mod text_alone;
