//! The methods that all instructions have.

use super::fields::{self, FieldValue, RegisterUse};
use super::{Isa, expanded, form};
use crate::engine::tables::{Rows, Texts};
use crate::text::{Full, TextBuf};
use core::fmt;

/// An instruction of any kind: a word and its form.
///
/// `Insn` and the types of single instructions dereference to it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Decoded<I: Isa> {
    pub(super) word: I::Word,
    pub(super) form: u16,
}

impl<I: Isa> Decoded<I> {
    /// The word.
    #[inline]
    pub fn word(&self) -> I::Word {
        self.word
    }

    /// The form, which contains the chosen alternatives.
    #[inline]
    pub fn form(&self) -> I::Form {
        // Only the engine produces numbers of forms, from the tables of the same module.
        let forms = I::forms();
        forms.get(usize::from(self.form)).copied().unwrap_or(forms[0])
    }

    /// The number of the form.
    #[doc(hidden)]
    #[inline(always)]
    pub fn number(&self) -> u16 {
        self.form
    }

    /// Bits of the word.
    pub fn length(&self) -> u32 {
        I::tables().form(self.form).map_or(0, |form| form.length.into())
    }

    /// The mnemonic, without its suffixes.
    pub fn mnemonic(&self) -> &'static str {
        form::mnemonic(I::tables(), self.form)
    }

    /// The instruction with its address, for display: targets are relative to it.
    pub fn at(&self, address: u64) -> At<I> {
        At { insn: *self, address }
    }

    /// The instruction that it expands to according to the specification (`expands`): the long one for a compressed instruction.
    /// `None` if it does not expand.
    pub fn expanded(&self) -> Option<I::Insn> {
        expanded::expanded(*self)
    }

    /// Its fields, in declared order.
    pub fn fields(&self) -> impl Iterator<Item = FieldValue<I::Word>> + use<I> {
        fields::fields(*self)
    }

    /// The fields that its text without aliases can show, in the order of the text; the further fields of an operand, such as a
    /// sign, follow its first. Instructions of one form have the same ones.
    pub fn operands(&self) -> impl Iterator<Item = FieldValue<I::Word>> + use<I> {
        fields::operands(*self)
    }

    /// The registers that it reads, among those that its fields name, the guard included; none if the specification does not
    /// declare them.
    pub fn reads(&self) -> impl Iterator<Item = RegisterUse<I::Word>> + use<I> {
        fields::uses(*self, |access| access.reads)
    }

    /// The registers that it writes, among those that its fields name; none if the specification does not declare them.
    pub fn writes(&self) -> impl Iterator<Item = RegisterUse<I::Word>> + use<I> {
        fields::uses(*self, |access| access.writes)
    }

    /// Appends the text of the instruction at `address`.
    ///
    /// # Errors
    /// When the buffer has no room for it; an empty `TextBuf` of the module always has room.
    #[inline]
    pub fn push_text<const N: usize>(&self, address: u64, out: &mut TextBuf<N>) -> Result<(), Full> {
        self.push(|texts| texts.text, address, out)
    }

    /// Appends the additions of the specification's `full` template to the text; perhaps nothing.
    ///
    /// # Errors
    /// When the buffer has no room for it; a `TextBuf` of the module has room if it is empty or contains the instruction's text.
    pub fn push_full<const N: usize>(&self, address: u64, out: &mut TextBuf<N>) -> Result<(), Full> {
        self.push(|texts| texts.full, address, out)
    }

    #[inline]
    fn push<const N: usize>(&self, ops: impl Fn(Texts) -> Rows, address: u64, out: &mut TextBuf<N>) -> Result<(), Full> {
        let tables = I::tables();
        out.append(|out| tables.print(ops(tables.texts(self.form)), self.word, address, &[], out))
    }
}

/// The text at address 0.
impl<I: Isa> fmt::Display for Decoded<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.at(0).fmt(f)
    }
}

/// The name in the specification, and the fields: `iadd3 { rd: R1, … }`.
impl<I: Isa> fmt::Debug for Decoded<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fields::debug(f, form::insn_name(I::tables(), self.form), *self)
    }
}

/// An instruction at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct At<I: Isa> {
    /// The instruction.
    pub insn: Decoded<I>,
    /// Its address.
    pub address: u64,
}

impl<I: Isa> fmt::Display for At<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Decoded { word, form } = self.insn;
        let tables = I::tables();
        crate::text::pad(tables, f, |out| tables.print(tables.texts(form).text, word, self.address, &[], out))
    }
}
