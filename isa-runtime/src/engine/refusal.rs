//! Why a word is not an instruction.

use super::Bits;
use super::decode::Limbs;
use super::message::Append;
use super::ranges::Runs;
use super::tables::{Field, Form, Hole, Length, NO_FIELD, Rule, Str, Tables};
use crate::word::U256;
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;

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

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for Refusal {}

/// Messages are seldom longer.
const MESSAGE: usize = 128;

/// How a word differs from those of a form, in the order of what counts: whether its opcode is another, wrong fields, whether a
/// reserved bit is wrong, wrong bits, and the number of the form.
type Closeness = (bool, usize, bool, u32, u16);

/// Appends `bit 3 is`, or `bits 7..4, 1 are`.
fn say_bits<W: Bits>(mask: W, out: &mut String) {
    let is_one = mask.ones() == 1;
    out.push_str(if is_one { "bit" } else { "bits" });
    for (i, range) in Runs(mask).enumerate() {
        out.push_str(if i > 0 { ", " } else { " " });
        out.ranges(core::iter::once(range));
    }
    out.push_str(if is_one { " is" } else { " are" });
}

/// Appends ` 0x2, not 0x1`.
fn say_values(is: U256, not: U256, out: &mut String) {
    out.push(' ');
    out.hex(is);
    out.push_str(", not ");
    out.hex(not);
}

impl<'a, W: Bits> Tables<'a, W> {
    /// The form of a word of so many bits.
    ///
    /// # Errors
    /// When the word is not an instruction: why.
    #[inline]
    pub fn find(&self, word: W, bits: u32) -> Result<u16, Refusal> {
        self.find_form(word, bits).ok_or_else(|| self.refusal(word, bits))
    }

