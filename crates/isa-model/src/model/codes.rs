//! Codes that a specification declares.

use super::{Doc, Isa};
use crate::describe::described;
use crate::span::Span;
use isa_runtime::value::{Code, Map, Step};
use std::sync::Arc;

described! {
    /// A code that a specification defines by a function from bits to a number.
    #[derive(Clone, Debug)]
    pub struct NumberCode {
        /// Its name in the spec.
        pub name: String,
        /// The number of bits.
        pub width: u32,
        /// The numbers of its bits.
        pub numbers: Numbers,
        /// The functions that compute them, as they are written.
        pub source: String,
        /// One line.
        pub summary: String,
        /// The lines of the documents that describe it.
        pub doc: Doc,
        /// The place of the declaration.
        pub span: Span,
    }
}

/// The numbers of the bits of a code.
#[derive(Clone, Debug)]
pub enum Numbers {
    /// A list of all bits that have a number.
    Listed(Arc<Map>),
    /// Each is that of as many bits, by steps that can be undone.
    Steps(Vec<Step>),
}

impl NumberCode {
    /// The code of a field with these numbers.
    pub fn code(&self) -> Code {
        match &self.numbers {
            Numbers::Listed(map) => Code::mapped(self.width, map.clone()),
            Numbers::Steps(steps) => Code::plain(self.width).then_all(steps.iter().copied()),
        }
    }
}

impl Isa {
    /// The declared code that the code of a field is, if it is one, before its sign and what else makes a value of its number.
    pub fn code_of(&self, code: &Code) -> Option<&NumberCode> {
        let Some(map) = code.map() else {
            let is =
                |numbers: &Numbers| matches!(numbers, Numbers::Steps(steps) if !steps.is_empty() && steps == code.bit_steps());
            return self.codes.iter().find(|known| known.width == code.width && is(&known.numbers));
        };
        let listed = |known: &&NumberCode, is: &dyn Fn(&Arc<Map>) -> bool| match &known.numbers {
            Numbers::Listed(numbers) => is(numbers),
            Numbers::Steps(_) => false,
        };
        let same = || self.codes.iter().find(|known| listed(known, &|numbers| Arc::ptr_eq(numbers, map)));
        same().or_else(|| self.codes.iter().find(|known| listed(known, &|numbers| numbers == map)))
    }
}
