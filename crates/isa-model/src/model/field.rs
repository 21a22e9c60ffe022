//! Fields of a form, and bits that are no field.

use super::{BitRange, Bits, Doc, EnumId, Raw, RegisterId};
use crate::describe::described;
use crate::span::Span;
use isa_runtime::value::{Code, Spelling};
use std::sync::Arc;

/// The kind of thing that the number of a field is. It says nothing about bits and texts: these have a code and a spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// A number.
    Number,
    /// A register of a file.
    Register(RegisterId),
    /// A value of an enumeration.
    Enum(EnumId),
    /// One bit.
    Flag,
    /// A set: each bit is a member.
    Set,
}

described! {
    /// A field of a form.
    #[derive(Clone, Debug)]
    pub struct Field {
        /// Its name in the form: `rd`, or `b.r` for field `r` of operand `b`.
        pub path: String,
        /// The last part of the path.
        pub name: String,
        /// The part of the instruction that the field belongs to.
        pub owner: Owner,
        /// Its bits in the word.
        pub bits: Bits,
        /// The way from its bits to its number.
        pub code: Code,
        /// The way from its number to its text, where the template has no other one.
        pub spelling: Arc<Spelling>,
        /// The kind of thing that its number is.
        pub label: Label,
        /// Default, as raw bits.
        pub default: Raw,
        /// True if the spec states the default, so that an instruction can be made without a value.
        pub has_default: bool,
        /// The lines of the documents that describe it.
        pub doc: Doc,
        /// One line of prose.
        pub summary: String,
        /// Prose.
        pub note: String,
        /// The declaration that no effect of the instruction depends on it, though the text shows it.
        pub no_effect: Option<NoEffect>,
        /// Its name in generated Rust, if the specification gives one.
        pub rust_name: Option<String>,
        /// The place of the declaration.
        pub span: Span,
    }

    /// A declaration that no effect of an instruction depends on something that its text shows.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct NoEffect {
        /// The reason.
        pub why: String,
        /// The place of the declaration.
        pub span: Span,
    }
}

/// The part of the instruction that a field of a form belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The instruction (or its format).
    Instruction,
    /// Operand `bind` (index into [`Instruction::binds`](super::Instruction::binds)).
    Bind(usize),
    /// The alternative picked for slot (index into [`Instruction::slots`](super::Instruction::slots)); with the index of the operand bound in it, if any.
    Slot(usize, Option<usize>),
}

described! {
    /// Bits that are not a field.
    #[derive(Clone, Debug)]
    pub struct Plain {
        /// The bits in the word.
        pub bits: BitRange,
        /// Their treatment.
        pub what: PlainKind,
        /// The place of the declaration.
        pub span: Span,
    }
}

/// The treatment of bits that are not a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlainKind {
    /// The machine does not look at them; they are kept.
    Ignored,
    /// The document does not say; they are kept.
    Unknown,
    /// They must be zero.
    Reserved,
}

described! {
    /// A fixed value in a form.
    #[derive(Clone, Debug)]
    pub struct Fixed {
        /// The field's name; empty for bits without one.
        pub name: String,
        /// Its bits in the word.
        pub bits: Bits,
        /// Its value, raw.
        pub value: Raw,
        /// The lines of the documents that describe it.
        pub doc: Doc,
        /// The place where it gets its value.
        pub span: Span,
    }
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

described! {
    /// The type of a field.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct FieldType {
        /// Its name.
        pub name: String,
        /// Its name in generated Rust, if the specification gives one.
        pub rust_name: Option<String>,
        /// The way from its bits to its number.
        pub code: Code,
        /// The way from its number to its text.
        pub spelling: Arc<Spelling>,
        /// The kind of thing that its number is.
        pub label: Label,
        /// A flag that is set by default.
        pub is_set: bool,
    }
}

impl FieldType {
    /// The type of a field of a form.
    pub fn of(field: &Field) -> Self {
        Self {
            name: field.name.clone(),
            rust_name: field.rust_name.clone(),
            code: field.code.clone(),
            spelling: field.spelling.clone(),
            label: field.label,
            is_set: field.label == Label::Flag && field.index(field.default) != 0,
        }
    }
}
