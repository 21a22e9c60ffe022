//! References of a file to instructions, and those whose instructions have moved in an edited listing.
//!
//! Assembling into a copy of a file writes only code. References to it are not changed: symbols of local functions, relocations,
//! tables of branch targets, lists of `.nv.info`, lines of the source, and return addresses, which are numbers in instructions.
//! The old and the new code are aligned; an edit in place moves nothing.

use crate::on_one_line;
use crate::target::Targets;
use isa_engine::{Codec, Word, word_at};
use isa_object::{Code, LineTable};
use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};

/// The limit of cells of a table for the alignment of two sections.
const CELLS: usize = 16 << 20;
/// The distance up to which an instruction may be the replacement of another one.
const NEAR: usize = 16;
/// The greatest distance in instructions of a return address from the place where it is loaded.
const CALL: usize = 64;

/// A reference to an instruction.
#[derive(Debug)]
pub(super) struct Pointer {
    /// Bytes from the beginning of the section.
    offset: u64,
    /// `relocation R_CUDA_ABS32_LO_32`.
    what: String,
}

/// A reference to an instruction that has moved in the new code.
#[derive(Debug)]
pub(super) struct Moved {
    pub(super) what: String,
    /// Its target in the old code, and the place of the instruction in the new code; `None` if it is gone. Bytes from the
    /// beginning of the section.
    pub(super) from: u64,
    pub(super) to: Option<u64>,
}

/// The references of a file's tables into a section.
pub(super) fn pointers(code: &Code<'_>, lines: &LineTable) -> Vec<Pointer> {
    let mut all = Vec::new();
    let mut add = |offset: u64, what: String| all.push(Pointer { offset, what });
    // Code that is inserted before the first instruction belongs to the function that begins there.
    for function in code.functions.iter().filter(|function| function.offset > 0) {
        add(function.offset, format!("the symbol `{}`", on_one_line(&function.name)));
    }
    for relocation in &code.relocations {
        let kind = relocation.kind_name.map_or_else(|| format!("kind {}", relocation.kind), str::to_owned);
        let symbol = on_one_line(&relocation.symbol);
        add(relocation.offset, format!("the relocation {kind} of `{symbol}`"));
        // The address that a linker inserts may be one of this section.
        let start = code.functions.iter().find(|function| function.name == relocation.symbol).map(|function| function.offset);
        let target = start.and_then(|start| start.checked_add_signed(relocation.addend)).filter(|_| relocation.addend != 0);
        if let Some(target) = target {
            add(target, format!("`{symbol}+{:#x}` of the relocation at {:#x}", relocation.addend, relocation.offset));
        }
    }
    if let Some(resources) = &code.resources {
        for offset in &resources.exits {
            add((*offset).into(), "EXIT_INSTR_OFFSETS".to_owned());
        }
        for list in &resources.instructions {
            for offset in &list.offsets {
                add((*offset).into(), list.name.to_owned());
            }
        }
        for branch in &resources.branches {
            add(branch.offset.into(), "INDIRECT_BRANCH_TARGETS".to_owned());
            for target in &branch.targets {
                add((*target).into(), format!("the jump table of the branch at {:#x}", branch.offset));
            }
        }
    }
    for (offset, place) in lines.rows(code.index) {
        add(offset, format!("the line table ({}:{})", on_one_line(short(lines.file(place.file))), place.line));
    }
    all
}

/// The last part of a path.
fn short(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// An instruction of a section.
struct Insn<'d> {
    offset: u64,
    bytes: &'d [u8],
}

/// The instructions of a section, one after the other.
fn instructions<'d>(codec: &dyn Codec, data: &'d [u8]) -> Vec<Insn<'d>> {
    let (mut all, mut at) = (Vec::new(), 0);
    while at < data.len() {
        let (length, _) = word_at(codec, &data[at..]);
        all.push(Insn { offset: at as u64, bytes: &data[at..at + length] });
        at += length;
    }
    all
}

