//! Fields of a form, and bits that are no field.

use super::{BitRange, Bits, Doc, EnumId, Raw, RegisterId};
use crate::span::Span;
use isa_runtime::value::Code;

/// How a number prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Radix {
    /// `0x1f`, `-0x1f`
    Hex,
    /// `31`
    Dec,
    /// `31`, with leading zeros up to so many digits
    Padded(u8),
    /// `1.5`: the bits are the high bits of an IEEE 754 number of 16, 32 or 64 bits
    Float(u8),
}

/// The kind of thing that the number of a field is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A number, and how it prints, if not in the ISA's way.
    Number(Option<Radix>),
    /// A register of a file.
    Register(RegisterId),
    /// A value of an enumeration.
    Enum(EnumId),
    /// One bit, printed as this text when set.
    Flag(String),
    /// The letter of every bit that is set, `-` for one that is clear; bit 0 first.
    Bitset(String),
}

/// A field of a form.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name in the form: `rd`, or `b.r` for field `r` of operand `b`.
    pub path: String,
    /// The last part of the path.
    pub name: String,
    /// Who owns it.
    pub owner: Owner,
    /// Where it is.
    pub bits: Bits,
    /// The way from its bits to its number.
    pub code: Code,
    /// The kind of thing that its number is.
    pub kind: Kind,
    /// Default, as raw bits.
    pub default: Raw,
    /// Whether the spec states the default, so that an instruction can be made without a value.
    pub has_default: bool,
    /// Where it stands in the documents.
    pub doc: Doc,
    /// One line of prose.
    pub summary: String,
    /// Prose.
    pub note: String,
    /// What it is called in Rust, if the spec says so.
    pub rust_name: Option<String>,
    /// Where it is declared.
    pub span: Span,
}

/// Who owns a field of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The instruction (or its format).
    Instruction,
    /// Operand `bind` (index into [`Instruction::binds`](super::Instruction::binds)).
    Bind(usize),
    /// The alternative picked for slot (index into [`Instruction::slots`](super::Instruction::slots)); with the index of the operand bound in it, if any.
    Slot(usize, Option<usize>),
}

/// Bits that are not a field.
#[derive(Clone, Debug)]
pub struct Plain {
    /// Which bits.
    pub bits: BitRange,
    /// What about them.
    pub what: PlainKind,
    /// Where it is declared.
    pub span: Span,
}

/// What about bits that are not a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlainKind {
    /// The machine does not look at them; they are kept.
    Ignored,
    /// The document does not say; they are kept.
    Unknown,
    /// They must be zero.
    Reserved,
}

/// A fixed value in a form.
#[derive(Clone, Debug)]
pub struct Fixed {
    /// The field's name; empty for bits without one.
    pub name: String,
    /// Where it is.
    pub bits: Bits,
    /// Its value, raw.
    pub value: Raw,
    /// Where it stands in the documents.
    pub doc: Doc,
    /// Where it is fixed.
    pub span: Span,
}

impl Field {
    /// The number of a register, a value of an enumeration or a flag, or letters as a number, for some bits of the field.
    pub fn index(&self, raw: Raw) -> Raw {
        self.code.value(raw).and_then(|value| value.to_u128()).unwrap_or(raw)
    }

    /// The bits for such a number, if some have it.
    pub fn bits_of(&self, index: Raw) -> Option<Raw> {
        self.code.bits(index.into()).ok()
    }

    /// Returns true if the field is a target: its number is the distance from the word to an address.
    pub fn is_target(&self) -> bool {
        self.code.relative().is_some()
    }
}

/// The type of a field.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FieldType {
    /// Its name.
    pub name: String,
    /// What it is called in Rust, if the spec says so.
    pub rust_name: Option<String>,
    /// The way from its bits to its number.
    pub code: Code,
    /// The kind of thing that its number is.
    pub kind: Kind,
    /// A flag that is set by default.
    pub is_set: bool,
}

impl FieldType {
    /// The type of a field of a form.
    pub fn of(field: &Field) -> Self {
        Self {
            name: field.name.clone(),
            rust_name: field.rust_name.clone(),
            code: field.code.clone(),
            kind: field.kind.clone(),
            is_set: matches!(field.kind, Kind::Flag(_)) && field.index(field.default) != 0,
        }
    }
}
