//! Tables in the bytes of an image: rows are decoded on access.

use super::record::Record;
use core::fmt;
use core::marker::PhantomData;

/// A table: rows of plain numbers in the bytes of an image.
///
/// A row is decoded on access, and only those of its columns that are used.
pub struct Table<'a, T> {
    bytes: &'a [u8],
    row: PhantomData<fn() -> T>,
}

impl<T> Clone for Table<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Table<'_, T> {}

impl<T> Default for Table<'_, T> {
    fn default() -> Self {
        Self::of(&[])
    }
}

impl<T: Record + fmt::Debug> fmt::Debug for Table<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a, T> Table<'a, T> {
    pub(super) const fn of(bytes: &'a [u8]) -> Self {
        Self { bytes, row: PhantomData }
    }

    /// Its bytes.
    #[inline(always)]
    pub const fn bytes(self) -> &'a [u8] {
        self.bytes
    }
}

impl<'a, T: Record> Table<'a, T> {
    /// Splits `count` rows from the beginning of some bytes; returns them and the rest.
    pub(super) const fn take(bytes: &'a [u8], count: usize) -> Option<(Self, &'a [u8])> {
        let Some(size) = count.checked_mul(T::SIZE) else { return None };
        let Some((rows, rest)) = bytes.split_at_checked(size) else { return None };
        Some((Self::of(rows), rest))
    }

    /// Splits the number of rows and the rows. Inlined for all tables of an image, it would take the compiler minutes.
    #[inline(never)]
    pub(super) const fn take_counted(bytes: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let Some((count, rest)) = bytes.split_first_chunk() else { return None };
        Self::take(rest, u32::from_le_bytes(*count) as usize)
    }

    /// The number of rows.
    #[inline(always)]
    pub const fn len(self) -> usize {
        self.bytes.len() / T::SIZE
    }

    /// True if it has none.
    pub const fn is_empty(self) -> bool {
        self.bytes.is_empty()
    }

    /// A row.
    #[inline(always)]
    pub fn get(self, row: usize) -> Option<T> {
        let at = row.checked_mul(T::SIZE)?;
        T::read(&mut self.bytes.get(at..at.checked_add(T::SIZE)?)?)
    }

    /// Its rows, one after the other.
    #[inline]
    pub fn iter(self) -> impl DoubleEndedIterator<Item = T> + ExactSizeIterator + Clone + use<'a, T> {
        self.bytes.chunks_exact(T::SIZE).map(|mut row| T::read(&mut row).unwrap_or_default())
    }

    /// The first row for which `key` is `wanted`, in a table that is sorted by this key.
    pub fn find_sorted<K: Ord>(self, wanted: &K, key: impl Fn(&T) -> K) -> Option<T> {
        let (mut from, mut to) = (0, self.len());
        while from < to {
            let middle = from + (to - from) / 2;
            match key(&self.get(middle)?) < *wanted {
                true => from = middle + 1,
                false => to = middle,
            }
        }
        self.get(from).filter(|row| key(row) == *wanted)
    }
}
