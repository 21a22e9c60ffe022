//! Warnings that only `check` computes.

mod dependence;
mod same_text;
mod targets;
mod unread;
mod unsaid;

pub use same_text::same_text;

use isa_spec::diag::{Diagnostic, folded};
use isa_spec::model::{Form, InstructionId, Isa, Word};
use isa_spec::print::print_pieces;

/// All that is worth a look: what texts leave unsaid or say twice, words of different meaning with one text, and texts that the
/// semantics does not agree with.
pub fn all(isa: &Isa) -> Vec<Diagnostic> {
    let (mut list, said) = unsaid::unsaid(isa);
    list.extend(same_text::apart_from(isa, said));
    list.extend(meaning(isa));
    folded(list)
}

/// Warnings about texts that the semantics does not agree with: fields and choices that it does not read, and targets to which it
/// does not branch.
pub fn meaning(isa: &Isa) -> Vec<Diagnostic> {
    [unread::unread(isa), targets::targets(isa)].concat()
}

/// The instruction whose semantics an instruction has: its own, or that of the one that it expands to.
fn meant(isa: &Isa, id: InstructionId) -> InstructionId {
    let insn = isa.instruction(id);
    insn.expands.as_ref().filter(|_| insn.semantics.is_none()).map_or(id, |expands| expands.to)
}

/// The text of a word of a form at an address.
fn text_of(form: &Form, word: Word, address: u64) -> String {
    let mut text = String::new();
    print_pieces(form, &form.text, (word, &[]), address, &mut |_| 0, &mut text);
    text
}
