//! The way from the bits of a field to its number, and back.

use super::step::{number_bits, number_of, ones, word_bits};
use super::{Map, Number, Origin, Step};
use alloc::sync::Arc;
use alloc::vec::Vec;

/// The steps from the bits of a field to its number. Without steps the bits are the number.
///
/// The steps that depend only on the bits lead to the *value*, which conditions and semantics use; those from the first
/// [`Step::Page`], [`Step::Relative`] or [`Step::Modulo`] on lead to the number that a text *shows*.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Code {
    /// Bits of the field, at most 128.
    pub width: u32,
    steps: Vec<Step>,
    /// The numbers of all bits that have one, if a code of the specification lists them: there are no steps then.
    map: Option<Arc<Map>>,
    /// A number is also read as the one with the same bits and the other signedness.
    pub reads_other_sign: bool,
}

/// A reason why a code has no bits for a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotEncodable {
    /// It is not a multiple of a number, plus an offset.
    NotMultiple {
        /// The number that divides all values of the code, less the offset.
        of: i64,
        /// The offset.
        offset: i64,
    },
    /// It is not one of the code's listed numbers.
    NotOne {
        /// The greatest listed number below it, and the least above.
        around: [Option<i128>; 2],
    },
    /// It is not in the range of the code.
    OutOfRange {
        /// The least number of the code.
        least: Number,
        /// The greatest number of the code.
        greatest: Number,
    },
}

impl Code {
    /// The code whose numbers are the bits themselves.
    pub fn plain(width: u32) -> Self {
        Self { width, steps: Vec::new(), map: None, reads_other_sign: false }
    }

    /// The code whose numbers are listed.
    pub fn mapped(width: u32, map: Arc<Map>) -> Self {
        Self { map: Some(map), ..Self::plain(width) }
    }

    /// The numbers of all bits that have one, if they are listed.
    pub fn map(&self) -> Option<&Arc<Map>> {
        self.map.as_ref()
    }

    /// Bits of a number in names: those of the field, or of the numbers if these are listed.
    pub fn number_width(&self) -> u32 {
        self.map.as_ref().map_or(self.width, |map| map.width())
    }

    /// Returns true if no two bit patterns have the same number.
    pub fn is_one_to_one(&self) -> bool {
        self.map.as_ref().is_none_or(|map| map.is_one_to_one())
    }

    /// The code of a number that does not depend on any bits.
    pub fn constant(value: i64) -> Self {
        Self::plain(0).then(Step::Plus(value))
    }

    /// The code with one step more; a step that changes nothing is left out.
    #[must_use]
    pub fn then(mut self, step: Step) -> Self {
        if !matches!(step, Step::Times(1) | Step::Plus(0) | Step::Page(0)) {
            self.steps.push(step);
        }
        self
    }

    /// The code with all steps of a list appended.
    #[must_use]
    pub fn then_all(self, steps: impl IntoIterator<Item = Step>) -> Self {
        steps.into_iter().fold(self, Self::then)
    }

    /// All steps.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The steps to the value, and those from the value to the number that is shown.
    fn split(&self) -> (&[Step], &[Step]) {
        self.steps.split_at(self.steps.iter().position(|step| step.is_shown()).unwrap_or(self.steps.len()))
    }

    /// The steps from the bits to the value.
    pub fn value_steps(&self) -> &[Step] {
        self.split().0
    }

    /// The code that ends at the value.
    pub fn value_code(&self) -> Self {
        Self { map: self.map.clone(), ..Self::plain(self.width) }.then_all(self.value_steps().iter().copied())
    }

    /// The steps from the value to the number that is shown.
    pub fn shown_steps(&self) -> &[Step] {
        self.split().1
    }

    /// The steps from bits to bits.
    pub fn bit_steps(&self) -> &[Step] {
        let count = self.steps.iter().take_while(|step| step.is_of_bits()).count();
        &self.steps[..count]
    }

    /// Returns true if the value is the bits.
    pub fn is_plain(&self) -> bool {
        self.value_steps().is_empty() && self.map.is_none()
    }

    /// Returns true if the bits are a number in two's complement.
    pub fn is_signed(&self) -> bool {
        self.steps.contains(&Step::Sign)
    }

    /// The factor between the bits and the value.
    pub fn scale(&self) -> i64 {
        let factor = |step: &Step| if let Step::Times(factor) = step { *factor } else { 1 };
        self.value_steps().iter().map(factor).fold(1, i64::saturating_mul)
    }

    /// The value of bits whose number is 0.
    pub fn bias(&self) -> i64 {
        self.value_steps().iter().fold(0i64, |bias, step| match step {
            Step::Times(factor) => bias.saturating_mul(*factor),
            Step::Plus(more) => bias.saturating_add(*more),
            _ => bias,
        })
    }

    /// The place from which a target is counted; `None` if the number is not a target.
    pub fn relative(&self) -> Option<Origin> {
        let offset = self.steps.iter().find_map(|step| if let Step::Relative(offset) = step { Some(*offset) } else { None })?;
        let page = self.steps.iter().find_map(|step| if let Step::Page(bits) = step { Some(*bits) } else { None });
        Some(Origin { offset, page: page.unwrap_or(0) })
    }

