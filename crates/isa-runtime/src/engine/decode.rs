//! Words to forms, and the fields of a word.

use super::Bits;
use super::tables::{Access, Common, ControlItem, Field, Form, Length, Rows, Str, Tables, Term, Test, Texts};
pub(super) use crate::word::wide_ones as ones;
use core::marker::PhantomData;

/// A word as limbs of 64 bits, the low one first: parts of indices come from one limb each.
#[derive(Clone, Copy)]
pub(super) struct Limbs<W>([u64; 4], PhantomData<W>);

impl<W: Bits> Limbs<W> {
    #[inline(always)]
    pub(super) fn new(word: W) -> Self {
        Self([word.limb(0), word.limb(1), word.limb(2), word.limb(3)], PhantomData)
    }

    /// The limb that contains a bit, rotated so that this bit is the lowest.
    #[inline(always)]
    pub(super) fn turned(&self, at: u8) -> u64 {
        self.0[usize::from(at >> 6) & (W::LIMBS - 1) & 3].rotate_right(u32::from(at) & 63)
    }

    /// An index: its parts.
    #[inline(always)]
    pub(super) fn index<const N: usize>(&self, terms: [Term; N]) -> usize {
        terms.iter().fold(0, |index, term| index | (self.turned(term.at) as u16 & term.mask)).into()
    }
}

impl<'a> Common<'a> {
    /// The bytes of a string.
    #[inline(always)]
    pub fn bytes_of(&self, text: Str) -> &'a [u8] {
        self.bytes.slice(Rows { at: text.at, len: text.len }).bytes()
    }

    /// A string.
    pub fn text(&self, text: Str) -> &'a str {
        core::str::from_utf8(self.bytes_of(text)).unwrap_or("")
    }

    /// The operations that print the texts of a form.
    #[inline]
    pub fn texts(&self, form: u16) -> Texts {
        self.texts.get(usize::from(form)).unwrap_or_default()
    }
}

impl<'a, W: Bits> Tables<'a, W> {
    /// True if a condition on few bits holds.
    #[inline(always)]
    pub(super) fn passes(&self, test: &Test, word: W) -> bool {
        let at = Limbs::new(word).index(test.index);
        let row = self.truth.get(test.table as usize + (at >> 6)).unwrap_or(0);
        row >> (at & 63) & 1 == 1
    }

    /// True if a word is in the set of a diagram.
    pub fn is_in(&self, set: u32, word: W) -> bool {
        let mut at = set;
        while at > 1 {
            let Some(node) = self.nodes.get(at as usize) else { return false };
            let next = if word.bit(node.bit) { node.hi } else { node.lo };
            // Children come before their parents.
            at = if next < at { next } else { 0 };
        }
        at == 1
    }

    /// The bits on which a diagram depends for this word.
    pub(super) fn asked(&self, set: u32, word: W) -> W {
        let (mut at, mut asked) = (set, W::zero());
        while let Some(node) = self.nodes.get(at as usize).filter(|_| at > 1) {
            asked = asked | W::at_bit(1, node.bit);
            let next = if word.bit(node.bit) { node.hi } else { node.lo };
            // Children come before their parents.
            at = if next < at { next } else { 0 };
        }
        asked
    }

    /// The answer whether a word is in the set of a diagram, if the known bits decide it.
    pub(super) fn end_of(&self, set: u32, word: W, known: W) -> Option<bool> {
        let mut at = set;
        while at > 1 {
            let node = self.nodes.get(at as usize).filter(|node| known.bit(node.bit))?;
            let next = if word.bit(node.bit) { node.hi } else { node.lo };
            // Children come before their parents.
            at = if next < at { next } else { 0 };
        }
        Some(at == 1)
    }

    /// The bits shared by all words for which a diagram reaches an end (1 in its set, 0 outside), if these bits decide it: a mask
    /// and the values.
    pub(super) fn only_way(&self, set: u32, end: u32) -> Option<(W, W)> {
        let (mut at, mut mask, mut value) = (set, W::zero(), W::zero());
        while at > 1 {
            let node = self.nodes.get(at as usize)?;
            let bit = W::at_bit(1, node.bit);
            mask = mask | bit;
            let next = match end ^ 1 {
                other if node.lo == other => {
                    value = value | bit;
                    node.hi
                }
                other if node.hi == other => node.lo,
                _ => return None,
            };
            // Children come before their parents.
            at = if next < at { next } else { return None };
        }
        (at == end).then_some((mask, value))
    }

    /// The length of `bits` bits.
    #[inline]
    pub fn length(&self, bits: u32) -> Option<Length<W>> {
        self.lengths.iter().find(|l| u32::from(l.bits) == bits)
    }

