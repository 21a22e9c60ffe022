//! Numbers in registers and in memory, in the program's word size and byte order.

use super::errno::Errno;
use isa_sim::{Denied, Guest};

/// Bytes of the longest path, with the terminating 0.
const PATH: usize = 4096;

/// Word size and byte order of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Abi {
    pub(super) is_64: bool,
    pub(super) is_big: bool,
}

impl Abi {
    /// Bytes of a word.
    pub(super) const fn word(self) -> u64 {
        if self.is_64 { 8 } else { 4 }
    }

    /// A number in memory.
    pub(super) fn number(self, bytes: &[u8]) -> u64 {
        let join = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        if self.is_big { bytes.iter().fold(0, join) } else { bytes.iter().rev().fold(0, join) }
    }

    /// A word as a signed number.
    pub(super) const fn signed(self, word: u64) -> i64 {
        if self.is_64 { word.cast_signed() } else { int(word) as i64 }
    }

    /// The number of two words in the order in which they are passed.
    pub(super) const fn pair(self, first: u64, second: u64) -> u64 {
        let (low, high) = if self.is_big { (second, first) } else { (first, second) };
        high << 32 | low & 0xffff_ffff
    }

    /// Reads a number of `size` bytes.
    pub(super) fn read(self, guest: &mut Guest<'_>, address: u64, size: u64) -> Result<u64, Denied> {
        let mut bytes = [0; 8];
        let bytes = &mut bytes[..size.min(8) as usize];
        guest.read(address, bytes)?;
        Ok(self.number(bytes))
    }

    /// Reads a word.
    pub(super) fn read_word(self, guest: &mut Guest<'_>, address: u64) -> Result<u64, Denied> {
        self.read(guest, address, self.word())
    }

    /// An empty structure.
    pub(super) const fn structure(self) -> Structure {
        Structure { abi: self, bytes: Vec::new() }
    }
}

/// The low half of a register as `int`.
pub(super) const fn int(value: u64) -> i32 {
    (value as u32).cast_signed()
}

/// The bytes of a structure, field by field.
pub(super) struct Structure {
    abi: Abi,
    bytes: Vec<u8>,
}

impl Structure {
    /// Appends a number of `size` bytes, after padding to its alignment.
    #[must_use]
    pub(super) fn number(mut self, value: u64, size: usize) -> Self {
        self.bytes.resize(self.bytes.len().next_multiple_of(size), 0);
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&value.to_le_bytes()[..size]);
        if self.abi.is_big {
            self.bytes[start..].reverse();
        }
        self
    }

    #[must_use]
    pub(super) fn u16(self, value: u64) -> Self {
        self.number(value, 2)
    }

    #[must_use]
    pub(super) fn u32(self, value: u64) -> Self {
        self.number(value, 4)
    }

    #[must_use]
    pub(super) fn u64(self, value: u64) -> Self {
        self.number(value, 8)
    }

    #[must_use]
    pub(super) fn word(self, value: u64) -> Self {
        let size = if self.abi.is_64 { 8 } else { 4 };
        self.number(value, size)
    }

    #[must_use]
    pub(super) fn words(self, values: &[u64]) -> Self {
        values.iter().fold(self, |all, value| all.word(*value))
    }

    #[must_use]
    pub(super) fn bytes(mut self, bytes: &[u8]) -> Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// Appends zeros up to `size` bytes.
    #[must_use]
    pub(super) fn up_to(mut self, size: usize) -> Self {
        self.bytes.resize(self.bytes.len().max(size), 0);
        self
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.bytes
    }

    /// Writes it to the program's memory.
    pub(super) fn write(self, guest: &mut Guest<'_>, address: u64) -> Result<(), Errno> {
        Ok(guest.write(address, &self.bytes)?)
    }
}

/// Reads a text that ends with 0: a path.
pub(super) fn path(guest: &mut Guest<'_>, address: u64) -> Result<Vec<u8>, Errno> {
    let (mut path, mut at) = (Vec::new(), address);
    while path.len() < PATH {
        // Pieces do not cross pages.
        let mut piece = [0; 128];
        let size = 128 - (at % 128) as usize;
        guest.read(at, &mut piece[..size])?;
        if let Some(end) = piece[..size].iter().position(|byte| *byte == 0) {
            path.extend_from_slice(&piece[..end]);
            return if path.len() < PATH { Ok(path) } else { Err(Errno::ENAMETOOLONG) };
        }
        path.extend_from_slice(&piece[..size]);
        at = at.checked_add(size as u64).ok_or(Errno::EFAULT)?;
    }
    Err(Errno::ENAMETOOLONG)
}

/// The number of these bytes, from the first on, that are writable for the program.
pub(super) fn writable(guest: &mut Guest<'_>, address: u64, bytes: u64) -> u64 {
    accessible(guest, address, bytes, |rights| rights.write)
}

/// The number of these bytes, from the first on, that are readable for the program.
pub(super) fn readable(guest: &mut Guest<'_>, address: u64, bytes: u64) -> u64 {
    accessible(guest, address, bytes, |rights| rights.read)
}

fn accessible(guest: &mut Guest<'_>, address: u64, bytes: u64, allows: impl Fn(isa_sim::Rights) -> bool) -> u64 {
    let Some(pages) = guest.pages() else { return 0 };
    let mut size = 0;
    while size < bytes {
        let Some(at) = address.checked_add(size) else { break };
        match pages.range(at) {
            Some((last, rights)) if allows(rights) => size = (last - address).saturating_add(1).min(bytes),
            _ => break,
        }
    }
    size
}
