//! A section with code, prepared for listing: its labels, and parts that can be written one by one.

use crate::target::Targets;
use isa_asm::lines::is_name;
use isa_engine::{Codec, word_at};
use isa_object::{Code, Function, Relocation};
use std::collections::HashSet;
use std::ops::Range;

/// Words of a part, at most.
const PART: usize = 1024;

/// A section with code, with its labels and parts.
pub struct Section<'d> {
    /// The code as it is in the file.
    pub code: Code<'d>,
    /// The labels, by offset.
    labels: Vec<(u64, String)>,
    /// The starts of parts, in bytes from the beginning of the section.
    parts: Vec<u64>,
    /// The range of each function of the code; they are in the order of their offsets.
    bounds: Vec<Range<u64>>,
}

impl<'d> Section<'d> {
    /// Reads the section once, for targets.
    pub fn new(code: Code<'d>, codec: &mut dyn Codec, targets: &mut Targets) -> Self {
        let size = code.data.len();
        let unit = ((codec.shape().units.bits / 8) as usize).max(1);
        // The starts of words, a bit for each unit.
        let mut begins = vec![0u64; size.div_ceil(unit).div_ceil(64)];
        let (mut parts, mut named, mut text) = (Vec::new(), Vec::new(), Vec::new());
        let (mut at, mut words) = (0, 0);
        while at < size {
            if words % PART == 0 {
                parts.push(at as u64);
            }
            words += 1;
            begins[at / unit / 64] |= 1 << (at / unit % 64);
            let (length, word) = word_at(codec, &code.data[at..]);
            if let Ok(sized) = word
                && let Ok(form) = codec.decode(sized.word, sized.bits)
                && targets.is_in(codec, form)
            {
                text.clear();
                let address = code.address.wrapping_add(at as u64);
                codec.print(form, sized.word, address, &mut text);
                named.extend(targets.find(codec, form, sized.word, address, &text).map(|(_, target)| target));
            }
            at += length;
        }
        let branches = code.resources.iter().flat_map(|resources| &resources.branches);
        named.extend(branches.flat_map(|branch| &branch.targets).map(|target| code.address.wrapping_add(u64::from(*target))));
        let is_word = |offset: u64| {
            let unit_of = (offset / unit as u64) as usize;
            offset < size as u64 && offset.is_multiple_of(unit as u64) && begins[unit_of / 64] >> (unit_of % 64) & 1 == 1
        };
        let mut offsets: Vec<u64> = named.into_iter().map(|target| target.wrapping_sub(code.address)).collect();
        offsets.extend(code.functions.iter().map(|function| function.offset));
        offsets.retain(|offset| is_word(*offset));
        offsets.sort_unstable();
        offsets.dedup();
        Self { labels: labels(&code, offsets), bounds: bounds(&code), parts, code }
    }

    /// The section with its functions but without labels.
    pub fn without_labels(code: Code<'d>) -> Self {
        Self { labels: Vec::new(), parts: Vec::new(), bounds: bounds(&code), code }
    }

    /// The functions with their ranges.
    pub fn functions(&self) -> impl Iterator<Item = (&Range<u64>, &Function<'d>)> {
        self.bounds.iter().zip(&self.code.functions)
    }

    /// The label of an offset.
    pub fn label(&self, offset: u64) -> Option<&str> {
        let at = self.labels.binary_search_by_key(&offset, |label| label.0).ok()?;
        Some(&self.labels[at].1)
    }

    /// The label of an address.
    pub fn label_of(&self, address: u64) -> Option<&str> {
        self.label(address.checked_sub(self.code.address)?)
    }

    /// The relocations of some bytes.
    pub fn relocations(&self, at: u64, length: u64) -> &[Relocation<'d>] {
        let all = &self.code.relocations;
        let first = all.partition_point(|relocation| relocation.offset < at);
        let count = all[first..].partition_point(|relocation| relocation.offset < at.saturating_add(length));
        &all[first..first + count]
    }

    /// The functions that begin at an offset.
    pub fn functions_at(&self, offset: u64) -> impl Iterator<Item = &Function<'d>> {
        let functions = &self.code.functions;
        let first = functions.partition_point(|function| function.offset < offset);
        functions[first..].iter().take_while(move |function| function.offset == offset)
    }

    /// The function that contains an offset: the one that begins last.
    pub fn function_of(&self, offset: u64) -> Option<&Function<'d>> {
        let last = self.code.functions.partition_point(|function| function.offset <= offset).checked_sub(1)?;
        (offset < self.bounds[last].end).then(|| &self.code.functions[last])
    }

    /// The ranges of the functions with a requested name.
    pub fn named(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<Range<u64>> {
        self.functions().filter(|(_, function)| is_wanted(&function.name)).map(|(range, _)| range.clone()).collect()
    }

    /// The parts of a range of the section.
    pub fn parts(&self, range: &Range<u64>) -> Vec<Range<u64>> {
        let first = self.parts.partition_point(|start| *start <= range.start);
        let inside = self.parts[first..].iter().copied().take_while(|start| *start < range.end);
        let starts: Vec<u64> = std::iter::once(range.start).chain(inside).collect();
        let ends = starts[1..].iter().copied().chain([range.end]);
        starts.iter().copied().zip(ends).map(|(start, end)| start..end).filter(|part| !part.is_empty()).collect()
    }
}

/// The ranges of functions: one whose size is not in the file ends at the start of the next.
fn bounds(code: &Code<'_>) -> Vec<Range<u64>> {
    let size = code.data.len() as u64;
    let (mut start, mut next) = (size, size);
    let mut bounds = Vec::with_capacity(code.functions.len());
    for function in code.functions.iter().rev() {
        if function.offset < start {
            (next, start) = (start, function.offset);
        }
        let end = if function.size == 0 { next } else { function.offset.saturating_add(function.size).min(size) };
        bounds.push(function.offset..end);
    }
    bounds.reverse();
    bounds
}

/// Names for places: those of functions, if they are unique and can't be read as numbers; numbers for the others.
fn labels(code: &Code<'_>, offsets: Vec<u64>) -> Vec<(u64, String)> {
    let mut taken = HashSet::new();
    let mut functions = code.functions.iter().peekable();
    let mut number = 0;
    let name = |offset: u64| {
        let mut name = None;
        while let Some(function) = functions.next_if(|function| function.offset <= offset) {
            if function.offset == offset && name.is_none() && is_label(&function.name) && taken.insert(&function.name) {
                name = Some(function.name.clone().into_owned());
            }
        }
        let name = name.unwrap_or_else(|| {
            number += 1;
            format!(".L_{number}")
        });
        (offset, name)
    };
    offsets.into_iter().map(name).collect()
}

/// True if an assembler reads this as the name of a place, and not as a number.
fn is_label(name: &str) -> bool {
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.$".contains(&byte));
    is_plain
        && is_name(name)
        && !name.is_empty()
        && !name.starts_with(".L_")
        && !name.bytes().all(|byte| byte.is_ascii_hexdigit())
}
