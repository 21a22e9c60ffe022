//! Fields and mnemonics that texts leave out, or print twice.

use isa_spec::diag::Diagnostic;
use isa_spec::model::{Field, Form, InstructionId, Isa, Piece, When};
use isa_spec::span::Span;
use std::collections::{BTreeMap, BTreeSet};

/// A field that is probably missing from texts by mistake.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Slip<'a> {
    /// A field of formats and instructions that no form prints.
    Field(Span, &'a str),
    /// An operand none of whose fields any form of an instruction prints.
    Operand(InstructionId, &'a str),
}

/// Warnings about fields and operands that no text has, and about mnemonics that a text has twice; and the instructions that have such
/// fields, of which words must have one text.
pub(super) fn unsaid(isa: &Isa) -> (Vec<Diagnostic>, BTreeSet<(u32, u32)>) {
    let mut slips: BTreeMap<Slip<'_>, Vec<(&Form, &Field)>> = BTreeMap::new();
    let mut printed = BTreeSet::new();
    let mut list = Vec::new();
    for form in &isa.forms {
        let mut said = BTreeSet::new();
        said_in(&form.text, &mut said);
        said_in(&form.full, &mut said);
        for (i, field) in form.fields.iter().enumerate() {
            let operand = field.path.rsplit_once('.').map(|(operand, _)| operand);
            let slip = || match operand {
                Some(operand) => Slip::Operand(form.instruction, operand),
                None => Slip::Field(field.span, &field.name),
            };
            if said.contains(&i) {
                printed.insert(slip());
            } else {
                slips.entry(slip()).or_default().push((form, field));
            }
        }
        list.extend(twice(isa, form));
    }
    // If the texts are those of a tool, a field that it does not print is no mistake, unless other forms fix a field of this
    // name.
    let fixed: BTreeSet<&str> = isa.forms.iter().flat_map(|form| form.fixed.iter().map(|f| f.name.as_str())).collect();
    // A form that has words of others because it does not fix a field has a finding for that reason.
    let is_declared = |inner: &Form, outer: &Form| inner.over.iter().any(|over| over.words_of(outer.id).is_some());
    let is_around = |(form, _): &(&Form, &Field)| form.specialised_by.iter().any(|id| !is_declared(isa.form(*id), form));
    let is_meant = |slip: &Slip<'_>| isa.follows.is_some() && !matches!(slip, Slip::Field(_, name) if fixed.contains(name));
    let mut instructions = BTreeSet::new();
    for (slip, of) in
        slips.into_iter().filter(|(slip, of)| !printed.contains(slip) && !is_meant(slip) && !of.iter().any(is_around))
    {
        let (form, field) = of[0];
        let of: BTreeSet<InstructionId> = of.iter().map(|(form, _)| form.instruction).collect();
        let others = match of.len() {
            1 => String::new(),
            n => format!(" and {} other{}", n - 1, if n == 2 { "" } else { "s" }),
        };
        let (insn, name) = (isa.instruction(form.instruction), &field.name);
        let (message, help) = match slip {
            Slip::Field(..) => (
                format!("`{name}` is neither fixed nor printed by {}{others}: all its values have one text", insn.name),
                format!("fix it (`fix: {{ {name}: 0 }}`), print it (`{{{name}}}`), or say that its bits are `ignored`"),
            ),
            Slip::Operand(_, operand) => (
                format!("the text of {} lacks the operand `{operand}`: all its values have one text", insn.name),
                format!("print it: `{{{operand}}}`"),
            ),
        };
        let finding = Diagnostic::warning("unprinted", message, insn.span).with_help(help);
        list.push(if insn.entry.range().contains(&(field.span.start as usize)) && insn.entry.file == field.span.file {
            Diagnostic { labels: vec![(field.span, String::new())], ..finding }
        } else {
            finding.with_label(field.span, "this field")
        });
        instructions.extend(of.into_iter().map(|i| (i.0, i.0)));
    }
    list.sort_by_key(Diagnostic::span);
    list.dedup();
    (list, instructions)
}

/// The fields that a text prints or asks for.
fn said_in(pieces: &[Piece], said: &mut BTreeSet<usize>) {
    for piece in pieces {
        match piece {
            // Texts that are only read are not printed.
            Piece::Literal(_) | Piece::OneOf(_) => {}
            Piece::Field { .. } | Piece::Reading(_) => said.extend(piece.fields()),
            Piece::Group { when, body } => {
                match when {
                    When::Differs(fields) => said.extend(fields),
                    When::Holds(condition) => said.extend(condition.cond.fields()),
                }
                said_in(body, said);
            }
        }
    }
}

/// A text that begins with the mnemonic twice: that of the format, and that of the instruction.
fn twice(isa: &Isa, form: &Form) -> Option<Diagnostic> {
    let insn = isa.instruction(form.instruction);
    let Some(Piece::Literal(first)) = form.text.iter().find(|p| !matches!(p, Piece::Group { .. })) else { return None };
    let rest = first.trim_start().strip_prefix(&insn.mnemonic)?.strip_prefix(' ')?.strip_prefix(&insn.mnemonic)?;
    let ends = !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.');
    ends.then(|| {
        let message = format!(
            "the text of {} has `{}` twice: its own text, and that of its format around `{{body}}`",
            insn.name, insn.mnemonic
        );
        Diagnostic::warning("said-twice", message, insn.span)
    })
}
