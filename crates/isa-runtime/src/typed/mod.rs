//! Typed instructions: the library of generated modules.
//!
//! A generated module declares its types with the macros of `macros`, each a few lines; everything else is here, once for all
//! instruction sets:
//!
//! - [`Isa`] and [`Instruction`]: the traits for generic code;
//! - [`Decoded`]: the methods of all instructions;
//! - [`Draft`]: an instruction that is being built or changed;
//! - [`statement`]: instructions with the names that programs give to registers;
//! - [`stream`]: instructions in bytes.
//!
//! The modules `expanded`, `form` and `member` are hidden: only generated code uses them, and they may change in any version.

mod decoded;
pub mod draft;
#[doc(hidden)]
pub mod expanded;
pub mod fields;
#[doc(hidden)]
pub mod form;
mod macros;
#[doc(hidden)]
pub mod member;
pub mod names;
pub mod statement;
pub mod stream;

use crate::engine::read::{Reader, no_symbols};
use crate::engine::{Bits, Tables};
use crate::why::{ReadError, Why, Wrong};
use alloc::boxed::Box;
use core::fmt;
use core::hash::Hash;
use core::ops::Deref;
pub use decoded::{At, Decoded};
pub use draft::{Draft, Illegal, Operand};
pub use fields::{FieldKind, FieldValue, Register, RegisterUse};
pub use member::Maybe;

/// An instruction set.
///
/// A generated module has a type `Isa` without values that implements it.
pub trait Isa: Copy + fmt::Debug + Eq + Hash + Ord + Send + Sync + 'static {
    /// The word: the smallest of `u32`, `u64`, `u128` and `U256` that holds the longest instruction.
    type Word: Bits;
    /// The enum of its instructions.
    type Insn: Instruction<Isa = Self>;
    /// The result of decoding a word.
    type Form: Copy + fmt::Debug + Eq + Hash + Ord + Send + Sync + 'static;
    /// Its name in the specification.
    const NAME: &'static str;

    /// All forms, in declared order.
    fn forms() -> &'static [Self::Form];

    /// The instruction of a decoded word; `None` if no instruction has its form.
    #[doc(hidden)]
    fn insn(decoded: Decoded<Self>) -> Option<Self::Insn>;

    /// The expansions of its forms, in the order of the forms' numbers.
    #[doc(hidden)]
    fn expansions() -> &'static [expanded::Expansion] {
        &[]
    }

    /// Its tables.
    fn tables() -> &'static Tables<'static, Self::Word>;

    /// Decodes a word. If words have several lengths, the first unit of the word determines its length.
    ///
    /// # Errors
    /// If the word is not an instruction.
    #[inline]
    fn decode(word: Self::Word) -> Result<Self::Insn, DecodeError<Self>> {
        let tables = Self::tables();
        let bits = tables.length_of_word(word).unwrap_or(0);
        Self::decode_bits(word, bits)
    }

    /// Decodes a word of `bits` bits.
    ///
    /// # Errors
    /// If the word is not an instruction.
    #[inline]
    fn decode_bits(word: Self::Word, bits: u32) -> Result<Self::Insn, DecodeError<Self>> {
        let found = Self::tables().find_form(word, bits).and_then(|form| Self::insn(Decoded { word, form }));
        found.ok_or(DecodeError { word, bits })
    }

    /// Parses the text of an instruction at an address. A [`Parser`] is faster for many texts.
    ///
    /// # Errors
    /// If the text is not an instruction: the byte at which reading failed, and the reason.
    fn parse(text: &str, address: u64) -> Result<Self::Insn, ParseError> {
        Parser::<Self>::new().parse(text, address)
    }
}

/// An instruction: of a single kind, such as `Iadd3`, or any of an instruction set, `Insn`. [`Decoded`] has the methods of all of
/// them.
pub trait Instruction:
    Copy
    + Deref<Target = Decoded<<Self as Instruction>::Isa>>
    + fmt::Debug
    + fmt::Display
    + Eq
    + Hash
    + Ord
    + Send
    + Sync
    + TryFrom<<<Self as Instruction>::Isa as Isa>::Insn>
    + 'static
{
    /// The instruction set.
    type Isa: Isa;

    /// The instruction that results from a draft.
    #[doc(hidden)]
    fn of_checked(checked: draft::Checked<Self>) -> Option<Self>;
}

/// The instruction as one of a kind, if it is of that kind.
#[doc(hidden)]
#[inline(always)]
pub fn of_kind<T: Instruction>(insn: &<T::Isa as Isa>::Insn) -> Option<T> {
    T::try_from(*insn).ok()
}

/// The error for a word that is not an instruction. The reason is computed on request.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct DecodeError<I: Isa> {
    /// The word.
    pub word: I::Word,
    /// The length in bits that was assumed.
    pub bits: u32,
}

impl<I: Isa> DecodeError<I> {
    /// The reason, and the form that it is about.
    #[cold]
    pub fn why(&self) -> Why<'static> {
        I::tables().refusal(self.word, self.bits)
    }
}

impl<I: Isa> fmt::Display for DecodeError<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.why().fmt(f)
    }
}

impl<I: Isa> fmt::Debug for DecodeError<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DecodeError({:?} of {} bits: {self})", self.word, self.bits)
    }
}

impl<I: Isa> core::error::Error for DecodeError<I> {}

/// The error for a text that is not an instruction.
pub type ParseError = Box<ReadError<'static>>;

/// Reads texts, with state that is prepared once.
#[derive(Debug)]
pub struct Parser<I: Isa>(Reader<'static, I::Word>);

impl<I: Isa> Parser<I> {
    /// A parser of the instruction set.
    pub fn new() -> Self {
        Self(Reader::new(*I::tables()))
    }

    /// Parses the text of an instruction at an address.
    ///
    /// # Errors
    /// If the text is not an instruction: the byte at which reading failed, and the reason.
    pub fn parse(&mut self, text: &str, address: u64) -> Result<I::Insn, ParseError> {
        let read = self.0.read_plain(text, None, address, &no_symbols)?;
        let decoded = Decoded { word: read.word, form: read.form };
        I::insn(decoded).ok_or_else(|| unreachable_form(read.form))
    }
}

impl<I: Isa> Default for Parser<I> {
    fn default() -> Self {
        Self::new()
    }
}

/// The error for a form without a type: tables and types of one module have the same forms.
#[cold]
fn unreachable_form(form: u16) -> ParseError {
    Box::new(ReadError { at: 0, wrong: Wrong::NoType { form: form.into() } })
}
