//! A column of words.

use crate::{BATCH, Error, Rows};
use arrow_array::cast::AsArray;
use arrow_array::types::{UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, StructArray, UInt64Array};
use arrow_schema::DataType;
use isa_engine::{Sized, Word};

/// Options for reading a column of words.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Leaves the column of fields null.
    pub no_fields: bool,
    /// Bytes of words have the least significant one first, as in the memory of most machines.
    pub little_endian: bool,
    /// The addresses of the words; without them, all are at 0.
    pub addresses: Option<UInt64Array>,
}

/// The greatest number of bytes of a word.
const MOST_BYTES: usize = 32;

/// Decodes a column of words; `rows`, which must be empty, can do so for the next column as well. A null stays a null; a word
/// that is not an instruction is a row with the reason in `error`.
///
/// # Errors
/// When the column does not have words, or the texts have more bytes than an array can have.
pub fn decode(rows: &mut Rows<'_>, words: &dyn Array, options: &Options) -> Result<StructArray, Error> {
    let decoded = decoded(rows, words, options);
    if decoded.is_err() {
        rows.clear();
    }
    decoded
}

fn decoded(rows: &mut Rows<'_>, words: &dyn Array, options: &Options) -> Result<StructArray, Error> {
    if let Some(addresses) = &options.addresses
        && addresses.len() != words.len()
    {
        let why = format!("there are {} addresses for {} words", addresses.len(), words.len());
        return Err(Error::Addresses(why));
    }
    rows.set_fields(!options.no_fields);
    rows.reserve(words.len().min(BATCH));
    let lengths = rows.codec().shape().lengths.clone();
    let mut column = Column { rows, options, lengths };
    match words.data_type() {
        DataType::UInt8 => column.numbers(words.as_primitive::<UInt8Type>().iter().map(|word| word.map(Word::from)))?,
        DataType::UInt16 => column.numbers(words.as_primitive::<UInt16Type>().iter().map(|word| word.map(Word::from)))?,
        DataType::UInt32 => column.numbers(words.as_primitive::<UInt32Type>().iter().map(|word| word.map(Word::from)))?,
        DataType::UInt64 => column.numbers(words.as_primitive::<UInt64Type>().iter().map(|word| word.map(Word::from)))?,
        DataType::FixedSizeBinary(_) => column.bytes(words.as_fixed_size_binary().iter())?,
        DataType::Binary => column.bytes(words.as_binary::<i32>().iter())?,
        DataType::LargeBinary => column.bytes(words.as_binary::<i64>().iter())?,
        DataType::BinaryView => column.bytes(words.as_binary_view().iter())?,
        // All are null, and no type was requested.
        DataType::Null => column.numbers((0..words.len()).map(|_| None))?,
        other => return Err(Error::Words(other.clone())),
    }
    column.rows.finish()
}

struct Column<'r, 'c, 'o> {
    rows: &'r mut Rows<'c>,
    options: &'o Options,
    /// The lengths of words in bits.
    lengths: Vec<u32>,
}

impl Column<'_, '_, '_> {
    /// The address of a word; `None` if it is null.
    fn address(&self, at: usize) -> Option<u64> {
        match &self.options.addresses {
            None => Some(0),
            Some(addresses) => addresses.is_valid(at).then(|| addresses.value(at)),
        }
    }

    fn numbers(&mut self, words: impl Iterator<Item = Option<Word>>) -> Result<(), Error> {
        for (at, word) in words.enumerate() {
            match word.zip(self.address(at)) {
                Some((word, address)) => self.rows.push_number(word, address)?,
                None => self.rows.push_null()?,
            }
        }
        Ok(())
    }

    fn bytes<'w>(&mut self, words: impl Iterator<Item = Option<&'w [u8]>>) -> Result<(), Error> {
        for (at, word) in words.enumerate() {
            let Some((bytes, address)) = word.zip(self.address(at)) else {
                self.rows.push_null()?;
                continue;
            };
            if bytes.len() > MOST_BYTES {
                self.rows.refuse(&format!("{} bytes: no word has more than {MOST_BYTES}", bytes.len()))?;
                continue;
            }
            let word = word_of(bytes, self.options.little_endian);
            // The number of bytes determines the length of the word, if it is a length of the instruction set; otherwise the word
            // does.
            let bits = bytes.len() as u32 * 8;
            match self.lengths.contains(&bits) {
                true => self.rows.push(Sized { word, bits }, address)?,
                false => self.rows.push_number(word, address)?,
            }
        }
        Ok(())
    }
}

/// The word of up to [`MOST_BYTES`] bytes.
fn word_of(bytes: &[u8], little_endian: bool) -> Word {
    let mut all = [0; MOST_BYTES];
    match little_endian {
        true => all[..bytes.len()].copy_from_slice(bytes),
        false => all[MOST_BYTES - bytes.len()..].copy_from_slice(bytes),
    }
    let (limbs, _) = all.as_chunks();
    Word::from_limbs(match little_endian {
        true => std::array::from_fn(|at| u64::from_le_bytes(limbs[at])),
        false => std::array::from_fn(|at| u64::from_be_bytes(limbs[limbs.len() - 1 - at])),
    })
}
