//! The code inside object files: NVIDIA's cubins and fatbins, ELF files of any machine, and archives that hold them.
//!
//! 1. [`contents`] finds the contents of a file: ELF files, also those inside archives and fatbins, compressed or not.
//! 2. [`Entry::data`] returns the bytes of one; LZ4 and zstd are decompressed, limited to the size in the container.
//! 3. [`Object::parse`] reads an ELF file: its architecture, sections with code, functions, relocations, and the resources of a
//!    cubin's kernels.
//! 4. [`Object::lines`] returns the lines of the source, if the file has them.
//! 5. [`Executable::parse`] reads a program that a machine can run: its segments, its entry, its symbols.
//!
//! It does not decode instructions. No input makes it panic; memory and time are bounded by the size of the file.
//!
//! ```
//! # fn main() -> Result<(), isa_object::Error> {
//! let file = include_bytes!("../tests/data/saxpy.cubin");
//! let contents = isa_object::contents(file);
//! let data = contents.entries[0].data()?;
//! let object = isa_object::Object::parse(&data)?;
//! assert_eq!(object.arch, "sm_80");
//! let code = &object.sections[0];
//! assert_eq!(code.functions[0].name, "saxpy");
//! let resources = code.resources.as_ref().expect("a kernel has resources");
//! assert_eq!((resources.registers, resources.params.len()), (Some(12), 4));
//! # Ok(())
//! # }
//! ```

mod arch;
mod bytes;
mod container;
mod elf;
mod executable;
mod fatbin;
mod lines;
mod module;
mod nv_info;
mod relocation;

pub use arch::CUDA;
pub use container::{Contents, Entry, EntryKind, contents, is_object};
pub use elf::{Code, Function, FunctionKind, Object, Relocation};
pub use executable::{Executable, ProgramHeaders, Segment, Symbol};
pub use fatbin::Compression;
pub use lines::{LineTable, Place};
pub use module::{Data, DataSymbol, Module};
pub use nv_info::{BranchTargets, InstructionList, Param, Resources};
pub use relocation::{AddressPart, Operand};

use std::fmt;

/// The error of a file, or a part of one, that can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The part: `member a.o`, `fatbin 1, entry 2`; empty for the file itself.
    pub part: String,
    /// The fault, in words.
    pub message: String,
}

impl Error {
    fn new(message: impl Into<String>) -> Self {
        Self { part: String::new(), message: message.into() }
    }

    /// The same error in a part of the file.
    fn of(self, part: &str) -> Self {
        if self.part.is_empty() { Self { part: part.to_owned(), ..self } } else { self }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.part.is_empty() { f.write_str(&self.message) } else { write!(f, "{}: {}", self.part, self.message) }
    }
}

impl std::error::Error for Error {}

impl From<object::read::Error> for Error {
    fn from(error: object::read::Error) -> Self {
        let what = error.to_string().replacen("Invalid", "invalid", 1);
        Self::new(format!("damaged, or cut off: {what}"))
    }
}
