//! The encoding map: a picture of all words of a length, by the bits that most forms fix.
//!
//! Each of these bits, the most significant first, halves the rest of the picture: zero is left or above, one right or below. A
//! part that no form has stays empty; a part of one instruction is drawn as a whole. The smallest parts may have words of
//! instructions and free words.

use super::prose::percent;
use isa_reference::certificate::{self, LengthCertificate};
use isa_spec::model::{BitRange, Form, Isa, Length, PlainKind, Word};
use isa_spec::sets::{Cube, WordSet};
use std::cmp::Reverse;

/// The greatest number of bits that are drawn, which makes at most 4,096 parts.
const MOST_BITS: usize = 12;

/// The number of bits up to which those are drawn that all forms fix to the same value: the words with the other value are free.
const FEW_BITS: usize = 8;

/// The picture of words of one length.
pub(super) struct Map {
    /// Bits of the words.
    pub(super) length: u32,
    /// The bits that are drawn: `31..24, 2`.
    pub(super) bits: String,
    /// In units, the width and the height.
    pub(super) size: (u32, u32),
    pub(super) areas: Vec<Area>,
    /// Parts that several instructions have.
    pub(super) shared: String,
    /// Parts that several instructions have, with words that none has.
    pub(super) shared_partly: String,
    /// Parts in which words have another length.
    pub(super) others: String,
    /// The share of words that belong to a form, in percent.
    pub(super) share: String,
}

/// The area of an instruction in the picture.
pub(super) struct Area {
    /// Number of the instruction.
    pub(super) instruction: usize,
    /// The colour.
    pub(super) class: String,
    /// A path of rectangles.
    pub(super) path: String,
    /// The same of parts that have words of no instruction, too.
    pub(super) partly: String,
    /// The place of a name, if there is room for it.
    pub(super) label: Option<(f32, f32)>,
}

#[derive(Clone, Copy, Default)]
struct Rect {
    x: u32,
    y: u32,
    w: u32,
    h: u32,
}

/// The words of a length that belong to no form.
pub(super) struct Free {
    /// Bits of the words.
    pub(super) length: u32,
    /// Numbers of words and their fixed bits: `2^13`, `100`.
    pub(super) regions: Vec<(String, String)>,
    /// The number of regions that are not listed.
    pub(super) more: u64,
}

/// The most regions of free words that are listed.
const MOST_REGIONS: usize = 32;

impl Free {
    /// The free words of a length; `None` if there are none.
    pub(super) fn new(length: &Length) -> Option<Self> {
        let region = |cube: &Cube| {
            (format!("2^{}", length.bits - cube.mask.count_ones()), isa_spec::bits::fixed_bits(cube.mask, cube.value))
        };
        let free = certificate::Free::new(length, MOST_REGIONS);
        let regions: Vec<_> = free.regions.iter().map(region).collect();
        (!regions.is_empty()).then_some(Self { length: length.bits, regions, more: free.more_regions })
    }
}

/// The parts of an instruction that were drawn.
#[derive(Clone, Default)]
struct Drawn {
    largest: Rect,
    /// The path of whole parts, and that of parts with free words.
    paths: [String; 2],
}

struct Drawing<'a> {
    /// The words of this length.
    words: &'a WordSet,
    /// The words of this length that no form has.
    holes: &'a WordSet,
    /// The bits, the most significant first.
    bits: Vec<u32>,
    /// The parts of each instruction.
    areas: Vec<Drawn>,
    shared: [String; 2],
    others: String,
}

impl Map {
    /// The picture of words of a length; `None` if fewer than two bits distinguish forms.
    pub(super) fn new(isa: &Isa, length: &LengthCertificate) -> Option<Self> {
        let forms: Vec<&Form> = isa.forms.iter().filter(|f| f.length == length.bits).collect();
        let of_length = isa.words.lengths.iter().find(|l| l.bits == length.bits)?;
        let (words, holes) = (&of_length.words, &of_length.holes);
        let bits = bits(&forms, length.bits, words);
        if bits.len() < 2 {
            return None;
        }
        let size = (1 << bits.len().div_ceil(2), 1 << (bits.len() / 2));
        let areas = vec![Drawn::default(); isa.instructions.len()];
        let mut drawing = Drawing { words, holes, bits, areas, shared: Default::default(), others: String::new() };
        drawing.part(&forms, (Word::ZERO, Word::ZERO), 0, Rect { x: 0, y: 0, w: size.0, h: size.1 });
        let mask = drawing.bits.iter().fold(Word::ZERO, |mask, bit| mask | Word::bit(*bit));
        let ranges = isa_spec::bits::ranges(mask).iter().map(BitRange::to_string).collect::<Vec<_>>();
        let areas = std::mem::take(&mut drawing.areas).into_iter().enumerate().filter(|(_, drawn)| drawn.largest.w > 0);
        let area = |(at, (instruction, drawn)): (usize, (usize, Drawn))| {
            let Drawn { largest: rect, paths: [path, partly] } = drawn;
            let characters = isa.instructions[instruction].name.chars().count() as f32;
            // A character is about six tenths of its height wide.
            let height = size.1 as f32 / 40.0;
            let fits = rect.h as f32 >= 1.6 * height && rect.w as f32 >= (characters + 1.0) * 0.6 * height;
            let middle = || (rect.x as f32 + rect.w as f32 / 2.0, rect.y as f32 + rect.h as f32 / 2.0 + height * 0.35);
            Area { instruction, class: format!("f{}", at % 6), path, partly, label: fits.then(middle) }
        };
        let areas = areas.enumerate().map(area).collect();
        let share = percent(length.share());
        let Drawing { shared: [shared, shared_partly], others, .. } = drawing;
        Some(Self { length: length.bits, bits: ranges.join(", "), size, areas, shared, shared_partly, others, share })
    }

