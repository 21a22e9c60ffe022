//! `--full`: text, the format's added text, and whatever neither determines as `{name=value, 104..92=0x1}`. It assembles
//! back to the very same word.

use super::refusal::both_ends;
use super::{Codec, Lengths, Statement, Word};
use isa_runtime::engine::read::{Pass, Symbols};
use isa_runtime::literal;
use isa_runtime::why::{ReadError, Wrong};
use isa_spec::bits::ranges;
use isa_spec::lang;
use isa_spec::model::{Bits, FormId, Piece, PlainKind, Prefer};
use isa_spec::print::print_pieces;
use std::fmt::Write;

impl<'a> Codec<'a> {
    /// Appends the text of a word and all that the text leaves open; how many bytes the text has.
    pub fn print_full(&self, form: FormId, word: Word, address: u64, out: &mut String) -> usize {
        let start = out.len();
        let text = self.print_at(form, word, address, out);
        // In a text-only instruction set, it says all there is.
        if self.isa.is_text() {
            return text;
        }
        let length = self.isa.form(form).length;
        let mut named = Vec::new();
        let mut read = self.parse_text(&out[start..], None, address, &|_| None);
        // A word of another length can have the same text, or is assembled of it where aliases are.
        let is_other = |read: &Statement| {
            let is_shortened = match self.aliases {
                true => self.same(read.form, read.word, address).is_some(),
                false => self.shorter(read, address).is_some(),
            };
            self.isa.form(read.form).length != length || is_shortened
        };
        if read.as_ref().is_ok_and(is_other) {
            named.push(format!("{length} bits"));
            read = self.parse_text(&out[start..], Some(length), address, &|_| None);
        }
        let entries = match read {
            Ok(read) => [named, self.differences(form, word, (read.form == form).then_some(read.word), read.word)].concat(),
            // A text that can't be read back is an error of the spec; the word is kept all the same.
            Err(_) => vec![format!("{}..0={word:#x}", self.isa.form(form).length - 1)],
        };
        if !entries.is_empty() {
            write!(out, " {{{}}}", entries.join(", ")).expect("writing to a String does not fail");
        }
        text
    }

    /// Appends the text of a word and what the format adds to it; how many bytes the text has.
    pub(crate) fn print_at(&self, form: FormId, word: Word, address: u64, out: &mut String) -> usize {
        self.print_template(self.text_of(self.isa.form(form)), form, word, address, out)
    }

    /// The same by a template.
    fn print_template(&self, template: &[Piece], form: FormId, word: Word, address: u64, out: &mut String) -> usize {
        let start = out.len();
        print_pieces(self.isa.form(form), template, (word, &[]), address, &mut |_| 0, out);
        let text = out.len() - start;
        let mut added = String::new();
        self.print_added(form, word, address, &mut added);
        if !added.is_empty() {
            out.push(' ');
            out.push_str(&added);
        }
        text
    }

    /// The additions that the text needs: fields by name if the text leads to the same form, else bits.
    fn differences(&self, form: FormId, word: Word, same_form: Option<Word>, text_word: Word) -> Vec<String> {
        let form = self.isa.form(form);
        let mut entries = Vec::new();
        let mut open = word ^ text_word;
        if same_form.is_some() {
            for field in form.fields.iter().filter(|f| !(f.bits.mask() & (word ^ text_word)).is_zero()) {
                entries.push(format!("{}={:#x}", field.path, field.bits.get(word)));
                open &= !field.bits.mask();
            }
        }
        // Bits that are kept go together: `104..92=0x1`, not one entry for each bit that is set.
        let kept = form.plain.iter().filter(|p| p.what != PlainKind::Reserved).fold(Word::ZERO, |m, p| m | p.bits.mask());
        for range in ranges(kept).into_iter().filter(|r| !(r.mask() & open).is_zero()) {
            entries.push(format!("{range}={:#x}", Bits(vec![range]).get_all(word)));
        }
        for range in ranges(open & !kept) {
            entries.push(format!("{range}={:#x}", Bits(vec![range]).get_all(word)));
        }
        entries
    }