/// The references that the new code of a section has moved, and the first place where instructions were added or removed.
/// `labels` are those of the listing, by their addresses.
pub(super) fn moved(
    codec: &mut dyn Codec,
    (old, new): (&[u8], &[u8]),
    address: u64,
    mut pointers: Vec<Pointer>,
    labels: &HashMap<String, u64>,
    functions: &[(String, u64)],
) -> (Vec<Moved>, u64) {
    let mut found = Vec::new();
    if old == new {
        return (found, 0);
    }
    // A label with the name of a function gives its place.
    let labelled: HashSet<u64> = functions.iter().filter(|(name, _)| labels.contains_key(name)).map(|(_, at)| *at).collect();
    for (name, from) in functions {
        let to = labels.get(name).map(|at| at.wrapping_sub(address));
        if *from > 0 && to.is_some_and(|to| to != *from) {
            found.push(Moved { what: format!("the symbol `{name}`"), from: *from, to });
        }
    }
    pointers.retain(|pointer| !(labelled.contains(&pointer.offset) && pointer.what.starts_with("the symbol")));
    let (a, b) = (instructions(codec, old), instructions(codec, new));
    let mut reader = Keys { codec, targets: Targets::default(), address };
    let places = reader.align(&a, &b);
    pointers.extend(reader.numbers(&a, &places));
    let mut first = None;
    for (index, place) in places.iter().enumerate() {
        if *place != Some(index) && first.is_none() {
            first = Some(a.get(index).map_or(0, |insn| insn.offset));
        }
    }
    for Pointer { offset, what } in pointers {
        let Some(index) = a.partition_point(|insn| insn.offset <= offset).checked_sub(1) else { continue };
        let inside = offset - a[index].offset;
        if offset >= old.len() as u64 || inside >= a[index].bytes.len() as u64 {
            continue;
        }
        let to = places[index].and_then(|place| Some(b.get(place)?.offset + inside));
        if to != Some(offset) {
            found.push(Moved { what, from: offset, to });
        }
    }
    found.sort_by(|x, y| (x.from, &x.what).cmp(&(y.from, &y.what)));
    found.dedup_by(|x, y| x.from == y.from && x.what == y.what);
    (found, first.unwrap_or(0))
}

/// Compares instructions by their effects, independent of their addresses.
struct Keys<'c> {
    codec: &'c mut dyn Codec,
    targets: Targets,
    address: u64,
}

