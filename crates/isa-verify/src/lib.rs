//! Comparison of a specification with other implementations of the same instruction set.
//!
//! [`compare()`] compares texts with another disassembler, an [`Oracle`], or with those of a file: `words` makes words of every
//! form, or of [`Chosen`] ones, `judge` compares, `groups` groups the disagreements by form and field, `coverage` records the
//! parts of the specification that occurred; `vectors` reads files, `tool` runs programs. [`run`] compares execution.
//!
//! [`missing()`] finds opcodes that the specification lacks. [`drafts()`] probes opcodes (`opcode` selects their words) and drafts
//! their entries: `draft` asks, `inherited` has the parts that a format provides, `tokens` compares texts, `slots` finds the
//! meaning of bits, `entry` collects it, `joined` writes YAML, and `reading` reads the words with it.

mod chosen;
mod compare;
mod coverage;
mod draft;
mod drafts;
mod entry;
mod groups;
mod inherited;
mod joined;
mod judge;
mod missing;
mod opcode;
mod oracle;
mod reading;
pub mod run;
mod slots;
mod tokens;
mod tool;
mod vectors;
mod words;

pub use chosen::Chosen;
pub use compare::{Against, Report, Tried, compare};
pub use coverage::{Coverage, Share};
pub use drafts::{Drafts, drafts};
pub use groups::{About, Group};
pub use judge::{Difference, Kind};
pub use missing::{Missing, missing};
pub use opcode::OpcodeBits;
pub use oracle::{Case, Oracle, Said, open};
pub use vectors::Columns;
