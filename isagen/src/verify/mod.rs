//! Holds a specification against another disassembler, or against words and texts of a file.
//!
//! [`words`] makes words of every form, [`oracle`] asks for their texts, [`judge`] compares, [`groups`] says by form and field
//! where the two disagree, [`coverage`] what was seen; [`vectors`] reads files, [`tool`] runs programs.
//!
//! [`draft`] probes opcodes ([`mod@opcode`] says which words these are): [`mod@inherited`] is what a format has of them, [`tokens`] compares
//! texts, [`slots`] says what bits mean, [`mod@entry`] collects it, [`joined`] writes YAML. [`mod@missing`] finds the opcodes.

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
mod slots;
mod tokens;
mod tool;
pub(crate) mod vectors;
pub(crate) mod words;
