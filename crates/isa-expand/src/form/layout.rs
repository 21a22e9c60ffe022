//! Layouts: the word as a document draws it, by letters, by parts, or one part by letters.

use super::{Builder, Placed};
use crate::assembly::Instance;
use isa_model::bits::runs;
use isa_model::diag::Diagnostic;
use isa_model::model::{BitRange, Bits, Plain, PlainKind, Word};
use isa_model::span::{Span, Text};
use isa_syntax::lang::{self, Layout, LayoutPart, Mark};
use std::collections::{BTreeMap, BTreeSet};

/// Bits that a name has in layouts, the most significant one first.
struct Drawn {
    bits: Vec<u32>,
    span: Span,
}

/// The fields and constants that layouts draw, by name.
type Names = BTreeMap<String, Drawn>;

/// A mark of a layout, with its place in the text.
type MarkAt = (Mark, std::ops::Range<usize>);

impl Builder<'_, '_, '_> {
    /// The names that layouts place, with their bits; `None` where a layout can't be read.
    pub(super) fn layouts(&mut self) -> Option<Placed> {
        let mut placed = Names::new();
        for instance in &self.assembly.instances {
            let Some(text) = &instance.part.layout else {
                self.refuse_letters(instance);
                continue;
            };
            let text = instance.env.apply(self.cx, text)?;
            let layout = self.cx.parse(&self.cx.parsed.layouts, &text, lang::parse_layout)?;
            let mut names = Names::new();
            match &*layout {
                Layout::Letters(marks) => self.draw_letters(instance, marks, &text, &mut names)?,
                Layout::Parts(parts) => self.draw_parts(instance, parts, &text, &mut names)?,
                Layout::Split(part) => self.split_part(instance, part, &text, &mut placed, &mut names)?,
            }
            self.check_letters(instance, &layout);
            let adds = matches!(&*layout, Layout::Split(_));
            for (name, drawn) in names {
                let path = format!("{}{name}", instance.prefix);
                match placed.get_mut(&path).filter(|_| adds) {
                    // Letters add their bits to a field of the layout that they split, in the order of the word.
                    Some(all) => {
                        all.bits.extend(drawn.bits);
                        all.bits.sort_unstable_by(|a, b| b.cmp(a));
                    }
                    None => drop(placed.insert(path, drawn)),
                }
            }
        }
        Some(placed.into_iter().map(|(path, drawn)| (path, (Bits(runs(&drawn.bits)), drawn.span))).collect())
    }

    /// `0010 gggg rrrr`: a mark for each bit of the word.
    fn draw_letters(&mut self, instance: &Instance<'_>, marks: &[MarkAt], text: &Text, names: &mut Names) -> Option<()> {
        if marks.len() as u32 != self.length {
            let message = format!("this layout has {} bits, the word {}", marks.len(), self.length);
            self.cx.error("width", message, text.span);
            return None;
        }
        self.marks(instance, marks, &descending(self.length, self.length), text, names);
        Some(())
    }

    /// `OPCODE(7) | MOD:ttmuu(5) | RA(5)`: parts with names, from the most significant bit on.
    fn draw_parts(&mut self, instance: &Instance<'_>, parts: &[LayoutPart], text: &Text, names: &mut Names) -> Option<()> {
        let total: u32 = parts.iter().map(|p| p.width).sum();
        if total != self.length {
            let message = format!("the parts of this layout have {total} bits together, the word {}", self.length);
            self.cx.error("width", message, text.span);
            return None;
        }
        let mut top = self.length;
        let mut whole = BTreeSet::new();
        for part in parts {
            let span = text.at(part.range.clone());
            let bits = descending(top, part.width);
            match &part.split {
                Some(marks) => self.marks(instance, marks, &bits, text, names),
                None => {
                    names.entry(part.name.clone()).or_insert(Drawn { bits: Vec::new(), span }).bits.extend(bits);
                    if !whole.insert(&part.name) {
                        self.cx.error("duplicate", format!("`{}` occurs twice in this layout", part.name), span);
                        self.incomplete = true;
                    }
                }
            }
            top -= part.width;
        }
        Some(())
    }

    /// `MOD(05): "ttmii"`: a part of the format's layout, read by letters.
    fn split_part(
        &mut self,
        instance: &Instance<'_>,
        part: &LayoutPart,
        text: &Text,
        placed: &mut Names,
        names: &mut Names,
    ) -> Option<()> {
        let span = text.at(part.range.clone());
        let Some(whole) = placed.remove(&part.name) else {
            self.cx.unknown("part of a layout", &part.name, span, placed.keys().map(String::as_str));
            return None;
        };
        if whole.bits.len() as u32 != part.width {
            let message = format!("`{}` has {} bits in the layout, not {}", part.name, whole.bits.len(), part.width);
            self.cx.report(Diagnostic::error("width", message, span).with_label(whole.span, "here"));
            return None;
        }
        self.marks(instance, part.split.as_deref().unwrap_or_default(), &whole.bits, text, names);
        Some(())
    }

    /// Checks that the letters of `where` are drawn, or occur in a line of syntax, and that each has one name or as many as it
    /// has places.
    fn check_letters(&self, instance: &Instance<'_>, layout: &Layout) {
        for (letter, fields) in &instance.part.letters {
            let places = match layout {
                Layout::Letters(marks) => places_of(letter, marks),
                Layout::Parts(parts) => parts.iter().filter_map(|p| p.split.as_deref()).map(|m| places_of(letter, m)).sum(),
                Layout::Split(part) => part.split.as_deref().map_or(0, |marks| places_of(letter, marks)),
            };
            let is_word = |line: &Text| line.value.contains(&letter.value);
            if places == 0 && !instance.part.syntax.as_ref().is_some_and(is_word) {
                self.cx.error("unknown-name", format!("the layout has no letter `{}`", letter.value), letter.span);
            }
            let names = fields.value.split(',').count();
            if names > 1 && places > 0 && names != places {
                let s = if places == 1 { "" } else { "s" };
                let message = format!("`{}` has {names} names, and the layout draws it in {places} place{s}", letter.value);
                self.cx.error("width", message, fields.span);
            }
        }
    }

    /// Refuses letters without a layout; the letters of a format may be for the layouts and syntax lines of what extends it.
    pub(super) fn refuse_letters(&self, instance: &Instance<'_>) {
        let lacks = instance.part.layout.is_none() && instance.part.syntax.is_none() && !self.is_format(instance);
        if let Some((letter, _)) = instance.part.letters.first().filter(|_| lacks) {
            let message = "`where` says what the letters of a `layout` mean, and there is no layout here";
            self.cx.error("missing", message, letter.span);
        }
    }

    /// Letters for these bits, the most significant one first.
    fn marks(&mut self, instance: &Instance<'_>, marks: &[MarkAt], bits: &[u32], text: &Text, names: &mut Names) {
        for (i, ((mark, range), bit)) in marks.iter().zip(bits.iter().copied()).enumerate() {
            let span = text.at(range.clone());
            match mark {
                Mark::Fixed(one) => {
                    self.claim(Word::bit(bit), "a fixed bit of the layout", span);
                    self.mask |= Word::bit(bit);
                    self.value |= Word::from(*one) << bit;
                }
                Mark::Letter(letter) => {
                    let name = self.letter(instance, *letter, runs_before(marks, i));
                    names.entry(name).or_insert(Drawn { bits: Vec::new(), span }).bits.push(bit);
                }
                Mark::Ignored | Mark::Unknown => {
                    let what = if *mark == Mark::Ignored { PlainKind::Ignored } else { PlainKind::Unknown };
                    self.claim(Word::bit(bit), "kept bits of the layout", span);
                    self.plain.push(Plain { bits: BitRange { hi: bit, lo: bit }, what, span });
                }
                Mark::Elsewhere => {}
            }
        }
    }

    /// The field of a letter: by the `where` beside the layout, else by that of the nearest format. A letter that is drawn in
    /// several places can have a name for each: `t: "size, source"`.
    fn letter(&self, instance: &Instance<'_>, letter: char, place: usize) -> String {
        let formats = if instance.prefix.is_empty() { &self.assembly.instances[..self.assembly.formats] } else { &[] };
        let mut parts = std::iter::once(instance).chain(formats.iter().rev());
        let names = parts.find_map(|i| i.part.letters.iter().find(|(k, _)| k.value == letter.to_string()));
        names.map_or(letter.to_string(), |(_, v)| {
            v.value.split(',').map(str::trim).take(place + 1).last().unwrap_or_default().to_string()
        })
    }
}

/// In how many places a letter is drawn.
fn places_of(letter: &Text, marks: &[MarkAt]) -> usize {
    let is_letter = |mark: &Mark| matches!(mark, Mark::Letter(c) if letter.value == c.to_string());
    (0..marks.len()).filter(|i| is_letter(&marks[*i].0) && (*i == 0 || !is_letter(&marks[*i - 1].0))).count()
}

/// `width` bits, from `top - 1` down.
fn descending(top: u32, width: u32) -> Vec<u32> {
    (top - width..top).rev().collect()
}

/// In how many places the letter at `index` is drawn before it.
fn runs_before(marks: &[MarkAt], index: usize) -> usize {
    (0..=index).filter(|i| marks[*i].0 == marks[index].0 && (*i == 0 || marks[*i - 1].0 != marks[index].0)).count() - 1
}
