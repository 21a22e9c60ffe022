//! The names of the commands, as clap derives them from `commands::Command`. They are repeated here because `spec` suggests them
//! for a misspelt argument, and can't use `commands`, which depends on it.

/// All commands, in the order of the help.
pub(crate) const COMMANDS: [&str; 17] = [
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
    "schema",
    "completions",
];
