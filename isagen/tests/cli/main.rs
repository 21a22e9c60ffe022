//! The command line, session by session: every file of `sessions/` shows a terminal session: commands after `$`,
//! standard input after `<`, standard error after `!`, and the exit status if it is not 0.
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

/// True if everything is tried, as by `.ci/run`, not a sample.
fn is_thorough() -> bool {
    std::env::var_os("THOROUGH").is_some()
}
