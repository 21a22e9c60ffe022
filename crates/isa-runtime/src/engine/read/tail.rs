//! `--full`: the text, the additions of the format, and, as `{name=value, 104..92=0x1}`, the bits that neither determines. It is
//! read as the same word again.

use super::super::Bits;
use super::super::message::Append;
use super::super::print::Out;
use super::super::ranges::{Runs, Shown};
use super::super::tables::{
    ALONE, Common, DIFFERS, END, FULL, Field, Form, HOLDS, LITERAL, Length, Range, SHORTENS, SHORTEST, TEXT_ONLY, Tables, VALUE,
};
use super::attempt::{MAX_STEPS, State, Trial};
use super::pending::Pending;
use super::ready::Ready;
use super::statement::{Statement, Symbols, no_symbols};
use super::task::Task;
use super::{Lengths, Pass, Reader};
use crate::assembly::Case;
use crate::literal;
use crate::why::{ReadError, Wrong};
use crate::word::U256;
use alloc::boxed::Box;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt::{self, Write as _};
use core::iter;

impl<'t, W: Bits> Reader<'t, W> {
    /// Appends the text of a word and all that the text leaves open; returns the bytes of the text.
    pub fn print_full(&mut self, form: u16, word: W, address: u64, out: &mut String) -> usize {
        let start = out.len();
        let text = self.print_both(form, self.aliases, word, address, out);
        let Some(row) = self.tables.form(form) else { return text };
        // In a text-only instruction set, the text is complete.
        if self.tables.head().flags & TEXT_ONLY != 0 {
            return text;
        }
        let length = row.length;
        let mut tail = Tail { out, is_open: false };
        let known = match self.aliases {
            true => self.known(&row, form, word, address).or_else(|| self.own(&row, form, &tail.out[start..], address)),
            false => None,
        };
        let mut read = match known {
            Some(word) => Ok(Statement { form, word, names: Vec::new() }),
            None => self.read_any(&tail.out[start..], None, address, &no_symbols),
        };
        // A word of another length can have the same text, or is assembled from it if there are aliases.
        let is_other = match &read {
            Ok(read) if self.tables.form(read.form).is_none_or(|f| f.length != length) => true,
            Ok(read) if self.aliases => self.same(read.form, read.word, address).is_some(),
            Ok(read) => self.shorter(read, address, None).is_some(),
            Err(_) => false,
        };
        if is_other {
            let end = tail.out.len();
            tail.entry(format_args!("{length} bits"));
            read = self.read_any(&tail.out[start..end], Some(length.into()), address, &no_symbols);
        }
        match read {
            Ok(read) if read.word == word && read.form == form => {}
            Ok(read) => tail.differences(&self.tables, form, word, &read),
            // A text that can't be read back is an error of the spec; the word is kept all the same.
            Err(_) => tail.entry(format_args!("{}..0={:#x}", length.saturating_sub(1), word.wide())),
        }
        tail.close();
        text
    }

