//! Words of forms to try things on: each field at its limits, each bit the other way round, and random ones.

use isa_spec::model::{Field, Form, Isa, Raw, Word, ones};
use isa_spec::sets::{Set, Solver, WordSet};

/// A xorshift generator: the same numbers on every run and machine, so that a failure can be met again.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator that begins at `seed`, which is not 0.
    ///
    /// # Panics
    /// When it is.
    pub fn new(seed: u64) -> Self {
        assert_ne!(seed, 0, "a xorshift generator never leaves 0");
        Self(seed)
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// 128 random bits.
    pub fn wide(&mut self) -> u128 {
        u128::from(self.next_u64()) << 64 | u128::from(self.next_u64())
    }

    /// A number of `width` bits, 1 to 128; often at a limit.
    pub fn value(&mut self, width: u32) -> u128 {
        let any = self.wide();
        let value = match self.next_u64() % 8 {
            0 => 0,
            1 => u128::MAX,
            2 => 1 << (width - 1),
            3 => ones(width - 1),
            4 => any & 7,
            5 => any & ones(width) >> (self.next_u64() % u64::from(width)),
            _ => any,
        };
        value & ones(width)
    }

    /// A word of `bits` random bits.
    pub fn word(&mut self, bits: u32) -> Word {
        let low = self.wide();
        let high = if bits > 128 { self.wide() } else { 0 };
        Word::new(high, low) & Word::ones(bits)
    }

    /// A word with the fixed bits of a form and random bits elsewhere. Small and extreme values, where text and codec have
    /// their special cases, come up as often as others: each field is all zeros, all ones, its default, or random.
    pub fn word_of(&mut self, form: &Form) -> Word {
        let kept = self.word(form.length) & !form.mask;
        form.fields.iter().fold(form.value | kept, |word, field| match self.next_u64() % 8 {
            0 => field.bits.set(word, 0),
            1 => field.bits.set(word, u128::MAX),
            2 | 3 => field.bits.set(word, field.default),
            4 => field.bits.set(word, u128::from(self.next_u64() % 4)),
            _ => word,
        })
    }
}

/// The width up to which all values of an enumeration are tried; of wider ones, those with names and their neighbours.
const ALL_VALUES: u32 = 8;

/// Raw values of a field that are tried: its limits and their neighbours, each single bit, each register of a special name, each
/// value of an enumeration.
pub fn values(field: &Field) -> Vec<Raw> {
    let width = field.bits.width();
    let most = ones(width);
    let half = most >> 1;
    let mut values: Vec<Raw> = vec![0, 1, 2, half, half.wrapping_add(1), most - 1, most, field.default];
    values.extend((0..width).map(|bit| 1 << bit));
    let around = |value: Raw| [value.wrapping_sub(1), value, value.wrapping_add(1)];
    for part in field.spelling.parts.iter().filter(|part| part.of.is_none()) {
        let end = part.other.as_ref().and_then(|other| other.numbered()?.end);
        if !part.names.is_empty() && end.is_none() && width <= ALL_VALUES {
            values.extend(0..=most);
        }
        values.extend(part.names.iter().map(|name| name.number).chain(end).flat_map(around));
    }
    if !field.code.bit_steps().is_empty() {
        let raw: Vec<Raw> = values.iter().map(|value| field.code.word_bits(*value & most)).collect();
        values.extend(raw);
    }
    values.retain(|value| *value <= most);
    values.sort_unstable();
    values.dedup();
    values
}

/// Makes words of one form.
#[derive(Debug)]
pub struct Samples<'a> {
    form: &'a Form,
    /// The words that decode to the form and keep its rules, if that is not too much to compute.
    legal: Option<WordSet>,
}

impl<'a> Samples<'a> {
    /// Samples of a form of an instruction set.
    pub fn new(isa: &Isa, form: &'a Form) -> Self {
        let mut solver = Solver::new(isa.order(form.length));
        let own = solver.attempt(|solver| {
            let (words, legal) = (solver.import(&form.words)?, solver.import(&form.legal)?);
            solver.and(words, legal)
        });
        let legal = own.ok().filter(|set| *set != Set::NONE).map(|set| solver.freeze(set));
        Self { form, legal }
    }

    /// The legal word nearest to a word, with these bits of it.
    fn nearest(&self, word: Word, known: Word) -> Option<Word> {
        self.legal.as_ref()?.nearest(word, known).map(|found| found & Word::ones(self.form.length))
    }

    /// The legal word nearest to the one with all defaults.
    pub fn plain(&self) -> Word {
        let word = self.form.default_word();
        self.nearest(word, Word::ZERO).unwrap_or(word)
    }

    /// The legal word nearest to the plain one in which a field has this raw value.
    pub fn with(&self, field: &Field, raw: Raw) -> Option<Word> {
        self.nearest(field.bits.set(self.plain(), raw), field.bits.mask())
    }

    /// Each value of each field on the plain word and on a random one, as it is and with what else must change for it to be legal;
    /// and each bit of the plain word the other way round.
    pub fn limits(&self, random: &mut Random) -> Vec<Word> {
        let plain = self.plain();
        let mut words = vec![plain];
        for field in &self.form.fields {
            for value in values(field) {
                let word = field.bits.set(plain, value);
                words.push(word);
                words.extend(self.nearest(word, field.bits.mask()));
                words.extend(self.nearest(field.bits.set(random.word_of(self.form), value), field.bits.mask()));
            }
        }
        words.extend((0..self.form.length).map(|bit| plain ^ Word::bit(bit)));
        let mut seen = std::collections::HashSet::new();
        words.retain(|word| seen.insert(*word));
        words
    }

    /// A random word; three of four are legal.
    pub fn random(&self, random: &mut Random) -> Word {
        let word = random.word_of(self.form);
        match random.next_u64() % 4 {
            0 => word,
            _ => self.nearest(word, Word::ZERO).unwrap_or(word),
        }
    }
}
