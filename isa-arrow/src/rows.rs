//! What words say, row by row.

use crate::Error;
use crate::schema::{field_fields, field_item, fields};
use crate::strings::{MOST, Strings};
use arrow_array::{ArrayRef, ListArray, StructArray, UInt64Array};
use arrow_buffer::{NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use isa_engine::{Codec, FormInfo, Sized, Word};
use std::collections::HashMap;
use std::sync::Arc;

/// The texts of so small values are kept by value.
const SMALL: usize = 1 << 8;
/// So many texts of larger values of a field are kept.
const KEPT: usize = 1 << 12;

/// Decodes words into a struct array.
pub struct Rows<'c> {
    codec: Box<dyn Codec + 'c>,
    with_fields: bool,
    forms: Vec<Option<Form>>,
    /// Room for the bits of the fields of a word.
    bits: Vec<u128>,
    text: Strings,
    mnemonic: Strings,
    form: Strings,
    fields: Lists,
    error: Strings,
    is_there: NullBufferBuilder,
}

/// The column of lists of fields.
struct Lists {
    offsets: Vec<i32>,
    is_there: NullBufferBuilder,
    name: Strings,
    value: Vec<u64>,
    is_narrow: NullBufferBuilder,
    text: Strings,
}

/// What is the same for all words of a form.
struct Form {
    mnemonic: Vec<u8>,
    name: Vec<u8>,
    /// The names of its fields, one behind the other, and where each ends.
    names: Vec<u8>,
    ends: Vec<usize>,
    fields: Vec<Field>,
    /// The texts of its fields depend on where the word stands.
    has_target: bool,
}

/// The texts of values of a field of a form.
#[derive(Default)]
struct Field {
    small: Vec<Option<Box<[u8]>>>,
    large: HashMap<u128, Box<[u8]>>,
}

impl Form {
    #[cold]
    fn new(codec: &dyn Codec, form: usize) -> Self {
        let FormInfo { mnemonic, name, fields } = codec.form(form);
        let (mut names, mut ends) = (Vec::new(), Vec::new());
        for (name, _) in &fields {
            names.extend_from_slice(name.as_bytes());
            ends.push(names.len());
        }
        let fields = fields.iter().map(|_| Field::default()).collect();
        Self { mnemonic: mnemonic.into(), name: name.into(), names, ends, fields, has_target: codec.has_target(form) }
    }
}

impl Field {
    /// The text of a value; `make` makes it.
    #[inline]
    fn text(&mut self, bits: u128, make: impl FnOnce() -> String) -> &[u8] {
        if bits < SMALL as u128 {
            let at = bits as usize;
            if self.small.len() <= at {
                self.small.resize(at + 1, None);
            }
            return self.small[at].get_or_insert_with(|| make().into_bytes().into());
        }
        if self.large.len() == KEPT && !self.large.contains_key(&bits) {
            self.large.clear();
        }
        self.large.entry(bits).or_insert_with(|| make().into_bytes().into())
    }
}

impl<'c> Rows<'c> {
    /// No rows yet. Without fields, the column of fields has nulls.
    ///
    /// # Errors
    /// When the instruction set is text-only.
    pub fn new(codec: Box<dyn Codec + 'c>, with_fields: bool) -> Result<Self, Error> {
        if codec.is_text() {
            return Err(Error::NoWords(codec.name().to_owned()));
        }
        Ok(Self {
            codec,
            with_fields,
            forms: Vec::new(),
            bits: Vec::new(),
            text: Strings::new(),
            mnemonic: Strings::new(),
            form: Strings::new(),
            fields: Lists::new(),
            error: Strings::new(),
            is_there: NullBufferBuilder::new(0),
        })
    }