    /// The word that reading the full text gives, if it is known without reading.
    fn known(&mut self, form: &Form<W>, number: u16, word: W, address: u64) -> Option<W> {
        // Targets wrap in addresses that are larger.
        if form.one_way == 0 || address >> 62 != 0 || !self.tables.is_in(form.one_way, word) {
            return None;
        }
        let Self { tables, attempt, first_steps, told, .. } = self;
        // Usually, the bits that the text does not determine are at their defaults, or nothing depends on them.
        let open = (word ^ form.default) & !*told.get(usize::from(number))?;
        let is_form = |word| tables.length(form.length.into()).is_some_and(|of| tables.decode(word, &of) == Some(number));
        if open == W::zero() || (open & !form.kept == W::zero() && is_form(word ^ open)) {
            return Some(word ^ open);
        }
        attempt.begin(tables, form, MAX_STEPS);
        // Follows the path that reading takes, too.
        let mut now =
            State { step: *first_steps.get(usize::from(number))?, word: form.value, known: form.mask, ..State::default() };
        loop {
            let step = tables.steps.get(now.step as usize)?;
            let next = match step.kind {
                LITERAL => step.next,
                VALUE => {
                    let mask = tables.all_fields.get(step.of as usize)?.mask;
                    (now.word, now.known) = (now.word | word & mask, now.known | mask);
                    step.next
                }
                HOLDS => {
                    let is_there = tables.is_in(step.of, word);
                    attempt.push(Some(if is_there { Pending::In(step.of) } else { Pending::NotIn(step.of) }), &mut now);
                    if is_there { step.body } else { step.next }
                }
                DIFFERS => {
                    let cube = tables.cubes.get(step.of as usize)?;
                    if (word ^ cube.value) & cube.mask != W::zero() {
                        attempt.push(Some(Pending::Differs(step.of)), &mut now);
                        step.body
                    } else {
                        (now.word, now.known) = (now.word | form.default & cube.mask, now.known | cube.mask);
                        step.next
                    }
                }
                FULL => step.body,
                END => break,
                _ => return None,
            };
            // Steps come after their successors.
            if next >= now.step {
                return None;
            }
            now.step = next;
        }
        let task = Task::exact("", address, &no_symbols);
        attempt.end(&Trial { tables, task: &task, form, number }, &now).ok().flatten()
    }

    /// The word that reading the full text gives, if no form that is tried earlier reads it.
    fn own(&mut self, form: &Form<W>, number: u16, text: &str, address: u64) -> Option<W> {
        let task = Task::exact(text, address, &no_symbols);
        let step = *self.first_steps.get(usize::from(number)).filter(|_| form.flags & ALONE != 0)?;
        self.attempt.exactly(&Trial { tables: &self.tables, task: &task, form, number }, step).ok().flatten()
    }

    /// Appends the text of a word, with aliases or without, and the additions of the format; returns the bytes of the text.
    fn print_both(&mut self, form: u16, with_aliases: bool, word: W, address: u64, out: &mut String) -> usize {
        self.room.resize(self.tables.room(), 0);
        let mut both = Out::new(&mut self.room);
        let texts = self.tables.texts(form);
        self.tables.print(if with_aliases { texts.text } else { texts.base }, word, address, &[], &mut both);
        let len = both.len();
        both.push(b" ");
        self.tables.print(texts.full, word, address, &[], &mut both);
        if both.len() == len + 1 {
            both.truncate(len);
        }
        match core::str::from_utf8(both.as_bytes()) {
            Ok(text) => out.push_str(text),
            Err(_) => out.push_str(&String::from_utf8_lossy(both.as_bytes())),
        }
        len
    }