    /// Why a word of so many bits is refused.
    pub fn refusal(&self, word: W, bits: u32) -> Refusal {
        let Some(length) = self.length(bits) else {
            return Refusal::new(Reason::Length, None, format!("no word has {bits} bits"));
        };
        if word & !W::low_ones(bits) != W::zero() {
            return Refusal::new(Reason::Length, None, format!("the word has more than {bits} bits"));
        }
        // The form that has the word, if it is a rule that is broken.
        let owner = self.near(word, &length).find(|near| self.has(near, word, bits)).or_else(|| {
            let mut all = (0u16..).zip(self.forms.iter());
            all.find(|near| self.has(near, word, bits))
        });
        if let Some((number, form)) = owner {
            let rules = self.rules.slice(form.rules);
            if let Some(rule) = rules.iter().find(|rule| !self.is_in(rule.holds, word)) {
                return self.broken(number, &form, &rule, word);
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
        let is_hole = |hole: &Hole<W>| u32::from(hole.length) == bits && (word ^ hole.value) & hole.mask == W::zero();
        if let Some(hole) = self.holes.iter().find(is_hole) {
            return Refusal::new(Reason::Hole, None, self.text(hole.refusal));
        }
        if self.is_free(unit) {
            return Refusal::new(Reason::NoSuchOpcode, None, self.no_word(unit));
        }
        match self.closest(word, &length) {
            Some((number, form)) => self.distance_in_words(number, &form, word),
            None => Refusal::new(Reason::Length, None, format!("no instruction has {bits} bits")),
        }
    }

    /// Forms with words like this one: where decoding looks for it.
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

    /// Whether a form has a word, legal or not.
    fn has(&self, (_, form): &(u16, Form<W>), word: W, bits: u32) -> bool {
        u32::from(form.length) == bits && (word ^ form.value) & form.mask == W::zero() && self.is_in(form.words, word)
    }

    fn broken(&self, number: u16, form: &Form<W>, rule: &Rule, word: W) -> Refusal {
        let mut message = self.message(form.name);
        message.push_str(": ");
        message.push_str(self.text(rule.why));
        message.push_str(" (");
        let fields = self.lists.slice(rule.fields).iter().filter_map(|i| self.fields.get(usize::from(i)));
        for (i, field) in fields.enumerate() {
            message.push_str(if i > 0 { ", " } else { "" });
            self.show_field(&field, word, &mut message);
        }
        message.push(')');
        Refusal::new(Reason::Rule, Some(number), message)
    }

    /// A message that begins with a name.
    fn message(&self, name: Str) -> String {
        let mut message = String::with_capacity(MESSAGE);
        message.push_str(self.text(name));
        message
    }

    /// Appends `` `name` 90..87 is 0x3 ``.
    fn show_field(&self, field: &Field, word: W, out: &mut String) {
        out.push('`');
        out.push_str(self.text(field.path));
        out.push_str("` ");
        out.ranges(self.ranges.slice(field.ranges).iter());
        out.push_str(" is ");
        out.hex(self.raw(field, word).into());
    }

    /// Bits of a word: as its first unit says, or the only length that there is.
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

    /// Whether a first unit is in a region of its own, its length is known, and no form begins so.
    fn is_free(&self, unit: W) -> bool {
        let Some(length) = self.length_of(unit) else { return false };
        let wide = unit.wide();
        let region = self.regions.iter().any(|r| (r.first..=r.last).contains(&wide));
        region && !self.forms.iter().any(|form| u32::from(form.length) == length && self.begins(&form, unit))
    }

    /// Whether a word of the form can begin with a unit.
    fn begins(&self, form: &Form<W>, unit: W) -> bool {
        let bits = u32::from(form.length);
        let (mask, value) = (self.first_unit(form.mask, bits), self.first_unit(form.value, bits));
        (unit ^ value) & mask == W::zero()
    }

    /// What is said of a first unit that begins no word.
    pub fn no_word(&self, unit: W) -> String {
        let wide = unit.wide();
        match self.regions.iter().find(|r| (r.first..=r.last).contains(&wide)) {
            Some(region) => {
                format!("no word begins like this: `{}` has {:#x} free", self.text(region.name), wide >> region.open.into())
            }
            None => "no word begins like this".to_string(),
        }
    }

    /// The form that a word comes closest to. A form whose opcode the word has is closer than all others. Then one wrong field is
    /// closer than two, whatever their widths; bits without a name count like a field, reserved bits less.
    fn closest(&self, word: W, length: &Length<W>) -> Option<(u16, Form<W>)> {
        let mut best: Option<(Closeness, Form<W>)> = None;
        let all = (0u16..).zip(self.forms.iter()).filter(|(_, form)| form.length == length.bits);
        // Those that are near rule out most others at once.
        for (number, form) in self.near(word, length).chain(all) {
            let wrong = (word ^ form.value) & form.mask;
            let count = wrong.ones();
            let is_named = wrong & !form.reserved != W::zero();
            let is_other = wrong & length.opcode != W::zero();
            // No form has fewer wrong fields than one, if any bit but reserved ones is wrong.
            if best.is_some_and(|(best, _)| is_named && (is_other, 1, false, count, number) >= best) {
                continue;
            }
            let mut rest = wrong & !form.reserved;
            let mut fields = 0;
            for fixed in self.fixed.slice(form.fixed).iter() {
                let mask = self.place(fixed.ranges, u128::MAX);
                fields += usize::from(mask & wrong != W::zero());
                rest = rest & !mask;
            }
            let fields = fields + usize::from(rest != W::zero());
            let closeness = (is_other, fields, wrong & form.reserved != W::zero(), count, number);
            if best.is_none_or(|(best, _)| closeness < best) {
                best = Some((closeness, form));
            }
        }
        best.map(|((.., number), form)| (number, form))
    }

    /// How a word differs from those of the closest form.
    fn distance_in_words(&self, number: u16, form: &Form<W>, word: W) -> Refusal {
        let wrong = (word ^ form.value) & form.mask;
        if wrong == W::zero() {
            let exclusions = self.exclusions.slice(form.exclusions);
            let exclusion = exclusions.iter().find(|e| self.is_in(e.when, word));
            let why = exclusion.map_or("", |e| self.text(e.why));
            let field = exclusion.filter(|e| e.field != NO_FIELD).and_then(|e| self.fields.get(usize::from(e.field)));
            let mut message = self.message(form.name);
            message.push_str(": ");
            let reason = match field {
                Some(field) => {
                    self.show_field(&field, word, &mut message);
                    message.push_str(": ");
                    Reason::Value
                }
                None => Reason::NoSuchOpcode,
            };
            message.push_str(why);
            return Refusal::new(reason, Some(number), message);
        }
        let mut message = String::with_capacity(MESSAGE);
        for part in ["no such instruction; the closest is ", self.text(form.name), ", but "] {
            message.push_str(part);
        }
        let start = message.len();
        let mut named = form.kept | form.reserved;
        for fixed in self.fixed.slice(form.fixed).iter() {
            let mask = self.place(fixed.ranges, u128::MAX);
            named = named | mask;
            if mask & wrong == W::zero() {
                continue;
            }
            message.push_str(if message.len() > start { ", " } else { "" });
            let name = self.text(fixed.name);
            let (before, behind) = match name {
                "" if mask.ones() == 1 => ("bit ", " is"),
                "" => ("bits ", " are"),
                _ => ("` ", " is"),
            };
            if !name.is_empty() {
                message.push('`');
                message.push_str(name);
            }
            message.push_str(before);
            message.ranges(self.ranges.slice(fixed.ranges).iter());
            message.push_str(behind);
            say_values(self.gather(fixed.ranges, word).into(), fixed.value.into(), &mut message);
        }
        let reserved = wrong & form.reserved;
        if message.len() == start && reserved != W::zero() {
            let mut message = self.message(form.name);
            message.push_str(": reserved ");
            say_bits(reserved, &mut message);
            message.push_str(" set");
            return Refusal::new(Reason::Reserved, Some(number), message);
        }
        for range in Runs(wrong & !named) {
            message.push_str(if message.len() > start { ", " } else { "" });
            say_bits(range.mask::<W>(), &mut message);
            say_values(range.of(word), range.of(form.value), &mut message);
        }
        Refusal::new(Reason::NoSuchOpcode, Some(number), message)
    }
}
