//! Which forms a text can be, cheaply: by its mnemonic, and by how often some characters stand in it.

use super::scan::{Scanner, is_word};
use crate::form::Tables;

/// How many mnemonics one word can begin with (`I`, `IADD` and `IADD3` are three).
const MAX_LISTS: usize = 4;

/// The highest bit of each lane.
const HIGH: u64 = 0x8080_8080_8080_8080;

/// How often each of eight characters stands in a text, or may: seven bits each.
///
/// The generator picks the characters that tell the forms of one mnemonic apart: `R` and `[`, for instance.
#[derive(Clone, Copy, Debug)]
pub struct Counts(pub u64);

/// How often those characters stand in the texts of a form.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// At least.
    pub least: Counts,
    /// At most; 127 is any number.
    pub most: Counts,
}

impl Limits {
    /// Whether a text with these counts can be one of the form's.
    #[inline]
    fn allow(self, counts: Counts) -> bool {
        ((counts.0 | HIGH) - self.least.0) & ((self.most.0 | HIGH) - counts.0) & HIGH == HIGH
    }
}

/// For each ASCII character its lane, if it is one of the eight counted: a one in that lane.
pub const fn lanes(characters: &[u8]) -> [u64; 128] {
    let mut lanes = [0; 128];
    let mut i = 0;
    while i < characters.len() {
        lanes[characters[i] as usize & 127] = 1 << (8 * i);
        i += 1;
    }
    lanes
}

/// For each ASCII character the first of the ascending mnemonics that begins with it or a later one.
pub const fn initials(mnemonics: &[(&str, &[u16])]) -> [u16; 129] {
    let mut starts = [0; 129];
    let mut c = 0;
    let mut i = 0;
    while c < 129 {
        while i < mnemonics.len() && (mnemonics[i].0.is_empty() || (mnemonics[i].0.as_bytes()[0] as usize) < c) {
            i += 1;
        }
        starts[c] = i as u16;
        c += 1;
    }
    starts
}

/// The forms of a few mnemonics, in declared order, that have texts with these characters.
#[derive(Clone)]
pub(super) struct Candidates {
    lists: [&'static [u16]; MAX_LISTS],
    named: bool,
}

impl Candidates {
    /// Whether a mnemonic stands in the text.
    pub(super) fn are_named(&self) -> bool {
        self.named
    }
}

impl Iterator for Candidates {
    type Item = u16;

    #[inline]
    fn next(&mut self) -> Option<u16> {
        // Mostly there is one mnemonic.
        let [list, rest @ ..] = &mut self.lists;
        if rest.iter().all(|l| l.is_empty()) {
            let (first, rest) = list.split_first()?;
            *list = rest;
            return Some(*first);
        }
        let first = self.lists.iter().filter_map(|l| l.first()).min().copied()?;
        for list in &mut self.lists {
            if list.first() == Some(&first) {
                *list = &list[1..];
            }
        }
        Some(first)
    }
}

impl Tables {
    /// Counts the characters of a text that are counted; `None` if there are too many.
    pub(super) fn counts(&self, scanner: Scanner<'_>) -> Option<Counts> {
        let text = scanner.bytes();
        // Characters beyond ASCII share a lane with others, and are not counted in either.
        let lane = |c: &u8| if c.is_ascii() { self.lanes[usize::from(c & 127)] } else { 0 };
        (text.len() < 128).then(|| Counts(text.iter().map(lane).sum()))
    }

    /// Whether a text with these counts can be one of the form's.
    #[inline]
    pub(super) fn may_be(&self, form: u16, counts: Option<Counts>) -> bool {
        counts.is_none_or(|c| self.limits[usize::from(form)].allow(c))
    }

    /// The forms whose mnemonic stands in the text: at the first word that is one (what stands before is a guard).
    pub(super) fn candidates(&'static self, scanner: Scanner<'_>) -> Candidates {
        let text = scanner.bytes();
        let mut inside = false;
        for (at, &c) in text.iter().enumerate() {
            if is_word(c) && !inside {
                let candidates = self.begins(&text[at..], c);
                if !candidates.lists[0].is_empty() {
                    return candidates;
                }
            }
            inside = is_word(c);
        }
        Candidates { lists: [&[]; MAX_LISTS], named: false }
    }

    /// The mnemonics that the text begins with, of those with this first character.
    fn begins(&'static self, text: &[u8], first: u8) -> Candidates {
        let mut lists: [&'static [u16]; MAX_LISTS] = [&[]; MAX_LISTS];
        let starts = |c: usize| usize::from(self.initials[c]);
        let same = self.mnemonics.get(starts(usize::from(first & 127))..starts(usize::from(first & 127) + 1)).unwrap_or(&[]);
        // Forms without a mnemonic stand first, under the empty name.
        let nameless = self.mnemonics.first().filter(|m| m.0.is_empty());
        let known = same.iter().filter(|m| begins_with(text, m.0.as_bytes())).chain(nameless);
        let mut named = false;
        for (list, mnemonic) in lists.iter_mut().zip(known) {
            *list = mnemonic.1;
            named |= !mnemonic.0.is_empty();
        }
        Candidates { lists, named }
    }
}

/// Names are short, and most differ early.
fn begins_with(text: &[u8], name: &[u8]) -> bool {
    text.get(..name.len()).is_some_and(|t| t.iter().zip(name).all(|(a, b)| a == b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_lie_within_limits() {
        let lanes = lanes(b"R[");
        let counts = |text: &str| Counts(text.bytes().map(|c| lanes[usize::from(c)]).sum());
        let limits = Limits { least: Counts(0x0002), most: Counts(0x7f7f_7f7f_7f7f_0103) };
        assert_eq!(
            ["R R", "R R R", "R", "R R R R", "R R [", "R R [["].map(|t| limits.allow(counts(t))),
            [true, true, false, false, true, false]
        );
    }

    #[test]
    fn forms_of_several_mnemonics_come_in_declared_order() {
        let candidates = Candidates { lists: [&[3, 4, 9], &[1], &[6, 7], &[]], named: true };
        assert!(candidates.eq([1, 3, 4, 6, 7, 9]));
    }

    #[test]
    fn mnemonics_by_first_character() {
        const NONE: &[u16] = &[];
        let starts = initials(&[("", NONE), ("ADD", NONE), ("AND", NONE), ("SUB", NONE)]);
        let of = |c: u8| (starts[usize::from(c)], starts[usize::from(c) + 1]);
        assert_eq!([of(b'A'), of(b'B'), of(b'S'), of(b'T')], [(1, 3), (3, 3), (3, 4), (4, 4)]);
    }
}
