//! The names of the commands, as clap makes them of `commands::Command`. The commands can't be asked here: a misspelt one is taken for a
//! specification, which they load.

/// All of them, in the order of the help.
pub(crate) const COMMANDS: [&str; 16] = [
    "build",
    "check",
    "disasm",
    "asm",
    "fmt",
    "run",
    "stats",
    "eval",
    "explain",
    "explain-error",
    "map",
    "verify",
    "diff",
    "docs",
    "new",
    "completions",
];
