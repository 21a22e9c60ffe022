//! The texts that aliases and variants spell wherever their own condition holds, whichever of them is printed there.

use super::walk::{join, size};
use super::{Assembler, MAX_TEXT};
use isa_model::diag::Diagnostic;
use isa_model::model::condition::{NoneOf, and};
use isa_model::model::{Cond, Condition, Piece, Spelt};
use isa_model::span::Span;
use std::cell::{Cell, RefCell};

/// The greatest number of ways to pick variants of the texts of a form.
const MAX_WAYS: usize = 1024;

/// A variant of each list of variants that a text is made of.
#[derive(Default)]
pub(super) struct Choices {
    /// The variant of each list, in the order of the text, and the number of variants.
    picks: RefCell<Vec<(usize, usize)>>,
    /// The lists that were met.
    met: Cell<usize>,
    /// The conditions of the variants.
    when: RefCell<Vec<Cond>>,
}

impl Choices {
    /// The variant of the next list.
    fn pick(&self, count: usize) -> usize {
        let (mut picks, met) = (self.picks.borrow_mut(), self.met.get());
        if met == picks.len() {
            picks.push((0, count));
        }
        self.met.set(met + 1);
        picks[met].0
    }

    /// The same for variants with these conditions; none if no condition can hold.
    pub(super) fn pick_of(&self, conds: &[Cond]) -> Option<usize> {
        let possible: Vec<usize> = (0..conds.len()).filter(|i| conds[*i] != Cond::Const(false)).collect();
        let picked = *possible.get(self.pick(possible.len().max(1)))?;
        self.when.borrow_mut().push(conds[picked].clone());
        Some(picked)
    }

    /// True if the text without aliases was picked, and has no variants.
    fn is_base(&self) -> bool {
        let picks = self.picks.borrow();
        picks.iter().enumerate().all(|(i, (pick, count))| if i == 0 { pick + 1 == *count } else { *count == 1 })
    }

    /// Goes on to the next variants; false after the last ones.
    fn advance(&self) -> bool {
        self.met.set(0);
        let mut picks = self.picks.borrow_mut();
        while let Some((pick, count)) = picks.last_mut() {
            *pick += 1;
            if pick < count {
                return true;
            }
            picks.pop();
        }
        false
    }
}

impl<'s> Assembler<'_, 's, '_> {
    /// The texts with each of their aliases and variants; `meant` is the instruction that this one expands to.
    pub(super) fn spelt(&self, meant: Option<&Self>) -> Vec<Spelt> {
        let has_several = |a: &Self| a.assembly.instances.iter().any(|i| i.part.text.len() > 1 || !i.part.aliases.is_empty());
        let mut all = Vec::new();
        if self.cx.errors() || !(has_several(self) || meant.is_some_and(has_several)) {
            return all;
        }
        let choices = &Choices::default();
        let spelling = Assembler { choices: Some(choices), ..*self };
        let meant = meant.map(|meant| Assembler { choices: Some(choices), ..*meant });
        for way in 0.. {
            // Texts count towards the limits if they are kept.
            let (room, all_room) = (self.room.replace(MAX_TEXT), self.cx.budget.text_room.get());
            let text = join(spelling.one_text(choices, meant.as_ref()));
            self.room.set(room);
            self.cx.budget.text_room.set(all_room);
            let when = and(choices.when.take());
            let is_new = when != Cond::Const(false) && !text.is_empty() && !choices.is_base();
            if is_new && self.grow(size(&text), self.assembly.name.span) {
                all.push(Spelt { when: Condition::new(when, Span::default()), text });
            }
            if !choices.advance() {
                break;
            }
            if way == MAX_WAYS {
                let message = format!(
                    "the variants of the texts of `{}` go together in more than {MAX_WAYS} ways: of further ones, only those \
                     that are printed are read",
                    self.assembly.name.value
                );
                self.cx.report(Diagnostic::warning("too-large", message, self.assembly.name.span));
                break;
            }
        }
        all
    }

    /// The text with the next alias and variants.
    fn one_text(&self, choices: &Choices, meant: Option<&Self>) -> Vec<Piece> {
        let mut aliases = self.declared();
        aliases.retain(|alias| alias.when != Cond::Const(false));
        let picked = choices.pick(aliases.len() + 1 + usize::from(meant.is_some()));
        if let Some(alias) = aliases.get(picked) {
            choices.when.borrow_mut().push(alias.when.clone());
            return self.alias(alias);
        }
        let Some(meant) = meant.filter(|_| picked == aliases.len()) else { return self.text() };
        // Words with an alias of their own are not meant so: hints, for example.
        let mut own = NoneOf::default();
        aliases.into_iter().for_each(|alias| own.push(alias.when));
        choices.when.borrow_mut().push(own.but(Cond::Const(true)));
        meant.one_text(choices, None)
    }
}
