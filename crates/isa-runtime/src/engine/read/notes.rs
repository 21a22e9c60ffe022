//! Notes of failures while a text is read.

use super::super::tables::ENUM;
use super::super::{Bits, Str};
use super::ready::{Field, Ready, Spelling};
use super::task::{Task, is_word};
use crate::why::{Expected, Farthest, Texts, Wrong, word_at};
use alloc::borrow::ToOwned as _;
use alloc::vec::Vec;

/// Notes of failures, kept only while an error is explained.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// The place of each field that is read so far.
    pub(super) read: Vec<(u32, usize)>,
    /// The place of the last literal that was read.
    pub(super) literal_at: usize,
    /// The word that is looked for among literals, and the place where the farthest literal with it was expected.
    pub(super) mnemonic: Option<(Str, usize)>,
    /// The end of the longest known wrong beginning, and the start of its last literal.
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

    /// Notes that the reading at this place contradicts an earlier one.
    pub(super) fn contradict(&mut self, task: &Task<'_>, at: usize) {
        if task.notes {
            self.farthest.fail(at, None);
        }
    }

    /// Notes a value that is well-formed but invalid: it takes precedence over other expectations at its place.
    pub(super) fn wrong(&mut self, task: &Task<'_>, from: usize, to: usize, wrong: impl FnOnce() -> Wrong<'static>) {
        if task.notes && to >= self.farthest.reached {
            self.farthest.wrong(from, to, wrong());
        }
    }

    /// Notes that a known wrong beginning ends here.
    pub(super) fn prefix(&mut self, at: usize) {
        if self.longest.is_none_or(|longest| at > longest.0) {
            self.longest = Some((at, self.literal_at));
        }
    }

    /// Notes the place of a field, or removes it.
    pub(super) fn read(&mut self, field: u32, at: Option<usize>) {
        self.read.retain(|(other, _)| *other != field);
        self.read.extend(at.map(|at| (field, at)));
    }

    /// Notes that no name matches at this place.
    pub(super) fn fail_texts<W: Bits>(
        &mut self,
        tables: &Ready<'_, W>,
        task: &Task<'_>,
        field: &Field<W>,
        spelling: &Spelling,
        at: usize,
    ) {
        if task.notes {
            let place = if spelling.are_marks { task.blanks(at) } else { at };
            self.farthest.fail_texts(place, texts_of(tables, field, spelling));
        }
    }

    /// Notes a word that begins like a text of the enumeration but continues differently: the whole word is at fault.
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
fn texts_of<W: Bits>(tables: &Ready<'_, W>, field: &Field<W>, spelling: &Spelling) -> Texts {
    let of = tables.enums.get(field.row.of as usize).filter(|_| field.row.label == ENUM);
    let names = tables.ready_parts(spelling).iter().flat_map(|part| tables.names.slice(part.row.printed).iter());
    Texts::new(of.map_or("", |of| tables.text(of.name)), names.map(|named| tables.text(named.text)))
}
