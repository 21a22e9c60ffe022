//! Columns of texts, or of bytes, that are being made.

use crate::Error;
use arrow_array::builder::StringBuilder;
use arrow_array::{BinaryArray, StringArray};
use arrow_buffer::{Buffer, NullBufferBuilder, OffsetBuffer, ScalarBuffer};

/// The most bytes of a column, and items of all lists together: offsets have 31 bits.
pub(crate) const MOST: usize = i32::MAX as usize;

/// A column of bytes, or of texts that are written as bytes: when it is complete, Arrow checks that they are UTF-8.
pub(crate) struct Strings {
    pub(crate) bytes: Vec<u8>,
    offsets: Vec<i32>,
    nulls: NullBufferBuilder,
    /// The average bytes of a value in the last column.
    average: usize,
}

impl Strings {
    pub(crate) fn new() -> Self {
        Self { bytes: Vec::new(), offsets: vec![0], nulls: NullBufferBuilder::new(0), average: 0 }
    }

    /// Reserves room for `count` values like those of the last column.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.offsets.reserve(count);
        self.bytes.reserve(self.average.saturating_mul(count));
    }

    /// Ends the value whose bytes have been appended.
    #[inline]
    pub(crate) fn end(&mut self) -> Result<(), Error> {
        if self.bytes.len() > MOST {
            return Err(Error::TooLarge);
        }
        self.offsets.push(self.bytes.len() as i32);
        self.nulls.append_non_null();
        Ok(())
    }

    #[inline]
    pub(crate) fn push(&mut self, value: &[u8]) -> Result<(), Error> {
        self.bytes.extend_from_slice(value);
        self.end()
    }

    pub(crate) fn push_null(&mut self) {
        self.offsets.push(self.bytes.len() as i32);
        self.nulls.append_null();
    }

    pub(crate) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    fn take(&mut self) -> (OffsetBuffer<i32>, Buffer, Option<arrow_buffer::NullBuffer>) {
        let own = std::mem::replace(self, Self::new());
        let Self { bytes, offsets, mut nulls, .. } = own;
        self.average = bytes.len().div_ceil(offsets.len());
        (OffsetBuffer::new(ScalarBuffer::from(offsets)), Buffer::from_vec(bytes), nulls.finish())
    }

    /// The column of texts; it is replaced by an empty one.
    pub(crate) fn texts(&mut self) -> Result<StringArray, Error> {
        let (offsets, bytes, nulls) = self.take();
        Ok(StringArray::try_new(offsets, bytes, nulls)?)
    }

    /// The same for bytes.
    pub(crate) fn binary(&mut self) -> Result<BinaryArray, Error> {
        let (offsets, bytes, nulls) = self.take();
        Ok(BinaryArray::try_new(offsets, bytes, nulls)?)
    }
}

/// A column of texts that exist, which need no check.
pub(crate) struct Names {
    all: StringBuilder,
    /// The average bytes of a text in the last column.
    average: usize,
}

impl Names {
    pub(crate) fn new() -> Self {
        Self { all: StringBuilder::new(), average: 0 }
    }

    /// Reserves room for `count` texts like those of the last column, in an empty column.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.all = StringBuilder::with_capacity(count, self.average.saturating_mul(count));
    }

    #[inline]
    fn has_room(&self, count: usize) -> Result<(), Error> {
        if self.all.values_slice().len() + count > MOST { Err(Error::TooLarge) } else { Ok(()) }
    }

    #[inline]
    pub(crate) fn push(&mut self, text: &str) -> Result<(), Error> {
        self.has_room(text.len())?;
        self.all.append_value(text);
        Ok(())
    }

    /// Adds consecutive texts.
    #[inline]
    pub(crate) fn push_all(&mut self, texts: &StringArray) -> Result<(), Error> {
        self.has_room(texts.values().len())?;
        Ok(self.all.append_array(texts)?)
    }

    pub(crate) fn push_null(&mut self) {
        self.all.append_null();
    }

    /// The column; it is replaced by an empty one.
    pub(crate) fn finish(&mut self) -> StringArray {
        let texts = self.all.finish();
        self.average = texts.values().len().div_ceil(texts.offsets().len());
        texts
    }
}
