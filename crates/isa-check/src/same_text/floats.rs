//! Floating-point numbers in texts that are compared.

use crate::float_layout::FloatLayout;
use isa_model::sets::{Set, Solver, TooLarge};
use isa_runtime::float_text::{self, FloatText, LONGEST};
use isa_runtime::value::FloatStyle;

/// Pairs of bits of the two sides that must be equal.
pub(super) type Pairs = Vec<(u32, u32)>;

/// A floating-point number of a text.
#[derive(Clone, Debug)]
pub(super) struct Float {
    layout: FloatLayout,
    pub(super) style: FloatStyle,
    /// The bits of the pair that the field is, the lowest first.
    places: Vec<u32>,
}

/// The NaNs that print the same: sign, whether it is quiet, and text.
const NANS: [(bool, bool, &str); 4] =
    [(false, true, "+QNAN"), (true, true, "-QNAN"), (false, false, "+SNAN"), (true, false, "-SNAN")];

impl Float {
    pub(super) fn new(style: FloatStyle, places: Vec<u32>) -> Self {
        Self { layout: FloatLayout { format: style.format.into(), width: places.len() as u32 }, style, places }
    }

    /// The words that print a text.
    pub(super) fn printed(&self, text: &str, solver: &mut Solver<'_>) -> Result<Set, TooLarge> {
        if let Some((negative, quiet, _)) = NANS.into_iter().find(|nan| nan.2 == text) {
            return self.nans(negative, quiet, solver);
        }
        let FloatLayout { format, width } = self.layout;
        let less = format - width;
        let bits = float_text::parse(text, format).filter(|bits| bits.trailing_zeros() >= less);
        match bits.filter(|bits| FloatText::new(*bits, self.style).as_str() == text) {
            Some(bits) => all_of(solver, self.places.iter().enumerate().map(|(i, place)| (*place, bits >> less >> i & 1 == 1))),
            None => Ok(Set::NONE),
        }
    }

    /// The words that have what is not a number.
    fn nans(&self, negative: bool, quiet: bool, solver: &mut Solver<'_>) -> Result<Set, TooLarge> {
        let Some(fraction @ 1..) = self.layout.fraction().map(|bits| bits as usize) else { return Ok(Set::NONE) };
        let (low, high) = self.places.split_at(fraction);
        let (quiet_bit, rest) = (low[fraction - 1], &low[..fraction - 1]);
        let (sign, exponent) = (high[high.len() - 1], &high[..high.len() - 1]);
        let bits = exponent.iter().map(|place| (*place, true)).chain([(sign, negative), (quiet_bit, quiet)]);
        let all = all_of(solver, bits)?;
        if quiet {
            return Ok(all);
        }
        let infinite = all_of(solver, rest.iter().map(|place| (*place, false)))?;
        solver.attempt(|solver| solver.minus(all, infinite))
    }

    /// If both are of one format, the bits of which two words that print one number have the same, and the bits that are clear in both.
    pub(super) fn shared(&self, other: &Self) -> Option<(Pairs, Vec<u32>)> {
        let bits = self.places.len().min(other.places.len());
        let [(low, high), (other_low, other_high)] = [self, other].map(|float| float.places.split_at(float.places.len() - bits));
        let pairs = high.iter().copied().zip(other_high.iter().copied()).collect();
        (self.style == other.style).then(|| (pairs, [low, other_low].concat()))
    }

    /// The pairs of words that print some texts: those of what is not a number and, `with_numbers`, of some numbers.
    pub(super) fn same(&self, other: &Self, with_numbers: bool, solver: &mut Solver<'_>) -> Result<Set, TooLarge> {
        let mut sets = Vec::new();
        let some = samples().filter(|_| with_numbers);
        for text in some.chain(NANS.iter().map(|nan| nan.2.to_owned())) {
            let (one, two) = (self.printed(&text, solver)?, other.printed(&text, solver)?);
            sets.push(solver.attempt(|solver| solver.and(one, two))?);
        }
        solver.attempt_any(sets)
    }
}

/// The words in which each of these bits is as it says.
pub(super) fn all_of(solver: &mut Solver<'_>, bits: impl IntoIterator<Item = (u32, bool)>) -> Result<Set, TooLarge> {
    solver.attempt(|solver| {
        bits.into_iter().try_fold(Set::ALL, |set, (place, is_one)| {
            let bit = solver.bit(place)?;
            if is_one { solver.and(set, bit) } else { solver.minus(set, bit) }
        })
    })
}

/// True if a floating-point number can begin with these characters, and go on after them.
pub(super) fn begins(text: &str) -> bool {
    let size = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_name = ["INF", "QNAN", "SNAN"].iter().any(|name| name.starts_with(size));
    let is_number = size.starts_with(|c: char| c.is_ascii_digit()) && size.bytes().all(|c| b"0123456789.e+-".contains(&c));
    text.len() < LONGEST && (is_name || is_number)
}

/// Whole numbers of which most fields can hold some.
pub(super) fn numbers() -> impl Iterator<Item = u128> {
    let powers = (5..30).map(|power| 1 << power);
    (0..=16).chain(powers).chain([10, 100, 1000, 10_000, 100_000, 1_000_000])
}

/// Texts of numbers of which most formats have some.
fn samples() -> impl Iterator<Item = String> {
    let signs = || ["", "-"].into_iter();
    let fractions = ["0.5", "1.5", "0.25", "0.0625", "-0.0", "+INF", "-INF"];
    numbers().flat_map(move |n| signs().map(move |sign| format!("{sign}{n}"))).chain(fractions.map(str::to_owned))
}
