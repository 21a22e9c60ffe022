//! Typed instructions: what generated modules are made of.
//!
//! A generated module declares its types with the macros of `macros`, each a few lines; everything else is here, once for all
//! instruction sets:
//!
//! - [`Isa`] and [`Instruction`]: what code can be generic over;
//! - [`Decoded`]: a word with its form;
//! - [`Draft`]: an instruction that is being built or changed;
//! - [`statement`]: instructions with the names that programs give to registers;
//! - [`stream`]: instructions in bytes.
//!
//! The modules `form` and `member` are hidden: only generated code uses them, and they may change in any version.

mod decoded;
pub mod draft;
pub mod fields;
#[doc(hidden)]
pub mod form;
mod macros;
#[doc(hidden)]
pub mod member;
pub mod names;
pub mod statement;
pub mod stream;

use crate::engine::read::{ReadError, Reader, no_labels};
use crate::engine::refusal::{Reason, Refusal};
use crate::engine::tables::{Rows, Texts};
use crate::engine::{Bits, Tables};
use crate::text::TextBuf;
use alloc::boxed::Box;
use core::fmt;
use core::hash::Hash;
pub use decoded::Decoded;
pub use draft::{Draft, Illegal};
pub use fields::{FieldValue, RegisterUse};

/// An instruction set.
///
/// A generated module has a type `Isa` without values that implements it.
pub trait Isa: Copy + fmt::Debug + Eq + Hash + Ord + Send + Sync + 'static {
    /// The word: the smallest of `u32`, `u64`, `u128` and `U256` that holds the longest instruction.
    type Word: Bits;
    /// Any of its instructions.
    type Insn: Instruction<Isa = Self>;
    /// Its name in the specification.
    const NAME: &'static str;

    /// Its tables.
    fn tables() -> &'static Tables<'static, Self::Word>;

    /// The instruction that a word is. Where words have several lengths, the first unit of the word says its length.
    ///
    /// # Errors
    /// When it is none.
    #[inline]
    fn decode(word: Self::Word) -> Result<Self::Insn, DecodeError<Self>> {
        let tables = Self::tables();
        let bits = tables.length_of_word(word).unwrap_or(0);
        Self::decode_bits(word, bits)
    }

    /// The instruction that a word of so many bits is.
    ///
    /// # Errors
    /// When it is none.
    #[inline]
    fn decode_bits(word: Self::Word, bits: u32) -> Result<Self::Insn, DecodeError<Self>> {
        let found = Self::tables().find_form(word, bits).and_then(|form| Self::Insn::from_decoded(Decoded { word, form }));
        found.ok_or(DecodeError { word, bits })
    }

    /// The instruction that a text stands for, at an address. A [`Parser`] is faster where there are many.
    ///
    /// # Errors
    /// When it is none: at which byte, and why.
    fn parse(text: &str, address: u64) -> Result<Self::Insn, ParseError> {
        Parser::<Self>::new().parse(text, address)
    }
}

/// The word of an instruction set.
pub type WordOf<I> = <<I as Instruction>::Isa as Isa>::Word;

