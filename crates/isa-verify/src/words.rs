//! The words that are tried.

use crate::chosen::Chosen;
use crate::opcode::OpcodeBits;
use isa_engine::Sized;
use isa_reference::samples::{Random, Samples};
use isa_spec::model::{Form, Isa, Label, Word};
use std::collections::{BTreeMap, HashSet};

/// One word in this number is completely random, so that instructions are found that the specification lacks.
const RANDOM: usize = 16;
/// The number of attempts to find a new random word of a form.
const TRIES: usize = 4;

/// The number of forms in which words are made for a value of an enumeration: one of them may be wrong.
const FORMS: usize = 2;

/// About `count` words: each named value of each enumeration, then the same number for each of these forms, those at the limits of
/// its fields first, and random ones: of all words, or, if forms were chosen, of their opcodes.
pub(crate) fn words(isa: &Isa, chosen: &Chosen, count: usize, seed: u64) -> Vec<Sized> {
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).max(1));
    let forms: Vec<&Form> = chosen.forms.iter().map(|form| &isa.forms[*form]).collect();
    let mut opcodes: Vec<Opcode> = Vec::new();
    if chosen.is_some {
        opcodes = forms.iter().map(|form| opcode_of(isa, form)).collect();
        opcodes.sort_unstable();
        opcodes.dedup();
    }
    let mut all = Words { isa, opcodes: opcodes.clone(), seen: HashSet::new(), list: Vec::new() };
    let samples: Vec<Samples<'_>> = forms.iter().map(|form| Samples::new(isa, form)).collect();
    let of_forms = count - count / RANDOM;
    all.push_some(&enumerated(isa, &forms, &samples), of_forms);
    let each = of_forms.saturating_sub(all.list.len()).div_ceil(forms.len().max(1));
    for (form, samples) in forms.iter().zip(&samples) {
        let end = all.list.len() + each;
        let limits = samples.limits(&mut random).into_iter().map(|word| Sized { word, bits: form.length });
        all.push_some(&limits.collect::<Vec<_>>(), each);
        for _ in 0..TRIES * each {
            if all.list.len() >= end {
                break;
            }
            all.push(Sized { word: samples.random(&mut random), bits: form.length });
        }
    }
    for (mask, value, bits) in &opcodes {
        for _ in 0..count / RANDOM / opcodes.len() {
            all.push(Sized { word: random.word(*bits) & !*mask | *value, bits: *bits });
        }
    }
    if chosen.is_some {
        return all.list;
    }
    let lengths = &isa.words.lengths;
    for length in lengths {
        for _ in 0..count / RANDOM / lengths.len().max(1) {
            all.push(Sized { word: random.word(length.bits), bits: length.bits });
        }
    }
    all.list
}

/// Bits of words of a length, the last part, and their values.
type Opcode = (Word, Word, u32);

/// The bits that all instructions of a form's length fix, with their values in the form.
fn opcode_of(isa: &Isa, form: &Form) -> Opcode {
    let mask = OpcodeBits::of(None, isa, form.length).mask();
    (mask, form.value & mask, form.length)
}

/// Words with the named values of all enumerations, legal ones if there are any.
fn enumerated(isa: &Isa, forms: &[&Form], samples: &[Samples<'_>]) -> Vec<Sized> {
    let mut places: BTreeMap<u32, Vec<(usize, usize)>> = BTreeMap::new();
    for (form, fields) in forms.iter().map(|form| &form.fields).enumerate() {
        for (field, of) in fields.iter().enumerate() {
            if let Label::Enum(id) = of.label {
                places.entry(id.0).or_default().push((form, field));
            }
        }
    }
    let mut words = Vec::new();
    for (id, places) in places {
        for value in &isa.enums[id as usize].values {
            let fields = places.iter().map(|(form, field)| (*form, &forms[*form].fields[*field]));
            let raw = fields.filter_map(|(form, field)| Some((form, field, field.bits_of(value.value)?)));
            let sized = |form: usize, word| Sized { word, bits: forms[form].length };
            let before = words.len();
            let legal = raw.clone().filter_map(|(form, field, raw)| Some(sized(form, samples[form].with(field, raw)?)));
            words.extend(legal.take(FORMS));
            if words.len() == before {
                words.extend(raw.take(1).map(|(form, field, raw)| sized(form, field.bits.set(samples[form].plain(), raw))));
            }
        }
    }
    words
}

struct Words<'a> {
    isa: &'a Isa,
    /// If this is not empty, other words are left out.
    opcodes: Vec<Opcode>,
    seen: HashSet<(Word, u32)>,
    list: Vec<Sized>,
}

impl Words<'_> {
    /// Adds words; if there are more than `most`, some of all kinds.
    fn push_some(&mut self, words: &[Sized], most: usize) {
        for sized in words.iter().step_by(words.len().div_ceil(most.max(1)).max(1)) {
            self.push(*sized);
        }
    }

    /// Adds a word of these opcodes that is new, if its first unit determines this length: otherwise a stream of words could not be read.
    fn push(&mut self, sized: Sized) {
        let Sized { word, bits } = sized;
        let has = |(mask, value, length): &Opcode| *length == bits && word & *mask == *value;
        if !self.opcodes.is_empty() && !self.opcodes.iter().any(has) {
            return;
        }
        let prefix = self.isa.first_unit(word, bits);
        let length = self.isa.words.lengths.iter().find(|length| length.prefix.contains(prefix));
        if length.is_some_and(|length| length.bits == bits) && self.seen.insert((word, bits)) {
            self.list.push(sized);
        }
    }
}
