//! Reasons for refusing a word.

use super::Codec;
use isa_runtime::why::{self, Difference, FormName, Held, Length, Why};
use isa_spec::bits::{BitRange, ranges};
use isa_spec::model::{Bits, Field, Form, PlainKind, Word};
use isa_spec::opcode_map::Class;

/// The bits of a form that must be zero.
fn reserved_bits(form: &Form) -> Word {
    form.plain.iter().filter(|p| p.what == PlainKind::Reserved).fold(Word::ZERO, |mask, p| mask | p.bits.mask())
}

impl<'a> Codec<'a> {
    /// The form of `bits` bits that a word comes closest to. A form with the opcode of the word is closer than all others. Then
    /// one wrong field is closer than two, whatever their widths; bits without a name count like a field, reserved bits less.
    pub fn closest(&self, word: Word, bits: u32) -> Option<&'a Form> {
        let opcode = self.isa.opcode_bits(bits);
        let closeness = |form: &&Form| {
            let wrong = (word ^ form.value) & form.mask;
            let fields = form.fixed.iter().filter(|f| !(f.bits.mask() & wrong).is_zero()).count();
            let named = form.fixed.iter().fold(Word::ZERO, |m, f| m | f.bits.mask());
            let reserved = reserved_bits(form);
            let fields = fields + usize::from(!(wrong & !named & !reserved).is_zero());
            (!(wrong & opcode).is_zero(), fields, !(wrong & reserved).is_zero(), wrong.count_ones())
        };
        self.isa.forms.iter().filter(|form| form.length == bits).min_by_key(closeness)
    }

    /// The fault of a word whose beginning belongs to another length, or to none.
    fn wrong_length(&self, word: Word, bits: u32) -> Option<Why<'a>> {
        let lengths = &self.isa.words.lengths;
        lengths.iter().find(|l| l.bits == bits && !l.words.contains(word))?;
        let unit = self.isa.first_unit(word, bits);
        Some(match self.length_of(unit) {
            Some(said) => Why::Length(Length::Other { bits, said }),
            None => Why::NoWord(self.isa.no_word(unit)),
        })
    }

    /// The reason why no form matches: the length, the hole that has the word, or the form that comes closest.
    pub(super) fn explain(&self, word: Word, bits: u32) -> Why<'a> {
        if let Some(why) = self.wrong_length(word, bits) {
            return why;
        }
        if let Some(hole) = self.isa.hole_of(word, bits) {
            return hole.refusal();
        }
        if let Class::Hole(Some(_), Some(_)) = self.isa.classify(self.isa.first_unit(word, bits)) {
            return Why::NoWord(self.isa.no_word(self.isa.first_unit(word, bits)));
        }
        let Some(form) = self.closest(word, bits) else { return Why::Length(Length::Unused { bits }) };
        let wrong = (word ^ form.value) & form.mask;
        if wrong.is_zero() {
            let exclusion = form.exclusions.iter().find(|e| e.when.words.contains(word));
            let field = exclusion.and_then(|e| e.field).map(|i| &form.fields[i]);
            let why = exclusion.map_or("", |e| e.why.as_str());
            return match field {
                Some(field) => Why::Value { form: name_of(form), field: held(field, word), why },
                None => Why::Excluded { form: name_of(form), why },
            };
        }
        let mut differences: Vec<Difference<'a>> = Vec::new();
        for fixed in form.fixed.iter().filter(|f| !(f.bits.mask() & wrong).is_zero()) {
            let held = Held { name: &fixed.name, ranges: both_ends(&fixed.bits.0), value: fixed.bits.get(word).into() };
            differences.push(Difference { held, fixed: fixed.value.into() });
        }
        let reserved = reserved_bits(form) & wrong;
        if differences.is_empty() && !reserved.is_zero() {
            return Why::Reserved { form: name_of(form), bits: both_ends(&ranges(reserved)) };
        }
        let named = form.fixed.iter().fold(Word::ZERO, |m, f| m | f.bits.mask())
            | form.plain.iter().fold(Word::ZERO, |m, p| m | p.bits.mask());
        for range in ranges(wrong & !named) {
            let bits = Bits(vec![range]);
            let held = Held { name: "", ranges: both_ends(&bits.0), value: bits.get_all(word) };
            differences.push(Difference { held, fixed: bits.get_all(form.value) });
        }
        Why::Fixed { closest: name_of(form), differences }
    }
}

pub(super) fn name_of(form: &Form) -> FormName<'_> {
    FormName { number: form.id.0, name: &form.name }
}

/// A field and its bits in a word.
pub(super) fn held(field: &Field, word: Word) -> Held<'_> {
    Held { name: &field.path, ranges: both_ends(&field.bits.0), value: field.bits.get(word).into() }
}

/// Words have [`isa_spec::bits::MAX_WORD`] bits, so both ends of a range fit into a byte.
pub(super) fn both_ends(ranges: &[BitRange]) -> why::Ranges {
    ranges.iter().map(|range| (range.hi as u8, range.lo as u8)).collect()
}
