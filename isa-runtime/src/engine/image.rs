//! Tables as bytes.
//!
//! An image begins with [`MAGIC`], the version, the bytes of a word and the checksum; then follow the sections: the head, and each table
//! with the number of its rows. Everything is little-endian, and nothing in it says where it stands. docs/tables.md has the rest.

use super::Bits;
use super::record::Record;
use super::tables::{Owned, Source, Visitor};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The first bytes of an image.
pub const MAGIC: [u8; 4] = *b"ISAT";

/// The version of the format: it is not settled yet.
pub const VERSION: u32 = 0;

/// Bytes before the sections: magic, version, bytes of a word, checksum.
const HEADER: usize = 4 + 4 + 4 + 8;

/// Why bytes are no image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadImage(pub String);

impl core::fmt::Display for BadImage {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for BadImage {}

/// FNV-1a of 64 bits, eight bytes at a time.
fn checksum(bytes: &[u8]) -> u64 {
    let (chunks, rest) = bytes.as_chunks();
    let add = |sum: u64, n: u64| (sum ^ n).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
    let sum = chunks.iter().fold(0xcbf2_9ce4_8422_2325, |sum, chunk| add(sum, u64::from_le_bytes(*chunk)));
    rest.iter().fold(add(sum, bytes.len() as u64), |sum, byte| add(sum, u64::from(*byte)))
}

/// Writes an image.
pub fn write<W: Bits>(tables: &Owned<W>) -> Vec<u8> {
    struct Writer(Vec<u8>);
    impl Visitor for Writer {
        fn table<T: Record>(&mut self, _: &'static str, rows: &[T]) {
            (rows.len() as u32).write(&mut self.0);
            rows.iter().for_each(|row| row.write(&mut self.0));
        }
    }
    let mut writer = Writer(Vec::new());
    tables.head.write(&mut writer.0);
    tables.visit(&mut writer);
    let mut image = Vec::with_capacity(HEADER + writer.0.len());
    image.extend_from_slice(&MAGIC);
    VERSION.write(&mut image);
    (W::BITS / 8).write(&mut image);
    image.resize(HEADER, 0);
    image.extend_from_slice(&writer.0);
    seal(&mut image);
    image
}

/// Puts the checksum of an image's sections where it belongs.
pub fn seal(image: &mut [u8]) {
    if let Some((header, body)) = image.split_at_mut_checked(HEADER) {
        header[HEADER - 8..].copy_from_slice(&checksum(body).to_le_bytes());
    }
}

/// How many bytes a word of an image has: which type of word it is read with.
///
/// # Errors
/// When the bytes don't begin as an image of this version.
pub fn word_bytes(image: &[u8]) -> Result<u32, BadImage> {
    let mut rest = image.strip_prefix(&MAGIC).ok_or_else(|| BadImage("this is no image of tables".to_string()))?;
    let version = u32::read(&mut rest).unwrap_or(u32::MAX);
    if version != VERSION {
        return Err(BadImage(format!("the image has version {version}; version {VERSION} is read")));
    }
    u32::read(&mut rest).ok_or_else(cut_off)
}

fn cut_off() -> BadImage {
    BadImage("the image is cut off".to_string())
}

/// Reads an image, and checks it: what the engine follows leads somewhere.
///
/// # Errors
/// When the bytes are no image of this version for words of this type, or damaged.
pub fn read<W: Bits>(image: &[u8]) -> Result<Owned<W>, BadImage> {
    let bytes = word_bytes(image)?;
    if bytes != W::BITS / 8 {
        return Err(BadImage(format!("the image has words of {bytes} bytes, not of {}", W::BITS / 8)));
    }
    let (header, body) = image.split_at_checked(HEADER).ok_or_else(cut_off)?;
    let mut sum = header.get(HEADER - 8..).unwrap_or(&[]);
    if u64::read(&mut sum) != Some(checksum(body)) {
        return Err(BadImage("the checksum of the image is wrong: it is damaged".to_string()));
    }
    struct Sections<'i>(&'i [u8]);
    impl Source<BadImage> for Sections<'_> {
        fn table<T: Record>(&mut self, name: &'static str) -> Result<Vec<T>, BadImage> {
            let count = u32::read(&mut self.0).ok_or_else(cut_off)? as usize;
            let size = count.checked_mul(T::SIZE).filter(|size| *size <= self.0.len());
            let Some((mut rows, rest)) = size.and_then(|size| self.0.split_at_checked(size)) else {
                return Err(BadImage(format!("the image is cut off in `{name}`")));
            };
            self.0 = rest;
            (0..count).map(|_| T::read(&mut rows).ok_or_else(cut_off)).collect()
        }
    }
    let mut rest = body;
    let head = Record::read(&mut rest).ok_or_else(cut_off)?;
    let mut tables = Owned { head, ..Owned::default() };
    let mut sections = Sections(rest);
    tables.fill(&mut sections)?;
    if !sections.0.is_empty() {
        return Err(BadImage(format!("the image goes on after its last table: {} bytes", sections.0.len())));
    }
    super::validate::validate(&tables.tables())?;
    Ok(tables)
}
