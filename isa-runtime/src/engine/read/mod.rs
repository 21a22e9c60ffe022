//! Texts to words.
//!
//! A text is read to the letter first, as it is printed; then more freely; then as what is only read. In each of these passes the
//! templates are tried in the order of the forms, those alone that have the words and characters of the text. A template is a graph
//! of steps; where it can go on in several ways, the ways are tried one after the other, and where nothing can be read at all is
//! remembered, so that no place is tried twice in vain.

mod first;
mod nearest;
mod ready;
pub(super) mod tail;
mod value;
mod wrong;

use super::decode::ones;
use super::tables::{
    DIFFERS, EITHER, END, ENUM, FLAG, FULL, Field, Form, HAS_BASE, HOLDS, LITERAL, NAME, ONE_OF, RETURN, Tables, VALUE,
};
use super::{Bits, Table};
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use ready::{Ready, Step};

/// Why a text is no instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// Byte of the text.
    pub at: usize,
    /// What is wrong.
    pub message: String,
}

impl core::fmt::Display for ReadError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for ReadError {}

/// An instruction as a text says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement<W> {
    /// Its form.
    pub form: u16,
    /// Its word.
    pub word: W,
    /// The names of registers that programs name, by the numbers that the word has for them; empty for a number that it does not
    /// have.
    pub names: Vec<String>,
}

/// The addresses of labels.
pub type Labels<'l> = &'l dyn Fn(&str) -> Option<u64>;

/// Words of which lengths a text is read as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lengths {
    /// As the instruction set prefers.
    #[default]
    Preferred,
    /// The longest for which the text can be read.
    LongestFirst,
    /// Words of so many bits alone.
    Only(u32),
}

/// No label has an address.
pub fn no_labels(_: &str) -> Option<u64> {
    None
}

/// So many steps are made with a template before its text counts as one that can be read in too many ways. What takes longer than
/// others counts as several steps.
pub const MAX_STEPS: u32 = 1 << 16;

/// So many are made to find out what is wrong with a text.
const MAX_NOTED: u32 = 1 << 12;

/// So many steps are looked ahead, where a text could go on in several ways.
const AHEAD: u8 = 4;

/// How a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    /// To the letter as it is printed.
    Exact,
    /// To the letter as it is printed without aliases.
    Base,
    /// Blanks, and other ways to write values.
    Lenient,
    /// Groups that would be printed may be missing, too.
    Loose,
    /// Texts that are only read.
    Also,
}

impl Pass {
    const ALL: [Self; 5] = [Self::Exact, Self::Base, Self::Lenient, Self::Loose, Self::Also];

    /// Where texts without aliases come first.
    const BASE_FIRST: [Self; 5] = [Self::Base, Self::Exact, Self::Lenient, Self::Loose, Self::Also];

    /// Whether a text of a form, by its place among those that are read, is read in this pass.
    fn reads(self, which: u16, has_base: bool) -> bool {
        match self {
            Self::Exact | Self::Lenient | Self::Loose => which == 0,
            Self::Base => which == u16::from(has_base),
            Self::Also => which > 0,
        }
    }

    /// Whether texts are read to the letter.
    #[inline(always)]
    fn is_exact(self) -> bool {
        matches!(self, Self::Exact | Self::Base)
    }

    /// Whether groups that are printed when something differs from its default must then differ.
    fn is_strict(self) -> bool {
        matches!(self, Self::Exact | Self::Base | Self::Lenient)
    }
}

/// Reads texts of one instruction set.
#[derive(Debug)]
pub struct Reader<'t, W> {
    tables: Ready<'t, W>,
    /// The keys by a hash of their words.
    keys: Vec<u16>,
    /// The first step of the text of each form.
    first_steps: Vec<u32>,
    /// The templates that have no key.
    keyless: Vec<u16>,
    /// The templates that may be those of the text.
    candidates: Vec<u16>,
    attempt: Attempt<W>,
    /// Room for a text that is printed.
    room: Vec<u8>,
    /// Whether full texts are printed with aliases.
    aliases: bool,
    lengths: Lengths,
}

