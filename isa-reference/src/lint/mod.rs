//! Warnings that only `check` computes.

mod dependence;
mod same_text;
mod targets;
mod unread;
mod unsaid;

pub use same_text::same_text;

use isa_spec::diag::Diagnostic;
use isa_spec::model::{Form, Isa, Word};
use isa_spec::print::print_pieces;

/// All that is worth a look: what texts leave unsaid or say twice, words of different meaning with one text, and texts that the
/// semantics does not agree with.
pub fn all(isa: &Isa) -> Vec<Diagnostic> {
    let (mut list, said) = unsaid::unsaid(isa);
    list.extend(same_text::apart_from(isa, said));
    list.extend(unread::unread(isa));
    list.extend(targets::targets(isa));
    list
}

/// The text of a word of a form at an address.
fn text_of(form: &Form, word: Word, address: u64) -> String {
    let mut text = String::new();
    print_pieces(form, &form.text, (word, &[]), address, &mut |_| 0, &mut text);
    text
}
