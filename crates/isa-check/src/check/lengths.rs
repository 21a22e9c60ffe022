//! A form's words begin as words of its length do.

use isa_model::diag::{Diagnostic, Diagnostics};
use isa_model::model::Isa;
use isa_model::sets::Solver;

/// A form's words begin as words of its length do.
pub(super) fn check(isa: &Isa, diags: &mut Diagnostics) {
    for length in isa.words.lengths.iter().filter(|l| !l.words.is_all()) {
        let order = isa.order(length.bits);
        let mut solver = Solver::new(order);
        let mut found: Option<(Diagnostic, usize)> = None;
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
                let finding =
                    || Diagnostic::error("length", message, span).with_label(length.span, "the condition for this length");
                found.get_or_insert_with(|| (finding(), 0)).1 += 1;
            }
        }
        // What is wrong with several forms is usually the condition.
        if let Some((finding, forms)) = found {
            diags.push(match forms {
                1 => finding,
                n => finding.with_help(format!("so is it with {} more forms of this length", n - 1)),
            });
        }
    }
}
