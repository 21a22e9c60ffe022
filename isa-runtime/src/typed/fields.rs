//! The fields of an instruction, whatever its type.

use super::{Decoded, Isa};
use crate::engine::tables::{Access, FLAG, Field, NUMBER};
use crate::engine::{Bits, Tables};
use crate::value::Number;
use alloc::string::String;
use core::fmt;

/// A field of an instruction, with its value.
#[derive(Clone, Copy)]
pub struct FieldValue<W: Bits> {
    tables: &'static Tables<'static, W>,
    field: Field,
    raw: u128,
}

pub(super) fn fields<I: Isa>(of: Decoded<I>) -> impl Iterator<Item = FieldValue<I::Word>> {
    let tables = I::tables();
    let form = tables.form(of.form);
    let fields = form.into_iter().flat_map(move |form| tables.fields_of(&form));
    fields.map(move |field| FieldValue { tables, field, raw: tables.raw(&field, of.word) })
}

/// Consecutive registers that an instruction reads or writes.
#[derive(Clone, Copy)]
pub struct RegisterUse<W: Bits> {
    /// The field that names the first one.
    pub field: FieldValue<W>,
    /// How many there are.
    pub count: u8,
}

impl<W: Bits> RegisterUse<W> {
    /// The name of their register file.
    pub fn file(&self) -> &'static str {
        let file = self.field.tables.registers.get(self.field.field.of as usize);
        file.map_or("", |file| self.field.tables.text(file.of))
    }

    /// The number of the first one.
    pub fn first(&self) -> u128 {
        let file = self.field.tables.registers.get(self.field.field.of as usize);
        self.field.value().low().wrapping_add(file.map_or(0, |file| file.from.into()))
    }
}

/// `R4`, and for several registers `R4 +: 2`.
impl<W: Bits> fmt::Display for RegisterUse<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count {
            1 => self.field.fmt(f),
            count => write!(f, "{} +: {count}", self.field),
        }
    }
}

impl<W: Bits> fmt::Debug for RegisterUse<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The registers that an instruction reads, or writes.
pub(super) fn uses<I: Isa>(of: Decoded<I>, count: fn(Access) -> u8) -> impl Iterator<Item = RegisterUse<I::Word>> {
    let tables = I::tables();
    let form = tables.form(of.form);
    let accesses = form.into_iter().flat_map(move |form| tables.accesses(&form, of.word));
    accesses.filter_map(move |access| {
        let field = tables.fields.get(usize::from(access.field))?;
        let count = count(access);
        let field = FieldValue { tables, field, raw: tables.raw(&field, of.word) };
        (count > 0).then_some(RegisterUse { field, count })
    })
}

impl<W: Bits> FieldValue<W> {
    /// Its name: `rd`, or `b.r` for field `r` of operand `b`.
    pub fn name(&self) -> &'static str {
        self.tables.text(self.field.path)
    }

    /// Its bits, as they stand in the word.
    pub fn raw(&self) -> u128 {
        self.raw
    }

    /// The number that the bits stand for: a target is the distance from the instruction. The bits, if it has more than 128.
    fn value(&self) -> Number {
        self.tables.value_of(&self.field, self.raw)
    }

    /// Where it is: `23..16`.
    pub fn bits(&self) -> String {
        alloc::format!("{}", self.tables.shown_bits(&self.field))
    }
}

/// The value as texts have it; a flag as 0 or 1.
impl<W: Bits> fmt::Display for FieldValue<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.field.label {
            FLAG => write!(f, "{}", self.value()),
            _ => crate::text::pad(self.tables, f, |out| self.tables.print_value(&self.field, self.raw, 0, out)),
        }
    }
}

/// `rd: R1`; numbers as numbers, and values without a text as the number that they are.
impl<W: Bits> fmt::Debug for FieldValue<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value();
        match self.field.label {
            NUMBER => write!(f, "{value}"),
            FLAG => write!(f, "{}", value != Number::ZERO),
            _ => {
                let shown = alloc::format!("{self}");
                // The empty text of a default would be nothing to look at.
                if shown.is_empty() { write!(f, "{value}") } else { f.write_str(&shown) }
            }
        }
    }
}

/// `Iadd3 { rd: R1, … }`
#[doc(hidden)]
pub fn debug<I: Isa>(f: &mut fmt::Formatter<'_>, name: &str, of: Decoded<I>) -> fmt::Result {
    let mut out = f.debug_struct(name);
    for field in fields(of) {
        out.field(field.name(), &field);
    }
    out.finish()
}
