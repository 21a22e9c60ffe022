//! Instructions with the names that programs give to registers.

use super::{Decoded, Isa, ParseError, Parser, unreachable_form};
use crate::engine::Tables;
use crate::engine::read::{Reader, no_symbols};
use crate::engine::tables::NO_PLACE;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// An instruction with the names that a program gives to its registers: the instruction has numbers for them, one for each name.
///
/// Statements are equal if they have the same text.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Statement<I: Isa> {
    insn: I::Insn,
    names: Vec<String>,
}

/// A reason why names don't fit an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadName {
    /// The instruction has a register with this number, but there is no name for it.
    Missing {
        /// The number.
        number: usize,
    },
    /// A register of this file can't have the name.
    NoName {
        /// The number of the register.
        number: usize,
        /// The register file.
        file: &'static str,
    },
    /// The instruction can't be written with these names.
    NoText(ParseError),
}

impl fmt::Display for BadName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { number } => write!(f, "there is no name for register {number}"),
            Self::NoName { number, file } => write!(f, "the name of register {number} is none that registers {file} can have"),
            Self::NoText(why) => why.fmt(f),
        }
    }
}

impl core::error::Error for BadName {}

impl<I: Isa> Statement<I> {
    /// An instruction, and names for the numbers of its registers; names of other numbers don't matter.
    ///
    /// # Errors
    /// If there is no name for a number, or a register can't have its name.
    pub fn new<N: AsRef<str>>(insn: I::Insn, names: &[N]) -> Result<Self, BadName> {
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        let tables = I::tables();
        let Decoded { word, form } = *insn;
        for field in tables.form(form).into_iter().flat_map(|form| tables.fields_of(&form)).filter(|f| f.place != NO_PLACE) {
            let number = tables.raw(&field, word) as usize;
            let name = names.get(number).copied().unwrap_or("");
            if name.is_empty() {
                return Err(BadName::Missing { number });
            }
            if !tables.is_name(field.spelling, name) {
                let file = tables.registers.get(field.of as usize).unwrap_or_default();
                return Err(BadName::NoName { number, file: tables.text(file.name) });
            }
        }
        // The result of reading has one number for each name.
        read(&mut Reader::new(*tables), &shown::<I>(tables, insn, &names)).map_err(BadName::NoText)
    }

    /// The instruction.
    pub fn insn(&self) -> I::Insn {
        self.insn
    }

    /// The name of a register of the instruction; empty for one that it does not have.
    pub fn name(&self, register: impl Into<usize>) -> &str {
        self.names.get(register.into()).map_or("", |name| name)
    }

    /// The instruction, and the names by their numbers.
    pub fn into_parts(self) -> (I::Insn, Vec<String>) {
        (self.insn, self.names)
    }
}

impl<I: Isa> Parser<I> {
    /// The statement of a text: an instruction with the names of its registers.
    ///
    /// # Errors
    /// If the text is not an instruction: the byte at which reading failed, and the reason.
    pub fn parse_statement(&mut self, text: &str) -> Result<Statement<I>, ParseError> {
        read(&mut self.0, text)
    }
}

fn read<I: Isa>(reader: &mut Reader<'static, I::Word>, text: &str) -> Result<Statement<I>, ParseError> {
    let read = reader.read_plain(text, None, 0, &no_symbols)?;
    let insn = I::insn(Decoded { word: read.word, form: read.form });
    Ok(Statement { insn: insn.ok_or_else(|| unreachable_form(read.form))?, names: read.names })
}

fn shown<I: Isa>(tables: &Tables<'_, I::Word>, insn: I::Insn, names: &[&str]) -> String {
    let Decoded { word, form } = *insn;
    let fields = tables.form(form).map_or(0, |form| tables.fields_of(&form).count());
    let longest = names.iter().map(|name| name.len()).max().unwrap_or(0);
    let room = tables.room() + fields * longest;
    crate::text::string(room, |out| tables.print(tables.texts(form).text, word, 0, names, out))
}

impl<I: Isa> core::str::FromStr for Statement<I> {
    type Err = ParseError;

    /// The statement of a text.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        read(&mut Reader::new(*I::tables()), text)
    }
}

impl<I: Isa> fmt::Display for Statement<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        f.pad(&shown::<I>(I::tables(), self.insn, &names))
    }
}

impl<I: Isa> fmt::Debug for Statement<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Statement({self})")
    }
}

impl<I: Isa> From<Statement<I>> for String {
    fn from(statement: Statement<I>) -> Self {
        statement.to_string()
    }
}
