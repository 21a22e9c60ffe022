//! Notes of what fails while a text is read.

use super::super::tables::{ENUM, Enum, Field, Tables};
use super::super::{Bits, Str};
use super::ready::Ready;
use super::task::{Task, is_word};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

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
    /// The failure farthest to the right: where it counts, where it is shown, what was expected or is wrong there.
    reached: usize,
    at: usize,
    expected: Vec<String>,
    fault: Option<String>,
    /// Numbers that a field can't have.
    pub(super) numbers: Vec<WrongNumber>,
}

/// A number that a field can't have.
#[derive(Clone, Debug)]
pub(super) struct WrongNumber {
    /// Where it stands.
    pub(super) at: Range<usize>,
    /// The nearest one that it can have.
    pub(super) nearest: i128,
    /// How far the numbers are apart that it can have.
    pub(super) span: u128,
    pub(super) message: String,
}

/// What is wrong with a template's text.
pub(super) struct Failure {
    pub(super) reached: usize,
    pub(super) at: usize,
    pub(super) expected: Vec<String>,
    pub(super) fault: Option<String>,
    pub(super) numbers: Vec<WrongNumber>,
}

impl Notes {
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(super) fn take(&mut self) -> Failure {
        let Self { reached, at, expected, fault, numbers, .. } = core::mem::take(self);
        Failure { reached, at, expected, fault, numbers }
    }

    #[inline]
    pub(super) fn fail(&mut self, task: &Task<'_>, at: usize, expected: impl FnOnce() -> String) {
        if task.notes {
            self.note(at, expected());
        }
    }

    fn note(&mut self, at: usize, expected: String) {
        if at > self.reached {
            self.reached = at;
            self.at = at;
            self.expected.clear();
            self.fault = None;
        }
        if at == self.reached && !expected.is_empty() && !self.expected.contains(&expected) {
            self.expected.push(expected);
        }
    }

    /// A value that is read well and can't be meant: worth more than what else was expected there.
    pub(super) fn wrong(&mut self, task: &Task<'_>, from: usize, to: usize, message: impl FnOnce() -> String) {
        if task.notes && to >= self.reached {
            self.reached = to;
            self.at = from;
            self.expected.clear();
            self.fault = Some(message());
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
        let texts = texts_of(tables, of);
        let values = tables.names.slice(of.values);
        let marks = values.iter().all(|v| tables.bytes_of(v.text).first().is_none_or(|c| !is_word(*c)));
        let place = if marks { task.blanks(at) } else { at };
        match texts.len() {
            0 => self.note(place, format!("`{}`", tables.text(of.name))),
            1..=FEW => texts.into_iter().for_each(|text| self.note(place, text)),
            _ => self.note(place, many_texts(tables, of, &texts)),
        }
    }

    /// A word that begins as a text of the enumeration, and after which nothing goes on: all of it is at fault.
    pub(super) fn whole_word<W: Bits>(&mut self, tables: &Ready<'_, W>, task: &Task<'_>, field: &Field, from: usize, end: usize) {
        let Some(of) = tables.enums.get(field.of as usize).filter(|_| field.kind == ENUM) else { return };
        let word = word_at(task.text, from);
        let is_inside = task.rest(from).first().is_some_and(|c| is_word(*c))
            && from.checked_sub(1).and_then(|at| task.bytes.get(at)).is_some_and(|c| is_word(*c));
        if end <= from || end >= word.end || self.reached > end || is_inside {
            return;
        }
        let texts = texts_of(tables, &of);
        let wanted = if texts.len() > FEW {
            format!("no {}", many_texts(tables, &of, &texts))
        } else {
            format!("not {}", texts.join(" or "))
        };
        self.wrong(task, from, word.end, || format!("`{}` is {wanted}", task.text.get(word.clone()).unwrap_or("")));
    }
}

/// Up to so many texts are all said.
pub(super) const FEW: usize = 8;

/// The texts that print something.
fn texts_of<W: Bits>(tables: &Tables<'_, W>, of: &Enum) -> Vec<String> {
    let values = tables.names.slice(of.values);
    values.iter().filter(|v| v.text.len > 0).map(|v| format!("`{}`", tables.text(v.text))).collect()
}

/// Mask (`.b0`, `.b1`, `.b10`, …)
fn many_texts<W: Bits>(tables: &Tables<'_, W>, of: &Enum, texts: &[String]) -> String {
    format!("{} ({}, …)", tables.text(of.name), texts.get(..3).unwrap_or(texts).join(", "))
}

/// The word that begins there, with the mark before it, or else the character.
pub(super) fn word_at(text: &str, at: usize) -> Range<usize> {
    let rest = text.get(at..).unwrap_or("");
    let Some(first) = rest.chars().next() else { return at..at };
    let mark = usize::from(".@$%-".contains(first));
    let word = rest.bytes().skip(mark).take_while(|c| is_word(*c)).count();
    at..at + (mark + word).max(first.len_utf8())
}
