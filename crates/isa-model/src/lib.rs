//! The model of an instruction set, and what it is made of.
//!
//! The front end makes it of a specification, the back ends read it: neither is needed here. [`bits`] are words, [`sets`] are exact sets
//! of them; the [`model`] has the forms, texts and conditions of an instruction set, [`semantics`] what they do and the machine that they
//! do it on. Findings ([`diag`]) have places ([`span`]) in the files of the specification. [`print`](mod@print) prints a word; what else walks the
//! model is in crates of its own.

pub mod bits;
pub mod describe;
pub mod diag;
pub mod errata;
pub mod escape;
mod excerpt;
pub mod model;
pub mod opcode_map;
pub mod print;
pub mod semantics;
pub mod sets;
pub mod shorter;
pub mod span;

/// The machine of an instruction set, as programs are run with it.
pub fn machine_info(isa: &model::Isa) -> isa_runtime::machine::MachineInfo {
    isa.machine.info(isa.words.units(), isa.registers.iter().map(|file| file.info(&isa.machine)).collect())
}
