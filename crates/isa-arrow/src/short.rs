//! A column of texts, most of which are short.

use crate::Error;
use crate::strings::MOST;
use arrow_array::StringArray;
use arrow_buffer::{Buffer, OffsetBuffer, ScalarBuffer};

/// Bytes of the longest short text.
const ROOM: usize = 24;
/// The number of bytes by which the reserve grows.
const AHEAD: usize = 1 << 12;

/// A text of fewer than `N` bytes. Its last byte is its length.
#[derive(Clone, Copy)]
pub(crate) struct Short<const N: usize>([u8; N]);

impl<const N: usize> Short<N> {
    /// No text.
    pub(crate) const NONE: Self = Self([u8::MAX; N]);

    /// The text, if it is short enough.
    pub(crate) fn new(text: &[u8]) -> Option<Self> {
        let mut own = Self([0; N]);
        own.0.get_mut(..N - 1)?.get_mut(..text.len())?.copy_from_slice(text);
        own.0[N - 1] = text.len() as u8;
        Some(own)
    }
}

/// A column of texts, none of which is null.
pub(crate) struct Texts {
    room: Room,
    offsets: Vec<i32>,
    /// The average bytes of a text in the last column.
    average: usize,
}

/// The bytes of texts.
#[derive(Default)]
pub(crate) struct Room {
    /// The added texts, and a reserve: a short text is copied as a whole, whatever its length.
    bytes: Vec<u8>,
    len: usize,
}

impl Texts {
    pub(crate) fn new() -> Self {
        Self { room: Room::default(), offsets: vec![0], average: 0 }
    }

    /// Reserves room for `count` texts like those of the last column.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.offsets.reserve(count);
        self.room.bytes.reserve(self.average.saturating_mul(count).saturating_add(AHEAD));
    }

    /// Adds a text for each item, by a function that pushes it.
    ///
    /// # Errors
    /// When there are more bytes than offsets can count.
    #[inline(always)]
    pub(crate) fn extend<T>(
        &mut self,
        items: impl ExactSizeIterator<Item = T>,
        mut push: impl FnMut(T, &mut Room),
    ) -> Result<(), Error> {
        let Self { room, offsets, .. } = self;
        room.ahead(items.len() * ROOM);
        offsets.extend(items.map(|item| {
            push(item, room);
            room.len as i32
        }));
        if room.len > MOST { Err(Error::TooLarge) } else { Ok(()) }
    }

    /// The column; it is replaced by an empty one.
    pub(crate) fn finish(&mut self) -> Result<StringArray, Error> {
        let Self { room: Room { mut bytes, len }, offsets, .. } = std::mem::replace(self, Self::new());
        self.average = len.div_ceil(offsets.len());
        bytes.truncate(len);
        Ok(StringArray::try_new(OffsetBuffer::new(ScalarBuffer::from(offsets)), Buffer::from_vec(bytes), None)?)
    }
}

impl Room {
    #[inline(always)]
    fn ahead(&mut self, count: usize) {
        if self.bytes.len() < self.len + count {
            self.bytes.resize(self.len + count + AHEAD, 0);
        }
    }

    /// Adds a text; returns false if there is none.
    #[inline(always)]
    pub(crate) fn push_short<const N: usize>(&mut self, text: &Short<N>) -> bool {
        let len = text.0[N - 1];
        if len == u8::MAX {
            return false;
        }
        if let Some(room) = self.bytes.get_mut(self.len..).and_then(|rest| rest.first_chunk_mut()) {
            *room = text.0;
        }
        self.len += usize::from(len);
        true
    }

    pub(crate) fn push(&mut self, text: &[u8]) {
        // The reserve after it keeps its size.
        let rest = self.bytes.len() - self.len;
        self.bytes.resize(self.len + text.len() + rest, 0);
        self.bytes[self.len..][..text.len()].copy_from_slice(text);
        self.len += text.len();
    }
}
