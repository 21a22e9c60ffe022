//! The fields of instructions, as a column of lists.

use crate::Error;
use crate::schema::{field_fields, field_item};
use crate::short::{Short, Texts};
use crate::strings::{MOST, Names};
use arrow_array::{ArrayRef, ListArray, StringArray, StructArray, UInt64Array};
use arrow_buffer::{NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use isa_engine::{BitRange, Codec, FieldId, Word};
use std::collections::HashMap;
use std::sync::Arc;

/// The width in bits up to which all texts of a field are kept; for a wider one, 2 to this power.
const KEPT: u32 = 8;
/// 2^64 divided by the golden ratio: its multiples are spread evenly.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The column of lists of fields.
pub(crate) struct Lists {
    offsets: Vec<i32>,
    is_there: NullBufferBuilder,
    name: Names,
    value: Vec<u64>,
    is_narrow: NullBufferBuilder,
    text: Texts,
    /// Room for the text of a value.
    printed: Vec<u8>,
    /// The average number of fields of a list in the last column.
    average: usize,
}

/// The fields of a form.
pub(crate) struct Fields {
    form: usize,
    /// Their names.
    names: StringArray,
    all: Vec<Field>,
    /// Bits above the low ones, with the places of their fields.
    rest: Vec<(usize, Piece)>,
    /// One has more than 64 bits.
    has_wide: bool,
}

/// A field of a form. It has eight bytes, so that alternating words of many forms do not fill the cache.
#[derive(Clone, Copy)]
struct Field {
    /// Its low bits, which begin the value.
    low: Bits,
    kept: Kept,
    /// The place of the first of its texts.
    texts: u32,
}

/// The table with the texts of values of a field.
#[derive(Clone, Copy)]
enum Kept {
    /// Nowhere: they depend on the address of the word, or belong to values of more than 64 bits.
    No,
    /// In a place for each value.
    All,
    /// Some of them, each in one of 2 to the power of [`KEPT`] places: the high bits of its product with [`GOLDEN`].
    Some,
}

/// The texts of values of fields: thousands of fields have the texts of a few hundred.
#[derive(Default)]
pub(crate) struct Memory {
    /// Texts of up to [`KEPT`] bits.
    all: Vec<Short<16>>,
    /// Values of more bits, with their texts.
    some: Vec<(u64, Short<24>)>,
    /// Their places, by what the texts depend on: the number of a [`FieldId`], the width, and whether it is a place of the program.
    places: HashMap<(usize, u32, bool), (Kept, u32)>,
}

/// Neighbouring bits of a limb: they are at the top of it when it is shifted left, and alone in it when it is then shifted right.
#[derive(Clone, Copy)]
struct Bits {
    limb: u8,
    left: u8,
    right: u8,
}

/// Bits of a field above the low ones.
#[derive(Clone, Copy)]
struct Piece {
    bits: Bits,
    /// Their place in the value.
    to: u8,
}

/// The limbs of a word, followed by zeros.
type Limbs = [u64; 8];

impl Bits {
    /// No bits: a limb that is zero.
    const NONE: Self = Self { limb: 7, left: 0, right: 0 };

    /// Their value.
    #[inline(always)]
    fn of(self, limbs: &Limbs) -> u64 {
        (limbs[usize::from(self.limb & 7)] << (self.left & 63)) >> (self.right & 63)
    }
}

/// The number of bits in some ranges.
fn width(ranges: &[BitRange]) -> u32 {
    ranges.iter().map(|range| range.hi - range.lo + 1).sum()
}

/// The pieces of a field, the low one first. Those beyond the low 64 bits of the value are left out.
fn pieces(ranges: &[BitRange]) -> Vec<Piece> {
    let (mut pieces, mut width) = (Vec::new(), 0);
    for range in ranges.iter().rev() {
        let mut from = range.lo;
        while from <= range.hi && width < 64 {
            let to = range.hi.min(from | 63);
            let count = to - from + 1;
            let bits = Bits { limb: (from / 64) as u8, left: (63 - to % 64) as u8, right: (64 - count) as u8 };
            pieces.push(Piece { bits, to: width as u8 });
            width += count;
            from = to + 1;
        }
    }
    pieces
}

#[inline(always)]
fn place(value: u64) -> usize {
    (value.wrapping_mul(GOLDEN) >> (64 - KEPT)) as usize
}

impl Memory {
    /// The place of the texts of a field.
    fn place(&mut self, of: (usize, u32, bool)) -> (Kept, u32) {
        let (_, width, is_target) = of;
        *self.places.entry(of).or_insert_with(|| {
            if is_target || width > 64 {
                (Kept::No, 0)
            } else if width > KEPT {
                let place = self.some.len();
                self.some.resize(place + (1 << KEPT), (0, Short::NONE));
                (Kept::Some, place as u32)
            } else {
                let place = self.all.len();
                self.all.resize(place + (1 << width), Short::NONE);
                (Kept::All, place as u32)
            }
        })
    }

    /// Keeps the text of a value, perhaps in the place of another one.
    #[cold]
    fn keep(&mut self, field: Field, value: u64, text: &[u8]) {
        let texts = field.texts as usize;
        match field.kept {
            Kept::No => {}
            Kept::All => self.all[texts + value as usize] = Short::new(text).unwrap_or(Short::NONE),
            Kept::Some => self.some[texts + place(value)] = (value, Short::new(text).unwrap_or(Short::NONE)),
        }
    }
}

impl Fields {
    #[cold]
    pub(crate) fn new(codec: &dyn Codec, form: usize, memory: &mut Memory) -> Self {
        let fields = codec.anatomy(form, Word::ZERO).fields;
        let names = fields.iter().map(|field| Some(field.path)).collect();
        let (mut all, mut rest) = (Vec::new(), Vec::new());
        for (place, (field, FieldId { number, is_target })) in fields.iter().zip(codec.field_ids(form)).enumerate() {
            let mut pieces = pieces(&field.bits).into_iter();
            let low = pieces.next().map_or(Bits::NONE, |piece| piece.bits);
            let (kept, texts) = memory.place((number, width(&field.bits), is_target));
            all.push(Field { low, kept, texts });
            rest.extend(pieces.map(|piece| (place, piece)));
        }
        let has_wide = fields.iter().any(|field| width(&field.bits) > 64);
        Self { form, names, all, rest, has_wide }
    }
}

impl Lists {
    pub(crate) fn new() -> Self {
        Self {
            offsets: vec![0],
            is_there: NullBufferBuilder::new(0),
            name: Names::new(),
            value: Vec::new(),
            is_narrow: NullBufferBuilder::new(0),
            text: Texts::new(),
            printed: Vec::new(),
            average: 0,
        }
    }

    /// Adds the fields of a word of their form at an address.
    #[inline]
    pub(crate) fn push(
        &mut self,
        (fields, memory): (&Fields, &mut Memory),
        codec: &dyn Codec,
        word: Word,
        address: u64,
    ) -> Result<(), Error> {
        let first = self.value.len();
        let mut limbs = Limbs::default();
        limbs[..4].copy_from_slice(&word.limbs());
        self.value.extend(fields.all.iter().map(|field| field.low.of(&limbs)));
        for (place, Piece { bits, to }) in &fields.rest {
            self.value[first + place] |= bits.of(&limbs) << to;
        }
        if fields.has_wide {
            self.wide(codec, fields.form, word);
        } else {
            self.is_narrow.append_n_non_nulls(fields.all.len());
        }
        self.name.push_all(&fields.names)?;
        let values = fields.all.iter().zip(&self.value[first..]).enumerate();
        self.text.extend(values, |(place, (field, value)), to| {
            let texts = field.texts as usize;
            let is_kept = match field.kept {
                Kept::All => memory.all.get(texts + *value as usize).is_some_and(|text| to.push_short(text)),
                Kept::Some => {
                    let kept = memory.some.get(texts + self::place(*value));
                    kept.is_some_and(|(of, text)| of == value && to.push_short(text))
                }
                Kept::No => false,
            };
            if !is_kept {
                self.printed.clear();
                codec.print_value(fields.form, place, word, address, &mut self.printed);
                to.push(&self.printed);
                memory.keep(*field, *value, &self.printed);
            }
        })?;
        // There are no more items than bytes of names, because fields have names that are not empty.
        self.offsets.push(self.value.len() as i32);
        self.is_there.append_non_null();
        Ok(())
    }

    /// Marks the values of the last list that have more than 64 bits: these are null, and have only their texts.
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

    /// Reserves room for `count` lists like those of the last column.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.offsets.reserve(count);
        let fields = self.average.saturating_mul(count);
        self.value.reserve(fields);
        self.name.reserve(fields);
        self.text.reserve(fields);
    }

    pub(crate) fn finish(&mut self) -> Result<ListArray, Error> {
        let offsets = std::mem::replace(&mut self.offsets, vec![0]);
        let value = std::mem::take(&mut self.value);
        self.average = value.len().div_ceil(offsets.len());
        let value = UInt64Array::try_new(ScalarBuffer::from(value), self.is_narrow.finish())?;
        let columns: Vec<ArrayRef> = vec![Arc::new(self.name.finish()), Arc::new(value), Arc::new(self.text.finish()?)];
        let items = StructArray::try_new(field_fields(), columns, None)?;
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        Ok(ListArray::try_new(field_item(), offsets, Arc::new(items), self.is_there.finish())?)
    }
}
