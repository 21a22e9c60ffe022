//! The fields of an instruction of any type.

use super::{Decoded, Isa};
use crate::engine::tables::{Access, ENUM, FLAG, Field, Form, NUMBER, REGISTER, SET};
use crate::engine::{Bits, Tables};
use crate::value::{Number, Step};
use core::fmt;

/// A field of an instruction, with its value.
#[derive(Clone, Copy)]
pub struct FieldValue<W: Bits> {
    tables: &'static Tables<'static, W>,
    field: Field,
    raw: u128,
    default: u128,
}

/// The kind of the number of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FieldKind {
    /// A plain number.
    Number,
    /// A place in the program: [`FieldValue::target`] is its address.
    Target,
    /// A register.
    Register,
    /// A value of an enumeration.
    Value,
    /// One bit that is set, or not.
    Flag,
    /// A set: each bit is a member.
    Set,
}

/// A register of any file. For a file `R` of a module, `R::R5.register()` gives one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Register {
    /// The name of its file in the specification. Registers of a file that is a part of another one count as registers of that
    /// other file.
    pub file: &'static str,
    /// Its number in that file.
    pub number: u128,
}

/// `R5`: file and number.
impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file, self.number)
    }
}

fn values<W: Bits, F: Iterator<Item = Field>>(
    tables: &'static Tables<'static, W>,
    number: u16,
    word: W,
    of: impl Fn(&Form<W>) -> F,
) -> impl Iterator<Item = FieldValue<W>> {
    let form = tables.form(number);
    let fields = form.into_iter().flat_map(move |form| of(&form).map(move |field| (form.default, field)));
    fields.map(move |(default, field)| FieldValue::new(tables, field, word, default))
}

pub(super) fn fields<I: Isa>(of: Decoded<I>) -> impl Iterator<Item = FieldValue<I::Word>> {
    let tables = I::tables();
    values(tables, of.form, of.word, |form| tables.fields_of(form))
}

/// The fields of its operands, in the order of the text.
pub(super) fn operands<I: Isa>(of: Decoded<I>) -> impl Iterator<Item = FieldValue<I::Word>> {
    let tables = I::tables();
    values(tables, of.form, of.word, |form| tables.operands_of(form))
}

/// Consecutive registers that an instruction reads or writes.
#[derive(Clone, Copy)]
pub struct RegisterUse<W: Bits> {
    /// The field that names the first one.
    pub field: FieldValue<W>,
    /// The number of registers.
    pub count: u8,
}

impl<W: Bits> RegisterUse<W> {
    /// The registers, beginning with the one that the field names.
    pub fn registers(&self) -> impl Iterator<Item = Register> + use<W> {
        let first = self.field.register();
        let register = move |n| first.map(|first| Register { number: first.number.wrapping_add(n), ..first });
        (0..self.count.into()).filter_map(register)
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
        let field = FieldValue::new(tables, field, of.word, form?.default);
        (count > 0).then_some(RegisterUse { field, count })
    })
}

impl<W: Bits> FieldValue<W> {
    fn new(tables: &'static Tables<'static, W>, field: Field, word: W, default: W) -> Self {
        let [raw, default] = [word, default].map(|word| tables.raw(&field, word));
        Self { tables, field, raw, default }
    }

    /// Its name: `rd`, or `b.r` for field `r` of operand `b`.
    pub fn name(&self) -> &'static str {
        self.tables.text(self.field.path)
    }

    /// Its bits, as they are in the word.
    pub fn raw(&self) -> u128 {
        self.raw
    }

    /// The kind of its number.
    pub fn kind(&self) -> FieldKind {
        match self.field.label {
            FLAG => FieldKind::Flag,
            REGISTER => FieldKind::Register,
            ENUM => FieldKind::Value,
            SET => FieldKind::Set,
            _ if self.tables.steps_of(&self.field).any(|step| matches!(step, Step::Relative(_))) => FieldKind::Target,
            _ => FieldKind::Number,
        }
    }

    /// The address that it leads to from an instruction at `address`, if it is a target.
    pub fn target(&self, address: u64) -> Option<u64> {
        let is_target = self.kind() == FieldKind::Target;
        is_target.then(|| self.tables.shown(&self.field, self.raw, address).low() as u64)
    }

    /// The number of the bits; for a target, the distance from the place where the specification counts it. The bits, if it has
    /// more than 128.
    pub fn number(&self) -> Number {
        self.tables.value_of(&self.field, self.raw)
    }

    /// The register, if it is one.
    pub fn register(&self) -> Option<Register> {
        let file = self.tables.registers.get(self.field.of as usize).filter(|_| self.field.label == REGISTER)?;
        let number = self.number().low().wrapping_add(file.from.into());
        Some(Register { file: self.tables.text(file.of), number })
    }

    /// Returns true if it is at its default, or 0 if it has none.
    pub fn is_default(&self) -> bool {
        self.raw == self.default
    }

    /// Its bits: the highest and the lowest one of each part, the high part first.
    pub fn ranges(&self) -> impl Iterator<Item = (u8, u8)> + use<W> {
        self.tables.ranges.slice(self.field.ranges).iter().map(|range| (range.hi, range.lo))
    }

    /// The same, for display: `23..16`.
    pub fn bits(&self) -> impl fmt::Display + use<W> {
        self.tables.shown_bits(&self.field)
    }
}

/// The value as texts show it; a flag as 0 or 1.
impl<W: Bits> fmt::Display for FieldValue<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.field.label {
            FLAG => write!(f, "{}", self.number()),
            _ => crate::text::pad(self.tables, f, |out| self.tables.print_value(&self.field, self.raw, 0, out)),
        }
    }
}

/// `rd: R1`; numbers as numbers, and values without a text as their number.
impl<W: Bits> fmt::Debug for FieldValue<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.number();
        match self.field.label {
            NUMBER => write!(f, "{value}"),
            FLAG => write!(f, "{}", value != Number::ZERO),
            _ => {
                let shown = alloc::format!("{self}");
                // The empty text of a default would not be visible.
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
