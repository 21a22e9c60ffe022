//! The words that the forms inside a form leave it.

use isa_model::diag::{Diagnostic, Diagnostics};
use isa_model::model::{FormId, InstructionId, Isa};
use isa_model::sets::{Solver, TooLarge, WordSet};
use std::collections::BTreeMap;

/// Takes the words of the forms inside each form out of it; returns the forms that have none left.
pub(super) fn specialise(isa: &mut Isa, inside: BTreeMap<FormId, Vec<FormId>>, diags: &mut Diagnostics) -> Vec<FormId> {
    let left: Vec<_> = inside.iter().map(|(outer, inner)| left(isa, *outer, inner)).collect();
    let mut empty = Vec::new();
    for ((outer, inner), words) in inside.into_iter().zip(left) {
        match words {
            Ok(words) => {
                empty.extend(Some(outer).filter(|_| words.is_empty()));
                isa.forms[outer.index()].words = words;
            }
            Err(error) => {
                let outer = isa.form(outer);
                let message = format!("what specialisations leave of {}: {error}", outer.name);
                diags.push(Diagnostic::error("entangled", message, isa.instruction(outer.instruction).span));
            }
        }
        isa.forms[outer.index()].specialised_by = inner;
    }
    empty
}

/// The words of a form that those inside it leave.
fn left(isa: &Isa, outer: FormId, inner: &[FormId]) -> Result<WordSet, TooLarge> {
    let order = isa.order(isa.form(outer).length);
    let mut solver = Solver::new(order);
    let mut sets = Vec::new();
    for form in inner {
        sets.push(solver.attempt(|solver| solver.import(&isa.form(*form).words))?);
    }
    let words = solver.attempt(|solver| solver.import(&isa.form(outer).words))?;
    let taken = solver.attempt_any(sets)?;
    let left = solver.attempt(|solver| solver.minus(words, taken))?;
    Ok(solver.freeze(left))
}

/// Warns about forms that have no word left, once for each instruction.
pub(super) fn report(isa: &Isa, empty: &[FormId], diags: &mut Diagnostics) {
    let mut of: BTreeMap<InstructionId, Vec<FormId>> = BTreeMap::new();
    for form in empty {
        of.entry(isa.form(*form).instruction).or_default().push(*form);
    }
    for (instruction, forms) in of {
        let first = isa.form(forms[0]);
        let takers = &first.specialised_by;
        let names: Vec<&str> = takers.iter().take(MAX_TAKERS).map(|id| isa.form(*id).name.as_str()).collect();
        let more = if takers.len() > names.len() { format!(" and {} more", takers.len() - names.len()) } else { String::new() };
        let others = if forms.len() > 1 { format!(" (nor for {} more of its forms)", forms.len() - 1) } else { String::new() };
        let message =
            format!("no word is left for {}{others}: together, {}{more} have all of its words", first.name, names.join(", "));
        let mut finding = Diagnostic::warning("empty", message, isa.instruction(instruction).span);
        for id in takers.iter().take(MAX_TAKERS) {
            let taker = isa.form(*id);
            finding = finding.with_label(isa.instruction(taker.instruction).span, taker.name.clone());
        }
        diags.push(finding.with_help("remove it, or fix other bits in those that have its words"));
    }
}

/// The greatest number of forms that a finding names.
const MAX_TAKERS: usize = 4;
