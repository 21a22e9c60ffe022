//! What a text leaves open: the nearest word for which everything holds.

use super::super::Bits;
use super::super::tables::{Form, Tables};
use super::{Pending, TooMany};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// Whether some word that agrees with `word` in the bits of `known` leads to an end of a diagram. It may say yes where it would take
/// too long to say.
pub(super) fn meets<W: Bits>(tables: &Tables<'_, W>, set: u32, word: W, known: W, end: u32) -> bool {
    fn within<W: Bits>(tables: &Tables<'_, W>, at: u32, word: W, known: W, end: u32, budget: &mut u32) -> bool {
        let Some(left) = budget.checked_sub(1) else { return true };
        *budget = left;
        let Some(node) = tables.nodes.get(at as usize).filter(|_| at > 1) else { return at == end };
        if known.bit(node.bit) {
            let next = if word.bit(node.bit) { node.hi } else { node.lo };
            return next < at && within(tables, next, word, known, end, budget);
        }
        (node.lo < at && within(tables, node.lo, word, known, end, budget))
            || (node.hi < at && within(tables, node.hi, word, known, end, budget))
    }
    within(tables, set, word, known, end, &mut 64)
}

/// A condition, as far as it is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// A diagram at this node must come to this end.
    Set(u32, bool),
    /// A cube, of which no bit has differed so far.
    Cube(u32),
}

/// The word for which all conditions hold, that differs from `word` in the fewest bits and agrees with it in those of `known`; of
/// several, the smallest number. Each state of all conditions together is a step, or several if they are many.
///
/// # Errors
/// When that takes more than `steps`.
pub(super) fn nearest<W: Bits>(
    tables: &Tables<'_, W>,
    form: &Form<W>,
    word: W,
    known: W,
    pending: &[Pending],
    steps: &mut u32,
) -> Result<Option<W>, TooMany> {
    let order = tables.order_of.iter().find(|o| o.bits == form.length);
    let order = order.map_or(&[][..], |o| Tables::<W>::rows_of(tables.orders, o.order));
    let mut levels = [u16::MAX; 256];
    order.iter().zip(0..).for_each(|(bit, level)| levels[usize::from(*bit)] = level);
    let mut parts = Vec::from([Part::Set(form.words, true), Part::Set(form.legal, true)]);
    parts.extend(pending.iter().map(|p| match *p {
        Pending::In(set) => Part::Set(set, true),
        Pending::NotIn(set) => Part::Set(set, false),
        Pending::Differs(cube) => Part::Cube(cube),
    }));
    let mut search = Search { tables, word, known, levels: &levels, order, found: BTreeMap::new(), steps };
    let best = search.best(parts, 0)?;
    Ok(best.map(|(_, word)| word))
}

struct Search<'s, 't, W> {
    tables: &'s Tables<'t, W>,
    word: W,
    known: W,
    levels: &'s [u16; 256],
    order: &'s [u8],
    found: BTreeMap<Vec<Part>, Option<(u32, W)>>,
    steps: &'s mut u32,
}

impl<W: Bits> Search<'_, '_, W> {
    /// The level of the bit that a condition asks for next, from `level` on.
    fn next(&self, part: Part, level: u16) -> u16 {
        match part {
            Part::Set(node, _) => match self.tables.nodes.get(node as usize) {
                Some(node) => self.levels[usize::from(node.bit)],
                None => u16::MAX,
            },
            Part::Cube(cube) => {
                let Some(cube) = self.tables.cubes.get(cube as usize) else { return u16::MAX };
                let rest = self.order.iter().zip(0u16..).skip(level.into());
                rest.into_iter().find(|(bit, _)| cube.mask.bit(**bit)).map_or(u16::MAX, |(_, level)| level)
            }
        }
    }

    /// The nearest word from here on: how many bits change, and the word with the changes from here on.
    fn best(&mut self, mut parts: Vec<Part>, level: u16) -> Result<Option<(u32, W)>, TooMany> {
        // What is decided goes.
        let mut is_over = false;
        parts.retain(|part| match *part {
            Part::Set(node, end) if node < 2 => {
                is_over |= (node == 1) != end;
                false
            }
            _ => true,
        });
        if is_over {
            return Ok(None);
        }
        if parts.is_empty() {
            return Ok(Some((0, self.word)));
        }
        parts.sort_unstable();
        parts.dedup();
        let at = parts.iter().map(|part| self.next(*part, level)).min().unwrap_or(u16::MAX);
        // A cube all of whose bits are as they are does not differ.
        let Some(bit) = self.order.get(usize::from(at)).copied().filter(|_| at >= level) else { return Ok(None) };
        // The level is a part of the state only as far as cubes are.
        let mut key = parts.clone();
        key.push(Part::Set(at.into(), true));
        if let Some(found) = self.found.get(&key) {
            return Ok(*found);
        }
        *self.steps = self.steps.checked_sub(1 + parts.len() as u32 / 8).ok_or(TooMany)?;
        let is_set = self.word.bit(bit);
        let mut best = None;
        for change in [false, true] {
            if change && self.known.bit(bit) {
                continue;
            }
            let value = is_set ^ change;
            let after = parts.iter().filter_map(|part| match *part {
                Part::Set(number, end) => {
                    let node = self.tables.nodes.get(number as usize).filter(|node| node.bit == bit);
                    Some(Part::Set(node.map_or(number, |node| if value { node.hi } else { node.lo }), end))
                }
                Part::Cube(number) => {
                    let cube = self.tables.cubes.get(number as usize)?;
                    (!cube.mask.bit(bit) || cube.value.bit(bit) == value).then_some(Part::Cube(number))
                }
            });
            let found = self.best(after.collect(), at + 1)?;
            let found = found.map(|(count, word)| match change {
                false => (count, word),
                true => (count + 1, word ^ W::at_bit(1, bit)),
            });
            best = [best, found].into_iter().flatten().min();
        }
        self.found.insert(key, best);
        Ok(best)
    }
}