impl Keys<'_> {
    /// The part of an instruction that is the same at any address.
    fn key(&mut self, insn: &Insn<'_>) -> u64 {
        let mut hasher = DefaultHasher::new();
        let Self { codec, targets, address } = self;
        let decoded = word_at(&**codec, insn.bytes).1.ok().and_then(|sized| {
            let form = codec.decode(sized.word, sized.bits).ok()?;
            targets.is_in(&**codec, form).then_some((form, sized.word))
        });
        let Some((form, word)) = decoded else {
            insn.bytes.hash(&mut hasher);
            return hasher.finish();
        };
        let at = address.wrapping_add(insn.offset);
        let mut text = Vec::new();
        let length = codec.print_full(form, word, at, &mut text);
        if let Some((place, _)) = targets.find(&mut **codec, form, word, at, &text[..length]) {
            text.drain(place);
        }
        text.hash(&mut hasher);
        hasher.finish()
    }

    /// The place in the new code of each instruction of the old code; `None` if it is gone.
    fn align(&mut self, a: &[Insn<'_>], b: &[Insn<'_>]) -> Vec<Option<usize>> {
        let same = a.iter().zip(b).take_while(|(a, b)| a.bytes == b.bytes).count();
        let rest = a.len().min(b.len()) - same;
        let tail = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a.bytes == b.bytes).count().min(rest);
        let mut places: Vec<Option<usize>> = (0..a.len()).map(Some).collect();
        for place in places[a.len() - tail..].iter_mut().flatten() {
            *place = *place + b.len() - a.len();
        }
        let (inner_a, inner_b) = (&a[same..a.len() - tail], &b[same..b.len() - tail]);
        let keys_a: Vec<u64> = inner_a.iter().map(|insn| self.key(insn)).collect();
        let keys_b: Vec<u64> = inner_b.iter().map(|insn| self.key(insn)).collect();
        for (index, place) in align(&keys_a, &keys_b).into_iter().enumerate() {
            places[same + index] = place.map(|place| same + place);
        }
        places
    }

    /// The return addresses, and the places that they are computed from: numbers that the old code loads near a call.
    fn numbers(&mut self, a: &[Insn<'_>], places: &[Option<usize>]) -> Vec<Pointer> {
        let is_moved = |index: usize| places[index] != Some(index);
        let (Some(first), Some(last)) = ((0..a.len()).find(|i| is_moved(*i)), (0..a.len()).rfind(|i| is_moved(*i))) else {
            return Vec::new();
        };
        let branches = self.branches();
        let mut found = Vec::new();
        for index in first.saturating_sub(CALL)..(last + CALL).min(a.len()) {
            let Some((form, word)) = self.decoded(&a[index]) else { continue };
            let numbers = self.codec.numbers(form);
            if numbers.is_empty() || !self.codec.only_writes(form, word) {
                continue;
            }
            let mut raw = Vec::new();
            self.codec.raw_fields(form, word, &mut raw);
            for place in numbers {
                let Some(offset) = raw.get(place).and_then(|n| u64::try_from(*n).ok()?.checked_sub(self.address)) else {
                    continue;
                };
                let Ok(to) = a.binary_search_by_key(&offset, |insn| insn.offset) else { continue };
                if to > 0 && to.abs_diff(index) <= CALL && (self.is_branch(&a[to - 1], &branches) || self.is_own_address(&a[to]))
                {
                    let mut text = Vec::new();
                    self.codec.print(form, word, self.address.wrapping_add(a[index].offset), &mut text);
                    let text = String::from_utf8_lossy(&text).into_owned();
                    found
                        .push(Pointer { offset, what: format!("`{text}` at {:#x}", self.address.wrapping_add(a[index].offset)) });
                }
            }
        }
        found
    }

    fn decoded(&self, insn: &Insn<'_>) -> Option<(usize, Word)> {
        let sized = word_at(&*self.codec, insn.bytes).1.ok()?;
        Some((self.codec.decode(sized.word, sized.bits).ok()?, sized.word))
    }

    /// The mnemonics with a form that has a target.
    fn branches(&self) -> HashSet<String> {
        let forms = 0..self.codec.forms();
        forms.filter(|form| self.codec.has_target(*form)).map(|form| self.codec.form(form).mnemonic.to_owned()).collect()
    }

    fn is_branch(&self, insn: &Insn<'_>, branches: &HashSet<String>) -> bool {
        self.decoded(insn).is_some_and(|(form, _)| branches.contains(self.codec.form(form).mnemonic))
    }

    /// True if an instruction only writes a register: then the value is its own address.
    fn is_own_address(&mut self, insn: &Insn<'_>) -> bool {
        let Some((form, word)) = self.decoded(insn).filter(|(form, word)| self.codec.only_writes(*form, *word)) else {
            return false;
        };
        let mut text = Vec::new();
        self.codec.print(form, word, 0, &mut text);
        let text = String::from_utf8_lossy(&text).into_owned();
        text.split_whitespace().filter(|part| !part.starts_with('@')).count() == 2
    }
}

/// A step of an edit from the old code to the new one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Keep,
    Remove,
    Add,
}

