//! Generated modules as a program has them.

mod generated;
mod handler;
mod hygiene;
