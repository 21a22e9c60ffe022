//! Bodies whose names are values given by a statement of a program, and not fields of a word.

use super::reference::Reference;
use isa_spec::model::Isa;
use isa_spec::semantics::int::Int;
use isa_spec::semantics::{Is, Machine, MeaningFault, Referent, Scope, Semantics, elaborate, typed};

/// The value that a statement gives to a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// The register of a file, by its number there.
    Register(usize, usize),
    /// A number and its width in bits, with a sign.
    Number(i64, u32),
    /// One of some words, by its place.
    Word(usize, Vec<String>),
}

impl Reference<'_> {
    /// Elaborates a body, with the values of its names.
    ///
    /// # Errors
    /// If names are unknown or widths do not agree.
    pub fn body(&self, semantics: &Semantics, given: &[(String, Given)]) -> Result<typed::Body, Vec<MeaningFault>> {
        elaborate(&semantics.body, &Names { isa: self.isa, given })
    }
}

struct Names<'a> {
    isa: &'a Isa,
    given: &'a [(String, Given)],
}

impl Names<'_> {
    fn given(&self, path: &str) -> Option<&Given> {
        self.given.iter().find(|(name, _)| name == path).map(|(_, given)| given)
    }
}

impl Scope for Names<'_> {
    fn machine(&self) -> &Machine {
        &self.isa.machine
    }

    fn name(&self, path: &str) -> Option<Referent> {
        let constant = |value: u128, width: u32, signed: bool| Referent::Constant { value: Int::from(value), width, signed };
        Some(match self.given(path) {
            Some(Given::Register(file, number)) => constant(*number as u128, self.isa.registers[*file].index, false),
            Some(Given::Number(number, width)) => {
                constant(u128::from(*number as u64) & (u128::MAX >> (128 - width)), *width, true)
            }
            Some(Given::Word(place, words)) => constant(*place as u128, usize::BITS - words.len().leading_zeros(), false),
            None => {
                let file = self.isa.registers.iter().position(|file| file.name == path)?;
                let registers = &self.isa.registers[file];
                Referent::Registers { file, index: registers.index, width: registers.width }
            }
        })
    }

    fn is(&self, _: &str, _: &str) -> Is {
        Is::NoSlot
    }

    fn texts(&self, path: &str) -> Option<Vec<(String, Int)>> {
        match self.given(path)? {
            Given::Word(_, words) => {
                Some(words.iter().enumerate().map(|(place, word)| (word.clone(), Int::from(place as u128))).collect())
            }
            Given::Register(file, _) => {
                let special = self.isa.registers[*file].special.iter();
                Some(special.map(|(number, name)| (name.clone(), Int::from(*number))).collect())
            }
            Given::Number(..) => None,
        }
    }

    fn names(&self) -> Vec<String> {
        let given = self.given.iter().map(|(name, _)| name.clone());
        given.chain(self.isa.registers.iter().map(|file| file.name.clone())).collect()
    }
}
