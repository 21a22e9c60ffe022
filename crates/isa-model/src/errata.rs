//! Errata about a field: those that cite a line at which the document describes it.

use crate::model::{Doc, DocRef, Erratum, Field, Form, Isa, Owner};
use crate::span::Span;

/// The errata about a field of a form: those of its instruction, of the formats of that, of the instruction set, and of the
/// operand or the alternative that the field belongs to, which cite a line that the field cites.
///
/// A field that several instructions share cites lines of each. If some of them are among the lines of this instruction, the
/// others are ignored.
pub fn of_field<'a>(isa: &'a Isa, form: &Form, field: &Field) -> Vec<&'a Erratum> {
    let instruction = isa.instruction(form.instruction);
    let cited: Vec<DocRef> = field.doc.0.iter().copied().filter(|r| r.lines.is_some()).collect();
    let own: Vec<DocRef> = cited.iter().copied().filter(|r| meets(&instruction.doc, *r)).collect();
    let lines = if own.is_empty() { cited } else { own };
    if lines.is_empty() {
        return Vec::new();
    }
    let pieces = pieces(isa, form, field);
    let formats = std::iter::successors(instruction.format, |f| isa.formats[f.index()].extends);
    let whole = isa.errata.iter().chain(formats.flat_map(|f| &isa.formats[f.index()].errata));
    let of_instruction = instruction.errata.iter().filter(|e| e.piece.is_none());
    // An erratum of a shared piece is listed at the first instruction that uses the piece.
    let shared = isa.instructions.iter().flat_map(|i| &i.errata).filter(|e| e.piece.is_some_and(|p| pieces.contains(&p)));
    whole.chain(of_instruction).chain(shared).filter(|e| lines.iter().any(|r| meets(&e.at, *r))).collect()
}

/// The declarations of the operand and of the alternative that a field belongs to.
fn pieces(isa: &Isa, form: &Form, field: &Field) -> Vec<Span> {
    let instruction = isa.instruction(form.instruction);
    match field.owner {
        Owner::Instruction => Vec::new(),
        Owner::Bind(bind) => vec![isa.operand_types[instruction.binds[bind].operand.index()].span],
        Owner::Slot(slot, operand) => {
            let choice = &isa.choice_types[instruction.slots[slot].choice.index()];
            let alternative = &choice.alternatives[form.picks[slot]];
            let operand = operand.and_then(|operand| alternative.binds.get(operand));
            let operand = operand.map(|(_, ty)| isa.operand_types[ty.index()].span);
            operand.into_iter().chain([alternative.span]).collect()
        }
    }
}

/// True if a document is cited with a line of these.
fn meets(doc: &Doc, DocRef { source, lines }: DocRef) -> bool {
    let Some((first, last)) = lines else { return false };
    doc.0.iter().any(|r| r.source == source && r.lines.is_some_and(|(a, b)| a <= last && first <= b))
}
