//! The parts of an opcode's entry that a format provides.

use super::opcode::Opcode;
use isa_spec::bits::Bits;
use isa_spec::model::{Form, FormatId, Isa, Owner, Word};
use isa_stream::Stop;
use std::collections::BTreeMap;

/// The parts that a draft inherits from a format.
pub(super) struct Inherited {
    pub(super) format: Option<String>,
    /// Fixed fields of the format in the opcode, with their values.
    pub(super) fix: Vec<(String, Bits)>,
    /// Bits of fields of the format.
    pub(super) fields: Word,
    /// The names of these fields.
    pub(super) names: Vec<String>,
}

/// The format with the most forms, or the one with this name: an entry that extends it has everything that its forms have in
/// common.
pub(super) fn inherited(isa: &Isa, opcode: &Opcode, name: Option<&str>) -> Result<Inherited, Stop> {
    let forms = || isa.forms.iter().filter(|form| form.length == opcode.bits);
    let format_of = |form: &Form| isa.instruction(form.instruction).format;
    let mut counts: BTreeMap<FormatId, usize> = BTreeMap::new();
    forms().filter_map(format_of).for_each(|format| *counts.entry(format).or_default() += 1);
    let format = match name {
        Some(name) => {
            let found = counts.keys().find(|id| isa.formats[id.index()].name == name);
            let names: Vec<&str> = counts.keys().map(|id| isa.formats[id.index()].name.as_str()).collect();
            let help = || format!("formats that instructions extend: {}", names.join(", "));
            Some(*found.ok_or_else(|| Stop::with_help(format!("no instruction extends a format `{name}`"), help()))?)
        }
        None => counts.into_iter().max_by_key(|(_, count)| *count).map(|(format, _)| format),
    };
    let mut found = Inherited { format: None, fix: Vec::new(), fields: Word::ZERO, names: Vec::new() };
    let Some(format) = format else { return Ok(found) };
    let members: Vec<&Form> = forms().filter(|form| format_of(form) == Some(format)).collect();
    let Some(first) = members.first() else { return Ok(found) };
    found.format = Some(isa.formats[format.index()].name.clone());
    for field in first.fields.iter().filter(|field| field.owner == Owner::Instruction) {
        let entry = isa.instruction(first.instruction).entry;
        let is_own = field.span.file == entry.file && entry.range().contains(&field.span.range().start);
        let is_same = |form: &&Form| {
            form.field(&field.path)
                .is_some_and(|f| f.bits == field.bits && f.label == field.label && f.spelling == field.spelling)
        };
        if !is_own && members.iter().all(is_same) {
            found.fields |= field.bits.mask();
            found.names.push(field.path.clone());
        }
    }
    for fixed in first.fixed.iter().filter(|fixed| !fixed.name.is_empty()) {
        let is_same = |form: &Form| form.fixed.iter().any(|f| f.name == fixed.name && f.bits == fixed.bits);
        if members.iter().all(|form| is_same(form)) && (fixed.bits.mask() & !opcode.mask).is_zero() {
            found.fix.push((fixed.name.clone(), fixed.bits.clone()));
        }
    }
    Ok(found)
}
