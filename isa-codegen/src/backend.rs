//! The interface of back ends, each of which makes files of an instruction set.
//!
//! A back end is a pure function of the model: it makes the same files on every run, on every machine. docs/backends.md shows,
//! with a complete example, how to add one.

use isa_spec::diag::Diagnostic;
use isa_spec::model::Isa;

/// A file that a back end makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name; with folders in front of it, separated by `/`, if it is in one.
    pub name: String,
    /// Its bytes.
    pub contents: Vec<u8>,
}

impl File {
    /// A file.
    pub fn new(name: impl Into<String>, contents: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), contents: contents.into() }
    }
}

/// Makes files of an instruction set.
pub trait Backend: Sync {
    /// The name of the back end, which no other has.
    fn name(&self) -> &'static str;

    /// The files. Their names, or those of the folders that they are in, begin with that of the instruction set, so that those of
    /// several fit in one folder.
    ///
    /// # Errors
    /// When the instruction set is more than the back end can say: what, and where in the specification it is.
    fn emit(&self, isa: &Isa) -> Result<Vec<File>, Box<Diagnostic>>;
}
