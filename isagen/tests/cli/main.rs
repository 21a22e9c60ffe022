//! The command line, session by session: every file of `sessions/` is what a person would see who types the commands behind `$`,
//! with standard input behind `<`, standard error behind `!`, and the exit status where it is not 0.
//!
//! `BLESS=1 cargo test -p isagen --test cli` writes the sessions.

mod cores;
mod images;
mod objects;
mod programs;
mod session;
mod specs;
mod streams;
mod words;
