//! The files of the project: their origin, their words, and their checks; tests that test something.

mod data;
mod skipped;
mod structure;
mod terms;
mod workflows;
