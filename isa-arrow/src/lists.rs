//! The fields of instructions, as a column of lists.

use crate::Error;
use crate::schema::{field_fields, field_item};
use crate::short::{Short, Texts};
use crate::strings::{MOST, Strings};
use arrow_array::{ArrayRef, ListArray, StructArray, UInt64Array};
use arrow_buffer::{NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use isa_engine::{BitRange, Codec, Word};
use std::sync::Arc;

/// log2 of how many texts are kept of a field that has more values than that.
const KEPT: u32 = 8;
/// 2^64 divided by the golden ratio: its multiples are spread evenly.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The column of lists of fields.
pub(crate) struct Lists {
    offsets: Vec<i32>,
    is_there: NullBufferBuilder,
    name: Strings,
    value: Vec<u64>,
    is_narrow: NullBufferBuilder,
    text: Texts,
}

/// The fields of a form.
pub(crate) struct Fields {
    form: usize,
    /// Their names, one behind the other, and where each ends.
    names: Vec<u8>,
    ends: Vec<i32>,
    all: Vec<Field>,
    /// One has more than 64 bits.
    has_wide: bool,
}

/// A field of a form, and the texts of its values.
struct Field {
    /// The low bits, and those above them.
    low: Piece,
    rest: Vec<Piece>,
    /// Texts that are never kept depend on where the word stands, or are those of values of more than 64 bits.
    is_kept: bool,
    /// The place of a value is the high bits of its product with this number.
    factor: u64,
    shift: u32,
    kept: Vec<Kept>,
}

/// Neighbouring bits of a field that are in one limb of its word.
#[derive(Clone, Copy, Default)]
struct Piece {
    limb: u8,
    from: u8,
    /// Where they are in the value.
    to: u8,
    ones: u64,
}

/// The text of a value.
#[derive(Clone, Copy)]
struct Kept {
    value: u64,
    text: Short,
}

impl Piece {
    #[inline(always)]
    fn of(self, limbs: &[u64; 4]) -> u64 {
        ((limbs[usize::from(self.limb & 3)] >> (self.from & 63)) & self.ones) << (self.to & 63)
    }
}

impl Field {
    fn new(ranges: &[BitRange], is_target: bool) -> Self {
        let mut pieces = Vec::new();
        let mut width = 0;
        for range in ranges.iter().rev() {
            let mut from = range.lo;
            while from <= range.hi {
                let to = range.hi.min(from | 63);
                let count = to - from + 1;
                // A value of more than 64 bits is not made of its pieces.
                if width < 64 {
                    let ones = u64::MAX >> (64 - count);
                    pieces.push(Piece { limb: (from / 64) as u8, from: (from % 64) as u8, to: width as u8, ones });
                }
                width += count;
                from = to + 1;
            }
        }
        let is_small = width <= KEPT;
        let low = if pieces.is_empty() { Piece::default() } else { pieces.remove(0) };
        Self {
            low,
            rest: pieces,
            is_kept: !is_target && width <= 64,
            factor: if is_small { 1 } else { GOLDEN },
            shift: if is_small { 0 } else { 64 - KEPT },
            kept: Vec::new(),
        }
    }

    #[inline(always)]
    fn value(&self, limbs: &[u64; 4]) -> u64 {
        let low = self.low.of(limbs);
        if self.rest.is_empty() { low } else { self.rest.iter().fold(low, |value, piece| value | piece.of(limbs)) }
    }

    #[inline(always)]
    fn place(&self, value: u64) -> usize {
        (value.wrapping_mul(self.factor) >> self.shift) as usize
    }

    /// The text of a value, if it is kept.
    #[inline(always)]
    fn kept(&self, value: u64) -> Option<&Short> {
        let kept = self.kept.get(self.place(value))?;
        (kept.value == value).then_some(&kept.text)
    }

    /// Keeps the text of a value, perhaps in the place of another one.
    fn keep(&mut self, value: u64, text: &[u8]) {
        let Some(text) = Short::new(text).filter(|_| self.is_kept) else { return };
        let place = self.place(value);
        if self.kept.len() <= place {
            // A place whose value belongs elsewhere is empty.
            let empty = |place: usize| Kept { value: if place == self.place(0) { 1 } else { 0 }, text: Short::default() };
            let more: Vec<_> = (self.kept.len()..=place).map(empty).collect();
            self.kept.extend(more);
        }
        self.kept[place] = Kept { value, text };
    }
}

impl Fields {
    #[cold]
    pub(crate) fn new(codec: &dyn Codec, form: usize) -> Self {
        let anatomy = codec.anatomy(form, Word::ZERO);
        let targets = codec.targets(form);
        let (mut names, mut ends) = (Vec::new(), Vec::new());
        for field in &anatomy.fields {
            names.extend_from_slice(field.path.as_bytes());
            ends.push(names.len() as i32);
        }
        let fields = anatomy.fields.iter().enumerate();
        let all = fields.map(|(place, field)| Field::new(&field.bits, targets.contains(&place))).collect();
        let width = |bits: &[BitRange]| bits.iter().map(|range| range.hi - range.lo + 1).sum::<u32>();
        let has_wide = anatomy.fields.iter().any(|field| width(&field.bits) > 64);
        Self { form, names, ends, all, has_wide }
    }
}

impl Lists {
    pub(crate) fn new() -> Self {
        Self {
            offsets: vec![0],
            is_there: NullBufferBuilder::new(0),
            name: Strings::new(),
            value: Vec::new(),
            is_narrow: NullBufferBuilder::new(0),
            text: Texts::new(),
        }
    }

    /// Adds the fields of a word of their form, which stands at an address.
    #[inline]
    pub(crate) fn push(&mut self, fields: &mut Fields, codec: &dyn Codec, word: Word, address: u64) -> Result<(), Error> {
        let first = self.value.len();
        let limbs = word.limbs();
        self.value.extend(fields.all.iter().map(|field| field.value(&limbs)));
        if fields.has_wide {
            self.wide(codec, fields.form, word);
        } else {
            self.is_narrow.append_n_non_nulls(fields.all.len());
        }
        self.name.push_all(&fields.names, &fields.ends)?;
        for (place, (field, value)) in fields.all.iter_mut().zip(&self.value[first..]).enumerate() {
            match field.kept(*value) {
                Some(text) => self.text.push_short(text),
                None => {
                    let text = codec.value_text(fields.form, place, word, address);
                    self.text.push(text.as_bytes());
                    field.keep(*value, text.as_bytes());
                }
            }
        }
        self.text.check()?;
        // There are no more items than bytes of names, but for names that are empty: a field has a name.
        self.offsets.push(self.value.len() as i32);
        self.is_there.append_non_null();
        Ok(())
    }

    /// Says which values of the last list have more than 64 bits: these are null, and have only their texts.
    #[cold]
    fn wide(&mut self, codec: &dyn Codec, form: usize, word: Word) {
        let mut all = Vec::new();
        codec.raw_fields(form, word, &mut all);
        all.iter().for_each(|bits| self.is_narrow.append(u64::try_from(*bits).is_ok()));
    }

    pub(crate) fn push_null(&mut self) -> Result<(), Error> {
        if self.value.len() > MOST {
            return Err(Error::TooLarge);
        }
        self.offsets.push(self.value.len() as i32);
        self.is_there.append_null();
        Ok(())
    }

    pub(crate) fn finish(&mut self) -> Result<ListArray, Error> {
        let Self { offsets, mut is_there, mut name, value, mut is_narrow, mut text } = std::mem::replace(self, Self::new());
        let value = UInt64Array::try_new(ScalarBuffer::from(value), is_narrow.finish())?;
        let columns: Vec<ArrayRef> = vec![Arc::new(name.texts()?), Arc::new(value), Arc::new(text.finish()?)];
        let items = StructArray::try_new(field_fields(), columns, None)?;
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        Ok(ListArray::try_new(field_item(), offsets, Arc::new(items), is_there.finish())?)
    }
}
