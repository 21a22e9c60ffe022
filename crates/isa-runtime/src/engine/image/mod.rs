//! Tables as bytes.
//!
//! An image begins with [`MAGIC`], the version, the bytes of a word and the checksum; then follow the sections: the head, and
//! each table with the number of its rows. Everything is little-endian, and nothing in it depends on its place in memory.
//! The records in [`tables`](super::tables) describe their columns.

mod file;

pub use file::{read, widest, write};

use core::fmt;

/// The first bytes of an image.
pub const MAGIC: [u8; 4] = *b"ISAT";

/// The version of the format. It is not settled yet: each change of it is another version.
pub const VERSION: u32 = 8;

/// Bytes before the sections: magic, version, bytes of a word, checksum.
const HEADER: usize = 4 + 4 + 4 + 8;

/// A reason why bytes are not an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadImage {
    /// They don't begin like an image.
    NoImage,
    /// It is of another version.
    Version(u32),
    /// Bytes of a word of the image, and of the type that it is read with.
    Words(u32, u32),
    /// It ends inside this section.
    CutOff(&'static str),
    /// The number of bytes after the last section.
    GoesOn(usize),
    /// The checksum is wrong.
    Damaged,
    /// A row of a section has a number that is out of range.
    Row(&'static str, usize),
}

impl fmt::Display for BadImage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoImage => f.write_str("this is not an image of tables"),
            Self::Version(version) => write!(f, "the image has version {version}; version {VERSION} is read"),
            Self::Words(has, wanted) => write!(f, "the image has words of {has} bytes, not of {wanted}"),
            Self::CutOff(section) => write!(f, "the image is cut off in `{section}`"),
            Self::GoesOn(bytes) => write!(f, "the image goes on after its last table: {bytes} bytes"),
            Self::Damaged => f.write_str("the checksum of the image is wrong: it is damaged"),
            Self::Row(section, row) => write!(f, "the image is damaged: row {row} of `{section}` is out of range"),
        }
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

/// Writes the checksum of an image's sections into its header.
pub fn seal(image: &mut [u8]) {
    if let Some((header, body)) = image.split_at_mut_checked(HEADER) {
        header[HEADER - 8..].copy_from_slice(&checksum(body).to_le_bytes());
    }
}

/// The number of bytes of an image's words, which decides the type that it is read with.
///
/// # Errors
/// When the bytes don't begin as an image of this version.
pub const fn word_bytes(image: &[u8]) -> Result<u32, BadImage> {
    match header(image) {
        Ok(header) => Ok(header.word_bytes),
        Err(error) => Err(error),
    }
}

/// The header of an image.
struct Header<'a> {
    word_bytes: u32,
    checksum: u64,
    sections: &'a [u8],
}

const fn header(image: &[u8]) -> Result<Header<'_>, BadImage> {
    let Some((magic, rest)) = image.split_first_chunk() else { return Err(BadImage::NoImage) };
    if u32::from_le_bytes(*magic) != u32::from_le_bytes(MAGIC) {
        return Err(BadImage::NoImage);
    }
    let Some((version, rest)) = rest.split_first_chunk() else { return Err(BadImage::CutOff("header")) };
    if u32::from_le_bytes(*version) != VERSION {
        return Err(BadImage::Version(u32::from_le_bytes(*version)));
    }
    let Some((word_bytes, rest)) = rest.split_first_chunk() else { return Err(BadImage::CutOff("header")) };
    let Some((checksum, sections)) = rest.split_first_chunk() else { return Err(BadImage::CutOff("header")) };
    Ok(Header { word_bytes: u32::from_le_bytes(*word_bytes), checksum: u64::from_le_bytes(*checksum), sections })
}
