//! Register files and the names of registers.

use super::{Doc, Raw, RegisterId, ones};
use crate::span::Span;

/// A register file.
#[derive(Clone, Debug)]
pub struct RegisterFile {
    /// Its name in the spec.
    pub name: String,
    /// Bits that number a register.
    pub index: u32,
    /// Bits of one register.
    pub width: u32,
    /// Registers are numbered 0…count-1; special names may lie outside.
    pub count: u128,
    /// What stands before the number: `R`.
    pub prefix: String,
    /// What stands after it.
    pub suffix: String,
    /// For halves of registers: names of the low and the high half; the number is the index without its low bit.
    pub halves: Option<[String; 2]>,
    /// Registers with names of their own.
    pub special: Vec<(Raw, String)>,
    /// Other names of registers, which are read and never printed.
    pub also: Vec<(Raw, String)>,
    /// Registers are called what a program calls them: these names. A number then is that of a name in its instruction
    /// ([`Named`](super::Named)), and [`RegisterFile::name_of`] gives names for examples.
    pub names: Option<Names>,
    /// The registers are some of another file.
    pub part_of: Option<PartOf>,
    /// The register that reads as zero.
    pub zero: Option<Raw>,
    /// The register that reads as all ones.
    pub one: Option<Raw>,
    /// One line.
    pub summary: String,
    /// Where it stands in the documents.
    pub doc: Doc,
    /// Where it is declared.
    pub span: Span,
}

/// Consecutive registers of a file, which are a file of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartOf {
    /// The file that has them.
    pub file: RegisterId,
    /// The number that the first of them has there.
    pub from: u32,
}

impl RegisterFile {
    /// The register's name, if there is such a register.
    pub fn name_of(&self, index: Raw) -> Option<String> {
        if let Some((_, name)) = self.special.iter().find(|(i, _)| *i == index) {
            return Some(name.clone());
        }
        if index >= self.count {
            return None;
        }
        Some(match &self.halves {
            Some(h) => format!("{}{}{}{}", self.prefix, index >> 1, h[(index & 1) as usize], self.suffix),
            None => format!("{}{}{}", self.prefix, index, self.suffix),
        })
    }
    /// The number after the last register, those with names of their own included.
    pub fn end(&self) -> u128 {
        self.special.iter().map(|s| s.0.saturating_add(1)).max().unwrap_or(0).max(self.count)
    }
    /// Whether every index is a register.
    pub fn is_total(&self) -> bool {
        (0..=ones(self.index)).rev().take_while(|i| *i >= self.count).all(|i| self.special.iter().any(|s| s.0 == i))
    }
}

/// How many registers of any name an instruction can have.
pub const MAX_NAMES: usize = 16;

/// The names that registers can have: any of these rows of parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names(pub Vec<Vec<NamePart>>);

/// A part of a name, which takes as many characters as it can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamePart {
    /// ASCII characters, one bit each.
    pub of: u128,
    /// Whether it can be missing (`*`).
    pub may_be_missing: bool,
    /// Whether there can be several (`*`, `+`).
    pub repeats: bool,
}

impl Names {
    /// Bytes of the longest name that the text begins with.
    pub fn longest(&self, text: &str) -> Option<usize> {
        let length = |parts: &Vec<NamePart>| {
            parts.iter().try_fold(0, |at, part| {
                let most = if part.repeats { usize::MAX } else { 1 };
                let count = text.bytes().skip(at).take(most).take_while(|b| b.is_ascii() && part.of >> b & 1 == 1).count();
                (count > 0 || part.may_be_missing).then_some(at + count)
            })
        };
        self.0.iter().filter_map(length).max()
    }

    /// The characters that a name can begin with, one bit each.
    pub fn begins(&self) -> u128 {
        let begins = |parts: &Vec<NamePart>| {
            let needed = parts.iter().position(|p| !p.may_be_missing).map_or(parts.len(), |i| i + 1);
            parts[..needed].iter().fold(0, |set, p| set | p.of)
        };
        self.0.iter().fold(0, |set, parts| set | begins(parts))
    }

    /// The characters that a name can go on with, one bit each.
    pub fn goes_on(&self) -> u128 {
        self.0.iter().fold(0, |set, parts| {
            let first = parts.first().filter(|p| p.repeats).map_or(0, |p| p.of);
            parts.iter().skip(1).fold(set | first, |set, p| set | p.of)
        })
    }
}

/// As they are written in a specification: `[A-Za-z][0-9A-Za-z]*, %[a-z]+`.
impl std::fmt::Display for Names {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, parts) in self.0.iter().enumerate() {
            f.write_str(if i > 0 { ", " } else { "" })?;
            parts.iter().try_for_each(|part| part.fmt(f))?;
        }
        Ok(())
    }
}

impl std::fmt::Display for NamePart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let character = |bit: u32| char::from(bit as u8);
        if self.of.count_ones() == 1 {
            write!(f, "{}", character(self.of.trailing_zeros()))?;
        } else {
            f.write_str("[")?;
            let mut rest = self.of;
            while rest != 0 {
                let first = rest.trailing_zeros();
                let last = first + (rest >> first).trailing_ones() - 1;
                match last - first {
                    0 => write!(f, "{}", character(first))?,
                    1 => write!(f, "{}{}", character(first), character(last))?,
                    _ => write!(f, "{}-{}", character(first), character(last))?,
                }
                rest = if last >= 127 { 0 } else { rest >> (last + 1) << (last + 1) };
            }
            f.write_str("]")?;
        }
        f.write_str(match (self.may_be_missing, self.repeats) {
            (true, _) => "*",
            (false, true) => "+",
            (false, false) => "",
        })
    }
}
