//! Lengths of words.

use super::{Generator, Pool};
use crate::small::spec::{At, FixKey, Length, Part, Ranges, Value, Word};

impl Generator {
    pub(super) fn words(&mut self) {
        let single = |bits| vec![Length { bits, when: None }];
        let when = |width, value, equal| Some((width, value, equal));
        if !self.plain && self.percent(20) {
            self.spec.unit = self.pick(&[4, 4, 4, 4, 8, 8, 8, 16]);
            self.spec.low_first = self.percent(60);
            self.spec.big_endian = self.percent(50);
            let unit = self.spec.unit;
            self.spec.lengths = match unit {
                16 => vec![Length { bits: 16, when: when(1, 0, true) }],
                _ => vec![
                    Length { bits: unit, when: when(1, 0, true) },
                    Length { bits: 2 * unit, when: when(2, 1, true) },
                    Length { bits: 3 * unit, when: when(2, 3, true) },
                ],
            };
            return;
        }
        match self.below(100) {
            0..=19 => self.spec.lengths = single(8),
            20..=39 => self.spec.lengths = single(9),
            40..=57 => self.spec.lengths = single(10),
            58..=69 => self.spec.lengths = single(11),
            70..=76 => self.spec.lengths = single(12),
            n => {
                // Words of 16 bits take long; most streams are of small units.
                self.spec.unit = if n < 80 { 8 } else { 4 + (n as u32 & 1) };
                self.spec.low_first = self.percent(60);
                let unit = self.spec.unit;
                let (width, value) = if self.percent(60) { (1, 0) } else { (2, 3) };
                self.spec.lengths = vec![
                    Length { bits: unit, when: when(width, value, true) },
                    Length { bits: 2 * unit, when: when(width, value, false) },
                ];
                if self.percent(20) {
                    // Some units begin no word.
                    self.spec.lengths[0].when = when(2, 0, true);
                    self.spec.lengths[1].when = when(2, 3, true);
                }
            }
        }
    }

    pub(super) fn length(&mut self) -> u32 {
        let at = self.below(self.spec.lengths.len());
        self.spec.lengths[at].bits
    }

    /// Fixes the bits that say how long the word is, as far as they are free.
    pub(super) fn fix_length(&mut self, part: &mut Part, bits: u32, pool: &mut Pool) {
        let Some(Length { when: Some((width, value, equal)), .. }) = self.spec.lengths.iter().find(|l| l.bits == bits).cloned()
        else {
            return;
        };
        let shift = if self.spec.low_first { 0 } else { bits - self.spec.unit };
        let value = if equal { value } else { (value + 1 + self.below((1 << width) - 1) as Word) % (1 << width) };
        for bit in 0..width {
            if let Some(at) = pool.iter().position(|b| *b == bit + shift) {
                pool.remove(at);
                let number = i64::from(value >> bit & 1);
                let at = Ranges(vec![(bit + shift, bit + shift)]);
                part.fix.push((FixKey::Bits(At::Here(at)), Value { number, text: number.to_string() }));
            }
        }
    }
}
