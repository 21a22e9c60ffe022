//! The expansion of an instruction to another one.

use super::{Decoded, Isa};
use crate::engine::tables::{Field, Form};
use crate::engine::{Bits, Tables};

/// An expansion of a form to another form, with the source of each field.
#[derive(Clone, Copy, Debug)]
pub struct Expansion {
    /// The form that expands.
    pub of: u16,
    /// The form that it expands to.
    pub to: u16,
    /// Pairs of fields with the same number: the place of a field of the former form, and that of the latter.
    pub fields: &'static [(u16, u16)],
    /// Fields of the latter form with a fixed value, and its bits.
    pub values: &'static [(u16, u128)],
}

/// The instruction that another one expands to.
pub(super) fn expanded<I: Isa>(insn: Decoded<I>) -> Option<I::Insn> {
    let all = I::expansions();
    let expansion = all.get(all.binary_search_by_key(&insn.form, |expansion| expansion.of).ok()?)?;
    let (tables, to) = (I::tables(), expansion.to);
    let (from, form) = (tables.form(insn.form)?, tables.form(to)?);
    let mut word = form.default;
    for (field, raw) in expansion.values {
        word = tables.with_raw(&field_of(tables, &form, *field)?, word, *raw);
    }
    for (own, field) in expansion.fields {
        let (own, field) = (field_of(tables, &from, *own)?, field_of(tables, &form, *field)?);
        let raw = tables.same_bits((&own, tables.raw(&own, insn.word)), &field)?;
        word = tables.with_raw(&field, word, raw);
    }
    // A rule of the other form can refuse it.
    let is_one = tables.find_form(word, form.length.into()) == Some(to);
    I::insn(Decoded { word, form: to }).filter(|_| is_one)
}

fn field_of<W: Bits>(tables: &Tables<'static, W>, form: &Form<W>, place: u16) -> Option<Field> {
    let field = tables.lists.slice(form.fields).get(place.into())?;
    tables.fields.get(field.into())
}
