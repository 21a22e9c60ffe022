//! Declarations of overlaps.

use super::Generator;
use crate::small::brute::{Brute, Form};
use crate::small::spec::{Over, Ranges, Word};

impl Generator {
    /// Declares most of the overlaps, and now and then one that there is not, or other words.
    pub(super) fn overlaps(&mut self) {
        if self.spec.is_text || !self.extra(70) {
            return;
        }
        let brute = Brute::new(&self.spec);
        let rows = self.spec.rows();
        for i in (0..self.spec.instructions.len()).filter(|i| !rows.contains(i)) {
            for j in 0..self.spec.instructions.len() {
                let pairs = brute.nested(i, j);
                let name = self.spec.instructions[j].0.clone();
                match pairs.as_slice() {
                    [] if i == j || !self.extra(2) => continue,
                    [] => self.spec.instructions[i].1.over.push(Over { name, bits: None }),
                    _ if !self.extra(75) => continue,
                    [(inner, outer)] if inner.own_bits(outer) != 0 && self.extra(40) => {
                        let bits = ranges(inner.own_bits(outer));
                        let wrong = Word::from(self.extra(20));
                        let value = inner.fixed_value(&bits) ^ wrong;
                        self.spec.instructions[i].1.over.push(Over { name, bits: Some((bits, value)) });
                    }
                    _ => self.spec.instructions[i].1.over.push(Over { name, bits: None }),
                }
            }
        }
    }
}

/// The ranges of a mask, the high ones first.
fn ranges(mask: Word) -> Ranges {
    let mut list: Vec<(u32, u32)> = Vec::new();
    for bit in (0..Word::BITS).rev().filter(|bit| mask >> bit & 1 == 1) {
        match list.last_mut() {
            Some((_, low)) if *low == bit + 1 => *low = bit,
            _ => list.push((bit, bit)),
        }
    }
    Ranges(list)
}

impl Form {
    /// The bits that it fixes and another form does not.
    pub(crate) fn own_bits(&self, outer: &Self) -> Word {
        self.mask & !outer.mask
    }

    pub(crate) fn fixed_value(&self, bits: &Ranges) -> Word {
        bits.get(self.value)
    }
}
