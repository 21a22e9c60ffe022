//! Lines of the source that instructions come from.

use gimli::{AttributeValue, DebugLineOffset, EndianSlice, RunTimeEndian};
use std::borrow::Cow;
use std::collections::HashMap;

/// `.debug_line` with relocations applied.
#[derive(Clone, Debug)]
pub(crate) struct DebugLine<'d> {
    pub(crate) data: Cow<'d, [u8]>,
    /// `.debug_line_str`.
    pub(crate) strings: Cow<'d, [u8]>,
    /// Relocated addresses: the place in the table, the section of the address, and the offset there.
    pub(crate) addresses: Vec<(u64, usize, u64)>,
    /// Address, size and number of each section with code, by address.
    pub(crate) sections: Vec<(u64, u64, usize)>,
    pub(crate) is_little: bool,
}

/// A line of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number of the file; [`LineTable::file`] returns its name.
    pub file: usize,
    /// The line, from 1.
    pub line: u64,
}

/// The source line of each instruction.
#[derive(Clone, Debug, Default)]
pub struct LineTable {
    files: Vec<String>,
    /// For each section the offsets at which another line begins; `None` at the end of a sequence.
    sections: HashMap<usize, Vec<(u64, Option<Place>)>>,
}

impl LineTable {
    /// True if the table is empty.
    pub fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }

    /// The name of a file.
    pub fn file(&self, number: usize) -> &str {
        self.files.get(number).map_or("", String::as_str)
    }

    /// The offsets of a section at which another line begins.
    pub fn rows(&self, section: usize) -> impl Iterator<Item = (u64, Place)> + use<'_> {
        let rows = self.sections.get(&section).map_or(&[][..], Vec::as_slice);
        rows.iter().filter_map(|(offset, place)| Some((*offset, (*place)?)))
    }

    /// The source line of the instruction at an offset of a section.
    pub fn at(&self, section: usize, offset: u64) -> Option<Place> {
        let rows = self.sections.get(&section)?;
        rows.get(rows.partition_point(|row| row.0 <= offset).checked_sub(1)?)?.1
    }
}

/// In a patched table an address has the number of its section above the offset.
const SECTION_SHIFT: u32 = 40;

impl DebugLine<'_> {
    pub(crate) fn into_owned(self) -> DebugLine<'static> {
        let Self { data, strings, addresses, sections, is_little } = self;
        let (data, strings) = (data.into_owned().into(), strings.into_owned().into());
        DebugLine { data, strings, addresses, sections, is_little }
    }

    /// The table. Damaged parts are left out.
    pub(crate) fn table(&self) -> LineTable {
        let mut data = self.data.to_vec();
        let is_patched = !self.addresses.is_empty();
        for (at, section, offset) in &self.addresses {
            let value = (*section as u64) << SECTION_SHIFT | offset & ((1 << SECTION_SHIFT) - 1);
            let bytes = if self.is_little { value.to_le_bytes() } else { value.to_be_bytes() };
            let Ok(at) = usize::try_from(*at) else { continue };
            if let Some(place) = at.checked_add(8).and_then(|end| data.get_mut(at..end)) {
                place.copy_from_slice(&bytes);
            }
        }
        let endian = if self.is_little { RunTimeEndian::Little } else { RunTimeEndian::Big };
        let lines = gimli::DebugLine::from(EndianSlice::new(&data, endian));
        let mut table = LineTable::default();
        let mut files = HashMap::new();
        let mut at = 0;
        // Each unit begins with its length; sequences are noted as they come.
        while let Ok(program) = lines.program(DebugLineOffset(at), 8, None, None) {
            let header = program.header();
            let length = header.unit_length() + if header.format() == gimli::Format::Dwarf64 { 12 } else { 4 };
            let mut rows = program.clone().rows();
            while let Ok(Some((header, row))) = rows.next_row() {
                let Some((section, offset)) = self.section_of(row.address(), is_patched) else { continue };
                let place = row.line().filter(|_| !row.end_sequence()).map(|line| {
                    let next = table.files.len();
                    let file = *files.entry((at, row.file_index())).or_insert_with(|| {
                        table.files.push(row.file(header).map_or_else(String::new, |file| self.name(file.path_name())));
                        next
                    });
                    Place { file, line: line.get() }
                });
                table.sections.entry(section).or_default().push((offset, place));
            }
            at = at.saturating_add(length);
        }
        for rows in table.sections.values_mut() {
            // Another sequence may begin at the end of one; for equal offsets the last line counts.
            rows.sort_by_key(|(offset, place)| (*offset, place.is_some()));
        }
        table
    }

    /// The section that contains an address, and the offset there.
    fn section_of(&self, address: u64, is_patched: bool) -> Option<(usize, u64)> {
        if is_patched {
            return Some(((address >> SECTION_SHIFT) as usize, address & ((1 << SECTION_SHIFT) - 1)));
        }
        let before = self.sections.partition_point(|(start, ..)| *start <= address);
        let (start, size, index) = *self.sections.get(before.checked_sub(1)?)?;
        (address - start <= size).then_some((index, address - start))
    }

    fn name(&self, value: AttributeValue<EndianSlice<'_, RunTimeEndian>>) -> String {
        let bytes = match &value {
            AttributeValue::String(name) => name.slice(),
            AttributeValue::DebugLineStrRef(offset) => {
                let rest = self.strings.get(offset.0..).unwrap_or_default();
                rest.split(|byte| *byte == 0).next().unwrap_or_default()
            }
            _ => &[],
        };
        String::from_utf8_lossy(bytes).into_owned()
    }
}
