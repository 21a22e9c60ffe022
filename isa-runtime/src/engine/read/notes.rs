//! Notes of what fails while a text is read.

use super::super::tables::ENUM;
use super::super::{Bits, Str};
use super::ready::{Field, Ready, Spelling};
use super::task::{Task, is_word};
use crate::why::{Expected, Farthest, Texts, Wrong, word_at};
use alloc::borrow::ToOwned as _;
use alloc::vec::Vec;

/// Notes of what fails: kept only when a text is explained.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// Where each field was read that is a part of what is read now.
    pub(super) read: Vec<(u32, usize)>,
    /// Where the last literal was read.
    pub(super) literal_at: usize,
    /// The word that is looked for among literals, and where the farthest literal with it was to begin.
    pub(super) mnemonic: Option<(Str, usize)>,
    /// Where the longest known wrong beginning ends, and where its last literal begins.
    pub(super) longest: Option<(usize, usize)>,
    pub(super) farthest: Farthest,
}

impl Notes {
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(super) fn take(&mut self) -> Farthest {
        core::mem::take(self).farthest
    }

    #[inline]
    pub(super) fn fail(&mut self, task: &Task<'_>, at: usize, expected: impl FnOnce() -> Expected) {
        if task.notes {
            self.farthest.fail(at, Some(expected()));
        }
    }

    /// What is read there contradicts what was read before.
    pub(super) fn contradict(&mut self, task: &Task<'_>, at: usize) {
        if task.notes {
            self.farthest.fail(at, None);
        }
    }

    /// A value that is read well and can't be meant: worth more than what else was expected there.
    pub(super) fn wrong(&mut self, task: &Task<'_>, from: usize, to: usize, wrong: impl FnOnce() -> Wrong<'static>) {
        if task.notes && to >= self.farthest.reached {
            self.farthest.wrong(from, to, wrong());
        }
    }

    /// A known wrong beginning ends here.
    pub(super) fn prefix(&mut self, at: usize) {
        if self.longest.is_none_or(|longest| at > longest.0) {
            self.longest = Some((at, self.literal_at));
        }
    }

    /// Where a field was read, or that it no longer is.
    pub(super) fn read(&mut self, field: u32, at: Option<usize>) {
        self.read.retain(|(other, _)| *other != field);
        self.read.extend(at.map(|at| (field, at)));
    }

    /// No name stands there.
    pub(super) fn fail_texts<W: Bits>(
        &mut self,
        tables: &Ready<'_, W>,
        task: &Task<'_>,
        field: &Field<W>,
        spelling: &Spelling<'_>,
        at: usize,
    ) {
        if task.notes {
            let place = if spelling.are_marks { task.blanks(at) } else { at };
            self.farthest.fail_texts(place, texts_of(tables, field, spelling));
        }
    }

    /// A word that begins as a text of the enumeration, and after which nothing goes on: all of it is at fault.
    pub(super) fn whole_word<W: Bits>(
        &mut self,
        tables: &Ready<'_, W>,
        task: &Task<'_>,
        field: &Field<W>,
        from: usize,
        end: usize,
    ) {
        let Some(spelling) = tables.all_spellings.get(field.row.spelling as usize).filter(|_| field.row.label == ENUM) else {
            return;
        };
        let word = word_at(task.text, from);
        let is_inside = task.rest(from).first().is_some_and(|c| is_word(*c))
            && from.checked_sub(1).and_then(|at| task.bytes.get(at)).is_some_and(|c| is_word(*c));
        if end <= from || end >= word.end || self.farthest.reached > end || is_inside {
            return;
        }
        let (to, word) = (word.end, task.text.get(word).unwrap_or("").to_owned());
        self.wrong(task, from, to, || Wrong::NotOneOf { word, texts: texts_of(tables, field, spelling) });
    }
}

/// The names of a field that are printed, in the order of their numbers.
fn texts_of<W: Bits>(tables: &Ready<'_, W>, field: &Field<W>, spelling: &Spelling<'_>) -> Texts {
    let of = tables.enums.get(field.row.of as usize).filter(|_| field.row.label == ENUM);
    let names = spelling.parts.iter().flat_map(|part| tables.names.slice(part.row.printed).iter());
    Texts::new(of.map_or("", |of| tables.text(of.name)), names.map(|named| tables.text(named.text)))
}
