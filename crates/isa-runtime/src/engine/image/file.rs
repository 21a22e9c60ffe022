//! Images written, and read into tables.

use super::super::tables::{Common, Owned, Tables};
use super::super::{Bits, validate};
use super::{BadImage, HEADER, Header, MAGIC, VERSION, checksum, header, seal};
use alloc::vec::Vec;

/// Writes an image for words of `word_bits` bits: 32, 64, 128 or 256.
pub fn write(tables: &Owned, word_bits: u32) -> Vec<u8> {
    let mut image = Vec::new();
    image.extend_from_slice(&MAGIC);
    image.extend_from_slice(&VERSION.to_le_bytes());
    image.extend_from_slice(&(word_bits / 8).to_le_bytes());
    image.resize(HEADER, 0);
    tables.write(word_bits as usize / 8, &mut image);
    seal(&mut image);
    image
}

/// The same image for words of 256 bits: a program that has the engine for these alone can read every instruction set.
///
/// # Errors
/// When the bytes are no image of this version, or damaged.
pub fn widest(image: &[u8]) -> Result<Vec<u8>, BadImage> {
    let header = header(image)?;
    if header.checksum != checksum(header.sections) {
        return Err(BadImage::Damaged);
    }
    if !matches!(header.word_bytes, 4 | 8 | 16 | 32) {
        return Err(BadImage::Words(header.word_bytes, 32));
    }
    let (_, rest) = Common::split(header.sections)?;
    let mut wide = image[..image.len() - rest.len()].to_vec();
    wide[8..12].copy_from_slice(&32u32.to_le_bytes());
    Owned::widen(rest, header.word_bytes as usize, &mut wide)?;
    seal(&mut wide);
    Ok(wide)
}

impl<'a, W: Bits> Tables<'a, W> {
    /// The tables of an image that is known to be good, for a `static`. It only locates the tables; [`read`] also checks their
    /// contents, as is necessary for an image from another source.
    ///
    /// # Panics
    /// When the bytes are no image of this version for words of this type: in a `static`, an error of the compiler.
    pub const fn new(image: &'a [u8]) -> Self {
        match unchecked(image) {
            Ok((tables, _)) => tables,
            Err(_) => panic!("no image of tables of this version, for words of this type"),
        }
    }
}

impl<'a> Common<'a> {
    /// The tables without words of an image, for any length of words. Their contents are not checked.
    ///
    /// # Errors
    /// When the bytes don't begin as an image of this version.
    pub const fn new(image: &'a [u8]) -> Result<Self, BadImage> {
        let header = match header(image) {
            Ok(header) => header,
            Err(error) => return Err(error),
        };
        match Self::split(header.sections) {
            Ok((tables, _)) => Ok(tables),
            Err(error) => Err(error),
        }
    }
}

/// The tables of an image, and its header.
const fn unchecked<W: Bits>(image: &[u8]) -> Result<(Tables<'_, W>, Header<'_>), BadImage> {
    let header = match header(image) {
        Ok(header) => header,
        Err(error) => return Err(error),
    };
    if header.word_bytes != W::BITS / 8 {
        return Err(BadImage::Words(header.word_bytes, W::BITS / 8));
    }
    match Tables::split(header.sections) {
        Ok(tables) => Ok((tables, header)),
        Err(error) => Err(error),
    }
}

/// The tables of an image, after a check that all references in it are in range.
///
/// # Errors
/// When the bytes are no image of this version for words of this type, or damaged.
pub fn read<W: Bits>(image: &[u8]) -> Result<Tables<'_, W>, BadImage> {
    let (tables, header) = unchecked(image)?;
    if header.checksum != checksum(header.sections) {
        return Err(BadImage::Damaged);
    }
    validate::validate(&tables)?;
    Ok(tables)
}
