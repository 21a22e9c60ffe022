//! Fields of a form: where their bits are and what they mean; bits that are no field.

use super::{BitRange, Bits, Doc, EnumId, Raw, RegisterId, ones};
use crate::span::Span;

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

/// What the bits of a field mean.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A number: `scale * (raw as signed or not) + bias`; with `target`, relative to the address of the word plus the offset.
    Int {
        /// Two's complement.
        signed: bool,
        /// Factor.
        scale: i64,
        /// Added after scaling.
        bias: i64,
        /// How it prints, if not in the ISA's way.
        radix: Option<Radix>,
        /// What is added, with the address of the word, to print it.
        target: Option<i64>,
    },
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
    /// What it means.
    pub kind: Kind,
    /// The value is all ones minus the bits.
    pub inverted: bool,
    /// A number that may also be written as the one that has these bits with a sign, if this one has none, or without one.
    pub wraps: bool,
    /// A number that prints modulo this power of two, without a sign, and is read from every number that is the same so.
    pub modulo: Option<u32>,
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

/// The value of bits so wide, or the bits of a value: the other of the two where a field is inverted.
pub fn flipped(inverted: bool, width: u32, raw: Raw) -> Raw {
    if inverted { ones(width) - raw } else { raw }
}

impl Field {
    /// The value of its bits, or the bits of its value.
    pub fn flipped(&self, raw: Raw) -> Raw {
        flipped(self.inverted, self.bits.width(), raw)
    }
}

/// The type of a field.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FieldType {
    /// Its name.
    pub name: String,
    /// What it is called in Rust, if the spec says so.
    pub rust_name: Option<String>,
    /// What it means.
    pub kind: Kind,
    /// The value is all ones minus the bits.
    pub inverted: bool,
    /// A flag that is set by default.
    pub is_set: bool,
    /// Bits.
    pub width: u32,
}

impl FieldType {
    /// The type of a field of a form.
    pub fn of(field: &Field) -> Self {
        Self {
            name: field.name.clone(),
            rust_name: field.rust_name.clone(),
            kind: field.kind.clone(),
            inverted: field.inverted,
            is_set: matches!(field.kind, Kind::Flag(_)) && field.flipped(field.default) != 0,
            width: field.bits.width(),
        }
    }
}
