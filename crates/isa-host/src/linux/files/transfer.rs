//! Bytes from files to memory and back.

use super::super::abi::{self, int};
use super::super::errno::{Errno, Outcome, Stop};
use super::super::signals::PIPE as BROKEN_PIPE;
use super::super::{Arguments, Linux};
use super::{Kind, Shared};
use isa_sim::Guest;
use std::io::{Seek, SeekFrom};

/// The limit of memory parts that a call reads or writes.
const MOST_PARTS: u64 = 1024;
/// The limit of bytes that a call reads or writes.
const MOST: u64 = 0x7fff_f000;
/// The number of bytes moved at once.
const CHUNK: u64 = 1 << 16;

/// A part of memory: address and bytes.
type Part = (u64, u64);

/// The parts of memory that a call names.
fn parts(linux: &Linux<'_>, guest: &mut Guest<'_>, at: u64, count: u64) -> Result<Vec<Part>, Errno> {
    let count = u64::from(count as u32);
    if count > MOST_PARTS {
        return Err(Errno::EINVAL);
    }
    let (abi, word) = (linux.abi, linux.abi.word());
    let (mut parts, mut total) = (Vec::new(), 0_u64);
    for i in 0..count {
        let address = abi.read_word(guest, at.wrapping_add(2 * word * i))?;
        let bytes = abi.read_word(guest, at.wrapping_add(2 * word * i + word))?;
        total = total.saturating_add(bytes);
        if abi.signed(bytes) < 0 || total > i64::MAX as u64 {
            return Err(Errno::EINVAL);
        }
        parts.push((address, bytes));
    }
    Ok(parts)
}

/// Moves pieces one by one until all are done or one falls short; an error counts only if nothing was moved before.
fn pieces(parts: &[Part], mut act: impl FnMut(u64, u64, u64) -> Result<(u64, bool), Stop>) -> Outcome {
    let mut done = 0;
    for (address, bytes) in parts {
        let mut at = 0;
        // A part without bytes does nothing, unless it is the only one.
        while at < *bytes || parts.len() == 1 && *bytes == 0 {
            let size = (bytes - at).min(CHUNK).min(MOST - done);
            match act(address.wrapping_add(at), size, done) {
                Ok((count, goes_on)) => {
                    done += count;
                    at += count;
                    if count < size || !goes_on || size == 0 || done >= MOST {
                        return Ok(done);
                    }
                }
                Err(Stop::Error(_)) if done > 0 => return Ok(done),
                Err(stop) => return Err(stop),
            }
        }
    }
    Ok(done)
}

fn read_parts(linux: &mut Linux<'_>, guest: &mut Guest<'_>, file: u64, parts: &[Part], offset: Option<u64>) -> Outcome {
    let file = linux.files.get(file)?;
    if !file.borrow().can_read() {
        return Err(Errno::EBADF.into());
    }
    let mut buffer = vec![0; CHUNK.min(parts.iter().map(|part| part.1).max().unwrap_or(0)) as usize];
    pieces(parts, |address, size, done| {
        let room = abi::writable(guest, address, size);
        if room == 0 && size > 0 {
            // A directory is reported first.
            let is_directory = matches!(file.borrow().kind, Kind::Directory { .. });
            return Err(if is_directory { Errno::EISDIR } else { Errno::EFAULT }.into());
        }
        let bytes = &mut buffer[..room as usize];
        let mut file = file.borrow_mut();
        let count = match offset {
            None => file.read(bytes, &mut linux.random)?,
            Some(offset) => file.read_at(bytes, offset.saturating_add(done))?,
        };
        guest.write(address, &bytes[..count])?;
        Ok((count as u64, !file.is_stream()))
    })
}

fn write_parts(linux: &mut Linux<'_>, guest: &mut Guest<'_>, file: u64, parts: &[Part], offset: Option<u64>) -> Outcome {
    let file = linux.files.get(file)?;
    if !file.borrow().can_write() {
        return Err(Errno::EBADF.into());
    }
    let mut buffer = vec![0; CHUNK.min(parts.iter().map(|part| part.1).max().unwrap_or(0)) as usize];
    let result = pieces(parts, |address, size, done| {
        let there = abi::readable(guest, address, size);
        if there == 0 && size > 0 {
            return Err(Errno::EFAULT.into());
        }
        let bytes = &mut buffer[..there as usize];
        guest.read(address, bytes)?;
        let mut file = file.borrow_mut();
        let count = match offset {
            None => file.write(bytes)?,
            Some(offset) => file.write_at(bytes, offset.saturating_add(done))?,
        };
        Ok((count as u64, true))
    });
    if result == Err(Stop::Error(Errno::EPIPE)) {
        linux.signals.send(BROKEN_PIPE)?;
    }
    result
}

/// A position in a file.
fn place(offset: u64) -> Result<Option<u64>, Errno> {
    if offset.cast_signed() < 0 { Err(Errno::EINVAL) } else { Ok(Some(offset)) }
}

