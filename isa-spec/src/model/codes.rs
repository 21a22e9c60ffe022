//! Codes that a specification declares.

use super::{Doc, Isa};
use crate::span::Span;
use isa_runtime::value::{Code, Map};
use std::sync::Arc;

/// What numbers some bits are, by a function of the specification.
#[derive(Clone, Debug)]
pub struct NumberCode {
    /// Its name in the spec.
    pub name: String,
    /// How many bits.
    pub width: u32,
    /// The numbers of all bits that have one.
    pub map: Arc<Map>,
    /// The functions that compute them, as they are written.
    pub source: String,
    /// One line.
    pub summary: String,
    /// Where it stands in the documents.
    pub doc: Doc,
    /// Where it is declared.
    pub span: Span,
}

impl Isa {
    /// The declared code that the code of a field is, if it is one.
    pub fn code_of(&self, code: &Code) -> Option<&NumberCode> {
        let map = code.map()?;
        let same = || self.codes.iter().find(|known| Arc::ptr_eq(&known.map, map));
        same().or_else(|| self.codes.iter().find(|known| known.map == *map))
    }
}
