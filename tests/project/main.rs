//! The files of the project: their origin, and their words.

mod data;
mod terms;
