//! Registers that have the names that programs give them. A word has numbers for them: of the place of the first field of its
//! form that has the same name, so that one name is one number; the names stand beside the word.

use crate::form::{FormInfo, Kind, Tables};
use crate::word;
use core::fmt;

/// A part of a name, which takes as many characters as it can.
#[derive(Clone, Copy, Debug)]
pub struct NamePart {
    /// ASCII characters, one bit each.
    pub of: u128,
    /// Whether it can be missing.
    pub may_be_missing: bool,
    /// Whether there can be several.
    pub repeats: bool,
}

/// The names that registers can have: any of these rows of parts.
#[derive(Clone, Copy, Debug)]
pub struct NameRows {
    /// The rows.
    pub rows: &'static [&'static [NamePart]],
    /// The characters that a name can go on with, one bit each.
    pub goes_on: u128,
}

impl NameRows {
    /// Bytes of the longest name that stands at the beginning of a text.
    pub(crate) fn longest(&self, text: &[u8]) -> Option<usize> {
        let is_of = |part: &NamePart, c: u8| c.is_ascii() && part.of >> c & 1 == 1;
        let length = |parts: &&[NamePart]| {
            parts.iter().try_fold(0, |at, part| {
                let most = if part.repeats { usize::MAX } else { 1 };
                let count = text.iter().skip(at).take(most).take_while(|c| is_of(part, **c)).count();
                (count > 0 || part.may_be_missing).then_some(at + count)
            })
        };
        self.rows.iter().filter_map(length).max()
    }

    /// Whether a name can go on with the character.
    pub(crate) fn goes_on_with(&self, c: u8) -> bool {
        c.is_ascii() && self.goes_on >> c & 1 == 1
    }
}

/// Where a name stands in a text, in bytes; nowhere if it is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NameAt {
    /// Its first byte.
    pub start: usize,
    /// The byte after it.
    pub end: usize,
}

impl NameAt {
    /// The name.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or("")
    }
}

/// Why names don't go with an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadName {
    /// The instruction has a register with this number, and there is no name for it.
    Missing {
        /// The number.
        number: usize,
    },
    /// A register of this file can't be called so.
    NoName {
        /// The number of the register.
        number: usize,
        /// The register file.
        file: &'static str,
    },
}

impl fmt::Display for BadName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { number } => write!(f, "there is no name for register {number}"),
            Self::NoName { number, file } => write!(f, "the name of register {number} is none that registers {file} can have"),
        }
    }
}

impl core::error::Error for BadName {}

impl Tables {
    /// The fields of a form that are names: number in the word, place, register file, bits.
    fn names_of<'t>(&'t self, form: &'t FormInfo, word: u128) -> impl Iterator<Item = NamedField> + 't {
        form.names.iter().filter_map(move |i| {
            let field = &self.fields[usize::from(*i)];
            let Kind::Name { of, rows, place } = field.kind else { return None };
            let number = word::get(field.bits, word) as usize;
            Some(NamedField { number, place: place.into(), file: of.name, rows, bits: field.bits })
        })
    }

    /// The word with the numbers that names have: `same` says whether the names at two places are the same.
    pub(crate) fn numbered(&self, form: &FormInfo, word: u128, same: impl Fn(usize, usize) -> bool) -> u128 {
        self.names_of(form, word).fold(word, |word, field| {
            let number = (0..field.place).find(|place| same(*place, field.place)).unwrap_or(field.place);
            word & !word::mask(field.bits) | word::place(field.bits, number as u128)
        })
    }

    /// A word and names by its numbers, with the numbers that the names should have: the names by those.
    ///
    /// # Errors
    /// When there is no name for a number, or it is none that a register of its file can have.
    pub fn named<N: AsRef<str> + Default, const K: usize>(
        &self,
        form: u16,
        word: u128,
        mut names: [N; K],
    ) -> Result<(u128, [N; K]), BadName> {
        let form = &self.forms[usize::from(form)];
        // For each place the number that the word has for it.
        let mut numbers = [None; K];
        for field in self.names_of(form, word) {
            let name = names.get(field.number).map_or("", AsRef::as_ref);
            if name.is_empty() {
                return Err(BadName::Missing { number: field.number });
            }
            if field.rows.longest(name.as_bytes()) != Some(name.len()) {
                return Err(BadName::NoName { number: field.number, file: field.file });
            }
            if let Some(number) = numbers.get_mut(field.place) {
                *number = Some(field.number);
            }
        }
        let name = |place: usize| numbers.get(place).copied().flatten().map(|n| names[n].as_ref());
        let new = self.numbered(form, word, |a, b| name(a).is_some() && name(a) == name(b));
        let mut heads = [false; K];
        for field in self.names_of(form, new).filter(|f| f.number == f.place) {
            heads[field.place] = true;
        }
        let names = core::array::from_fn(|place| match numbers[place].filter(|_| heads[place]) {
            Some(number) => core::mem::take(&mut names[number]),
            None => N::default(),
        });
        Ok((new, names))
    }
}

struct NamedField {
    number: usize,
    place: usize,
    file: &'static str,
    rows: &'static NameRows,
    bits: word::Ranges,
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn set(characters: &str) -> u128 {
        let (bytes, mut set, mut i) = (characters.as_bytes(), 0, 0);
        while i < bytes.len() {
            set |= 1 << bytes[i];
            i += 1;
        }
        set
    }

    const fn part(of: &str, may_be_missing: bool, repeats: bool) -> NamePart {
        NamePart { of: set(of), may_be_missing, repeats }
    }

    #[test]
    fn the_longest_name_counts_and_nothing_is_given_back() {
        // [ab][ab12]*, %[12]+, [ab]*c
        const ROWS: NameRows = NameRows {
            rows: &[
                &[part("ab", false, false), part("ab12", true, true)],
                &[part("%", false, false), part("12", false, true)],
                &[part("ab", true, true), part("c", false, false)],
            ],
            goes_on: set("ab12c"),
        };
        let longest = |text: &str| ROWS.longest(text.as_bytes());
        assert_eq!(
            ["a", "ab12%", "%", "%1a", "abc", "c", "1", "é", ""].map(longest),
            [Some(1), Some(4), None, Some(2), Some(3), Some(1), None, None, None]
        );
        assert!(ROWS.goes_on_with(b'1') && !ROWS.goes_on_with(b'%') && !ROWS.goes_on_with(0xe9));
    }
}
