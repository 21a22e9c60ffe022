//! The nearest word that satisfies all conditions, for the bits that a text leaves open.

use super::super::Bits;
use super::super::tables::{Cube, Form, Tables};
use super::pending::{Pending, TooMany};
use crate::word::U256;
use alloc::vec::Vec;
use core::ops::Range;

/// True if some word that agrees with `word` in the bits of `known` leads to an end of a diagram; also true if the steps don't
/// suffice to decide.
pub(super) fn meets<W: Bits>(tables: &Tables<'_, W>, set: u32, word: W, known: W, end: u32, steps: u32) -> bool {
    fn within<W: Bits>(tables: &Tables<'_, W>, mut at: u32, word: W, known: W, end: u32, budget: &mut u32) -> bool {
        loop {
            let Some(left) = budget.checked_sub(1) else { return true };
            *budget = left;
            let Some(node) = tables.nodes.get(at as usize).filter(|_| at > 1) else { return at == end };
            let next = if word.bit(node.bit) { node.hi } else { node.lo };
            if !known.bit(node.bit) {
                return (node.lo < at && within(tables, node.lo, word, known, end, budget))
                    || (node.hi < at && within(tables, node.hi, word, known, end, budget));
            }
            if next >= at {
                return false;
            }
            at = next;
        }
    }
    within(tables, set, word, known, end, &mut { steps })
}

/// The limit of steps of [`meets`] for messages.
pub(super) const STEPS_FOR_A_MESSAGE: u32 = 1 << 12;

/// A number of steps of [`meets`] that takes next to no time.
pub(super) const FEW_STEPS: u32 = 64;

/// A condition, as far as it is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// A diagram at this node must reach this end.
    Set(u32, bool),
    /// A cube of the room, of which no bit has differed so far.
    Cube(u32),
}

/// No diagram has such a node.
const NO_NODE: u32 = u32::MAX;

/// The nearest word from a state on, if there is one: how many bits change, and the word with these changes.
type Nearest<W> = Option<(u32, W)>;

/// A state that has been searched: its conditions, its level, and its result.
type State<W> = (Range<usize>, u16, Nearest<W>);

/// The buffers of a search, kept for reuse.
#[derive(Debug, Default)]
pub(super) struct Room<W> {
    /// The level of each bit in the order of diagrams, for words of `order` bits.
    levels: Vec<u16>,
    length: u16,
    /// Cubes, and the levels of their bits that are not known.
    cubes: Vec<(Cube<W>, U256)>,
    /// The conditions of the states being searched, one state after the other.
    parts: Vec<Part>,
    /// The conditions of the states that have been searched.
    keys: Vec<Part>,
    /// These states.
    found: Vec<State<W>>,
    /// Their numbers, plus 1, by a hash.
    table: Vec<u32>,
}

impl<W: Bits> Room<W> {
    /// The result for the state in the room from `start` on; or the place for it, if it is new.
    fn state(&mut self, start: usize, level: u16) -> Result<Option<(u32, W)>, usize> {
        let Self { parts, keys, found, table, .. } = self;
        let hash = |parts: &[Part], level: u16| {
            let number = |part: &Part| match *part {
                Part::Set(node, end) => node << 1 | u32::from(end),
                Part::Cube(cube) => !cube,
            };
            let hash = parts.iter().fold(u32::from(level), |hash, part| (hash ^ number(part)).wrapping_mul(0x9e37_79b1));
            (hash >> 12) as usize
        };
        if found.len() * 2 >= table.len() {
            let size = (table.len() * 4).max(64);
            table.clear();
            table.resize(size, 0);
            for ((key, level, _), number) in found.iter().zip(1..) {
                let mut place = hash(&keys[key.clone()], *level) & (size - 1);
                while table[place] != 0 {
                    place = (place + 1) & (size - 1);
                }
                table[place] = number;
            }
        }
        let key = &parts[start..];
        let mut place = hash(key, level) & (table.len() - 1);
        while let Some((known, at, best)) = (table[place] as usize).checked_sub(1).and_then(|number| found.get(number)) {
            if *at == level && keys[known.clone()] == *key {
                return Ok(*best);
            }
            place = (place + 1) & (table.len() - 1);
        }
        found.push((keys.len()..keys.len() + key.len(), level, None));
        keys.extend_from_slice(key);
        table[place] = found.len() as u32;
        Err(found.len() - 1)
    }
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
    room: &mut Room<W>,
    steps: &mut u32,
) -> Result<Option<W>, TooMany> {
    if let Some(word) = one_bit(tables, form, word, known, pending) {
        return Ok(Some(word));
    }
    let order = tables.order_of.iter().find(|o| o.bits == form.length);
    let order = order.map_or(&[][..], |o| tables.orders.slice(o.order).bytes());
    if room.length != form.length || room.levels.is_empty() {
        room.length = form.length;
        room.levels.clear();
        room.levels.resize(256, u16::MAX);
        order.iter().zip(0..).for_each(|(bit, level)| room.levels[usize::from(*bit)] = level);
    }
    room.keys.clear();
    room.found.clear();
    room.table.clear();
    room.parts.clear();
    room.cubes.clear();
    let mut search = Search { tables, word, known, order, room, steps };
    for part in [Part::Set(form.words, true), Part::Set(form.legal, true)] {
        search.push(part);
    }
    for pending in pending {
        let part = match *pending {
            Pending::In(set) => Part::Set(set, true),
            Pending::NotIn(set) => Part::Set(set, false),
            Pending::Reads(..) => continue,
            Pending::Differs(cube) => {
                let cube = tables.cubes.get(cube as usize).unwrap_or_default();
                if (word ^ cube.value) & cube.mask & known != W::zero() {
                    continue;
                }
                let mut levels = U256::ZERO;
                let mut rest = (cube.mask & !known).wide();
                while !rest.is_zero() {
                    let bit = rest.trailing_zeros();
                    rest &= !(U256::ones(1) << bit);
                    levels |= U256::ones(1) << u32::from(search.room.levels[bit as usize & 255]).min(255);
                }
                search.room.cubes.push((cube, levels));
                Part::Cube(search.room.cubes.len() as u32 - 1)
            }
        };
        search.push(part);
    }
    Ok(search.best(0, 0)?.map(|(_, word)| word))
}

