//! What a page shows of a form, whatever the word.

use crate::json::{hex, list, object, text};
use crate::set::Set;
use isa_engine::BitRange;
use isa_runtime::engine::tables::{ENUM, FLAG, Field, NO_PLACE};
use isa_runtime::value::Step;

impl Set {
    /// A field of a form, by its place in it.
    pub(crate) fn field(&self, form: usize, place: usize) -> Option<Field> {
        let form = self.tables.forms.get(form)?;
        self.tables.fields_of(&form).nth(place)
    }

    /// A form: `{ name, insn, length, fixed: [{ name, ranges: [[hi, lo], …] }, …], fields: [field, …] }`. A field:
    /// `{ path, ranges, place, lowest, flag, choices }`: its name; its bits; its place among the names that programs give, or
    /// `null`; the bit of its number that its lowest bit is; for a flag, the bits for unset and set, or `null`; for an enumeration,
    /// the bits and the text of each value.
    pub(crate) fn form(&self, form: usize) -> String {
        let row = self.tables.forms.get(form).unwrap_or_default();
        let of_ranges = |ranges: &[BitRange]| list(ranges.iter().map(|range| format!("[{},{}]", range.hi, range.lo)));
        let anatomy = self.codec.anatomy(form, row.default);
        let fixed = anatomy.fixed.iter().map(|own| object([("name", text(own.name)), ("ranges", of_ranges(&own.bits))]));
        let field = |(field, own): (Field, &isa_engine::FieldBits<'_>)| {
            object([
                ("path", text(own.path)),
                ("ranges", of_ranges(&own.bits)),
                ("place", if field.place == NO_PLACE { "null".into() } else { field.place.to_string() }),
                ("lowest", self.lowest(&field).to_string()),
                ("flag", self.flag(&field)),
                ("choices", self.choices(&field)),
            ])
        };
        object([
            ("name", text(anatomy.name)),
            ("insn", row.insn.to_string()),
            ("length", row.length.to_string()),
            ("fixed", list(fixed)),
            ("fields", list(self.tables.fields_of(&row).zip(&anatomy.fields).map(field))),
        ])
    }

    /// The bit of the number that the lowest bit of a field is: not 0 if the number is multiplied by a power of two.
    fn lowest(&self, field: &Field) -> u32 {
        let steps = self.tables.steps_of(field).take_while(|step| !step.is_shown());
        let (scale, bias) = steps.fold((1i64, 0i64), |(scale, bias), step| match step {
            Step::Times(by) => (scale.wrapping_mul(by), bias.wrapping_mul(by)),
            Step::Plus(by) => (scale, bias.wrapping_add(by)),
            _ => (scale, bias),
        });
        if scale > 0 && bias == 0 && scale & (scale - 1) == 0 { scale.trailing_zeros() } else { 0 }
    }

    /// The bits of a flag that is not set, and of one that is.
    fn flag(&self, field: &Field) -> String {
        let bits = |value: u128| self.tables.bits_of(field, value.into()).map(hex);
        match (field.label, field.width, bits(0), bits(1)) {
            (FLAG, 1, Some(unset), Some(set)) => list([unset, set]),
            _ => "null".to_owned(),
        }
    }

    /// The values of an enumeration.
    fn choices(&self, field: &Field) -> String {
        let parts = self.tables.parts_of(field.spelling).iter().filter(|_| field.label == ENUM);
        let names = parts.flat_map(|part| self.tables.names.slice(part.printed).iter());
        let choice = |bits: u128, own| list([hex(bits), text(self.tables.text(own))]);
        list(names.filter_map(|named| Some(choice(self.tables.bits_of(field, named.value.into())?, named.text))))
    }
}
