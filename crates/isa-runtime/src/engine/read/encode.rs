//! The bits of numbers.

use super::super::Bits;
use super::super::decode::ones;
use super::attempt::Attempt;
use super::nearest::{STEPS_FOR_A_MESSAGE, meets};
use super::ready::{Field, Numbers, Ready};
use super::task::Task;
use crate::value::Style;
use crate::why::{Wrong, WrongNumber};
use alloc::boxed::Box;
use alloc::string::ToString;
use core::ops::Range;

/// The number of values tried at an end of a range, to find one that is not excluded.
const MOST_EXCLUDED: i128 = 64;

/// Quotient and remainder, for a divisor that is not 0.
fn divided(n: i128, by: i64) -> (i128, i128) {
    match i64::try_from(n) {
        _ if by == 1 => (n, 0),
        // 64-bit division is several times faster.
        Ok(n) if by > 0 => ((n / by).into(), (n % by).into()),
        _ => (n.wrapping_div(by.into()), n.wrapping_rem(by.into())),
    }
}

impl<W: Bits> Attempt<W> {
    /// The bits of a number, if it is one that the field can hold.
    #[expect(clippy::too_many_arguments, reason = "a number, its field and its place")]
    pub(super) fn encode(
        &mut self,
        tables: &Ready<'_, W>,
        task: &Task<'_>,
        field: &Field<W>,
        code: &Numbers,
        style: Style,
        value: i128,
        place: Range<usize>,
    ) -> Option<u128> {
        let (at, end) = (place.start, place.end);
        if let Some(map) = code.code.map() {
            let raw = map.bits(value).next();
            if raw.is_none() {
                self.notes.wrong(task, at, end, || Wrong::NotListed {
                    shown: task.text[at..end].to_string(),
                    field: tables.text(field.row.path).to_string(),
                    around: Box::new(map.around(value)),
                    is_decimal: matches!(style, Style::Dec | Style::Padded(_)),
                });
            }
            return raw.map(u128::from);
        }
        let width = code.code.width;
        let is_target = code.relative.is_some();
        let shown = || task.text[at..end].to_string();
        let bias = i128::from(code.bias);
        let base = code.relative.map_or(0, |origin| i128::from(origin.at(task.address))) + bias;
        let scale = i128::from(code.scale);
        // A target wraps as an address does, not in its field.
        let wraps = code.code.reads_other_sign && !is_target;
        let (low, high) = if code.is_signed {
            let most = (ones(width) >> 1) as i128;
            (-most - 1, if wraps && width < 128 { ones(width) as i128 } else { most })
        } else {
            (if wraps { -(1i128 << (width.clamp(1, 127) - 1)) } else { 0 }, (ones(width) >> u32::from(width > 127)) as i128)
        };
        // The sum of an address and a distance has 64 bits.
        let around = i64::try_from(value).ok().filter(|_| is_target);
        let distance = match around {
            Some(value) => Some(i128::from(value.wrapping_sub((base - bias) as i64)) - bias),
            // Such an address is shown below 0.
            None if is_target && code.modulo == 0 => None,
            None => value.checked_sub(base),
        };
        let Some(mut distance) = distance else {
            self.notes.wrong(task, at, end, || Wrong::TooLarge { shown: shown() });
            return None;
        };
        if scale == 0 {
            return None;
        }
        if code.modulo > 0 {
            let turn = 1i128 << code.modulo.min(64);
            let ahead = distance.checked_add(bias)?.rem_euclid(turn) - bias;
            let fits = |d: &i128| d.wrapping_rem(scale) == 0 && (low..=high).contains(&(d.wrapping_div(scale)));
            let near = if ahead + bias < turn / 2 { ahead } else { ahead - turn };
            let other = || multiple(ahead, scale, code.modulo.min(64), low, high);
            distance = [near, ahead].into_iter().find(fits).or_else(other).unwrap_or(near);
        }
        let (raw, rest) = divided(distance, code.scale);
        if rest == 0 && (low..=high).contains(&raw) {
            return Some(code.word_bits(raw as u128 & ones(width)));
        }
        if !task.notes {
            return None;
        }
        let [low, high] = self.allowed(tables, field, code, low, high);
        let of = |raw: i128| raw.saturating_mul(scale).saturating_add(base);
        let nearest = of(raw.clamp(low, high));
        let wrong = if rest != 0 {
            Wrong::NotMultiple { shown: shown(), scale, bias, is_target }
        } else {
            let (a, b, field) = (of(low), of(high), tables.text(field.row.path).to_string());
            Wrong::OutOfRange {
                shown: shown(),
                field,
                min: a.min(b),
                max: a.max(b),
                is_decimal: matches!(style, Style::Dec | Style::Padded(_)),
            }
        };
        let span = of(high).abs_diff(of(low));
        self.notes.farthest.numbers.push(WrongNumber { at: place, nearest, span, wrong: wrong.clone() });
        self.notes.wrong(task, at, end, || wrong);
        None
    }

