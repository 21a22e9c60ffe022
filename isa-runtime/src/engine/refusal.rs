//! Why a word is no instruction.

use super::Bits;
use super::read::tail::{runs, shown};
use super::tables::{Field, Form, Hole, NO_FIELD, Rule, Tables};
use crate::word::U256;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// What is wrong with a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// No form has these fixed bits.
    NoSuchOpcode,
    /// The word has a name and no form.
    Hole,
    /// A reserved bit is set.
    Reserved,
    /// A field holds a value that it can't.
    Value,
    /// A rule is broken.
    Rule,
    /// The word has bits beyond its length, or no word has this length.
    Length,
}

/// Why a word is not an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong.
    pub reason: Reason,
    /// The form that the word comes closest to, or that it belongs to but for a rule.
    pub form: Option<u16>,
    /// The same as a sentence.
    pub message: String,
}

impl Refusal {
    fn new(reason: Reason, form: Option<u16>, message: impl Into<String>) -> Self {
        Self { reason, form, message: message.into() }
    }
}

impl core::fmt::Display for Refusal {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for Refusal {}

/// `bit 3 is`, `bits 7..4, 1 are`
fn bits_are(mask: U256) -> String {
    let ranges: Vec<String> = runs(mask).iter().map(|range| shown(core::slice::from_ref(range))).collect();
    let (bits, are) = if mask.is_power_of_two() { ("bit", "is") } else { ("bits", "are") };
    format!("{bits} {} {are}", ranges.join(", "))
}

/// How close a form is to a word: wrong fields, whether reserved bits are set, wrong bits.
type Closeness = (usize, bool, u32);

impl<'a, W: Bits> Tables<'a, W> {
    /// Why a word of so many bits is refused.
    pub fn refusal(&self, word: W, bits: u32) -> Refusal {
        let Some(length) = self.length(bits) else {
            return Refusal::new(Reason::Length, None, format!("no word has {bits} bits"));
        };
        if word & !W::low_ones(bits) != W::zero() {
            return Refusal::new(Reason::Length, None, format!("the word has more than {bits} bits"));
        }
        // The form that has the word, if it is a rule that is broken.
        let owner = (0u16..).zip(self.forms).find(|(_, form)| {
            u32::from(form.length) == bits && (word ^ form.value) & form.mask == W::zero() && self.is_in(form.words, word)
        });
        if let Some((number, form)) = owner {
            let rules = Self::rows_of(self.rules, form.rules);
            if let Some(rule) = rules.iter().find(|rule| !self.is_in(rule.holds, word)) {
                return self.broken(number, form, rule, word);
            }
        }
        let unit = self.first_unit(word, bits);
        if !self.is_in(length.words, word) {
            let message = match self.length_of(unit) {
                Some(length) => format!("a word that begins like this has {length} bits, not {bits}"),
                None => self.no_word(unit),
            };
            return Refusal::new(Reason::Length, None, message);
        }
        let is_hole = |hole: &&Hole<W>| u32::from(hole.length) == bits && (word ^ hole.value) & hole.mask == W::zero();
        if let Some(hole) = self.holes.iter().find(is_hole) {
            return Refusal::new(Reason::Hole, None, self.text(hole.refusal));
        }
        if self.is_free(unit) {
            return Refusal::new(Reason::NoSuchOpcode, None, self.no_word(unit));
        }
        match self.closest(word, bits) {
            Some((number, form)) => self.distance_in_words(number, form, word),
            None => Refusal::new(Reason::Length, None, format!("no instruction has {bits} bits")),
        }
    }

    fn broken(&self, number: u16, form: &Form<W>, rule: &Rule, word: W) -> Refusal {
        let fields = Self::rows_of(self.lists, rule.fields).iter().filter_map(|i| self.fields.get(usize::from(*i)));
        let fields: Vec<String> = fields.map(|field| self.shown_field(field, word)).collect();
        let message = format!("{}: {} ({})", self.text(form.name), self.text(rule.why), fields.join(", "));
        Refusal::new(Reason::Rule, Some(number), message)
    }

    /// `` `name` 90..87 is 0x3 ``
    fn shown_field(&self, field: &Field, word: W) -> String {
        let ranges = shown(Self::rows_of(self.ranges, field.ranges));
        format!("`{}` {ranges} is {:#x}", self.text(field.path), self.raw(field, word))
    }

    /// The first unit of a word in a stream.
    fn first_unit(&self, word: W, bits: u32) -> W {
        let unit = u32::from(self.head.unit);
        let shift = if self.head.flags & super::tables::LOW_FIRST != 0 { 0 } else { bits.saturating_sub(unit) };
        W::from_wide(word.wide() >> shift & U256::ones(unit.min(U256::BITS)))
    }

