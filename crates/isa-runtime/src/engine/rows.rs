//! Some rows of a table, as other rows refer to them.

use super::record::Record;
use super::table::Table;
use super::tables::Rows;

impl<T: Record> Table<'_, T> {
    /// Some of its rows; none if there are no such rows.
    #[inline(always)]
    pub fn slice(self, rows: Rows) -> Self {
        let range = || {
            let at = (rows.at as usize).checked_mul(T::SIZE)?;
            self.bytes().get(at..at.checked_add((rows.len as usize).checked_mul(T::SIZE)?)?)
        };
        Self::of(range().unwrap_or(&[]))
    }
}
