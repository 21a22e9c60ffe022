//! The rules of docs/language.md for a small spec, by trying all words. Nothing here looks at `isa_spec`.

mod build;
pub mod float;
mod form;
mod respelt;
mod values;

pub(super) use build::forms_of;
pub(super) use form::{Form, Place};

use super::spec::{Hole, Spec, Word};
use build::{forms, submasks};
use std::collections::{BTreeMap, BTreeSet};

/// The pairs of forms that have a text in common.
fn ambiguous(forms: &[Form]) -> BTreeSet<(String, String)> {
    let mut texts: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for (i, form) in forms.iter().enumerate() {
        for word in form.words.iter().filter(|w| form.is_legal(*w)) {
            texts.entry(form.text(word)).or_default().insert(i);
        }
    }
    let pairs = texts.values().flat_map(|own| own.iter().flat_map(|a| own.range(a + 1..).map(move |b| (*a, *b))));
    pairs.map(|(a, b)| (forms[a].name.clone(), forms[b].name.clone())).collect()
}

/// The number of words without a form that are examined, if there are very many.
const SOME: Word = 2000;

/// The class of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Legal(usize),
    /// It belongs to a form and breaks a rule.
    Illegal(usize),
    Hole(usize),
    /// Its first unit begins a word of another length, or of none.
    OtherLength,
    None,
}

/// The properties of a spec, all found by trying all words.
pub(crate) struct Brute {
    /// It is of a text-only instruction set.
    pub(crate) is_text: bool,
    pub(crate) forms: Vec<Form>,
    /// Pairs of forms that clash, or in a text-only instruction set, have a text in common; by their names.
    pub(crate) clashes: BTreeSet<(String, String)>,
    /// Instructions that have a form without words, or with rules that no word keeps.
    pub(crate) empty: BTreeSet<String>,
    /// Forms with words that don't begin as words of their length do.
    pub(crate) outside: BTreeSet<String>,
    /// Holes that are none.
    pub(crate) bad_holes: BTreeSet<usize>,
}

impl Brute {
    pub(crate) fn new(spec: &Spec) -> Self {
        let forms = forms(spec);
        let name = |i: usize| spec.instructions[i].0.clone();
        let mut empty: BTreeSet<String> = spec.instructions.iter().map(|i| i.0.clone()).collect();
        forms.iter().for_each(|f| {
            empty.remove(&name(f.instruction));
        });
        let words: Vec<Vec<Word>> = forms.iter().map(|form| form.words.iter().collect()).collect();
        let (mut clashes, mut outside) = (BTreeSet::new(), BTreeSet::new());
        for (i, a) in forms.iter().enumerate() {
            let own = &words[i];
            // Some word must keep all rules together.
            if !own.iter().any(|w| a.is_legal(*w)) {
                empty.insert(name(a.instruction));
            }
            // In a text-only instruction set words are internal to the generator.
            if spec.is_text {
                continue;
            }
            if own.iter().any(|w| !spec.has_length(*w, a.length)) {
                outside.insert(a.name.clone());
            }
            for b in forms[i + 1..].iter().filter(|b| b.length == a.length) {
                let both = own.iter().filter(|w| b.words.has(**w)).count();
                if both > 0 && (both < a.count.min(b.count) || a.count == b.count) {
                    clashes.insert((a.name.clone(), b.name.clone()));
                }
            }
        }
        if spec.is_text {
            clashes = ambiguous(&forms);
        }
        let mut brute = Self { is_text: spec.is_text, forms, clashes, empty, outside, bad_holes: BTreeSet::new() };
        for (i, hole) in spec.holes.iter().enumerate() {
            let before = Spec { holes: spec.holes[..i].to_vec(), ..spec.clone() };
            if !brute.is_hole(hole, &before) {
                brute.bad_holes.insert(i);
            }
        }
        brute
    }

    /// True if all words of one form are words of the other, which has more.
    pub(crate) fn is_inside(&self, inner: &Form, outer: &Form) -> bool {
        inner.length == outer.length && inner.count < outer.count && inner.words.iter().all(|word| outer.words.has(word))
    }

    /// The pairs of a form of one instruction and a form of another one that it lies inside.
    pub(crate) fn nested(&self, inner: usize, outer: usize) -> Vec<(&Form, &Form)> {
        let of = |instruction| self.forms.iter().filter(move |form| form.instruction == instruction);
        of(inner).flat_map(|a| of(outer).map(move |b| (a, b))).filter(|(a, b)| self.is_inside(a, b)).collect()
    }

    /// Removes an instruction.
    pub(crate) fn remove(&mut self, instruction: &str) {
        let of = |form: &str| form.split('.').next() == Some(instruction);
        self.forms.retain(|f| !of(&f.name));
        self.clashes.retain(|(a, b)| !of(a) && !of(b));
        self.outside.retain(|form| !of(form));
        self.empty.remove(instruction);
    }