    /// Whether a first unit is in a region of its own, its length is known, and no form begins so.
    fn is_free(&self, unit: W) -> bool {
        let Some(length) = self.length_of(unit) else { return false };
        let wide = unit.wide();
        let region = self.regions.iter().any(|r| (r.first..=r.last).contains(&wide));
        region && !self.forms.iter().any(|form| u32::from(form.length) == length && self.begins(form, unit))
    }

    /// Whether a word of the form can begin with a unit.
    fn begins(&self, form: &Form<W>, unit: W) -> bool {
        let bits = u32::from(form.length);
        let (mask, value) = (self.first_unit(form.mask, bits), self.first_unit(form.value, bits));
        (unit ^ value) & mask == W::zero()
    }

    /// What is said of a first unit that begins no word.
    fn no_word(&self, unit: W) -> String {
        let wide = unit.wide();
        match self.regions.iter().find(|r| (r.first..=r.last).contains(&wide)) {
            Some(region) => {
                format!("no word begins like this: `{}` has {:#x} free", self.text(region.name), wide >> region.open.into())
            }
            None => "no word begins like this".to_string(),
        }
    }

    /// The form that a word comes closest to. One wrong field is closer than two, whatever their widths; bits without a name count like
    /// a field, reserved bits less.
    fn closest(&self, word: W, bits: u32) -> Option<(u16, &'a Form<W>)> {
        let mut best: Option<(Closeness, u16, &Form<W>)> = None;
        for (number, form) in (0u16..).zip(self.forms).filter(|(_, form)| u32::from(form.length) == bits) {
            let wrong = (word ^ form.value) & form.mask;
            let count = wrong.ones();
            let mut rest = wrong & !form.reserved;
            let is_reserved = wrong & form.reserved != W::zero();
            // At least one field is wrong if any bit of them is.
            let least = (usize::from(rest != W::zero()), is_reserved, count);
            if best.as_ref().is_some_and(|b| least >= b.0) {
                continue;
            }
            let mut fields = 0;
            for fixed in Self::rows_of(self.fixed, form.fixed) {
                let mask = self.place(fixed.ranges, u128::MAX);
                fields += usize::from(mask & wrong != W::zero());
                rest = rest & !mask;
            }
            let closeness = (fields + usize::from(rest != W::zero()), is_reserved, count);
            if best.as_ref().is_none_or(|b| closeness < b.0) {
                best = Some((closeness, number, form));
            }
        }
        best.map(|(_, number, form)| (number, form))
    }

    /// How a word differs from those of the closest form.
    fn distance_in_words(&self, number: u16, form: &Form<W>, word: W) -> Refusal {
        let name = self.text(form.name);
        let wrong = (word ^ form.value) & form.mask;
        if wrong == W::zero() {
            let exclusions = Self::rows_of(self.exclusions, form.exclusions);
            let exclusion = exclusions.iter().find(|e| self.is_in(e.when, word));
            let why = exclusion.map_or("", |e| self.text(e.why));
            let field = exclusion.filter(|e| e.field != NO_FIELD).and_then(|e| self.fields.get(usize::from(e.field)));
            return match field {
                Some(field) => {
                    let shown = self.shown_field(field, word);
                    Refusal::new(Reason::Value, Some(number), format!("{name}: {shown}: {why}"))
                }
                None => Refusal::new(Reason::NoSuchOpcode, Some(number), format!("{name}: {why}")),
            };
        }
        let mut parts = Vec::new();
        let mut named = form.kept | form.reserved;
        for fixed in Self::rows_of(self.fixed, form.fixed) {
            let mask = self.place(fixed.ranges, u128::MAX);
            named = named | mask;
            if mask & wrong == W::zero() {
                continue;
            }
            let subject = match self.text(fixed.name) {
                "" => bits_are(mask.wide()),
                name => format!("`{name}` {} is", shown(Self::rows_of(self.ranges, fixed.ranges))),
            };
            parts.push(format!("{subject} {:#x}, not {:#x}", self.gather(fixed.ranges, word), fixed.value));
        }
        let reserved = wrong & form.reserved;
        if parts.is_empty() && reserved != W::zero() {
            let message = format!("{name}: reserved {} set", bits_are(reserved.wide()));
            return Refusal::new(Reason::Reserved, Some(number), message);
        }
        for range in runs((wrong & !named).wide()) {
            let mask = U256::ones(u32::from(range.hi - range.lo) + 1) << range.lo.into();
            let of = |word: W| (word.wide() & mask) >> range.lo.into();
            parts.push(format!("{} {:#x}, not {:#x}", bits_are(mask), of(word), of(form.value)));
        }
        let message = format!("no such instruction; the closest is {name}, but {}", parts.join(", "));
        Refusal::new(Reason::NoSuchOpcode, Some(number), message)
    }
}