    /// Bits of the word that begins with this unit of a stream.
    pub fn length_of(&self, unit: W) -> Option<u32> {
        self.lengths.iter().find(|l| self.is_in(l.prefix, unit)).map(|l| l.bits.into())
    }

    /// The form of a word of `bits` bits; `None` for a word that is refused.
    #[inline(always)]
    pub fn find_form(&self, word: W, bits: u32) -> Option<u16> {
        let length = self.length(bits).filter(|_| word & !W::low_ones(bits) == W::zero())?;
        self.decode(word, &length)
    }

    /// The form of a word of a length; `None` for a word that is refused. The word has no bits above the length: [`Tables::find`]
    /// checks that.
    ///
    /// It is inlined, so that the contents of `length` are constants where the tables are statics.
    #[inline(always)]
    pub fn decode(&self, word: W, length: &Length<W>) -> Option<u16> {
        let limbs = Limbs::new(word);
        let truth = limbs.index(length.truth);
        let mut at = self.first_row(&limbs, length);
        loop {
            let row = self.rows.get(usize::from(at))?;
            let is_fixed = (word ^ row.value) & row.mask == W::zero();
            let passes = self.truth.get(row.table as usize + (truth >> 6)).unwrap_or(0) >> (truth & 63) & 1 == 1;
            if is_fixed & passes && (row.rest == 1 || self.is_in(row.rest, word)) {
                return Some(row.form);
            }
            // Rows of a chain descend.
            if row.next >= at {
                return None;
            }
            at = row.next;
        }
    }

    /// The first row of a word; 0 is none.
    #[inline(always)]
    pub(super) fn first_row(&self, limbs: &Limbs<W>, length: &Length<W>) -> u16 {
        self.index.get(length.base as usize + limbs.index(length.index)).unwrap_or(0)
    }

    /// The form of this number.
    #[inline]
    pub fn form(&self, form: u16) -> Option<Form<W>> {
        self.forms.get(usize::from(form))
    }

    /// The fields of a form.
    pub fn fields_of(&self, form: &Form<W>) -> impl Iterator<Item = Field> + use<'a, W> {
        let fields = self.fields;
        self.lists.slice(form.fields).iter().filter_map(move |i| fields.get(usize::from(i)))
    }

    /// The fields of a form that its text without aliases can show, in the order of the text; the further fields of an operand
    /// follow its first.
    pub fn operands_of(&self, form: &Form<W>) -> impl Iterator<Item = Field> + use<'a, W> {
        let fields = self.fields;
        self.lists.slice(form.operands).iter().filter_map(move |i| fields.get(usize::from(i)))
    }

    /// The registers that a word of this form reads and writes, by the fields that name them: each entry has the number read, the
    /// number written, or both.
    pub fn accesses(&self, form: &Form<W>, word: W) -> impl Iterator<Item = Access> + use<'a, W> {
        let (tables, accesses) = (*self, self.accesses.slice(form.accesses).iter());
        accesses.filter(move |access| tables.is_in(access.when, word))
    }

    /// The items of a form's lists of control codes, and whether this word's lists have them.
    pub fn control(&self, form: &Form<W>, word: W) -> impl Iterator<Item = (ControlItem, bool)> + use<'a, W> {
        let (tables, items) = (*self, self.control.slice(form.control).iter());
        items.map(move |item| (item, tables.is_in(item.when, word)))
    }

    /// The bits of a field.
    #[inline]
    pub fn raw(&self, field: &Field, word: W) -> u128 {
        self.gather(field.ranges, word)
    }

    /// The bits of some ranges, the first one highest.
    #[inline]
    pub fn gather(&self, ranges: Rows, word: W) -> u128 {
        self.ranges.slice(ranges).iter().fold(0, |value, range| {
            let width = u32::from(range.hi.saturating_sub(range.lo)) + 1;
            value.checked_shl(width).unwrap_or(0) | (word.wide_from_bit(range.lo) & ones(width))
        })
    }

    /// The bits of some ranges of a word that is empty elsewhere.
    pub(super) fn place(&self, ranges: Rows, value: u128) -> W {
        let ranges = self.ranges.slice(ranges);
        if ranges.len() == 1
            && let Some(range) = ranges.get(0)
        {
            return W::at_bit(value & ones(u32::from(range.hi.saturating_sub(range.lo)) + 1), range.lo);
        }
        let mut rest = value;
        ranges.iter().rev().fold(W::zero(), |word, range| {
            let width = u32::from(range.hi.saturating_sub(range.lo)) + 1;
            let part = W::at_bit(rest & ones(width), range.lo);
            rest = rest.checked_shr(width).unwrap_or(0);
            word | part
        })
    }

    /// The word with other bits in a field.
    pub fn with_raw(&self, field: &Field, word: W, raw: u128) -> W {
        (word & !self.place(field.ranges, u128::MAX)) | self.place(field.ranges, raw)
    }
}
