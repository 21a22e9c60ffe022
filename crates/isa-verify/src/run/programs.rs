//! Random programs.

use super::harness::{Harness, Source};
use isa_reference::eval::Reference;
use isa_reference::samples::{Random, Samples};
use isa_spec::model::{Form, Isa, PlainKind, Word};
use isa_stream::Stop;

/// A program: its words, and what it begins with.
#[derive(Clone)]
pub(super) struct Program {
    pub(super) words: Vec<(Word, u32)>,
    /// Numbers and their bytes; `None` is the length of its code.
    pub(super) inputs: Vec<(Option<u64>, usize)>,
}

impl Program {
    /// Its bytes, as the harness takes them.
    pub(super) fn bytes(&self, isa: &Isa, code: usize) -> Vec<u8> {
        let units = isa.words.units();
        let mut bytes: Vec<u8> = self.words.iter().flat_map(|(word, bits)| units.write(*word, *bits)).collect();
        let length = bytes.len() as u64;
        bytes.resize(code, 0);
        let input = |(value, bytes): &(Option<u64>, usize)| value.unwrap_or(length).to_le_bytes().into_iter().take(*bytes);
        self.inputs.iter().flat_map(input).chain(bytes).collect()
    }
}

/// Makes programs.
pub(super) struct Generator<'a> {
    reference: &'a Reference<'a>,
    harness: &'a Harness,
    random: Random,
    samples: Vec<(&'a Form, Samples<'a>)>,
    /// The forms as which other words are executed.
    executing: Vec<&'a Form>,
    /// The places in `samples` of forms with reserved bits, and these bits.
    reserved: Vec<(usize, Word)>,
}

impl<'a> Generator<'a> {
    pub(super) fn new(reference: &'a Reference<'a>, harness: &'a Harness, seed: u64) -> Result<Self, Stop> {
        let isa = reference.isa();
        if isa.is_text() {
            return Err(Stop::new(format!("{} has no words", isa.name)));
        }
        let samples = isa.forms.iter().map(|form| (form, Samples::new(isa, form))).collect();
        let executing = isa.forms.iter().filter(|form| form.executes.is_some()).collect();
        let bits = |form: &Form| {
            let reserved = form.plain.iter().filter(|plain| plain.what == PlainKind::Reserved);
            reserved.fold(Word::ZERO, |mask, plain| mask | plain.bits.mask())
        };
        let reserved = isa.forms.iter().map(bits).enumerate().filter(|(_, bits)| !bits.is_zero()).collect();
        Ok(Self { reference, harness, random: Random::new(seed.max(1)), samples, executing, reserved })
    }

    pub(super) fn program(&mut self) -> Program {
        let most = self.below(12) + 1;
        let mut words = Vec::new();
        let mut room = self.harness.code;
        while words.len() < most {
            let Some((word, bits)) = self.word() else { continue };
            let bytes = bits.div_ceil(8) as usize;
            if bytes > room {
                break;
            }
            room -= bytes;
            words.push((word, bits));
        }
        Program { words, inputs: self.inputs() }
    }

    fn below(&mut self, end: usize) -> usize {
        (self.random.next_u64() % end.max(1) as u64) as usize
    }

    fn inputs(&mut self) -> Vec<(Option<u64>, usize)> {
        let mut inputs = Vec::new();
        for input in &self.harness.inputs {
            for _ in 0..input.count {
                let source = self.below(input.of.len());
                let value = match input.of.get(source) {
                    None => Some(0),
                    Some(Source::Length) => None,
                    Some(Source::Number(number)) => Some(*number),
                    Some(Source::Any) => Some(self.random.value(8 * input.bytes as u32) as u64),
                    Some(Source::Boxed) => Some(!0 << 32 | self.random.value(32) as u64),
                    Some(Source::Pointer) => {
                        let (offset, unit) = (self.random.next_u64() % 64, self.random.next_u64() % 4);
                        Some(self.harness.at("middle") + (offset >> unit << unit))
                    }
                };
                inputs.push((value, input.bytes));
            }
        }
        inputs
    }

    /// A word; `None` if the one that was made is not suitable.
    fn word(&mut self) -> Option<(Word, u32)> {
        let kind = self.random.next_u64() % 32;
        let (mut word, bits) = match kind {
            0 => {
                let lengths = &self.reference.isa().words.lengths;
                let bits = lengths[self.random.next_u64() as usize % lengths.len()].bits;
                return self.suitable(self.random.clone().word(bits), bits).inspect(|_| _ = self.random.next_u64());
            }
            1 | 2 if !self.executing.is_empty() => {
                let index = self.below(self.executing.len());
                let form = self.executing[index];
                let executes = form.executes.as_ref()?;
                let random = self.random.word(form.length) & executes.ignored;
                (executes.words.nearest(random | form.value & !executes.ignored, executes.ignored)?, form.length)
            }
            3 if !self.reserved.is_empty() => {
                let index = self.below(self.reserved.len());
                let (place, bits) = self.reserved[index];
                let (form, samples) = &self.samples[place];
                let other = self.random.word(form.length) & bits;
                (samples.random(&mut self.random) | other, form.length)
            }
            _ => {
                let index = self.below(self.samples.len());
                let (form, samples) = &self.samples[index];
                (samples.random(&mut self.random), form.length)
            }
        };
        if kind < 6 && kind > 3 {
            word ^= Word::bit(self.random.next_u64() as u32 % bits);
        }
        if let Ok(form) = self.reference.codec().decode(word, bits) {
            let form = self.reference.isa().form(form);
            for (name, values) in &self.harness.fields {
                if let Some(field) = form.field(name) {
                    word = field.bits.set(word, values[self.random.next_u64() as usize % values.len()].into());
                }
            }
        }
        self.suitable(word, bits)
    }

    /// The word, if it has the length that it begins like, and the machines have to agree about it.
    fn suitable(&self, word: Word, bits: u32) -> Option<(Word, u32)> {
        let isa = self.reference.isa();
        let length = isa.words.lengths.iter().find(|length| length.prefix.contains(word));
        if length.is_none_or(|length| length.bits != bits) || self.harness.words.iter().any(|pattern| pattern.has(word, bits)) {
            return None;
        }
        if let Ok((form, word)) = self.reference.decode(word, bits) {
            let form = isa.form(form);
            let is_known = |(name, values): &(String, Vec<u64>)| {
                form.field(name).is_none_or(|field| values.contains(&(field.bits.get(word) as u64)))
            };
            if !self.harness.fields.iter().all(is_known) {
                return None;
            }
        }
        Some((word, bits))
    }
}
