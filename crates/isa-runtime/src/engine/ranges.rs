//! Ranges of bits in a word.

use super::Bits;
use super::message::Append;
use super::tables::Range;
use crate::word::U256;
use alloc::string::String;
use core::fmt;

impl Range {
    /// Its bits in a word.
    #[inline]
    pub(super) fn mask<W: Bits>(self) -> W {
        W::low_ones(u32::from(self.hi) + 1) & !W::low_ones(self.lo.into())
    }

    /// The value of these bits in a word.
    #[inline]
    pub(super) fn of<W: Bits>(self, word: W) -> U256 {
        (word & self.mask()).wide() >> u32::from(self.lo)
    }
}

/// The ranges of a mask, the highest first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Runs<W>(pub(super) W);

impl<W: Bits> Iterator for Runs<W> {
    type Item = Range;

    fn next(&mut self) -> Option<Range> {
        let hi = self.0.highest()?;
        let lo = (!self.0 & W::low_ones(hi)).highest().map_or(0, |bit| bit + 1);
        self.0 = self.0 & W::low_ones(lo);
        Some(Range { hi: hi as u8, lo: lo as u8 })
    }
}

/// `59..34,21..16`
pub(super) struct Shown<R>(pub(super) R);

impl<R: Iterator<Item = Range> + Clone> fmt::Display for Shown<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bits = String::new();
        bits.ranges(self.0.clone());
        f.write_str(&bits)
    }
}
