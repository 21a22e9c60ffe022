//! Compares a specification with another disassembler, or with words and texts of a file.
//!
//! [`words`] makes words of every form, or of [`chosen`] ones, [`oracle`] asks for their texts, [`judge`] compares, [`groups`]
//! groups the disagreements by form and field, [`coverage`] records the parts of the specification that occurred; [`vectors`] reads files, [`tool`] runs
//! programs.
//!
//! [`draft`] probes opcodes ([`mod@opcode`] selects their words): [`mod@inherited`] has the parts that a format provides,
//! [`tokens`] compares texts, [`slots`] finds the meaning of bits, [`mod@entry`] collects it, [`joined`] writes YAML,
//! and [`reading`] reads the words with it.
//! [`mod@missing`] finds the opcodes. [`mod@run`] compares execution.

pub(crate) mod chosen;
pub(crate) mod coverage;
pub(crate) mod draft;
mod entry;
pub(crate) mod groups;
mod inherited;
pub(crate) mod joined;
pub(crate) mod judge;
pub(crate) mod missing;
pub(crate) mod opcode;
pub(crate) mod oracle;
pub(crate) mod reading;
pub(crate) mod run;
mod slots;
mod tokens;
mod tool;
pub(crate) mod vectors;
pub(crate) mod words;
