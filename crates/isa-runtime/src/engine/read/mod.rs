//! Texts to words.
//!
//! A text is first read exactly as it is printed; then more leniently; then as one of the texts that are only read. In each of
//! these passes the templates are tried in the order of the forms, only those with the words and characters of the text. A
//! template is a graph of steps; if there are several ways to continue, they are tried one after the other, and places from which
//! nothing can be read are remembered, so that none is tried twice.

mod alike;
mod attempt;
mod begin;
mod commas;
mod encode;
mod field;
mod first;
mod nearest;
mod notes;
mod number;
mod pass;
mod pending;
mod ready;
mod statement;
mod tail;
mod task;
mod value;
mod wrong;

pub use attempt::MAX_STEPS;
pub use pass::Pass;
pub use statement::{Statement, Symbol, Symbols, is_local, is_symbol, label_name, no_symbols};

use super::tables::{HAS_BASE, Tables};
use super::{Bits, Table};
use crate::why::{ReadError, Wrong};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use attempt::{Attempt, Trial};
use begin::Beginnings;
use commas::{Commas, Following};
use pending::TooMany;
use ready::Ready;
use task::{Task, is_word};

/// The lengths of the words that a text is read as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lengths {
    /// The length that the instruction set prefers.
    #[default]
    Preferred,
    /// The length that the instruction set prefers; if that is the shortest, also a shorter word with the same effect and another
    /// text.
    Shortest,
    /// The longest for which the text can be read.
    LongestFirst,
    /// Words of this number of bits only.
    Only(u32),
}

/// Reads texts of one instruction set.
#[derive(Debug)]
pub struct Reader<'t, W> {
    tables: Ready<'t, W>,
    /// The characters that follow the commas of each template.
    following: Vec<Following>,
    /// The keys by a hash of their words.
    keys: Vec<u16>,
    /// The first step of the text of each form.
    first_steps: Vec<u32>,
    /// The bits of each form that its full text always determines.
    told: Vec<W>,
    /// The templates that have no key.
    keyless: Beginnings<'t>,
    /// The templates that may match the text.
    candidates: Vec<u16>,
    attempt: Attempt<W>,
    /// Room for a text that is printed.
    room: Vec<u8>,
    /// The mnemonics that are suggested; empty until a text has an unknown one.
    mnemonics: Vec<&'t str>,
    /// True if full texts are printed with aliases.
    aliases: bool,
    lengths: Lengths,
}

/// The number of the bit of two characters that follow each other, in [`super::tables::Template::pairs`]: pairs share bits.
pub fn pair(a: u8, b: u8) -> u8 {
    a.wrapping_mul(31).wrapping_add(b) & 127
}

/// The characters of a text and its pairs of characters, with a blank before and one after it, one bit each; and its commas.
#[derive(Default)]
struct Characters {
    set: u128,
    pairs: u128,
    commas: Commas,
}

impl Characters {
    #[inline(always)]
    fn add(&mut self, before: u8, c: u8) {
        self.set |= BITS[usize::from(c.min(127))];
        self.pairs |= BITS[usize::from(pair(before, c))];
    }
}

/// Each bit of a set of 128.
const BITS: [u128; 128] = {
    let (mut bits, mut at) = ([0; 128], 0);
    while at < 128 {
        bits[at] = 1 << at;
        at += 1;
    }
    bits
};

/// A hash of a word: of each character in turn, and at the end.
fn hash(word: &[u8]) -> usize {
    hash_of(word.iter().fold(0, |hash, c| hashed(hash, *c)))
}

#[inline(always)]
fn hashed(hash: u64, c: u8) -> u64 {
    hash.rotate_left(7) ^ u64::from(c)
}