/// The place in the new code of each key of the old code: with the fewest replacements, removals and additions, and among these
/// the least movement.
fn align(a: &[u64], b: &[u64]) -> Vec<Option<usize>> {
    let in_place = || (0..a.len()).map(|i| Some(i).filter(|i| *i < b.len())).collect();
    let known: HashSet<u64> = b.iter().copied().collect();
    if !a.iter().any(|key| known.contains(key)) {
        return in_place();
    }
    // The greatest shift of the new code against the old one.
    let band = (CELLS / (a.len() + 1)).max(a.len().abs_diff(b.len()) + NEAR).min(a.len().max(b.len()));
    let width = 2 * band + 1;
    if width.saturating_mul(a.len() + 1) > 8 * CELLS {
        return in_place();
    }
    let weight = (a.len() + b.len() + 1) as u64;
    let mut steps = vec![Step::Keep; width * (a.len() + 1)];
    let mut costs = vec![u64::MAX; width];
    for i in 0..=a.len() {
        let before = std::mem::replace(&mut costs, vec![u64::MAX; width]);
        for k in 0..width {
            let Some(j) = (i + k).checked_sub(band).filter(|j| *j <= b.len()) else { continue };
            let mut best = (u64::MAX, Step::Keep);
            if i == 0 && j == 0 {
                best.0 = 0;
            }
            if i > 0 && j > 0 && before[k] != u64::MAX {
                let replaced = if a[i - 1] == b[j - 1] { 0 } else { weight };
                best = (before[k] + replaced + u64::from(k != band), Step::Keep);
            }
            if i > 0 && k + 1 < width && before[k + 1] != u64::MAX && before[k + 1] + weight < best.0 {
                best = (before[k + 1] + weight, Step::Remove);
            }
            if j > 0 && k > 0 && costs[k - 1] != u64::MAX && costs[k - 1] + weight < best.0 {
                best = (costs[k - 1] + weight, Step::Add);
            }
            costs[k] = best.0;
            steps[i * width + k] = best.1;
        }
    }
    let mut places = vec![None; a.len()];
    let mut is_taken = vec![false; b.len()];
    let (mut i, mut j) = (a.len(), b.len());
    while i > 0 || j > 0 {
        match steps[i * width + j + band - i] {
            Step::Keep => {
                (i, j) = (i - 1, j - 1);
                places[i] = Some(j);
                is_taken[j] = a[i] == b[j];
            }
            Step::Remove => i -= 1,
            Step::Add => j -= 1,
        }
    }
    // The other instruction was swapped with a neighbour, and is there.
    for i in 0..a.len() {
        if places[i].is_none_or(|j| a[i] != b[j]) {
            let near = i.saturating_sub(NEAR)..(i + NEAR).min(b.len());
            let other = near.filter(|j| !is_taken[*j] && b[*j] == a[i]).min_by_key(|j| j.abs_diff(i));
            if let Some(j) = other {
                is_taken[j] = true;
                places[i] = Some(j);
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(a: &str, b: &str) -> Vec<Option<usize>> {
        let keys = |text: &str| text.bytes().map(u64::from).collect::<Vec<_>>();
        align(&keys(a), &keys(b))
    }

    fn numbers(of: &[usize]) -> Vec<Option<usize>> {
        of.iter().map(|n| Some(*n)).collect()
    }

    #[test]
    fn edits_in_place_move_nothing() {
        for (a, b) in [("abcdnn", "axcynn"), ("aaaa", "caaa"), ("xaaay", "pcaaq"), ("abcd", "wxyz"), ("abab", "bbab")] {
            assert_eq!(places(a, b), numbers(&(0..a.len()).collect::<Vec<_>>()), "{a} {b}");
        }
    }

    #[test]
    fn instructions_follow_what_is_added_and_removed() {
        assert_eq!(places("abcdenn", "abxcden"), [Some(0), Some(1), Some(3), Some(4), Some(5), None, Some(6)]);
        assert_eq!(places("abcden", "acdenn"), [Some(0), None, Some(1), Some(2), Some(3), Some(5)]);
        assert_eq!(places("abcd", "bacd"), numbers(&[1, 0, 2, 3]));
    }
}
