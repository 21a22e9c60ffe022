//! Drafts of several entries, as one file.

use crate::opcode::{Opcode, OpcodeBits};
use crate::oracle::Oracle;
use crate::{draft, joined, reading};
use isa_spec::model::Isa;
use isa_stream::Stop;
use std::collections::HashSet;

/// Drafts of entries.
#[derive(Clone, Debug)]
pub struct Drafts {
    /// The file, with the faults as comments.
    pub yaml: String,
    /// The reasons why the oracle has no text for opcodes.
    pub refused: Vec<String>,
    /// Errors of the specification with the drafts, or else the words that have another text with them.
    pub faults: Vec<String>,
}

/// Drafts entries of opcodes in the notation of [`OpcodeBits`], for the specification with this name or path. `format` is the
/// format that they extend; `done` receives the number of opcodes so far, and of all.
///
/// # Errors
/// When an opcode or the format is not one of the instruction set, or the oracle fails.
pub fn drafts(
    (spec, isa): (&str, &Isa),
    oracle: &dyn Oracle,
    (given, bits): (&[String], Option<&OpcodeBits>),
    format: Option<&str>,
    mut done: impl FnMut(usize, usize),
) -> Result<Drafts, Stop> {
    let opcodes = given.iter().map(|given| Opcode::find(isa, given, bits));
    let mut opcodes = opcodes.collect::<Result<Vec<_>, Stop>>()?;
    let mut seen = HashSet::new();
    opcodes.retain(|opcode| seen.insert((opcode.mask, opcode.value, opcode.bits, opcode.word)));
    let (mut drafts, mut refused) = (Vec::new(), Vec::new());
    for (i, opcode) in opcodes.iter().enumerate() {
        done(i, opcodes.len());
        match draft::draft(isa, opcode, format, &|words| oracle.ask(words))? {
            Ok(draft) => drafts.push(draft),
            Err(reason) => refused.push(reason),
        }
    }
    let mut yaml = joined::yaml(isa, &drafts);
    let faults = if drafts.is_empty() { Vec::new() } else { reading::faults(spec, &yaml, &drafts)? };
    for fault in &faults {
        yaml.push_str(&format!("# {}\n", fault.replace('\n', " ")));
    }
    Ok(Drafts { yaml, refused, faults })
}
