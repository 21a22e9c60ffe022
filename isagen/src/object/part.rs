//! Parts of sections, which are listed one after the other.

use super::section::Section;
use isa_object::LineTable;
use std::ops::Range;
use std::sync::Arc;

/// A file that is listed.
pub(super) struct Listed {
    pub(super) sections: Vec<Section<'static>>,
    pub(super) lines: LineTable,
}

/// A part of a section.
pub(super) struct Part {
    pub(super) of: Arc<Listed>,
    pub(super) section: usize,
    pub(super) range: Range<u64>,
    /// Whether what is listed of the section begins here.
    pub(super) is_first: bool,
    /// What stands before it: the head of the file, at its first part.
    pub(super) head: Vec<u8>,
}