#[inline(always)]
fn hash_of(characters: u64) -> usize {
    (characters.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize
}

impl<'t, W: Bits> Reader<'t, W> {
    /// Prepares an instruction set for reading.
    pub fn new(tables: Tables<'t, W>) -> Self {
        let size = (tables.keys.len() * 4).next_power_of_two().max(16);
        let mut keys = vec![u16::MAX; size];
        for (number, key) in (0..u16::MAX).zip(tables.keys.iter()) {
            let mut at = hash(tables.bytes_of(key.word)) & (size - 1);
            while keys.get(at).is_some_and(|k| *k != u16::MAX) {
                at = (at + 1) & (size - 1);
            }
            if let Some(place) = keys.get_mut(at) {
                *place = number;
            }
        }
        let mut first_steps = vec![0; tables.forms.len()];
        for template in tables.templates.iter().filter(|t| t.which == 0) {
            if let Some(first) = first_steps.get_mut(usize::from(template.form)) {
                *first = template.step;
            }
        }
        let tables = Ready::new(tables);
        let following = commas::following(&tables);
        let keyless = (0..u16::MAX).zip(&tables.templates).filter(|(_, t)| t.word.len == 0).map(|(i, _)| i);
        let keyless = Beginnings::new(&tables, keyless);
        Self {
            following: tables.templates.iter().map(|template| following(template.step)).collect(),
            told: tail::told(&tables, &first_steps),
            tables,
            keys,
            first_steps,
            keyless,
            candidates: Vec::new(),
            attempt: Attempt::default(),
            room: Vec::new(),
            mnemonics: Vec::new(),
            aliases: true,
            lengths: Lengths::Preferred,
        }
    }

    /// The same, but texts are read as words of these lengths.
    #[must_use]
    pub fn with_lengths(self, lengths: Lengths) -> Self {
        Self { lengths, ..self }
    }

    /// Sets the lengths of the words that texts are read as.
    pub fn set_lengths(&mut self, lengths: Lengths) {
        self.lengths = lengths;
    }

    /// The same, but full texts are printed without aliases, and a text of one word with aliases and another one without is read
    /// as the latter.
    #[must_use]
    pub fn without_aliases(self) -> Self {
        Self { aliases: false, ..self }
    }

    /// The instruction set.
    pub fn tables(&self) -> &Tables<'t, W> {
        &self.tables
    }

    /// The instruction of a text at `address`, of `bits` bits if the length is known.
    ///
    /// # Errors
    /// When no form reads the text; the error has the offset of a byte.
    pub fn read_plain(
        &mut self,
        text: &str,
        bits: Option<u32>,
        address: u64,
        symbols: Symbols<'_>,
    ) -> Result<Statement<W>, Box<ReadError<'t>>> {
        let read = self.read_any(text, bits, address, symbols)?;
        Ok(if bits.is_none() { self.shortest(text, read, address) } else { read })
    }

    /// The same, but without a search for a shorter instruction with the same text.
    fn read_any(
        &mut self,
        text: &str,
        bits: Option<u32>,
        address: u64,
        symbols: Symbols<'_>,
    ) -> Result<Statement<W>, Box<ReadError<'t>>> {
        if let Some(read) = self.look(text, bits, address, symbols)? {
            return Ok(read);
        }
        if let Some(bits) = bits
            && let Some(other) = self.look(text, None, address, symbols)?
        {
            let said = self.tables.form(other.form).map_or(0, |form| form.length.into());
            return Err(Box::new(ReadError { at: 0, wrong: Wrong::Length { bits, said } }));
        }
        Err(Box::new(self.explain(Task::exact(text, address, symbols))))
    }

    /// The same; `None` when no form reads the text.
    fn look(
        &mut self,
        text: &str,
        bits: Option<u32>,
        address: u64,
        symbols: Symbols<'_>,
    ) -> Result<Option<Statement<W>>, Box<ReadError<'t>>> {
        self.look_in(self.passes(), text, bits, address, symbols)
    }

    /// The passes in their order. Texts printed without aliases are read so first.
    fn passes(&self) -> &'static [Pass; 6] {
        if self.aliases { &Pass::ALL } else { &Pass::BASE_FIRST }
    }

    /// The same, in some passes.
    fn look_in(
        &mut self,
        passes: &[Pass],
        text: &str,
        bits: Option<u32>,
        address: u64,
        symbols: Symbols<'_>,
    ) -> Result<Option<Statement<W>>, Box<ReadError<'t>>> {
        let mut task = Task::exact(text, address, symbols);
        let Characters { set, pairs, commas } = self.find_candidates(task.bytes);
        for pass in passes.iter().copied() {
            task.pass = pass;
            for i in 0..self.candidates.len() {
                let number = usize::from(self.candidates[i]);
                let Some(template) = self.tables.templates.get(number) else { continue };
                // Templates without aliases were already tried in the pass `Exact`.
                let was_tried = pass == Pass::Base && template.which == 0 && passes[0] == Pass::Exact;
                if template.needs & !set != 0 || was_tried {
                    continue;
                }
                if pass.is_exact() && (set & !template.made_of | template.pairs & !pairs) != 0 {
                    continue;
                }
                if pass.is_exact() && !self.following.get(number).is_some_and(|following| following.can_have(&commas)) {
                    continue;
                }
                let Some(form) = self.tables.forms.get(usize::from(template.form)) else { continue };
                if bits.is_some_and(|bits| bits != u32::from(form.length))
                    || !pass.reads(template.which.into(), form.flags & HAS_BASE != 0)
                {
                    continue;
                }
                let trial = Trial { tables: &self.tables, task: &task, form, number: template.form };
                let read = match pass {
                    Pass::Exact | Pass::Base => self.attempt.exactly(&trial, template.step),
                    _ => self.attempt.run(&trial, template.step),
                };
                match read {
                    Ok(Some(word)) => {
                        return Ok(Some(self.attempt.statement(&trial, word)));
                    }
                    Ok(None) => {}
                    Err(TooMany) => {
                        let wrong = Wrong::TooManyWays { form: self.tables.text(form.name) };
                        return Err(Box::new(ReadError { at: 0, wrong }));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Finds the templates whose words are all in the text, and the characters of the text.
    fn find_candidates(&mut self, text: &[u8]) -> Characters {
        self.candidates.clear();
        let mut lists = 0;
        for list in self.keyless.of(text) {
            lists += 1;
            self.candidates.extend_from_slice(list);
        }
        let mut characters = Characters::default();
        let (mut start, mut hash, mut before) = (0, 0, b' ');
        for at in 0..=text.len() {
            let c = text.get(at).copied().unwrap_or(b' ');
            characters.add(before, c);
            before = c;
            if is_word(c) {
                hash = hashed(hash, c);
                continue;
            }
            if c == b',' {
                characters.commas.add(text, at);
            }
            if let Some(templates) = text.get(start..at).filter(|w| !w.is_empty()).and_then(|word| self.key(word, hash_of(hash)))
            {
                lists += 1;
                self.candidates.extend(templates.iter());
            }
            (start, hash) = (at + 1, 0);
        }
        if lists > 1 {
            self.candidates.sort_unstable();
            self.candidates.dedup();
        }
        characters
    }

    /// The templates all texts of which have this word.
    fn key(&self, word: &[u8], hash: usize) -> Option<Table<'t, u16>> {
        let mask = self.keys.len() - 1;
        let mut at = hash & mask;
        loop {
            let key = self.tables.keys.get(usize::from(*self.keys.get(at)?))?;
            if self.tables.bytes_of(key.word) == word {
                return Some(self.tables.lists.slice(key.templates));
            }
            at = (at + 1) & mask;
        }
    }
}
