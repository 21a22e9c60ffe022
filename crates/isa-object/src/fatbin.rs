//! Fatbins: containers of cubins and PTX, compressed or not.
//!
//! A file or a section has consecutive containers. A container is a header of 16 bytes (magic number, version, bytes of the
//! header, bytes of all entries) and entries; an entry is a header, which contains its own length, and the contents.

use crate::Error;
use crate::bytes::{u16_at, u32_at, u64_at};
use std::borrow::Cow;
use std::io::Read;
use std::ops::Range;

/// The magic number of a container.
const MAGIC: u32 = 0xba55_ed50;
/// Bytes of the fields of an entry's header that are read.
const HEAD: usize = 64;
/// Kinds of an entry.
const PTX: u16 = 1;
const ELF: u16 = 2;
/// Flags of an entry.
const LZ4: u64 = 0x2000;
const ZSTD: u64 = 0x8000;
const ACCELERATED: u64 = 0x10_0000;
/// The maximum number of bytes in an entry.
const MOST: u64 = 1 << 30;
/// The maximum number of bytes that LZ4 expands one byte to.
const LZ4_RATIO: u64 = 255;

/// The compression of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// No compression.
    None,
    /// An LZ4 block without a frame.
    Lz4,
    /// A zstd frame.
    Zstd,
}

/// The kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Elf,
    Ptx,
    Other(u16),
}

/// An entry of a container.
#[derive(Clone, Debug)]
pub(crate) struct Payload {
    pub(crate) kind: Kind,
    pub(crate) sm: u32,
    /// True if it is for this very architecture.
    pub(crate) is_accelerated: bool,
    pub(crate) compression: Compression,
    /// The range of its bytes in the data, as stored (possibly compressed).
    pub(crate) at: Range<usize>,
    /// Bytes without compression.
    pub(crate) size: u64,
}

/// True if a container begins here.
pub(crate) fn is_fatbin(data: &[u8]) -> bool {
    u32_at(data, 0) == Some(MAGIC)
}

/// The containers of some data: the entries of each. Data after a fault is not read.
pub(crate) fn containers(data: &[u8], mut each: impl FnMut(usize, usize, Payload)) -> Result<(), Error> {
    let (mut at, mut number) = (0, 0);
    while at < data.len() {
        let rest = &data[at..];
        if !is_fatbin(rest) {
            // Containers are aligned; the bytes between them are zero.
            let Some(next) = rest.iter().position(|byte| *byte != 0) else { return Ok(()) };
            if next == 0 {
                return Err(Error::new(format!("no fatbin begins at byte {at:#x}")));
            }
            at += next;
            continue;
        }
        number += 1;
        at += container(rest, |index, payload| {
            let at = at + payload.at.start..at + payload.at.end;
            each(number, index, Payload { at, ..payload });
        })
        .map_err(|error| error.of(&format!("fatbin {number}")))?;
    }
    Ok(())
}

/// Reads the entries of the container at the beginning of the data; returns the bytes that it takes.
fn container(data: &[u8], mut each: impl FnMut(usize, Payload)) -> Result<usize, Error> {
    let short = || Error::new("the container is cut off");
    let version = u16_at(data, 4).ok_or_else(short)?;
    if version != 1 {
        return Err(Error::new(format!("a container of version {version}; only version 1 is supported")));
    }
    let head = usize::from(u16_at(data, 6).ok_or_else(short)?);
    let size = u64_at(data, 8).and_then(|size| usize::try_from(size).ok()).ok_or_else(short)?;
    let end = head.checked_add(size).filter(|end| head >= 16 && *end <= data.len()).ok_or_else(short)?;
    let (mut at, mut index) = (head, 0);
    while at < end {
        index += 1;
        let (payload, size) = entry(&data[at..end]).ok_or_else(|| Error::new(format!("entry {index} is cut off")))?;
        let from = at + payload.at.start..at + payload.at.end;
        each(index, Payload { at: from, ..payload });
        at += size;
    }
    Ok(end)
}

/// The entry at the beginning of the data, and the bytes that it takes.
fn entry(data: &[u8]) -> Option<(Payload, usize)> {
    let data_after = data.get(..HEAD)?;
    let head = u32_at(data_after, 4)? as usize;
    let padded = usize::try_from(u64_at(data_after, 8)?).ok()?;
    let total = head.checked_add(padded).filter(|total| head >= HEAD && *total <= data.len())?;
    let flags = u64_at(data_after, 40)?;
    let compression = match (flags & LZ4 != 0, flags & ZSTD != 0) {
        (true, _) => Compression::Lz4,
        (_, true) => Compression::Zstd,
        _ => Compression::None,
    };
    let kind = match u16_at(data_after, 0)? {
        ELF => Kind::Elf,
        PTX => Kind::Ptx,
        other => Kind::Other(other),
    };
    let sm = u32_at(data_after, 28)?;
    let (bytes, size) = match compression {
        Compression::None => (padded, padded as u64),
        _ => (u32_at(data_after, 16)? as usize, u64_at(data_after, 56)?),
    };
    let is_accelerated = flags & ACCELERATED != 0;
    (bytes <= padded).then_some((Payload { kind, sm, is_accelerated, compression, at: head..head + bytes, size }, total))
}

/// The decompressed bytes, of the size in the container.
pub(crate) fn decompress(data: &[u8], compression: Compression, size: u64) -> Result<Cow<'_, [u8]>, Error> {
    let limit = match compression {
        Compression::Lz4 => MOST.min((data.len() as u64).saturating_mul(LZ4_RATIO)),
        _ => MOST,
    };
    if compression == Compression::None {
        return Ok(data.into());
    }
    if size > limit {
        return Err(Error::new(format!("{} compressed bytes claim to hold {size}; at most {limit} are possible", data.len())));
    }
    let bad = |error: &dyn std::fmt::Display| Error::new(format!("it can't be decompressed: {error}"));
    let mut out = Vec::new();
    if compression == Compression::Lz4 {
        out = vec![0; size as usize];
        let length = lz4_flex::block::decompress_into(data, &mut out).map_err(|error| bad(&error))?;
        out.truncate(length);
    } else {
        // A window larger than the result is never needed.
        let decoder =
            ruzstd::decoding::StreamingDecoder::new_with_max_window_size(data, (size + 1).next_power_of_two().max(1 << 23));
        decoder.map_err(|error| bad(&error))?.take(size + 1).read_to_end(&mut out).map_err(|error| bad(&error))?;
    }
    if out.len() as u64 != size {
        return Err(Error::new(format!("it does not decompress to the {size} bytes that the container declares")));
    }
    Ok(out.into())
}