/// An instruction: one of a single kind, such as `Iadd3`, or any of an instruction set, `Insn`.
pub trait Instruction: Copy + fmt::Debug + Eq + Hash + Ord + Send + Sync + 'static {
    /// The instruction set.
    type Isa: Isa;

    /// Its word and form.
    fn decoded(self) -> Decoded<WordOf<Self>>;

    /// The instruction that a decoded word is; `None` if the form is another instruction's.
    #[doc(hidden)]
    fn from_decoded(decoded: Decoded<WordOf<Self>>) -> Option<Self>;

    /// The mnemonic, without what follows it.
    fn mnemonic(self) -> &'static str {
        form::mnemonic(Self::Isa::tables(), self.decoded().form)
    }

    /// Bits of the word.
    fn length(self) -> u32 {
        let form = Self::Isa::tables().form(self.decoded().form);
        form.map_or(0, |form| form.length.into())
    }

    /// The instruction with its address, to be shown: targets are relative to it.
    fn at(self, address: u64) -> At<Self> {
        At { insn: self, address }
    }

    /// Its fields, in declared order.
    fn fields(self) -> impl Iterator<Item = FieldValue<WordOf<Self>>> {
        fields::fields(Self::Isa::tables(), self.decoded())
    }

    /// The registers that it reads, of those that its fields name, the guard included; none where the specification does not say it.
    fn reads(self) -> impl Iterator<Item = RegisterUse<WordOf<Self>>> {
        fields::uses(Self::Isa::tables(), self.decoded(), |access| access.reads)
    }

    /// The registers that it writes, of those that its fields name; none where the specification does not say it.
    fn writes(self) -> impl Iterator<Item = RegisterUse<WordOf<Self>>> {
        fields::uses(Self::Isa::tables(), self.decoded(), |access| access.writes)
    }

    /// Appends the text of the instruction, which stands at `address`.
    #[inline]
    fn push_text<const N: usize>(self, address: u64, out: &mut TextBuf<N>) {
        push(self, |texts| texts.text, address, out);
    }

    /// Appends what the text leaves out, as the specification's `full` template says; perhaps nothing.
    fn push_full<const N: usize>(self, address: u64, out: &mut TextBuf<N>) {
        push(self, |texts| texts.full, address, out);
    }
}

#[inline]
fn push<I: Instruction, const N: usize>(insn: I, ops: impl Fn(Texts) -> Rows, address: u64, out: &mut TextBuf<N>) {
    let Decoded { word, form } = insn.decoded();
    let tables = I::Isa::tables();
    out.append(|out| tables.print(ops(tables.texts(form)), word, address, &[], out));
}

/// An instruction at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct At<I> {
    /// The instruction.
    pub insn: I,
    /// Where it stands.
    pub address: u64,
}

impl<I: Instruction> fmt::Display for At<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Decoded { word, form } = self.insn.decoded();
        let tables = I::Isa::tables();
        crate::text::pad(tables, f, |out| tables.print(tables.texts(form).text, word, self.address, &[], out))
    }
}

/// Why a word is not an instruction. The reason is looked for when it is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct DecodeError<I: Isa> {
    /// The word.
    pub word: I::Word,
    /// The bits that it was said to have.
    pub bits: u32,
}

impl<I: Isa> DecodeError<I> {
    /// What is wrong, and with which form.
    #[cold]
    pub fn explain(&self) -> Refusal {
        I::tables().refusal(self.word, self.bits)
    }

    /// What is wrong.
    pub fn reason(&self) -> Reason {
        self.explain().reason
    }
}

impl<I: Isa> fmt::Display for DecodeError<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.explain().fmt(f)
    }
}

impl<I: Isa> fmt::Debug for DecodeError<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DecodeError({:?} of {} bits: {self})", self.word, self.bits)
    }
}

impl<I: Isa> core::error::Error for DecodeError<I> {}

/// Why a text is not an instruction.
pub type ParseError = Box<ReadError>;

/// Reads texts: what it needs is made once.
#[derive(Debug)]
pub struct Parser<I: Isa>(Reader<'static, I::Word>);

impl<I: Isa> Parser<I> {
    /// A parser of the instruction set.
    pub fn new() -> Self {
        Self(Reader::new(*I::tables()))
    }

    /// The instruction that a text stands for, at an address.
    ///
    /// # Errors
    /// When it is none: at which byte, and why.
    pub fn parse(&mut self, text: &str, address: u64) -> Result<I::Insn, ParseError> {
        let read = self.0.read_plain(text, None, address, &no_labels)?;
        let decoded = Decoded { word: read.word, form: read.form };
        I::Insn::from_decoded(decoded).ok_or_else(|| unreachable_form(read.form))
    }
}

impl<I: Isa> Default for Parser<I> {
    fn default() -> Self {
        Self::new()
    }
}

/// Tables and types of one module have the same forms.
#[cold]
fn unreachable_form(form: u16) -> ParseError {
    Box::new(ReadError { at: 0, message: alloc::format!("form {form} has no type") })
}