/// What the text has said so far, and where it goes on.
#[derive(Clone, Copy, Debug, Default)]
struct State<W> {
    step: u32,
    at: usize,
    word: W,
    known: W,
    /// So many conditions are pending.
    pending: usize,
    /// Where to go on behind one of several texts: a frame, or 0.
    frame: u32,
}

/// What must turn out true when the text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pending {
    In(u32),
    NotIn(u32),
    Differs(u32),
}

/// A value that is read: its bits, where it ends, and whether it is printed so.
#[derive(Clone, Copy, Debug)]
struct Way {
    raw: u128,
    end: usize,
    is_printed: bool,
}

/// One template and one text. The buffers are used again and again.
#[derive(Debug, Default)]
struct Attempt<W> {
    open: Vec<Open<W>>,
    pending: Vec<Pending>,
    ways: Vec<Way>,
    /// The steps behind lists of texts, and the frames around them; and the same by what they are.
    frames: Vec<(u32, u32)>,
    known_frames: BTreeMap<(u32, u32), u32>,
    /// Where names stand, by their places.
    names: Vec<Range<usize>>,
    /// Where nothing can be read.
    hopeless: Hopeless,
    nearest: nearest::Room<W>,
    /// How many times reading came to something that depends on more than the place.
    met: u32,
    steps: u32,
    notes: wrong::Notes,
}

/// Steps, places and frames from which nothing can be read.
#[derive(Debug, Default)]
struct Hopeless {
    /// The first ones: mostly there are no others.
    few: Vec<(u32, usize, u32)>,
    many: BTreeSet<(u32, usize, u32)>,
}

impl Hopeless {
    fn clear(&mut self) {
        self.few.clear();
        self.many.clear();
    }

    fn insert(&mut self, place: (u32, usize, u32)) {
        if self.few.len() < 8 {
            self.few.push(place);
        } else {
            self.many.insert(place);
        }
    }

    fn contains(&self, place: &(u32, usize, u32)) -> bool {
        self.few.contains(place) || (!self.many.is_empty() && self.many.contains(place))
    }
}

/// A way that has not been tried yet.
#[derive(Clone, Copy, Debug)]
enum Open<W> {
    Way(State<W>, Option<Pending>),
    /// All ways to read a field have been tried: where it begins, and where the longest of its texts ends.
    Over {
        field: u32,
        from: usize,
        longest: Option<usize>,
    },
    /// All ways from here have been tried; `met` counts what had been met before.
    Tried {
        step: u32,
        at: usize,
        frame: u32,
        met: u32,
    },
}

/// What is to be read, and how.
#[derive(Clone, Copy)]
struct Task<'x> {
    text: &'x str,
    bytes: &'x [u8],
    address: u64,
    labels: Labels<'x>,
    pass: Pass,
    /// Whether what fails is noted.
    notes: bool,
    /// Whether the text may go on where the template ends.
    prefix: bool,
}

/// Which bytes are characters of words.
const WORD: [bool; 256] = {
    let mut is_word = [false; 256];
    let mut c = 0;
    while c < 128 {
        is_word[c] = (c as u8).is_ascii_alphanumeric() || c as u8 == b'_';
        c += 1;
    }
    is_word
};

#[inline(always)]
fn is_word(c: u8) -> bool {
    WORD[usize::from(c)]
}

impl<'x> Task<'x> {
    /// To the letter.
    fn exact(text: &'x str, address: u64, labels: Labels<'x>) -> Self {
        Self { text, bytes: text.as_bytes(), address, labels, pass: Pass::Exact, notes: false, prefix: false }
    }

    /// Where what follows blanks begins.
    #[inline]
    fn blanks(&self, at: usize) -> usize {
        if self.pass.is_exact() {
            return at;
        }
        at + self.bytes.get(at..).unwrap_or(&[]).iter().take_while(|b| matches!(b, b' ' | b'\t')).count()
    }

