//! Decoded words, row by row.

use crate::Error;
use crate::lists::{Fields, Lists, Memory};
use crate::schema::fields;
use crate::strings::{Names, Strings};
use arrow_array::{ArrayRef, StructArray};
use arrow_buffer::NullBufferBuilder;
use isa_engine::{Codec, FormInfo, Sized, Word};
use std::sync::Arc;

/// Decodes words into struct arrays.
pub struct Rows<'c> {
    codec: Box<dyn Codec + 'c>,
    with_fields: bool,
    forms: Vec<Option<Form>>,
    memory: Memory,
    text: Strings,
    mnemonic: Names,
    form: Names,
    fields: Lists,
    error: Names,
    is_there: NullBufferBuilder,
}

/// The common part of all words of a form.
struct Form {
    mnemonic: String,
    name: String,
    fields: Fields,
}

impl Form {
    #[cold]
    fn new(codec: &dyn Codec, form: usize, memory: &mut Memory) -> Self {
        let FormInfo { mnemonic, name, .. } = codec.form(form);
        Self { mnemonic: mnemonic.into(), name: name.into(), fields: Fields::new(codec, form, memory) }
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
            memory: Memory::default(),
            text: Strings::new(),
            mnemonic: Names::new(),
            form: Names::new(),
            fields: Lists::new(),
            error: Names::new(),
            is_there: NullBufferBuilder::new(0),
        })
    }

    /// Sets whether the following rows have fields.
    pub(crate) fn set_fields(&mut self, with_fields: bool) {
        self.with_fields = with_fields;
    }

    /// Reserves room for `count` rows like those before.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.text.reserve(count);
        [&mut self.mnemonic, &mut self.form].into_iter().for_each(|texts| texts.reserve(count));
        if self.with_fields {
            self.fields.reserve(count);
        }
    }

    /// Drops the rows; the information about forms is kept.
    pub(crate) fn clear(&mut self) {
        self.text = Strings::new();
        [&mut self.mnemonic, &mut self.form, &mut self.error].into_iter().for_each(|texts| *texts = Names::new());
        (self.fields, self.is_there) = (Lists::new(), NullBufferBuilder::new(0));
    }

    /// The codec that decodes.
    pub fn codec(&self) -> &dyn Codec {
        &*self.codec
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a word at an address.
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
        let own = self.forms[form].get_or_insert_with(|| Form::new(&*self.codec, form, &mut self.memory));
        self.is_there.append_non_null();
        self.codec.print(form, word, address, &mut self.text.bytes);
        self.text.end()?;
        self.mnemonic.push(&own.mnemonic)?;
        self.form.push(&own.name)?;
        self.error.push_null();
        if !self.with_fields {
            return self.fields.push_null();
        }
        self.fields.push((&own.fields, &mut self.memory), &*self.codec, word, address)
    }

    /// Adds a word that is refused.
    ///
    /// # Errors
    /// When there is no room left for the reason.
    pub fn refuse(&mut self, why: &str) -> Result<(), Error> {
        self.is_there.append_non_null();
        self.text.push_null();
        [&mut self.mnemonic, &mut self.form].into_iter().for_each(Names::push_null);
        self.error.push(why)?;
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

    /// Adds a row without a word.
    ///
    /// # Errors
    /// When there is no room left.
    pub fn push_null(&mut self) -> Result<(), Error> {
        self.is_there.append_null();
        self.text.push_null();
        [&mut self.mnemonic, &mut self.form, &mut self.error].into_iter().for_each(Names::push_null);
        self.fields.push_null()
    }

    /// Returns the rows, and leaves none.
    ///
    /// # Errors
    /// When a text is not UTF-8.
    pub fn finish(&mut self) -> Result<StructArray, Error> {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.text.texts()?),
            Arc::new(self.mnemonic.finish()),
            Arc::new(self.form.finish()),
            Arc::new(self.fields.finish()?),
            Arc::new(self.error.finish()),
        ];
        Ok(StructArray::try_new(fields(), columns, self.is_there.finish())?)
    }
}
