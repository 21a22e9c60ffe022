//! The files of the project: their origin, and their words; tests that test something.

mod data;
mod skipped;
mod terms;
