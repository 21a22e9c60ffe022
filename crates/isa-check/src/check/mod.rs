//! The rules that a model keeps, one file each; they look at it and change nothing.

mod comments;
mod every_bit;
mod holes;
mod lengths;
mod lines;
mod neighbours;
mod readings;
mod texts_apart;
mod whole_text;

use crate::automaton::Automaton;
use isa_model::diag::Diagnostics;
use isa_model::model::Isa;
use std::collections::HashSet;

/// Checks what the completion of a model relies on, and says if it holds: every bit of each form is accounted for, each text of a
/// text-only form is whole.
pub fn is_whole(isa: &Isa, diags: &mut Diagnostics) -> bool {
    if isa.is_text() {
        whole_text::check(isa, diags);
    } else {
        every_bit::check(isa, diags);
    }
    !diags.has_unsound_forms()
}

/// Checks a model that is complete.
pub fn check(isa: &Isa, diags: &mut Diagnostics) {
    lengths::check(isa, diags);
    holes::check(isa, diags);
    lines::names(isa, diags);
    let (marks, mut told) = (comments::marks(isa), HashSet::new());
    for instruction in &isa.instructions {
        let mut automata: Vec<Automaton<'_>> = isa.forms_of(instruction).iter().map(|form| Automaton::new(isa, form)).collect();
        for automaton in &mut automata {
            readings::check(isa, automaton, &mut told, diags);
            neighbours::check(isa, automaton, diags);
        }
        if lines::check(instruction, &mut automata, diags) {
            comments::check(instruction, &mut automata, &marks, diags);
        }
    }
    if isa.is_text() && !diags.has_errors() {
        texts_apart::check(isa, diags);
    }
}
