//! Parts of sections, which are listed one after the other.

use crate::section::Section;
use crate::target::Targets;
use isa_engine::Codec;
use isa_object::{LineTable, Object};
use std::ops::Range;
use std::sync::Arc;

/// A file that is listed.
pub struct Listed {
    /// Its sections with code.
    pub sections: Vec<Section<'static>>,
    /// The lines of its source; empty if they are not listed.
    pub lines: LineTable,
}

impl Listed {
    /// Reads the code of a file once.
    pub fn new(object: &mut Object<'static>, has_lines: bool, codec: &mut dyn Codec, targets: &mut Targets) -> Self {
        let code = std::mem::take(&mut object.sections);
        let sections = code.into_iter().map(|code| Section::new(code, codec, targets)).collect();
        Self { sections, lines: if has_lines { object.lines() } else { LineTable::default() } }
    }

    /// The parts of a listing: these ranges of each section.
    pub fn parts(self: &Arc<Self>, mut ranges: impl FnMut(&Section<'static>) -> Vec<Range<u64>>) -> Vec<Part> {
        let mut all = Vec::new();
        for (index, section) in self.sections.iter().enumerate() {
            for range in ranges(section) {
                let parts = section.parts(&range).into_iter().enumerate();
                let part = |(n, range)| Part { of: self.clone(), section: index, range, is_first: n == 0, head: Vec::new() };
                all.extend(parts.map(part));
            }
        }
        all
    }
}

/// A part of a section.
pub struct Part {
    of: Arc<Listed>,
    section: usize,
    range: Range<u64>,
    /// True if the listed part of the section begins here.
    is_first: bool,
    /// The header before it: that of the file, at its first part.
    pub head: Vec<u8>,
}

impl Part {
    /// The file and the section.
    pub(crate) fn section(&self) -> (&Listed, &Section<'static>) {
        (&self.of, &self.of.sections[self.section])
    }

    /// The bytes of the section, and whether the listed part begins there.
    pub(crate) fn range(&self) -> (&Range<u64>, bool) {
        (&self.range, self.is_first)
    }

    /// The number of its bytes of code.
    pub fn bytes(&self) -> u64 {
        self.range.end - self.range.start
    }
}
