//! Lengths of words.

use super::{Generator, Pool};
use crate::small::spec::{At, Choose, FixKey, Length, Meaning, Part, Piece, Ranges, Value, Word};

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

    /// Lets the alternatives of a choice have lengths of their own. The longer one has bits that the instruction has not; the
    /// bits that decide the length leave the pool of the instruction, which has `bits` bits.
    pub(super) fn choose_length(&mut self, part: &mut Part, bits: u32, pool: &mut Pool) {
        let at = 1 + self.extra_below(self.spec.lengths.len() - 1);
        let long = self.spec.lengths[at].bits;
        let mut alternatives = Vec::new();
        let mut has_field = false;
        for (name, length) in [("long", long), ("short", bits)] {
            let is_said = length == long || part.length.is_none() || self.extra(50);
            let mut alternative = Part { length: is_said.then_some(length), ..Part::default() };
            let mut free: Pool = (0..length).rev().collect();
            self.fix_length(&mut alternative, length, &mut free);
            pool.retain(|bit| free.contains(bit));
            let mut own: Pool = free.into_iter().filter(|bit| *bit >= bits).collect();
            let width = self.extra_below(4).min(own.len()) as u32;
            let mut text = vec![Piece::Literal(if length == long { ".l" } else { ".s" }.to_string())];
            if width > 0 {
                let at = At::Here(self.take(&mut own, width));
                let mut field = self.field("ln".into(), at, width, true);
                if let Meaning::Int { radix, .. } = &mut field.meaning {
                    *radix = None;
                }
                let place = Piece::Place { name: field.name.clone(), optional: false, radix: None };
                text = vec![Piece::Literal("[".into()), place, Piece::Literal("]".into())];
                alternative.fields.push(field);
                has_field = true;
            } else if has_field {
                // Among the operands, as the other one is.
                text = vec![Piece::Literal("!".into())];
            }
            while !own.is_empty() {
                let width = own.len().min(8) as u32;
                let at = At::Here(self.take(&mut own, width));
                let number = self.extra_below(1 << width) as i64;
                alternative.fix.push((FixKey::Bits(at), Value { number, text: number.to_string() }));
            }
            alternative.text = vec![(None, text)];
            alternatives.push((name.to_string(), alternative));
        }
        part.choose.push(("l".to_string(), Choose::Inline(alternatives)));
    }
}
