//! Register files and the names of registers.

use super::{Doc, Raw, RegisterId, ones};
use crate::describe::described;
use crate::semantics::Machine;
use crate::span::Span;
use isa_runtime::machine as info;
use isa_runtime::value::{Name, Names, Numbered, Other, Role, Spelling};
use std::sync::Arc;

described! {
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
        /// The characters before the number: `R`.
        pub prefix: String,
        /// The characters after it.
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
        /// The texts of its registers, made of the above.
        pub spelling: Arc<Spelling>,
        /// The registers are some of another file.
        pub part_of: Option<PartOf>,
        /// A warp has them once, and not each lane.
        pub of_warp: bool,
        /// The register that reads as zero.
        pub zero: Option<Raw>,
        /// The register that reads as all ones.
        pub one: Option<Raw>,
        /// One line.
        pub summary: String,
        /// The lines of the documents that describe it.
        pub doc: Doc,
        /// The place of the declaration.
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
}

impl RegisterFile {
    /// The file as programs are run with it, on a machine.
    pub(crate) fn info(&self, machine: &Machine) -> info::RegistersInfo {
        let number = |index: Option<u128>| index.and_then(|i| u32::try_from(i).ok()).map(|i| i as usize);
        let is_numbered = self.halves.is_none() && self.names.is_none();
        let named = |((index, text), also): (&(Raw, String), bool)| {
            Some(info::RegisterName { text: text.clone(), number: u32::try_from(*index).ok()?, also })
        };
        info::RegistersInfo {
            name: self.name.clone(),
            width: self.width,
            count: u32::try_from(self.end()).unwrap_or(u32::MAX) as usize,
            zero: number(self.zero),
            one: number(self.one),
            is_view: self.part_of.is_some() || machine.views.iter().any(|v| v.name == self.name),
            // Halves and names that programs give are no names of registers.
            prefix: if is_numbered { self.prefix.clone() } else { String::new() },
            suffix: if is_numbered { self.suffix.clone() } else { String::new() },
            names: self
                .special
                .iter()
                .map(|name| (name, false))
                .chain(self.also.iter().map(|name| (name, true)))
                .filter_map(named)
                .collect(),
        }
    }

    /// The file with the texts of its registers.
    #[must_use]
    pub fn spelt(self) -> Self {
        let own = self.special.iter().map(|(number, text)| Name::new(*number, text));
        let also = self.also.iter().map(|(number, text)| Name { role: Role::Read, ..Name::new(*number, text) });
        let numbered = (self.count > 0).then(|| Numbered {
            before: self.prefix.clone(),
            is_hex: false,
            halves: self.halves.clone(),
            after: self.suffix.clone(),
            end: Some(self.count),
        });
        let other = numbered.map(|numbered| match &self.names {
            Some(names) => Other::Given { names: names.clone(), example: numbered },
            None => Other::Numbered(numbered),
        });
        Self { spelling: Arc::new(Spelling::part(own.chain(also).collect(), other)), ..self }
    }

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
    /// True if every index is a register.
    pub fn is_total(&self) -> bool {
        (0..=ones(self.index)).rev().take_while(|i| *i >= self.count).all(|i| self.special.iter().any(|s| s.0 == i))
    }
}

/// The greatest number of registers with names of their own that an instruction can have.
pub const MAX_NAMES: usize = 16;
