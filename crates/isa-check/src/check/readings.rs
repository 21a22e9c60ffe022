//! A text that is printed shows a reading only in words for which its number has a text.

use isa_model::diag::{Diagnostic, Diagnostics};
use isa_model::model::{Form, Isa, Piece, Reading, When, Word};
use isa_model::sets::{Set, Solver, TooLarge};
use isa_model::span::Span;
use std::collections::HashSet;

pub(super) fn check(isa: &Isa, diags: &mut Diagnostics) {
    let mut told: HashSet<Span> = HashSet::new();
    for form in &isa.forms {
        if !has_readings(&form.text) && !has_readings(&form.full) {
            continue;
        }
        let mut walk = Walk { form, solver: Solver::new(isa.order(form.length)) };
        let found = walk.words().and_then(|words| {
            [&form.text, &form.full]
                .into_iter()
                .try_fold(None, |found, text| if found.is_some() { Ok(found) } else { walk.without_text(text, words) })
        });
        match found {
            Ok(None) => {}
            Ok(Some((reading, word))) if told.insert(reading.field.span) => diags.push(without_text(isa, form, reading, word)),
            Ok(Some(_)) => {}
            Err(error) => {
                let message = format!("whether the readings of {} have a text wherever they are printed: {error}", form.name);
                diags.push(Diagnostic::error("entangled", message, isa.instruction(form.instruction).span));
            }
        }
    }
}

fn has_readings(pieces: &[Piece]) -> bool {
    pieces.iter().any(|piece| match piece {
        Piece::Reading(reading) => reading.may_have_no_text(),
        Piece::Group { body, .. } => has_readings(body),
        Piece::Literal(_) | Piece::Field { .. } | Piece::OneOf(_) => false,
    })
}

fn without_text(isa: &Isa, form: &Form, reading: &Reading, word: Word) -> Diagnostic {
    let bits = |index: &usize| {
        let field = &form.fields[*index];
        format!("`{}` is {:#x}", field.path, field.bits.get(word))
    };
    let bits = reading.of.iter().map(bits).collect::<Vec<_>>().join(" and ");
    let number = reading.field.index(reading.field.bits.get(word));
    let path = &reading.field.path;
    let message = format!("the text of {} shows `{path}`, which is {number} where {bits}: that has no text", form.name);
    Diagnostic::error("value", message, reading.field.span)
        .with_label(isa.instruction(form.instruction).span, "the instruction")
        .with_help("show it under a condition that leaves these out: `<when …: …>`, an alias with `when`, or `not`")
}

struct Walk<'a> {
    form: &'a Form,
    solver: Solver<'a>,
}

impl<'a> Walk<'a> {
    /// The words that are printed.
    fn words(&mut self) -> Result<Set, TooLarge> {
        let form = self.form;
        self.solver.attempt(|solver| {
            let (words, legal) = (solver.import(&form.words)?, solver.import(&form.legal)?);
            solver.and(words, legal)
        })
    }

    /// A reading that some of these words show and that has no text there, and such a word.
    fn without_text(&mut self, pieces: &'a [Piece], words: Set) -> Result<Option<(&'a Reading, Word)>, TooLarge> {
        let form = self.form;
        for piece in pieces {
            match piece {
                Piece::Reading(reading) => {
                    let cubes = reading.without_text().map(|raw| reading.cube(raw));
                    let bits = cubes.map(|cube| self.solver.cube(cube)).collect::<Result<Vec<_>, _>>()?;
                    let bits = self.solver.attempt_any(bits)?;
                    let there = self.solver.attempt(|solver| solver.and(words, bits))?;
                    let word = self.solver.freeze(there).nearest(form.default_word(), Word::ZERO);
                    if let Some(word) = word {
                        return Ok(Some((&**reading, word)));
                    }
                }
                Piece::Group { when, body } => {
                    let inside = self.solver.attempt(|solver| match when {
                        When::Holds(condition) => {
                            let holds = solver.import(&condition.words)?;
                            solver.and(words, holds)
                        }
                        When::Differs(fields) => {
                            let default = solver.cube(form.at_default(fields))?;
                            solver.minus(words, default)
                        }
                    })?;
                    let found = self.without_text(body, inside)?;
                    if found.is_some() {
                        return Ok(found);
                    }
                }
                Piece::Literal(_) | Piece::Field { .. } | Piece::OneOf(_) => {}
            }
        }
        Ok(None)
    }
}