    /// The power of two modulo which the number is shown, if it is.
    pub fn modulo(&self) -> Option<u32> {
        self.steps.iter().find_map(|step| if let Step::Modulo(bits) = step { Some(u32::from(*bits)) } else { None })
    }

    /// The bits of the number for those of the word, by the steps from bits to bits.
    #[inline]
    pub fn number_bits(&self, raw: u128) -> u128 {
        number_bits(self.bit_steps(), raw, self.width)
    }

    /// The bits of the word for those of the number.
    #[inline]
    pub fn word_bits(&self, bits: u128) -> u128 {
        word_bits(self.bit_steps(), bits, self.width)
    }

    /// The code of the bits of the number without the lowest one, for a field without its lowest bit; `None` if they depend on
    /// that bit.
    pub fn without_lowest(&self) -> Option<Self> {
        let is_apart = self.map.is_none() && self.value_steps().iter().all(|step| matches!(step, Step::Not));
        let left = Self::plain(self.width.saturating_sub(1)).then_all(self.steps.iter().copied());
        (is_apart && self.width > 0).then_some(left)
    }

    /// The value of some bits; `None` if it has more than 128 bits, or if they have no value.
    pub fn value(&self, raw: u128) -> Option<Number> {
        if let Some(map) = &self.map {
            return map.number(raw).map(Number::from);
        }
        number_of(self.value_steps().iter().copied(), raw, self.width, 0)
    }

    /// The number that a text shows for some bits of a word at an address; `None` if it has more than 128 bits, or if they have
    /// none.
    pub fn shown(&self, raw: u128, address: u64) -> Option<Number> {
        if self.map.is_some() {
            return self.value(raw);
        }
        number_of(self.steps.iter().copied(), raw, self.width, address)
    }

    /// The bits of a value.
    ///
    /// # Errors
    /// When no bits have it.
    pub fn bits(&self, value: Number) -> Result<u128, NotEncodable> {
        let [least, greatest] = self.range();
        let outside = NotEncodable::OutOfRange { least, greatest };
        if let Some(map) = &self.map {
            let number = value.to_i128().ok_or(outside)?;
            return map.bits(number).next().map(u128::from).ok_or(NotEncodable::NotOne { around: map.around(number) });
        }
        let mut number = value;
        for step in self.value_steps().iter().rev() {
            number = match step {
                Step::Plus(more) => number.plus(-Number::from(*more)).ok_or(outside)?,
                Step::Times(factor) => match number.divide(*factor).ok_or(outside)? {
                    (quotient, 0) => quotient,
                    _ => return Err(NotEncodable::NotMultiple { of: self.scale(), offset: self.bias() }),
                },
                _ => number,
            };
        }
        if !(least..=greatest).contains(&value) {
            return Err(outside);
        }
        Ok(self.word_bits(number.low() & ones(self.width)))
    }

    /// The least and the greatest value.
    pub fn range(&self) -> [Number; 2] {
        if let Some(map) = &self.map {
            return map.range().map(Number::from);
        }
        let [least, greatest] = self.limits();
        let at = |number: Number| {
            self.value_steps().iter().fold(number, |number, step| match step {
                // Exact, because no value has that many bits.
                Step::Times(factor) => number.times(*factor).unwrap_or(number),
                Step::Plus(more) => number.plus((*more).into()).unwrap_or(number),
                _ => number,
            })
        };
        let (a, b) = (at(least), at(greatest));
        [a.min(b), a.max(b)]
    }

    /// The least and the greatest number of the bits, before they are scaled.
    fn limits(&self) -> [Number; 2] {
        let all = ones(self.width);
        match self.is_signed() && self.width > 0 {
            true => [-Number::from((all >> 1) + 1), Number::from(all >> 1)],
            false => [Number::ZERO, Number::from(all)],
        }
    }

