//! The bits of a field that are a number.

use super::Reading;
use isa_runtime::value::{Code, Map, Several, Step, Style};
use isa_runtime::why::{Wrong, WrongNumber};
use isa_spec::model::{Field, Raw, ones};
use std::ops::Range;

/// The number of numbers at an end of a range that are examined to find one that is not excluded.
const MOST_EXCLUDED: i128 = 64;

impl Reading<'_> {
    /// The bits of a number, if it is one that the field can hold.
    pub(super) fn encode_number(
        &mut self,
        field: &Field,
        style: Style,
        value: i128,
        place: Range<usize>,
    ) -> Option<(Raw, usize)> {
        if let Some(map) = field.code.map() {
            return self.listed_number(field, map, style, value, place);
        }
        let (bias, target) = (field.code.bias(), field.code.relative());
        let (at, end) = (place.start, place.end);
        let width = field.bits.width();
        let shown = &self.text[at..end];
        let base = match target {
            Some(origin) => i128::from(origin.at(self.address)),
            None => 0,
        } + i128::from(bias);
        let scale = i128::from(field.code.scale());
        let wraps = field.code.reads_other_sign;
        let (low, high) = if field.code.is_signed() {
            let most = (ones(width) >> 1) as i128;
            (-most - 1, if wraps && width < 128 { ones(width) as i128 } else { most })
        } else {
            (if wraps { -(1i128 << (width.min(127) - 1)) } else { 0 }, (ones(width) >> u32::from(width > 127)) as i128)
        };
        // The sum of an address and a distance has 64 bits.
        let around = i64::try_from(value).ok().filter(|_| target.is_some());
        let distance = match around {
            Some(value) => Some(i128::from(value.wrapping_sub((base - i128::from(bias)) as i64)) - i128::from(bias)),
            // Such an address is shown below 0.
            None if target.is_some() && field.code.modulo().is_none() => None,
            None => value.checked_sub(base),
        };
        let Some(distance) = distance else {
            self.wrong(at, end, || Wrong::TooLarge { shown: shown.to_string() });
            return None;
        };
        let distance = if let Some(bits) = field.code.modulo() {
            let turn = 1i128 << bits;
            let ahead = (distance + i128::from(bias)).rem_euclid(turn) - i128::from(bias);
            let fits = |d: &i128| d % scale == 0 && (low..=high).contains(&(d / scale));
            let near = if ahead + i128::from(bias) < turn / 2 { ahead } else { ahead - turn };
            let other = || some_turn(ahead, turn, scale, [low * scale, high * scale]);
            [near, ahead].into_iter().find(fits).or_else(other).unwrap_or(near)
        } else {
            distance
        };
        let raw = distance / scale;
        if width <= LISTED && field.code.modulo().is_none() {
            if let Some(raw) = listed(&field.code, value, self.address) {
                return Some((raw, end));
            }
        } else if distance % scale == 0 && (low..=high).contains(&raw) {
            return Some((field.code.word_bits(raw as Raw & ones(width)), end));
        }
        self.notes.as_ref()?;
        let [low, high] = self.allowed(field, low, high);
        let of = |raw: i128| raw.saturating_mul(scale).saturating_add(base);
        let shown = shown.to_string();
        let wrong = if distance % scale != 0 {
            Wrong::NotMultiple { shown, scale, bias: bias.into(), is_target: target.is_some() }
        } else {
            let is_decimal = matches!(style, Style::Dec | Style::Padded(_));
            let (a, b) = (of(low), of(high));
            Wrong::OutOfRange { shown, field: field.path.clone(), min: a.min(b), max: a.max(b), is_decimal }
        };
        let nearest = of(raw.clamp(low, high));
        if let Some(notes) = &mut self.notes {
            notes.numbers.push(WrongNumber { at: place, nearest, span: of(high).abs_diff(of(low)), wrong: wrong.clone() });
            notes.wrong(at, end, wrong);
        }
        None
    }

    /// The bits of a number of a field whose numbers are listed: all bits are tried.
    fn listed_number(
        &mut self,
        field: &Field,
        map: &Map,
        style: Style,
        value: i128,
        place: Range<usize>,
    ) -> Option<(Raw, usize)> {
        let is_it = |(_, number): &&(u16, i128)| *number == value;
        let mut found = map.numbers().iter().filter(is_it).map(|(bits, _)| Raw::from(*bits));
        let raw = if map.several() == Several::Greatest { found.max() } else { found.next() };
        if raw.is_none() {
            let numbers = || map.numbers().iter().map(|(_, number)| *number);
            let around = [numbers().filter(|number| *number < value).max(), numbers().filter(|number| *number > value).min()];
            let is_decimal = matches!(style, Style::Dec | Style::Padded(_));
            let shown = self.text[place.clone()].to_string();
            self.wrong(place.start, place.end, || Wrong::NotListed {
                shown,
                field: field.path.clone(),
                around: Box::new(around),
                is_decimal,
            });
        }
        raw.map(|raw| (raw, place.end))
    }

    /// The least and the greatest number of a field that some word of the form has.
    fn allowed(&self, field: &Field, low: i128, high: i128) -> [i128; 2] {
        let (form, width) = (self.form, field.bits.width());
        let is_possible = |raw: &i128| {
            let bits = field.bits.place(field.code.word_bits(*raw as Raw & ones(width)));
            form.words.meets(form.value | bits, form.mask | field.bits.mask())
        };
        let last = low.saturating_add(MOST_EXCLUDED).min(high);
        let first = high.saturating_sub(MOST_EXCLUDED).max(low);
        [(low..=last).find(is_possible).unwrap_or(low), (first..=high).rev().find(is_possible).unwrap_or(high)]
    }
}

