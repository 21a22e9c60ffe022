//! The bytes that form words.

use super::U256;
use crate::stored::stored;

stored! {
    /// The way that bytes form words.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Units {
        /// Bits of a unit; a stream is a sequence of units.
        pub bits: u32,
        /// The first unit of a longer word is its low one.
        pub low_first: bool,
        /// Bytes inside a unit are little-endian.
        pub little_endian: bool,
    }
}

impl Units {
    /// Bytes of a unit; if its bits are not whole bytes, the highest bits of its last byte are unused.
    #[inline]
    pub const fn bytes(self) -> usize {
        self.bits.div_ceil(8) as usize
    }

    /// The word of some bytes: whole units, at most 32 bytes.
    #[inline]
    pub fn read(self, bytes: &[u8]) -> U256 {
        let unit = self.bytes().max(1);
        if self.little_endian && (self.low_first || bytes.len() == unit) {
            let mut limbs = [0; 4];
            for (limb, bytes) in limbs.iter_mut().zip(bytes.chunks(8)) {
                *limb = bytes.iter().rev().fold(0, |limb, byte| limb << 8 | u64::from(*byte));
            }
            return U256::from_limbs(limbs);
        }
        let mut word = U256::ZERO;
        let mut push = |byte: &u8| word = word << 8 | u64::from(*byte).into();
        // The most significant byte first.
        let mut push_unit = |unit: &[u8]| match self.little_endian {
            false => unit.iter().for_each(&mut push),
            true => unit.iter().rev().for_each(&mut push),
        };
        match self.low_first {
            false => bytes.chunks(unit).for_each(&mut push_unit),
            true => bytes.chunks(unit).rev().for_each(&mut push_unit),
        }
        word
    }

    /// The bytes of a word of `bits` bits, in the order of a stream.
    pub fn write(self, word: U256, bits: u32) -> impl Iterator<Item = u8> {
        let unit = self.bytes().max(1);
        let (count, limbs) = (bits.div_ceil(8) as usize / unit, word.limbs());
        (0..count * unit).map(move |at| {
            let (place, byte) = (at / unit, at % unit);
            let place = if self.low_first { place } else { count - 1 - place };
            let byte = place * unit + if self.little_endian { byte } else { unit - 1 - byte };
            (limbs.get(byte / 8).copied().unwrap_or(0) >> (byte % 8 * 8)) as u8
        })
    }
}