impl Arguments {
    /// The offset of `pread64` and similar calls, which takes two arguments in 32-bit programs.
    fn offset(&self, linux: &Linux<'_>, at: usize) -> u64 {
        if linux.abi.is_64 { self.values[at] } else { linux.abi.pair(self.values[at], self.values[at + 1]) }
    }

    /// The offset of `preadv` and similar calls: its low half comes first.
    fn split_offset(&self, linux: &Linux<'_>) -> u64 {
        if linux.abi.is_64 { self.values[3] } else { self.values[4] << 32 | self.values[3] }
    }
}

/// `read(descriptor, bytes, size)`
pub(in super::super) fn read(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [file, at, size, ..] = of.values;
    read_parts(linux, guest, file, &[(at, size)], None)
}

/// `write(descriptor, bytes, size)`
pub(in super::super) fn write(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [file, at, size, ..] = of.values;
    write_parts(linux, guest, file, &[(at, size)], None)
}

/// `readv(descriptor, parts, count)`
pub(in super::super) fn readv(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [file, at, count, ..] = of.values;
    let parts = parts(linux, guest, at, count)?;
    read_parts(linux, guest, file, &parts, None)
}

/// `writev(descriptor, parts, count)`
pub(in super::super) fn writev(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [file, at, count, ..] = of.values;
    let parts = parts(linux, guest, at, count)?;
    write_parts(linux, guest, file, &parts, None)
}

/// `pread64(descriptor, bytes, size, offset)`
pub(in super::super) fn pread64(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [file, at, size, ..] = of.values;
    let offset = place(of.offset(linux, 3))?;
    read_parts(linux, guest, file, &[(at, size)], offset)
}

/// `pwrite64(descriptor, bytes, size, offset)`
pub(in super::super) fn pwrite64(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [file, at, size, ..] = of.values;
    let offset = place(of.offset(linux, 3))?;
    write_parts(linux, guest, file, &[(at, size)], offset)
}

/// `preadv(descriptor, parts, count, low, high)`
pub(in super::super) fn preadv(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [file, at, count, ..] = of.values;
    let offset = place(of.split_offset(linux))?;
    let parts = parts(linux, guest, at, count)?;
    read_parts(linux, guest, file, &parts, offset)
}

/// `pwritev(descriptor, parts, count, low, high)`
pub(in super::super) fn pwritev(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [file, at, count, ..] = of.values;
    let offset = place(of.split_offset(linux))?;
    let parts = parts(linux, guest, at, count)?;
    write_parts(linux, guest, file, &parts, offset)
}

fn seek(file: &Shared<'_>, offset: i64, from: u64) -> Result<u64, Errno> {
    match &mut file.borrow_mut().kind {
        Kind::File(file) => {
            let target = match int(from) {
                0 => SeekFrom::Start(u64::try_from(offset).map_err(|_| Errno::EINVAL)?),
                1 => SeekFrom::Current(offset),
                2 => SeekFrom::End(offset),
                _ => return Err(Errno::EINVAL),
            };
            Ok(file.seek(target)?)
        }
        Kind::Directory { at, entries, .. } => {
            let target = match int(from) {
                0 => offset,
                1 => (*at as i64).checked_add(offset).ok_or(Errno::EINVAL)?,
                _ => return Err(Errno::EINVAL),
            };
            *at = usize::try_from(target).map_err(|_| Errno::EINVAL)?;
            if *at == 0 {
                *entries = None;
            }
            Ok(*at as u64)
        }
        Kind::Null | Kind::Zero | Kind::Random => Ok(0),
        _ => Err(Errno::ESPIPE),
    }
}

/// `lseek(descriptor, offset, from)`
pub(in super::super) fn lseek(linux: &mut Linux<'_>, _: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [file, offset, from, ..] = of.values;
    Ok(seek(&linux.files.get(file)?, linux.abi.signed(offset), from)?)
}

/// `llseek(descriptor, high, low, result, from)`
pub(in super::super) fn llseek(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [file, high, low, result, from, _] = of.values;
    let offset = (high << 32 | low & 0xffff_ffff).cast_signed();
    let place = seek(&linux.files.get(file)?, offset, from)?;
    linux.abi.structure().u64(place).write(guest, result)?;
    Ok(0)
}

/// `ftruncate(descriptor, size)`
pub(in super::super) fn ftruncate(linux: &mut Linux<'_>, _: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let size = if of.is_wide { of.offset(linux, 1) } else { linux.abi.signed(of.values[1]).cast_unsigned() };
    let file = linux.files.get(of.values[0])?;
    let file = file.borrow();
    match &file.kind {
        Kind::File(host) if file.can_write() && size.cast_signed() >= 0 => {
            host.set_len(size)?;
            Ok(0)
        }
        _ => Err(Errno::EINVAL.into()),
    }
}

/// `fsync(descriptor)`, `fdatasync(descriptor)`
pub(in super::super) fn fsync(linux: &mut Linux<'_>, _: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let file = linux.files.get(of.values[0])?;
    match &file.borrow().kind {
        Kind::File(host) => host.sync_data()?,
        Kind::Directory { .. } => {}
        _ => return Err(Errno::EINVAL.into()),
    }
    Ok(0)
}
