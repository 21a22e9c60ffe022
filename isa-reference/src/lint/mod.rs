//! Warnings that only `check` computes.

mod same_text;
mod unsaid;

pub use same_text::same_text;

use isa_spec::diag::{Diagnostic, folded};
use isa_spec::model::Isa;

/// All that is worth a look: what texts leave unsaid or say twice, and words of different meaning with one text.
pub fn all(isa: &Isa) -> Vec<Diagnostic> {
    let (mut list, said) = unsaid::unsaid(isa);
    list.extend(same_text::apart_from(isa, said));
    folded(list)
}
