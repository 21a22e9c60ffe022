//! `--full`: text, what the format adds, and what neither determines as `{name=value, 104..92=0x1}`. It leads back to the very same
//! word.

use super::super::print::Out;
use super::super::tables::{Range, Rows, TEXT_ONLY, Tables};
use super::super::{Bits, refusal};
use super::{Labels, ReadError, Reader, Statement, no_labels};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

impl<W: Bits> Reader<'_, W> {
    /// Appends the text of a word and all that the text leaves open.
    pub fn print_full(&mut self, form: u16, word: W, address: u64, out: &mut String) {
        let start = out.len();
        print_at(&self.tables, form, word, address, out);
        let Some(row) = self.tables.form(form) else { return };
        // Where there is text alone, it says all there is.
        if self.tables.head.flags & TEXT_ONLY != 0 {
            return;
        }
        let mut entries: Vec<String> = Vec::new();
        let length = row.length;
        let mut read = self.read_plain(&out[start..], None, address, &no_labels);
        // A word of another length can have the same text.
        let other = |read: &Statement<W>| self.tables.form(read.form).is_none_or(|f| f.length != length);
        if read.as_ref().is_ok_and(other) {
            entries.push(format!("{length} bits"));
            read = self.read_plain(&out[start..], Some(length.into()), address, &no_labels);
        }
        match read {
            Ok(read) if read.word == word && read.form == form => {}
            Ok(read) => differences(&self.tables, form, word, &read, &mut entries),
            // A text that can't be read back is an error of the spec; the word is kept all the same.
            Err(_) => entries = vec![format!("{}..0={}", length.saturating_sub(1), refusal::hex(word))],
        }
        if !entries.is_empty() {
            out.push_str(&format!(" {{{}}}", entries.join(", ")));
        }
    }

    /// The instruction of a text, which stands at `address`; with or without what `--full` adds. A name where a number of the
    /// program is expected (the target of a branch) is looked up among `labels`.
    ///
    /// # Errors
    /// When no form reads the text, or the word it says is illegal: the error stands at a byte of the text.
    pub fn read(&mut self, text: &str, address: u64, labels: Labels<'_>) -> Result<Statement<W>, Box<ReadError>> {
        let trimmed = text.trim_end();
        let is_text = self.tables.head.flags & TEXT_ONLY != 0;
        let Some(open) = trimmed.strip_suffix('}').and_then(|t| t.rfind('{')).filter(|_| !is_text) else {
            return self.read_plain(trimmed, None, address, labels);
        };
        let entries = &trimmed[open + 1..trimmed.len() - 1];
        // `{16 bits, …}`: of the words of this length.
        let first = entries.split(',').next().unwrap_or_default();
        let bits = first.trim().strip_suffix("bits").and_then(|n| n.trim().parse().ok());
        let Statement { form, mut word, names } = self.read_plain(text[..open].trim_end(), bits, address, labels)?;
        let length = self.tables.form(form).map_or(0, |f| f.length);
        let mut at = open + 1;
        for (i, entry) in entries.split(',').enumerate() {
            if bits.is_none() || i > 0 {
                word = self.entry(form, word, entry).map_err(|message| {
                    Box::new(ReadError { at: at + entry.len() - entry.trim_start().len(), message })
                })?;
            }
            at += entry.len() + 1;
        }
        match self.tables.length(length.into()).and_then(|length| self.tables.decode(word, length)) {
            Some(form) => Ok(Statement { form, word, names }),
            None => Err(Box::new(ReadError { at: open, message: self.tables.refusal(word, length.into()).message })),
        }
    }

    /// The word with what an entry of the tail says.
    fn entry(&self, form: u16, word: W, entry: &str) -> Result<W, String> {
        let tables = &self.tables;
        let row = tables.form(form).copied().unwrap_or_default();
        let (name, value) = entry.split_once('=').ok_or_else(|| format!("`{}` is not `name=value`", entry.trim()))?;
        let value = number(value.trim()).ok_or_else(|| format!("`{}` is not a number", value.trim()))?;
        let name = name.trim();
        let ranges: Vec<Range> = match tables.fields_of(&row).find(|f| tables.text(f.path) == name) {
            Some(field) => Tables::<W>::rows_of(tables.ranges, field.ranges).to_vec(),
            None => bits(name).ok_or_else(|| format!("{} has no field `{name}`", tables.text(row.name)))?,
        };
        let width: u32 = ranges.iter().map(|r| u32::from(r.hi - r.lo) + 1).sum();
        let fits = ranges.iter().all(|r| u16::from(r.hi) < row.length) && (value.low_bits(width) == value);
        if !fits {
            return Err(format!("{} does not fit into bits {}", refusal::hex(value.0), shown(&ranges)));
        }
        let mut rest = value;
        let mut word = word;
        for range in ranges.iter().rev() {
            let mask = W::low_ones(u32::from(range.hi - range.lo) + 1);
            let part = rest.word::<W>() & mask;
            word = (word & !shifted(mask, range.lo)) | shifted(part, range.lo);
            rest = rest.shifted_down(u32::from(range.hi - range.lo) + 1);
        }
        Ok(word)
    }
}

/// A word moved up by some bits.
fn shifted<W: Bits>(word: W, by: u8) -> W {
    let (limbs, bits) = (usize::from(by / 64), u32::from(by % 64));
    let limb = |i: usize| i.checked_sub(limbs).map_or(0, |i| word.limb(i));
    let part = |i: usize| {
        let low = i.checked_sub(1).map_or(0, limb);
        limb(i) << bits | low.checked_shr(64 - bits).unwrap_or(0)
    };
    W::from_limbs(&[part(0), part(1), part(2), part(3)])
}

/// A number of up to 256 bits.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Wide([u64; 4]);
