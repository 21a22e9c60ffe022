//! A form's words begin as words of its length do.

use crate::diag::{Diagnostic, Diagnostics};
use crate::model::Isa;
use crate::sets::Solver;

/// A form's words begin as words of its length do.
pub(super) fn check(isa: &Isa, diags: &mut Diagnostics) {
    for length in isa.words.lengths.iter().filter(|l| !l.words.is_all()) {
        let order = isa.order(length.bits);
        let mut solver = Solver::new(order);
        for form in isa.forms.iter().filter(|f| f.length == length.bits) {
            if solver.is_filling() {
                solver = Solver::new(order);
            }
            let span = isa.instruction(form.instruction).span;
            let outside = solver.attempt(|solver| {
                let (words, all) = (solver.import(&form.words)?, solver.import(&length.words)?);
                solver.minus(words, all)
            });
            let outside = match outside {
                Ok(set) => solver.freeze(set),
                Err(error) => {
                    diags.push(Diagnostic::error("entangled", format!("whether {} has this length: {error}", form.name), span));
                    continue;
                }
            };
            if let Some(word) = outside.first() {
                let message = format!(
                    "{word:#x} belongs to {}, but a word that begins like this does not have {} bits",
                    form.name, form.length
                );
                diags.push(Diagnostic::error("length", message, span).with_label(length.span, "the condition for this length"));
            }
        }
    }
}
