//! Sections: places in them, and their bytes as far as they are known.

use std::rc::Rc;

/// A place in a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub(crate) part: u32,
    pub(crate) frag: u32,
    pub(crate) offset: u32,
}

/// Known bytes of a section, perhaps followed by an open statement of unknown size.
#[derive(Debug, Default)]
pub(crate) struct Frag {
    /// The number of bytes of the section before it, as far as it is known.
    pub(crate) at: u64,
    pub(crate) bytes: Vec<u8>,
    /// The size of the open statement after them, as far as it is known.
    pub(crate) size: u64,
    /// The final bytes of that statement; none if it is a gap of zeros.
    pub(crate) tail: Vec<u8>,
}

/// The flags of a section.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flags {
    pub(crate) alloc: bool,
    pub(crate) write: bool,
    pub(crate) code: bool,
    /// It takes no room in files.
    pub(crate) nobits: bool,
    /// The number of its type in ELF files, if it is neither of bytes nor of zeros.
    pub(crate) kind: Option<u32>,
    /// Other flags of ELF files.
    pub(crate) others: u64,
}

/// A section, or the part of one that has an address of its own.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) name: Rc<str>,
    pub(crate) flags: Flags,
    /// The symbol that names its group.
    pub(crate) group: Option<u32>,
    /// Its address; `None` if it follows those before it.
    pub(crate) address: Option<u64>,
    /// Its final address.
    pub(crate) base: u64,
    pub(crate) align: u64,
    pub(crate) frags: Vec<Frag>,
    /// The first frag with an open statement after it.
    pub(crate) first_open: Option<u32>,
}

impl Part {
    pub(crate) fn new(name: Rc<str>, flags: Flags, group: Option<u32>, address: Option<u64>) -> Self {
        let base = address.unwrap_or(0);
        Self { name, flags, group, address, base, align: 1, frags: vec![Frag::default()], first_open: None }
    }

    /// Begins another frag behind a statement of this size.
    pub(crate) fn end_frag(&mut self, size: u64) {
        let last = self.last();
        last.size = size;
        let at = last.at + last.bytes.len() as u64 + size;
        self.frags.push(Frag { at, ..Frag::default() });
    }

    /// Places the frags after one, up to another one, by their sizes.
    pub(crate) fn place(&mut self, from: usize, to: usize) {
        for frag in from..to {
            let Frag { at, bytes, size, .. } = &self.frags[frag];
            let end = at.saturating_add(bytes.len() as u64).saturating_add(*size);
            self.frags[frag + 1].at = end;
        }
    }

    pub(crate) fn last(&mut self) -> &mut Frag {
        self.frags.last_mut().expect("a section has a frag")
    }

    /// The number of bytes so far.
    pub(crate) fn size(&self) -> u64 {
        self.frags.last().map_or(0, |frag| frag.at + frag.bytes.len() as u64 + frag.size)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.frags.len() == 1 && self.size() == 0
    }

    /// True if the offset of a place is known.
    pub(crate) fn is_fixed(&self, frag: u32) -> bool {
        self.first_open.is_none_or(|open| frag <= open)
    }
}

/// The sections of a complete program.
#[derive(Debug)]
pub(crate) struct Frags(pub(crate) Vec<Part>);

impl Frags {
    /// A frag and its address.
    pub(crate) fn frag(&self, place: Place) -> Option<(u64, &Frag)> {
        let part = self.0.get(place.part as usize)?;
        let frag = part.frags.get(place.frag as usize)?;
        Some((part.base.wrapping_add(frag.at), frag))
    }
}