    /// A hole has a word that those of the spec lack, none of a form, and one of its length.
    pub(crate) fn is_hole(&self, hole: &Hole, spec: &Spec) -> bool {
        let has = |hole: &Hole, word: Word| hole.bits.get(word) == hole.value;
        let open = ((1u64 << hole.length) - 1) as Word & !hole.bits.mask();
        let words: Vec<Word> = submasks(open).map(|bits| bits | hole.bits.place(hole.value)).collect();
        let before = |word: Word| spec.holes.iter().any(|h| h.length == hole.length && has(h, word));
        let form = |word: Word| self.forms.iter().any(|f| f.length == hole.length && f.words.has(word));
        !words.iter().any(|w| form(*w))
            && words.iter().any(|w| !before(*w))
            && words.iter().any(|w| spec.has_length(*w, hole.length))
    }

    pub(crate) fn is_good(&self) -> bool {
        self.clashes.is_empty() && self.empty.is_empty() && self.outside.is_empty() && self.bad_holes.is_empty()
    }

    /// The classes of the words of a length, in their order: of all words, or if there are very many, of all that belong to a
    /// form and some others.
    pub(crate) fn classes(&self, spec: &Spec, length: u32) -> Vec<(Word, Class)> {
        let mut words: BTreeSet<Word> = match length {
            0..=16 => (0..1 << length).collect(),
            _ => (0..SOME).map(|i: Word| i.wrapping_mul(0x9e37_79b1) >> (Word::BITS - length)).collect(),
        };
        if length > 16 {
            self.forms.iter().filter(|f| f.length == length).for_each(|f| words.extend(f.words.iter()));
        }
        words.into_iter().map(|word| (word, self.class(spec, length, word))).collect()
    }

    /// The class of a word; of the forms that have it, the one with the fewest words wins.
    fn class(&self, spec: &Spec, length: u32, word: Word) -> Class {
        let own = self.forms.iter().enumerate().filter(|(_, f)| f.length == length && f.words.has(word));
        match own.min_by_key(|(_, f)| f.count) {
            _ if !spec.has_length(word, length) => Class::OtherLength,
            Some((form, of)) if of.is_legal(word) => Class::Legal(form),
            Some((form, _)) => Class::Illegal(form),
            None => {
                let hole = |h: &Hole| h.length == length && h.bits.get(word) == h.value;
                spec.holes.iter().position(hole).map_or(Class::None, Class::Hole)
            }
        }
    }

    /// The number of words of this length.
    pub(crate) fn total(&self, spec: &Spec, length: u32) -> usize {
        let unit = spec.unit.min(length);
        let shift = if spec.low_first { 0 } else { length - unit };
        let first = (0..1 << unit).filter(|first: &Word| spec.has_length(first << shift, length)).count();
        first << (length - unit)
    }

    /// The legal words of all forms. In a text-only instruction set, those of each form are its own.
    pub(crate) fn legal(&self, spec: &Spec) -> Vec<(usize, Word)> {
        if spec.is_text {
            let own = |(i, form)| {
                let form: &Form = form;
                form.words.iter().filter(|w| form.is_legal(*w)).map(move |word| (i, word)).collect::<Vec<_>>()
            };
            return self.forms.iter().enumerate().flat_map(own).collect();
        }
        let legal = |(word, class)| match class {
            Class::Legal(form) => Some((form, word)),
            _ => None,
        };
        spec.lengths.iter().flat_map(|length| self.classes(spec, length.bits)).filter_map(legal).collect()
    }

    /// Instructions that have two legal words of one text that differ in a bit that counts, and pairs of instructions that share
    /// a text.
    pub(crate) fn same_text(&self, spec: &Spec) -> (BTreeSet<usize>, BTreeSet<(usize, usize)>) {
        let mut texts: BTreeMap<String, Vec<(usize, Word)>> = BTreeMap::new();
        for (form, word) in self.legal(spec) {
            texts.entry(self.forms[form].text_and_added(word)).or_default().push((form, word));
        }
        let (mut within, mut between) = (BTreeSet::new(), BTreeSet::new());
        for words in texts.values() {
            let (first, word) = words[0];
            for (form, other) in &words[1..] {
                let (a, b) = (&self.forms[first], &self.forms[*form]);
                if a.instruction != b.instruction {
                    between.insert((a.instruction, b.instruction));
                }
                // Within an instruction, all words with a text agree with the first of it, or some do not.
                let (a, word) = words
                    .iter()
                    .find(|w| self.forms[w.0].instruction == b.instruction)
                    .map_or((a, word), |w| (&self.forms[w.0], w.1));
                if (a.canonical(word) ^ b.canonical(*other)) & !(a.kept & b.kept) != 0 {
                    within.insert(b.instruction);
                }
            }
        }
        (within, between)
    }
}

impl Spec {
    /// True if a word begins as those of this length do.
    pub(crate) fn has_length(&self, word: Word, bits: u32) -> bool {
        let first = if self.low_first { word } else { word >> (bits - self.unit.min(bits)) };
        self.lengths.iter().find(|l| l.bits == bits).is_some_and(|l| match l.when {
            None => true,
            Some((width, value, equal)) => (first & ((1 << width) - 1) == value) == equal,
        })
    }
}
