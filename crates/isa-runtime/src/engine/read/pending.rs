//! Conditions on the bits that a text leaves open.

use super::super::Bits;
use super::super::tables::Tables;

/// A condition to be checked when the text is read completely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pending {
    In(u32),
    NotIn(u32),
    Differs(u32),
    /// A reading, by its place in [`Ready::all_fields`](super::ready::Ready::all_fields), has the number of these bits, and several
    /// other ones that the text leaves open have it too. [`Attempt::end`](super::attempt::Attempt::end) chooses.
    Reads(u32, u16),
}

impl Pending {
    pub(super) fn holds<W: Bits>(self, tables: &Tables<'_, W>, word: W) -> bool {
        match self {
            Self::In(set) => tables.is_in(set, word),
            Self::NotIn(set) => !tables.is_in(set, word),
            Self::Reads(..) => true,
            Self::Differs(cube) => tables.cubes.get(cube as usize).is_some_and(|c| (word ^ c.value) & c.mask != W::zero()),
        }
    }
}

/// A text that can be read in too many ways, or leaves too much open.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooMany;