    /// The least and the greatest number of a field that some word of the form has.
    fn allowed(&self, tables: &Ready<'_, W>, field: &Field<W>, code: &Numbers, low: i128, high: i128) -> [i128; 2] {
        let is_possible = |raw: &i128| {
            let bits = tables.place(field.row.ranges, code.word_bits(*raw as u128 & ones(code.code.width)));
            meets(tables, self.words, self.fixed.1 | bits, self.fixed.0 | field.mask, 1, STEPS_FOR_A_MESSAGE)
        };
        let last = low.saturating_add(MOST_EXCLUDED).min(high);
        let first = high.saturating_sub(MOST_EXCLUDED).max(low);
        [(low..=last).find(is_possible).unwrap_or(low), (first..=high).rev().find(is_possible).unwrap_or(high)]
    }
}

/// The least multiple of `scale`, by a factor of `low` to `high`, that differs from `distance` by a multiple of 2^`bits`.
fn multiple(distance: i128, scale: i128, bits: u32, low: i128, high: i128) -> Option<i128> {
    // A power of two and an odd number: the former divides what is left over, the latter has an inverse.
    let zeros = scale.trailing_zeros().min(bits);
    if distance & ones(zeros) as i128 != 0 {
        return None;
    }
    let odd = scale >> zeros;
    // Three bits of the inverse are known, and each step doubles them.
    let inverse = (0..6).fold(odd, |x, _| x.wrapping_mul(2i128.wrapping_sub(odd.wrapping_mul(x))));
    let factor = (distance >> zeros).wrapping_mul(inverse);
    // Factors that differ by this period are solutions as well.
    let period = ones(bits - zeros) as i128;
    let factor = match scale > 0 {
        true => low.checked_add(factor.wrapping_sub(low) & period),
        false => high.checked_sub(high.wrapping_sub(factor) & period),
    };
    factor.filter(|factor| (low..=high).contains(factor)).and_then(|factor| factor.checked_mul(scale))
}

#[cfg(test)]
mod tests {
    use super::multiple;

    #[test]
    fn a_multiple_some_turns_away() {
        for bits in 1..=4 {
            for scale in [-6i128, -4, -3, -1, 1, 2, 3, 5, 12, 32] {
                for (low, high) in [(0, 3), (-4, 3), (5, 40), (-40, -20)] {
                    for distance in -20..20i128 {
                        let all = (low..=high).map(|factor| factor * scale);
                        let least = all.filter(|n| (n - distance) % (1 << bits) == 0).min();
                        assert_eq!(multiple(distance, scale, bits, low, high), least, "{distance} {scale} {bits} {low}..{high}");
                    }
                }
            }
        }
        assert_eq!(multiple(1, 3, 64, 0, (1 << 64) - 1), Some(0x2_0000_0000_0000_0001));
    }
}
