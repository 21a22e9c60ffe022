//! The texts that aliases and variants spell wherever their own condition holds, whichever of them is printed there.

use super::walk::{join, size};
use super::{Assembler, MAX_TEXT};
use isa_model::diag::Diagnostic;
use isa_model::model::condition::{NoneOf, and, or};
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
    /// The conditions of variants before them: others are printed where one holds.
    others: RefCell<Vec<Cond>>,
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
        self.others.borrow_mut().extend_from_slice(&conds[..picked]);
        Some(picked)
    }

    /// The words that have a text with these variants, and print another one.
    fn condition(&self) -> Cond {
        let others = or(self.others.take());
        and(self.when.take().into_iter().chain([others]).collect())
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
    /// The texts that are read though others are printed; `meant` is the instruction that this one expands to.
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
            let text = join(spelling.one_text(choices, meant.as_ref(), true));
            self.room.set(room);
            self.cx.budget.text_room.set(all_room);
            let when = choices.condition();
            if when != Cond::Const(false) && !text.is_empty() && self.grow(size(&text), self.assembly.name.span) {
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

    /// The text with the next variants; `has_base` says that the text without aliases is read anyway.
    fn one_text(&self, choices: &Choices, meant: Option<&Self>, has_base: bool) -> Vec<Piece> {
        let mut aliases = self.declared();
        aliases.retain(|alias| alias.when != Cond::Const(false));
        let mut conds: Vec<Cond> = aliases.iter().map(|alias| alias.when.clone()).collect();
        let picked = choices.pick(aliases.len() + 1 + usize::from(meant.is_some()));
        if let Some(alias) = aliases.get(picked) {
            conds.truncate(picked);
            choices.when.borrow_mut().push(alias.when.clone());
            choices.others.borrow_mut().append(&mut conds);
            return self.alias(alias);
        }
        match meant.filter(|_| picked == aliases.len()) {
            Some(meant) => {
                // Words with an alias of their own are not meant so: hints, for example.
                let mut own = NoneOf::default();
                conds.into_iter().for_each(|cond| own.push(cond));
                choices.when.borrow_mut().push(own.but(Cond::Const(true)));
                meant.one_text(choices, None, false)
            }
            None => {
                if !has_base {
                    choices.others.borrow_mut().append(&mut conds);
                }
                self.text()
            }
        }
    }
}