    /// Where a token may begin: after blanks, if they stand after one of `, [ ( +`.
    #[inline]
    fn token(&self, at: usize) -> usize {
        match at.checked_sub(1).and_then(|before| self.bytes.get(before)) {
            None | Some(b',' | b'[' | b'(' | b'+') => self.blanks(at),
            Some(_) => at,
        }
    }

    #[inline]
    fn rest(&self, at: usize) -> &[u8] {
        self.bytes.get(at..).unwrap_or(&[])
    }

    /// Where the text of a value can begin: after blanks, if it begins with punctuation.
    #[inline]
    fn mark(&self, text: &[u8], at: usize) -> usize {
        if text.first().is_none_or(|c| is_word(*c)) { at } else { self.blanks(at) }
    }

    /// Whether what can begin with these characters can stand here.
    #[inline]
    fn can_begin(&self, initials: u128, at: usize) -> bool {
        let is_in = |at: usize| {
            let c = self.bytes.get(at).map_or(0, |c| (*c).min(127));
            let half = if c < 64 { initials as u64 } else { (initials >> 64) as u64 };
            half >> (c & 63) & 1 != 0
        };
        is_in(at) || (!self.pass.is_exact() && is_in(self.blanks(at)))
    }
}

/// The number of the bit of two characters that follow each other, in [`super::tables::Template::pairs`]: pairs share bits.
pub fn pair(a: u8, b: u8) -> u8 {
    a.wrapping_mul(31).wrapping_add(b) & 127
}

/// The characters of a text, one bit each, and its pairs of characters, with a blank before and one behind it.
fn characters(text: &[u8]) -> (u128, u128) {
    let (mut set, mut pairs, mut before) = ([0u64; 2], [0u64; 2], b' ');
    let mut add = |c: u8| {
        set[usize::from(c >= 64)] |= 1 << (c.min(127) & 63);
        let pair = pair(before, c);
        pairs[usize::from(pair >= 64)] |= 1 << (pair & 63);
        before = c;
    };
    text.iter().for_each(|c| add(*c));
    add(b' ');
    let whole = |[low, high]: [u64; 2]| u128::from(low) | u128::from(high) << 64;
    (whole(set), whole(pairs))
}

/// Whether a text begins with another. Most that are asked for are a few bytes long, and differ in the first.
#[inline(always)]
fn begins(text: &[u8], with: &[u8]) -> bool {
    text.len() >= with.len() && text.iter().zip(with).all(|(a, b)| a == b)
}

/// A hash of a word.
fn hash(word: &[u8]) -> u32 {
    word.iter().fold(0, |hash, c| hashed(hash, *c))
}

#[inline(always)]
fn hashed(hash: u32, c: u8) -> u32 {
    (hash ^ u32::from(c)).wrapping_mul(0x0100_0193).rotate_left(5)
}

impl<'t, W: Bits> Reader<'t, W> {
    /// Prepares an instruction set for reading.
    pub fn new(tables: Tables<'t, W>) -> Self {
        let size = (tables.keys.len() * 4).next_power_of_two().max(16);
        let mut keys = vec![u16::MAX; size];
        for (number, key) in (0..u16::MAX).zip(tables.keys.iter()) {
            let mut at = hash(tables.bytes_of(key.word)) as usize & (size - 1);
            while keys.get(at).is_some_and(|k| *k != u16::MAX) {
                at = (at + 1) & (size - 1);
            }
            if let Some(place) = keys.get_mut(at) {
                *place = number;
            }
        }
        let keyless = (0..u16::MAX).zip(tables.templates.iter()).filter(|(_, t)| t.word.len == 0).map(|(i, _)| i).collect();
        let mut first_steps = vec![0; tables.forms.len()];
        for template in tables.templates.iter().filter(|t| t.which == 0) {
            if let Some(first) = first_steps.get_mut(usize::from(template.form)) {
                *first = template.step;
            }
        }
        Self {
            tables: Ready::new(tables),
            keys,
            first_steps,
            keyless,
            candidates: Vec::new(),
            attempt: Attempt::default(),
            room: Vec::new(),
            aliases: true,
            lengths: Lengths::Preferred,
        }
    }

