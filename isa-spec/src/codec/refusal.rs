//! Why a word is refused.

use super::Codec;
use super::decode_error::{DecodeError, Reason};
use crate::bits::{bits_word, ranges};
use crate::model::{Bits, Field, Form, Isa, PlainKind, Word};
use crate::opcode_map::Class;

impl Isa {
    /// The form of so many bits that a word comes closest to. A form whose opcode the word has is closer than all others. Then one
    /// wrong field is closer than two, whatever their widths; bits without a name count like a field, reserved bits less.
    pub fn closest(&self, word: Word, bits: u32) -> Option<&Form> {
        let opcode = self.opcode_bits(bits);
        let closeness = |form: &&Form| {
            let wrong = (word ^ form.value) & form.mask;
            let fields = form.fixed.iter().filter(|f| !(f.bits.mask() & wrong).is_zero()).count();
            let named = form.fixed.iter().fold(Word::ZERO, |m, f| m | f.bits.mask());
            let reserved = reserved_bits(form);
            let fields = fields + usize::from(!(wrong & !named & !reserved).is_zero());
            (!(wrong & opcode).is_zero(), fields, !(wrong & reserved).is_zero(), wrong.count_ones())
        };
        self.forms.iter().filter(|form| form.length == bits).min_by_key(closeness)
    }
}

/// The bits of a form that must be zero.
fn reserved_bits(form: &Form) -> Word {
    form.plain.iter().filter(|p| p.what == PlainKind::Reserved).fold(Word::ZERO, |mask, p| mask | p.bits.mask())
}

impl Codec<'_> {
    /// What is wrong with a word whose beginning says that it has another length, or none.
    fn wrong_length(&self, word: Word, bits: u32) -> Option<String> {
        let lengths = &self.isa.words.lengths;
        lengths.iter().find(|l| l.bits == bits && !l.words.contains(word))?;
        let unit = self.isa.first_unit(word, bits);
        Some(match self.length_of(unit) {
            Some(length) => format!("a word that begins like this has {length} bits, not {bits}"),
            None => self.isa.no_word(unit),
        })
    }

    /// `name 0x3 (bits 90..87)`
    pub(super) fn shown(&self, field: &Field, word: Word) -> String {
        format!("`{}` {} is {:#x}", field.path, field.bits, field.bits.get(word))
    }

    /// Why no form matches: its length, the hole that has the word, or the form that comes closest.
    pub(super) fn explain(&self, word: Word, bits: u32) -> DecodeError {
        if let Some(message) = self.wrong_length(word, bits) {
            return DecodeError { reason: Reason::Length, form: None, message };
        }
        if let Some(hole) = self.isa.hole_of(word, bits) {
            return DecodeError { reason: Reason::Hole(hole.name.clone()), form: None, message: hole.refusal() };
        }
        if let Class::Hole(Some(_), Some(_)) = self.isa.classify(self.isa.first_unit(word, bits)) {
            let message = self.isa.no_word(self.isa.first_unit(word, bits));
            return DecodeError { reason: Reason::NoSuchOpcode, form: None, message };
        }
        let Some(form) = self.isa.closest(word, bits) else {
            return DecodeError { reason: Reason::Length, form: None, message: format!("no instruction has {bits} bits") };
        };
        let wrong = (word ^ form.value) & form.mask;
        let error = |reason, message| DecodeError { reason, form: Some(form.id), message };
        if wrong.is_zero() {
            let exclusion = form.exclusions.iter().find(|e| e.when.words.contains(word));
            let field = exclusion.and_then(|e| e.field).map(|i| &form.fields[i]);
            let why = exclusion.map_or("", |e| e.why.as_str());
            return match field {
                Some(field) => {
                    error(Reason::Value(field.path.clone()), format!("{}: {}: {why}", form.name, self.shown(field, word)))
                }
                None => error(Reason::NoSuchOpcode, format!("{}: {why}", form.name)),
            };
        }
        let mut parts = Vec::new();
        for fixed in form.fixed.iter().filter(|f| !(f.bits.mask() & wrong).is_zero()) {
            let subject = match fixed.name.as_str() {
                "" if fixed.bits.width() == 1 => format!("bit {} is", fixed.bits),
                "" => format!("bits {} are", fixed.bits),
                name => format!("`{name}` {} is", fixed.bits),
            };
            parts.push(format!("{subject} {:#x}, not {:#x}", fixed.bits.get(word), fixed.value));
        }
        let reserved = reserved_bits(form) & wrong;
        if parts.is_empty() && !reserved.is_zero() {
            return error(Reason::Reserved, format!("{}: reserved {} set", form.name, bits_are(reserved)));
        }
        let named = form.fixed.iter().fold(Word::ZERO, |m, f| m | f.bits.mask())
            | form.plain.iter().fold(Word::ZERO, |m, p| m | p.bits.mask());
        for range in ranges(wrong & !named) {
            let bits = Bits(vec![range]);
            parts.push(format!("{} {:#x}, not {:#x}", bits_are(range.mask()), bits.get_all(word), bits.get_all(form.value)));
        }
        error(Reason::NoSuchOpcode, format!("no such instruction; the closest is {}, but {}", form.name, parts.join(", ")))
    }
}

/// `bit 3 is`, `bits 7..4, 1 are`
fn bits_are(mask: Word) -> String {
    format!("{} {}", bits_word(&ranges(mask)), if mask.is_power_of_two() { "is" } else { "are" })
}