    /// True if a part has words of instructions and free words.
    pub(super) fn has_partly(&self) -> bool {
        !self.shared_partly.is_empty() || self.areas.iter().any(|area| !area.partly.is_empty())
    }

    /// True if several instructions have a part.
    pub(super) fn has_shared(&self) -> bool {
        !(self.shared.is_empty() && self.shared_partly.is_empty())
    }
}

/// The bits that at least half of the forms fix, but not all to the same value; of these, the ones that most forms fix, the most
/// significant first. If they are few, bits that all forms fix to one value are among them, unless these determine the length.
fn bits(forms: &[&Form], length: u32, words: &WordSet) -> Vec<u32> {
    let fixed = |form: &Form| {
        let reserved = form.plain.iter().filter(|p| p.what == PlainKind::Reserved);
        form.mask & !reserved.fold(Word::ZERO, |mask, p| mask | p.bits.mask())
    };
    let fixed: Vec<(Word, Word)> = forms.iter().map(|f| (fixed(f), f.value)).collect();
    let count = |bit: u32| {
        let users = fixed.iter().filter(|(mask, _)| mask.has(bit));
        let ones = users.clone().filter(|(_, value)| value.has(bit)).count();
        (users.count(), ones)
    };
    let all: Vec<_> = (0..length).map(|bit| (bit, count(bit))).collect();
    let useful = all.iter().filter(|(_, (users, ones))| 2 * users >= forms.len() && *ones > 0 && ones < users);
    let mut useful: Vec<_> = useful.copied().collect();
    useful.sort_by_key(|(bit, (users, _))| (Reverse(*users), Reverse(*bit)));
    let mut bits: Vec<u32> = useful.into_iter().take(MOST_BITS).map(|(bit, _)| bit).collect();
    let has_other = |bit: u32, ones: usize| words.meets(if ones == 0 { Word::bit(bit) } else { Word::ZERO }, Word::bit(bit));
    let constant = all
        .iter()
        .rev()
        .filter(|(bit, (users, ones))| *users == forms.len() && (*ones == 0 || ones == users) && has_other(*bit, *ones));
    let room = if bits.len() < 2 { 0 } else { FEW_BITS.saturating_sub(bits.len()) };
    bits.extend(constant.map(|(bit, _)| *bit).take(room));
    bits.sort_by_key(|bit| Reverse(*bit));
    bits
}

