//! The files of the project: their origin, their words, and their checks.

mod data;
mod terms;
mod workflows;
