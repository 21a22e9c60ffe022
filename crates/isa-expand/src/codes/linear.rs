//! Numbers whose bits are sums, modulo two, of the bits of a field: the way back is computed.

use isa_model::model::Raw;
use isa_runtime::value::Step;
use isa_semantics::affine::Sum;

/// A function from bits to a number of as many bits, as sums of bits modulo 2.
pub(super) struct Linear {
    sums: Vec<Sum>,
}

/// The same number for two values of the bits.
pub(super) struct Twins(pub(super) [Raw; 2]);

impl Linear {
    /// Numbers by the sum of each bit, the least significant first.
    pub(super) fn new(sums: Vec<Sum>) -> Self {
        Self { sums }
    }

    /// The number of some bits.
    pub(super) fn number(&self, bits: Raw) -> Raw {
        let bit = |sum: &Sum| Raw::from((sum.of & bits).count_ones() % 2 == 1) ^ Raw::from(sum.start);
        (0..).zip(&self.sums).fold(0, |number, (at, sum)| number | bit(sum) << at)
    }

    /// The steps from the bits to the number, each of which can be undone.
    pub(super) fn steps(&self) -> Result<Vec<Step>, Twins> {
        let width = self.sums.len();
        let (up, down) = (self.reduced((0..width).collect())?, self.reduced((0..width).rev().collect())?);
        let shorter = if down.len() < up.len() { down } else { up };
        let flips = (0..).zip(&self.sums).filter(|(_, sum)| sum.start).map(|(bit, _)| Step::Flip(bit));
        Ok(shorter.into_iter().rev().chain(flips).collect())
    }

    /// Exclusive-or of rows, until each has the bit of its own alone; bits are taken in an order.
    fn reduced(&self, order: Vec<usize>) -> Result<Vec<Step>, Twins> {
        let mut rows: Vec<Raw> = self.sums.iter().map(|sum| sum.of).collect();
        let mut steps = Vec::new();
        let mut add = |rows: &mut Vec<Raw>, to: usize, from: usize| {
            rows[to] ^= rows[from];
            steps.push(Step::Xor { to: to as u8, from: from as u8 });
        };
        for (done, bit) in order.iter().enumerate() {
            let has = |rows: &[Raw], row: usize| rows[row] >> bit & 1 == 1;
            if !has(&rows, *bit) {
                let Some(other) = order[done..].iter().find(|row| has(&rows, **row)) else {
                    return Err(self.twins(&rows, &order[..done], *bit));
                };
                add(&mut rows, *bit, *other);
            }
            for row in order.iter().filter(|row| *row != bit) {
                if has(&rows, *row) {
                    add(&mut rows, *row, *bit);
                }
            }
        }
        Ok(steps)
    }

    /// Bits with the number of 0: where `bit` is set, and those before it such that no reduced row has an odd number of them.
    fn twins(&self, rows: &[Raw], before: &[usize], bit: usize) -> Twins {
        let set = before.iter().filter(|row| rows[**row] >> bit & 1 == 1);
        Twins([0, set.fold(1 << bit, |bits, row| bits | 1 << row)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isa_runtime::value::Code;

    fn sums(width: u32, of: impl Fn(u32) -> Raw, start: Raw) -> Linear {
        Linear::new((0..width).map(|bit| Sum { of: of(bit), start: start >> bit & 1 == 1 }).collect())
    }

    #[test]
    fn steps_give_the_numbers_and_lead_back() {
        let all = |width: u32| Raw::MAX >> (Raw::BITS - width);
        for width in [1, 7, 24, 128] {
            let gray = sums(width, |bit| all(width) >> bit << bit, 0);
            let binary = sums(width, |bit| (1 << bit | 1 << bit << 1) & all(width), 5 & all(width));
            let reversed = sums(width, |bit| 1 << (width - 1 - bit), 0);
            for linear in [gray, binary, reversed] {
                let steps = linear.steps().ok().unwrap();
                assert!(steps.len() <= 3 * width as usize, "{width}: {}", steps.len());
                let code = Code::plain(width).then_all(steps);
                for bits in [0, 1, 0x5a5a_1234_9bcd, Raw::MAX / 3, Raw::MAX].map(|bits| bits & all(width)) {
                    assert_eq!(code.number_bits(bits), linear.number(bits));
                    assert_eq!(code.word_bits(linear.number(bits)), bits);
                }
            }
        }
    }

    #[test]
    fn numbers_of_two_values_are_found() {
        for of in [[1, 1, 4], [1, 3, 2], [6, 5, 3], [0, 2, 4], [4, 4, 4]] {
            let linear = sums(3, |bit| of[bit as usize], 6);
            let Twins([one, other]) = linear.steps().err().unwrap();
            assert!(one != other && linear.number(one) == linear.number(other), "{of:?}");
        }
    }
}
