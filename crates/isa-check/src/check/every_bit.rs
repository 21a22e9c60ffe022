//! Every bit of a form is accounted for: it is fixed, a field's, or of bits that are no field.

use isa_model::bits::{bits_word, ranges};
use isa_model::diag::{Diagnostic, Diagnostics, with_this_mnemonic};
use isa_model::model::{Form, InstructionId, Isa, Word};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn check(isa: &Isa, diags: &mut Diagnostics) {
    // Instructions that lack the same bits, and go back to one format, lack them for one reason.
    let mut lacking: BTreeMap<(Word, Result<usize, InstructionId>), BTreeSet<InstructionId>> = BTreeMap::new();
    for form in &isa.forms {
        let left = left_over(form);
        if !left.is_zero() {
            let chain = std::iter::successors(isa.instruction(form.instruction).format, |id| isa.formats[id.index()].extends);
            let root = chain.take(isa.formats.len()).last();
            let key = (left, root.map(|id| id.index()).ok_or(form.instruction));
            lacking.entry(key).or_default().insert(form.instruction);
        }
    }
    for ((all, root), instructions) in lacking {
        let first = instructions.iter().next().expect("an instruction lacks bits");
        let instruction = isa.instruction(*first);
        let left = ranges(all);
        let same = isa.instructions.iter().filter(|other| other.mnemonic == instruction.name && other.id != instruction.id);
        let same: Vec<&str> = same.map(|other| other.name.as_str()).collect();
        let (what, is_one) = (bits_word(&left), left.len() == 1);
        let (them, fields) = if is_one { ("it", "a field") } else { ("them", "fields") };
        let are = if is_one && left[0].width() == 1 { "is" } else { "are" };
        let others = match instructions.len() - 1 {
            0 => String::new(),
            n => format!(", nor in {n} other instruction{}", if n == 1 { "" } else { "s" }),
        };
        let message = format!("{what} of `{}` {are} not assigned{others}", instruction.name);
        // An entry without any bits, under the mnemonic of others, is most likely meant for one of them.
        let is_patch = left.len() == 1
            && left[0].lo == 0
            && isa.forms.iter().any(|f| f.instruction == *first && all == Word::ones(f.length));
        let help = format!("make {them} {fields}, or list {them} under `ignored`, `unknown` or `reserved`");
        let help = if is_patch && !same.is_empty() { with_this_mnemonic(&instruction.name, &same) } else { help };
        let finding = Diagnostic::error("bits-never", message, instruction.span).with_help(help);
        diags.push(match root {
            Ok(format) if !others.is_empty() => finding.with_label(isa.formats[format].span, "the format of all of them"),
            _ => finding,
        });
    }
}

/// The bits that are neither fixed, nor part of a field, nor declared as plain bits.
fn left_over(form: &Form) -> Word {
    let fields = form.fields.iter().map(|field| field.bits.mask());
    let said = fields.chain(form.plain.iter().map(|plain| plain.bits.mask())).fold(form.mask, |said, bits| said | bits);
    Word::ones(form.length) & !said
}