    /// The same, but texts are read as words of these lengths.
    #[must_use]
    pub fn with_lengths(self, lengths: Lengths) -> Self {
        Self { lengths, ..self }
    }

    /// The same, but full texts are printed without aliases, and what one word prints with aliases and another one without is read as
    /// the latter.
    #[must_use]
    pub fn without_aliases(self) -> Self {
        Self { aliases: false, ..self }
    }

    /// The instruction set.
    pub fn tables(&self) -> &Tables<'t, W> {
        &self.tables
    }

    /// The instruction that a text says, which stands at `address`; of so many bits, if that is known.
    ///
    /// # Errors
    /// When no form reads the text: the error stands at a byte of the text.
    pub fn read_plain(
        &mut self,
        text: &str,
        bits: Option<u32>,
        address: u64,
        labels: Labels<'_>,
    ) -> Result<Statement<W>, Box<ReadError>> {
        self.read_in(&Pass::ALL, text, bits, address, labels)
    }

    /// The same in these passes, one after the other.
    fn read_in(
        &mut self,
        passes: &[Pass],
        text: &str,
        bits: Option<u32>,
        address: u64,
        labels: Labels<'_>,
    ) -> Result<Statement<W>, Box<ReadError>> {
        if let Some(read) = self.look_in(passes, text, bits, address, labels)? {
            return Ok(read);
        }
        if let Some(bits) = bits
            && let Some(other) = self.look_in(passes, text, None, address, labels)?
        {
            let length = self.tables.form(other.form).map_or(0, |form| form.length);
            let message = alloc::format!("an instruction with this text has {length} bits, not {bits}");
            return Err(Box::new(ReadError { at: 0, message }));
        }
        Err(Box::new(self.explain(Task::exact(text, address, labels))))
    }

    /// The same; `None` when no form reads the text.
    fn look_in(
        &mut self,
        passes: &[Pass],
        text: &str,
        bits: Option<u32>,
        address: u64,
        labels: Labels<'_>,
    ) -> Result<Option<Statement<W>>, Box<ReadError>> {
        self.find_candidates(text.as_bytes());
        let (set, pairs) = characters(text.as_bytes());
        let mut task = Task::exact(text, address, labels);
        for pass in passes.iter().copied() {
            task.pass = pass;
            for i in 0..self.candidates.len() {
                let Some(template) = self.tables.templates.get(usize::from(self.candidates[i])) else { continue };
                // Behind the pass `Exact`, those without aliases have been tried.
                let was_tried = pass == Pass::Base && template.which == 0 && passes.first() == Some(&Pass::Exact);
                if template.needs & !set != 0 || was_tried {
                    continue;
                }
                if pass.is_exact() && (set & !template.made_of | template.pairs & !pairs) != 0 {
                    continue;
                }
                let Some(form) = self.tables.forms.get(usize::from(template.form)) else { continue };
                if bits.is_some_and(|bits| bits != u32::from(form.length))
                    || !pass.reads(template.which, form.flags & HAS_BASE != 0)
                {
                    continue;
                }
                let read = match pass {
                    Pass::Exact | Pass::Base => self.attempt.exactly(&self.tables, &task, form, template.form, template.step),
                    _ => self.attempt.run(&self.tables, &task, form, template.form, template.step),
                };
                match read {
                    Ok(Some(word)) => {
                        return Ok(Some(self.attempt.statement(&self.tables, &task, form, template.form, word)));
                    }
                    Ok(None) => {}
                    Err(TooMany) => {
                        let name = self.tables.text(form.name);
                        let message = alloc::format!("{name}: this text can be read in too many ways");
                        return Err(Box::new(ReadError { at: 0, message }));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Finds the templates that the words of the text are in.
    fn find_candidates(&mut self, text: &[u8]) {
        self.candidates.clear();
        self.candidates.extend_from_slice(&self.keyless);
        let mut lists = usize::from(!self.keyless.is_empty());
        let (mut start, mut hash) = (0, 0);
        for (at, c) in text.iter().copied().chain(core::iter::once(b' ')).enumerate() {
            if is_word(c) {
                hash = hashed(hash, c);
                continue;
            }
            if let Some(templates) = text.get(start..at).filter(|w| !w.is_empty()).and_then(|word| self.key(word, hash)) {
                lists += 1;
                self.candidates.extend(templates.iter());
            }
            (start, hash) = (at + 1, 0);
        }
        if lists > 1 {
            self.candidates.sort_unstable();
            self.candidates.dedup();
        }
    }

    /// The templates all texts of which have this word.
    fn key(&self, word: &[u8], hash: u32) -> Option<Table<'t, u16>> {
        let mask = self.keys.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let key = self.tables.keys.get(usize::from(*self.keys.get(at)?))?;
            if self.tables.bytes_of(key.word) == word {
                return Some(self.tables.lists.slice(key.templates));
            }
            at = (at + 1) & mask;
        }
    }
}

/// A text that can be read in too many ways, or leaves too much open.
#[derive(Clone, Copy, Debug)]
struct TooMany;

impl<W: Bits> Attempt<W> {
    /// The word of a text, if the template that begins at `step` reads it.
    fn run(
        &mut self,
        tables: &Ready<'_, W>,
        task: &Task<'_>,
        form: &Form<W>,
        number: u16,
        step: u32,
    ) -> Result<Option<W>, TooMany> {
        self.begin(tables, form, if task.notes { MAX_NOTED } else { MAX_STEPS });
        let start = State { step, at: 0, word: form.value, known: form.mask, pending: 0, frame: 0 };
        let mut state = Some(start);
        loop {
            if let Some(now) = state
                && let Some(word) = self.follow(tables, task, form, number, now)?
            {
                return Ok(Some(word));
            }
            state = None;
            match self.open.pop() {
                None => return Ok(None),
                Some(Open::Way(next, add)) => {
                    self.pending.truncate(next.pending);
                    let mut next = next;
                    if let Some(add) = add {
                        self.pending.push(add);
                        next.pending += 1;
                    }
                    state = Some(next);
                }
                Some(Open::Over { field, from, longest }) => {
                    self.notes.read(field, None);
                    if let (Some(field), Some(end)) = (tables.fields.get(field as usize), longest) {
                        self.notes.whole_word(tables, task, &field, from, end);
                    }
                }
                Some(Open::Tried { step, at, frame, met }) => {
                    if met == self.met && !task.notes {
                        self.hopeless.insert((step, at, frame));
                    }
                }
            }
        }
    }

    fn begin(&mut self, tables: &Ready<'_, W>, form: &Form<W>, steps: u32) {
        self.open.clear();
        self.pending.clear();
        self.frames.clear();
        self.known_frames.clear();
        self.names.clear();
        self.hopeless.clear();
        self.met = 0;
        self.steps = steps;
        if let Some(insn) = tables.insns.get(usize::from(form.insn)).filter(|insn| insn.names > 0) {
            self.names.resize(insn.names.into(), 0..0);
        }
    }

    /// Goes on from a state until there is nothing to read, or the text is read.
    fn follow(
        &mut self,
        tables: &Ready<'_, W>,
        task: &Task<'_>,
        form: &Form<W>,
        number: u16,
        mut now: State<W>,
    ) -> Result<Option<W>, TooMany> {
        loop {
            self.steps = self.steps.checked_sub(1).ok_or(TooMany)?;
            let Some(step) = tables.steps.get(now.step as usize) else { return Ok(None) };
            match step.kind {
                LITERAL => {
                    let text = step.text;
                    let start = task.blanks(now.at);
                    if let Some((word, at)) = &mut self.notes.mnemonic
                        && text.windows(word.len.max(1) as usize).any(|part| part == tables.bytes_of(*word))
                    {
                        *at = start.max(*at);
                    }
                    let Some(end) = self.literal(task, text, now.at) else { return Ok(None) };
                    self.notes.literal_at = start;
                    (now.step, now.at) = (step.next, end);
                }
                VALUE => {
                    let Some((field, mask)) = tables.all_fields.get(step.of as usize) else { return Ok(None) };
                    if !self.value(tables, task, step, field, *mask, &mut now) {
                        return Ok(None);
                    }
                }
                HOLDS | DIFFERS => {
                    if !self.group(tables, task, form, step, &mut now) {
                        return Ok(None);
                    }
                }
                EITHER => {
                    let (first, second) =
                        (self.can_go(tables, task, step.body, &now), self.can_go(tables, task, step.next, &now));
                    if first && second {
                        self.open.push(Open::Way(State { step: step.next, ..now }, None));
                        self.open.push(Open::Tried { step: step.body, at: now.at, frame: now.frame, met: self.met });
                    }
                    match (first, second) {
                        (true, _) => now.step = step.body,
                        (false, true) => now.step = step.next,
                        (false, false) => return Ok(None),
                    }
                }
                ONE_OF => {
                    let frame = (step.next, now.frame);
                    now.frame = *self.known_frames.entry(frame).or_insert_with(|| {
                        self.frames.push(frame);
                        self.frames.len() as u32
                    });
                    now.step = step.body;
                }
                RETURN => {
                    let Some((next, frame)) = (now.frame as usize).checked_sub(1).and_then(|i| self.frames.get(i)) else {
                        return Ok(None);
                    };
                    (now.step, now.frame) = (*next, *frame);
                }
                END | FULL => {
                    if task.prefix {
                        self.met += 1;
                        self.notes.prefix(now.at);
                        return Ok(None);
                    }
                    let end = task.blanks(now.at);
                    if end >= task.bytes.len() {
                        self.met += 1;
                        return self.end(tables, task, form, number, &now);
                    }
                    if step.kind == FULL {
                        self.notes.fail(task, end, || "the end".to_string());
                        let Some(at) = self.literal(task, b" ", now.at) else { return Ok(None) };
                        (now.step, now.at) = (step.body, at);
                        continue;
                    }
                    self.notes.fail(task, end, || "the end".to_string());
                    return Ok(None);
                }
                _ => return Ok(None),
            }
        }
    }

    /// The text is read: the word, if there is one for which all holds.
    fn end(
        &mut self,
        tables: &Ready<'_, W>,
        task: &Task<'_>,
        form: &Form<W>,
        number: u16,
        now: &State<W>,
    ) -> Result<Option<W>, TooMany> {
        let word = (form.default & !now.known) | now.word;
        let pending = &self.pending;
        let is_legal = match tables.length(form.length.into()) {
            Some(length) => tables.decode(word, &length) == Some(number),
            None => tables.is_in(form.words, word) && tables.is_in(form.legal, word),
        };
        if is_legal && pending.iter().all(|p| p.holds(tables, word)) {
            return Ok(Some(word));
        }
        match nearest::nearest(tables, form, word, now.known, pending, &mut self.nearest, &mut self.steps) {
            Ok(Some(word)) => Ok(Some(word)),
            Ok(None) => {
                if task.notes {
                    self.blame(tables, task, form, now);
                }
                Ok(None)
            }
            Err(TooMany) => Err(TooMany),
        }
    }

    /// Reads a value: whether it goes on.
    fn value(
        &mut self,
        tables: &Ready<'_, W>,
        task: &Task<'_>,
        step: &Step<'_>,
        field: &Field,
        mask: W,
        now: &mut State<W>,
    ) -> bool {
        let from = task.token(now.at);
        if field.kind == NAME {
            let Some(end) = self.name(tables, task, field, from) else { return false };
            (now.step, now.at) = (step.next, end);
            return true;
        }
        let start = *now;
        let first = self.ways.len();
        self.ways(tables, task, step, field, from);
        // Each way is kept until it is tried, and enumerations can be long.
        let texts =
            if field.kind == ENUM { tables.sets.get(field.of as usize).map_or(0, |of| of.names.len() as u32 / 16) } else { 0 };
        self.steps = self.steps.saturating_sub(texts + (self.ways.len() - first) as u32);
        if task.notes {
            let longest = self.ways[first..].iter().map(|way| way.end).max();
            self.notes.read(step.of, Some(task.blanks(from)));
            self.open.push(Open::Over { field: step.of, from: task.blanks(from), longest });
        }
        // The longest first; of equally long ones the first.
        if self.ways.len() - first > 1 {
            self.ways[first..].sort_by_key(|way| core::cmp::Reverse(way.end));
        }
        let mut found = false;
        for i in (first..self.ways.len()).rev() {
            let way = self.ways[i];
            let bits = tables.place(field.ranges, way.raw);
            if (start.word ^ bits) & start.known & mask != W::zero() {
                self.met += 1;
                self.notes.fail(task, from, String::new);
                continue;
            }
            let next = State { step: step.next, at: way.end, word: start.word | bits, known: start.known | mask, ..start };
            if i == first {
                (*now, found) = (next, true);
            } else {
                self.open.push(Open::Way(next, None));
            }
        }
        self.ways.truncate(first);
        if !found {
            // The first way contradicts what is known; the others wait.
            return false;
        }
        true
    }

    /// Reads a group, or what follows it: whether it goes on.
    fn group(&mut self, tables: &Ready<'_, W>, task: &Task<'_>, form: &Form<W>, step: &Step<'_>, now: &mut State<W>) -> bool {
        let mut with = self.can_go(tables, task, step.body, now);
        let mut without = self.can_go(tables, task, step.next, now);
        let (start, body) = (*now, step.body);
        let (inside, outside);
        let mut next = State { step: step.next, ..start };
        if step.kind == HOLDS {
            (inside, outside) = (Some(Pending::In(step.of)), Some(Pending::NotIn(step.of)));
            // Where the next character leaves both ways open, what is known may not; else it shows at the end of the text.
            if with && without {
                with = nearest::meets(tables, step.of, now.word, now.known, 1);
                without = nearest::meets(tables, step.of, now.word, now.known, 0);
                self.met += u32::from(!with) + u32::from(!without);
            }
        } else {
            (inside, outside) = (task.pass.is_strict().then_some(Pending::Differs(step.of)), None);
            let Some(cube) = tables.cubes.get(step.of as usize) else { return false };
            let default = form.default & cube.mask;
            if without && (start.word ^ default) & start.known & cube.mask != W::zero() {
                (without, self.met) = (false, self.met + 1);
            }
            next.word = start.word | default;
            next.known = start.known | cube.mask;
        }
        match (with, without) {
            (true, _) => {
                if without {
                    self.open.push(Open::Way(next, outside));
                    self.open.push(Open::Tried { step: body, at: start.at, frame: start.frame, met: self.met });
                }
                self.push(inside, now);
                now.step = body;
                true
            }
            (false, true) => {
                *now = next;
                self.push(outside, now);
                true
            }
            (false, false) => false,
        }
    }

    /// Whether something can be read from a step on, as far as the next characters and earlier attempts say.
    fn can_go(&self, tables: &Ready<'_, W>, task: &Task<'_>, step: u32, now: &State<W>) -> bool {
        task.notes || (self.ahead(tables, task, step, now.at, AHEAD) && !self.hopeless.contains(&(step, now.at, now.frame)))
    }

    /// Whether something can be read from a step on, as far as so many steps say.
    fn ahead(&self, tables: &Ready<'_, W>, task: &Task<'_>, step: u32, at: usize, steps: u8) -> bool {
        let Some(step) = tables.steps.get(step as usize) else { return false };
        if !task.can_begin(step.initials, at) {
            return false;
        }
        let Some(steps) = steps.checked_sub(1).filter(|_| task.pass.is_exact()) else { return true };
        let rest = task.rest(at);
        let next = |end: usize| self.ahead(tables, task, step.next, end, steps);
        match step.kind {
            LITERAL => begins(rest, step.text) && next(at + step.text.len()),
            VALUE => match tables.all_fields.get(step.of as usize) {
                Some((field, _)) if field.kind == FLAG => begins(rest, step.text) || next(at),
                Some((field, _)) if field.kind == ENUM => tables.sets.get(field.of as usize).is_none_or(|set| {
                    let (is_open, has_empty) = (set.row.open != 0, set.empty < set.names.len());
                    is_open || set.names[..set.empty].iter().any(|name| begins(rest, name.text)) || (has_empty && next(at))
                }),
                _ => true,
            },
            HOLDS | DIFFERS | EITHER => self.ahead(tables, task, step.body, at, steps) || next(at),
            _ => true,
        }
    }

    fn push(&mut self, add: Option<Pending>, now: &mut State<W>) {
        if let Some(add) = add {
            self.pending.push(add);
            now.pending += 1;
        }
    }

    /// Reads a literal: where it ends.
    fn literal(&mut self, task: &Task<'_>, literal: &[u8], from: usize) -> Option<usize> {
        if task.pass.is_exact() {
            return begins(task.rest(from), literal).then_some(from + literal.len());
        }
        let mut at = from;
        for (i, c) in literal.iter().enumerate() {
            if *c == b' ' {
                let next = task.blanks(at);
                let is_alone = |c: Option<&u8>| c.is_none_or(|c| !is_word(*c));
                let before = at.checked_sub(1).and_then(|before| task.bytes.get(before));
                if next == at && !is_alone(before) && !is_alone(task.bytes.get(next)) {
                    self.notes.fail(task, at, || "a blank".to_string());
                    return None;
                }
                at = next;
                continue;
            }
            let start = if is_word(*c) { task.token(at) } else { task.blanks(at) };
            if task.bytes.get(start) != Some(c) {
                self.notes.fail(task, start, || {
                    let rest = literal[i..].split(|c| *c == b' ').next().unwrap_or_default();
                    alloc::format!("`{}`", String::from_utf8_lossy(rest))
                });
                return None;
            }
            at = start + 1;
        }
        Some(at)
    }

    /// What was read, with the numbers of its names.
    fn statement(&self, tables: &Ready<'_, W>, task: &Task<'_>, form: &Form<W>, number: u16, word: W) -> Statement<W> {
        if self.names.is_empty() {
            return Statement { form: number, word, names: Vec::new() };
        }
        let name = |place: usize| self.names.get(place).and_then(|at| task.text.get(at.clone())).unwrap_or("");
        let first = |place: usize| (0..place).find(|other| name(*other) == name(place)).unwrap_or(place);
        let named = tables.fields_of(form).filter(|f| f.kind == NAME);
        let word = named.fold(word, |word, f| tables.with_raw(&f, word, first(f.place.into()) as u128));
        let names =
            (0..self.names.len()).map(|place| if first(place) == place { name(place).to_string() } else { String::new() });
        Statement { form: number, word, names: names.collect() }
    }
}

impl Pending {
    fn holds<W: Bits>(self, tables: &Tables<'_, W>, word: W) -> bool {
        match self {
            Self::In(set) => tables.is_in(set, word),
            Self::NotIn(set) => !tables.is_in(set, word),
            Self::Differs(cube) => tables.cubes.get(cube as usize).is_some_and(|c| (word ^ c.value) & c.mask != W::zero()),
        }
    }
}