    /// The codec that decodes.
    pub fn codec(&self) -> &dyn Codec {
        &*self.codec
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a word, which stands at an address.
    ///
    /// # Errors
    /// When there is no room left for its texts.
    pub fn push(&mut self, sized: Sized, address: u64) -> Result<(), Error> {
        let Sized { word, bits } = sized;
        let form = match self.codec.decode(word, bits) {
            Ok(form) => form,
            Err(refused) => return self.refuse(&refused.message),
        };
        if self.forms.len() <= form {
            self.forms.resize_with(form + 1, || None);
        }
        let own = self.forms[form].get_or_insert_with(|| Form::new(&*self.codec, form));
        self.is_there.append_non_null();
        self.codec.print(form, word, address, &mut self.text.bytes);
        self.text.end()?;
        self.mnemonic.push(&own.mnemonic)?;
        self.form.push(&own.name)?;
        self.error.push_null();
        if !self.with_fields {
            return self.fields.push_null();
        }
        self.bits.clear();
        self.codec.raw_fields(form, word, &mut self.bits);
        self.fields.name.push_all(&own.names, &own.ends)?;
        self.fields.values(&self.bits);
        let texts = &mut self.fields.text;
        for (place, (field, bits)) in own.fields.iter_mut().zip(&self.bits).enumerate() {
            let make = || self.codec.value_text(form, place, word, address);
            match own.has_target {
                true => texts.add(make().as_bytes()),
                false => texts.add(field.text(*bits, make)),
            }
        }
        texts.end_all(own.fields.len())?;
        self.fields.end();
        Ok(())
    }

    /// Adds a word that is refused.
    ///
    /// # Errors
    /// When there is no room left for the reason.
    pub fn refuse(&mut self, why: &str) -> Result<(), Error> {
        self.is_there.append_non_null();
        self.text.push_null();
        self.mnemonic.push_null();
        self.form.push_null();
        self.error.push(why.as_bytes())?;
        self.fields.push_null()
    }

    /// Adds a word that is given as a number.
    ///
    /// # Errors
    /// When there is no room left.
    pub fn push_number(&mut self, word: Word, address: u64) -> Result<(), Error> {
        match isa_engine::sized(&*self.codec, word) {
            Ok(sized) => self.push(sized, address),
            Err(why) => self.refuse(&why),
        }
    }

    /// Adds a row for which there is no word.
    ///
    /// # Errors
    /// When there is no room left.
    pub fn push_null(&mut self) -> Result<(), Error> {
        self.is_there.append_null();
        [&mut self.text, &mut self.mnemonic, &mut self.form, &mut self.error].into_iter().for_each(Strings::push_null);
        self.fields.push_null()
    }

    /// The rows, after which there are none.
    ///
    /// # Errors
    /// When a text is not UTF-8.
    pub fn finish(&mut self) -> Result<StructArray, Error> {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.text.texts()?),
            Arc::new(self.mnemonic.texts()?),
            Arc::new(self.form.texts()?),
            Arc::new(self.fields.finish()?),
            Arc::new(self.error.texts()?),
        ];
        Ok(StructArray::try_new(fields(), columns, self.is_there.finish())?)
    }
}

impl Lists {
    fn new() -> Self {
        Self {
            offsets: vec![0],
            is_there: NullBufferBuilder::new(0),
            name: Strings::new(),
            value: Vec::new(),
            is_narrow: NullBufferBuilder::new(0),
            text: Strings::new(),
        }
    }

    /// Adds the values of a list. One of more than 64 bits is null, and has only its text.
    #[inline]
    fn values(&mut self, all: &[u128]) {
        self.value.extend(all.iter().map(|bits| *bits as u64));
        if all.iter().all(|bits| u64::try_from(*bits).is_ok()) {
            self.is_narrow.append_n_non_nulls(all.len());
        } else {
            all.iter().for_each(|bits| self.is_narrow.append(u64::try_from(*bits).is_ok()));
        }
    }

    /// Ends a list.
    fn end(&mut self) {
        // There are no more items than bytes of names, but for names that are empty: a field has a name.
        self.offsets.push(self.value.len() as i32);
        self.is_there.append_non_null();
    }

    fn push_null(&mut self) -> Result<(), Error> {
        if self.value.len() > MOST {
            return Err(Error::TooLarge);
        }
        self.offsets.push(self.value.len() as i32);
        self.is_there.append_null();
        Ok(())
    }

    fn finish(&mut self) -> Result<ListArray, Error> {
        let Self { offsets, mut is_there, mut name, value, mut is_narrow, mut text } = std::mem::replace(self, Self::new());
        let value = UInt64Array::try_new(ScalarBuffer::from(value), is_narrow.finish())?;
        let columns: Vec<ArrayRef> = vec![Arc::new(name.texts()?), Arc::new(value), Arc::new(text.texts()?)];
        let items = StructArray::try_new(field_fields(), columns, None)?;
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        Ok(ListArray::try_new(field_item(), offsets, Arc::new(items), is_there.finish())?)
    }
}
