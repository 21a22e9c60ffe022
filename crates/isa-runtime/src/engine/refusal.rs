//! The reason why a word is not an instruction.

use super::Bits;
use super::decode::Limbs;
use super::ranges::Runs;
use super::tables::{Field, Form, Hole, Length, NO_FIELD, Rows, Rule, Tables};
use crate::why::{self, Difference, FormName, Held, NoWord, Why};
use crate::word::U256;
use alloc::vec::Vec;

/// The distance of a word from a form, in the order of importance: whether its opcode is another, wrong fields, whether a
/// reserved bit is wrong, wrong bits, and the number of the form.
type Closeness = (bool, usize, bool, u32, u16);

impl<'a, W: Bits> Tables<'a, W> {
    /// The form of a word of `bits` bits.
    ///
    /// # Errors
    /// The reason why the word is not an instruction.
    #[inline]
    pub fn find(&self, word: W, bits: u32) -> Result<u16, Why<'a>> {
        self.find_form(word, bits).ok_or_else(|| self.refusal(word, bits))
    }

    /// The reason why a word of `bits` bits is refused.
    pub fn refusal(&self, word: W, bits: u32) -> Why<'a> {
        let Some(length) = self.length(bits) else { return Why::Length(why::Length::Unknown { bits }) };
        if word & !W::low_ones(bits) != W::zero() {
            return Why::Length(why::Length::TooShort { bits });
        }
        // The form whose word it is, if only a rule is broken.
        let owner = self.near(word, &length).find(|near| self.has(near, word, bits)).or_else(|| {
            let mut all = (0u16..).zip(self.forms.iter());
            all.find(|near| self.has(near, word, bits))
        });
        if let Some((number, form)) = owner {
            let rules = self.rules.slice(form.rules);
            if let Some(rule) = rules.iter().find(|rule| !self.is_in(rule.holds, word)) {
                return self.broken(self.form_name(number, &form), &rule, word);
            }
        }
        let unit = self.first_unit(word, bits);
        if !self.is_in(length.words, word) {
            return match self.length_of(unit) {
                Some(said) => Why::Length(why::Length::Other { bits, said }),
                None => Why::NoWord(self.no_word(unit)),
            };
        }
        let is_hole = |hole: &Hole<W>| u32::from(hole.length) == bits && (word ^ hole.value) & hole.mask == W::zero();
        if let Some(hole) = self.holes.iter().find(is_hole) {
            return self.hole(&hole);
        }
        if self.is_free(unit) {
            return Why::NoWord(self.no_word(unit));
        }
        match self.closest(word, &length) {
            Some((number, form)) => self.difference(self.form_name(number, &form), &form, word),
            None => Why::Length(why::Length::Unused { bits }),
        }
    }

    /// The description of a hole, for its words and for its name.
    pub(super) fn hole(&self, hole: &Hole<W>) -> Why<'a> {
        Why::Hole { name: self.text(hole.name), summary: self.text(hole.summary) }
    }

    /// Forms with similar words: those that decoding tries.
    fn near(&self, word: W, length: &Length<W>) -> impl Iterator<Item = (u16, Form<W>)> {
        let (rows, forms) = (self.rows, self.forms);
        let mut at = self.first_row(&Limbs::new(word), length);
        core::iter::from_fn(move || {
            let row = rows.get(usize::from(at)).filter(|_| at > 0)?;
            // Rows of a chain descend.
            at = if row.next < at { row.next } else { 0 };
            Some((row.form, forms.get(usize::from(row.form))?))
        })
    }

    /// True if a form has a word, legal or not.
    fn has(&self, (_, form): &(u16, Form<W>), word: W, bits: u32) -> bool {
        u32::from(form.length) == bits && (word ^ form.value) & form.mask == W::zero() && self.is_in(form.words, word)
    }

    fn broken(&self, form: FormName<'a>, rule: &Rule, word: W) -> Why<'a> {
        let fields = self.lists.slice(rule.fields).iter().filter_map(|i| self.fields.get(usize::from(i)));
        Why::Rule { form, why: self.text(rule.why), fields: fields.map(|field| self.held(&field, word)).collect() }
    }

    fn form_name(&self, number: u16, form: &Form<W>) -> FormName<'a> {
        FormName { number: number.into(), name: self.text(form.name) }
    }

    /// A field and its bits in a word.
    fn held(&self, field: &Field, word: W) -> Held<'a> {
        Held { name: self.text(field.path), ranges: self.both_ends(field.ranges), value: self.raw(field, word).into() }
    }

    fn both_ends(&self, ranges: Rows) -> why::Ranges {
        self.ranges.slice(ranges).iter().map(|range| (range.hi, range.lo)).collect()
    }

    /// Bits of a word: from its first unit, or the only length if there is one.
    pub fn length_of_word(&self, word: W) -> Option<u32> {
        let mut lengths = self.lengths.iter().map(|length| u32::from(length.bits));
        if self.lengths.len() == 1 {
            return lengths.next();
        }
        lengths
            .find(|bits| word & !W::low_ones(*bits) == W::zero() && self.length_of(self.first_unit(word, *bits)) == Some(*bits))
    }

    /// The first unit of a word in a stream.
    fn first_unit(&self, word: W, bits: u32) -> W {
        let unit = u32::from(self.head().unit);
        let shift = if self.head().flags & super::tables::LOW_FIRST != 0 { 0 } else { bits.saturating_sub(unit) };
        W::from_wide(word.wide() >> shift & U256::ones(unit.min(U256::BITS)))
    }

    /// True if a first unit is in a region of its own, its length is known, and no form begins with it.
    fn is_free(&self, unit: W) -> bool {
        let Some(length) = self.length_of(unit) else { return false };
        let region = self.regions.iter().any(|r| (r.first..=r.last).contains(&unit));
        region && !self.forms.iter().any(|form| u32::from(form.length) == length && self.begins(&form, unit))
    }

    /// True if a word of the form can begin with a unit.
    fn begins(&self, form: &Form<W>, unit: W) -> bool {
        let bits = u32::from(form.length);
        let (mask, value) = (self.first_unit(form.mask, bits), self.first_unit(form.value, bits));
        (unit ^ value) & mask == W::zero()
    }

    /// The description of a first unit that begins no word.
    pub fn no_word(&self, unit: W) -> NoWord<'a> {
        let region = self.regions.iter().find(|r| (r.first..=r.last).contains(&unit));
        NoWord { region: region.map(|region| (self.text(region.name), unit.wide() >> region.open.into())) }
    }

    /// The form that a word comes closest to. A form whose opcode the word has is closer than all others. Then one wrong field is
    /// closer than two, whatever their widths; bits without a name count like a field, reserved bits less.
    fn closest(&self, word: W, length: &Length<W>) -> Option<(u16, Form<W>)> {
        let mut best: Option<(Closeness, Form<W>)> = None;
        let all = (0u16..).zip(self.forms.iter()).filter(|(_, form)| form.length == length.bits);
        // Nearby forms come first, because they rule out most others at once.
        for (number, form) in self.near(word, length).chain(all) {
            let wrong = (word ^ form.value) & form.mask;
            let count = wrong.ones();
            let is_named = wrong & !form.reserved != W::zero();
            let is_other = wrong & length.opcode != W::zero();
            // No form has fewer wrong fields than one, if any bit but reserved ones is wrong.
            if best.is_some_and(|(best, _)| is_named && (is_other, 1, false, count, number) >= best) {
                continue;
            }
            let closeness = self.closeness(word, length, number, &form);
            if best.is_none_or(|(best, _)| closeness < best) {
                best = Some((closeness, form));
            }
        }
        best.map(|((.., number), form)| (number, form))
    }

    fn closeness(&self, word: W, length: &Length<W>, number: u16, form: &Form<W>) -> Closeness {
        let wrong = (word ^ form.value) & form.mask;
        let mut rest = wrong & !form.reserved;
        let mut fields = 0;
        for fixed in self.fixed.slice(form.fixed).iter() {
            let mask = self.place(fixed.ranges, u128::MAX);
            fields += usize::from(mask & wrong != W::zero());
            rest = rest & !mask;
        }
        let fields = fields + usize::from(rest != W::zero());
        (wrong & length.opcode != W::zero(), fields, wrong & form.reserved != W::zero(), wrong.ones(), number)
    }

    /// The forms of `bits` bits that a word comes closest to, the closest first.
    pub fn closest_forms(&self, word: W, bits: u32, most: usize) -> Vec<u16> {
        let Some(length) = self.length(bits) else { return Vec::new() };
        let forms = (0u16..).zip(self.forms.iter()).filter(|(_, form)| form.length == length.bits);
        let mut all: Vec<Closeness> = forms.map(|(number, form)| self.closeness(word, &length, number, &form)).collect();
        all.sort_unstable();
        all.into_iter().take(most).map(|(.., number)| number).collect()
    }

    /// The difference between a word and those of a form that it is not of.
    pub fn unlike(&self, number: u16, word: W) -> Option<Why<'a>> {
        let form = self.form(number)?;
        Some(self.difference(self.form_name(number, &form), &form, word))
    }

    /// The form of `bits` bits that a word comes closest to, whatever else is wrong with the word.
    pub fn closest_form(&self, word: W, bits: u32) -> Option<u16> {
        self.closest(word, &self.length(bits)?).map(|(number, _)| number)
    }

    /// The difference between a word and those of a form.
    fn difference(&self, closest: FormName<'a>, form: &Form<W>, word: W) -> Why<'a> {
        let wrong = (word ^ form.value) & form.mask;
        if wrong == W::zero() {
            let exclusions = self.exclusions.slice(form.exclusions);
            let exclusion = exclusions.iter().find(|e| self.is_in(e.when, word));
            let why = exclusion.map_or("", |e| self.text(e.why));
            let field = exclusion.filter(|e| e.field != NO_FIELD).and_then(|e| self.fields.get(usize::from(e.field)));
            return match field {
                Some(field) => Why::Value { form: closest, field: self.held(&field, word), why },
                None => Why::Excluded { form: closest, why },
            };
        }
        let mut differences = Vec::new();
        let mut named = form.kept | form.reserved;
        for fixed in self.fixed.slice(form.fixed).iter() {
            let mask = self.place(fixed.ranges, u128::MAX);
            named = named | mask;
            if mask & wrong != W::zero() {
                let value = self.gather(fixed.ranges, word).into();
                let held = Held { name: self.text(fixed.name), ranges: self.both_ends(fixed.ranges), value };
                differences.push(Difference { held, fixed: fixed.value.into() });
            }
        }
        let reserved = wrong & form.reserved;
        if differences.is_empty() && reserved != W::zero() {
            return Why::Reserved { form: closest, bits: Runs(reserved).map(|range| (range.hi, range.lo)).collect() };
        }
        differences.extend(Runs(wrong & !named).map(|range| {
            let held = Held { name: "", ranges: [(range.hi, range.lo)].into(), value: range.of(word) };
            Difference { held, fixed: range.of(form.value) }
        }));
        Why::Fixed { closest, differences }
    }
}
