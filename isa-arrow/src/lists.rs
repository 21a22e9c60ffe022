//! The fields of instructions, as a column of lists.

use crate::Error;
use crate::schema::{field_fields, field_item};
use crate::short::{Short, Texts};
use crate::strings::{MOST, Strings};
use arrow_array::{ArrayRef, ListArray, StructArray, UInt64Array};
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
    name: Strings,
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
    /// Their names, one after the other, and the end of each.
    names: Vec<u8>,
    ends: Vec<i32>,
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
    limb: u8,
    from: u8,
    count: u8,
    /// The place of its texts.
    texts: u32,
}

/// The texts of values of fields: thousands of fields have the texts of a few hundred.
#[derive(Default)]
pub(crate) struct Memory {
    all: Vec<Values>,
    /// Their places, by what the texts depend on: the number of a [`FieldId`], the width, and whether it is a place of the program.
    places: HashMap<(usize, u32, bool), usize>,
}

/// The texts of values of a field.
enum Values {
    /// Not kept: they depend on the address of the word, or belong to values of more than 64 bits.
    Other,
    /// Texts of up to [`KEPT`] bits, by value.
    Small(Vec<Short<16>>),
    /// Some of the others, each in one place: the high bits of its product with [`GOLDEN`].
    Large(Vec<(u64, Short<24>)>),
}

/// Neighbouring bits of a field that are in one limb of its word.
#[derive(Clone, Copy, Default)]
struct Piece {
    limb: u8,
    from: u8,
    count: u8,
    /// Their place in the value.
    to: u8,
}

#[inline(always)]
fn bits(limbs: &[u64; 4], (limb, from, count): (u8, u8, u8)) -> u64 {
    (limbs[usize::from(limb & 3)] >> (from & 63)) & u64::MAX.checked_shr(64 - u32::from(count)).unwrap_or(0)
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
            pieces.push(Piece { limb: (from / 64) as u8, from: (from % 64) as u8, count: count as u8, to: width as u8 });
            width += count;
            from = to + 1;
        }
    }
    pieces
}

impl Values {
    fn new(width: u32, is_target: bool) -> Self {
        if is_target || width > 64 {
            Self::Other
        } else if width > KEPT {
            Self::Large(Vec::new())
        } else {
            Self::Small(Vec::new())
        }
    }

    /// Keeps the text of a value, perhaps in the place of another one.
    #[cold]
    fn keep(&mut self, value: u64, text: &[u8]) {
        match self {
            Self::Other => {}
            Self::Small(kept) => {
                if let Some(text) = Short::new(text) {
                    let place = value as usize;
                    kept.resize(kept.len().max(place + 1), Short::NONE);
                    kept[place] = text;
                }
            }
            Self::Large(kept) => {
                if let Some(text) = Short::new(text) {
                    kept.resize(1 << KEPT, (0, Short::NONE));
                    kept[place(value)] = (value, text);
                }
            }
        }
    }
}

#[inline(always)]
fn place(value: u64) -> usize {
    (value.wrapping_mul(GOLDEN) >> (64 - KEPT)) as usize
}

impl Memory {
    fn place(&mut self, of: (usize, u32, bool)) -> usize {
        let (_, width, is_target) = of;
        *self.places.entry(of).or_insert_with(|| {
            self.all.push(Values::new(width, is_target));
            self.all.len() - 1
        })
    }
}

impl Fields {
    #[cold]
    pub(crate) fn new(codec: &dyn Codec, form: usize, memory: &mut Memory) -> Self {
        let fields = codec.anatomy(form, Word::ZERO).fields;
        let (mut names, mut ends, mut all, mut rest) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (place, (field, FieldId { number, is_target })) in fields.iter().zip(codec.field_ids(form)).enumerate() {
            let width = width(&field.bits);
            names.extend_from_slice(field.path.as_bytes());
            ends.push(names.len() as i32);
            let mut pieces = pieces(&field.bits).into_iter();
            let Piece { limb, from, count, .. } = pieces.next().unwrap_or_default();
            let texts = memory.place((number, width, is_target));
            all.push(Field { limb, from, count, texts: texts as u32 });
            rest.extend(pieces.map(|piece| (place, piece)));
        }
        let has_wide = fields.iter().any(|field| width(&field.bits) > 64);
        Self { form, names, ends, all, rest, has_wide }
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
        let limbs = word.limbs();
        self.value.extend(fields.all.iter().map(|field| bits(&limbs, (field.limb, field.from, field.count))));
        for (place, piece) in &fields.rest {
            self.value[first + place] |= bits(&limbs, (piece.limb, piece.from, piece.count)) << piece.to;
        }
        if fields.has_wide {
            self.wide(codec, fields.form, word);
        } else {
            self.is_narrow.append_n_non_nulls(fields.all.len());
        }
        self.name.push_all(&fields.names, &fields.ends)?;
        let mut texts = self.text.several(fields.all.len());
        for (place, (field, value)) in fields.all.iter().zip(&self.value[first..]).enumerate() {
            let is_kept = match &memory.all[field.texts as usize] {
                Values::Small(kept) => kept.get(*value as usize).is_some_and(|text| texts.push_short(text)),
                Values::Large(kept) => {
                    kept.get(self::place(*value)).is_some_and(|(of, text)| of == value && texts.push_short(text))
                }
                Values::Other => false,
            };
            if !is_kept {
                self.printed.clear();
                codec.print_value(fields.form, place, word, address, &mut self.printed);
                texts.push(&self.printed);
                memory.all[field.texts as usize].keep(*value, &self.printed);
            }
        }
        texts.end()?;
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
        let columns: Vec<ArrayRef> = vec![Arc::new(self.name.texts()?), Arc::new(value), Arc::new(self.text.finish()?)];
        let items = StructArray::try_new(field_fields(), columns, None)?;
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        Ok(ListArray::try_new(field_item(), offsets, Arc::new(items), self.is_there.finish())?)
    }
}
