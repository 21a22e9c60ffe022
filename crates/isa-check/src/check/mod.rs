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
        let (mut line, mut mark) = (None, None);
        for form in isa.forms_of(instruction) {
            let mut automaton = Automaton::new(isa, form);
            readings::check(isa, &mut automaton, &mut told, diags);
            neighbours::check(isa, &mut automaton, diags);
            line = line.or_else(|| lines::finding(instruction, &mut automaton));
            mark = mark.or_else(|| comments::finding(instruction, &mut automaton, &marks));
        }
        line.or(mark).into_iter().for_each(|finding| diags.push(finding));
    }
    if isa.is_text() && !diags.has_errors() {
        texts_apart::check(isa, diags);
    }
}
