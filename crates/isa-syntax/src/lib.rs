//! The text of a specification, to declarations.
//!
//! 1. [`yaml`]: text to a tree of nodes that know their place;
//! 2. [`compose`]: the trees of several files to one, parameters put in;
//! 3. [`read`]: tree to declarations by tables of [`keys`], every key known, every name checked later.
//!
//! The small languages inside strings ([`lang`]) are read by those who need what is in them.

// Generated parsers name it.
extern crate alloc;

#[doc(hidden)]
pub mod compose;
pub mod files;
pub mod keys;
pub mod lang;
#[doc(hidden)]
pub mod read;
pub mod yaml;

use isa_model::diag::Diagnostics;
use isa_model::span::{FileId, SourceMap};

/// The declarations of the specification that begins with a file, with what it includes and extends. Faults are reported; `None` if
/// so much could not be read that names would not be found.
#[doc(hidden)]
pub fn declarations(
    file: FileId,
    store: compose::Store<'_>,
    files: &mut SourceMap,
    diags: &mut Diagnostics,
) -> Option<read::Spec> {
    let tree = compose::compose(file, store, files, diags)?;
    let lost = diags.has_errors();
    let mut reader = keys::Reader { diags, lost };
    let spec = read::spec(&mut reader, &tree);
    // Names in unreadable parts cannot be resolved; do not report them.
    (!reader.lost).then_some(spec)
}

/// The keys of specifications, for the reference: first those of a whole specification, then those of each section.
pub fn key_listings() -> Vec<keys::Listing> {
    let mut list = read::listings();
    list.insert(1, (&compose::INCLUDED).into());
    list
}

/// The keys of a `machine:` section, followed by those of each part of it.
pub fn machine_key_listings() -> Vec<keys::Listing> {
    read::machine::listings()
}
