//! Words, their bits, and what fields hold: below everything that speaks of either.

pub use isa_runtime::word::BitRange;

/// A word of up to 256 bits. Bit 0 is the least significant.
pub type Word = isa_runtime::U256;

/// The bits of one field, at the low end; numbers of a specification too. A field has at most [`MAX_FIELD`].
pub type Raw = u128;

/// The greatest width of a word, in bits.
pub const MAX_WORD: u32 = Word::BITS;

/// The greatest width of a field, in bits.
pub const MAX_FIELD: u32 = Raw::BITS;

/// `n` ones; `n` is at most 128.
pub fn ones(n: u32) -> Raw {
    if n >= Raw::BITS { Raw::MAX } else { (1 << n) - 1 }
}

/// The bits of a field: one range or several, the high part first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bits(pub Vec<BitRange>);

impl Bits {
    /// Number of bits.
    pub fn width(&self) -> u32 {
        self.0.iter().map(|r| r.width()).sum()
    }

    /// The bits in the word.
    pub fn mask(&self) -> Word {
        self.0.iter().fold(Word::ZERO, |m, r| m | r.mask())
    }

    /// The bit of the word that each bit of the field is, the least significant first.
    pub fn places(&self) -> Vec<u32> {
        self.0.iter().rev().flat_map(|r| r.lo..=r.hi).collect()
    }

    /// Reads the field; of more than [`MAX_FIELD`] bits, which no field has, the low ones.
    pub fn get(&self, word: Word) -> Raw {
        self.0.iter().fold(0, |v, r| v.checked_shl(r.width()).unwrap_or(0) | ((word >> r.lo).low() & ones(r.width())))
    }

    /// The value at its place in an empty word; bits of `value` beyond the width are dropped.
    pub fn place(&self, value: Raw) -> Word {
        let mut rest = value;
        let mut word = Word::ZERO;
        for r in self.0.iter().rev() {
            word |= Word::from(rest & ones(r.width())) << r.lo;
            rest = rest.checked_shr(r.width()).unwrap_or(0);
        }
        word
    }

    /// Writes the field.
    pub fn set(&self, word: Word, value: Raw) -> Word {
        (word & !self.mask()) | self.place(value)
    }

    /// Reads the bits, of which there may be more than a field has.
    pub fn get_all(&self, word: Word) -> Word {
        self.0.iter().fold(Word::ZERO, |v, r| v << r.width() | (word >> r.lo) & Word::ones(r.width()))
    }

    /// Writes the bits, of which there may be more than a field has.
    pub fn set_all(&self, word: Word, value: Word) -> Word {
        let mut rest = value;
        let mut word = word & !self.mask();
        for r in self.0.iter().rev() {
            word |= (rest & Word::ones(r.width())) << r.lo;
            rest >>= r.width();
        }
        word
    }
}

/// `63..32`, or `59..34,21..16` for a split field.
impl std::fmt::Display for Bits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, r) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            write!(f, "{r}")?;
        }
        Ok(())
    }
}

/// Runs of neighbouring bits, in the given order: the high part first.
pub fn runs(bits: &[u32]) -> Vec<BitRange> {
    let mut list: Vec<BitRange> = Vec::new();
    for bit in bits {
        match list.last_mut() {
            Some(last) if last.lo == bit + 1 => last.lo = *bit,
            _ => list.push(BitRange { hi: *bit, lo: *bit }),
        }
    }
    list
}

/// The ranges of a mask, high first.
pub fn ranges(mask: Word) -> Vec<BitRange> {
    let mut bits: Vec<u32> = mask.bits().collect();
    bits.reverse();
    runs(&bits)
}

/// Ranges as a message names them: `bit 3`, `bits 7..4, 1`.
pub fn bits_word(ranges: &[BitRange]) -> String {
    let list = ranges.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    if ranges.len() == 1 && ranges[0].width() == 1 { format!("bit {list}") } else { format!("bits {list}") }
}

/// A number of bits as a message names it: `1 bit`, `5 bits`.
pub fn width_word(width: u32) -> String {
    if width == 1 { "1 bit".into() } else { format!("{width} bits") }
}

/// The bits that a mask and a value fix, the high ones first: `91=0 11..0=0x210`.
pub fn fixed_bits(mask: Word, value: Word) -> String {
    let fixed = ranges(mask).into_iter().map(|range| {
        let bits = value >> range.lo & Word::ones(range.width());
        match range.width() {
            1 => format!("{range}={bits}"),
            width @ 2..4 => format!("{range}=0b{bits:0width$b}", width = width as usize),
            _ => format!("{range}={bits:#x}"),
        }
    });
    fixed.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(list: &[(u32, u32)]) -> Bits {
        Bits(list.iter().map(|&(hi, lo)| BitRange { hi, lo }).collect())
    }

    #[test]
    fn fields_anywhere_in_a_word() {
        for at in [&[(191, 64)][..], &[(255, 192), (63, 0)], &[(130, 126)], &[(129, 120), (7, 0)], &[(255, 255), (0, 0)]] {
            let bits = bits(at);
            let value = 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210 & ones(bits.width());
            let word = bits.place(value);
            assert_eq!((bits.get(word), word & !bits.mask()), (value, Word::ZERO), "{bits}");
            assert_eq!(bits.get(bits.set(Word::MAX, value)), value);
            assert_eq!(bits.set(Word::MAX, value), word | !bits.mask());
            assert_eq!((bits.get_all(word), bits.set_all(Word::ZERO, value.into())), (value.into(), word));
            let places = bits.places();
            assert!(places.iter().enumerate().all(|(i, place)| word.has(*place) == (value >> i & 1 == 1)));
        }
        let most = bits(&[(255, 128), (120, 0)]);
        assert_eq!(most.get_all(most.set_all(Word::ZERO, Word::ones(249))), Word::ones(249));
    }

    #[test]
    fn masks_as_ranges() {
        let mask = bits(&[(255, 250), (130, 126), (0, 0)]);
        assert_eq!(ranges(mask.mask()), mask.0);
        assert_eq!(bits_word(&mask.0), "bits 255..250, 130..126, 0");
        assert_eq!(ranges(Word::ZERO), []);
    }

    #[test]
    fn cubes_read_well() {
        assert_eq!(fixed_bits(Word::ZERO, Word::ZERO), "");
        assert_eq!(fixed_bits(Word::bit(91) | Word::ones(12), Word::from(0x210u32)), "91=0 11..0=0x210");
        assert_eq!(fixed_bits(Word::from(0b1110_0000u32), Word::from(0b0110_0000u32)), "7..5=0b011");
        assert_eq!(fixed_bits(Word::MAX, Word::MAX), format!("255..0=0x{}", "f".repeat(64)));
    }
}
