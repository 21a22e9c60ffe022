//! A column of texts of which most are short.

use crate::Error;
use crate::strings::MOST;
use arrow_array::StringArray;
use arrow_buffer::{Buffer, OffsetBuffer, ScalarBuffer};

/// Bytes of a short text, at most.
const SHORT: usize = 23;
/// By so many bytes the room ahead grows.
const AHEAD: usize = 1 << 12;

/// A short text, and how many bytes it has.
#[derive(Clone, Copy, Default)]
pub(crate) struct Short([u8; SHORT + 1]);

impl Short {
    /// The text, if it is short enough.
    pub(crate) fn new(text: &[u8]) -> Option<Self> {
        let mut own = Self::default();
        own.0.get_mut(..SHORT)?.get_mut(..text.len())?.copy_from_slice(text);
        own.0[SHORT] = text.len() as u8;
        Some(own)
    }
}

/// A column of texts, none of which is null.
pub(crate) struct Texts {
    /// Those that have been added, and room: a short text is copied as a whole, whatever its length.
    bytes: Vec<u8>,
    len: usize,
    offsets: Vec<i32>,
}

impl Texts {
    pub(crate) fn new() -> Self {
        Self { bytes: Vec::new(), len: 0, offsets: vec![0] }
    }

    #[cold]
    fn grow(&mut self, count: usize) {
        self.bytes.resize(self.len + count + AHEAD, 0);
    }

    #[inline(always)]
    pub(crate) fn push_short(&mut self, text: &Short) {
        if self.bytes.len() - self.len <= SHORT {
            self.grow(SHORT + 1);
        }
        if let Some(room) = self.bytes.get_mut(self.len..).and_then(|rest| rest.first_chunk_mut()) {
            *room = text.0;
        }
        self.len += usize::from(text.0[SHORT]);
        self.offsets.push(self.len as i32);
    }

    pub(crate) fn push(&mut self, text: &[u8]) {
        if self.bytes.len() - self.len < text.len() {
            self.grow(text.len());
        }
        self.bytes[self.len..][..text.len()].copy_from_slice(text);
        self.len += text.len();
        self.offsets.push(self.len as i32);
    }

    /// # Errors
    /// When there are more bytes than offsets can tell.
    #[inline]
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.len > MOST { Err(Error::TooLarge) } else { Ok(()) }
    }

    /// The column, and an empty one in its place.
    pub(crate) fn finish(&mut self) -> Result<StringArray, Error> {
        let Self { mut bytes, len, offsets } = std::mem::replace(self, Self::new());
        bytes.truncate(len);
        Ok(StringArray::try_new(OffsetBuffer::new(ScalarBuffer::from(offsets)), Buffer::from_vec(bytes), None)?)
    }
}