/// The nearest word that satisfies all conditions, if it differs in one bit: it must be one on which an unsatisfied condition
/// depends.
fn one_bit<W: Bits>(tables: &Tables<'_, W>, form: &Form<W>, word: W, known: W, pending: &[Pending]) -> Option<W> {
    let own = [Pending::In(form.words), Pending::In(form.legal)];
    let all = || own.iter().chain(pending);
    let bits = match *all().find(|condition| !condition.holds(tables, word))? {
        Pending::In(set) | Pending::NotIn(set) => tables.asked(set, word),
        Pending::Differs(cube) => tables.cubes.get(cube as usize)?.mask,
        Pending::Reads(..) => return None,
    };
    let changed = (bits & !known).wide().bits().map(|bit| word ^ W::at_bit(1, bit as u8));
    changed.filter(|changed| all().all(|condition| condition.holds(tables, *changed))).min()
}

struct Search<'s, 't, W> {
    tables: &'s Tables<'t, W>,
    word: W,
    known: W,
    order: &'s [u8],
    room: &'s mut Room<W>,
    steps: &'s mut u32,
}

impl<W: Bits> Search<'_, '_, W> {
    /// Adds a condition to the last state, after following a diagram along the known bits.
    fn push(&mut self, part: Part) {
        let part = match part {
            Part::Set(mut at, end) => {
                while at > 1
                    && let Some(node) = self.tables.nodes.get(at as usize)
                    && self.known.bit(node.bit)
                {
                    let next = if self.word.bit(node.bit) { node.hi } else { node.lo };
                    at = if next < at { next } else { NO_NODE };
                }
                Part::Set(at, end)
            }
            cube => cube,
        };
        self.room.parts.push(part);
    }

    /// The level of the bit that a condition asks for next, from `level` on.
    fn next(&self, part: Part, level: u16) -> u16 {
        match part {
            Part::Set(node, _) => match self.tables.nodes.get(node as usize) {
                Some(node) => self.room.levels[usize::from(node.bit)],
                None => u16::MAX,
            },
            Part::Cube(cube) => {
                let levels = self.room.cubes[cube as usize].1 >> level.into();
                if levels.is_zero() { u16::MAX } else { level + levels.trailing_zeros() as u16 }
            }
        }
    }

    /// The nearest word from here on: the number of bits that change, and the word with these changes. The state is in the room
    /// from `start` on.
    fn best(&mut self, start: usize, level: u16) -> Result<Nearest<W>, TooMany> {
        // Decided conditions are dropped.
        let parts = &mut self.room.parts;
        parts[start..].sort_unstable();
        let mut end = start;
        for i in start..parts.len() {
            match parts[i] {
                Part::Set(node @ 0..2, wanted) if (node == 1) != wanted => return Ok(None),
                Part::Set(0..2, _) => {}
                part if end > start && parts[end - 1] == part => {}
                part => {
                    parts[end] = part;
                    end += 1;
                }
            }
        }
        parts.truncate(end);
        if end == start {
            return Ok(Some((0, self.word)));
        }
        let at = (start..end).map(|i| self.next(self.room.parts[i], level)).min().unwrap_or(u16::MAX);
        // A cube all of whose bits are as they are does not differ.
        let Some(bit) = self.order.get(usize::from(at)).copied().filter(|_| at >= level) else { return Ok(None) };
        // The level is a part of the state only if the state has cubes.
        let slot = match self.room.state(start, at) {
            Ok(found) => return Ok(found),
            Err(slot) => slot,
        };
        let parts = (self.room.parts.len() - start) as u32;
        *self.steps = self.steps.checked_sub(1 + parts / 8).ok_or(TooMany)?;
        let is_set = self.word.bit(bit);
        let mut best = None;
        for change in [false, true] {
            if change && self.known.bit(bit) {
                continue;
            }
            let value = is_set ^ change;
            for i in start..end {
                match self.room.parts[i] {
                    Part::Set(number, wanted) => {
                        let node = self.tables.nodes.get(number as usize).filter(|node| node.bit == bit);
                        self.push(Part::Set(node.map_or(number, |node| if value { node.hi } else { node.lo }), wanted));
                    }
                    Part::Cube(number) => {
                        let cube = &self.room.cubes[number as usize].0;
                        if !cube.mask.bit(bit) || cube.value.bit(bit) == value {
                            self.push(Part::Cube(number));
                        }
                    }
                }
            }
            let found = self.best(end, at + 1);
            self.room.parts.truncate(end);
            let found = found?.map(|(count, word)| match change {
                false => (count, word),
                true => (count + 1, word ^ W::at_bit(1, bit)),
            });
            best = [best, found].into_iter().flatten().min();
        }
        self.room.found[slot].2 = best;
        Ok(best)
    }
}
