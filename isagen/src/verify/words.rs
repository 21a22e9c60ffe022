//! The words that are tried.

use crate::input::Sized;
use isa_spec::model::{Isa, Word};
use isa_spec::samples::{Random, Samples};
use std::collections::HashSet;

/// One word of so many is wholly random, so that instructions are found that the specification lacks.
const RANDOM: usize = 16;
/// So often a new random word of a form is looked for.
const TRIES: usize = 4;

/// About so many words: of every form the same number, those at the limits of its fields first, and wholly random ones.
pub(crate) fn words(isa: &Isa, count: usize, seed: u64) -> Vec<Sized<Word>> {
    let mut all = Words { isa, seen: HashSet::new(), list: Vec::new() };
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).max(1));
    let each = (count - count / RANDOM).div_ceil(isa.forms.len().max(1));
    for form in &isa.forms {
        let samples = Samples::new(isa, form);
        let end = all.list.len() + each;
        let limits = samples.limits(&mut random);
        // Where there are too many, some of all kinds.
        for word in limits.iter().step_by(limits.len().div_ceil(each.max(1)).max(1)) {
            all.push(*word, form.length);
        }
        for _ in 0..TRIES * each {
            if all.list.len() >= end {
                break;
            }
            all.push(samples.random(&mut random), form.length);
        }
    }
    let lengths = &isa.words.lengths;
    for length in lengths {
        for _ in 0..count / RANDOM / lengths.len().max(1) {
            all.push(random.word(length.bits), length.bits);
        }
    }
    all.list
}

struct Words<'a> {
    isa: &'a Isa,
    seen: HashSet<(Word, u32)>,
    list: Vec<Sized<Word>>,
}

impl Words<'_> {
    /// Adds a word that is new, if its beginning says that it has this length: a stream of words can be read only then.
    fn push(&mut self, word: Word, bits: u32) {
        let prefix = self.isa.first_unit(word, bits);
        let length = self.isa.words.lengths.iter().find(|length| length.prefix.contains(prefix));
        if length.is_some_and(|length| length.bits == bits) && self.seen.insert((word, bits)) {
            self.list.push(Sized { word, bits });
        }
    }
}
