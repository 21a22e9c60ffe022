//! Words that no form has.

use isa_model::diag::{Diagnostic, Diagnostics};
use isa_model::model::{Isa, Length};
use isa_model::sets::{Solver, TooLarge, WordSet};

/// Computes the words of each length that no form has.
pub(super) fn fill(isa: &mut Isa, diags: &mut Diagnostics) {
    for index in 0..isa.words.lengths.len() {
        match holes(isa, &isa.words.lengths[index]) {
            Ok(holes) => isa.words.lengths[index].holes = holes,
            Err(error) => {
                let message = format!("which words of {} bits no form has: {error}", isa.words.lengths[index].bits);
                diags.push(Diagnostic::error("entangled", message, isa.span));
            }
        }
    }
}

fn holes(isa: &Isa, length: &Length) -> Result<WordSet, TooLarge> {
    let mut solver = Solver::new(isa.order(length.bits));
    let mut sets = Vec::new();
    for form in isa.forms.iter().filter(|f| f.length == length.bits) {
        sets.push(solver.attempt(|solver| solver.import(&form.words))?);
    }
    let taken = solver.attempt_any(sets)?;
    let holes = solver.attempt(|solver| {
        let all = solver.import(&length.words)?;
        solver.minus(all, taken)
    })?;
    Ok(solver.freeze(holes))
}