    /// The instruction of a text at `address`, with or without the additions of `--full`. A name where a number of the
    /// program is expected (the target of a branch) is looked up among `labels`.
    ///
    /// # Errors
    /// When no form reads the text, or its word is illegal; the error has the offset of a byte.
    pub fn read(&mut self, text: &str, address: u64, symbols: Symbols<'_>) -> Result<Statement<W>, Box<ReadError<'t>>> {
        let trimmed = text.trim_end();
        let is_text = self.tables.head().flags & TEXT_ONLY != 0;
        // Braces without an entry are the text's own.
        let is_tail = |open: &usize| !is_text && (trimmed[*open..].contains('=') || trimmed[*open..].contains("bits"));
        let Some(open) = trimmed.strip_suffix('}').and_then(|t| t.rfind('{')).filter(is_tail) else {
            let read = self.read_of(trimmed, None, address, symbols)?;
            return Ok(self.shortest(trimmed, read, address));
        };
        let entries = &trimmed[open + 1..trimmed.len() - 1];
        // `{16 bits, …}`: only words of this length.
        let first = entries.split(',').next().unwrap_or_default();
        let bits = first.trim().strip_suffix("bits").and_then(|n| n.trim().parse().ok());
        let Statement { form, mut word, names } = self.read_of(text[..open].trim_end(), bits, address, symbols)?;
        let length = self.tables.form(form).map_or(0, |f| f.length);
        let mut at = open + 1;
        for (i, entry) in entries.split(',').enumerate() {
            if bits.is_none() || i > 0 {
                word = self
                    .entry(form, word, entry)
                    .map_err(|wrong| Box::new(ReadError { at: at + entry.len() - entry.trim_start().len(), wrong }))?;
            }
            at += entry.len() + 1;
        }
        match self.tables.find(word, length.into()) {
            Ok(form) => Ok(Statement { form, word, names }),
            Err(why) => Err(Box::new(ReadError { at: open, wrong: Wrong::Word(Box::new(why)) })),
        }
    }

    /// The instruction itself, or the shortest one with the same text, if the instruction set prefers that: however it was
    /// written.
    pub(super) fn shortest(&mut self, text: &str, read: Statement<W>, address: u64) -> Statement<W> {
        if !self.aliases || !matches!(self.lengths, Lengths::Preferred | Lengths::Shortest) {
            return read;
        }
        let mut read = self.shorter(&read, address, Some(text)).unwrap_or(read);
        if self.lengths == Lengths::Shortest && read.names.is_empty() {
            while let Some((form, word)) = self.same(read.form, read.word, address) {
                (read.form, read.word) = (form, word);
            }
        }
        read
    }

    /// The first shorter word with the same effect as a longer one, though with another text.
    ///
    /// Its text is that of some longer word: a word with a text of its own is a hint.
    fn same(&mut self, form: u16, word: W, address: u64) -> Option<(u16, W)> {
        let tables: Tables<'t, W> = *self.tables;
        for way in tables.ways(form) {
            let Some(word) = tables.shortened(&way, word) else { continue };
            let mut printed = String::new();
            self.print_both(way.short, true, word, address, &mut printed);
            let length = tables.form(form).map(|form| form.length.into());
            let found = self.look_in(&[Pass::Exact], &printed, length, address, &no_symbols);
            if found.is_ok_and(|found| found.is_some()) {
                return Some((way.short, word));
            }
        }
        None
    }

    /// The shortest instruction with the same text, aliases included, as a longer one, if the instruction set prefers that: of
    /// those that stand for others. `text` is known to have no shorter one.
    fn shorter(&mut self, read: &Statement<W>, address: u64, text: Option<&str>) -> Option<Statement<W>> {
        let length = self.tables.form(read.form).map_or(0, |form| form.length);
        if self.tables.head().flags & SHORTEST == 0
            || !read.names.is_empty()
            || self.tables.lengths.iter().all(|shorter| shorter.bits >= length)
        {
            return None;
        }
        let mut printed = String::new();
        self.print_both(read.form, true, read.word, address, &mut printed);
        if text == Some(printed.as_str()) {
            return None;
        }
        let lengths = self.tables.lengths;
        let mut shorter = lengths.iter().filter(|shorter| shorter.bits < length);
        let same = |shorter: Length<W>| {
            let found = self.look_in(&[Pass::Exact], &printed, Some(shorter.bits.into()), address, &no_symbols);
            found.ok().flatten().filter(|found| {
                let form = self.tables.form(found.form);
                form.is_some_and(|form| form.flags & SHORTENS != 0)
            })
        };
        shorter.find_map(same)
    }

    /// The instruction of a text without a tail, of the lengths requested; in any case of letters, if the instruction set ignores
    /// case.
    fn read_of(
        &mut self,
        text: &str,
        bits: Option<u32>,
        address: u64,
        symbols: Symbols<'_>,
    ) -> Result<Statement<W>, Box<ReadError<'t>>> {
        let first = self.read_as_written(text, bits, address, symbols);
        let (Err(error), Some(case)) = (&first, Case::of_flags(self.tables.head().flags)) else { return first };
        let Some(folded) = case.fold(text) else { return first };
        // Names of the program keep their case.
        let second = self.read_as_written(&folded, bits, address, &|rest| symbols(text.get(text.len() - rest.len()..)?));
        if second.as_ref().is_err_and(|second| second.at <= error.at) { first } else { second }
    }

