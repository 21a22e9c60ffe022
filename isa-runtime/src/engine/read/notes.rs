//! Notes of what fails while a text is read.

use super::super::tables::{ENUM, Enum, Field, Tables};
use super::super::{Bits, Str};
use super::ready::Ready;
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

    /// No text of the enumeration stands there.
    pub(super) fn fail_enum<W: Bits>(&mut self, tables: &Ready<'_, W>, task: &Task<'_>, of: &Enum, at: usize) {
        if !task.notes {
            return;
        }
        let values = tables.names.slice(of.values);
        let marks = values.iter().all(|v| tables.bytes_of(v.text).first().is_none_or(|c| !is_word(*c)));
        self.farthest.fail_texts(if marks { task.blanks(at) } else { at }, texts_of(tables, of));
    }

    /// A word that begins as a text of the enumeration, and after which nothing goes on: all of it is at fault.
    pub(super) fn whole_word<W: Bits>(&mut self, tables: &Ready<'_, W>, task: &Task<'_>, field: &Field, from: usize, end: usize) {
        let Some(of) = tables.enums.get(field.of as usize).filter(|_| field.kind == ENUM) else { return };
        let word = word_at(task.text, from);
        let is_inside = task.rest(from).first().is_some_and(|c| is_word(*c))
            && from.checked_sub(1).and_then(|at| task.bytes.get(at)).is_some_and(|c| is_word(*c));
        if end <= from || end >= word.end || self.farthest.reached > end || is_inside {
            return;
        }
        let (to, word) = (word.end, task.text.get(word).unwrap_or("").to_owned());
        self.wrong(task, from, to, || Wrong::NotOneOf { word, texts: texts_of(tables, &of) });
    }
}

fn texts_of<W: Bits>(tables: &Tables<'_, W>, of: &Enum) -> Texts {
    Texts::new(tables.text(of.name), tables.names.slice(of.values).iter().map(|v| tables.text(v.text)))
}
