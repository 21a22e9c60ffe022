//! A text that is printed shows a reading only in words for which its number has a text.

use crate::automaton::{Automaton, Edge, Query, Sets, States, TextSet};
use crate::text_graph::Token;
use isa_model::diag::{Diagnostic, Diagnostics};
use isa_model::model::{Form, Isa, Piece, Reading, Word};
use isa_model::sets::{Set, TooLarge};
use isa_model::span::Span;
use std::collections::HashSet;

pub(super) fn check(isa: &Isa, automaton: &mut Automaton<'_>, told: &mut HashSet<Span>, diags: &mut Diagnostics) {
    let form = automaton.form;
    let is_asked = |edge: &Edge<'_>| matches!(edge.piece, Some(Piece::Reading(reading)) if reading.may_have_no_text());
    if !automaton.printed().concat().iter().any(is_asked) {
        return;
    }
    let (words, legal) = (automaton.words(&form.words), automaton.words(&form.legal));
    let words = automaton.sets.and(words, legal);
    let mut query = Readings { shown: Vec::new() };
    let ends = automaton.ends(&mut query, TextSet::Printed, &None, words);
    let found = ends.into_iter().find_map(|(shown, (words, _))| Some((query.shown[shown?], words)));
    if !automaton.sets.is_exact {
        let message = format!("whether the readings of {} have a text wherever they are printed: {TooLarge}", form.name);
        diags.push(Diagnostic::error("entangled", message, isa.instruction(form.instruction).span));
    } else if let Some((reading, words)) = found
        && let Some(word) = automaton.sets.freeze(words).nearest(form.default_word(), Word::ZERO)
        && told.insert(reading.field.span)
    {
        diags.push(without_text(isa, form, reading, word));
    }
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

/// A reading that is printed in words for which it has no text.
struct Readings<'f> {
    shown: Vec<&'f Reading>,
}

impl<'f> Query<'f> for Readings<'f> {
    type State = Option<usize>;

    fn is_last(&self, shown: &Option<usize>) -> bool {
        shown.is_some()
    }

    fn token(&mut self, from: &Option<usize>, _: &Token<'_>, _: bool) -> Vec<(Option<usize>, String)> {
        vec![(*from, String::new())]
    }

    fn value(&mut self, from: &Option<usize>, piece: &'f Piece, sets: &mut Sets<'f>) -> Option<States<Option<usize>>> {
        let mut after = States::from([(*from, (Set::ALL, String::new()))]);
        if let Piece::Reading(reading) = piece {
            let words = sets.compute(Set::ALL, |solver| {
                let cubes = reading.without_text().map(|raw| solver.cube(reading.cube(raw))).collect::<Result<_, _>>()?;
                solver.attempt_any(cubes)
            });
            after.insert(Some(self.shown.len()), (words, String::new()));
            self.shown.push(reading);
        }
        Some(after)
    }
}
