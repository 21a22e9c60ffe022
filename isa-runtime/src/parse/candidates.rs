//! Which forms a text can be, cheaply: by its mnemonic and by the characters in it.

use super::scan::{Scanner, is_word};
use crate::form::{FormInfo, Tables};

/// How many mnemonics one word can begin with (`I`, `IADD` and `IADD3` are three).
const MAX_LISTS: usize = 4;

/// The forms of a few mnemonics, in declared order.
#[derive(Clone)]
pub(super) struct Candidates {
    lists: [&'static [u16]; MAX_LISTS],
}

impl Iterator for Candidates {
    type Item = u16;

    fn next(&mut self) -> Option<u16> {
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
    /// The forms whose mnemonic stands in the text: at the first word that is one (what stands before is a guard).
    pub(super) fn candidates(&'static self, scanner: Scanner<'_>) -> Candidates {
        let text = scanner.bytes();
        let mut inside = false;
        for (at, &c) in text.iter().enumerate() {
            if is_word(c) && !inside {
                let candidates = self.begins(&text[at..]);
                if candidates.lists.iter().any(|l| !l.is_empty()) {
                    return candidates;
                }
            }
            inside = is_word(c);
        }
        Candidates { lists: [&[]; MAX_LISTS] }
    }

    /// The mnemonics that the text begins with.
    fn begins(&'static self, text: &[u8]) -> Candidates {
        let mut lists: [&'static [u16]; MAX_LISTS] = [&[]; MAX_LISTS];
        let first = |name: &str| name.as_bytes().first().copied();
        let start = self.mnemonics.partition_point(|m| first(m.0) < text.first().copied());
        let same = self.mnemonics[start..].iter().take_while(|m| first(m.0) == text.first().copied());
        // Forms without a mnemonic stand first, under the empty name.
        let nameless = self.mnemonics.first().filter(|m| m.0.is_empty());
        let known = same.filter(|m| text.starts_with(m.0.as_bytes())).chain(nameless);
        for (list, mnemonic) in lists.iter_mut().zip(known) {
            *list = mnemonic.1;
        }
        Candidates { lists }
    }
}

/// The ASCII characters in a text, blanks left out.
#[derive(Clone, Copy)]
pub(super) struct Letters(u128);

impl Letters {
    pub(super) fn of(scanner: Scanner<'_>) -> Self {
        let all = scanner.bytes().iter().filter(|c| c.is_ascii()).fold(0, |set, c| set | 1u128 << c);
        Self(all & !(1 << b' ' | 1 << b'\t'))
    }

    /// Whether the form can have a text of these characters.
    pub(super) fn may_be(self, form: &FormInfo) -> bool {
        let (required, allowed) = form.letters;
        required & !self.0 == 0 && self.0 & !allowed == 0
    }
}