    fn read_as_written(
        &mut self,
        text: &str,
        bits: Option<u32>,
        address: u64,
        symbols: Symbols<'_>,
    ) -> Result<Statement<W>, Box<ReadError<'t>>> {
        match self.look_of(text, bits, address, symbols)? {
            Some(read) => Ok(read),
            None => self.read_any(text, if let Lengths::Only(bits) = self.lengths { Some(bits) } else { bits }, address, symbols),
        }
    }

    /// The same; `None` when no form reads the text.
    fn look_of(
        &mut self,
        text: &str,
        bits: Option<u32>,
        address: u64,
        symbols: Symbols<'_>,
    ) -> Result<Option<Statement<W>>, Box<ReadError<'t>>> {
        match self.lengths {
            Lengths::Only(bits) => self.look(text, Some(bits), address, symbols),
            Lengths::LongestFirst if bits.is_none() && self.tables.lengths.len() > 1 => {
                let lengths = self.tables.lengths;
                let longest = || (0..lengths.len()).rev().filter_map(|i| lengths.get(i));
                // A word with another text of its own is meant only if no shorter one has this text.
                let (own, spelt) = self.passes().split_at(Pass::ALL.len() - 1);
                let mut ways = [own, spelt].into_iter().flat_map(|passes| longest().map(move |length| (passes, length.bits)));
                Ok(ways.find_map(|(passes, bits)| self.look_in(passes, text, Some(bits.into()), address, symbols).ok().flatten()))
            }
            Lengths::LongestFirst | Lengths::Preferred | Lengths::Shortest => self.look(text, bits, address, symbols),
        }
    }

    /// The instruction of a text, as [`Reader::read`] returns it; `None` if there is none, without the time that an error message
    /// takes.
    pub fn try_read(&mut self, text: &str, address: u64, symbols: Symbols<'_>) -> Option<Statement<W>> {
        let trimmed = text.trim_end();
        if trimmed.ends_with('}') {
            return self.read(trimmed, address, symbols).ok();
        }
        let mut read = self.look_of(trimmed, None, address, symbols).ok()?;
        if read.is_none()
            && let Some(folded) = Case::of_flags(self.tables.head().flags).and_then(|case| case.fold(trimmed))
        {
            let as_written = |rest: &str| symbols(trimmed.get(trimmed.len() - rest.len()..)?);
            read = self.look_of(&folded, None, address, &as_written).ok()?;
        }
        Some(self.shortest(trimmed, read?, address))
    }

    /// The word with the bits that an entry of the tail sets.
    fn entry(&self, form: u16, word: W, entry: &str) -> Result<W, Wrong<'static>> {
        let tables = &self.tables;
        let row = tables.form(form).unwrap_or_default();
        let (name, value) = entry.split_once('=').ok_or_else(|| Wrong::NotEntry { entry: entry.trim().to_string() })?;
        let value = literal::word(value.trim()).map_err(|_| Wrong::NotNumber { shown: value.trim().to_string() })?;
        let name = name.trim();
        let ranges: Vec<Range> = match tables.fields_of(&row).find(|f| tables.bytes_of(f.path) == name.as_bytes()) {
            Some(field) => tables.ranges.slice(field.ranges).iter().collect(),
            None => {
                bits(name).ok_or_else(|| Wrong::NoField { form: tables.text(row.name).to_string(), name: name.to_string() })?
            }
        };
        let width: u32 = ranges.iter().map(|r| u32::from(r.hi - r.lo) + 1).sum();
        let fits =
            ranges.iter().all(|r| u16::from(r.hi) < row.length) && value & !U256::ones(width.min(U256::BITS)) == U256::ZERO;
        if !fits {
            return Err(Wrong::NoRoom { value, ranges: ranges.iter().map(|range| (range.hi, range.lo)).collect() });
        }
        let mut rest = value;
        let mut word = word.wide();
        for range in ranges.iter().rev() {
            let width = u32::from(range.hi - range.lo) + 1;
            let mask = U256::ones(width) << u32::from(range.lo);
            word = (word & !mask) | ((rest << u32::from(range.lo)) & mask);
            rest >>= width;
        }
        Ok(W::from_wide(word))
    }
}

