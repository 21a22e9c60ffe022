//! The words with which texts begin: a template whose texts begin with other ones than a text does is not tried.

use super::super::Bits;
use super::super::tables::{DIFFERS, EITHER, HOLDS, LITERAL};
use super::ready::Ready;
use super::task::{WORD, is_word};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The limit of steps in the search for the first words of a template.
const MOST_STEPS: u32 = 256;

/// The characters of words, one bit each.
const WORD_SET: u128 = {
    let (mut set, mut c) = (0, 0);
    while c < 128 {
        set |= (WORD[c] as u128) << c;
        c += 1;
    }
    set
};

/// Templates by the words with which their texts begin.
#[derive(Debug, Default)]
pub(super) struct Beginnings<'t> {
    by_word: BTreeMap<&'t [u8], Vec<u16>>,
    /// Templates by a prefix of the first word.
    by_prefix: BTreeMap<&'t [u8], Vec<u16>>,
    /// Templates whose texts can begin with anything.
    others: Vec<u16>,
}

impl<'t> Beginnings<'t> {
    /// The beginnings of some templates.
    pub(super) fn new<W: Bits>(tables: &Ready<'t, W>, templates: impl Iterator<Item = u16>) -> Self {
        let mut own = Self::default();
        for number in templates {
            let step = tables.templates.get(usize::from(number)).map_or(0, |template| template.step);
            let mut words = Vec::new();
            if add(tables, step, &mut words, &mut { MOST_STEPS }) {
                words.sort_unstable();
                words.dedup();
                for Word { text, is_whole } in words {
                    let list = if is_whole { &mut own.by_word } else { &mut own.by_prefix };
                    list.entry(text).or_default().push(number);
                }
            } else {
                own.others.push(number);
            }
        }
        own
    }

    /// The templates whose texts can begin as this one does, in some lists that are not empty.
    pub(super) fn of(&self, text: &[u8]) -> impl Iterator<Item = &[u16]> {
        let start = text.iter().take_while(|c| matches!(c, b' ' | b'\t')).count();
        let rest = &text[start..];
        let word = &rest[..rest.iter().take_while(|c| is_word(**c)).count()];
        let prefixes = (1..=word.len()).filter(|_| !self.by_prefix.is_empty());
        let prefixed = prefixes.filter_map(|length| self.by_prefix.get(&word[..length]));
        let lists = [Some(&self.others), self.by_word.get(word)].into_iter().flatten().chain(prefixed);
        lists.map(Vec::as_slice).filter(|list| !list.is_empty())
    }
}

/// The first word of a text, or a prefix of such a word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Word<'t> {
    text: &'t [u8],
    is_whole: bool,
}

/// Adds the first words of the texts from a step on; returns whether these are all.
fn add<'t, W: Bits>(tables: &Ready<'t, W>, mut at: u32, words: &mut Vec<Word<'t>>, steps: &mut u32) -> bool {
    loop {
        let (Some(left), Some(step)) = (steps.checked_sub(1), tables.steps.get(at as usize)) else { return false };
        *steps = left;
        match step.kind {
            LITERAL => {
                let text = tables.literal(step).text;
                let word = &text[..text.iter().take_while(|c| is_word(**c)).count()];
                // The word ends with the literal unless more characters of words can follow.
                let ends = || tables.steps.get(step.next as usize).is_some_and(|next| tables.initials(next) & WORD_SET == 0);
                words.push(Word { text: word, is_whole: word.len() < text.len() || ends() });
                return !word.is_empty();
            }
            HOLDS | DIFFERS | EITHER => {
                if !add(tables, step.body, words, steps) {
                    return false;
                }
                at = step.next;
            }
            _ => return false,
        }
    }
}
