//! Words at addresses: their rows, with a column of addresses and one of words.

use crate::scan::BATCH;
use crate::schema::word_schema;
use crate::strings::Strings;
use crate::{Error, Rows};
use arrow_array::{ArrayRef, RecordBatch, UInt64Array};
use isa_engine::{Codec, Sized};
use std::sync::Arc;

/// Decodes words at addresses into the columns of [`word_schema`].
pub struct Placed<'c> {
    rows: Rows<'c>,
    address: Vec<u64>,
    word: Strings,
}

impl<'c> Placed<'c> {
    /// No rows yet. Without fields, the column of fields has nulls.
    ///
    /// # Errors
    /// When the instruction set is text-only.
    pub fn new(codec: Box<dyn Codec + 'c>, with_fields: bool) -> Result<Self, Error> {
        Ok(Self { rows: Rows::new(codec, with_fields)?, address: Vec::new(), word: Strings::new() })
    }

    /// The codec that decodes.
    pub fn codec(&self) -> &dyn Codec {
        self.rows.codec()
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Adds a word at an address.
    ///
    /// # Errors
    /// When there is no room left for its texts.
    pub fn push(&mut self, sized: Sized, address: u64) -> Result<(), Error> {
        self.address.push(address);
        let bytes = (0..sized.bits.div_ceil(8)).rev();
        self.word.bytes.extend(bytes.map(|byte| (sized.word >> (8 * byte)).limbs()[0] as u8));
        self.word.end()?;
        self.rows.push(sized, address)
    }

    /// Adds bytes that are not a word.
    ///
    /// # Errors
    /// When there is no room left for the reason.
    pub fn refuse(&mut self, bytes: &[u8], address: u64, why: &str) -> Result<(), Error> {
        self.address.push(address);
        self.word.push(bytes)?;
        self.rows.refuse(why)
    }

    /// The columns, of which none has rows afterwards.
    pub(crate) fn columns(&mut self) -> Result<Vec<ArrayRef>, Error> {
        let is_full = self.len() == BATCH;
        let addresses = UInt64Array::from(std::mem::take(&mut self.address));
        let mut columns: Vec<ArrayRef> = vec![Arc::new(addresses), Arc::new(self.word.binary()?)];
        columns.extend(self.rows.finish()?.columns().iter().cloned());
        if is_full {
            self.rows.reserve(BATCH);
        }
        Ok(columns)
    }

    /// Returns the rows, and leaves none.
    ///
    /// # Errors
    /// When a text is not UTF-8.
    pub fn finish(&mut self) -> Result<RecordBatch, Error> {
        Ok(RecordBatch::try_new(word_schema(), self.columns()?)?)
    }
}