    /// The bits of the numbers ([`number_bits`](Self::number_bits)) of all values from `low` to `high`, without a limit where one
    /// is `None`: at most two intervals, unless numbers are listed.
    pub fn between(&self, low: Option<Number>, high: Option<Number>) -> Vec<(u128, u128)> {
        if let Some(map) = &self.map {
            let is_in = |number: i128| {
                let number = Number::from(number);
                low.is_none_or(|low| low <= number) && high.is_none_or(|high| number <= high)
            };
            let found = map.numbers().iter().filter(|(_, number)| is_in(*number));
            return found.map(|(bits, _)| (u128::from(*bits), u128::from(*bits))).collect();
        }
        let [least, greatest] = self.limits();
        let (mut low, mut high) = (low, high);
        for step in self.value_steps().iter().rev() {
            // An end beyond all numbers of 128 bits is equivalent to the end of the range.
            let moved = |end: Option<Number>, by: i64| end.map(|end| end.plus(-Number::from(by)).unwrap_or(end));
            match step {
                Step::Plus(more) => (low, high) = (moved(low, *more), moved(high, *more)),
                Step::Times(factor) => {
                    let floor = |end: Number| end.divide(factor.saturating_abs()).map_or(end, |(quotient, _)| quotient);
                    // Rounds towards the inside of the interval.
                    (low, high) = (low.map(|end| -floor(-end)), high.map(floor));
                    if *factor < 0 {
                        (low, high) = (high.map(|end| -end), low.map(|end| -end));
                    }
                }
                _ => {}
            }
        }
        let (low, high) = (low.map_or(least, |low| low.max(least)), high.map_or(greatest, |high| high.min(greatest)));
        let all = ones(self.width);
        let parts = [(low, high.min((-1i64).into())), (low.max(Number::ZERO), high)];
        let bits = |(from, to): (Number, Number)| (from.low() & all, to.low() & all);
        parts.into_iter().filter(|(from, to)| from <= to).map(bits).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(width: u32) -> impl Iterator<Item = Code> {
        let flags = [(false, false), (false, true), (true, false), (true, true)];
        let scaled = [(1, 0), (1, 7), (3, 0), (-4, 3), (-1, -1), (6, -100)];
        flags.into_iter().flat_map(move |(signed, inverted)| {
            scaled.into_iter().map(move |(scale, bias)| {
                let code = Code::plain(width);
                let code = if inverted { code.then(Step::Not) } else { code };
                let code = if signed { code.then(Step::Sign) } else { code };
                code.then(Step::Times(scale)).then(Step::Plus(bias))
            })
        })
    }

    fn value_of(code: &Code, raw: i128) -> i128 {
        let all = (1 << code.width) - 1;
        let raw = if code.steps().contains(&Step::Not) { all - raw } else { raw };
        let number = if code.is_signed() && raw >> (code.width - 1) == 1 { raw - all - 1 } else { raw };
        number * i128::from(code.scale()) + i128::from(code.bias())
    }

    #[test]
    fn values_and_bits_are_the_same_both_ways() {
        for code in [1, 3, 5].into_iter().flat_map(codes) {
            let values: Vec<i128> = (0..1i128 << code.width).map(|raw| value_of(&code, raw)).collect();
            let [least, greatest] = [values.iter().min(), values.iter().max()].map(|end| end.copied().map(Number::from));
            assert_eq!(code.range().map(Some), [least, greatest], "{code:?}");
            for (raw, value) in values.iter().enumerate() {
                assert_eq!(code.value(raw as u128), Some((*value).into()), "{code:?}");
            }
            for value in -300..300 {
                let raw = values.iter().position(|v| *v == value).map(|raw| raw as u128);
                assert_eq!(code.bits(value.into()).ok(), raw, "{code:?} {value}");
                for high in [value - 1, value, value + 3, value + 40] {
                    let is_in = |raw: u128| (value..=high).contains(&values[raw as usize]);
                    let found = code.between(Some(value.into()), Some(high.into()));
                    assert!(
                        (0..values.len() as u128)
                            .all(|raw| found.iter().any(|(a, b)| (*a..=*b).contains(&code.number_bits(raw))) == is_in(raw))
                    );
                }
            }
            assert_eq!(code.between(None, None).iter().map(|(a, b)| b - a + 1).sum::<u128>(), 1 << code.width);
        }
        assert_eq!(Code::plain(128).bits(Number::from(u128::MAX)), Ok(u128::MAX));
        assert_eq!(Code::plain(128).between(Some(Number::from(1u128 << 127)), None), [(1 << 127, u128::MAX)]);
        assert_eq!(
            Code::plain(4).bits((-1i64).into()),
            Err(NotEncodable::OutOfRange { least: 0i64.into(), greatest: 15i64.into() })
        );
        let even = Code::plain(4).then(Step::Times(2)).then(Step::Plus(1));
        assert_eq!(even.bits(4i64.into()), Err(NotEncodable::NotMultiple { of: 2, offset: 1 }));
    }

    #[test]
    fn targets_are_shown_as_addresses() {
        let code = Code::plain(6).then(Step::Sign).then(Step::Times(4)).then(Step::Relative(16));
        assert_eq!(code.shown(0b111111, 0x100), Some(Number::from(0x10cu128)));
        assert_eq!(code.shown(0b100000, 0), Some(Number::from(-112i64)));
        assert_eq!(
            (code.value(0b111111), code.relative(), code.modulo()),
            (Some((-4i64).into()), Some(Origin { offset: 16, page: 0 }), None)
        );
        let code = code.then(Step::Modulo(8));
        assert_eq!(code.shown(0b100000, 0), Some(Number::from(0x90u128)));
        let page = Code::plain(3).then(Step::Sign).then(Step::Times(16)).then_all([Step::Page(4), Step::Relative(2)]);
        assert_eq!(page.shown(0b001, 0x2d), Some(Number::from(0x30u128)));
        assert_eq!(page.shown(0b111, 0x2e), Some(Number::from(0x20u128)));
        assert_eq!((page.value(0b001), page.relative()), (Some(16i64.into()), Some(Origin { offset: 2, page: 4 })));
        assert_eq!(Code::constant(-3).shown(0, 0), Some((-3i64).into()));
    }
}