impl Drawing<'_> {
    /// Draws a part: the words with these bits.
    fn part(&mut self, forms: &[&Form], (mask, value): (Word, Word), depth: usize, rect: Rect) {
        let piece = format!("M{} {}h{}v{}h-{2}z", rect.x, rect.y, rect.w, rect.h);
        if !self.words.meets(value, mask) {
            self.others.push_str(&piece);
            return;
        }
        let is_here = |f: &&&Form| ((f.value ^ value) & f.mask & mask).is_zero() && f.words.meets(value, mask);
        let here: Vec<&Form> = forms.iter().filter(is_here).copied().collect();
        let one = here.first().filter(|first| here.iter().all(|f| f.instruction == first.instruction));
        let is_whole = one.is_some() && here.iter().any(|f| f.words.covers(value, mask));
        let is_free = here.is_empty() && self.words.covers(value, mask);
        if is_free {
            return;
        }
        let Some(bit) = self.bits.get(depth).copied().filter(|_| !is_whole) else {
            let is_partly = usize::from(!is_whole && self.holes.meets(value, mask));
            match one {
                Some(form) => {
                    let drawn = &mut self.areas[form.instruction.index()];
                    drawn.paths[is_partly].push_str(&piece);
                    if rect.w * rect.h > drawn.largest.w * drawn.largest.h {
                        drawn.largest = rect;
                    }
                }
                None if here.is_empty() => {}
                None => self.shared[is_partly].push_str(&piece),
            }
            return;
        };
        let wide = depth.is_multiple_of(2);
        let (w, h) = if wide { (rect.w / 2, rect.h) } else { (rect.w, rect.h / 2) };
        let (x, y) = if wide { (rect.x + w, rect.y) } else { (rect.x, rect.y + h) };
        self.part(&here, (mask | Word::bit(bit), value), depth + 1, Rect { w, h, ..rect });
        self.part(&here, (mask | Word::bit(bit), value | Word::bit(bit)), depth + 1, Rect { x, y, w, h });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isa_reference::certificate::Certificate;

    const SPEC: &str = r#"
isa: t
word: 4
instructions:
  a: { fix: { op: 0 }, fields: { op: 3, x: 2..0 }, text: "a {x}" }
  b: { fix: { op: 0b10 }, fields: { op: 3..2, x: 1..0 }, text: "b {x}" }
"#;

    #[test]
    fn a_part_is_drawn_as_a_whole() {
        let isa = isa_spec::load_str("t.yaml", SPEC, None).isa.expect("a good specification");
        let map = Map::new(&isa, &Certificate::new(&isa).lengths[0]);
        assert!(map.is_none(), "one bit is no picture");
        let free = Free::new(&isa.words.lengths[0]).expect("a quarter of the words");
        assert_eq!((free.regions, free.more), (vec![("2^2".to_owned(), "3..2=0b11".to_owned())], 0));
        let spec = SPEC.replace("op: 0 }, fields: { op: 3, x: 2..0", "op: 0b01 }, fields: { op: 3..2, x: 1..0");
        let isa = isa_spec::load_str("t.yaml", &spec, None).isa.expect("a good specification");
        let map = Map::new(&isa, &Certificate::new(&isa).lengths[0]).expect("two bits are");
        assert_eq!((map.bits.as_str(), map.size, map.share.as_str()), ("3..2", (2, 2), "50.00"));
        let areas: Vec<_> = map.areas.iter().map(|a| (a.instruction, a.path.as_str())).collect();
        assert_eq!(areas, [(0, "M0 1h1v1h-1z"), (1, "M1 0h1v1h-1z")]);
    }

    /// Bits that all forms fix are drawn, because the words with the other value are free; the bits of the length are not.
    #[test]
    fn free_words_are_drawn() {
        let instructions = "instructions:\n  a: { length: 8, fix: { 7..4: 2 }, fields: { x: 3..0 }, text: \"a {x}\" }\n  \
                            b: { length: 8, fix: { 7..4: 4 }, fields: { x: 3..0 }, text: \"b {x}\" }\n";
        let of = |spec: &str| {
            let isa = isa_spec::load_str("t.yaml", spec, None).isa.expect("a good specification");
            Map::new(&isa, &Certificate::new(&isa).lengths[0]).expect("two bits differ").bits
        };
        assert_eq!(of(&format!("isa: t\nword: 8\n{}", instructions.replace("length: 8, ", ""))), "7..4");
        let lengths = "{ 8: \"prefix[7] == 0\", 16: \"prefix[7] == 1\" }";
        let word = format!("word: {{ unit: 8, order: low-first, bytes: little, lengths: {lengths} }}");
        let long = "  c: { length: 16, fix: { 15..0: 0x80 }, text: c }\n";
        assert_eq!(of(&format!("isa: t\n{word}\n{instructions}{long}")), "6..4");
    }

    /// A part with words of one instruction and with free words is not drawn as if the instruction had all of it.
    #[test]
    fn parts_that_are_allocated_in_part() {
        let spec = "isa: t\nword: 4\ninstructions:\n  a: { fix: { 3: 0 }, fields: { x: 2..0 }, text: \"a {x}\" }\n  \
                    b: { fix: { 3..2: 2, 1: 0 }, fields: { x: 0 }, text: \"b {x}\" }\n  \
                    c: { fix: { 3..2: 3, 1: 0 }, fields: { x: 0 }, text: \"c {x}\" }\n";
        let isa = isa_spec::load_str("t.yaml", spec, None).isa.expect("a good specification");
        let map = Map::new(&isa, &Certificate::new(&isa).lengths[0]).expect("two bits");
        assert_eq!((map.bits.as_str(), map.has_partly(), map.has_shared()), ("3..2", true, false));
        let areas: Vec<_> = map.areas.iter().map(|a| (a.path.as_str(), a.partly.as_str())).collect();
        assert_eq!(areas, [("M0 0h1v2h-1z", ""), ("", "M1 0h1v1h-1z"), ("", "M1 1h1v1h-1z")]);
    }
}
