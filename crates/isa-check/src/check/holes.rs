//! Words that no form has and that have a name.

use isa_model::diag::{Diagnostic, Diagnostics};
use isa_model::model::{Form, InstructionId, Isa, Word};
use isa_model::sets::WordSet;
use std::collections::BTreeMap;

/// A hole with a name has words that no form has. The first that has a word names it, so each has some that those before it lack.
pub(super) fn check(isa: &Isa, diags: &mut Diagnostics) {
    // By the instruction whose words these are: one that is wrong may have words of many holes.
    let mut taken: BTreeMap<InstructionId, (Diagnostic, usize)> = BTreeMap::new();
    for (i, hole) in isa.holes.iter().enumerate() {
        let digits = hole.length.div_ceil(4) as usize;
        let clash = |word: Word, what: &str| format!("`{}` is not a hole: 0x{word:0digits$x} is a word of {what}", hole.name);
        let word_of = |words: &WordSet| words.nearest(hole.words.value, hole.words.mask);
        let near = |f: &&Form| f.length == hole.length && ((f.value ^ hole.words.value) & f.mask & hole.words.mask).is_zero();
        let form = isa.forms.iter().filter(near).find_map(|f| Some((f, word_of(&f.words)?)));
        if let Some((form, word)) = form {
            let finding = Diagnostic::error("clash", clash(word, &form.name), hole.span)
                .with_label(isa.instruction(form.instruction).span, form.name.clone());
            taken.entry(form.instruction).or_insert((finding, 0)).1 += 1;
        }
        let other = isa.holes[..i].iter().filter(|h| h.length == hole.length);
        if let Some(other) = other.into_iter().find(|h| h.words.includes(hole.words)) {
            let message = format!("all words of `{1}` already belong to `{0}`", other.name, hole.name);
            diags.push(Diagnostic::error("clash", message, hole.span).with_label(other.span, "the other hole"));
        }
        let length = isa.words.lengths.iter().find(|l| l.bits == hole.length);
        if let Some(length) = length.filter(|l| word_of(&l.words).is_none()) {
            let message = format!("a word that begins like those of `{}` does not have {} bits", hole.name, hole.length);
            diags.push(Diagnostic::error("length", message, hole.span).with_label(length.span, "the condition for this length"));
        }
    }
    for (finding, holes) in taken.into_values() {
        diags.push(match holes {
            1 => finding,
            2 => finding.with_help("the instruction has words of another hole, too"),
            _ => finding.with_help(format!("the instruction has words of {} other holes, too", holes - 1)),
        });
    }
}