/// The greatest width of codes whose numbers are compared one by one with the one that was read.
const LISTED: u32 = 10;

/// The bits whose number is shown so, or would be if it had a sign, or none.
fn listed(code: &Code, number: i128, address: u64) -> Option<Raw> {
    let find = |code: &Code| (0..=ones(code.width)).find(|raw| code.shown(*raw, address) == Some(number.into()));
    let other_sign = || {
        let sign = (!code.is_signed()).then_some(Step::Sign);
        let rest = code.steps()[code.bit_steps().len()..].iter().filter(|step| **step != Step::Sign);
        let bits = Code::plain(code.width).then_all(code.bit_steps().iter().copied());
        find(&bits.then_all(sign).then_all(rest.copied()))
    };
    find(code).or_else(|| other_sign().filter(|_| code.reads_other_sign))
}

/// The least multiple of `scale` between the two numbers `ends`, in either order, that differs from `distance` by a multiple of
/// `turn`.
fn some_turn(distance: i128, turn: i128, scale: i128, ends: [i128; 2]) -> Option<i128> {
    let scale = scale.abs();
    // Euclid's algorithm: `factor * turn` leaves the common divisor when it is divided by the scale.
    let (mut common, mut rest, mut factor, mut next) = (turn, scale, 1i128, 0i128);
    while rest != 0 {
        let times = common / rest;
        (common, rest) = (rest, common - times * rest);
        (factor, next) = (next, factor - times * next);
    }
    if distance % common != 0 {
        return None;
    }
    let period = scale / common;
    let turns = (-distance / common).rem_euclid(period) * factor.rem_euclid(period) % period;
    let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
    let first = distance + turns * turn;
    Some(low + (first - low).rem_euclid(turn * period)).filter(|found| *found <= high)
}

#[cfg(test)]
mod tests {
    use super::some_turn;

    #[test]
    fn a_multiple_some_turns_away() {
        for turn in [2, 4, 8, 16] {
            for scale in [-6i128, -4, -3, -1, 1, 2, 3, 5, 12] {
                for (low, high) in [(0, 3), (-4, 3), (5, 40), (-40, -20)] {
                    for distance in -20..20i128 {
                        let (a, b) = (low * scale, high * scale);
                        let is_it = |n: &i128| n % scale == 0 && (n - distance) % turn == 0;
                        let found = (a.min(b)..=a.max(b)).find(is_it);
                        assert_eq!(some_turn(distance, turn, scale, [a, b]), found, "{distance} {turn} {scale} {low}..{high}");
                    }
                }
            }
        }
    }
}
