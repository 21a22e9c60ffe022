//! The parts of an opcode's entry that a format provides.

use crate::opcode::Opcode;
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
    /// The names that the format has: of fields and of control codes.
    pub(super) names: Vec<String>,
    /// Fields that the format prints and that each of its entries declares itself.
    pub(super) wanted: Vec<(String, Bits)>,
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
    let mut found = Inherited { format: None, fix: Vec::new(), fields: Word::ZERO, names: Vec::new(), wanted: Vec::new() };
    let Some(format) = format else { return Ok(found) };
    let members: Vec<&Form> = forms().filter(|form| format_of(form) == Some(format)).collect();
    let Some(first) = members.first() else { return Ok(found) };
    found.format = Some(isa.formats[format.index()].name.clone());
    let entry_of = |form: &Form| isa.instruction(form.instruction).entry;
    let source_of = |form: &Form| {
        let entry = entry_of(form);
        &isa.files.file(entry.file).text[entry.range()]
    };
    let any_entry_has = |text: String| members.iter().any(|form| source_of(form).contains(&text));
    for field in first.fields.iter().filter(|field| field.owner == Owner::Instruction) {
        // A field of the format has one declaration.
        let others = members.iter().filter_map(|form| form.field(&field.path)).filter(|other| other.span != field.span).count();
        let entry = entry_of(first);
        let is_inside = field.span.file == entry.file && entry.range().contains(&field.span.range().start);
        let is_there = |form: &&Form| form.field(&field.path).is_some_and(|other| other.bits == field.bits);
        if is_inside || others > 0 {
            if members.iter().all(is_there) && !any_entry_has(format!("{{{}", field.path)) {
                found.wanted.push((field.path.clone(), field.bits.clone()));
            }
            continue;
        }
        found.names.push(field.path.clone());
        let is_same =
            |form: &&Form| form.field(&field.path).is_some_and(|f| f.label == field.label && f.spelling == field.spelling);
        if members.iter().all(|form| is_there(form) && is_same(form)) {
            found.fields |= field.bits.mask();
        }
    }
    found.names.extend(first.control.iter().map(|item| item.list.clone()));
    for fixed in first.fixed.iter().filter(|fixed| !fixed.name.is_empty()) {
        // `op: 11..0` among the fields of an entry is not the format's.
        let is_own = any_entry_has(format!("{}: {}", fixed.name, fixed.bits));
        let is_same = |form: &Form| form.fixed.iter().any(|f| f.name == fixed.name && f.bits == fixed.bits);
        if is_own || !members.iter().all(|form| is_same(form)) {
            continue;
        }
        found.names.push(fixed.name.clone());
        if (fixed.bits.mask() & !opcode.mask).is_zero() {
            found.fix.push((fixed.name.clone(), fixed.bits.clone()));
        }
    }
    Ok(found)
}