/// For each form the bits that its full text determines, whether groups are printed or not.
pub(super) fn told<W: Bits>(tables: &Ready<'_, W>, first_steps: &[u32]) -> Vec<W> {
    let mut steps: Vec<W> = Vec::with_capacity(tables.steps.len());
    for step in &tables.steps {
        // Steps come after their successors.
        let of = |step: u32| steps.get(step as usize).copied().unwrap_or_default();
        let told = match step.kind {
            LITERAL => of(step.next),
            VALUE => of(step.next) | tables.all_fields.get(step.of as usize).map_or(W::zero(), |field| field.mask),
            // A condition on one bit determines that bit.
            HOLDS => {
                let said = [true, false].map(|holds| tables.says(step, holds).map_or(W::zero(), |(mask, _)| mask));
                of(step.body) & of(step.next) | said[0] & said[1]
            }
            DIFFERS => {
                let cube = tables.cubes.get(step.of as usize).unwrap_or_default();
                of(step.body) & (of(step.next) | cube.mask)
            }
            FULL => of(step.body),
            _ => W::zero(),
        };
        steps.push(told);
    }
    let of = |(form, first): (&Form<W>, &u32)| form.mask | steps.get(*first as usize).copied().unwrap_or_default();
    tables.forms.iter().zip(first_steps).map(of).collect()
}

/// The braces after a text.
struct Tail<'o> {
    out: &'o mut String,
    is_open: bool,
}

impl Tail<'_> {
    fn entry(&mut self, entry: fmt::Arguments<'_>) {
        self.next();
        let _ = self.out.write_fmt(entry);
    }

    /// Begins an entry.
    fn next(&mut self) {
        self.out.push_str(if self.is_open { ", " } else { " {" });
        self.is_open = true;
    }

    /// Appends `=0x1f` to an entry.
    fn value(&mut self, value: U256) {
        self.out.push('=');
        self.out.hex(value);
    }

    fn close(self) {
        if self.is_open {
            self.out.push('}');
        }
    }

    /// Adds the bits that the text does not determine: fields by name if the text leads to the same form, else bits.
    fn differences<W: Bits>(&mut self, tables: &Tables<'_, W>, form: u16, word: W, read: &Statement<W>) {
        let row = tables.form(form).unwrap_or_default();
        let mut open = word ^ read.word;
        if read.form == form {
            for field in tables.fields_of(&row) {
                let mask = tables.place(field.ranges, u128::MAX);
                if open & mask != W::zero() {
                    self.next();
                    self.out.push_str(tables.text(field.path));
                    self.value(tables.raw(&field, word).into());
                    open = open & !mask;
                }
            }
        }
        if open == W::zero() {
            return;
        }
        // Kept bits are grouped: `104..92=0x1`, not one entry for each bit that is set.
        let whole = Runs(row.kept).filter(|range| range.mask::<W>() & open != W::zero());
        for range in whole.chain(Runs(open & !row.kept)) {
            self.next();
            self.out.ranges(iter::once(range));
            self.value(range.of(word));
        }
    }
}

impl<'a> Common<'a> {
    /// The bits of a field, to be shown: `59..34,21..16`.
    pub fn shown_bits(&self, field: &Field) -> impl fmt::Display + use<'a> {
        Shown(self.ranges.slice(field.ranges).iter())
    }
}

/// `104..92, 3`: ranges of bits, the high part of a value first.
fn bits(text: &str) -> Option<Vec<Range>> {
    let bit = |text: &str| literal::number(text.trim()).ok()?.to_u128()?.try_into().ok();
    let range = |text: &str| match text.split_once("..") {
        Some((hi, lo)) => Some(Range { hi: bit(hi)?, lo: bit(lo)? }).filter(|r| r.hi >= r.lo),
        None => bit(text).map(|bit| Range { hi: bit, lo: bit }),
    };
    text.split(',').map(range).collect()
}