    /// The word of a text at `address`; with or without what `--full` adds. A name where a number of the program is expected (the
    /// target of a branch) is looked up by `symbols`.
    ///
    /// # Errors
    /// If no form reads the text, or its word is illegal: the error gives a byte of the text.
    pub fn parse(&self, text: &str, address: u64, symbols: Symbols<'_>) -> Result<(FormId, Word), Box<ReadError<'a>>> {
        self.parse_statement(text, address, symbols).map(|s| (s.form, s.word))
    }

    /// The same with the names of registers that the program names.
    ///
    /// # Errors
    /// As for [`Codec::parse`].
    pub fn parse_statement(&self, text: &str, address: u64, symbols: Symbols<'_>) -> Result<Statement, Box<ReadError<'a>>> {
        self.parse_as(text, address, symbols, self.lengths)
    }

    /// The same, as words of these lengths.
    ///
    /// # Errors
    /// As for [`Codec::parse`].
    pub fn parse_as(
        &self,
        text: &str,
        address: u64,
        symbols: Symbols<'_>,
        lengths: Lengths,
    ) -> Result<Statement, Box<ReadError<'a>>> {
        let trimmed = text.trim_end();
        // Braces without an entry are the text's own.
        let is_tail = |open: &usize| !self.isa.is_text() && (trimmed[*open..].contains('=') || trimmed[*open..].contains("bits"));
        let tail = trimmed.strip_suffix('}').and_then(|t| t.rfind('{')).filter(is_tail);
        let Some(open) = tail else {
            let read = self.parse_of(trimmed, None, address, symbols, lengths)?;
            return Ok(self.shortest(read, address, lengths));
        };
        let entries = &trimmed[open + 1..trimmed.len() - 1];
        // `{16 bits, …}`: of the words of this length.
        let first = entries.split(',').next().unwrap_or_default();
        let bits = first.trim().strip_suffix("bits").and_then(|n| n.trim().parse().ok());
        let Statement { form, mut word, names } = self.parse_of(text[..open].trim_end(), bits, address, symbols, lengths)?;
        let length = self.isa.form(form).length;
        let mut at = open + 1;
        for entry in entries.split(',') {
            if bits.is_some() && at == open + 1 {
                at += entry.len() + 1;
                continue;
            }
            word = self
                .entry(form, word, entry)
                .map_err(|wrong| Box::new(ReadError { at: at + entry.len() - entry.trim_start().len(), wrong }))?;
            at += entry.len() + 1;
        }
        match self.decode(word, length) {
            Ok(form) => Ok(Statement { form, word, names }),
            Err(why) => Err(Box::new(ReadError { at: open, wrong: Wrong::Word(Box::new(why)) })),
        }
    }

    /// An instruction, or the shortest one that prints as it does, where the instruction set prefers that: however it was written.
    fn shortest(&self, read: Statement, address: u64, lengths: Lengths) -> Statement {
        if !self.aliases || !matches!(lengths, Lengths::Preferred | Lengths::Shortest) {
            return read;
        }
        let mut read = self.shorter(&read, address).unwrap_or(read);
        if lengths == Lengths::Shortest && read.names.is_empty() {
            while let Some((form, word)) = self.same(read.form, read.word, address) {
                (read.form, read.word) = (form, word);
            }
        }
        read
    }

    /// The shortest instruction that prints, with aliases, as a longer one does, where the instruction set prefers that: of those
    /// that stand for others.
    fn shorter(&self, read: &Statement, address: u64) -> Option<Statement> {
        let form = self.isa.form(read.form);
        if self.isa.prefer != Prefer::Shortest || !read.names.is_empty() {
            return None;
        }
        let mut printed = String::new();
        self.print_template(&form.text, form.id, read.word, address, &mut printed);
        let lengths = self.isa.words.lengths.iter().map(|shorter| shorter.bits).filter(|bits| *bits < form.length);
        let mut found = lengths.map(|bits| self.look_in(&[Pass::Exact], &printed, Some(bits), address, &|_| None));
        let shortens = |found: &Statement| self.shorter.iter().any(|way| way.short == found.form);
        found.find_map(|found| found.ok().flatten().filter(shortens))
    }

    /// The instruction of a text without a tail, of the lengths that are wanted; in any case, where that is the same.
    fn parse_of(
        &self,
        text: &str,
        bits: Option<u32>,
        address: u64,
        symbols: Symbols<'_>,
        lengths: Lengths,
    ) -> Result<Statement, Box<ReadError<'a>>> {
        let first = self.parse_as_written(text, bits, address, symbols, lengths);
        let (Err(error), Some(case)) = (&first, self.isa.assembly.case) else { return first };
        let Some(folded) = case.fold(text) else { return first };
        let original = |rest: &str| symbols(text.get(text.len() - rest.len()..)?);
        match self.parse_as_written(&folded, bits, address, &original, lengths) {
            Err(second) if second.at <= error.at => first,
            second => second,
        }
    }

    fn parse_as_written(
        &self,
        text: &str,
        bits: Option<u32>,
        address: u64,
        symbols: Symbols<'_>,
        lengths: Lengths,
    ) -> Result<Statement, Box<ReadError<'a>>> {
        let bits = match lengths {
            Lengths::Only(bits) => Some(bits),
            Lengths::LongestFirst if bits.is_none() => {
                let lengths = || self.isa.words.lengths.iter().rev().map(|length| length.bits);
                // A word with another text of its own is meant only if no shorter one has this text.
                let (own, spelt) = self.passes().split_at(Pass::ALL.len() - 1);
                let ways = [own, spelt].into_iter().flat_map(|passes| lengths().map(move |bits| (passes, bits)));
                let mut found = ways.map(|(passes, bits)| self.look_in(passes, text, Some(bits), address, symbols));
                if let Some(found) = found.find_map(|found| found.ok().flatten()) {
                    return Ok(found);
                }
                None
            }
            Lengths::LongestFirst | Lengths::Preferred | Lengths::Shortest => bits,
        };
        self.parse_text(text, bits, address, symbols)
    }

    fn entry(&self, form: FormId, word: Word, entry: &str) -> Result<Word, Wrong<'static>> {
        let form = self.isa.form(form);
        let (name, value) = entry.split_once('=').ok_or_else(|| Wrong::NotEntry { entry: entry.trim().to_string() })?;
        let value = literal::word(value.trim()).map_err(|_| Wrong::NotNumber { shown: value.trim().to_string() })?;
        let name = name.trim();
        let bits = match form.field(name) {
            Some(field) => field.bits.clone(),
            None => {
                let list =
                    lang::parse_bit_list(name).map_err(|_| Wrong::NoField { form: form.name.clone(), name: name.to_string() })?;
                Bits(list.into_iter().map(|(r, _)| r).collect())
            }
        };
        if !(bits.mask() & !Word::ones(form.length)).is_zero() || !(value & !Word::ones(bits.width())).is_zero() {
            return Err(Wrong::NoRoom { value, ranges: both_ends(&bits.0) });
        }
        Ok(bits.set_all(word, value))
    }
}
